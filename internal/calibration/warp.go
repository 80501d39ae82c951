package calibration

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
)

// The warps below are the usual remedies for a model that does not fit: of the inputs (Kumaraswamy), or of the targets,
// with the model on z = T(y). For targets log p(y) = log p(z) + Σ log T'(y_i), T' being the Slope; acquisitions on z need
// no correction.

// warpMargin keeps inputs away from the ends of [0,1], where the slope of Kumaraswamy is 0 or infinite.
const warpMargin = 1e-7

// Kumaraswamy warps an input in [0,1] by its cdf w(x) = 1 - (1 - x^A)^B with A, B > 0; 1 and 1 are the identity (Snoek
// et al. 2014 with the beta distribution). Inputs count as the nearest point of [1e-7, 1-1e-7].
type Kumaraswamy struct{ A, B float64 }

// At returns w(x).
func (k Kumaraswamy) At(x float64) float64 {
	return -math.Expm1(k.B * math.Log1p(-math.Pow(inner(x), k.A)))
}

// Slope returns w'(x) = A·B·x^(A-1)·(1 - x^A)^(B-1) > 0.
func (k Kumaraswamy) Slope(x float64) float64 {
	x = inner(x)
	return k.A * k.B * math.Pow(x, k.A-1) * math.Exp((k.B-1)*math.Log1p(-math.Pow(x, k.A)))
}

func inner(x float64) float64 { return min(max(x, warpMargin), 1-warpMargin) }

// TanhWarp is the output warp T(y) = y + Σ_i A[i]·tanh(B[i]·(y + C[i])) with A, B ≥ 0 (Snelson et al. 2004). Its slope
// is at least 1. The zero value is the identity.
type TanhWarp struct{ A, B, C []float64 }

// At returns T(y).
func (w TanhWarp) At(y float64) float64 {
	z := y
	for i, a := range w.A {
		z += a * math.Tanh(w.B[i]*(y+w.C[i]))
	}
	return z
}

// Slope returns T'(y) = 1 + Σ A·B·(1 - tanh²) ≥ 1.
func (w TanhWarp) Slope(y float64) float64 {
	slope := 1.0
	for i, a := range w.A {
		t := math.Tanh(w.B[i] * (y + w.C[i]))
		slope += a * w.B[i] * (1 - t) * (1 + t)
	}
	return slope
}

// LogWarp is the output warp T(y) = log(y - Min + Eps) with Eps > 0, for targets at or above Min.
type LogWarp struct{ Min, Eps float64 }

// At returns T(y): -Inf at y = Min - Eps, NaN below.
func (w LogWarp) At(y float64) float64 { return math.Log(y - w.Min + w.Eps) }

// Slope returns 1/(y - Min + Eps).
func (w LogWarp) Slope(y float64) float64 { return 1 / (y - w.Min + w.Eps) }

// Mixture returns mean and variance of the equal mixture of distributions with these means and variances, such as the members of
// an ensemble (Lakshminarayanan et al. 2017): the mean of the means, and the mean of the variances plus the variance of
// the means. NaN without members.
func Mixture(means, variances []float64) (mean, variance float64) {
	if len(means) != len(variances) {
		panic("calibration: Mixture: means and variances differ in number")
	}
	n := float64(len(means))
	for _, m := range means {
		mean += m / n
	}
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	for i, m := range means {
		variance += (variances[i] + (m-mean)*(m-mean)) / n
	}
	return mean, variance
}

// BoxCox is the output warp T(y) = (y^L - 1)/L of positive y, log y at L = 0 (Box and Cox 1964). Exponents near 0 lose
// nothing.
type BoxCox struct{ L float64 }

// At returns T(y): NaN for y < 0, the limit at 0.
func (w BoxCox) At(y float64) float64 { return boxCox(math.Log(y), w.L) }

// boxCox is (e^(l·r) - 1)/l, r at l = 0.
func boxCox(r, l float64) float64 {
	if l == 0 {
		return r
	}
	return math.Expm1(l*r) / l
}

// Slope returns T'(y) = y^(L-1).
func (w BoxCox) Slope(y float64) float64 { return math.Pow(y, w.L-1) }

// boxCoxLikelihood takes the logarithms of y. Divided by their geometric mean the targets keep the warp in range, and
// the Jacobian is then -n times the mean logarithm.
func boxCoxLikelihood(logs []float64, l float64) float64 {
	n, center, mean, square := float64(len(logs)), 0.0, 0.0, 0.0
	for _, r := range logs {
		center += r / n
	}
	for i, r := range logs {
		z := boxCox(r-center, l)
		d := z - mean
		mean += d / float64(i+1)
		square += d * (z - mean)
	}
	return -n/2*math.Log(square/n) - n*center
}

func logarithms(y []float64) []float64 {
	logs := make([]float64, len(y))
	for i, v := range y {
		logs[i] = math.Log(v)
	}
	return logs
}

// FitBoxCox returns the warp whose exponent in [-2,2] has the largest profile log-likelihood when the warped targets are
// Gaussian, -(n/2) log var(T(y)) + (L - 1) Σ log y: the best exponent of a grid of 81, refined by golden sections between
// its neighbors to about 1e-7. With fewer than two different targets it returns exponent 1. It is an
// error if a target is not positive and finite. Cost of about 150 likelihoods.
func FitBoxCox(y []float64) (BoxCox, error) {
	var c check.List
	for _, v := range y {
		c.Positive("y", v)
	}
	if err := c.Err(); err != nil {
		return BoxCox{}, err
	}
	logs := logarithms(y)
	if len(y) == 0 || slices.Min(logs) == slices.Max(logs) {
		return BoxCox{L: 1}, nil
	}
	best, top := 0.0, math.Inf(-1)
	for i := -40; i <= 40; i++ {
		if v := boxCoxLikelihood(logs, float64(i)/20); v > top {
			best, top = float64(i)/20, v
		}
	}
	const golden = 0.61803398874989484820
	low, high := max(best-0.05, -2), min(best+0.05, 2)
	for high-low > 1e-8 {
		a, b := high-golden*(high-low), low+golden*(high-low)
		if boxCoxLikelihood(logs, a) < boxCoxLikelihood(logs, b) {
			low = a
		} else {
			high = b
		}
	}
	return BoxCox{L: (low + high) / 2}, nil
}
