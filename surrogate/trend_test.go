package surrogate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// wave is a trend with a formula.
type wave struct{}

func (wave) At(x space.Unit) float64 { return math.Sin(3*x[0]) - x[1]*x[1] }

func (w wave) AddGrad(dst []float64, x space.Unit) float64 {
	dst[0] += 3 * math.Cos(3*x[0])
	dst[1] -= 2 * x[1]
	return w.At(x)
}

// trended are a prior with a trend and the same without, on whose targets the trend is not.
func trended(t testing.TB) (with, without Prior, x []space.Unit, y, rest []float64) {
	t.Helper()
	k := Stationary{Matern52, []float64{0.4, 0.7}, 1.3, nil, 0, 0}
	with, without = Prior{Kernel: k, Noise: 0.02, Mean: 0.3, Trend: wave{}}, Prior{Kernel: k, Noise: 0.02, Mean: 0.3}
	stream := rng.New(3, rng.Test, 40)
	for range 20 {
		point := space.Unit{stream.Float64(), stream.Float64()}
		v := stream.NormFloat64()
		x, y, rest = append(x, point), append(y, v), append(rest, v-wave{}.At(point))
	}
	return with, without, x, y, rest
}

// Whatever a posterior says is what that of the residuals says, plus the trend.
func TestATrendIsAddedToThePosteriorOfTheResiduals(t *testing.T) {
	with, without, x, y, rest := trended(t)
	points := [][]space.Unit{x, {{0.1, 0.9}, {0.5, 0.5}, {0.8, 0.2}}}[1]
	a := must.Get(with.Condition(x[:15], y[:15], NewPool(with.Kernel, points, true)))(t)
	b := must.Get(without.Condition(x[:15], rest[:15], NewPool(with.Kernel, points, true)))(t)
	steps := map[string]func(p *Posterior, y []float64) *Posterior{
		"conditioned":  func(p *Posterior, _ []float64) *Posterior { return p },
		"appended":     func(p *Posterior, y []float64) *Posterior { return p.Append(x[15], y[15]).Append(x[16], y[16]) },
		"removed":      func(p *Posterior, _ []float64) *Posterior { return p.Remove(3) },
		"hallucinated": func(p *Posterior, y []float64) *Posterior { return p.Hallucinate(y[:15], []int{2, 14}) },
		"revised": func(p *Posterior, y []float64) *Posterior {
			return p.Revise([]Edit{{X: x[15]}, {Row: 0}, {X: x[17]}}, append(append(append([]float64{}, y[1:15]...), y[15]), y[17]), []int{1})
		},
		"other pool": func(p *Posterior, _ []float64) *Posterior { return p.WithPool(NewPool(with.Kernel, points[1:], true)) },
	}
	for name, step := range steps {
		p, q := step(a, y), step(b, rest)
		compareTrended(t, name, p, q)
	}
}

func compareTrended(t *testing.T, name string, p, q *Posterior) {
	t.Helper()
	const tolerance = 1e-10
	must.Near(t, name+": evidence", p.LogEvidence(), q.LogEvidence(), tolerance)
	for i := range p.Pool().Len() {
		x := p.Pool().Point(i)
		must.Near(t, name+": pool", p.PoolMean()[i], q.PoolMean()[i]+wave{}.At(x), tolerance)
		must.Near(t, name+": pool variance", p.PoolVariance()[i], q.PoolVariance()[i], tolerance)
	}
	x := space.Unit{0.33, 0.77}
	m, v := p.Predict(x)
	n, w := q.Predict(x)
	must.Near(t, name+": mean", m, n+wave{}.At(x), tolerance)
	must.Near(t, name+": mean alone", p.Mean(x), m, tolerance)
	must.Near(t, name+": variance", v, w, tolerance)
	for i, mean := range p.RowMeans() {
		must.Near(t, name+": row", mean, q.RowMeans()[i]+wave{}.At(p.X(i)), 1e-8)
	}
	dm, dv, only := make([]float64, 2), make([]float64, 2), make([]float64, 2)
	must.Near(t, name+": mean with slope", first(p.PredictGrad(x, dm, dv)), m, tolerance)
	must.Near(t, name+": mean grad", p.MeanGrad(x, only), m, tolerance)
	must.Near(t, name+": predictor", NewPredictor(p, 1).MeanGrad(x, only), m, tolerance)
	want := fd.Gradient(nil, func(x []float64) float64 { return p.Mean(x) }, x, &fd.Settings{Formula: fd.Central})
	if !floats.EqualApprox(dm, want, 1e-6) || !floats.EqualApprox(only, want, 1e-6) {
		t.Errorf("%s: slopes %v and %v, differences say %v", name, dm, only, want)
	}
	two, target := NewPredictor(p, 2), space.Unit{0.6, 0.1}
	slopes := NewPairSlopes(2)
	must.Near(t, name+": pair", two.PairGrad(x, target, slopes).Mean, p.Mean(target), tolerance)
	if p.MeanGrad(target, only); !floats.EqualApprox(slopes.Mean, only, 1e-10) {
		t.Errorf("%s: slopes of a pair %v, want %v", name, slopes.Mean, only)
	}
}

func first(a, _ float64) float64 { return a }

func TestDrawsWithATrendAreDrawsOfTheResidualsPlusIt(t *testing.T) {
	with, without, x, y, rest := trended(t)
	pool := NewPool(with.Kernel, x, true)
	a, b := must.Get(with.Condition(x, y, pool))(t), must.Get(without.Condition(x, rest, pool))(t)
	f, g := a.Draw(rng.New(1, rng.Test, 1), 200), b.Draw(rng.New(1, rng.Test, 1), 200)
	at := space.Unit{0.2, 0.6}
	must.Near(t, "draw", f.At(at), g.At(at)+wave{}.At(at), 1e-9)
	grad := make([]float64, 2)
	must.Near(t, "draw with slope", f.Grad(at, grad), f.At(at), 1e-9)
	want := fd.Gradient(nil, func(x []float64) float64 { return f.At(x) }, at, &fd.Settings{Formula: fd.Central})
	if !floats.EqualApprox(grad, want, 1e-5) {
		t.Errorf("slopes %v, differences say %v", grad, want)
	}
	c, d := a.DrawPool(rng.New(1, rng.Test, 2)), b.DrawPool(rng.New(1, rng.Test, 2))
	joint, other := a.DrawJoint(rng.New(1, rng.Test, 3)), b.DrawJoint(rng.New(1, rng.Test, 3))
	for i := range x {
		must.Near(t, "pool draw", c[i], d[i]+wave{}.At(x[i]), 1e-8)
		must.Near(t, "joint draw", joint[i], other[i]+wave{}.At(x[i]), 1e-8)
	}
}

func TestAFitWithATrendIsThatOfTheResiduals(t *testing.T) {
	with, without, x, y, rest := trended(t)
	p, report, err := Fit(with, x, y, FitOptions{}, nil)
	q, other, err2 := Fit(without, x, rest, FitOptions{}, nil)
	if err != nil || err2 != nil || p.Trend == nil {
		t.Fatal(err, err2, p)
	}
	must.Near(t, "evidence", report.LogEvidence, other.LogEvidence, 1e-6)
	must.Near(t, "noise", p.Noise, q.Noise, 1e-5)
}

func TestANetworkTrendHasSlopesByTheCoordinates(t *testing.T) {
	encoding := Encoding{0, 3, 0}
	shape := network.Shape{Inputs: encoding.Inputs(), Layers: []int{6, 1}, Linear: true}
	stream, weights := rng.New(3, rng.Test, 41), make([]float64, shape.Weights())
	for i := range weights {
		weights[i] = stream.NormFloat64()
	}
	trend := must.Get(NewNetworkTrend(shape, weights, encoding))(t)
	x, grad := space.Unit{0.2, 0.5, 0.7}, []float64{1, 1, 1}
	must.Near(t, "value", trend.AddGrad(grad, x), trend.At(x), 1e-15)
	want := fd.Gradient(nil, func(x []float64) float64 { return trend.At(x) }, x, &fd.Settings{Formula: fd.Central})
	if want[1] != 0 || !floats.EqualApprox(grad, []float64{1 + want[0], 1, 1 + want[2]}, 1e-8) {
		t.Errorf("slopes %v, differences say %v", grad, want)
	}
	if trend.At(x) == trend.At(space.Unit{0.2, 1. / 6, 0.7}) || trend.At(x) != trend.At(space.Unit{0.2, 0.51, 0.7}) {
		t.Error("categories are not told apart by the coordinate")
	}
	for _, shape := range []network.Shape{{}, {Inputs: 5, Layers: []int{2}}, {Inputs: 4, Layers: []int{1}}, {Inputs: 5, Layers: []int{1}}} {
		if _, err := NewNetworkTrend(shape, []float64{1, 2, 3, math.NaN(), 1, 1}, encoding); err == nil {
			t.Errorf("%+v was taken", shape)
		}
	}
}
