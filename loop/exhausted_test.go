package loop

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// A finite space that tells everything is at its end after a few queries that ask again, whatever is the same at several of its points.
func TestAFiniteSpaceWithoutNoiseEndsSoonAfterItsLastPoint(t *testing.T) {
	margin := []outcome.Constraint{outcome.AtMost("heat", 0)}
	noise := rng.New(1, rng.Test, 5)
	wave := func(x float64) float64 { return math.Sin(5*x) + 0.01*x }
	heat := func(heat float64) func(x space.Point) outcome.Outcome {
		return func(x space.Point) outcome.Outcome {
			return outcome.Outcome{Value: wave(x[0]), Constraints: []float64{heat + 0.1*x[0]}}
		}
	}
	twelve := []space.Parameter{space.Int("i", 1, 12)}
	layers := []space.Parameter{space.Int("i", 1, 12), space.Ordered("epochs", 1, 9).AsFidelity(1, 9)}
	for name, c := range map[string]struct {
		parameters  []space.Parameter
		constraints []outcome.Constraint
		answer      func(x space.Point) outcome.Outcome
		most        int
	}{
		"a tie of two digits": {[]space.Parameter{space.Int("k", 0, 5)}, nil, func(x space.Point) outcome.Outcome {
			return outcome.Of([]float64{0.71, 0.93, 0.88, 0.64, 0.93, 0.75}[int(x[0])])
		}, 10},
		"a parameter that does nothing": {[]space.Parameter{space.Bool("bias"), space.Categorical("kind", "a", "b", "c")}, nil, func(x space.Point) outcome.Outcome {
			return outcome.Of([]float64{0.9312, 0.9123, 0.8834}[int(x[1])])
		}, 12},
		"none feasible":    {twelve, margin, heat(1), 14},
		"few feasible":     {twelve, margin, heat(-0.25), 14},
		"failing and none": {twelve, margin, failing(heat(1), 4, outcome.Outcome{Value: math.NaN(), Constraints: []float64{1}}), 14},
		"forbidden, none":  {twelve, margin, failing(heat(1), 4, outcome.Outcome{Value: math.NaN(), Infeasible: true}), 14},
		"none feasible, whose values mean nothing": {twelve, margin, heat(1), 14},
		"clear margins with noise": {twelve, margin, func(x space.Point) outcome.Outcome {
			return outcome.Outcome{Value: wave(x[0]), Constraints: []float64{-5 + 0.1*noise.NormFloat64()}}
		}, 15},
		"margins without names": {twelve, nil, func(x space.Point) outcome.Outcome {
			return outcome.Outcome{Value: wave(x[0]), Constraints: []float64{-5 + 0.1*noise.NormFloat64()}}
		}, 14},
		"none feasible by margins without names": {twelve, nil, heat(1), 12},
		"none feasible, whatever is measured": {twelve, margin, func(x space.Point) outcome.Outcome {
			return outcome.Outcome{Value: wave(x[0]), Infeasible: true, Constraints: []float64{-1 - 0.1*x[0]}}
		}, 12},
		"flags, few feasible": {twelve, margin, func(x space.Point) outcome.Outcome {
			return outcome.Outcome{Value: wave(x[0]), Constraints: []float64{float64(bit(x[0] > 2))}}
		}, 16},
		"failing at the greatest fidelity": {layers, nil, func(x space.Point) outcome.Outcome {
			if x[1] == 9 {
				return outcome.Of(math.NaN())
			}
			return outcome.Of(wave(x[0]))
		}, 28},
	} {
		for _, policy := range []string{"auto", "log-ei"} {
			if policy != "auto" && c.parameters[len(c.parameters)-1].Role == space.Fidelity {
				continue // it asks at the greatest fidelity alone, where nothing has a value
			}
			l := toldOf(t, policy, Config{Space: smallSpace(t, c.parameters...), Budget: 100, Constraints: c.constraints, IgnoreInfeasible: strings.Contains(name, "mean nothing")}, c.answer)
			if n := len(l.Evaluations()); n > c.most {
				t.Errorf("%s, %s: %d queries, %v; want %d at most", name, policy, n, l.Result().Reason, c.most)
			}
		}
	}
}

// failing answers in another way at every so many points.
func failing(answer func(x space.Point) outcome.Outcome, every int, otherwise outcome.Outcome) func(x space.Point) outcome.Outcome {
	return func(x space.Point) outcome.Outcome {
		if int(x[0])%every == 0 {
			return otherwise
		}
		return answer(x)
	}
}

// Margins may have noise where values have none: then a second query at a point tells of its feasibility, and one whose margin was bad luck is found to be the best.
func TestAFiniteSpaceWhoseConstraintHasNoiseIsNotAtItsEnd(t *testing.T) {
	right, early, queries := 0, 0, 0
	for seed := range uint64(16) {
		stream := rng.New(seed, rng.Test, 4)
		var values, doses [12]float64
		best := -1
		for i := range values {
			values[i], doses[i] = stream.Float64(), 0.2*stream.NormFloat64()
			doses[i] += math.Copysign(0.1, doses[i])
			if doses[i] <= 0 && (best < 0 || values[i] > values[best]) {
				best = i
			}
		}
		c := Config{Space: smallSpace(t, space.Int("i", 0, 11)), Budget: 80, Constraints: []outcome.Constraint{outcome.AtMost("dose", 0)}}
		l := toldOf(t, "auto", c, func(x space.Point) outcome.Outcome {
			return outcome.Outcome{Value: values[int(x[0])], Constraints: []float64{doses[int(x[0])] + 0.15*stream.NormFloat64()}}
		})
		n := len(l.Evaluations())
		if queries += n; n <= 14 {
			early++
		}
		if r := l.Result().Recommended; r != nil && int(l.config.Space.Value(r.X)[0]) == best {
			right++
		}
	}
	if right < 15 || early > 2 || queries > 16*36 {
		t.Errorf("the best of 12 points that are feasible is recommended in %d of 16 studies of %d queries; %d ended after one or two queries that ask again", right, queries, early)
	}
}

// doubtful answers with a sure margin and a value that rises, but at the twelfth of twelve points, whose margins are what is left to others.
func doubtful(stream *rand.Rand, twelfth func(margin float64) outcome.Outcome) func(x space.Point) outcome.Outcome {
	return func(x space.Point) outcome.Outcome {
		noise := 0.15 * stream.NormFloat64()
		if x[0] == 12 {
			return twelfth(noise - 0.15)
		}
		return outcome.Outcome{Value: 1 + x[0], Constraints: []float64{noise - 5}}
	}
}

// A value that means nothing, since its point was infeasible as far as one margin said, is neither good nor bad: whatever it is, the study is the same.
func TestValuesThatMeanNothingDoNotEndAFiniteSpace(t *testing.T) {
	for seed := range uint64(8) {
		var lengths []int
		for _, nothing := range []float64{0, 1000} {
			c := Config{Space: smallSpace(t, space.Int("i", 1, 12)), Budget: 60, Constraints: []outcome.Constraint{outcome.AtMost("dose", 0)}, IgnoreInfeasible: true}
			l := toldOf(t, "auto", c, doubtful(rng.New(seed, rng.Test, 9), func(margin float64) outcome.Outcome {
				value := 13.0
				if margin > 0 {
					value = nothing
				}
				return outcome.Outcome{Value: value, Constraints: []float64{margin}}
			}))
			if r := l.Result().Recommended; r == nil || l.config.Space.Value(r.X)[0] != 12 {
				t.Errorf("seed %d: recommended %+v", seed, r)
			}
			lengths = append(lengths, len(l.Evaluations()))
		}
		if lengths[0] != lengths[1] {
			t.Errorf("seed %d: %d queries, and %d", seed, lengths[0], lengths[1])
		}
	}
}

// A point in doubt that fails whenever it is asked again is left.
func TestAPointInDoubtThatFailsIsLeft(t *testing.T) {
	for _, forbidden := range []bool{false, true} {
		for seed := range uint64(4) {
			asked := 0
			l := toldOf(t, "auto", Config{Space: smallSpace(t, space.Int("i", 1, 12)), Budget: 100, Constraints: []outcome.Constraint{outcome.AtMost("dose", 0)}}, doubtful(rng.New(seed, rng.Test, 9), func(margin float64) outcome.Outcome {
				if asked++; asked > 1 {
					return outcome.Outcome{Value: math.NaN(), Infeasible: forbidden}
				}
				return outcome.Outcome{Value: 13, Constraints: []float64{margin}}
			}))
			if n := len(l.Evaluations()); n > 20 {
				t.Errorf("forbidden %v, seed %d: %d queries, %d of them at the point", forbidden, seed, n, asked)
			}
		}
	}
}

// Where values at infeasible points mean nothing, what is asked again is a point that may be feasible after all, and not the best that is clear.
func TestABestThatIsClearlyFeasibleIsNotMeasuredAgainAndAgain(t *testing.T) {
	queries, spent := 0, 0
	for seed := range uint64(12) {
		stream := rng.New(seed, rng.Test, 4)
		var values, doses [12]float64
		for i := range values {
			values[i], doses[i] = stream.NormFloat64(), 0.2*stream.NormFloat64()
			for math.Abs(doses[i]) < 0.1 {
				doses[i] = 0.2 * stream.NormFloat64()
			}
		}
		c := Config{Space: smallSpace(t, space.Int("i", 0, 11)), Budget: 80, Constraints: []outcome.Constraint{outcome.AtMost("dose", 0)}, IgnoreInfeasible: true}
		l := toldOf(t, "auto", c, func(x space.Point) outcome.Outcome {
			return outcome.Outcome{Value: values[int(x[0])], Constraints: []float64{doses[int(x[0])] + 0.15*stream.NormFloat64()}}
		})
		n, at := len(l.Evaluations()), map[float64]int{}
		for _, e := range l.Evaluations() {
			at[e.X[0]]++
		}
		for x, often := range at {
			if often > 36 {
				t.Errorf("seed %d: %d of %d queries are at %v", seed, often, n, x)
			}
		}
		queries += n
		spent += bit(n == c.Budget)
	}
	if queries > 12*53 || spent > 2 {
		t.Errorf("%d queries in 12 studies, %d of which spent the budget", queries, spent)
	}
}
