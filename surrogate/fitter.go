package surrogate

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/space"
)

// fitter turns log evidence and hyperpriors into a function of the free logarithms.
type fitter struct {
	prior        Prior
	data         *evidence
	free         []freedom
	theta, grad  []float64 // all logarithms, noise last, and the gradient by them
	lower, upper []float64
	failure      error // the last that kept the evidence from being computed
}

func newFitter(prior Prior, o FitOptions) *fitter {
	theta := append(prior.Kernel.Params(), math.Log(prior.Noise))
	f := &fitter{prior: prior, theta: theta, grad: make([]float64, len(theta))}
	f.free = o.freedoms(prior.Kernel, theta)
	for _, p := range f.free {
		f.lower, f.upper = append(f.lower, p.lower), append(f.upper, p.upper)
	}
	return f
}

// look makes m of the points, spread evenly over all, the data of the evidence.
func (f *fitter) look(x []space.Unit, y []float64, v known, m int) {
	partX, partY := make([]space.Unit, m), make([]float64, m)
	var part known
	for k := range m {
		i := k * len(x) / m
		partX[k], partY[k] = x[i], y[i]
		part = part.with(k, v.at(i))
	}
	f.data = newEvidence(f.prior, partX, partY, part)
}

// at returns the prior with the free logarithms u.
func (f *fitter) at(u []float64) Prior {
	for i, p := range f.free {
		f.theta[p.slot] = u[i]
	}
	last := len(f.theta) - 1
	prior := f.prior
	prior.Kernel = prior.Kernel.WithParams(f.theta[:last])
	if i := len(f.free) - 1; f.free[i].slot == last {
		prior.Noise = math.Exp(u[i])
	}
	return prior
}

// objective is minus the log posterior; +Inf where it cannot be computed, so that the search comes back.
func (f *fitter) objective(u, grad []float64) float64 {
	value, err := f.data.at(f.at(u), f.grad)
	if err != nil {
		f.failure = err
		return math.Inf(1)
	}
	for i, p := range f.free {
		grad[i] = -f.grad[p.slot]
	}
	return -value - f.logDensity(u, grad)
}

// logDensity returns the sum of the log densities at the free logarithms u and takes its gradient off grad.
func (f *fitter) logDensity(u, grad []float64) float64 {
	var sum float64
	for i, p := range f.free {
		value, slope := p.logDensity(u[i])
		if sum += value; grad != nil {
			grad[i] -= slope
		}
	}
	return sum
}

// starts returns up to o.Starts different points inside the bounds, or the incoming one.
func (f *fitter) starts(o FitOptions, stream *rand.Rand) [][]float64 {
	var out [][]float64
	add := func(logarithm func(freedom) float64) {
		u := make([]float64, len(f.free))
		for i, p := range f.free {
			u[i] = min(max(logarithm(p), p.lower), p.upper)
		}
		if !slices.ContainsFunc(out, func(other []float64) bool { return slices.Equal(u, other) }) {
			out = append(out, u)
		}
	}
	incoming := slices.Clone(f.theta)
	if !o.Warm {
		add(func(p freedom) float64 { return math.Log(p.law.Mode()) })
	}
	if o.Warm || o.Starts > 1 {
		add(func(p freedom) float64 { return incoming[p.slot] })
	}
	if stream == nil || o.Warm {
		return out
	}
	for range o.Starts - 2 {
		add(func(p freedom) float64 { return p.center + p.law.Sigma*stream.NormFloat64() })
	}
	return out
}

// logDensity is what the law says of a hyperparameter with the logarithm u, and the derivative by that.
func (p freedom) logDensity(u float64) (value, slope float64) {
	if p.irrelevant > 0 {
		return p.law.orIrrelevant(p.irrelevant, u)
	}
	v := math.Exp(u)
	return p.law.LogDensity(v), p.law.slope(v)
}
