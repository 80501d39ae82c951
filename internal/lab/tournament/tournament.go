// Package tournament is the evidence by which policies are judged: many problems under many conditions, each with every policy
// and every seed. All policies meet the same function, noise and delays under the same seed; the initial design is that of their studies,
// smaller where fits choose the model.
//
//	problems, missing, err := tournament.Problems("tst-svm")
//	cells := tournament.Usual(problems, 80)
//	plan := tournament.Plan(cells, contenders, tournament.Terms{Reference: "gp-bucb", Floor: 1e-4})
//	results, err := plan.Perform(ctx, experiment.Options{Seed: 1, Seeds: 20, Parallel: 2})
//
// A problem belongs to one of two halves. Whoever tunes a policy looks at the half "tuning" only; the half "judging" says what
// the tuning is worth. Others are in reserve, and belong to neither: they say whether what holds on both holds elsewhere. Those with ranges that
// are too wide are apart: what finds scales was tuned on their like. What moves a function is drawn by the seed, so that nobody can tune to a place.
package tournament

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/sim"
)

// The two halves of the problems, both together, and the problems besides.
const (
	Tuning  = "tuning"
	Judging = "judging"
	Both    = "both"
	Reserve = "reserve"
	Wide    = "wide"
)

// Selections are what may be asked for.
var Selections = []string{Tuning, Judging, Both, Reserve, Wide}

// In reports whether the problem belongs to a selection.
func (p *Problem) In(selection string) bool { return within(p.Half, selection) }

// within reports whether problems of a half, or apart, belong to a selection.
func within(half, selection string) bool {
	return half == selection || selection == Both && (half == Tuning || half == Judging)
}

// Problem is a problem of the list.
type Problem struct {
	Name, Family, Half string
	Describe           string
	draw               func(p *Problem, seed uint64) (sim.Problem, error)
	worlds             *worlds
	place              int // in its half, which decides the usual conditions
}

// stream draws what the seed decides about the problem: it belongs to the name, so that the list may grow.
func (p *Problem) stream(seed uint64, index uint64) *rand.Rand {
	return rng.New(seed, rng.Name("tournament "+p.Name), index)
}

// Families returns the families of problems in the order of the list.
func Families(problems []*Problem) []string {
	var out []string
	for _, p := range problems {
		if !slices.Contains(out, p.Family) {
			out = append(out, p.Family)
		}
	}
	return out
}

// Cell is a problem under conditions.
type Cell struct {
	Problem   *Problem
	Condition Condition
	Budget    int // queries, initial ones included
}

// Name is what the cell is called in stores and tables: all that decides its runs but the policy and the seed.
func (c Cell) Name() string {
	return fmt.Sprintf("%s: %v, %d queries", c.Problem.Name, c.Condition, c.Budget)
}
