package surrogate

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

var _ = register("periodic", func(d int) Kernel { return Periodic{defaultLengthscales(d), 1, 1} })

// Periodic is the kernel v exp(-2 Σ_j sin²(π (a_j - b_j)/p) / l_j²) of functions that repeat with the period p in every
// dimension (MacKay 1998; Rasmussen & Williams 2006, eq. 4.31). Hyperparameters: lengthscale[0..d-1], period,
// outputscale.
type Periodic struct {
	Lengthscales        []float64 // without unit: they compare with the sine, which is at most 1
	Period, Outputscale float64
}

// Name returns "periodic".
func (k Periodic) Name() string { return "periodic" }

// Dim returns the number of lengthscales.
func (k Periodic) Dim() int { return len(k.Lengthscales) }

// Eval returns k(a, b).
func (k Periodic) Eval(a, b space.Unit) float64 {
	checkDim(len(k.Lengthscales), a, b)
	var e float64
	for j, l := range k.Lengthscales {
		s := math.Sin(math.Pi*(a[j]-b[j])/k.Period) / l
		e -= 2 * s * s
	}
	return k.Outputscale * expNeg(e)
}

// Row fills dst[i] with k(x, xs[i]).
func (k Periodic) Row(dst []float64, x space.Unit, xs []space.Unit) {
	checkRow(len(k.Lengthscales), dst, x, xs)
	for i, b := range xs {
		dst[i] = k.Eval(x, b)
	}
}

// Diag returns the outputscale.
func (k Periodic) Diag(space.Unit) float64 { return k.Outputscale }

// GradX returns k(a, b) and fills dst with dk/da.
func (k Periodic) GradX(dst []float64, a, b space.Unit) float64 {
	v := k.Eval(a, b)
	for j, l := range k.Lengthscales {
		u := math.Pi * (a[j] - b[j]) / k.Period
		dst[j] = -v * 2 * math.Sin(2*u) / (l * l) * math.Pi / k.Period
	}
	return v
}

// Hyper describes the lengthscales, the period and the outputscale.
func (k Periodic) Hyper() []Hyperparameter {
	return lengthHyper(len(k.Lengthscales), Hyperparameter{"period", Shape, leastLength, greatestLength}, outputscaleHyper())
}

// Values returns lengthscales, period and outputscale.
func (k Periodic) Values() []float64 {
	return slices.Concat(k.Lengthscales, []float64{k.Period, k.Outputscale})
}

// WithValues returns the kernel with other hyperparameters.
func (k Periodic) WithValues(values []float64) Kernel {
	d := len(k.Lengthscales)
	checkParams(d+2, values)
	return Periodic{slices.Clone(values[:d]), values[d], values[d+1]}
}

// Params returns log lengthscales, log period and log outputscale.
func (k Periodic) Params() []float64 { return logarithms(k.Values()) }

// WithParams returns the kernel with other hyperparameters, in the order of Params.
func (k Periodic) WithParams(log []float64) Kernel {
	d := len(k.Lengthscales)
	checkParams(d+2, log)
	return Periodic{exponentials(log[:d]), math.Exp(log[d]), math.Exp(log[d+1])}
}

// GradParams returns k(a, b) and fills dst with the derivatives by Params.
func (k Periodic) GradParams(dst []float64, a, b space.Unit) float64 {
	v := k.Eval(a, b)
	d := len(k.Lengthscales)
	dst[d], dst[d+1] = 0, v
	for j, l := range k.Lengthscales {
		u := math.Pi * (a[j] - b[j]) / k.Period
		s := math.Sin(u)
		dst[j] = v * 4 * s * s / (l * l)
		dst[d] += v * 2 * u * math.Sin(2*u) / (l * l)
	}
	return v
}

// WithCategories returns the kernel as it is.
func (k Periodic) WithCategories([]bool) Kernel { return k }

func (k Periodic) spectral() bool { return true }

// addFrequency draws a multiple of 2π/p in each dimension. exp((cos t - 1)/l²) is the Fourier series of the distribution of the
// difference of two Poisson variables of mean 1/(2l²) (Skellam 1946).
func (k Periodic) addFrequency(stream *rand.Rand, w []float64, _ []uint64) {
	for j, l := range k.Lengthscales {
		law := distuv.Poisson{Lambda: 1 / (2 * l * l), Src: stream}
		w[j] += 2 * math.Pi / k.Period * (law.Rand() - law.Rand())
	}
}

// Validate reports lengthscales and a period outside [1e-9, 1e9] and an outputscale outside [1e-100, 1e100].
func (k Periodic) Validate() error {
	var l check.List
	checkLengths(&l, "Periodic.Lengthscales", k.Lengthscales)
	l.Within("Periodic.Period", k.Period, leastLength, greatestLength)
	l.Within("Periodic.Outputscale", k.Outputscale, leastScale, greatestScale)
	return l.Err()
}
