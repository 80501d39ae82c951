package policies_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/bandit"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// played is a view of a study over three points in a row after some plays: point, value and the probability with which it was drawn.
func played(t testing.TB, plays ...[3]float64) policies.View {
	t.Helper()
	s := must.Get(space.List([]space.Point{{0}, {1}, {2}}, space.Float("x", 0, 2)))(t)
	v := policies.View{Round: len(plays) + 1, Space: s, Funds: math.Inf(1)}
	for i, p := range plays {
		q := policies.Query{Number: i + 1, Round: i + 1, X: space.Unit{p[0] / 2}, Probability: p[2]}
		v.Queries = append(v.Queries, q)
		v.History = append(v.History, policies.Answer{Query: q, Seen: i + 2, Value: p[1]})
	}
	return v
}

// chances are the probabilities of the three points.
func chances(t testing.TB, spec string, v policies.View) (p [3]float64) {
	t.Helper()
	e := must.Get(policies.Explain(must.Get(policies.Parse(spec))(t), v, nil))(t)
	for i := range p {
		p[i] = e.At(space.Unit{float64(i) / 2})[0].Value
	}
	return p
}

func near(t testing.TB, what string, got [3]float64, want ...float64) {
	t.Helper()
	for i := range got {
		must.Near(t, fmt.Sprintf("%s: point %d", what, i), got[i], want[i], 1e-10)
	}
}

// Four plays whose probabilities were worked by hand (bandit.TestFourPlaysGiveTheScoresWorkedByHand), in units in which
// the kernel between neighbors is exp(-1/2).
func TestABanditDrawsWithTheProbabilitiesWorkedByHand(t *testing.T) {
	plays := [][3]float64{{0, 0.9, 1. / 3}, {2, 0.5, 0.21470856216}, {2, 0.5, 0.30778310488}, {1, 0.2, 0.34802125118}}
	want := []float64{0.2594584222, 0.3664101947, 0.3741313830}
	const spec = "exp3:bandwidth=0.5:eta=0.5:best=1"
	near(t, "four plays", chances(t, spec, played(t, plays...)), want...)
	backwards := slices.Clone(plays)
	slices.Reverse(backwards)
	near(t, "answers that came the other way around", chances(t, spec, played(t, backwards...)), want...)
	for i, p := range plays { // of a value 1 - v that is minimized the policy sees the negative
		plays[i][1] = p[1] - 1
	}
	near(t, "minimizing", chances(t, "exp3:bandwidth=0.5:eta=0.5:worst=1", played(t, plays...)), want...)
	near(t, "nothing has come", chances(t, "exp3", played(t)), 1./3, 1./3, 1./3)
}

func TestWhatABanditDidNotDrawEarnsNothing(t *testing.T) {
	plays := [][3]float64{{0, 0.2, 0.5}, {2, 0.9, 0.25}}
	want := chances(t, "exp3:best=1", played(t, plays...))
	more := played(t, append(plays, [3]float64{1, 0.7, 0}, [3]float64{1, 0.7, math.NaN()}, [3]float64{1, 0.7, 1e-300}, [3]float64{1, 0.7, 0.5}, [3]float64{1, 0.7, 0.5})...)
	more.History[5].Infeasible, more.History[6].Below = true, true
	near(t, "with others", chances(t, "exp3:best=1", more), want[:]...)
	if want[2] <= want[0] {
		t.Errorf("probabilities %v, want the greatest for the greatest value", want)
	}
}

func TestWithoutAKnownScaleTheWorstSoFarEarnsNothing(t *testing.T) {
	plays := [][3]float64{{0, 120, 0.5}, {1, 100, 0.3}, {2, 110, 0.25}}
	scaled := [][3]float64{{0, 1, 0.5}, {1, 0, 0.3}, {2, 0.5, 0.25}}
	want := chances(t, "exp3:best=1", played(t, scaled...))
	near(t, "from the worst to the best so far", chances(t, "exp3", played(t, plays...)), want[:]...)
	beyond := [][3]float64{{0, 7, 0.5}, {1, -9, 0.3}, {2, 0.5, 0.25}}
	near(t, "values beyond the scale", chances(t, "exp3:best=1", played(t, beyond...)), want[:]...)
	same := played(t, [3]float64{0, 5, 0.1}, [3]float64{1, 5, 0.2})
	near(t, "values that are all the same", chances(t, "exp3", same), 1./3, 1./3, 1./3)
	huge := played(t, [3]float64{0, math.MaxFloat64, 0.5}, [3]float64{1, -math.MaxFloat64, 0.3}, [3]float64{2, 0, 0.25})
	near(t, "huge values", chances(t, "exp3", huge), want[:]...)
}

func TestABanditSaysWithWhatProbabilityItDrew(t *testing.T) {
	v := played(t, [3]float64{0, 1, 0.5}, [3]float64{1, 0, 0.3})
	want := chances(t, "exp3:eta=3", v)
	policy := must.Get(policies.Parse("exp3:eta=3"))(t)
	for seed := range uint64(20) {
		got := must.Get(policy.Propose(v, 3, rng.New(seed, rng.Test, 0)))(t)
		left := 1.0
		for k, p := range got {
			i := int(2 * p.X[0])
			if k < 2 {
				must.Near(t, "probability of the draw", p.Probability, want[i]/left, 1e-12)
			} else if p.Probability < 1-1e-12 || p.Probability > 1 {
				t.Errorf("the only point that is left was drawn with probability %v", p.Probability)
			}
			left -= want[i]
		}
	}
}

func TestABanditRefusesWhatItCannotPlay(t *testing.T) {
	policy := must.Get(policies.Parse("exp3"))(t)
	for what, s := range map[string]space.Space{
		"real numbers":    must.Get(space.New(space.Float("x", 0, 1)))(t),
		"too many points": must.Get(space.New(space.Int("i", 1, 101), space.Int("j", 1, 100)))(t),
		"a context":       must.Get(space.New(space.Int("i", 1, 9), space.Int("day", 1, 7).AsContext()))(t),
	} {
		v := policies.View{Round: 1, Space: s, Context: make(space.Unit, len(s.Contexts()))}
		if _, err := policy.Propose(v, 1, rng.New(1, rng.Test, 0)); !errors.Is(err, policies.ErrUnsupported) {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

func TestAPointThatIsListedTwiceIsOneArm(t *testing.T) {
	s := must.Get(space.List([]space.Point{{0}, {1}, {0}, {2}}, space.Float("x", 0, 2)))(t)
	if p := chances(t, "exp3", policies.View{Round: 1, Space: s}); p != [3]float64{1. / 3, 1. / 3, 1. / 3} {
		t.Errorf("probabilities %v", p)
	}
}

func TestABanditThatWasTaughtHasTheKernelOfTheNetwork(t *testing.T) {
	v := played(t, [3]float64{0, 0.9, 0.5}, [3]float64{2, 0.4, 0.25}, [3]float64{2, 0.2, 0.5})
	near(t, "nothing was taught", chances(t, "meta-mab:best=1", v), func() []float64 { p := chances(t, "exp3:best=1", v); return p[:] }()...)
	k := bandit.Knowledge{Space: v.Space, Explore: 0.1, Eta: 0.7, Scale: 2, Layers: []int{1}, Weights: []float64{1.5, -0.3}}
	v.Taught = &k
	feature := func(x float64) float64 { return math.Tanh(1.5*x - 0.3) }
	score, want := make([]float64, 3), make([]float64, 3)
	for i := range score {
		x := float64(i) / 2
		for _, e := range []struct{ x, earned float64 }{{0, 0.9 / 0.5}, {1, 0.4/0.25 + 0.2/0.5}} {
			d := 2 * (feature(x) - feature(e.x))
			score[i] += 0.7 * e.earned * math.Exp(-d*d/2)
		}
	}
	bandit.Probabilities(want, score, 0.1)
	near(t, "taught", chances(t, "meta-mab:best=1", v), want...)
}

func BenchmarkBanditOf912PointsAfter500Answers(b *testing.B) {
	s := must.Get(space.New(space.Int("i", 1, 114), space.Int("j", 1, 8)))(b)
	v, stream := policies.View{Round: 501, Space: s, Funds: math.Inf(1)}, rng.New(1, rng.Test, 0)
	for i := range 500 {
		q := policies.Query{Number: i + 1, Round: i + 1, X: s.Random(stream), Probability: 1. / 912}
		v.Queries = append(v.Queries, q)
		v.History = append(v.History, policies.Answer{Query: q, Seen: i + 2, Value: stream.Float64()})
	}
	policy := must.Get(policies.Parse("exp3"))(b)
	for b.Loop() {
		if _, err := policy.Propose(v, 1, stream); err != nil {
			b.Fatal(err)
		}
	}
}

// A query that was lost is asked again without a draw: what comes of it, or of its repeat, is earned with the probability of the draw, and once.
func TestWhatRepeatsALostQueryIsEarnedOnceAndWithItsDraw(t *testing.T) {
	plays := [][3]float64{{0, 0.9, 1. / 3}, {2, 0.5, 0.2}, {1, 0.2, 0.5}}
	for _, spec := range []string{"exp3:bandwidth=0.5:eta=0.5:best=1", "meta-mab:best=1"} {
		want := chances(t, spec, played(t, plays...))
		v := played(t, append(plays, [3]float64{2, 0.5, 0})...)
		v.History[3].AgainOf = 2
		both := v
		near(t, spec+": both answered", chances(t, spec, both), want[:]...)
		v.History = slices.Delete(slices.Clone(v.History), 1, 2)
		near(t, spec+": the repeat answered", chances(t, spec, v), want[:]...)
		v.History[2].AgainOf = 0
		if got := chances(t, spec, v); got == want {
			t.Errorf("%s: what the policy did not draw earns as much: %v", spec, got)
		}
	}
}
