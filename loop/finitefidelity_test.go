package loop

import (
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// A finite space with a fidelity is at its end when every point has a value at the target, once it is certain that there is no noise:
// not before, whatever was queried at lower fidelities, and a policy that insists on one of those is led to the target.
func TestAFiniteSpaceWithAFidelityEndsWhenTheTargetIsKnown(t *testing.T) {
	epochs := space.Ordered("epochs", 1, 9).AsFidelity(1, 9)
	for name, where := range map[string]space.Space{
		"grid": must.Get(space.New(space.Int("x", 1, 3), epochs))(t),
		"list": must.Get(space.List([]space.Point{{1}, {2}, {3}}, space.Float("x", 0, 4), epochs))(t),
	} {
		for _, chooses := range []bool{false, true} {
			for _, noise := range []float64{0, 0.25} {
				point := where.Snap(space.Unit{0.5, 0.25})
				c := Config{Space: where, Budget: 20, Initial: 1, Traits: policies.Traits{Name: "stubborn", Fidelities: chooses}}
				s := &stubborn{driver: drive(t, c), point: point}
				s.step(0, WorkerJoined{Worker: 1, Slots: 20})
				for k := 0; !s.l.Finished() && k < 20; k++ {
					for _, e := range s.l.Evaluations() {
						if e.Status == Pending {
							s.tell(e, e.X[0]+noise*float64(k))
						}
					}
					if !s.l.Finished() {
						s.next()
					}
				}
				r := s.l.Result()
				target := map[float64]bool{}
				for _, e := range r.Evaluations {
					if !e.Below {
						target[e.X[0]] = true
					}
				}
				most, why := 4, ReasonPoints // the three points at the target, and one again
				if chooses {
					most = 7
				}
				if noise > 0 {
					most, why = 20, ReasonBudget
				}
				if r.Reason != why || len(r.Evaluations) > most || noise == 0 && len(target) != 3 {
					t.Errorf("%s, chooses %v, noise %v: %d evaluations, %d points at the target, ended: %q", name, chooses, noise, len(r.Evaluations), len(target), r.Reason)
				}
			}
		}
	}
}
