package policies

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// baselines are the policies that make a model of their own.
var baselines = []string{"warped", "warped:warp=log", "warped:warp=tanh", "warped:warp=input", "ensemble"}

// recounted is moment with the answers in the history.
func recounted(t *testing.T, s space.Space, x []space.Unit, y []float64, how feedback.Imputation) View {
	t.Helper()
	prior := must.Get(surrogate.DefaultPrior("matern52", len(x[0])))(t)
	v := moment(t, s, prior, x, y, how)
	for i, value := range y {
		if !math.IsNaN(value) {
			v.History = append(v.History, Answer{Query: v.Queries[i], Seen: i + 2, Value: value})
		}
	}
	return v
}

// withFailed adds a row that is neither answered nor pending, as that of a query that failed.
func (v View) withFailed(x space.Unit, target float64) View {
	number := len(v.Queries) + 1
	v.Queries = append(slices.Clip(v.Queries), Query{Number: number, Round: number, X: x})
	v.Posterior, v.Rows = v.Posterior.Append(x, target), append(slices.Clip(v.Rows), number)
	return v
}

// Values -1, 0 and 1 have the losses 2.1, 1.1 and 0.1, whose logarithms 0.741937, 0.095310 and -2.302585 have mean
// -0.488446 and standard deviation 1.604013.
func TestTheLogarithmOfLossesWorkedByHand(t *testing.T) {
	w, ok := fitValues(WarpLog, surrogate.Prior{}, nil, []float64{-1, 0, 1})
	if !ok {
		t.Fatal("no warp")
	}
	for i, want := range []float64{-.767065, -.363935, 1.131000} {
		must.Near(t, "target", w.at(float64(i-1)), want, 2e-6)
	}
	must.Near(t, "a value that failed", w.at(-2), -(math.Log(3.1)+.488446)/1.604013, 2e-6)
	for _, kind := range []Warp{WarpLog, WarpBoxCox} {
		plain, _ := fitValues(kind, surrogate.Prior{}, nil, []float64{-1, -.5, 0, 1})
		scaled, _ := fitValues(kind, surrogate.Prior{}, nil, []float64{-23, -8, 7, 37})
		must.Near(t, "in other units", scaled.at(16), 30*plain.at(.3)+7, 1e-6)
	}
}

// Every warp of values increases, keeps mean and variance, and knows its slope.
func TestWarpsOfValues(t *testing.T) {
	stream := rng.New(7, rng.Test, 41)
	for _, kind := range []Warp{WarpBoxCox, WarpLog, WarpTanh} {
		var x []space.Unit
		var u []float64
		for range 25 {
			x = append(x, anywhere(1, stream))
			u = append(u, 5-math.Exp(2*math.Sin(7*x[len(x)-1][0])))
		}
		w, ok := fitValues(kind, must.Get(surrogate.DefaultPrior("se", 1))(t), x, u)
		if !ok {
			t.Fatalf("no warp %v", kind)
		}
		mean, variance := meanVariance(u)
		warpedMean, warpedVariance := meanVariance(w.all(u))
		must.Near(t, "mean", warpedMean, mean, 1e-12)
		must.Near(t, "variance", warpedVariance, variance, 1e-12)
		sum := 0.0
		for _, v := range u {
			slope := (w.at(v+1e-6) - w.at(v-1e-6)) / 2e-6
			if !(slope > 0) {
				t.Errorf("warp %v falls at %v", kind, v)
			}
			sum += math.Log(slope)
		}
		must.Near(t, fmt.Sprintf("logarithm of the Jacobian of %v", kind), w.logSlopes(u), sum, 1e-6)
		must.Near(t, fmt.Sprintf("the same of %v with equal values", kind), w.logSlopes(append(slices.Clone(u), u[3], u[0], u[3])), sum, 1e-6)
	}
}

// Steps in the values are found, and their evidence is that of a search without any shortcut.
func TestTheTanhWarpRaisesTheEvidence(t *testing.T) {
	stream := rng.New(3, rng.Test, 42)
	prior := must.Get(surrogate.DefaultPrior("se", 1))(t)
	var x []space.Unit
	var u []float64
	for range 40 {
		x = append(x, anywhere(1, stream))
		u = append(u, math.Tanh(5*math.Sin(6*x[len(x)-1][0]))+.02*stream.NormFloat64())
	}
	direct := func(w valueWarp) float64 {
		return must.Get(prior.Condition(x, w.all(u), nil))(t).LogEvidence() + w.logSlopes(u)
	}
	mean, variance := meanVariance(u)
	identity := valueWarp{of: steps(), origin: mean, unit: math.Sqrt(variance), scale: 1}
	start, _ := identity.through(steps(), u)
	best := direct(start)
	for _, a := range []float64{.3, .7, 1, 1.5, 2.2, 3, 4.5, 6} {
		for _, b := range []float64{.3, .6, 1, 1.3, 1.6, 2, 3, 5} {
			for c := -2.0; c <= 2; c += .2 {
				if w, ok := identity.through(steps(a, b, c), u); ok {
					best = max(best, direct(w))
				}
			}
		}
	}
	w, ok := fitTanh(identity, prior, x, u)
	if got := direct(w); !ok || got < best {
		t.Errorf("log evidence %v, a grid finds %v", got, best)
	}
	e := evidence{must.Get(prior.Condition(x, u, nil))(t), u}
	must.Near(t, "log evidence of the search", e.of(w, ok), direct(w), 1e-9)
	if _, one := e.withStep(start); one < best {
		t.Errorf("log evidence %v after one step, a grid finds %v", one, best)
	}
	if plain := direct(start); best < plain+stepPrice*math.Log(40) {
		t.Errorf("the grid finds no step worth its price: %v, without %v", best, plain)
	}
	for i := range u { // a line needs no step
		u[i] = x[i][0]
	}
	if w, ok := fitTanh(identity, prior, x, u); !ok || len(w.of.(calibration.TanhWarp).A) != 0 {
		t.Errorf("a line was bent: %+v", w.of)
	}
}

// The coordinate search over the warp of one input comes as high as a fine grid, far above the identity.
func TestTheInputWarpRaisesTheEvidence(t *testing.T) {
	prior := must.Get(surrogate.DefaultPrior("se", 2))(t)
	prior.Kernel = prior.Kernel.WithParams([]float64{math.Log(.15), math.Log(.15), 0})
	stream := rng.New(4, rng.Test, 43)
	var x []space.Unit
	var u []float64
	for range 30 {
		p := anywhere(2, stream)
		x, u = append(x, p), append(u, math.Sin(9*p[0]*p[0]*p[0]))
	}
	best := math.Inf(-1)
	for a := -1.8; a <= 1.8; a += .1 {
		for b := -1.8; b <= 1.8; b += .1 {
			best = max(best, inputEvidence(prior, x, u, []float64{a, b, 0, 0}))
		}
	}
	w := fitInputs(prior, x, u, []int{0})
	logs := []float64{math.Log(w[0].A), math.Log(w[0].B), 0, 0}
	if got := inputEvidence(prior, x, u, logs); got < best-.5 {
		t.Errorf("log evidence %v at %v, a grid finds %v", got, w, best)
	}
	if plain := inputEvidence(prior, x, u, make([]float64, 4)); best < plain+2 {
		t.Errorf("the grid finds %v, the identity has %v", best, plain)
	}
	if w[1].A != 1 || w[1].B != 1 {
		t.Errorf("a coordinate that is not listed was warped: %v", w[1])
	}
}

// Without any warp the density of the warps is no more than that of the model.
func TestTheEvidenceOfTheIdentityIsThatOfTheModel(t *testing.T) {
	x, y := []space.Unit{{.2}, {.5}, {.9}}, []float64{1, -1, .5}
	prior := must.Get(surrogate.DefaultPrior("matern52", 1))(t)
	p := must.Get(prior.Condition(x, y, nil))(t)
	must.Near(t, "log evidence", inputEvidence(prior, x, y, []float64{0, 0}), p.LogEvidence(), 1e-9)
	must.Near(t, "with a penalty", inputEvidence(prior, x, y, []float64{.75, -.75})-inputEvidenceFlat(t, prior, x, y), -1, 1e-9)
}

// inputEvidenceFlat is the evidence at A = e^.75 and B = e^-.75 without a density of these.
func inputEvidenceFlat(t *testing.T, prior surrogate.Prior, x []space.Unit, y []float64) float64 {
	t.Helper()
	return must.Get(prior.Condition(inputsOf([]float64{.75, -.75}).all(x), y, nil))(t).LogEvidence()
}

// steps has the steps given, each by three numbers.
func steps(numbers ...float64) calibration.TanhWarp {
	var w calibration.TanhWarp
	for s := range slices.Chunk(numbers, 3) {
		w.A, w.B, w.C = append(w.A, s[0]), append(w.B, s[1]), append(w.C, s[2])
	}
	return w
}

func checkGradient(t *testing.T, name string, f acquisition.Function, x space.Unit) {
	t.Helper()
	grad := make([]float64, len(x))
	must.Near(t, name, f.Gradient(x, grad), f.Value(x), 1e-12)
	for j := range x {
		up, down := slices.Clone(x), slices.Clone(x)
		up[j] += 1e-6
		down[j] -= 1e-6
		must.Near(t, fmt.Sprintf("%s, derivative %d", name, j), grad[j], (f.Value(up)-f.Value(down))/2e-6, 1e-4)
	}
}

func TestGradientsThroughAWarpAndOfAMixture(t *testing.T) {
	stream := rng.New(5, rng.Test, 44)
	x, y := scattered(3, 18, stream)
	v := recounted(t, cube(t, 3), x, y, feedback.Hallucinate)
	m := v.warped(WarpInput)
	m.inputs = inputsOf([]float64{.5, -.3, 0, .8, -.6, 0})
	mix := v.bagged(5, stream)
	for range 5 {
		at := anywhere(3, stream)
		for j := range at {
			at[j] = .05 + .9*at[j]
		}
		checkGradient(t, "input warp", m.function(v), at)
		checkGradient(t, "mixture", mix, at)
	}
}

// The mean of a warped model is that of the answers and the failed queries alone, whatever is pending.
func TestPendingQueriesDoNotMoveTheMeanOfAWarpedModel(t *testing.T) {
	stream := rng.New(6, rng.Test, 45)
	x, y := scattered(2, 15, stream)
	for kind := WarpBoxCox; kind <= WarpInput; kind++ {
		with := recounted(t, cube(t, 2), x, y, feedback.Hallucinate).withFailed([]float64{.3, .4}, -2).warped(kind)
		without := recounted(t, cube(t, 2), x, y, feedback.Ignore).withFailed([]float64{.3, .4}, -2).warped(kind)
		if with.posterior.Len() != 16 || without.posterior.Len() != 11 {
			t.Fatalf("%d and %d rows", with.posterior.Len(), without.posterior.Len())
		}
		for range 5 {
			at := anywhere(2, stream)
			must.Near(t, "mean", with.posterior.Mean(at), without.posterior.Mean(at), 1e-6)
		}
		_, a := with.posterior.Predict(x[2]) // pending
		_, b := without.posterior.Predict(x[2])
		if !(a < b/2) {
			t.Errorf("variance %v at a pending query, %v if it is ignored", a, b)
		}
	}
}

// The best of many answers counts even where the evidence is that of some of them.
func TestManyAnswersAreWarpedToo(t *testing.T) {
	stream := rng.New(10, rng.Test, 49)
	places := 4
	if Raced {
		places = 1
	}
	for best := range places {
		var x []space.Unit
		var y []float64
		for i := range 230 {
			x, y = append(x, anywhere(1, stream)), append(y, stream.Float64())
			if i == best {
				y[i] = 2
			}
		}
		v := recounted(t, cube(t, 1), x, y, feedback.Ignore)
		for kind := WarpBoxCox; kind <= WarpInput; kind++ {
			if m := v.warped(kind); m == nil || m.posterior.Len() != 230 {
				t.Errorf("no model of warp %v with the best answer at %d", kind, best)
			}
		}
	}
}

// With too few or equal answers there is nothing to learn, and the choice is that of the loop's model.
func TestAWarpThatCannotBeLearnedIsLeftOut(t *testing.T) {
	stream := rng.New(8, rng.Test, 46)
	x, y := scattered(2, 5, stream)
	y[1] = math.NaN()
	constant := []float64{3, 3, 3, 3, 3}
	for _, y := range []space.Unit{y, constant} {
		v := recounted(t, cube(t, 2), x, y, feedback.Hallucinate)
		want := chosen(t, "log-ei", v, 3)
		for _, spec := range baselines[:4] {
			got := chosen(t, spec, v, 3)
			for i := range got {
				if !slices.Equal(got[i], want[i]) {
					t.Errorf("%s chose %v, want %v", spec, got, want)
				}
			}
		}
	}
}

// Neither the units of the values, nor for the warps the order of the answers, change what is chosen.
func TestUnitsAndOrderDoNotMatterToModelsOfTheirOwn(t *testing.T) {
	stream := rng.New(2, rng.Test, 47)
	x, y := scattered(2, 14, stream)
	list := slices.Clone(x)
	for range 40 {
		list = append(list, anywhere(2, stream))
	}
	for _, s := range []space.Space{listOf(t, list), cube(t, 2)} {
		for _, spec := range baselines {
			how := feedback.Hallucinate
			want := chosen(t, spec, recounted(t, s, x, y, how), 2)
			compare := func(what string, got []space.Unit) {
				for i := range got {
					for j := range got[i] {
						must.Near(t, fmt.Sprintf("%s, list %v, %s", spec, s.Size() > 0, what), got[i][j], want[i][j], 1e-3)
					}
				}
			}
			for _, affine := range [][2]float64{{1000, 0}, {.003, 50}, {2, -7}} {
				scaled := make([]float64, len(y))
				for i, v := range y {
					scaled[i] = affine[0]*v + affine[1]
				}
				compare(fmt.Sprint("values times and plus ", affine), chosen(t, spec, recounted(t, s, x, scaled, how), 2))
			}
			if spec != "ensemble" {
				backX, backY := slices.Clone(x), slices.Clone(y)
				slices.Reverse(backX)
				slices.Reverse(backY)
				compare("backwards", chosen(t, spec, recounted(t, s, backX, backY, how), 2))
			}
		}
	}
}

func TestForecastsOfWarpedModels(t *testing.T) {
	x, y := scattered(2, 15, rng.New(9, rng.Test, 48))
	for i := range y {
		y[i] = 100 + 10*y[i]
	}
	v := recounted(t, cube(t, 2), x, y, feedback.Hallucinate)
	f := v.warped(WarpInput).forecast(v, x[0])
	must.Near(t, "forecast where an answer is, in its units", f.Shift+f.Scale*f.Mean, y[0], .005)
	if sd := f.Scale * f.Stddev; sd > 2 {
		t.Errorf("standard deviation %v where an answer is", sd)
	}
	for i, spec := range baselines {
		proposals, err := must.Get(Parse(spec))(t).Propose(v, 2, rng.New(1, rng.Policy, 1))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range proposals {
			if f := p.Forecast; (f != nil) != (i > 2) {
				t.Errorf("%s: forecast %v", spec, f)
			} else if f != nil && !(f.Shift+f.Scale*f.Mean > 80 && f.Shift+f.Scale*f.Mean < 120 && f.Scale*f.Stddev < 20) {
				t.Errorf("%s: forecast %+v", spec, *f)
			}
		}
	}
}

func TestWhatAWarpedModelRefuses(t *testing.T) {
	v := View{Round: 1, Space: line(t)}
	if _, err := (Warped{Pending: feedback.Censor}).Propose(v, 1, nil); !errors.Is(err, ErrUnsupported) {
		t.Errorf("censoring: %v", err)
	}
	if _, err := (Warped{Warp: 7}).Propose(v, 1, nil); err == nil {
		t.Error("an unknown warp was taken")
	}
	for _, spec := range []string{"warped:warp=sqrt", "warped:pending=censor", "ensemble:members=0"} {
		if _, err := Parse(spec); err == nil {
			t.Errorf("%s was parsed", spec)
		}
	}
}
