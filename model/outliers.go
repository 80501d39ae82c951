package model

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
)

// A value may be far worse than its point deserves: a training run that diverged, a sensor that slipped. To a Gaussian likelihood it
// counts like any other, and a fit finds short lengthscales, or noise as large as the spread, and nothing is learned any more. So where a
// fit chooses, each value has with a small probability noise of a large variance (the contaminated normal law, Tukey 1960; Box and Tiao
// 1968). Which values have it is looked for among those that are far below what all the others say of them, and kept where the
// evidence, with that probability, is greater by more than luck than that of any model without outliers: a warp may explain the same
// values. What is far better than expected is hardly ever among them: a narrow peak looks like that, and is what a study is for. It is where
// values are noisy and others are far worse under the same model: then the tails are heavy to both sides. Of margins of constraints none is: a
// margin that is far too low is a warning.
const (
	outlierShare  = 0.02 // of the values, before any is looked at
	outlierNoise  = 25.  // variance, in the units of the model
	outlierFar    = 4.   // standard deviations below what the others say
	outlierWorth  = 5.   // nats that all of them must be worth
	outlierMost   = 10   // of so many values one may be such
	outlierRounds = 4    // of looking for them: one may hide another
	outlierFence  = 3    // distances between the quartiles below the lower one: beyond are the first suspects, however they spoil the model
	outlierFirst  = 8    // values, before any is looked for
	outlierLuck   = 2e-4 // variance of the noise, in the units of the model, above which what is far too good may be one
)

// withOutliers returns the fit with the values set aside that are outliers of one of the models, each a choice without any, and with
// the best model of the others to start from; false where no outliers are worth enough more than the best model is. Cost O(n³) for each.
func (f Fit) withOutliers(best float64, models ...choice) (_ Fit, found bool) {
	if !f.Output.outlying() || len(f.Kernels) == 0 || len(f.Y) < outlierFirst {
		return f, false
	}
	least, cleaned := best+outlierWorth, f
	for _, c := range models {
		if math.IsInf(c.value, -1) || c.meta {
			continue
		}
		for _, first := range []suspects{f.off(c), f.beyond()} {
			aside, without, then := f.outliers(c, first, false)
			keep := func() {
				if without.value > least {
					cleaned.Aside, cleaned.Start, least, found = aside, without.prior, without.value, true
				}
			}
			keep()
			if len(first.low) > 0 && len(first.high)+len(then.high) > 0 {
				aside, without, _ = f.outliers(c, first, true)
				keep()
			}
		}
	}
	return cleaned, found
}

// outliers returns the noise of the outliers of a model, what that is without them, of the value −Inf where there are none, and what is far off
// then. The first suspects may be wrong: those that are left are far below what all others say, or, with both, far above.
func (f Fit) outliers(c choice, far suspects, both bool) (aside []float64, without choice, then suspects) {
	without.value = math.Inf(-1)
	f.Aside = nil
	for round := 0; len(far.low) > 0 && round < outlierRounds; round++ {
		next := f.aside(far.some(both))
		if slices.Equal(next, aside) {
			break
		}
		aside, f.Aside = next, next
		some := f.some(f.Output.compared())
		if without = some.short(c.prior, c.bend); math.IsInf(without.value, -1) {
			break
		}
		without.value += float64(marked(some.Aside))*math.Log(outlierShare/(1-outlierShare)) - f.handicap(c.prior.Kernel, c.bend)
		far, c = f.off(without), without
	}
	if both && c.prior.Noise <= outlierLuck && f.better(aside) {
		without.value = math.Inf(-1)
	}
	return aside, without, far
}

// better reports whether a value that is set aside is one of the better half.
func (f Fit) better(aside []float64) bool {
	middle := buffer.Quantile(f.Y, 0.5)
	for i, v := range aside {
		if v > 0 && f.Y[i] > middle {
			return true
		}
	}
	return false
}

// marked counts the outliers.
func marked(aside []float64) (count int) {
	for _, v := range aside {
		count += bit(v > 0)
	}
	return count
}

// below is a value and how far it is from what the others say.
type below struct {
	index int
	by    float64 // standard deviations of what the others say, negative, also of one that is too good
}

// farther orders values by how far they are off.
func farther(a, b below) int { return cmp.Or(cmp.Compare(a.by, b.by), a.index-b.index) }

// aside gives those that are farthest off the noise of outliers.
func (f Fit) aside(low []below) []float64 {
	slices.SortFunc(low, farther)
	aside := make([]float64, len(f.Y))
	for _, b := range low[:min(len(low), max(len(f.Y)/outlierMost, 1))] {
		aside[b.index] = outlierNoise
	}
	return aside
}

// suspects are values that may be outliers: those that are far too low, and those that are far too high.
type suspects struct{ low, high []below }

// some are those that are far too low, and with both at most twice as many of the others, the farthest.
func (s suspects) some(both bool) []below {
	if !both {
		return s.low
	}
	slices.SortFunc(s.high, farther)
	return slices.Concat(s.low, s.high[:min(len(s.high), 2*len(s.low))])
}

// beyond returns the values that are far from most of the others, wherever their points are.
func (f Fit) beyond() (far suspects) {
	lower, upper := buffer.Quantile(f.Y, 0.25), buffer.Quantile(f.Y, 0.75)
	for i, y := range f.Y {
		if by := (y - lower) / (upper - lower); by < -outlierFence {
			far.low = append(far.low, below{i, by})
		} else if by := (upper - y) / (upper - lower); by < -outlierFence {
			far.high = append(far.high, below{i, by})
		}
	}
	return far
}

// off returns the values that are far from what all others say under a model, outliers or not, those that are too high under noise only; none where
// that cannot be computed. What a warp draws apart may be noise up to a share of its scale, which is 0 without one, and is not far. Cost O(n³).
func (f Fit) off(c choice) (far suspects) {
	warp := buffer.WarpAt(f.Y, c.bend)
	units := buffer.Warped(f.Y, warp)
	y := make([]float64, len(f.Y))
	for i, v := range f.Y {
		y[i] = units.To(v)
	}
	p, err := c.prior.ConditionKnown(f.X, y, f.noise(units), nil)
	if err != nil {
		return far
	}
	mean, variance := p.LeaveOneOut()
	for i, v := range variance {
		if f.Aside != nil {
			v -= f.Aside[i]
		}
		v = max(v, c.prior.Noise)
		if c.bend.Shape == feedback.Below {
			drawn := math.Exp(warp.LogSlope(f.Y[i])) * c.bend.Scale / aboveNoise / units.Scale
			v += drawn * drawn
		}
		switch by := (y[i] - mean[i]) / math.Sqrt(v); {
		case by < -outlierFar:
			far.low = append(far.low, below{i, by})
		case by > outlierFar && c.prior.Noise > outlierLuck:
			far.high = append(far.high, below{i, -by})
		}
	}
	return far
}

// outlierNumbers are the queries whose values are set aside, ascending.
func (f Fit) outlierNumbers() (numbers []int) {
	for i, v := range f.Aside {
		if v > 0 {
			numbers = append(numbers, f.Numbers[i])
		}
	}
	slices.Sort(numbers)
	return numbers
}
