package loop

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// How many pairs of equal values it takes to be certain that values have no noise depends on how likely equal values are without that.
func TestEqualValuesAtOnePointAreCountedByHowLikelyTheyAre(t *testing.T) {
	sixths := func(k int) float64 { return float64(k%6) / 6 }
	for name, c := range map[string]struct {
		value  func(k int) float64 // at points 0 to 11, and none at 12
		at     int                 // the point that is measured again
		wanted int                 // pairs; -1: more than there are
	}{
		"of any digits":                    {func(k int) float64 { return math.Exp(float64(k)) }, 3, 1},
		"of any digits, and 0":             {func(k int) float64 { return math.Sqrt(float64(k)) }, 0, 1},
		"in steps small beside any noise":  {func(k int) float64 { return 1000 * float64(k) }, 3, 3},
		"of nine digits":                   {func(k int) float64 { return 123.456789 * float64(k) }, 3, 1},
		"whole numbers, all different":     {func(k int) float64 { return float64(k) }, 3, 3},
		"clicks":                           {func(k int) float64 { return float64(k % 2) }, 3, 33},
		"rare clicks":                      {func(k int) float64 { return float64(bit(k == 3)) }, 3, 33},
		"no click":                         {func(k int) float64 { return float64(bit(k == 3)) }, 4, -1},
		"shares of six, in all the digits": {sixths, 3, 3},
		"all the same":                     {func(int) float64 { return math.Pi }, 3, -1},
	} {
		d := drive(t, Config{Space: must.Get(space.New(space.Int("x", 0, 12)))(t), Budget: 100, Initial: 1, Traits: policies.Traits{Name: "story"}})
		for k := range 12 {
			d.step(0, ObservationArrived{X: []float64{float64(k)}, Value: c.value(k)})
		}
		pairs := 0
		for ; pairs < 40 && !d.l.agrees(); pairs++ {
			d.step(0, ObservationArrived{X: []float64{float64(c.at)}, Value: c.value(c.at)})
		}
		if c.wanted >= 0 && pairs != c.wanted || c.wanted < 0 && pairs < 40 {
			t.Errorf("%s: %d pairs, want %d", name, pairs, c.wanted)
		}
		d.step(0, ObservationArrived{X: []float64{5}, Value: c.value(5) + 1})
		if d.l.agrees() {
			t.Errorf("%s: values that differ agree", name)
		}
	}
}

// Clicks, ratings and numbers without decimals are often the same twice under any noise: a study of few points goes on until its budget is spent.
func TestAStudyWhoseNoisyValuesAreToldInStepsGoesOn(t *testing.T) {
	where := must.Get(space.New(space.Int("a", 1, 4), space.Categorical("b", "u", "v", "w")))(t)
	banners := must.Get(space.New(space.Categorical("banner", "a", "b", "c", "d", "e", "f")))(t)
	early := map[string]int{}
	for seed := range uint64(12) {
		stream := rng.New(seed, rng.Test, 3)
		rating := func(x space.Point) float64 {
			return min(max(math.Round(4.2-math.Pow(x[0]-3, 2)/2-0.3*x[1]+0.8*stream.NormFloat64()), 1), 5)
		}
		click := func(x space.Point) float64 { return float64(bit(stream.Float64() < 0.1+0.1*x[0])) }
		early["ratings"] += bit(len(toldIn(t, "auto", where, 40, false, rating).Evaluations()) < 40)
		early["clicks"] += bit(len(toldIn(t, "auto", banners, 40, false, click).Evaluations()) < 40)
	}
	for what, n := range early {
		if n > 0 {
			t.Errorf("%d of 12 studies of %s ended early", n, what)
		}
	}
}

// A penalty that is the same whenever a point is asked says nothing of the noise of values.
func TestPenaltiesThatAreAlikeSayNothingOfNoise(t *testing.T) {
	stream := rng.New(2, rng.Test, 9)
	answer := func(x space.Point) float64 {
		if math.Abs(x[0]-0.3) > 0.15 {
			return -1e6 * (1 + x[0] + x[1])
		}
		return -(x[1]-0.6)*(x[1]-0.6) + 0.2*stream.NormFloat64()
	}
	l := told(t, "auto", 2, 40, false, answer)
	var penalties []int
	for i := range l.ledger.evaluations {
		if l.penalized(&l.ledger.evaluations[i]) {
			penalties = append(penalties, i+1)
		}
	}
	if len(penalties) < 3 || l.agrees() {
		t.Fatalf("penalties %v; values agree: %v", penalties, l.agrees())
	}
	for _, number := range penalties[:3] {
		e := l.ledger.get(number)
		if _, err := l.Step(Stamped{Seq: l.seq + 1, Event: ObservationArrived{X: l.config.Space.Value(e.X), Value: e.Value}}); err != nil {
			t.Fatal(err)
		}
	}
	if len(l.ledger.agreed) < 3 || l.agrees() {
		t.Errorf("%d pairs of penalties; values agree: %v", len(l.ledger.agreed), l.agrees())
	}
}
