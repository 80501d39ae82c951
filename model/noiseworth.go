package model

import (
	"math"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Noise is doubted between two variances, of that of the values: below the lesser one it is what a fit takes kinks and levels for, and from the greater
// one on nothing else looks like it.
const (
	KinkNoise    = 1e-3
	plainNoise   = 1e-2
	doubtedNoise = 8 // nats of evidence that noise must be worth; without any it was worth 5.4 at most, in 120 studies of finite spaces

	withoutNoise = 1e-7 // as good as none, for a kernel that must explain all values without any
)

// NoiseWorth returns by how many nats of evidence the noise that was learned explains the answers better than no noise does: that of the model
// as it is, less that of the best without, of its kernel and those that fits choose from, after short fits from where the last one ended. Kinks and
// steps of a function look like noise to a model that is smooth, but a rougher one explains them too; with noise nothing else does. At most a hundred
// answers are looked at, evenly spread. It is +Inf where no kernel explains them without noise, and 0 without answers. Cost O(m³) for m of them, up to
// 30 times for each kernel: 35 ms in up to six dimensions, 130 ms in a hundred.
func (o Outlook) NoiseWorth() float64 {
	post := o.Belief.Posterior
	n := post.Len()
	m := min(n, chooseRows)
	x, y, known := make([]space.Unit, m), make([]float64, m), make([]float64, m)
	targets := post.Targets()
	for k := range m {
		i := k * n / m
		x[k], y[k], known[k] = post.X(i), targets[i], post.Known(i)
	}
	return noiseWorth(post.Prior(), x, y, known, explanations(post.Prior().Kernel, o.kernels, o.warped), o.options)
}

// doubtful reports whether noise that is neither much nor next to none is worth little to the model that was chosen. Cost that of Outlook.NoiseWorth.
func (f Fit) doubtful(units feedback.Units, chosen surrogate.Prior) bool {
	if chosen.Noise < KinkNoise || chosen.Noise >= plainNoise {
		return false
	}
	f = f.some(chooseRows)
	for i, v := range f.Y {
		f.Y[i] = units.To(v)
	}
	return noiseWorth(chosen, f.X, f.Y, f.noise(units), explanations(chosen.Kernel, f.Kernels, f.Warped), f.Options) < doubtedNoise
}

// noiseWorth is Outlook.NoiseWorth for these answers, in the units of the model, and kernels to explain them without noise.
func noiseWorth(with surrogate.Prior, x []space.Unit, y, known []float64, without []surrogate.Kernel, options surrogate.FitOptions) float64 {
	value, err := surrogate.EvidenceKnown(with, x, y, known, nil)
	if err != nil {
		return math.Inf(1)
	}
	options.FixNoise, options.Warm, options.MaxEvaluations, options.Rows = true, true, chooseEvaluations, -1
	best := math.Inf(-1)
	with.Noise = withoutNoise
	for _, k := range without {
		with.Kernel = k
		_, report, err := surrogate.FitKnown(with, x, y, known, options, nil)
		if err == nil && report.LogEvidence > best {
			best = report.LogEvidence
		}
	}
	return value - best
}

// explanations are the kernel and the others that fits choose from, with its hyperparameters where they mean the same: those of the same
// warped coordinates where it is of such.
func explanations(kernel surrogate.Kernel, kernels, warped []surrogate.Kernel) []surrogate.Kernel {
	out, alike := []surrogate.Kernel{kernel}, named(kernels, kernel.Name()) != nil
	if _, bends := surrogate.Unwarped(kernel); bends {
		for _, k := range warped {
			if k.Name() != kernel.Name() {
				out = append(out, k.WithValues(kernel.Values()))
			}
		}
		return out
	}
	for _, k := range kernels {
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
