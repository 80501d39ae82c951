package policies

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// outcomesAt is a view of a line on which queries have a value or failed for their points.
func outcomesAt(t *testing.T, succeeds func(x float64) bool, at ...float64) View {
	t.Helper()
	prior := surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{1}, Outputscale: 1}, Noise: 1e-6}
	var x []space.Unit
	y := make([]float64, len(at))
	for _, u := range at {
		x = append(x, space.Unit{u})
	}
	v := moment(t, line(t), prior, x, y, feedback.Hallucinate)
	for k, q := range v.Queries {
		if succeeds(at[k]) {
			v.History = append(v.History, Answer{Query: q, Value: float64(k)})
		} else {
			v.Blamed = append(v.Blamed, q.Number)
		}
	}
	return v
}

// What succeeds in a hundredth of a range alone is a region, and not what is lost among failures; so is all but a bound where code divides by zero.
// Where a half fails the range stays as it is.
func TestOutcomesFindTheirScales(t *testing.T) {
	below := func(bound float64) func(float64) bool { return func(x float64) bool { return x < bound } }
	spread := []float64{0.9, 0.6, 0.3, 0.7, 0.1, 0.5, 0.04, 0.2}
	for name, c := range map[string]struct {
		v               View
		scaled          bool
		inside, outside []float64
	}{
		"diverges":   {v: outcomesAt(t, below(0.01), append(spread, 0.02, 0.006, 0.003, 0.001, 0.0002, 0.015)...), scaled: true, inside: []float64{0.005, 0.002}, outside: []float64{0.03, 0.1, 0.8}},
		"at a bound": {v: outcomesAt(t, func(x float64) bool { return x > 1e-5 }, append(spread, 0, 0, 0.001, 0, 2e-4, 1e-4, 3e-5)...), scaled: true, inside: []float64{3e-4, 0.01, 0.5}, outside: []float64{0, 1e-7}},
		"a half":     {v: outcomesAt(t, below(0.45), append(spread, 0.4, 0.35, 0.8, 0.55)...), inside: []float64{0.05, 0.3}, outside: []float64{0.6, 0.95}},
	} {
		v := c.v.Avoiding()
		if _, scaled := v.success.Prior().Kernel.(surrogate.Warped); scaled != c.scaled {
			t.Errorf("%s: %+v", name, v.success.Prior().Kernel)
		}
		for _, x := range c.inside {
			if !v.Region().Has(space.Unit{x}) {
				t.Errorf("%s: %v is lost: %v is expected", name, x, v.success.Mean(space.Unit{x}))
			}
		}
		for _, x := range c.outside {
			if v.Region().Has(space.Unit{x}) {
				t.Errorf("%s: %v is taken for good: %v is expected", name, x, v.success.Mean(space.Unit{x}))
			}
		}
	}
}

// As long as all queries end without a value some look into every part of the scales, and the others cover the range; before any has ended all of it is alike.
// slowScales is successScales by conditioning a process for each scale that is tried.
func (v View) slowScales(mean float64) surrogate.Inputs {
	x, y := v.outcomes(scaleOutcomes)
	evidence := func(lengths []float64, along surrogate.Inputs) float64 {
		most := math.Inf(-1)
		for _, length := range lengths {
			if p, err := v.successPrior(length, mean, along).Condition(x, y, nil); err == nil {
				most = max(most, p.LogEvidence())
			}
		}
		return most
	}
	best, worth, scales := evidence(successLengths[:], nil), 0., surrogate.Inputs(nil)
	if learned := v.inputs(); learned != nil {
		if e := evidence(successLengths[:], learned) - asLearned; e > best {
			best, worth, scales = e, asLearned, learned
		}
	}
	for _, j := range v.numeric() {
		from, least := scales, best
		if from == nil {
			from = slices.Repeat([]float64{1}, v.Space.Dim())
		}
		for _, end := range successRatios {
			for _, ratio := range end {
				next := slices.Clone(from)
				next[j] = ratio
				e := evidence(scaleLengths[:], next) - worth - asScale
				if e > best {
					best, scales = e, next
				}
				if e < least-asScale {
					break
				}
			}
		}
		if best > least {
			worth += asScale
		}
	}
	return scales
}

// The scales are those that conditioning a process for each would choose.
func TestOutcomesFindTheScalesOfTheSlowWay(t *testing.T) {
	s := must.Get(space.New(space.Float("a", 0, 1), space.Categorical("word", "x", "y", "z"), space.Int("n", 0, 9), space.Float("b", 0, 1)))(t)
	scaled, followed := 0, 0
	for seed := range uint64(12) {
		v, stream := View{Space: s}, rng.New(seed, rng.Test, 7)
		succeeds := [...]func(x space.Unit) bool{
			func(x space.Unit) bool { return x[0] < 0.02 },
			func(x space.Unit) bool { return x[3] > 0.99 || x[1] > 0.7 },
			func(x space.Unit) bool { return x[0] < 0.6 },
			func(x space.Unit) bool { return x[0] < 0.05 && x[3] > 1e-3 },
		}[seed%4]
		for k := range 30 + 5*int(seed) {
			x := s.Random(stream)
			if k%2 == 0 {
				x = s.Snap(surrogate.Inputs{1e5, 1, 1, 1e-5}.From(x))
			}
			q := Query{Number: k + 1, X: x}
			if v.Queries = append(v.Queries, q); succeeds(x) {
				v.History = append(v.History, Answer{Query: q})
			} else {
				v.Blamed = append(v.Blamed, q.Number)
			}
		}
		learned := surrogate.Warped{Of: v.successKernel(), Ratios: surrogate.Inputs{1e3, 1, 1, 1}}
		if seed%2 == 1 { // the model of the values has scales
			v.Posterior = must.Get(surrogate.Prior{Kernel: learned, Noise: 1e-6}.Condition(nil, nil, nil))(t)
		}
		_, y := v.outcomes(mostOutcomes)
		got, want := v.successScales(stat.Mean(y, nil)), v.slowScales(stat.Mean(y, nil))
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: %v, the slow way %v", seed, got, want)
		}
		if got != nil {
			scaled++
		}
		if got != nil && got[0] == learned.Ratios[0] && seed%2 == 1 {
			followed++
		}
	}
	if scaled < 4 || scaled == 12 || followed == 0 {
		t.Errorf("%d of 12 have scales, %d of them those of the model: that says little", scaled, followed)
	}
}

func TestQueriesInVainAreScattered(t *testing.T) {
	share := func(v View) (low, high float64) {
		const draws = 400
		stream := rng.New(5, rng.Test, 0)
		for range draws {
			x := v.unguided(nil, stream)
			switch {
			case x[0] < 0.001:
				low += 1. / draws
			case x[0] > 0.999:
				high += 1. / draws
			}
		}
		return low, high
	}
	v := outcomesAt(t, func(float64) bool { return false }, 0.1, 0.5, 0.7, 0.9)
	v.Posterior, v.Incumbent = nil, nil
	if low, high := share(v); math.Min(low, high) < 0.03 {
		t.Errorf("after failures %.3f and %.3f of the queries are within a thousandth of the ends", low, high)
	}
	if e := v.unguidedly(); e.Why == uninformed().Why {
		t.Error(e.Why)
	}
	v.Blamed = nil
	for _, q := range v.Queries {
		v.Pending = append(v.Pending, q.Number)
	}
	if low, high := share(v); math.Max(low, high) > 0.01 || v.unguidedly().Why != uninformed().Why {
		t.Errorf("while all pend %.3f and %.3f of the queries are within a thousandth of the ends", low, high)
	}
}
