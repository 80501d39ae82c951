package comparison

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/stat"
)

// nan stands for a number that there is none of.
var nan = math.NaN()

// regretTable is the table of one problem: a row for each policy, with the notes that belong to it.
func (c comparison) regretTable(problem int, results []result) string {
	points := stat.Checkpoints(c.rounds)
	t := console.NewTable()
	// Cells are not merged: the table writer divides by zero where a merged title is wider than its columns.
	top, head := table.Row{"", ""}, table.Row{"policy", "seeds"}
	for _, k := range points {
		top, head = append(top, "simple regret"), append(head, fmt.Sprintf("after %d", k))
	}
	top, head = append(top, "cumulative"), append(head, fmt.Sprintf("after %d", c.rounds))
	forecasts := slices.ContainsFunc(results, func(r result) bool { return r.coverage.Judged > 0 })
	if forecasts {
		top, head = append(top, "model's 80 %"), append(head, "holds, %")
	}
	t.AppendHeader(top)
	t.AppendHeader(head)
	gaps := false
	for i, p := range c.policies {
		runs := ofPolicy(results, i)
		simple := stat.Curve(column(runs, func(r result) []float64 { return r.simple }))
		cumulative := stat.Curve(column(runs, func(r result) []float64 { return r.cumulative }))
		row := table.Row{p.Name, len(runs)}
		for _, k := range points {
			e := at(simple, k)
			gaps = gaps || !e.Known()
			row = append(row, e)
		}
		row = append(row, at(cumulative, c.rounds))
		if forecasts {
			row = append(row, held(runs))
		}
		t.AppendRow(row)
	}
	t.SetColumnConfigs(console.RightFrom(2, len(top)))
	return c.headline(problem) + "\n" + t.Render() + "\n" + c.notes(results, gaps)
}

// held is the share of values in the central 80 % of their predictions, in percent; empty where there are none.
func held(runs []result) string {
	shares := stat.Of(column(runs, func(r result) float64 { return 100 * r.coverage.CentralShare() }))
	if !shares.Known() {
		return ""
	}
	return shares.String()
}

// at returns the estimate after k queries, an unknown one where the curve ends earlier.
func at(curve []stat.Estimate, k int) stat.Estimate {
	if k > len(curve) {
		return stat.Of(nil)
	}
	return curve[k-1]
}

// headline says what a table is about.
func (c comparison) headline(problem int) string {
	s := c.problems[problem]
	return fmt.Sprintf("%s: %s.\n%s; %d initial + %s.", s.name, s.first.Describe, c.conditions(s), c.initials(s), console.Plural(c.rounds, "query"))
}

// notes explains the numbers, and says what went wrong.
func (c comparison) notes(results []result, gaps bool) string {
	var b strings.Builder
	if c.seeds > 1 {
		fmt.Fprintf(&b, "Mean ± standard error over the seeds %d to %d. ", c.seed, c.seed+uint64(c.seeds)-1)
	} else {
		fmt.Fprintf(&b, "Seed %d only, so there are no standard errors. ", c.seed)
	}
	b.WriteString("Queries are counted after the initial ones; less regret is better.\n")
	if gaps {
		fmt.Fprintf(&b, "%s: some run had no answer yet, or none is complete.\n", stat.Unknown)
	}
	b.WriteString(c.warnings(results))
	return b.String()
}

// warnings has a line for each policy that could not choose by itself.
func (c comparison) warnings(results []result) string {
	var b strings.Builder
	for i, p := range c.policies {
		total := 0
		for _, r := range ofPolicy(results, i) {
			total += r.fallbacks
		}
		if total > 0 {
			fmt.Fprintf(&b, "Warning: %s failed, and random points took the place of %s.\n", p.Name, console.Plural(total, "query"))
		}
	}
	return b.String()
}
