package model

import (
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/surrogate"
)

// A range is often far wider than what matters within it, or spans orders of magnitude without anybody having said so: all that is worth
// knowing lies in a thousandth of it, near a bound. Then a stationary kernel takes what happens there for noise. Kernels of warped
// coordinates find the scale of each parameter by the evidence, and the policy searches evenly along it. The first is as little warped as
// nothing, the others as much as a logarithmic scale of a few decades, from either end: there lie the other maxima of the evidence.
const (
	asWarped   = 8   // nats that warped coordinates must be worth: kinks and cliffs look a little as if they were
	inEach     = 0.5 // nats for each coordinate besides: as much does a number without a meaning explain on average (Wilks 1938)
	firstSteep = 150 // ratio of the warps, or its reciprocal, from which a fit begins
)

// warped tries kernels of warped coordinates: that of the family which is the best of those of any function, under its warp of the values and
// without one, and the one of the last fit where that had one, from where it ended. What it is compared with is fitted once more: warps
// must not seem to be worth what some more evaluations are.
func (f Fit) warped(best choice, last surrogate.Prior, try func(surrogate.Prior, feedback.Bend) choice) {
	if len(f.Warped) == 0 {
		return
	}
	best = try(best.prior, best.bend)
	bends := []feedback.Bend{best.bend}
	if !best.bend.Straight() {
		bends = append(bends, feedback.Bend{})
	}
	_, was := surrogate.Unwarped(last.Kernel)
	for _, k := range f.Warped {
		of, _ := surrogate.Unwarped(k)
		for _, bend := range bends {
			if was && k.Name() == last.Kernel.Name() {
				try(last, bend)
			}
			if of.Name() != best.prior.Kernel.Name() {
				continue
			}
			if was && k.Name() != last.Kernel.Name() {
				start := last
				start.Kernel = k.WithValues(last.Kernel.Values())
				try(start, bend)
			}
			start := best.prior
			start.Kernel = surrogate.WithValuesOf(k, start.Kernel)
			try(start, bend)
			start.Kernel, start.Noise = atStart(k)
			for _, ratio := range []float64{firstSteep, 1. / firstSteep} {
				start.Kernel = steep(start.Kernel, ratio)
				try(start, bend)
			}
		}
	}
}

// warps is how many coordinates a kernel warps.
func warps(k surrogate.Kernel) (n int) {
	for _, h := range k.Hyper() {
		if h.Kind == surrogate.Ratio {
			n++
		}
	}
	return n
}

// steep is a kernel with the same ratio in all coordinates.
func steep(k surrogate.Kernel, ratio float64) surrogate.Kernel {
	values := k.Values()
	for i, h := range k.Hyper() {
		if h.Kind == surrogate.Ratio {
			values[i] = ratio
		}
	}
	return k.WithValues(values)
}
