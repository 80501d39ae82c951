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
// model; Bonilla, Chai & Williams 2007): x are all coordinates but one, in their order, with the kernel Base, and m is the fidelity, the
// coordinate At times Levels - 1. So levels that are evenly spread over [0, 1] by rank are 1 apart, and neighbours correlate as
// exp(-g). A continuous fidelity has 2 levels: m is its coordinate. Hyperparameters: those of Base, then decay.
type ICM struct {
	Base       Kernel // of one coordinate less
	At, Levels int
	Decay      float64 // g
}

// NewICM returns the kernel over base whose coordinate at, of those of base and one more, is a fidelity with so many levels, at least 2.
// The decay is the mode of DecayPrior.
func NewICM(base Kernel, at, levels int) ICM { return ICM{base, at, levels, DecayPrior().Mode()} }

// FidelityAxis says that a coordinate is a fidelity, and how many levels it has: 2 for a continuous one.
type FidelityAxis struct{ At, Levels int }

// Over returns the ICM kernel of this axis over a kernel of the other coordinates. A kernel that is one stays as it is.
func (a FidelityAxis) Over(base Kernel) Kernel {
	if k, ok := base.(ICM); ok {
		return k
	}
	return NewICM(base, a.At, a.Levels)
}

// The range in which the decay must lie: at one end all levels are one, at the other no two have anything in common.
const leastDecay, greatestDecay = 1e-9, 1e9

// Name returns "icm-" and the name of the base.
func (k ICM) Name() string { return "icm-" + k.Base.Name() }

// Dim returns one more than that of the base.
func (k ICM) Dim() int { return k.Base.Dim() + 1 }

// rest returns the coordinates but the fidelity, in memory that is as long.
func (k ICM) rest(memory []float64, x space.Unit) space.Unit {
	copy(memory, x[:k.At])
	copy(memory[k.At:], x[k.At+1:])
	return memory
}

// rests returns the coordinates but the fidelity of all points.
func (k ICM) rests(xs []space.Unit) []space.Unit {
	d := k.Base.Dim()
	out, memory := make([]space.Unit, len(xs)), make([]float64, len(xs)*d)
	for i, x := range xs {
		out[i] = k.rest(memory[i*d:(i+1)*d:(i+1)*d], x)
	}
	return out
}

// apart returns m - m'.
func (k ICM) apart(a, b space.Unit) float64 { return (a[k.At] - b[k.At]) * float64(k.Levels-1) }

// factor returns exp(-g (m - m')²).
func (k ICM) factor(a, b space.Unit) float64 {
	t := k.apart(a, b)
	return expNeg(-k.Decay * (t * t))
}

// pair returns the other coordinates of two points.
func (k ICM) pair(a, b space.Unit) (restA, restB space.Unit) {
	checkDim(k.Dim(), a, b)
	both := k.rests([]space.Unit{a, b})
	return both[0], both[1]
}

// Eval returns k(a, b).
func (k ICM) Eval(a, b space.Unit) float64 {
	restA, restB := k.pair(a, b)
	return k.Base.Eval(restA, restB) * k.factor(a, b)
}

// Row fills dst[i] with k(x, xs[i]).
func (k ICM) Row(dst []float64, x space.Unit, xs []space.Unit) {
	checkRow(k.Dim(), dst, x, xs)
	k.Base.Row(dst, k.rest(make([]float64, k.Base.Dim()), x), k.rests(xs))
	for i, b := range xs {
		dst[i] *= k.factor(x, b)
	}
}

// Diag returns k(x, x).
func (k ICM) Diag(x space.Unit) float64 { return k.Base.Diag(k.rest(make([]float64, k.Base.Dim()), x)) }

// GradX returns k(a, b) and fills dst with dk/da.
func (k ICM) GradX(dst []float64, a, b space.Unit) float64 {
	restA, restB := k.pair(a, b)
	factor := k.factor(a, b)
	value := k.Base.GradX(dst[:len(restA)], restA, restB) * factor
	floats.Scale(factor, dst[:len(restA)])
	copy(dst[k.At+1:], dst[k.At:len(restA)])
	dst[k.At] = k.steep() * k.apart(a, b) * value
	return value
}

// steep is the derivative by the coordinate of the fidelity, as a part of (m - m') k(a, b).
func (k ICM) steep() float64 { return -2 * k.Decay * float64(k.Levels-1) }

// Hyper describes the hyperparameters of the base, with the numbers of the coordinates among all, and the decay.
func (k ICM) Hyper() []Hyperparameter {
	all := k.Base.Hyper()
	for i, h := range all {
		before, number, _ := strings.Cut(h.Name, "[")
		if j, err := strconv.Atoi(strings.TrimSuffix(number, "]")); err == nil && j >= k.At {
			all[i].Name = fmt.Sprintf("%s[%d]", before, j+1)
		}
	}
	return append(all, Hyperparameter{"decay", Decay, leastDecay, greatestDecay})
}

// Values returns those of the base and the decay.
func (k ICM) Values() []float64 { return append(k.Base.Values(), k.Decay) }

// WithValues returns the kernel with other hyperparameters.
func (k ICM) WithValues(values []float64) Kernel {
	last := k.last(values)
	k.Base, k.Decay = k.Base.WithValues(values[:last]), values[last]
	return k
}

// last is the place of the decay among so many hyperparameters, which must be those of the kernel.
func (k ICM) last(values []float64) int {
	last := len(k.Base.Hyper())
	checkParams(last+1, values)
	return last
}

// Params returns those of the base and the log decay.
func (k ICM) Params() []float64 { return append(k.Base.Params(), math.Log(k.Decay)) }

// WithParams returns the kernel with other hyperparameters, in the order of Params.
func (k ICM) WithParams(log []float64) Kernel {
	last := k.last(log)
	k.Base, k.Decay = k.Base.WithParams(log[:last]), math.Exp(log[last])
	return k
}

// GradParams returns k(a, b) and fills dst with the derivatives by Params.
func (k ICM) GradParams(dst []float64, a, b space.Unit) float64 {
	restA, restB := k.pair(a, b)
	last, factor, t := len(dst)-1, k.factor(a, b), k.apart(a, b)
	value := k.Base.GradParams(dst[:last], restA, restB) * factor
	floats.Scale(factor, dst[:last])
	dst[last] = -k.Decay * (t * t) * value
	return value
}

// WithCategories returns the kernel with those marks for its base. Fidelities have an order, whatever theirs says.
func (k ICM) WithCategories(marks []bool) Kernel {
	if marks != nil {
		marks = slices.Delete(slices.Clone(marks), k.At, k.At+1)
	}
	k.Base = k.Base.WithCategories(marks)
	return k
}

func (k ICM) spectral() bool {
	_, ok := spectral(k.Base)
	return ok
}

// addFrequency adds a frequency of the base and one of the squared-exponential factor, which is normal with the variance 2g in the
// units of m.
func (k ICM) addFrequency(stream *rand.Rand, w []float64, signs []uint64) {
	d := k.Base.Dim()
	restW, restSigns := make([]float64, d), make([]uint64, d)
	k.Base.(harmonic).addFrequency(stream, restW, restSigns)
	for j, v := range restW {
		to := j
		if j >= k.At {
			to++
		}
		w[to] += v
		signs[to] ^= restSigns[j]
	}
	w[k.At] += math.Sqrt(2*k.Decay) * float64(k.Levels-1) * stream.NormFloat64()
}

// Validate reports a missing base and what it reports, a coordinate that there is none of, fewer than 2 levels and a decay
// outside [1e-9, 1e9].
func (k ICM) Validate() error {
	var l check.List
	if k.Base == nil {
		l.Add("ICM.Base", nil, "a kernel")
		return l.Err()
	}
	if err := k.Base.Validate(); err != nil {
		return err
	}
	l.Between("ICM.At", k.At, 0, k.Base.Dim())
	l.Require(k.Levels >= 2, "ICM.Levels", k.Levels, "at least 2")
	l.Within("ICM.Decay", k.Decay, leastDecay, greatestDecay)
	return l.Err()
}
