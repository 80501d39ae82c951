package policies

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

const (
	warpLeast       = 4   // answers that a warp is learned from, at least
	warpRows        = 200 // of them whose evidence is looked at, spread evenly, at most
	warpEvaluations = 25  // of the evidence, from each of two starts, when hyperparameters are fitted
)

// warpedModel is a posterior on warped values, or at warped points.
type warpedModel struct {
	posterior *surrogate.Posterior
	inputs    inputWarp // nil where the values are warped
}

// warped is the warped model of a view; nil where there is none.
func (v View) warped(kind Warp) *warpedModel {
	s := v.Sample()
	x, u := s.Answers()
	prior := v.Posterior.Prior()
	_, variance := meanVariance(u)
	if prior.Trend != nil || len(u) < warpLeast || !(variance > 0) || math.IsInf(variance, 1) {
		return nil
	}
	if kind == WarpInput {
		lookX, lookU := evenly(x, u)
		inputs := fitInputs(prior, lookX, lookU, v.numeric())
		prior = v.refit(prior, inputs.all(x), u, variance)
		return modelOf(s.Condition(prior, inputs.all(s.X), slices.Clone(s.U)), inputs)
	}
	w, ok := fitValues(kind, prior, x, u)
	if !ok {
		return nil
	}
	prior = v.refit(prior, x, w.all(u), variance)
	return modelOf(s.Condition(prior, s.X, w.all(s.U)), nil)
}

func modelOf(p *surrogate.Posterior, inputs inputWarp) *warpedModel {
	if p == nil {
		return nil
	}
	return &warpedModel{p, inputs}
}

// best is the greatest posterior mean at the rows of the warped model, whose points are those of the view; with constraints at feasible
// ones.
func (m *warpedModel) best(v View) float64 {
	means := m.posterior.RowMeans()
	return v.greatestFeasible(means, slices.Max(means))
}

// function is log EI over the best of the warped model.
func (m *warpedModel) function(v View) acquisition.Function {
	f := acquisition.At{Posterior: m.posterior, Utility: acquisition.LogExpectedImprovement{Best: m.best(v)}}
	if m.inputs == nil {
		return f
	}
	return atWarped{f, m.inputs}
}

// forecast is what the model predicts for the noisy value at x, nil where values are warped.
func (m *warpedModel) forecast(v View, x space.Unit) *Forecast {
	if m.inputs == nil {
		return nil
	}
	mean, variance := m.posterior.Predict(m.inputs.at(x))
	sd := math.Sqrt(variance + m.posterior.Noise())
	return &Forecast{Mean: mean, Stddev: sd, Warp: v.Units.Warp, Shift: v.Units.Shift, Scale: v.Units.Scale}
}

// atWarped is a function of warped points as one of points.
type atWarped struct {
	acquisition.Function
	inputs inputWarp
}

// Value returns the utility at x.
func (f atWarped) Value(x space.Unit) float64 { return f.Function.Value(f.inputs.at(x)) }

// Gradient returns the utility at x and writes its derivatives to grad, by the chain rule.
func (f atWarped) Gradient(x space.Unit, grad []float64) float64 {
	value := f.Function.Gradient(f.inputs.at(x), grad)
	for j, w := range f.inputs {
		grad[j] *= w.Slope(x[j])
	}
	return value
}

// inputWarp has a warp for each coordinate.
type inputWarp []calibration.Kumaraswamy

func (w inputWarp) at(x space.Unit) space.Unit {
	out := make([]float64, len(x))
	for j, v := range x {
		out[j] = w[j].At(v)
	}
	return out
}

func (w inputWarp) all(x []space.Unit) []space.Unit {
	out := make([]space.Unit, len(x))
	for i, point := range x {
		out[i] = w.at(point)
	}
	return out
}

// numeric lists the coordinates that vary and whose order means something.
func (v View) numeric() []int {
	var out []int
	for j := range v.Space.Dim() {
		if p := v.Space.Parameter(j); p.Words() == nil && !p.Fixed() {
			out = append(out, j)
		}
	}
	return out
}

// refit fits the hyperparameters to targets of this variance, from the incoming ones and the modes of the priors. The priors are
// those by which the loop fits its own model, so that the warp is all that differs: narrower lengthscales than Hvarfner et
// al. 2024, and noise that may be as good as none. Where the fit fails the prior stays as it is.
func (v View) refit(prior surrogate.Prior, x []space.Unit, targets []float64, variance float64) surrogate.Prior {
	o := surrogate.FitOptions{
		MaxEvaluations:  warpEvaluations,
		Rows:            warpRows,
		Lengthscale:     surrogate.Hyperprior{Mu: -0.5 + 0.5*math.Log(max(float64(v.Space.Varying()), 1)), Sigma: 1},
		Noise:           surrogate.Hyperprior{Mu: -6 + math.Log(variance), Sigma: 2},
		Outputscale:     surrogate.Hyperprior{Mu: math.Log(variance), Sigma: 1},
		MinNoise:        1e-8 * variance,
		MaxNoise:        10 * variance,
		FreeOutputscale: true,
		MinOutputscale:  1e-3,
		MaxOutputscale:  1e3,
	}
	fitted, _, err := surrogate.Fit(prior, x, targets, o, nil)
	if err != nil {
		return prior
	}
	return fitted
}

// evenly returns at most warpRows of the rows, spread over all.
func evenly(x []space.Unit, u []float64) ([]space.Unit, []float64) {
	count := min(len(x), warpRows)
	outX, outU := make([]space.Unit, count), make([]float64, count)
	for k := range count {
		i := k * len(x) / count
		outX[k], outU[k] = x[i], u[i]
	}
	return outX, outU
}

// meanVariance returns the mean and the sample variance, 0 of a single number.
func meanVariance(u []float64) (mean, variance float64) {
	for _, v := range u {
		mean += v / float64(len(u))
	}
	for _, v := range u {
		variance += (v - mean) * (v - mean) / max(float64(len(u)-1), 1)
	}
	return mean, variance
}
