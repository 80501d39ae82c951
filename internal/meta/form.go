// Package meta learns a prior over functions from earlier tasks: a Gaussian process whose mean and kernel are networks, of which the tasks say what the
// weights are (Rothfuss et al. 2021, PACOH-GP; Zhang 2024, ch. 3, WFEM-GP). It is pure: what is random comes from the stream that is given, and who steps
// decides how often.
package meta

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/surrogate"
)

// Form is what a prior looks like before its weights are known: mean m(x), the single output of one network, and covariance v exp(-|ψ(x) - ψ(x')|²/r²), where ψ
// is another. Its numbers θ are the weights of the mean, those of ψ, and the logarithms of radius r, outputscale v and noise λ.
type Form struct {
	Mean     network.Shape // of one output
	Features network.Shape
	Encoding surrogate.Encoding // of points for both; nil: as they are
}

// NewForm returns the usual form over points of that encoding: hidden layers of hyperbolic tangents, and linear last ones.
func NewForm(encoding surrogate.Encoding, mean, features []int) Form {
	in := encoding.Inputs()
	return Form{
		Mean:     network.Shape{Inputs: in, Layers: append(append([]int(nil), mean...), 1), Linear: true},
		Features: network.Shape{Inputs: in, Layers: features, Linear: true},
		Encoding: encoding,
	}
}

// hypers are how many numbers come behind the weights.
const hypers = 3

// Len returns how many numbers θ has.
func (f Form) Len() int { return f.Mean.Weights() + f.Features.Weights() + hypers }

// Validate reports what is no form, as check.FieldError.
func (f Form) Validate() error {
	var l check.List
	l.Require(f.Mean.Valid() && f.Mean.Outputs() == 1, "Form.Mean", f.Mean.Layers, "inputs, layers and one output")
	l.Require(f.Features.Valid() && f.Features.Inputs == f.Mean.Inputs, "Form.Features", f.Features.Layers, "layers, and the inputs of Mean")
	if f.Encoding != nil {
		l.Require(f.Encoding.Inputs() == f.Mean.Inputs, "Form.Encoding", f.Encoding, fmt.Sprintf("%d inputs, as Mean has", f.Mean.Inputs))
	}
	return l.Err()
}

// Prior returns the prior that θ describes. An error says what of it is out of range.
func (f Form) Prior(theta []float64) (surrogate.Prior, error) {
	if err := f.Validate(); err != nil {
		return surrogate.Prior{}, err
	}
	if len(theta) != f.Len() {
		return surrogate.Prior{}, &check.FieldError{Field: "Theta", Value: len(theta), Want: fmt.Sprintf("%d numbers", f.Len())}
	}
	mean, weights, tail := f.split(theta)
	trend, err := surrogate.NewNetworkTrend(f.Mean, mean, f.Encoding)
	if err != nil {
		return surrogate.Prior{}, err
	}
	k, err := surrogate.NewEncodedFeatures(f.Features, weights[:len(weights)-hypers], f.Encoding)
	if err != nil {
		return surrogate.Prior{}, err
	}
	prior := surrogate.Prior{Kernel: k.WithParams(tail[:hypers-1]), Noise: math.Exp(tail[hypers-1]), Trend: trend}
	return prior, prior.Validate()
}

// split returns the weights of the mean, those of the features with what comes behind them, and that alone.
func (f Form) split(theta []float64) (mean, rest, tail []float64) {
	w := f.Mean.Weights()
	return theta[:w], theta[w:], theta[len(theta)-hypers:]
}

// Hyper are hyperparameters that are not learned.
type Hyper struct{ Radius, Outputscale, Noise float64 }

// belief is what is believed of θ before any task: weights are normal around zero, and so are the logarithms of hyperparameters around their mean.
type belief struct {
	deviation float64 // of weights
	fixed     *Hyper
}

// laws are what is believed of the logarithms of radius, outputscale and noise, for standardized values.
var laws = [hypers]surrogate.Logarithm{
	{Mean: 0, Deviation: 0.5, Low: math.Log(1e-2), High: math.Log(1e2)},
	{Mean: 0, Deviation: 1, Low: math.Log(1e-2), High: math.Log(1e2)},
	{Mean: -5, Deviation: 2, Low: math.Log(1e-5), High: math.Log(10)},
}

// addLog adds the gradient of the log density to grad and returns it but for a constant.
func (b belief) addLog(theta, grad []float64) float64 {
	var sum float64
	last := len(theta) - hypers
	precision := 1 / (b.deviation * b.deviation)
	for i, v := range theta[:last] {
		sum -= 0.5 * v * v * precision
		grad[i] -= v * precision
	}
	for i, law := range laws {
		if b.fixed != nil {
			grad[last+i] = 0
			continue
		}
		u := (theta[last+i] - law.Mean) / law.Deviation
		sum -= 0.5 * u * u
		grad[last+i] -= u / law.Deviation
	}
	return sum
}

// bound keeps the hyperparameters within their bounds.
func (b belief) bound(theta []float64) {
	tail := theta[len(theta)-hypers:]
	for i, law := range laws {
		if b.fixed == nil {
			tail[i] = min(max(tail[i], law.Low), law.High)
		}
	}
}

// draw returns a θ to begin with. Radius and outputscale begin at 1.
func (b belief) draw(form Form, stream *rand.Rand) []float64 {
	theta := make([]float64, form.Len())
	for i := range theta[:len(theta)-hypers] {
		theta[i] = b.deviation * stream.NormFloat64()
	}
	tail := theta[len(theta)-hypers:]
	for i, law := range laws {
		tail[i] = law.Mean
	}
	if h := b.fixed; h != nil {
		tail[0], tail[1], tail[2] = math.Log(h.Radius), math.Log(h.Outputscale), math.Log(h.Noise)
	}
	return theta
}
