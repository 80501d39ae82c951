package model

import (
	"math"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// As good as no noise, in units of the variance of the values, for a kernel that must explain all of them without any.
const withoutNoise = 1e-7

// NoiseWorth returns by how many nats of evidence the noise that was learned explains the answers better than no noise does: that of the model
// as it is, less that of the best without, of its kernel and those that fits choose from, after short fits from where the last one ended. Kinks and
// steps of a function look like noise to a model that is smooth, but a rougher one explains them too; with noise nothing else does. At most a hundred
// answers are looked at, evenly spread. It is +Inf where no kernel explains them without noise, and 0 without answers. Cost O(m³) for m of them, up to
// 30 times for each kernel: 35 ms in up to six dimensions, 130 ms in a hundred.
func (o Outlook) NoiseWorth() float64 {
	post := o.Belief.Posterior
	prior, n := post.Prior(), post.Len()
	m := min(n, chooseRows)
	x, y, known := make([]space.Unit, m), make([]float64, m), make([]float64, m)
	targets := post.Targets()
	for k := range m {
		i := k * n / m
		x[k], y[k], known[k] = post.X(i), targets[i], post.Known(i)
	}
	with, err := surrogate.EvidenceKnown(prior, x, y, known, nil)
	if err != nil {
		return math.Inf(1)
	}
	options := o.options
	options.FixNoise, options.Warm, options.MaxEvaluations, options.Rows = true, true, chooseEvaluations, -1
	without := math.Inf(-1)
	prior.Noise = withoutNoise
	for _, k := range o.candidates(prior.Kernel) {
		prior.Kernel = k
		_, report, err := surrogate.FitKnown(prior, x, y, known, options, nil)
		if err == nil && report.LogEvidence > without {
			without = report.LogEvidence
		}
	}
	return with - without
}

// candidates are the kernel and the others that fits choose from, with its hyperparameters where they mean the same: those of the same
// warped coordinates where it is of such.
func (o Outlook) candidates(kernel surrogate.Kernel) []surrogate.Kernel {
	out, alike := []surrogate.Kernel{kernel}, named(o.kernels, kernel.Name()) != nil
	if _, warped := surrogate.Unwarped(kernel); warped {
		for _, k := range o.warped {
			if k.Name() != kernel.Name() {
				out = append(out, k.WithValues(kernel.Values()))
			}
		}
		return out
	}
	for _, k := range o.kernels {
		switch {
		case k.Name() == kernel.Name():
			continue
		case alike:
			k = k.WithValues(kernel.Values())
		}
		out = append(out, k)
	}
	return out
}
