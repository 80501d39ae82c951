// Package figures draws what a study has found: the values as they came, the values over each parameter, and how long the
// answers took.
//
//	picture, err := figures.Incumbent(study)
//	err = picture.WritePNG(file) // or WriteSVG
//
// The figures are functions of their data: the same study gives the same picture. They can be drawn of any study: one
// without a value, one whose values are all the same or as large as numbers get, one of a hundred thousand evaluations.
package figures

import (
	"cmp"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// Study is what the figures show.
type Study struct {
	Name        string // begins every title
	Note        string // below it
	Policy      string // with its options: it decides the color
	Space       space.Space
	Minimize    bool
	BudgetCost  float64           // what all evaluations may cost together; 0: no limit
	Evaluations []loop.Evaluation // by number
	Best        int               // number of an evaluation with a value; 0 for none
	Recommended int               // the same
	Now         time.Duration     // since the study started: what the ages of the pending evaluations are measured to
}

// Delay returns how long an evaluation took from its first dispatch to its outcome, retries included; false while it has no
// outcome, and where it was never dispatched.
func Delay(e loop.Evaluation) (time.Duration, bool) {
	if e.Status == loop.Pending || e.Attempt == 0 {
		return 0, false
	}
	return e.Ended - e.Dispatched, true
}

// Age returns how long a pending evaluation has been under way; false for one that is not.
func (s Study) Age(e loop.Evaluation) (time.Duration, bool) {
	if e.Status != loop.Pending || e.Attempt == 0 {
		return 0, false
	}
	return max(s.Now-e.Dispatched, 0), true
}

// arrived returns the evaluations that came to something, in the order in which they did.
func (s Study) arrived() []loop.Evaluation {
	var out []loop.Evaluation
	for _, e := range s.Evaluations {
		if _, drawn := fateOf(e); drawn {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b loop.Evaluation) int { return cmp.Compare(a.Ended, b.Ended) })
	return out
}

// sense says which values are good.
func (s Study) sense() outcome.Sense { return outcome.Sense(s.Minimize) }
