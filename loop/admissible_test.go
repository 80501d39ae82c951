package loop

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
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

// margins is a posterior of margins on a line, without noise: those of the first rows belong to the queries with these numbers.
func margins(t *testing.T, numbers []int, values ...float64) noisyMargin {
	t.Helper()
	prior := must.Get(surrogate.DefaultPrior("matern52", 1))(t)
	prior.Noise = 1e-8
	x := make([]space.Unit, len(values))
	for i := range x {
		x[i] = line(numbers[i])
	}
	b := model.Belief{Posterior: must.Get(prior.ConditionKnown(x, values, nil, nil))(t), Rows: numbers}
	return noisyMargin{b, meansOf(b), 0}
}

// A margin without noise is what it is; with noise the model decides, and where that is little only where it contradicts what was measured.
func TestTheLessNoiseAMarginHasTheMoreMustSpeakAgainstIt(t *testing.T) {
	for _, c := range []struct {
		adapts      bool
		noise, want float64
	}{{true, 1e-5, math.Inf(1)}, {false, 1e-5, math.Inf(1)}, {true, 1e-2, 0}, {false, 1e-2, 0}, {false, 1e-4, 0.04}} {
		prior := must.Get(surrogate.DefaultPrior("matern52", 1))(t)
		prior.Noise = c.noise
		l := &Loop{}
		l.config.Traits.Adapts = c.adapts
		o := model.Outlook{Belief: model.Belief{Posterior: must.Get(prior.ConditionKnown([]space.Unit{{0.5}}, []float64{1}, nil, nil))(t)}}
		if got := l.slack(o); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// line is where the query of a number lies.
func line(number int) space.Unit { return space.Unit{float64(number) / 8} }

// What a query lacks is told by its row, and where it has none by the point.
func TestWhatAQueryLacksIsExpectedAlsoWithoutARow(t *testing.T) {
	m := margins(t, []int{5, 2, 1}, 0.5, -0.4, -0.3)
	a := admissible{noisy: []noisyMargin{m, margins(t, []int{1, 2}, 1, -0.1)}}
	for number, want := range []float64{1: 0.3, 2: 0.4, 3: -m.Posterior.Mean(line(3)), 5: 0} {
		if number == 0 || number == 4 {
			continue
		}
		want = max(want, 0, -a.noisy[1].Posterior.Mean(line(number)))
		if got := a.lack(number, line(number)); math.Abs(got-want) > 1e-6 {
			t.Errorf("query %d lacks %v, want %v", number, got, want)
		}
	}
}

// Where every value came at a point that is expected to be infeasible, the one that lacks least is recommended. What was measured to be infeasible never is.
func TestWhereAllLackSomethingTheLeastLackingIsAdmissible(t *testing.T) {
	for _, c := range []struct {
		margins    []float64
		infeasible int // 0: none
		want       [3]bool
	}{
		{[]float64{-0.3, 0.1, -0.1}, 0, [3]bool{false, true, false}},
		{[]float64{-0.3, -0.2, -0.1}, 0, [3]bool{false, false, true}},
		{[]float64{-0.3, -0.2, -0.1}, 3, [3]bool{false, true, false}},
		{[]float64{-0.3, 0.2, 0.1}, 2, [3]bool{false, false, true}},
	} {
		l := &Loop{}
		for number := 1; number <= 3; number++ {
			e := Evaluation{Query: policies.Query{Number: number, X: line(number)}, Status: Observed}
			if number == c.infeasible {
				e.Status = Infeasible
			}
			l.ledger.evaluations = append(l.ledger.evaluations, e)
		}
		a := l.orLeastLacking(admissible{noisy: []noisyMargin{margins(t, []int{1, 2, 3}, c.margins...)}})
		for i := range c.want {
			if got := a.may(&l.ledger.evaluations[i]); got != c.want[i] {
				t.Errorf("%+v: %d is admissible: %v", c, i+1, got)
			}
		}
	}
}
