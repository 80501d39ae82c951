package policies

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

const (
	plainRows  = 256 // values of a plain model at most: it is conditioned from scratch
	plainNoise = 1   // variance of the noise of a value, of that of all, beyond which it is left out: an outlier
	plainLeast = 3   // values that tell a spread

	plainLength = 0.3 // lengthscale at most, in sides of the cube, of a parameter that depends on another one
)

// plainModel are the rows of a plain model: values, NaN where a row has none, and how they spread.
type plainModel struct {
	rows         []int // of the posterior of the view
	values       []float64
	mean, stddev float64
}

// plainly returns the rows of a plain model, without outliers: those without a value, and of the others 256 that are evenly spread, and the best. It is
// false where it would know no more than a level. Cost O(n).
func (v View) plainly() (m plainModel, ok bool) {
	value := make(map[int]float64, len(v.History))
	for _, a := range v.History {
		value[a.Query.Number] = a.Value
	}
	n := len(v.Rows)
	best := greatest(v.Posterior.Targets())
	var seen []float64
	for i, number := range v.Rows {
		y, has := value[number]
		switch {
		case !has:
			y = math.NaN()
		case v.Posterior.Known(i) > plainNoise, n > plainRows && i > 0 && i != best && i*plainRows/n == (i-1)*plainRows/n:
			continue
		default:
			seen = append(seen, y)
		}
		m.rows, m.values = append(m.rows, i), append(m.values, y)
	}
	if len(seen) < plainLeast {
		return m, false
	}
	m.mean, m.stddev = stat.PopMeanStdDev(seen, nil)
	return m, m.stddev > 0 && !math.IsInf(m.stddev, 0)
}

// plain returns the view under a model that is less sure of what is far from the queries than one that the evidence chose: a Matérn-5/2 kernel with
// the lengthscales of before, but short ones of parameters that depend on others, on values as they are, of which it expects the mean of those so far, and their spread, where nothing is known. Of
// these most are soon near the best, so that it expects much elsewhere. Rows without a value are hallucinated. It is false where the kernel is no
// stationary one, or where there is no such model. Cost O(n³), where n is 256 at most and what pends.
func (v View) plain(m plainModel) (View, bool) {
	prior := v.Posterior.Prior()
	kernel, ok := stationary(prior.Kernel)
	if !ok {
		return v, false
	}
	kernel.Family, kernel.Outputscale, kernel.Constant = surrogate.Matern52, 1, 0
	kernel.Lengthscales = v.doubted(kernel.Lengthscales)
	if w, is := prior.Kernel.(surrogate.Warped); is {
		prior.Kernel = surrogate.Warped{Of: kernel, Ratios: w.Ratios}
	} else {
		prior.Kernel = kernel
	}
	prior.Mean, prior.Trend = 0, nil
	x, targets, known := make([]space.Unit, len(m.rows)), make([]float64, len(m.rows)), make([]float64, len(m.rows))
	var open, numbers []int
	for k, i := range m.rows {
		x[k], known[k], numbers = v.Posterior.X(i), v.Posterior.Known(i), append(numbers, v.Rows[i])
		if math.IsNaN(m.values[k]) {
			open = append(open, k)
			continue
		}
		targets[k] = (m.values[k] - m.mean) / m.stddev
	}
	posterior, err := prior.ConditionKnown(x, targets, known, nil)
	if err != nil {
		return v, false
	}
	v.Posterior, v.Rows, v.Units = posterior.Hallucinate(targets, open), slices.Clip(numbers), feedback.Units{Shift: m.mean, Scale: m.stddev}
	return v, true
}

// doubted returns the lengthscales of a model that is less sure: a parameter that depends on another one has values from few queries, at which
// the evidence may see no difference, and no long lengthscale for that.
func (v View) doubted(lengthscales []float64) []float64 {
	if !v.Space.Conditional() {
		return lengthscales
	}
	out := slices.Clone(lengthscales)
	for i := range out {
		if len(v.Space.Parameter(i).Conditions) > 0 {
			out[i] = min(out[i], plainLength)
		}
	}
	return out
}

// stationary returns a stationary kernel, or the one of the warped coordinates; false for any other.
func stationary(k surrogate.Kernel) (surrogate.Stationary, bool) {
	if w, is := k.(surrogate.Warped); is {
		return w.Of, true
	}
	of, is := k.(surrogate.Stationary)
	return of, is
}

// plainImprovement explains the improvement that a view under a plain model expects, for one whose own model has other units.
func (v View) plainImprovement(units feedback.Units) Explanation {
	e := v.improvement()
	e.Acquisition, e.Of = "log expected improvement under a plain model, in standard deviations of the values", Plain
	e.Why, e.Numbers = elsewhere.why()+": "+e.Why, []Figure{target(units.To(v.Units.From(v.Target())))}
	return e
}
