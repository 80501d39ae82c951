package policies

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// failing is a view of a line on which queries at 0, .1, … 1 have a value up to .6, the greater the further up, and fail above; those that
// failed stand at what is expected of them, which is more than all values.
func failing(t *testing.T) View {
	t.Helper()
	prior := surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{1}, Outputscale: 1}, Noise: 1e-6}
	var x []space.Unit
	var y []float64
	for k := range 11 {
		x, y = append(x, space.Unit{float64(k) / 10}), append(y, float64(k))
	}
	v := moment(t, line(t), prior, x, y, feedback.Hallucinate)
	for k, q := range v.Queries {
		if k <= 6 {
			v.History = append(v.History, Answer{Query: q, Value: y[k]})
		} else {
			v.Blamed = append(v.Blamed, q.Number)
		}
	}
	v.Incumbent, v.Best = x[6], v.Units.To(y[6])
	return v
}

// What failed for its point bounds the region, a quarter of the way from the next answer to it, and is nothing that a query must improve on.
func TestFailuresBoundTheRegion(t *testing.T) {
	plain := failing(t)
	v := plain.Avoiding()
	for _, c := range []struct {
		x      float64
		inside bool
	}{{0, true}, {.3, true}, {.6, true}, {.61, true}, {.64, false}, {.7, false}, {.85, false}, {1, false}} {
		chance := v.Region().Probability(space.Unit{c.x})
		if v.Region().Has(space.Unit{c.x}) != c.inside || (chance >= 0.5) != c.inside {
			t.Errorf("%v: inside %t, with a chance of %.2f", c.x, !c.inside, chance)
		}
	}
	if got, want := v.Target(), v.Units.To(6); math.Abs(got-want) > 1e-3 {
		t.Errorf("the value to improve on is %v, want %v", got, want)
	}
	if got := plain.Target(); math.Abs(got-v.Units.To(10)) > 1e-3 {
		t.Errorf("the greatest mean is %v: the failures are not those that look best", got)
	}
	for _, x := range v.Promising() {
		if x[0] > .6 {
			t.Errorf("a search looks around the failure %v", x)
		}
	}
	if e := v.constrained(v.improvement()); e.At == nil || !slices.ContainsFunc(e.At(space.Unit{.9}), func(f Figure) bool { return f.Name == expectedOutcome && f.Value < -.9 }) {
		t.Error("an explanation does not say how likely a failure is")
	}
}

// Policies that adapt query nothing beyond what failed, however much they expect there.
func TestPoliciesThatAdaptKeepAwayFromFailures(t *testing.T) {
	for _, p := range []Policy{Auto{}, MFMES{}} {
		v := failing(t)
		for v.Round = 30; v.Round < 36; v.Round++ {
			for _, proposal := range must.Get(Propose(p, v, 2, rng.New(1, rng.Test, uint64(v.Round))))(t) {
				if proposal.X[0] > .66 {
					t.Errorf("%s, round %d: %v", p.Traits().Name, v.Round, proposal.X)
				}
			}
		}
	}
}

// A value that is taken for a penalty is no answer, but a failure where it is blamed on its point.
func TestPenaltiesAreNoAnswers(t *testing.T) {
	want := failing(t).Avoiding()
	v := failing(t)
	for _, q := range v.Queries[7:] {
		v.History, v.Penalties = append(v.History, Answer{Query: q, Value: -1e6}), append(v.Penalties, q.Number)
	}
	got := v.Avoiding()
	if len(v.History) != 11 || len(got.History) != 7 {
		t.Errorf("%d answers of %d, want 7 of 11", len(got.History), len(v.History))
	}
	for k := range 21 {
		if x := (space.Unit{float64(k) / 20}); got.success.Mean(x) != want.success.Mean(x) {
			t.Errorf("at %v an outcome of %v is expected, without values %v", x, got.success.Mean(x), want.success.Mean(x))
		}
	}
	left := v.WithoutPending()
	if len(left.Penalties) != 4 || left.Penalties[0] != 8 {
		t.Errorf("without what pends the penalties are %v", left.Penalties)
	}
}

// Nobody keeps away where nothing failed for its point.
func TestWithoutFailuresThereIsNoRegion(t *testing.T) {
	v := failing(t)
	v.Blamed = nil
	if v = v.Avoiding(); v.bounded() || len(v.Region()) > 0 || v.feasible() != nil {
		t.Errorf("region %+v", v.Region())
	}
}

// However many failed, and however many values came, only the latest count, which bounds the cost.
func TestTheLatestOutcomesBoundTheRegion(t *testing.T) {
	v := failing(t)
	for range 3 * mostOutcomes {
		v.History = append(v.History, v.History[0])
		v.Blamed = append(v.Blamed, v.Blamed[0])
	}
	if v = v.Avoiding(); v.success.Len() != 2*mostOutcomes || v.Region().Has(v.Queries[v.Blamed[0]-1].X) || !v.Region().Has(space.Unit{0}) {
		t.Errorf("%d outcomes", v.success.Len())
	}
}

// The failures of a view keep their points when those that pend are taken out.
func TestFailuresAreRenumbered(t *testing.T) {
	v := failing(t)
	v.Pending, v.History = []int{2}, slices.Delete(v.History, 1, 2)
	w := v.WithoutPending()
	for k, number := range w.Blamed {
		if got, want := w.Queries[number-1].X[0], v.Queries[v.Blamed[k]-1].X[0]; got != want {
			t.Errorf("failure %d is at %v, want %v", number, got, want)
		}
	}
	if len(w.Blamed) != 4 || v.Blamed[0] != 8 {
		t.Errorf("%v of %v", w.Blamed, v.Blamed)
	}
}
