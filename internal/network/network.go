// Package network is a small network of hyperbolic tangents with exact derivatives, by its weights and by its inputs. It is pure: a
// shape knows no weights, which are a vector that the caller owns, and a pass over points keeps what it computed in memory of its own.
package network

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Shape is how many numbers go in, and how many each layer gives out. A layer is tanh(W u/√n + b) of what goes in, u of length n: with
// weights of the variance σ² each of its sums has the variance σ² |u|²/n + σ² however wide the network is (Jacot, Gabriel & Hongler 2018).
type Shape struct {
	Inputs int
	Layers []int
	// Plain leaves the root out, as most networks do: weights are greater by √n for the same function.
	Plain bool
	// Linear has the sums of the last layer come out as they are.
	Linear bool
}

// Valid reports whether there are inputs and layers.
func (s Shape) Valid() bool {
	valid := s.Inputs >= 1 && len(s.Layers) >= 1
	for _, n := range s.Layers {
		valid = valid && n >= 1
	}
	return valid
}

// Outputs returns how many numbers come out.
func (s Shape) Outputs() int { return s.Layers[len(s.Layers)-1] }

// Weights returns how many weights there are: of each layer its matrix by rows, one for each number that comes out, then its offsets.
func (s Shape) Weights() int {
	total, in := 0, s.Inputs
	for _, out := range s.Layers {
		total += out * (in + 1)
		in = out
	}
	return total
}

// layer is what the weights of one layer are.
type layer struct {
	matrix blas64.General
	offset []float64
	scale  float64 // of the matrix
}

// layer returns one layer of the weights, and what is left of them for later ones.
func (s Shape) layer(i int, weights []float64) (layer, []float64) {
	in, out := s.Inputs, s.Layers[i]
	if i > 0 {
		in = s.Layers[i-1]
	}
	l := layer{general(weights[:out*in], out, in), weights[out*in : out*(in+1)], 1}
	if !s.Plain {
		l.scale = 1 / math.Sqrt(float64(in))
	}
	return l, weights[out*(in+1):]
}

func general(data []float64, rows, columns int) blas64.General {
	return blas64.General{Rows: rows, Cols: columns, Stride: columns, Data: data}
}

func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Inc: 1, Data: v} }

// Pass is a way through the network for a number of points at once. It is used again for other weights and points of the same number, and
// then allocates nothing; it is for one goroutine. Memory: twice the widths of all layers for each point.
type Pass struct {
	shape  Shape
	points int
	in     []float64   // points × Inputs, the caller's
	out    [][]float64 // of each layer, points × its width
	slopes [][]float64 // the same for the derivatives by the sums
	layers []layer
}

// NewPass returns a pass for so many points. A shape that is not valid is a bug and panics.
func (s Shape) NewPass(points int) *Pass {
	if !s.Valid() {
		panic("network: no inputs or no layers")
	}
	p := &Pass{shape: s, points: points, layers: make([]layer, len(s.Layers))}
	for _, width := range s.Layers {
		p.out = append(p.out, make([]float64, points*width))
		p.slopes = append(p.slopes, make([]float64, points*width))
	}
	return p
}

// Forward returns what comes out (points × Outputs, by rows) for what goes in (points × Inputs, by rows; kept for Backward). It must not be
// changed, and holds until the next call. Slices of another length are bugs and panic. Cost O(points · weights).
func (p *Pass) Forward(weights, in []float64) []float64 {
	if len(weights) != p.shape.Weights() || len(in) != p.points*p.shape.Inputs {
		panic("network: wrong number of weights or inputs")
	}
	p.in = in
	for i, width := range p.shape.Layers {
		var l layer
		l, weights = p.shape.layer(i, weights)
		p.layers[i] = l
		out, below := p.out[i], p.below(i)
		for r := range p.points { // one by one, so that a point comes out to the bit as it does alone
			copy(out[r*width:(r+1)*width], l.offset)
			blas64.Gemv(blas.NoTrans, l.scale, l.matrix, vector(below.Data[r*below.Cols:(r+1)*below.Cols]), 1, vector(out[r*width:(r+1)*width]))
		}
		if p.bends(i) {
			for k, v := range out {
				out[k] = tanh(v)
			}
		}
	}
	return p.Outputs()
}

// bends reports whether a layer has a hyperbolic tangent.
func (p *Pass) bends(layer int) bool { return !p.shape.Linear || layer < len(p.shape.Layers)-1 }

// Outputs returns what the last Forward returned.
func (p *Pass) Outputs() []float64 { return p.out[len(p.out)-1] }

// below is what goes into a layer.
func (p *Pass) below(i int) blas64.General {
	if i == 0 {
		return general(p.in, p.points, p.shape.Inputs)
	}
	return general(p.out[i-1], p.points, p.shape.Layers[i-1])
}

// Backward adds to dweights and to din (points × Inputs) the derivatives of Σ dout · out, where out is what the last Forward returned and dout
// (points × Outputs) are numbers; either may be nil. The weights must be those of Forward. Cost about twice that of Forward, half of it
// where one is nil. Slices of another length are bugs and panic.
func (p *Pass) Backward(dout, dweights, din []float64) {
	last := len(p.out) - 1
	if len(dout) != len(p.out[last]) || dweights != nil && len(dweights) != p.shape.Weights() || din != nil && len(din) != len(p.in) {
		panic("network: derivatives of another length")
	}
	copy(p.slopes[last], dout)
	end := len(dweights)
	for i := last; i >= 0; i-- {
		l, width := p.layers[i], p.shape.Layers[i]
		slopes := p.slopes[i]
		if p.bends(i) {
			for k, v := range p.out[i] {
				slopes[k] *= 1 - v*v
			}
		}
		upper := general(slopes, p.points, width)
		if dweights != nil {
			start := end - width*(l.matrix.Cols+1)
			d, _ := p.shape.layer(i, dweights[start:end])
			blas64.Gemm(blas.Trans, blas.NoTrans, l.scale, upper, p.below(i), 1, d.matrix)
			for r := range p.points {
				for k, v := range slopes[r*width : (r+1)*width] {
					d.offset[k] += v
				}
			}
			end = start
		}
		switch {
		case i > 0:
			blas64.Gemm(blas.NoTrans, blas.NoTrans, l.scale, upper, l.matrix, 0, general(p.slopes[i-1], p.points, l.matrix.Cols))
		case din != nil:
			blas64.Gemm(blas.NoTrans, blas.NoTrans, l.scale, upper, l.matrix, 1, general(din, p.points, l.matrix.Cols))
		}
	}
}

func tanh(x float64) float64 { return math.Tanh(x) }
