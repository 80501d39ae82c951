package policytest

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/safety"
	"github.com/tarry-bo/tarry/space"
)

// margins of two constraints at a point of the unit cube; raised makes fewer points feasible.
type margins struct{ raised float64 }

func (m margins) at(x space.Unit) []float64 {
	return []float64{x[0] - 0.2 - m.raised, math.Cos(3*x[len(x)-1]) + 0.8 - m.raised}
}

func (m margins) feasible(x space.Unit) bool {
	for _, v := range m.at(x) {
		if v < 0 {
			return false
		}
	}
	return true
}

// constrainedSituations are moments of studies that name constraints. Seeds are points that are feasible.
func constrainedSituations(t *testing.T) []situation {
	t.Helper()
	box := must.Get(space.New(space.Float("a", 0, 1), space.Float("b", 0, 1)))(t)
	grid := make([]space.Point, 30)
	for i := range grid {
		grid[i] = []float64{float64(i) / 29}
	}
	list := must.Get(space.List(grid, space.Float("x", 0, 1)))(t)
	mixed := must.Get(space.New(space.LogFloat("rate", 1e-6, 1), space.Int("layers", 1, 9), space.Categorical("kind", "a", "b", "c")))(t)
	out := []situation{
		scattered("constraints", box, 12, 9), scattered("constraints in a list", list, 12, 8), scattered("constraints and mixed parameters", mixed, 12, 9),
		scattered("constraints, all pending", box, 5, 0), scattered("constraints, nothing feasible", box, 9, 7),
	}
	for i := range out {
		out[i].margins = &margins{}
	}
	out[len(out)-1].margins.raised = 5
	return out
}

// constrain adds what a study that names constraints shows besides.
func (s situation) constrain(t *testing.T, v *policies.View, traits policies.Traits) {
	t.Helper()
	how := feedback.Hallucinate
	if traits.Pending == feedback.Ignore {
		how = feedback.Ignore
	}
	for k, c := range []outcome.Constraint{outcome.AtLeast("first", 0.2), outcome.AtMost("second", 3)} {
		b := buffer.Buffer{}
		for i, x := range s.x {
			b.Open(i+1, i+1, 0)
			if !math.IsNaN(s.y[i]) {
				b.Reveal(i+1, s.margins.at(x)[k], i+2, 0)
			}
		}
		belief := s.belief(t, v, &b, model.Want{Output: model.Constraint(k), Pending: how}, traits)
		v.Constraints = append(v.Constraints, policies.Constraint{Constraint: c, Belief: belief})
	}
	v.Best, v.Incumbent = math.Inf(-1), nil
	for i, a := range v.History {
		v.History[i].Infeasible = !s.margins.feasible(a.Query.X)
		if u := v.Units.To(a.Value); s.margins.feasible(a.Query.X) && u > v.Best {
			v.Best, v.Incumbent = u, a.Query.X
		}
	}
	if traits.Safety.Seeds {
		promise := safety.Promise{Alpha: 0.5, Queries: 40, Eta: 0.01}
		v.Caution = policies.Caution{Seeds: []space.Unit{s.space.Snap(s.x[0]), s.space.Snap(s.x[1])}, Promise: &promise}
		for i, x := range s.x {
			switch {
			case v.Caution.IsSeed(x):
				v.Caution.Account.StartSafe()
			case math.IsNaN(s.y[i]):
				v.Caution.Account.Start()
			default:
				v.Caution.Account.Start()
				v.Caution.Account.Answer(!s.margins.feasible(x))
			}
		}
	}
}
