package loop

import (
	"errors"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/surrogate"
)

// Where the policy wants it a fit chooses more than hyperparameters: the kernel, and how far values are drawn apart near the
// top (feedback.Warp). What is chosen has the greatest density of the values themselves: the log evidence of the targets, plus the
// log densities of the hyperparameters, of which all candidates have the same, plus the log Jacobian of the units (Snelson et al.
// 2004, "Warped Gaussian processes"). The warps first, under the kernel of before, then the kernels under the best warp. Candidates
// are compared after short fits, from where the last fit ended, to a subset; then the one that was chosen is fitted in full.
//
// A warp makes much of small differences near the top, which noise makes too: no scale is less than ten standard deviations of the
// noise that the model without a warp finds.
const (
	chooseRows        = 100 // answers by which candidates are compared, evenly spread over all, at most
	chooseEvaluations = 25  // of the evidence of each, at most
	aboveNoise        = 10  // least scale of a warp, in standard deviations of the noise
)

// warpScales are the scales of the warps, as shares of the distance from the median of the values to the greatest.
var warpScales = []float64{1, 0.1, 0.01}

// choice is a model that may be chosen.
type choice struct {
	prior surrogate.Prior
	scale float64 // of the warp; 0 without one
	units float64 // how long one unit of the model is, in those of the warped values
	value float64 // log density of the values that were looked at
}

var errNoChoice = errors.New("no model can be fitted")

// choose returns the kernel, the hyperparameters and the scale of the warp. Y are values as they came.
func (f Fit) choose() (surrogate.Prior, float64, surrogate.FitReport, error) {
	some := f.some(chooseRows)
	best := choice{value: math.Inf(-1)}
	try := func(prior surrogate.Prior, scale float64) choice {
		c := some.short(prior, scale)
		if c.value > best.value {
			best = c
		}
		return c
	}
	straight := try(f.Start, 0)
	least := aboveNoise * math.Sqrt(straight.prior.Noise) * straight.units
	reach, before := buffer.Reach(some.Y), math.Inf(1)
	for _, share := range warpScales {
		if scale := max(share*reach, least); scale > 0 && scale < before {
			before = scale
			try(f.Start, scale)
		}
	}
	if math.IsInf(best.value, -1) {
		return f.Start, 0, surrogate.FitReport{}, errNoChoice
	}
	chosen := best
	for _, k := range f.Kernels {
		if k.Name() != f.Start.Kernel.Name() {
			prior := chosen.prior
			prior.Kernel = k.WithValues(prior.Kernel.Values())
			try(prior, chosen.scale)
		}
	}
	units := buffer.Warped(f.Y, buffer.WarpAt(f.Y, best.scale))
	prior, report, err := surrogate.Fit(best.prior, f.X, toUnits(f.Y, units.To), f.Options, rng.New(f.Seed, rng.Fit, uint64(f.ID)))
	return prior, best.scale, report, err
}

// some is the fit of at most so many of the answers.
func (f Fit) some(most int) Fit {
	n := min(len(f.Y), most)
	x, y := make([][]float64, n), make([]float64, n)
	for k := range n {
		i := k * len(f.Y) / n
		x[k], y[k] = f.X[i], f.Y[i]
	}
	f.X, f.Y = x, y
	f.Options.MaxEvaluations, f.Options.Rows, f.Options.Warm = chooseEvaluations, -1, true
	return f
}

// short fits a candidate and says what it is worth, −Inf where it cannot be fitted.
func (f Fit) short(prior surrogate.Prior, scale float64) choice {
	units := buffer.Warped(f.Y, buffer.WarpAt(f.Y, scale))
	c := choice{prior, scale, units.Scale, math.Inf(-1)}
	fitted, report, err := surrogate.Fit(prior, f.X, toUnits(f.Y, units.To), f.Options, nil)
	if value := report.LogPosterior + buffer.LogJacobian(f.Y, units); err == nil && !math.IsNaN(value) {
		c.prior, c.value = fitted, value
	}
	return c
}

func toUnits(values []float64, to func(float64) float64) []float64 {
	out := make([]float64, len(values))
	for i, y := range values {
		out[i] = to(y)
	}
	return out
}

// chosenKernels are the kernels to choose from where the configuration names none. They have the same hyperparameters.
var chosenKernels = []string{DefaultKernel, "se", "matern32"}

// adapts reports whether fits choose. A policy that censors measures values from the worst, where its prior mean must lie: it takes
// them as they are.
func (c Config) adapts() bool {
	return c.Traits.Adapts && c.Traits.Pending != feedback.Censor && !c.Model.Known()
}

// kernels returns the kernels that a fit chooses from, nil where the policy wants no choice: the one that is configured, or a few.
func (c Config) kernels() []surrogate.Kernel {
	if !c.adapts() {
		return nil
	}
	prior, _ := c.prior() // Validate has seen it
	if c.Model.Kernel != "" {
		return []surrogate.Kernel{prior.Kernel}
	}
	var out []surrogate.Kernel
	for _, name := range chosenKernels {
		next, _ := c.with(prior, name)
		out = append(out, next.Kernel)
	}
	return out
}

// with returns the prior with the kernel of that name in place of its own, whose hyperparameters it takes over; an empty name
// means the one that it has. It is false for a kernel that is not one to choose.
func (c Config) with(prior surrogate.Prior, name string) (surrogate.Prior, bool) {
	if name == "" || name == prior.Kernel.Name() {
		return prior, true
	}
	if !c.adapts() || c.Model.Kernel != "" || !slices.Contains(chosenKernels, name) {
		return prior, false
	}
	k, err := surrogate.NewKernel(name, c.Space.Dim())
	if err != nil {
		return prior, false
	}
	prior.Kernel = k.WithCategories(c.Space.Categorical()).WithValues(prior.Kernel.Values())
	return prior, true
}
