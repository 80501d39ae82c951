package policies

import (
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// bounded is a view of a line with one constraint, whose margins at the queries are given.
func bounded(t *testing.T, x []space.Unit, y, margins []float64) View {
	t.Helper()
	prior := surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{.3}, Outputscale: 1}, Noise: 1e-6}
	v := moment(t, line(t), prior, x, y, feedback.Hallucinate)
	c := Constraint{Constraint: outcome.AtMost("c", 0), Belief: v.Belief}
	c.Posterior, c.Units = must.Get(prior.Condition(x, margins, nil))(t), feedback.Units{Scale: 1}
	v.Constraints = []Constraint{c}
	return v
}

func TestABoundThatWasJustMissedIsLiftedByTwiceWhatIsLacking(t *testing.T) {
	v := bounded(t, []space.Unit{{.1}, {.4}, {.41}}, []float64{0, 1, 1.1}, []float64{.5, .02, -.003})
	if got := v.lifted(v.Region(), space.Unit{.43}); got == nil || got[0].Least != 2*.003 {
		t.Errorf("%+v", got)
	}
	if v.Region()[0].Least != 0 {
		t.Error("the region of the view has changed")
	}
	if got := v.lifted(v.Region(), space.Unit{.2}); got != nil {
		t.Errorf("a feasible point lifts bounds: %+v", got)
	}
	if got := v.lifted(nil, space.Unit{.43}); got != nil {
		t.Errorf("where no region is asked for, bounds are lifted: %+v", got)
	}
}
