package experiment

import (
	"fmt"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/stat"
)

var logRegret = measure{constrainedRegret, "log10 regret of the best feasible query", chart.Linear, true}

// showConstrained shows the regrets of all problems in a picture, what all of them say together, and each.
func showConstrained(r Results, queries int) []Section {
	drawing := r.chart(r.Groups(), "Regret of the best feasible query", logRegret)
	for i := range drawing.Panels {
		drawing.Panels[i].X = "queries"
	}
	picture := Figure{Name: "constrained", Drawing: drawing}
	picture.Caption = "Decimal logarithm of the regret of the best feasible query, in ranges of the feasible values, by all queries, initial ones included."
	section := Section{Title: "Constraints with margins and without", Figures: []Figure{picture}, Tables: []Table{
		constrainedPooled(r, queries), constrainedByProblem(r), constrainedShares(r),
	}}
	return []Section{section}
}

// constrainedPooled has the mean of all problems, seed by seed.
func constrainedPooled(r Results, queries int) Table {
	places := []int{max(queries/4, 1), max(queries/2, 1), queries}
	t := Table{Caption: "All problems: log10 regret, mean over the problems", Head: []string{"method"}}
	for _, k := range places {
		t.Head = append(t.Head, "after "+whole(k))
	}
	t.Head = append(t.Head, "at the end, minus "+armYesNo, "minus random")
	for _, a := range constrainedArms {
		row := []string{a.name}
		for _, k := range places {
			row = append(row, r.pooled(a.name, constrainedRegret, k).String())
		}
		for _, other := range []string{armYesNo, "random"} {
			text := ""
			if a.name != other {
				text = r.across(a.name, other, constrainedRegret, Last).Signed()
			}
			row = append(row, text)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// constrainedByProblem has the end of each problem.
func constrainedByProblem(r Results) Table {
	t := Table{Caption: "log10 regret at the end, by problem", Head: []string{"problem"}}
	for _, a := range constrainedArms {
		t.Head = append(t.Head, a.name)
	}
	t.Head = append(t.Head, fmt.Sprintf("%s, minus %s", armMargins, armYesNo), "minus random")
	for _, g := range r.Groups() {
		row := []string{g}
		for _, a := range constrainedArms {
			row = append(row, r.At(g, a.name, constrainedRegret, Last).String())
		}
		t.Rows = append(t.Rows, append(row,
			r.Difference(g, armMargins, armYesNo, constrainedRegret, Last).Signed(), r.Difference(g, armMargins, "random", constrainedRegret, Last).Signed()))
	}
	return t
}

// constrainedShares says how many queries were feasible, and which was the first.
func constrainedShares(r Results) Table {
	t := Table{Caption: "Feasible queries, %; first feasible query, one more than all where there is none", Head: []string{"problem"}}
	for _, a := range constrainedArms {
		t.Head = append(t.Head, a.name, a.name+": first")
	}
	for _, g := range r.Groups() {
		row := []string{g}
		for _, a := range constrainedArms {
			row = append(row, r.At(g, a.name, constrainedShare, Last).String(), r.At(g, a.name, constrainedFirst, Last).String())
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// pooled returns the mean over all groups of the k-th value of a curve, seed by seed, of the seeds that are complete in all.
func (r Results) pooled(arm, measure string, k int) stat.Estimate {
	return r.meanOf(func(group string, seed int) (float64, bool) { return at(r.curves(group, arm, measure)[seed], k) })
}
