package tournament

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/experiment"
)

// Terms are how runs are summed up. They decide nothing about the runs themselves.
type Terms struct {
	Reference string   // policy that the others are held against
	Floor     float64  // least regret, in units of ten random points
	Missing   []string // problems that could not be drawn, to be named
	Data      string   // fingerprint of what was read; empty: nothing was
}

// reference is the place of the reference among the policies.
func (t Terms) reference(names []string) int { return slices.Index(names, t.Reference) }

// Validate wants the reference among the policies and a floor above 0.
func (t Terms) Validate(contenders []console.Contender) error {
	var l check.List
	names := namesOf(contenders)
	l.Require(t.reference(names) >= 0, "-reference", t.Reference, "one of the policies: "+strings.Join(names, ", "))
	l.Require(t.Floor > 0 && t.Floor < 1, "-floor", t.Floor, "0 < floor < 1")
	return l.Err()
}

// Experiment is the tournament as the laboratory knows experiments.
func Experiment() experiment.Experiment {
	return experiment.Experiment{
		Name: "compare", Title: "Policies over many problems, conditions and seeds",
		About: "Every policy meets every cell, a problem under conditions, with every seed; of a seed all meet the same function, noise and delays. " +
			"Each begins with the initial design of a study that asks for none, which is part of what is compared: 5 points where fits choose the model, " +
			"as those of auto do, and the same 2d+1 points, at most 18, for all others; fewer with a small budget or a small finite space. Regret is the simple regret, in units of what the best of ten random points leaves on average.",
	}
}

// Plan says what is to be done. There must be a cell and a policy, and the terms must be valid.
func Plan(cells []Cell, contenders []console.Contender, t Terms) experiment.Plan {
	p := experiment.Plan{Arms: arms(cells, contenders), Fingerprint: t.Data, Facts: []experiment.Fact{
		{Name: "cells", Text: fmt.Sprintf("%d, with %s", len(cells), console.Plural(len(contenders), "policy"))},
		{Name: "floor of regrets", Text: console.Short(t.Floor)},
		{Name: "reference", Text: t.Reference},
	}}
	if len(t.Missing) > 0 {
		p.Facts = append(p.Facts, experiment.Fact{Name: "left out, since -data names no lists", Text: strings.Join(t.Missing, ", ")})
	}
	p.Show = func(r experiment.Results) []experiment.Section { return Summarize(cells, contenders, t, r).Sections() }
	return p
}

// Summarize sums up the results of a plan of the same cells, policies and terms.
func Summarize(cells []Cell, contenders []console.Contender, t Terms, r experiment.Results) Summary {
	first, seeds := r.Seeds()
	return summary(cells, namesOf(contenders), t, r.Runs(), first, seeds)
}

func namesOf(contenders []console.Contender) []string {
	var out []string
	for _, c := range contenders {
		out = append(out, c.Name)
	}
	return out
}
