package policies

import (
	"cmp"
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

// Setting is the option: sigma=latent or sigma=predictive.
func (s *Sigma) Setting() Setting {
	return Choice("sigma", s, Latent, []string{Latent: "latent", Predictive: "predictive"}, "standard deviation of the function, or of a noisy value")
}

// Noise returns the variance to add to the latent one.
func (s Sigma) Noise(v View) float64 {
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

// Settings are the options: nu, by, those of Beta, and sigma.
func (w *Width) Settings() Settings {
	free := func() bool { return w.Nu == 0 }
	const only = "without nu, which replaces the whole of ν_t"
	above := Range{Low: 1e-6, High: 1e6}
	nu := Number("nu", &w.Nu, 0, above, "standard deviations above the mean, or the spread of a draw, in place of ν_t")
	nu.Form = "ν_t"
	all := Settings{
		nu,
		Number("by", &w.Bound, defaultBound, above, "largest magnitude of a value").When(free, only),
	}
	for _, s := range w.Beta.Settings() {
		applies := s.applies
		all = append(all, s.When(func() bool { return free() && (applies == nil || applies()) }, cmp.Or(s.only, only)))
	}
	return append(all, w.Sigma.Setting())
}

const defaultBound = 1

// At returns ν_t for the view, in a family of policies with so many failures (see Theory). Cost for each query of the
// window O(1) where the pool holds it, otherwise O((n − i)²) for row i.
func (w Width) At(v View, failures float64) float64 {
	if w.Nu > 0 {
		return w.Nu
	}
	bound := cmp.Or(w.Bound, defaultBound)
	noise, sum := w.Sigma.Noise(v), 0.0
	for i, number := range v.Rows {
		if v.counts(number) {
			sum += math.Sqrt(v.Posterior.VarianceAt(i) + noise)
		}
	}
	return bound*sum + w.Beta.At(v, failures, bound)
}

// counts reports whether query number takes part in the sum of ν_t.
func (v View) counts(number int) bool {
	if number < 0 { // a report
		return false
	}
	if !v.Window.Limited() {
		_, pending := slices.BinarySearch(v.Pending, number)
		return pending
	}
	q := v.Queries[number-1]
	return !v.Window.Late(v.Round-q.Round, v.At-q.At)
}
