package surrogate

import (
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/space"
)

// Trend is a prior mean that is not the same everywhere: a function that never changes. It may be used by many goroutines at once.
type Trend interface {
	// At returns the value at a point, of which it looks at the coordinates of the kernel alone.
	At(x space.Unit) float64
	// AddGrad returns the value at x and adds the derivatives there to dst (length d).
	AddGrad(dst []float64, x space.Unit) float64
}

// meanAt returns the prior mean m(x).
func (p *Prior) meanAt(x space.Unit) float64 {
	if p.Trend == nil {
		return p.Mean
	}
	return p.Mean + p.Trend.At(x)
}

// addMeanGrad returns m(x) and adds its derivatives to dst.
func (p *Prior) addMeanGrad(dst []float64, x space.Unit) float64 {
	if p.Trend == nil {
		return p.Mean
	}
	return p.Mean + p.Trend.AddGrad(dst, x)
}

// meansAt returns m at each of the points; where there is no trend every one is p.Mean, and the slice nil.
func (p *Prior) meansAt(xs []space.Unit) []float64 {
	if p.Trend == nil {
		return nil
	}
	out := make([]float64, len(xs))
	for i, x := range xs {
		out[i] = p.meanAt(x)
	}
	return out
}

// rowMean returns m at observed point i.
func (p *Posterior) rowMean(i int) float64 {
	if p.rowMeans == nil {
		return p.prior.Mean
	}
	return p.rowMeans[i]
}

// poolPrior returns a new slice of m at the points of the pool.
func (p *Posterior) poolPrior() []float64 {
	if p.prior.Trend == nil {
		return filled(p.pool.Len(), p.prior.Mean)
	}
	return p.prior.meansAt(p.pool.points)
}

// NetworkTrend is the single output of a network as a prior mean.
type NetworkTrend struct {
	shape    network.Shape
	weights  []float64
	encoding Encoding
}

// NewNetworkTrend returns the trend by the network of the shape, whose single output it is, with those weights (copied), which sees points in that
// encoding; nil: as they are. A shape that is none, or has other than one output or other inputs, and weights that are not finite or not as
// many as the shape has, are errors (check.FieldError).
func NewNetworkTrend(shape network.Shape, weights []float64, encoding Encoding) (*NetworkTrend, error) {
	var l check.List
	if !shape.Valid() || shape.Outputs() != 1 {
		l.Add("NetworkTrend.Shape", shape, "inputs, layers and one output")
		return nil, l.Err()
	}
	checkWeights(&l, "NetworkTrend", shape, weights, encoding)
	shape.Layers = slices.Clone(shape.Layers)
	return &NetworkTrend{shape, slices.Clone(weights), slices.Clone(encoding)}, l.Err()
}

// checkWeights says what of a network is out of range.
func checkWeights(l *check.List, of string, shape network.Shape, weights []float64, encoding Encoding) {
	l.Require(len(weights) == shape.Weights(), of+".Weights", len(weights), fmt.Sprintf("%d numbers", shape.Weights()))
	for i, w := range weights {
		if !isFinite(w) {
			l.Finite(fmt.Sprintf("%s.Weights[%d]", of, i), w)
		}
	}
	if encoding != nil {
		l.Require(shape.Inputs == encoding.Inputs(), of+".Shape.Inputs", shape.Inputs, fmt.Sprintf("%d, as the encoding has", encoding.Inputs()))
	}
}

// At returns the output of the network. Cost that of a pass.
func (t *NetworkTrend) At(x space.Unit) float64 {
	return t.shape.NewPass(1).Forward(t.weights, t.encoding.Append(nil, x[:t.dim()]))[0]
}

// AddGrad returns the output and adds its derivatives by the coordinates. Cost that of a pass and of the way back.
func (t *NetworkTrend) AddGrad(dst []float64, x space.Unit) float64 {
	pass := t.shape.NewPass(1)
	value := pass.Forward(t.weights, t.encoding.Append(nil, x[:t.dim()]))[0]
	din := make([]float64, t.shape.Inputs)
	pass.Backward([]float64{1}, nil, din)
	t.encoding.back(dst, din)
	return value
}

func (t *NetworkTrend) dim() int {
	if t.encoding == nil {
		return t.shape.Inputs
	}
	return len(t.encoding)
}

// Encoding says how a network sees a point, by coordinate: 0, a number as it is; n ≥ 2, one of n categories, as n numbers of which that of the
// category is 1. The categories of a coordinate lie in the middles of n equal parts of [0,1], as in package space. nil: all are numbers.
type Encoding []int

// Inputs returns how many numbers a network sees.
func (e Encoding) Inputs() int {
	total := 0
	for _, categories := range e {
		total += max(categories, 1)
	}
	return total
}

// Append appends to in what a network sees of a point.
func (e Encoding) Append(in []float64, x space.Unit) []float64 {
	if e == nil {
		return append(in, x...)
	}
	for j, categories := range e {
		if categories == 0 {
			in = append(in, x[j])
			continue
		}
		at := len(in)
		for range categories {
			in = append(in, 0)
		}
		in[at+category(x[j], categories)] = 1
	}
	return in
}

// category is the number of the one that a coordinate is nearest to.
func category(u float64, categories int) int {
	return min(max(int(u*float64(categories)), 0), categories-1)
}

// back adds to dst the derivatives by the coordinates for those by what a network sees; there are none by categories.
func (e Encoding) back(dst, din []float64) {
	if e == nil {
		for j, v := range din {
			dst[j] += v
		}
		return
	}
	at := 0
	for j, categories := range e {
		if categories == 0 {
			dst[j] += din[at]
		}
		at += max(categories, 1)
	}
}
