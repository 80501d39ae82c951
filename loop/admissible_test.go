package loop

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// within is a study that wants x + y to be great within a quarter of a circle, both with noise.
func within(t *testing.T, policy string, budget int, noise, marginNoise float64, stream *rand.Rand) *Loop {
	t.Helper()
	c := Config{
		Space: smallSpace(t, space.Float("x", 0, 1), space.Float("y", 0, 1)), Budget: budget,
		Constraints: []outcome.Constraint{outcome.AtMost("radius", 0.5)},
	}
	return toldOf(t, policy, c, func(x space.Point) outcome.Outcome {
		return outcome.Outcome{Value: x[0] + x[1] + noise*stream.NormFloat64(), Constraints: []float64{math.Hypot(x[0], x[1]) + marginNoise*stream.NormFloat64()}}
	})
}

// Under noise the best value came where a margin was lucky: what is recommended is expected to be feasible.
func TestUnderNoiseWhatIsRecommendedIsExpectedToBeFeasible(t *testing.T) {
	lucky := 0
	for i, policy := range []string{"auto", "log-ei", "gp-bucb"} {
		for _, noise := range []float64{0, 0.05} { // of the values
			l := within(t, policy, 40, noise, 0.05, rng.New(uint64(i), rng.Test, 3))
			r := l.Result()
			if r.Feasible == nil || r.Feasible.Probability < 0.5 {
				t.Errorf("%s with noise %v: %+v is recommended, feasible with %+v", policy, noise, r.Recommended, r.Feasible)
			}
			if best := must.Get(l.Feasible(r.Best.Point(l.config.Space)))(t); best.Probability < 0.5 {
				lucky++
			}
			x, _, err := l.Recommend(nil)
			if f := must.Get(l.Feasible(x))(t); err != nil || f.Probability < 0.499 {
				t.Errorf("%s with noise %v: %v is recommended, feasible with %v (%v)", policy, noise, x, f.Probability, err)
			}
		}
	}
	if lucky < 3 {
		t.Errorf("in %d of 6 studies the best value came where the constraint is expected to be violated", lucky)
	}
}

// Without noise a margin is what it is, at the very bound too, whatever the model makes of it.
func TestWithoutNoiseMarginsAreAsMeasured(t *testing.T) {
	for _, policy := range []string{"auto", "log-ei"} {
		l := within(t, policy, 40, 0, 0, rng.New(1, rng.Test, 4))
		if r := l.Result(); r.Recommended != r.Best {
			t.Errorf("%s: %+v is recommended, %+v is the best", policy, r.Recommended, r.Best)
		}
	}
}

// Where every value came at a point that is expected to be infeasible, the one that lacks least is recommended.
func TestWhereAllLackSomethingTheLeastLackingIsAdmissible(t *testing.T) {
	evaluations := make([]Evaluation, 3)
	for i := range evaluations {
		evaluations[i].Number, evaluations[i].Status = i+1, Observed
	}
	l := &Loop{}
	l.ledger.evaluations = evaluations
	for _, c := range []struct {
		lacks []float64
		want  [3]bool
	}{
		{nil, [3]bool{true, true, true}},
		{[]float64{0.3, 0, 0.1}, [3]bool{false, true, false}},
		{[]float64{0.3, 0.2, 0.1}, [3]bool{false, false, true}},
	} {
		a := l.lacking(c.lacks)
		for i := range evaluations {
			if got := a.may(&evaluations[i]); got != c.want[i] {
				t.Errorf("%v: %d is admissible: %v", c.lacks, i+1, got)
			}
		}
	}
	evaluations[2].Status = Infeasible
	if a := l.lacking([]float64{0.3, 0.2, 0.1}); !a.may(&evaluations[1]) || a.may(&evaluations[2]) || a.may(&evaluations[0]) {
		t.Errorf("%+v: what was measured to be infeasible counts", a)
	}
}
