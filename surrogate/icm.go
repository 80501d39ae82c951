package surrogate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// ICM is the kernel k(x, x') exp(-g (m - m')²) of functions that are measured at several fidelities (intrinsic coregionalization
// model; Bonilla, Chai & Williams 2007): x are all coordinates but one, in their order, with a kernel of their own, the base, and m is the
// fidelity: the coordinate of its axis times the number of levels less one. So levels that are evenly spread over [0, 1] by rank are 1
// apart, and neighbors correlate as exp(-g). Hyperparameters: those of the base, then the decay g. NewICM makes one. Costs are those of the
// base; rows are as fast where it is a Stationary, a Warped or an Additive one.
type ICM struct {
	base  Kernel
	axis  FidelityAxis
	decay float64
	wide  Kernel // the base over all coordinates, blind to that of the fidelity
}

// NewICM returns the kernel over a base, where coordinate at of those of the base and one more is a fidelity with so many levels, at least
// 2. The decay is the mode of DecayPrior.
func NewICM(base Kernel, at, levels int) ICM {
	return ICM{axis: FidelityAxis{at, levels}}.with(base, DecayPrior().Mode())
}

// with returns the kernel with another base and decay.
func (k ICM) with(base Kernel, decay float64) ICM {
	return ICM{base, k.axis, decay, blindTo(base, k.axis.At)}
}

// Base returns the kernel of the other coordinates.
func (k ICM) Base() Kernel { return k.base }

// Axis returns which coordinate the fidelity is.
func (k ICM) Axis() FidelityAxis { return k.axis }

// Decay returns g.
func (k ICM) Decay() float64 { return k.decay }

// FidelityAxis says that a coordinate is a fidelity, and how many levels it has: 2 for a continuous one.
type FidelityAxis struct{ At, Levels int }

// Over returns the ICM kernel of this axis over a kernel of the other coordinates. A kernel over a fidelity stays as it is.
func (a FidelityAxis) Over(base Kernel) Kernel {
	switch k := base.(type) {
	case ICM:
		return k
	case Features:
		if k.fidelity() {
			return k
		}
	}
	return NewICM(base, a.At, a.Levels)
}

// The range in which the decay must lie: at one end all levels are one, at the other no two have anything in common.
const leastDecay, greatestDecay = 1e-9, 1e9

// ApartDecay is a decay with which no two levels have anything in common.
const ApartDecay = 1e6

// Apart reports whether a kernel is one over a fidelity whose levels have nothing in common: no value at one says anything of another.
func Apart(k Kernel) bool {
	icm, ok := k.(ICM)
	return ok && icm.decay >= ApartDecay/2
}

// Name returns "icm-" and the name of the base.
func (k ICM) Name() string { return "icm-" + k.base.Name() }

// Dim returns one more than that of the base.
func (k ICM) Dim() int { return k.base.Dim() + 1 }

// apart returns m - m'.
func (k ICM) apart(a, b space.Unit) float64 { return (a[k.axis.At] - b[k.axis.At]) * k.steps() }

// steps is how many levels are between the ends.
func (k ICM) steps() float64 { return float64(k.axis.Levels - 1) }

// together reports whether two points, kept or not, differ in the fidelity alone, if at all.
func (k ICM) together(a, b space.Unit) bool {
	for j, v := range a[:k.Dim()] {
		if v != b[j] && j != k.axis.At {
			return false
		}
	}
	return true
}

// factor returns exp(-g (m - m')²).
func (k ICM) factor(a, b space.Unit) float64 {
	t := k.apart(a, b)
	return expNeg(-k.decay * (t * t))
}

// Eval returns k(a, b).
func (k ICM) Eval(a, b space.Unit) float64 {
	k.check(a, b)
	return k.wide.Eval(a, b) * k.factor(a, b)
}

// Row fills dst[i] with k(x, xs[i]).
func (k ICM) Row(dst []float64, x space.Unit, xs []space.Unit) {
	k.check(x, x)
	k.wide.Row(dst, x, xs)
	k.scale(dst, x, xs)
}

// rememberedLevels is how many factors of levels are kept while a row is computed.
const rememberedLevels = 8

// scale multiplies dst[i] by the factor of x and xs[i]. Levels are few, so that those of the first are remembered.
//
//go:norace
//go:nocheckptr
func (k ICM) scale(dst []float64, x space.Unit, xs []space.Unit) {
	reads(x)
	readsPoints(xs)
	writes(dst)
	var levels, factors [rememberedLevels]float64
	at, here, steps, most, known := k.axis.At, x[k.axis.At], k.steps(), min(k.axis.Levels, rememberedLevels), 0
	dst = dst[:len(xs)]
next:
	for i, b := range xs {
		level := b[at]
		for j := range known {
			if levels[j] == level {
				dst[i] *= factors[j]
				continue next
			}
		}
		t := (here - level) * steps
		factor := expNeg(-k.decay * (t * t))
		if known < most {
			levels[known], factors[known] = level, factor
			known++
		}
		dst[i] *= factor
	}
}

// Diag returns k(x, x).
func (k ICM) Diag(x space.Unit) float64 { return k.wide.Diag(x) }

// GradX returns k(a, b) and fills dst with dk/da.
func (k ICM) GradX(dst []float64, a, b space.Unit) float64 {
	k.check(a, b)
	factor := k.factor(a, b)
	value := k.wide.GradX(dst, a, b) * factor
	floats.Scale(factor, dst)
	dst[k.axis.At] = k.steep() * k.apart(a, b) * value
	return value
}

// steep is the derivative by the coordinate of the fidelity, as a part of (m - m') k(a, b).
func (k ICM) steep() float64 { return -2 * k.decay * k.steps() }

// Hyper describes the hyperparameters of the base, with the numbers of the coordinates among all, and the decay.
func (k ICM) Hyper() []Hyperparameter {
	all := k.base.Hyper()
	for i, h := range all {
		before, number, _ := strings.Cut(h.Name, "[")
		if j, err := strconv.Atoi(strings.TrimSuffix(number, "]")); err == nil && j >= k.axis.At {
			all[i].Name = fmt.Sprintf("%s[%d]", before, j+1)
		}
	}
	return append(all, Hyperparameter{"decay", Decay, leastDecay, greatestDecay})
}

// Values returns those of the base and the decay.
func (k ICM) Values() []float64 { return append(k.base.Values(), k.decay) }

// WithValues returns the kernel with other hyperparameters.
func (k ICM) WithValues(values []float64) Kernel {
	last := k.last(values)
	return k.with(k.base.WithValues(values[:last]), values[last])
}

// last is the place of the decay among so many hyperparameters, which must be those of the kernel.
func (k ICM) last(values []float64) int {
	last := len(k.base.Hyper())
	checkParams(last+1, values)
	return last
}

// Params returns those of the base and the log decay.
func (k ICM) Params() []float64 { return append(k.base.Params(), math.Log(k.decay)) }

// WithParams returns the kernel with other hyperparameters, in the order of Params.
func (k ICM) WithParams(log []float64) Kernel {
	last := k.last(log)
	return k.with(k.base.WithParams(log[:last]), math.Exp(log[last]))
}

// GradParams returns k(a, b) and fills dst with the derivatives by Params.
func (k ICM) GradParams(dst []float64, a, b space.Unit) float64 {
	clear(dst)
	k.addGradParams(dst, []float64{1}, a, []space.Unit{b})
	return k.Eval(a, b)
}

// WithCategories returns the kernel with those marks for its base. Fidelities have an order, whatever theirs says.
func (k ICM) WithCategories(marks []bool) Kernel {
	if marks != nil {
		marks = slices.Delete(slices.Clone(marks), k.axis.At, k.axis.At+1)
	}
	return k.with(k.base.WithCategories(marks), k.decay)
}

// drawPrior draws random waves over all coordinates, warped ones where the base is of such; nil where it is no mixture of waves.
func (k ICM) drawPrior(stream *rand.Rand, number int) sample {
	if wide, warped := k.wide.(Warped); warped {
		return wide.bentDraw(drawPrior(k.with(k.base.(Warped).Of, k.decay), stream, number))
	}
	if h, ok := spectral(k); ok {
		return drawWaves(h, number, stream)
	}
	return nil
}

func (k ICM) spectral() bool {
	_, ok := spectral(k.base)
	return ok
}

// addFrequency adds a frequency of the base and one of the squared-exponential factor, which is normal with the variance 2g in the
// units of m.
func (k ICM) addFrequency(stream *rand.Rand, w []float64, signs []uint64) {
	at := k.axis.At
	restW, restSigns := slices.Delete(slices.Clone(w), at, at+1), slices.Delete(slices.Clone(signs), at, at+1)
	k.base.(harmonic).addFrequency(stream, restW, restSigns)
	copy(w, restW[:at])
	copy(w[at+1:], restW[at:])
	copy(signs, restSigns[:at])
	copy(signs[at+1:], restSigns[at:])
	w[at] += math.Sqrt(2*k.decay) * k.steps() * stream.NormFloat64()
}

// Validate reports a missing base and what it reports, a coordinate that there is none of, fewer than 2 levels and a decay
// outside [1e-9, 1e9].
func (k ICM) Validate() error {
	var l check.List
	if k.base == nil {
		l.Add("ICM.Base", nil, "a kernel")
		return l.Err()
	}
	if err := k.base.Validate(); err != nil {
		return err
	}
	l.Between("ICM.At", k.axis.At, 0, k.base.Dim())
	l.Require(k.axis.Levels >= 2, "ICM.Levels", k.axis.Levels, "at least 2")
	l.Within("ICM.Decay", k.decay, leastDecay, greatestDecay)
	return l.Err()
}
