package experiment

import (
	"fmt"
	"os"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/sim"
)

// groupContextual is the only setting of the contextual experiments.
const groupContextual = "Poisson(3), m = 6"

// contextualArms are all rivals under the delays of the contextual experiments.
func contextualArms(problem func(uint64) (sim.Problem, error), rounds int) []Arm {
	var arms []Arm
	for _, policy := range rivals {
		s := study{problem: problem, policy: policy, law: contextDelay, rounds: rounds, window: strict(contextWindow)}
		arms = append(arms, s.arm(groupContextual, policy, paperInitial, contextualRegret))
	}
	return arms
}

// metOneByOne says how many of some things are met, one after another, and by how many queries.
func metOneByOne(things string, rounds, all int) Fact {
	queries := paperInitial + rounds
	text := fmt.Sprintf("%d of %d, with %s in all, initial ones included", min((queries+queriesPerTask-1)/queriesPerTask, all), all, plural(queries, "query"))
	if queries > all*queriesPerTask {
		text += "; then again from the first"
	}
	return Fact{things + " that are met", text}
}

// contextualRegret records the cumulative regret in percent points.
func contextualRegret(_ sim.Scenario, o sim.Performance) Record {
	sums := make([]float64, len(o.CumulativeRegret))
	for i, v := range o.CumulativeRegret {
		sums[i] = 100 * v
	}
	return Record{CumulativeRegret: sums}
}

// showContextual shows the cumulative regret, and how the policies that censor differ from their rivals.
func showContextual(r Results, name, title string, rounds int) []Section {
	p := r.panel(groupContextual, cumulativeRegret)
	p.Title, p.Y = "", "cumulative regret, percent points of accuracy"
	mean := r.panel(groupContextual, cumulativeRegret)
	mean.Title, mean.Y = "", "mean regret of the queries so far, percent points of accuracy"
	for i := range mean.Curves {
		for k := range mean.Curves[i].Y {
			e := &mean.Curves[i].Y[k]
			e.Mean, e.SE = e.Mean/float64(k+1), e.SE/float64(k+1)
		}
	}
	s := Section{Title: title, Figures: []Figure{{
		Name: name, Caption: title + ": the sum, and the mean of a query.",
		Drawing: chart.Figure{Title: title, Note: r.note(), Panels: []chart.Panel{p, mean}},
	}}}
	s.Tables = append(s.Tables, contextualTable(r, title, rounds), rivalry(r))
	return []Section{s}
}

func contextualTable(r Results, title string, rounds int) Table {
	t := Table{Caption: title + ", percent points of accuracy", Head: []string{"method"}}
	for _, k := range stat.Checkpoints(rounds) {
		t.Head = append(t.Head, "after "+whole(k))
	}
	t.Head = append(t.Head, "mean of a query")
	for _, arm := range r.Arms(groupContextual) {
		row := []string{arm}
		for _, k := range stat.Checkpoints(rounds) {
			row = append(row, r.At(groupContextual, arm, CumulativeRegret, k).String())
		}
		e := r.At(groupContextual, arm, CumulativeRegret, Last)
		e.Mean, e.SE = e.Mean/float64(rounds), e.SE/float64(rounds)
		t.Rows = append(t.Rows, append(row, e.String()))
	}
	return t
}

// rivalry has the differences of the policies that censor to those that do not, seed by seed.
func rivalry(r Results) Table {
	t := Table{Caption: "Cumulative regret at the end, row minus column, seed by seed: below zero the row is better", Head: []string{"method"}}
	others := []string{"gp-ucb", "asy-ts", "gp-bucb", "gp-bts", "random"}
	t.Head = append(t.Head, others...)
	for _, a := range []string{"ucb-sdf", "ts-sdf"} {
		row := []string{a}
		for _, b := range others {
			row = append(row, r.Difference(groupContextual, a, b, CumulativeRegret, Last).Signed())
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// existing is the first path that is there, or the last one.
func existing(paths ...string) string {
	for _, p := range paths {
		if _, err := os.Stat(p); err == nil {
			return p
		}
	}
	return paths[len(paths)-1]
}
