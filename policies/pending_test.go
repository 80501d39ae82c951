package policies

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

func cube(t *testing.T, d int) space.Space {
	t.Helper()
	parameters := make([]space.Parameter, d)
	for i := range parameters {
		parameters[i] = space.Float(fmt.Sprint("x", i), 0, 1)
	}
	s, err := space.New(parameters...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// moment is the view of a study of s whose queries x have the values y, NaN where none has come.
func moment(t testing.TB, s space.Space, prior surrogate.Prior, x []space.Unit, y []float64, how feedback.Imputation) View {
	t.Helper()
	var b buffer.Buffer
	v := View{Belief: model.Belief{Best: math.Inf(-1)}, Round: len(x) + 1, Space: s}
	for i := range x {
		b.Open(i+1, i+1, 0)
		v.Queries = append(v.Queries, Query{Number: i + 1, Round: i + 1, X: x[i]})
		if math.IsNaN(y[i]) {
			v.Pending = append(v.Pending, i+1)
		} else {
			b.Reveal(i+1, y[i], i+2, 0)
		}
	}
	values, numbers := b.Values(how), b.Answered(how)
	v.Units = buffer.Standardize(values)
	if how == feedback.Censor {
		v.Units = buffer.Floored(values, buffer.LowerBound(values, math.Inf(1)), 0)
	}
	for i, value := range values {
		if u := v.Units.To(value); u > v.Best {
			v.Best, v.Incumbent = u, x[numbers[i]-1]
		}
	}
	set := b.View(how, v.Units)
	rows := make([]space.Unit, len(set.Numbers))
	for i, number := range set.Numbers {
		rows[i] = x[number-1]
	}
	var pool *surrogate.Pool
	if s.Size() > 0 && len(s.Contexts()) == 0 {
		pool = surrogate.NewPool(prior.Kernel, s.UnitPoints(), true)
	}
	p, err := prior.Condition(rows, set.Targets, pool)
	if err != nil {
		t.Fatal(err)
	}
	if how == feedback.Hallucinate {
		p = p.Hallucinate(set.Targets, set.Unanswered)
	}
	v.Posterior, v.Rows = p, set.Numbers
	return v
}

// scattered are n random points with a value for two in three of them.
func scattered(d, n int, stream *rand.Rand) (x []space.Unit, y []float64) {
	for i := range n {
		u := anywhere(d, stream)
		value := math.Sin(5*u[0]) - u[d-1]*u[d-1]
		if i%3 == 2 {
			value = math.NaN()
		}
		x, y = append(x, u), append(y, value)
	}
	return x, y
}

func anywhere(d int, stream *rand.Rand) space.Unit {
	u := make([]float64, d)
	for j := range u {
		u[j] = stream.Float64()
	}
	return u
}

// each calls check with views of studies in one to six dimensions under every kernel, with and without noise.
func each(t *testing.T, how feedback.Imputation, check func(name string, v View, stream *rand.Rand)) {
	t.Helper()
	for d := 1; d <= 6; d++ {
		for i, kernel := range surrogate.KernelNames() {
			for _, noise := range []float64{0, 1e-4, .05} {
				stream := rng.New(uint64(10*d+i), rng.Test, 11)
				prior, err := surrogate.DefaultPrior(kernel, d)
				if err != nil {
					t.Fatal(err)
				}
				prior.Noise = noise
				x, y := scattered(d, 4+3*d, stream)
				check(fmt.Sprintf("%s, %d dimensions, noise %v", kernel, d, noise), moment(t, cube(t, d), prior, x, y, how), stream)
			}
		}
	}
}

// The mean at the rows comes from the weights; it is the mean of the posterior there.
func TestTheTargetIsTheGreatestMeanAtTheRows(t *testing.T) {
	for _, how := range []feedback.Imputation{feedback.Ignore, feedback.Hallucinate, feedback.Censor} {
		each(t, how, func(name string, v View, stream *rand.Rand) {
			for range 3 {
				want, size := math.Inf(-1), 1.0
				for i := range v.Posterior.Len() {
					want = max(want, v.Posterior.Mean(v.Posterior.X(i)))
				}
				for _, a := range v.Posterior.Alpha() {
					size = max(size, math.Abs(a)) // round-off of both ways grows with the weights
				}
				must.Near(t, name, v.Target(), want, 1e-12*size)
				v = v.WithPending(v.Posterior.X(0), feedback.Hallucinate)
			}
		})
	}
	if got := (View{Belief: model.Belief{Posterior: must.Get(examplePrior().Condition(nil, nil, nil))(t)}}).Target(); !math.IsInf(got, -1) {
		t.Errorf("without rows the target is %v", got)
	}
}

// A second, contradictory value at a point that is known exactly has a lifted pivot: the mean there stays with the
// first, and so does the target.
func TestTheTargetAfterALiftedPivot(t *testing.T) {
	prior := examplePrior()
	prior.Noise = 0
	p := must.Get(prior.Condition([]space.Unit{{.5}}, []float64{.25}, nil))(t).Append([]float64{.5}, 1)
	if p.Clamped() == 0 {
		t.Fatal("no pivot was lifted")
	}
	must.Near(t, "target", View{Belief: model.Belief{Posterior: p}}.Target(), .25, 1e-3)
}

// utilitiesOf are the utilities that the policies maximize at a view.
func utilitiesOf(v View) map[string]acquisition.Utility {
	return map[string]acquisition.Utility{
		"ucb":      acquisition.UpperConfidenceBound{Beta: 1},
		"quantile": acquisition.Quantile{P: .9},
		"log EI":   acquisition.LogExpectedImprovement{Best: v.Target()},
		"log PI":   acquisition.LogProbabilityOfImprovement{Best: v.Target(), Xi: defaultXi},
	}
}

// A pending query at x makes x less useful. For a policy that hallucinates, always: the mean stays, the spread shrinks,
// and the value to improve on is at least the mean at x. For a bound that censors, wherever the model expects no less
// than the censor value. Where the variance is zero there was nothing left to find out, and nothing changes.
func TestAPendingQueryLowersTheUtility(t *testing.T) {
	strict := 0
	for how, names := range map[feedback.Imputation][]string{
		feedback.Hallucinate: {"ucb", "quantile", "log EI", "log PI"},
		feedback.Censor:      {"ucb", "quantile"},
	} {
		each(t, how, func(name string, v View, stream *rand.Rand) {
			d := v.Space.Dim()
			for _, x := range []space.Unit{anywhere(d, stream), anywhere(d, stream), make([]float64, d), slices.Clone(v.Incumbent), slices.Clone(v.Queries[2].X)} {
				after := v.WithPending(x, how)
				mean, variance := v.Posterior.Predict(x)
				newMean, newVariance := after.Posterior.Predict(x)
				if how == feedback.Censor && mean < v.Units.Censored+1e-9 {
					continue
				}
				const unsure = 1e-7 // below this share of the prior variance round-off decides
				sure := variance > unsure*v.Posterior.Prior().Kernel.Diag(x)
				for _, u := range names {
					before, now := utilitiesOf(v)[u].Of(mean, variance), utilitiesOf(after)[u].Of(newMean, newVariance)
					if sure && !(now < before) {
						t.Errorf("%s, %v, %s at %v (variance %v): %v became %v", name, how, u, x, variance, before, now)
					}
					if sure {
						strict++
					}
				}
			}
		})
	}
	if strict < 1000 {
		t.Errorf("%d comparisons", strict)
	}
}

// A policy that ignores pending queries sees the same model after one more.
func TestIgnoringChangesNothing(t *testing.T) {
	each(t, feedback.Ignore, func(name string, v View, stream *rand.Rand) {
		x := anywhere(v.Space.Dim(), stream)
		after := v.WithPending(x, feedback.Ignore)
		if after.Posterior != v.Posterior || !slices.Equal(after.Rows, v.Rows) {
			t.Fatalf("%s: the model changed", name)
		}
		for u, before := range utilitiesOf(v) {
			if utilitiesOf(after)[u] != before {
				t.Errorf("%s: %s changed", name, u)
			}
		}
	})
}

// Draws at x spread less around the mean after a pending query at x was hallucinated there, over a box and over a list.
func TestHallucinationNarrowsTheDraws(t *testing.T) {
	const draws = 400
	visible := 0
	for _, kernel := range []string{"se", "matern52", "linear"} {
		for d := 1; d <= 6; d++ {
			stream := rng.New(uint64(d), rng.Test, 12)
			prior, err := surrogate.DefaultPrior(kernel, d)
			if err != nil {
				t.Fatal(err)
			}
			x, y := scattered(d, 6, stream)
			at := anywhere(d, stream)
			list := listOf(t, append(x, at))
			for _, s := range []space.Space{cube(t, d), list} {
				before := moment(t, s, prior, x, y, feedback.Hallucinate)
				after := before.WithPending(at, feedback.Hallucinate)
				_, v0 := before.Posterior.Predict(at)
				_, v1 := after.Posterior.Predict(at)
				wide, narrow := spreadOfDraws(before, at, draws, stream), spreadOfDraws(after, at, draws, stream)
				where := fmt.Sprintf("%s, %d dimensions, list %v", kernel, d, s.Size() > 0)
				if math.Abs(wide/math.Sqrt(v0)-1) > .25 || math.Abs(narrow/math.Sqrt(v1)-1) > .25 {
					t.Errorf("%s: rms deviations %v and %v, want %v and %v", where, wide, narrow, math.Sqrt(v0), math.Sqrt(v1))
				}
				if v1 > v0/2 {
					continue // what is left to see is within the error of the draws
				}
				visible++
				if !(narrow < wide) {
					t.Errorf("%s: rms deviation %v became %v", where, wide, narrow)
				}
			}
		}
	}
	if visible < 20 {
		t.Errorf("%d comparisons", visible)
	}
}

// spreadOfDraws is the root mean square deviation from the mean at x of what thompson maximizes there.
func spreadOfDraws(v View, x space.Unit, draws int, stream *rand.Rand) float64 {
	sum, mean := 0.0, v.Posterior.Mean(x)
	for range draws {
		value := 0.0
		if v.listed() {
			value = v.Posterior.DrawPool(stream)[v.Posterior.Pool().Index(x)]
		} else {
			value = acquisition.SamplePath{Posterior: v.Posterior, Path: v.Posterior.Draw(stream, 128), Nu: 1}.Value(x)
		}
		sum += (value - mean) * (value - mean)
	}
	return math.Sqrt(sum / float64(draws))
}

// listOf is a list whose values are its unit coordinates.
func listOf(t *testing.T, units []space.Unit) space.Space {
	t.Helper()
	points := make([]space.Point, len(units))
	for i, u := range units {
		points[i] = space.Point(u)
	}
	s, err := space.List(points, cube(t, len(points[0])).Parameters()...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
