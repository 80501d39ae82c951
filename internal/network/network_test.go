package network

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/rng"
)

func normal(n int, index uint64) []float64 {
	stream, out := rng.New(7, rng.Test, index), make([]float64, n)
	for i := range out {
		out[i] = stream.NormFloat64()
	}
	return out
}

func TestANetworkByHand(t *testing.T) {
	weights := []float64{0.8, -0.3, 0.2, 1.1, 0.1, -0.2, 2, 0.5, 0.3} // two by two, then one by two
	plain := Shape{Inputs: 2, Layers: []int{2, 1}, Plain: true}.NewPass(2)
	in := []float64{0.1, 0.2, 0.4, 0.9}
	got := plain.Forward(weights, in)
	scaled := slices.Clone(Shape{Inputs: 2, Layers: []int{2, 1}}.NewPass(2).Forward(weights, in))
	for r := range 2 {
		for _, c := range []struct{ got, root float64 }{{got[r], 1}, {scaled[r], math.Sqrt2}} {
			a, b := in[2*r]/c.root, in[2*r+1]/c.root
			u, v := math.Tanh(0.8*a-0.3*b+0.1), math.Tanh(0.2*a+1.1*b-0.2)
			if want := math.Tanh((2*u+0.5*v)/c.root + 0.3); math.Abs(c.got-want) > 1e-15 {
				t.Errorf("point %d: %v, want %v", r, c.got, want)
			}
		}
	}
}

func TestALinearLayerIsSums(t *testing.T) {
	weights := []float64{0.8, -0.3, 0.2, 1.1, 0.1, -0.2, 2, 0.5, 0.3}
	got := Shape{Inputs: 2, Layers: []int{2, 1}, Plain: true, Linear: true}.NewPass(1).Forward(weights, []float64{0.4, 0.9})
	bent := Shape{Inputs: 2, Layers: []int{2, 1}, Plain: true}.NewPass(1).Forward(weights, []float64{0.4, 0.9})
	if math.Tanh(got[0]) != bent[0] || got[0] < 0.9 {
		t.Errorf("%v, bent %v", got, bent)
	}
}

func TestDerivativesAgreeWithDifferences(t *testing.T) {
	for _, shape := range []Shape{{Inputs: 3, Layers: []int{5, 4, 2}}, {Inputs: 2, Layers: []int{3}, Plain: true}, {Inputs: 3, Layers: []int{4, 2}, Linear: true}, {Inputs: 3, Layers: []int{1}, Linear: true}} {
		const points = 4
		p := shape.NewPass(points)
		weights, in, dout := normal(shape.Weights(), 1), normal(points*shape.Inputs, 2), normal(points*shape.Outputs(), 3)
		dweights, din := make([]float64, len(weights)), make([]float64, len(in))
		for range 2 { // the second pass finds the memory of the first
			p.Forward(weights, in)
			p.Backward(dout, dweights, nil)
			p.Backward(dout, nil, din)
			p.Backward(dout, dweights, din)
		}
		floats.Scale(0.25, dweights)
		floats.Scale(0.25, din)
		central := &fd.Settings{Formula: fd.Central}
		byWeights := fd.Gradient(nil, func(w []float64) float64 { return floats.Dot(dout, shape.NewPass(points).Forward(w, in)) }, weights, central)
		byInputs := fd.Gradient(nil, func(x []float64) float64 { return floats.Dot(dout, shape.NewPass(points).Forward(weights, x)) }, in, central)
		if !floats.EqualApprox(dweights, byWeights, 1e-8) || !floats.EqualApprox(din, byInputs, 1e-8) {
			t.Errorf("%+v: %v and %v, differences say %v and %v", shape, dweights, din, byWeights, byInputs)
		}
	}
}

// A point comes out as it does alone.
func TestPointsDoNotKnowOfEachOther(t *testing.T) {
	const points, width = 300, 130
	shape := Shape{Inputs: 3, Layers: []int{width, width}}
	weights, in := normal(shape.Weights(), 4), normal(3*points, 5)
	all := shape.NewPass(points).Forward(weights, in)
	one := shape.NewPass(1)
	for r := range points {
		if got := one.Forward(weights, in[3*r:3*r+3]); !slices.Equal(got, all[width*r:width*(r+1)]) {
			t.Fatalf("point %d comes out otherwise in company", r)
		}
	}
}

func TestWrongLengthsPanic(t *testing.T) {
	shape := Shape{Inputs: 1, Layers: []int{2}}
	p := shape.NewPass(1)
	p.Forward(make([]float64, 4), make([]float64, 1))
	for what, f := range map[string]func(){
		"weights":     func() { p.Forward(make([]float64, 3), make([]float64, 1)) },
		"inputs":      func() { p.Forward(make([]float64, 4), make([]float64, 2)) },
		"derivatives": func() { p.Backward(make([]float64, 1), nil, nil) },
		"by weights":  func() { p.Backward(make([]float64, 2), make([]float64, 3), nil) },
		"by inputs":   func() { p.Backward(make([]float64, 2), nil, make([]float64, 2)) },
		"no layer":    func() { Shape{Inputs: 1}.NewPass(1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", what)
				}
			}()
			f()
		}()
	}
}

func TestAPassAllocatesNothing(t *testing.T) {
	shape := Shape{Inputs: 3, Layers: []int{16, 16}}
	p := shape.NewPass(20)
	weights, in, dout := normal(shape.Weights(), 6), normal(60, 7), normal(20*16, 8)
	dweights, din := make([]float64, len(weights)), make([]float64, len(in))
	if n := testing.AllocsPerRun(10, func() {
		p.Forward(weights, in)
		p.Backward(dout, dweights, din)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkPass(b *testing.B) {
	shape := Shape{Inputs: 3, Layers: []int{64, 64, 64}}
	weights := normal(shape.Weights(), 9)
	for _, points := range []int{1, 50} {
		p, in, dout := shape.NewPass(points), normal(3*points, 10), normal(64*points, 11)
		dweights, din := make([]float64, len(weights)), make([]float64, len(in))
		name := map[int]string{1: "alone", 50: "fifty"}[points]
		b.Run("forward/"+name, func(b *testing.B) {
			for b.Loop() {
				p.Forward(weights, in)
			}
		})
		b.Run("backward/"+name, func(b *testing.B) {
			for b.Loop() {
				p.Backward(dout, dweights, din)
			}
		})
	}
}
