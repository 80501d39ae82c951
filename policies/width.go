package policies

import (
	"math"
	"slices"
)

// Sigma says which standard deviation a bound uses.
type Sigma int

// The standard deviations.
const (
	Latent     Sigma = iota // of the function, as in the papers
	Predictive              // of a noisy observation, as in the code published with Verma et al. 2022
)

func parseSigma(o *Options) Sigma {
	if o.Choice("sigma", "latent", "predictive") == "predictive" {
		return Predictive
	}
	return Latent
}

// noise is the variance to add to the latent one.
func (s Sigma) noise(v View) float64 {
	if s == Predictive {
		return v.Posterior.Noise()
	}
	return 0
}

// Width is the width of the confidence interval of the delayed-feedback policies, in standard deviations:
//
//	ν_t = B_y · Σ_{s=t−m}^{t−1} σ_{t−1}(x_s) + β_t        (Verma et al. 2022, eq. 2)
//
// The sum runs over the queries within the window, as printed; without a window, over the pending ones, since only
// they contribute to the deviation that the term bounds.
type Width struct {
	Nu    float64 // a constant in place of ν_t; 0 means ν_t
	Bound float64 // B_y, the largest magnitude of a value in the model's units; 0 means 1
	Beta  Beta    // β_t
	Sigma Sigma   // of the sum, and of the bound
}

const widthOptions = "nu=1, by=1, beta=1 | beta=theory, sigma=latent | predictive"

func parseWidth(o *Options, s schedule) Width {
	for _, key := range []string{"by", "beta"} {
		if o.Given("nu") && o.Given(key) {
			o.Fail(key, o.Text(key, ""), "no "+key+" beside nu, which replaces the whole of ν_t")
		}
	}
	return Width{
		Nu:    o.Float("nu", 0, 1e-6, 1e6),
		Bound: o.Float("by", 0, 1e-6, 1e6),
		Beta:  parseBeta(o, s),
		Sigma: parseSigma(o),
	}
}

// At returns ν_t for the view. Cost for each query of the window O(1) where the
// pool holds it, otherwise O((n − i)²) for row i.
func (w Width) At(v View) float64 {
	if w.Nu > 0 {
		return w.Nu
	}
	bound := w.Bound
	if bound == 0 {
		bound = 1
	}
	noise, sum := w.Sigma.noise(v), 0.0
	for i, number := range v.Rows {
		if v.counts(number) {
			sum += math.Sqrt(v.Posterior.VarianceAt(i) + noise)
		}
	}
	return bound*sum + w.Beta.At(v)
}

// counts reports whether query number takes part in the sum of ν_t.
func (v View) counts(number int) bool {
	if !v.Window.Limited() {
		_, pending := slices.BinarySearch(v.Pending, number)
		return pending
	}
	q := v.Queries[number-1]
	return !v.Window.Late(v.Round-q.Round, v.At-q.At)
}
