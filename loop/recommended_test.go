package loop

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// told is a study of some dimensions that was told values of its own design and then of what a policy chose.
func told(t *testing.T, policy string, dim, budget int, minimize bool, value func(x space.Point) float64) *Loop {
	t.Helper()
	var parameters []space.Parameter
	for j := range dim {
		parameters = append(parameters, space.Float(string(rune('a'+j)), 0, 1))
	}
	return toldIn(t, policy, smallSpace(t, parameters...), budget, minimize, value)
}

// toldIn is told in any space.
func toldIn(t *testing.T, policy string, where space.Space, budget int, minimize bool, value func(x space.Point) float64) *Loop {
	t.Helper()
	return toldOf(t, policy, Config{Space: where, Budget: budget, Minimize: minimize}, func(x space.Point) outcome.Outcome { return outcome.Of(value(x)) })
}

// toldOf is told of any outcomes.
func toldOf(t *testing.T, policy string, c Config, answer func(x space.Point) outcome.Outcome) *Loop {
	t.Helper()
	p := named(t, policy)
	c.Seed, c.Traits = 6, p.Traits()
	d := drive(t, c)
	d.step(0, WorkerJoined{1, 1})
	for !d.l.Finished() {
		var event Event
		for _, effect := range d.l.Outstanding() {
			switch effect := effect.(type) {
			case Ask:
				event = Propose(effect, d.l.View(), p, 3)
			case Fit:
				event = effect.Run()
			case Dispatch:
				event = FeedbackArrived{Evaluation: effect.Evaluation, Attempt: effect.Attempt, Outcome: answer(effect.X)}
			}
		}
		d.step(0, event)
	}
	return d.l
}

// steep spans ten orders of magnitude, and has a kink, which one study of twelve takes for a little noise.
func steep(x space.Point) float64 {
	return math.Exp(-20 * math.Abs(x[0]-0.3) * (1 + x[1]))
}

// Without noise nothing is better than the best value that came, whatever a model makes of the values, and in either sense.
func TestWithoutNoiseTheBestThatCameIsRecommended(t *testing.T) {
	for i, policy := range []string{"log-ei", "gp-bucb", "auto", "asy-ts", "ucb-sdf"} {
		for _, minimize := range []bool{false, true} {
			if raced && minimize == (i%2 == 0) {
				continue
			}
			sign := outcome.Sense(minimize).Sign()
			l := told(t, policy, 2, 50, minimize, func(x space.Point) float64 { return sign * steep(x) })
			r := l.Result()
			if !l.noiseless(l.noise()) {
				t.Errorf("%s: noise of variance %v", policy, l.model.Noise(0))
				continue
			}
			if r.Recommended != r.Best || r.Expected == nil {
				t.Errorf("%s, minimize %v: %+v is recommended, with %+v, and %+v is the best", policy, minimize, r.Recommended, r.Expected, r.Best)
			}
			x, p, err := l.Recommend(nil)
			if err != nil || sign*p.Mean < sign*r.Best.Value && l.config.Space.Format(x) != l.config.Space.Format(l.config.Space.Value(r.Best.X)) {
				t.Errorf("%s: %v with %+v is recommended, %v came (%v)", policy, x, p, r.Best.Value, err)
			}
		}
	}
}

// A function that is rough everywhere is noise to the model, but two values at one point tell, and the best is the best.
func TestOfARoughFunctionTheBestThatCameIsRecommended(t *testing.T) {
	l := told(t, "auto", 2, 56, true, func(x space.Point) float64 {
		a, b := x[0]-0.37, x[1]-0.61
		return a*a + b*b + 0.03*math.Sin(300*(a+b)) + 0.03*math.Sin(211*a-97*b)
	})
	r := l.Result()
	if noise := l.model.Noise(0); noise < doubtfulNoise || len(l.ledger.agreed) == 0 || l.ledger.differ {
		t.Errorf("noise of variance %v is learned; some point was queried again: %v", noise, l.ledger.agreed)
	}
	if r.Recommended.Value != r.Best.Value {
		t.Errorf("%+v is recommended, and %+v is the best", r.Recommended, r.Best)
	}
}

// Under noise the best value is partly luck, and the model decides.
func TestUnderNoiseTheModelDecidesWhatIsRecommended(t *testing.T) {
	found, another := 0, 0
	for seed := range uint64(8) {
		stream := rng.New(seed, rng.Test, 1)
		l := told(t, "log-ei", 1, 40, false, func(x space.Point) float64 { return -(x[0]-0.4)*(x[0]-0.4) + 0.3*stream.NormFloat64() })
		r := l.Result()
		if l.noiseless(l.noise()) {
			continue // the fit takes the noise for a function that varies fast
		}
		found++
		o, err := l.believe()
		if err != nil {
			t.Fatal(err)
		}
		if number, _ := l.mostExpected(o, admissible{}); number != r.Recommended.Number {
			t.Errorf("%d is recommended, the model expects most of %d", r.Recommended.Number, number)
		}
		if r.Recommended != r.Best {
			another++
		}
	}
	if found < 5 || another < 2 {
		t.Errorf("noise is found in %d of 8 studies, and in %d of them something else than the best is recommended", found, another)
	}
}

// Noise of 2 % is little, and the mean knows better all the same.
func TestUnderLittleNoiseTheModelDecidesToo(t *testing.T) {
	found, luck, regret := 0, 0.0, 0.0
	loss := func(x space.Point) float64 { return (x[0]-0.4)*(x[0]-0.4) + 0.3*(x[1]-0.7)*(x[1]-0.7) }
	for seed := range uint64(6) {
		stream := rng.New(seed, rng.Test, 2)
		l := told(t, "auto", 2, 30, true, func(x space.Point) float64 { return loss(x) + 2e-3*stream.NormFloat64() })
		if noise := l.model.Noise(0); l.noiseless(l.noise()) || noise > doubtfulNoise {
			t.Logf("noise of variance %v is learned", noise)
			continue
		}
		found++
		r := l.Result()
		if number, _ := l.mostExpected(must.Get(l.believe())(t), admissible{}); number != r.Recommended.Number {
			t.Errorf("seed %d: %d is recommended, the model expects most of %d", seed, r.Recommended.Number, number)
		}
		x, _, err := l.Recommend(nil)
		if err != nil || loss(x) > 2e-3 {
			t.Errorf("seed %d: %v is recommended (%v)", seed, x, err)
		}
		luck, regret = luck+loss(l.config.Space.Value(r.Best.X)), regret+loss(l.config.Space.Value(r.Recommended.X))
	}
	if found < 3 || regret >= luck {
		t.Errorf("in %d of 6 studies there is little noise; the best values leave %v, what is recommended %v", found, luck, regret)
	}
}

// A best value that contradicts the model is an error, and no narrow peak, where it is one of several that do.
func TestAGrossErrorIsNotTakenForTheBest(t *testing.T) {
	for _, minimize := range []bool{false, true} {
		stream, sign := rng.New(1, rng.Test, 2), outcome.Sense(minimize).Sign()
		l := told(t, "auto", 2, 30, minimize, func(x space.Point) float64 {
			return -sign*((x[0]-0.4)*(x[0]-0.4)+0.3*(x[1]-0.7)*(x[1]-0.7)) + 2e-3*stream.NormFloat64()
		})
		o, best := must.Get(l.believe())(t), l.Best()
		best.Value += sign * 5 // in the ledger
		others := slices.DeleteFunc(slices.Clone(o.Belief.Rows), func(number int) bool { return number == best.Number })
		for _, c := range []struct {
			outliers []int
			taken    bool
		}{{nil, true}, {[]int{best.Number}, true}, {append(others[:2:2], best.Number), false}, {others[:3], true}} {
			o.Belief.Outliers = c.outliers
			if taken := l.takenForBest(o, best); taken != c.taken {
				t.Errorf("minimize %v: the best is #%d, the outliers are %v, and whether it is taken for the best is %v", minimize, best.Number, c.outliers, taken)
			}
		}
	}
}

// A value that is far better than the little noise explains was no luck, nor is one that came twice, unless two values at one point differed.
func TestABestValueThatContradictsTheModelIsTakenForTheBest(t *testing.T) {
	for _, minimize := range []bool{false, true} {
		stream, sign := rng.New(1, rng.Test, 2), outcome.Sense(minimize).Sign()
		l := told(t, "auto", 2, 30, minimize, func(x space.Point) float64 {
			return -sign*((x[0]-0.4)*(x[0]-0.4)+0.3*(x[1]-0.7)*(x[1]-0.7)) + 2e-3*stream.NormFloat64()
		})
		if l.noiseless(l.noise()) || !l.noiseBelow(doubtfulNoise, l.noise()) {
			t.Fatalf("noise of variance %v", l.model.Noise(0))
		}
		o, best := must.Get(l.believe())(t), *l.Best()
		if worth := o.NoiseWorth(); worth < believedNoise {
			t.Errorf("noise is worth %v nats", worth)
		}
		b := o.Belief
		mean, _ := b.Posterior.Predict(best.X)
		for _, deviations := range []float64{-9, 3.9, 4.1} {
			best.Value = sign * b.Units.From(mean+deviations*math.Sqrt(b.Posterior.Noise()))
			if taken := l.takenForBest(o, &best); taken != (deviations > contradicting) {
				t.Errorf("minimize %v, %v standard deviations better: taken %v", minimize, deviations, taken)
			}
		}
		best.Value = l.Best().Value
		second := slices.IndexFunc(l.ledger.evaluations, func(e Evaluation) bool { return e.Number != best.Number })
		was := l.ledger.evaluations[second].Value
		if l.ledger.evaluations[second].Value = best.Value; !l.takenForBest(o, &best) {
			t.Error("two good values are the same, and the best is taken for luck")
		}
		l.ledger.evaluations[second].Value = was
		if l.takenForBest(o, &best) {
			t.Error("no two values are the same")
		}
		best.Value = sign * b.Units.From(mean+4.1*math.Sqrt(b.Posterior.Noise()))
		if l.ledger.differ = true; l.takenForBest(o, &best) {
			t.Error("there is noise for sure, and the best value is no luck")
		}
	}
}

// Good values that are the same at several points are levels of a function, and what looks like noise are its steps.
func TestEqualGoodValuesAreNoLuck(t *testing.T) {
	steps := func(x space.Point) float64 {
		return math.Floor(12*math.Exp(-4*(x[0]-0.4)*(x[0]-0.4)-(x[1]-0.7)*(x[1]-0.7))) / 12
	}
	l := told(t, "auto", 2, 30, false, steps)
	if r := l.Result(); !l.ties() || r.Recommended != r.Best {
		t.Errorf("ties %v: %v is recommended, %v the best", l.ties(), r.Recommended, r.Best)
	}
	stream := rng.New(1, rng.Test, 2)
	if l := told(t, "auto", 2, 30, false, func(x space.Point) float64 { return math.Max(0, steps(x)-0.5) + 1e-3*stream.Float64() }); l.ties() {
		t.Error("no two values are the same")
	}
	poor := told(t, "auto", 2, 30, false, func(x space.Point) float64 {
		if x[0] < 0.3 {
			return -9 // cut off
		}
		return -(x[0] - 0.4) * (x[0] - 0.4) * (1 + x[1])
	})
	if poor.ties() {
		t.Error("bad values are the same, and say nothing of good ones")
	}
}

// Where fits do not choose the model it takes the steepness of a function for noise: then the best value counts up to more of it.
func TestLittleNoiseIsNoneWhereFitsDoNotChooseTheModel(t *testing.T) {
	stream := rng.New(1, rng.Test, 2)
	l := told(t, "gp-bucb", 2, 30, true, func(x space.Point) float64 {
		return (x[0]-0.4)*(x[0]-0.4) + 0.3*(x[1]-0.7)*(x[1]-0.7) + 2e-3*stream.NormFloat64()
	})
	if noise := l.model.Noise(0); !(noise > littleNoise && noise < doubtfulNoise) || !l.noiseless(l.noise()) {
		t.Errorf("noise of variance %v: noiseless %v", noise, l.noiseless(l.noise()))
	}
}

func TestValuesAtOnePointSayWhetherThereIsNoise(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		want   bool
	}{
		"the same": {[]float64{math.Pi, math.Pi}, true}, "others": {[]float64{math.Pi, 2.5}, false}, "the same, in one digit": {[]float64{2, 2}, false},
	} {
		d := drive(t, Config{Space: smallSpace(t, space.Float("a", 0, 1)), Budget: 5, Initial: 1, Traits: policies.Traits{Name: "of my own", Model: true}})
		if d.l.noiseless(d.l.noise()) {
			t.Errorf("%s: nothing is known yet", name)
		}
		for _, v := range c.values {
			d.step(0, ObservationArrived{X: space.Point{0.5}, Value: v})
		}
		if d.l.noiseless(d.l.noise()) != c.want {
			t.Errorf("%s: noiseless %v", name, !c.want)
		}
	}
}

// Values that contradict the model at the end of a study have no next query before which it learns anew: what it says afterwards has learned of them all the same.
func TestWhatContradictsTheModelLastIsLearnedOf(t *testing.T) {
	count := 0
	value := func(x space.Point) float64 { return (x[0]-0.4)*(x[0]-0.4) + 0.3*(x[1]-0.7)*(x[1]-0.7) }
	l := told(t, "auto", 2, 40, true, func(x space.Point) float64 {
		if count++; count > 38 {
			return 3
		}
		return value(x)
	})
	for _, x := range []space.Point{{0.9, 0.1}, {0.5, 0.5}, {0.1, 0.2}, {0.4, 0.7}} {
		p := must.Get(l.Predict(x))(t)
		if miss := math.Abs(p.Mean - value(x)); miss > 1e-3+4*p.Stddev {
			t.Errorf("%v is expected with %v at %v, it is %v", p.Mean, p.Stddev, x, value(x))
		}
	}
	if x, _, err := l.Recommend(nil); err != nil || value(x) > 1e-6 {
		t.Errorf("%v is recommended (%v)", x, err)
	}
}

// One value that is another than all before, as a function of few levels has, is what is expected there, though no query follows it.
func TestALevelThatCameLastIsExpected(t *testing.T) {
	for _, policy := range []string{"auto", "gp-bucb", "log-ei"} {
		count := 0
		l := told(t, policy, 2, 16, false, func(space.Point) float64 {
			if count++; count == 16 {
				return 5
			}
			return 1
		})
		r := l.Result()
		if r.Expected == nil || r.Recommended.Value != 5 || math.Abs(r.Expected.Mean-5) > 0.05 {
			t.Errorf("%s: %+v is recommended, with %+v", policy, r.Recommended, r.Expected)
		}
	}
}

// Of several values at the point that is recommended it is the first, whatever the others are.
func TestOfSeveralValuesAtThePointTheFirstIsRecommended(t *testing.T) {
	where := must.Get(space.New(space.Int("a", 1, 4), space.Categorical("b", "u", "v", "w")))(t)
	for seed := range uint64(5) {
		stream := rng.New(seed, rng.Test, 4)
		l := toldIn(t, "auto", where, 50, true, func(x space.Point) float64 { return (x[0]-3)*(x[0]-3) + 0.3*x[1] + 0.5*stream.NormFloat64() })
		r := l.Result()
		if at := l.ledger.get(r.Recommended.Number); l.ledger.first(at.X) != at.Number {
			t.Errorf("seed %d: %d is recommended, the first at the point is %d", seed, at.Number, l.ledger.first(at.X))
		}
	}
}
