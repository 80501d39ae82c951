package main

import (
	"fmt"
	"math"
)

// figure is what a picture shows: panels side by side under one title, with one legend.
type figure struct {
	title, subtitle string
	panels          []panel
}

// panel is one pair of axes. All panels of a figure have the same series in the same order.
type panel struct {
	xLabel, yLabel string
	log            bool    // logarithmic y axis
	steps          bool    // the curves are known to stay where they are between two queries
	low, high      float64 // of the y axis
	series         []series
}

// series is a curve with a band of one standard error to each side.
type series struct {
	name     string
	baseline bool
	curve    []estimate // at 1, 2, ... queries
}

const xLabel = "queries after the initial ones"

// regretFigure shows simple regret on a logarithmic axis beside cumulative regret.
func (c comparison) regretFigure(problem int, results []result) figure {
	simple := panel{xLabel: xLabel, log: true, steps: true}
	cumulative := panel{xLabel: xLabel, yLabel: "cumulative regret"}
	simple.series = c.series(results, func(r result) []float64 { return r.simple })
	cumulative.series = c.series(results, func(r result) []float64 { return r.cumulative })
	var zeros bool
	simple.low, simple.high, zeros = logRange(simple.series)
	simple.yLabel = "simple regret"
	if zeros {
		simple.yLabel += fmt.Sprintf(" (0 is drawn at %s)", power(simple.low))
	}
	cumulative.low, cumulative.high = 0, top(cumulative.series)
	return figure{
		title:    c.problems[problem].name + ": regret over the queries",
		subtitle: fmt.Sprintf("%s; %s", c.conditions(c.problems[problem]), c.seedText()),
		panels:   []panel{simple, cumulative},
	}
}

// seedText says what curves and bands are.
func (c comparison) seedText() string {
	if c.seeds == 1 {
		return fmt.Sprintf("seed %d", c.seed)
	}
	return fmt.Sprintf("mean ± standard error of %d seeds", c.seeds)
}

// series are the curves of all policies.
func (c comparison) series(results []result, of func(result) []float64) []series {
	out := make([]series, len(c.policies))
	for i, p := range c.policies {
		out[i] = series{p.name, p.baseline, curveOf(column(ofPolicy(results, i), of))}
	}
	return out
}

// ends are the values that a point of a curve covers.
func (e estimate) ends() (low, high float64) {
	if math.IsNaN(e.se) {
		return e.mean, e.mean
	}
	return e.mean - e.se, e.mean + e.se
}

// top is the greatest value that any band reaches.
func top(all []series) float64 {
	high := math.Inf(-1)
	for _, s := range all {
		for _, e := range s.curve {
			if _, h := e.ends(); e.known() {
				high = max(high, h)
			}
		}
	}
	return high
}

// logDecades is the most that a logarithmic axis shows.
const logDecades = 9

// logRange returns the ends of a logarithmic axis: a power of ten at or below the least positive mean, but no more than
// logDecades below the top; and whether any mean is lower. Those are drawn at the lower end.
func logRange(all []series) (low, high float64, below bool) {
	high, low = top(all), math.Inf(1)
	for _, s := range all {
		for _, e := range s.curve {
			if e.mean > 0 {
				low = min(low, e.mean)
			}
		}
	}
	if !(high > 0) || math.IsInf(low, 1) {
		return 0.1, 1, true // nothing but zeros, or nothing
	}
	decade := max(math.Floor(math.Log10(low)), math.Floor(math.Log10(high))-logDecades)
	low = math.Pow(10, decade)
	for _, s := range all {
		for _, e := range s.curve {
			below = below || e.mean < low
		}
	}
	return low, high * 1.2, below
}
