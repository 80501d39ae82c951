package policies

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// plainView has n values of two parameters at random points, in units of 10 around 50, and some rows behind them without one. The best is the second.
func plainView(t *testing.T, n, open int, known []float64) View {
	t.Helper()
	stream, v := rng.New(1, rng.Test, 0), View{}
	var targets []float64
	var x []space.Unit
	for i := range n + open {
		x = append(x, space.Unit{stream.Float64(), stream.Float64()})
		targets = append(targets, math.Sin(9*x[i][0])+x[i][1])
		v.Rows = append(v.Rows, i+1)
		if i < n {
			if i == 1 {
				targets[i] = 4
			}
			v.History = append(v.History, Answer{Query: Query{Number: i + 1, X: x[i]}, Value: 50 + 10*targets[i]})
		}
	}
	prior := surrogate.Prior{Kernel: surrogate.WithConstant(surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{.3, .7}, Outputscale: 2}, 1), Noise: 1e-6, Mean: 3}
	v.Posterior = must.Get(prior.ConditionKnown(x, targets, known, nil))(t)
	v.Belief = model.Belief{Posterior: v.Posterior, Rows: v.Rows, Units: feedback.Units{Shift: 50, Scale: 10}}
	return v
}

// Of a parameter that depends on another one a plain model expects no long lengthscale; the others have theirs, and so has the model that it comes from.
func TestAPlainModelDoubtsLongLengthscalesOfParametersThatDependOnOthers(t *testing.T) {
	v := plainView(t, 30, 3, nil)
	for _, conditional := range []bool{false, true} {
		second := space.Float("b", 0, 1)
		if conditional {
			second = second.When("a", "1")
		}
		v.Space = must.Get(space.New(space.Int("a", 0, 1), second))(t)
		m, _ := v.plainly()
		got, ok := v.plain(m)
		if !ok {
			t.Fatal("no plain model")
		}
		kernel, _ := stationary(got.Posterior.Prior().Kernel)
		before, _ := stationary(v.Posterior.Prior().Kernel)
		if want := map[bool][]float64{false: {.3, .7}, true: {.3, .3}}[conditional]; !slices.Equal(kernel.Lengthscales, want) || !slices.Equal(before.Lengthscales, []float64{.3, .7}) {
			t.Errorf("conditional %v: %v of %v; want %v", conditional, kernel.Lengthscales, before.Lengthscales, want)
		}
	}
}

// A plain model is the dumb one: Matérn-5/2 with the same lengthscales on standardized values, the rows without a value at what it expects of them.
func TestAPlainModelIsThatOfStandardizedValues(t *testing.T) {
	v := plainView(t, 30, 3, nil)
	m, ok := v.plainly()
	got, also := v.plain(m)
	if !ok || !also || len(m.rows) != 33 {
		t.Fatalf("no plain model: %v, %v, %d rows", ok, also, len(m.rows))
	}
	mean, square := 0., 0.
	for _, a := range v.History {
		mean, square = mean+a.Value/30, square+a.Value*a.Value/30
	}
	stddev := math.Sqrt(square - mean*mean)
	var x []space.Unit
	var y []float64
	for _, a := range v.History {
		x, y = append(x, a.Query.X), append(y, (a.Value-mean)/stddev)
	}
	prior := surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{.3, .7}, Outputscale: 1}, Noise: 1e-6}
	dumb := must.Get(prior.Condition(x, y, nil))(t)
	for i := range 3 {
		x, y = append(x, v.Posterior.X(30+i)), append(y, dumb.Mean(v.Posterior.X(30+i)))
	}
	dumb = must.Get(prior.Condition(x, y, nil))(t)
	stream := rng.New(2, rng.Test, 0)
	for range 50 {
		at := space.Unit{stream.Float64(), stream.Float64()}
		wantMean, wantVariance := dumb.Predict(at)
		gotMean, gotVariance := got.Posterior.Predict(at)
		must.Near(t, "mean", gotMean, wantMean, 1e-6)
		must.Near(t, "variance", gotVariance, wantVariance, 1e-6)
		must.Near(t, "value", got.Units.From(gotMean), mean+stddev*wantMean, 1e-4)
	}
	if !slices.Equal(got.Rows, v.Rows) {
		t.Errorf("rows %v, want %v", got.Rows, v.Rows)
	}
}

// Of many values 256 count, evenly spread, and the best; all rows without one do.
func TestAPlainModelOfManyValuesHasSomeOfThem(t *testing.T) {
	v := plainView(t, 1000, 5, nil)
	m, ok := v.plainly()
	seen := len(m.rows) - 5
	if !ok || seen < plainRows-2 || seen > plainRows+1 || !slices.Contains(m.rows, 1) || m.rows[len(m.rows)-5] != 1000 || !slices.IsSorted(m.rows) {
		t.Errorf("%v, %d rows %v", ok, len(m.rows), m.rows)
	}
	for k := 1; k < seen; k++ {
		if m.rows[k]-m.rows[k-1] > 5 {
			t.Fatalf("a gap from %d to %d", m.rows[k-1], m.rows[k])
		}
	}
	if far, ok := v.plain(m); !ok || far.Posterior.Len() != len(m.rows) || len(far.Rows) != len(m.rows) || far.Rows[len(far.Rows)-1] != 1005 {
		t.Errorf("%v, rows %v", ok, far.Rows)
	}
}

// There is none of equal values, of two, or of a kernel of sums; an outlier is not in it.
func TestWhereThereIsNoPlainModel(t *testing.T) {
	outlier := make([]float64, 20)
	outlier[7] = 25
	v := plainView(t, 20, 0, outlier)
	if m, ok := v.plainly(); !ok || len(m.rows) != 19 || slices.Contains(m.rows, 7) {
		t.Errorf("with an outlier %v, rows %v", ok, m.rows)
	}
	m, _ := v.plainly()
	sum := v
	sum.Posterior = must.Get(surrogate.Prior{Kernel: must.Get(surrogate.NewKernel("additive-se", 2))(t)}.Condition(rowsAt(v), v.Posterior.Targets(), nil))(t)
	if _, ok := sum.plain(m); ok {
		t.Error("a plain model of a sum")
	}
	for i := range v.History {
		v.History[i].Value = 7
	}
	if _, ok := v.plainly(); ok {
		t.Error("a plain model of equal values")
	}
	if _, ok := plainView(t, 2, 4, nil).plainly(); ok {
		t.Error("a plain model of two values")
	}
}

func rowsAt(v View) (x []space.Unit) {
	for i := range v.Posterior.Len() {
		x = append(x, v.Posterior.X(i))
	}
	return x
}
