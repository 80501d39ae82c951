package tournament

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/experiment"
	"github.com/tarry-bo/tarry/internal/stat"
)

const budgetLabel = "percent of the budget"

// The kinds of pictures of a part.
const (
	ranksPicture  = "ranks"
	regretPicture = "regret"
	cellsPicture  = "cells"
)

// pictureOf is the name of a picture of a part.
func pictureOf(part, kind string) string { return "compare-" + part + "-" + kind }

// Pictures returns the names of all pictures that some tournament makes.
func Pictures() []string {
	var out []string
	for _, part := range Selections {
		for _, kind := range []string{ranksPicture, regretPicture, cellsPicture} {
			out = append(out, pictureOf(part, kind))
		}
	}
	return out
}

// figures are the pictures of a part.
func (s Summary) figures(p Part) []experiment.Figure {
	note := s.note(p)
	ranks := chart.Panel{X: budgetLabel, Y: "average rank, the least is best"}
	for k, r := range p.Standings {
		ranks.Curves = append(ranks.Curves, s.curve(k, r.Ranks))
	}
	regrets := chart.Figure{Title: title(p.Name) + ": regret by family", Note: note, Columns: 2}
	for _, f := range p.Families {
		panel := chart.Panel{Title: f.Name, X: budgetLabel, Y: "mean log10 regret"}
		for k, c := range f.Curves {
			means := make([]Mean, len(c))
			for i, v := range c {
				means[i] = Mean{v, Number(math.NaN())}
			}
			panel.Curves = append(panel.Curves, s.curve(k, means))
		}
		regrets.Panels = append(regrets.Panels, panel)
	}
	out := []experiment.Figure{
		{
			Name: pictureOf(p.Name, ranksPicture), Caption: "Average rank of each policy over cells and seeds, ± standard error over problems. Ranks begin where every run is past its initial queries.",
			Drawing: chart.Figure{Title: title(p.Name) + ": average rank", Note: note, Panels: []chart.Panel{ranks}},
		},
		{Name: pictureOf(p.Name, regretPicture), Caption: "Mean log10 regret over cells and seeds. Regret 1, at height 0, is what the best of ten random points leaves. A curve begins where every run is past its initial queries.", Drawing: regrets},
	}
	if p.Name != Both || len(s.Parts) == 1 {
		out = append(out, experiment.Figure{
			Name: pictureOf(p.Name, cellsPicture), Caption: "Regret at the end of each policy in each cell, in powers of ten above that of the best policy there.",
			Drawing: s.heat(p, note),
		})
	}
	return out
}

// note says how much a picture of a part shows: the seeds that every policy has completed, cells and problems.
func (s Summary) note(p Part) string {
	least, most := s.Seeds, 0
	for _, c := range s.Cells {
		if c.Seeds > 0 && within(c.Half, p.Name) {
			least, most = min(least, c.Seeds), max(most, c.Seeds)
		}
	}
	seeds := console.Plural(s.Seeds, "seed")
	switch {
	case least < most:
		seeds = fmt.Sprintf("%d to %d of %s", least, most, seeds)
	case most < s.Seeds:
		seeds = fmt.Sprintf("%d of %s", most, seeds)
	}
	text := fmt.Sprintf("%s, %s of %s", seeds, console.Plural(p.Cells, "cell"), console.Plural(p.Problems, "problem"))
	if s.Complete < s.Runs {
		text += fmt.Sprintf("; incomplete: %d of %s", s.Complete, console.Plural(s.Runs, "run"))
	}
	return text
}

// curve is that of a policy, by percent of the budget.
func (s Summary) curve(policy int, means []Mean) chart.Curve {
	c := chart.Curve{Name: s.Policies[policy], Policy: s.Policies[policy]}
	for i, m := range means {
		c.X = append(c.X, 100*float64(i+1)/stations)
		c.Y = append(c.Y, stat.Estimate{Mean: float64(m.Mean), SE: float64(m.SE)})
	}
	return c
}

// heat shows how far each policy is above the best of each cell.
func (s Summary) heat(p Part, note string) chart.HeatMap {
	panel := chart.HeatPanel{Y: "cell", Columns: s.Policies}
	for _, c := range s.Cells {
		if c.Seeds == 0 || !within(c.Half, p.Name) {
			continue
		}
		best := math.Inf(1)
		for _, m := range c.End {
			best = min(best, float64(m.Mean))
		}
		row := make([]float64, len(c.End))
		for k, m := range c.End {
			row[k] = float64(m.Mean) - best
		}
		panel.Rows, panel.Cells = append(panel.Rows, c.Name), append(panel.Cells, row)
	}
	return chart.HeatMap{Title: title(p.Name) + ": regret above that of the best policy", Note: note, Scale: "powers of ten above the best", Panels: []chart.HeatPanel{panel}}
}
