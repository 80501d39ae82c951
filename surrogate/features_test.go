package surrogate

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/space"
)

// wideFeatures is a kernel of two coordinates and a fidelity, of the size that learns.
func wideFeatures(t testing.TB) Features {
	t.Helper()
	shape := network.Shape{Inputs: 2, Layers: []int{64, 64, 64}}
	k, err := NewFeatures(shape, randomTargets(stream(631), shape.Weights()), &FidelityAxis{At: 1, Levels: 3})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestFeaturesByHand(t *testing.T) {
	weights := []float64{0.8, -0.3, 0.2, 1.1, 0.1, -0.2}
	k, err := NewFeatures(network.Shape{Inputs: 2, Layers: []int{2}, Plain: true}, weights, &FidelityAxis{At: 0, Levels: 4})
	if err != nil {
		t.Fatal(err)
	}
	psi := func(x, y float64) (float64, float64) {
		return math.Tanh(0.8*x - 0.3*y + 0.1), math.Tanh(0.2*x + 1.1*y - 0.2)
	}
	u, v := psi(0.1, 0.2)
	p, q := psi(0.4, 0.9)
	levels := 3 * (1 - 1./3)
	want := 1.7 * math.Exp(-((u-p)*(u-p)+(v-q)*(v-q))/0.25-0.6*levels*levels)
	got := k.WithValues([]float64{0.5, 1.7, 0.6}).Eval(space.Unit{1, 0.1, 0.2}, space.Unit{1. / 3, 0.4, 0.9})
	near(t, "k", got, want, 1e-14)
}

// What a posterior keeps of its points are the numbers that the kernel computes of points as they are.
func TestFeaturesThatAreKeptAreThoseOfThePoints(t *testing.T) {
	r := stream(632)
	k := wideFeatures(t)
	xs := randomPoints(r, 70, 3)
	pool := NewPool(k, append(xs[:5:5], randomPoints(r, 5, 3)...), false)
	post := condition(t, Prior{Kernel: k, Noise: 0.01}, xs, randomTargets(r, 70), pool).Remove(3).Append(xs[3], 0.4)
	row := make([]float64, 70)
	for _, x := range randomPoints(r, 3, 3) {
		k.Row(row, x, post.x)
		for i := range row {
			if want := k.Eval(x, post.X(i)); row[i] != want || len(post.X(i)) != 3 {
				t.Fatalf("covariance %v, of what is kept %v", want, row[i])
			}
		}
	}
	for i := range 5 {
		near(t, "pool", post.PoolMean()[i], post.Mean(xs[i]), 1e-9)
		if !slices.Contains(post.index, i) {
			t.Errorf("row %d is not found in the pool", i)
		}
	}
}

// Hyperparameters do not tell networks apart, but names do: a pool that was made for other weights is found out.
func TestTheNameOfFeaturesTellsTheirWeightsApart(t *testing.T) {
	k := wideFeatures(t)
	weights := slices.Clone(k.net.weights)
	same, _ := NewFeatures(k.net.shape, weights, &k.axis)
	weights[5] = math.Nextafter(weights[5], 9)
	other, _ := NewFeatures(k.net.shape, weights, &k.axis)
	elsewhere, _ := NewFeatures(k.net.shape, k.net.weights, &FidelityAxis{At: 0, Levels: 3})
	if same.Name() != k.Name() || other.Name() == k.Name() || elsewhere.Name() == k.Name() || !strings.HasPrefix(k.Name(), "features-") {
		t.Errorf("names %s, %s, %s, %s", k.Name(), same.Name(), other.Name(), elsewhere.Name())
	}
	if _, err := (Prior{Kernel: other, Noise: 1}).Condition(nil, nil, NewPool(k, nil, false)); err == nil {
		t.Error("the pool of another network was taken")
	}
}

func TestWhatIsNoNetworkIsRefused(t *testing.T) {
	shape := network.Shape{Inputs: 2, Layers: []int{3}}
	for want, try := range map[string]func() (Features, error){
		"Features.Shape = {2 [] false false}: want inputs and layers": func() (Features, error) { return NewFeatures(network.Shape{Inputs: 2}, nil, nil) },
		"Features.Weights = 8: want 9 numbers":                        func() (Features, error) { return NewFeatures(shape, make([]float64, 8), nil) },
		"Features.Weights[4] = NaN": func() (Features, error) {
			return NewFeatures(shape, []float64{0, 0, 0, 0, math.NaN(), 0, 0, 0, 0}, nil)
		},
		"Features.At = 3: want 0 ≤ At ≤ 2":     func() (Features, error) { return NewFeatures(shape, make([]float64, 9), &FidelityAxis{3, 2}) },
		"Features.Levels = 1: want at least 2": func() (Features, error) { return NewFeatures(shape, make([]float64, 9), &FidelityAxis{0, 1}) },
	} {
		if _, err := try(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func BenchmarkFeatures(b *testing.B) {
	r := stream(633)
	k := wideFeatures(b)
	post := condition(b, Prior{Kernel: k, Noise: 0.01}, randomPoints(r, 200, 3), randomTargets(r, 200), nil)
	xs := randomPoints(r, 16, 3)
	row, mean, variance := make([]float64, 200), make([]float64, 16), make([]float64, 16)
	dmean, dvar := vectors(16, 3), vectors(16, 3)
	q := NewPredictor(post, 16)
	for _, o := range []struct {
		name string
		do   func()
	}{
		{"row", func() { k.Row(row, xs[0], post.x) }},
		{"predict16", func() { q.Predict(xs, mean, variance) }},
		{"gradient16", func() { q.PredictGrad(xs, mean, variance, dmean, dvar) }},
		{"append", func() { post.Append(xs[0], 0) }},
		{"draw", func() { post.Draw(r, 512) }},
		{"condition", func() {
			condition(b, post.prior, randomPoints(r, 200, 3), floats.Span(make([]float64, 200), 0, 1), nil)
		}},
	} {
		b.Run(o.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				o.do()
			}
		})
	}
}
