package comparison

import (
	"fmt"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/stat"
)

const xLabel = "queries after the initial ones"

// regretFigure shows simple regret on a logarithmic axis beside cumulative regret.
func (c comparison) regretFigure(problem int, results []result) chart.Figure {
	simple := c.curves(results, func(r result) []float64 { return r.simple })
	cumulative := c.curves(results, func(r result) []float64 { return r.cumulative })
	return chart.Figure{
		Title: c.problems[problem].name + ": regret over the queries",
		Note:  fmt.Sprintf("%s; %s", c.conditions(c.problems[problem]), c.seedText()),
		Panels: []chart.Panel{
			{X: xLabel, Y: "simple regret", Scale: chart.Log, Steps: true, Curves: simple},
			{X: xLabel, Y: "cumulative regret", Curves: cumulative},
		},
	}
}

// seedText says what curves and bands are.
func (c comparison) seedText() string {
	if c.seeds == 1 {
		return fmt.Sprintf("seed %d", c.seed)
	}
	return fmt.Sprintf("mean ± standard error of %d seeds", c.seeds)
}

// curves are those of all policies.
func (c comparison) curves(results []result, of func(result) []float64) []chart.Curve {
	out := make([]chart.Curve, len(c.policies))
	for i, p := range c.policies {
		out[i] = chart.Curve{Name: p.Name, Policy: p.Name, Y: stat.Curve(column(ofPolicy(results, i), of))}
	}
	return out
}
