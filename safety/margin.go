package safety

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/tarry-bo/tarry/internal/check"
)

// Margin says which answers count as violations where constraints are measured with noise. An answer z = q + noise
// counts if z < Omega. Then every true violation (q < 0) among T queries counts with probability of at least Confidence, and
// with it the promise holds (Zhang 2024, chapter 6, P-SAFE-BOCP; the noise of different queries must be independent). Answers at safe points may
// count too, which makes a study cautious but breaks nothing.
//
// With several constraints each has the margin of its own noise, and a query counts if one of them does; the confidence stays
// the same, since for a query that violates one constraint it is enough that this one counts.
type Margin struct {
	Omega      float64 // ω, in the units of the constraint; +Inf: every answer counts, and it is for comparisons only
	Confidence float64 // of the promise in the end
	Why        string  // why Omega is infinite; empty where it is not
}

// Violates reports whether an answer counts as a violation. What is not a number does.
func (m Margin) Violates(z float64) bool { return !(z >= m.Omega) }

// Doubt says why little can be learned from a point known to be safe whose constraint was measured as z, with the standard
// deviation sigma of the noise: unless z is above Omega + 2 sigma, answers of points that are just as safe count as
// violations. Empty where nothing is in doubt.
func (m Margin) Doubt(z, sigma float64) string {
	if math.IsInf(m.Omega, 1) {
		return m.Why
	}
	if z >= m.Omega+2*sigma {
		return ""
	}
	return fmt.Sprintf("the constraint is %.4g at a point that is known to be safe, and answers below %.4g count as violations: want at least %.4g there, or less noise", z, m.Omega, m.Omega+2*sigma)
}

// GaussianMargin returns the margin for normal noise with standard deviation sigma, in the units of the constraint, among
// so many queries: ω = sigma Φ⁻¹((1-δ)^(1/T)) with 1-δ the confidence. It is 0 without noise. Errors name what is
// out of range.
func GaussianMargin(sigma float64, queries int, confidence float64) (Margin, error) {
	var l check.List
	l.NotNegative("Margin.Sigma", sigma)
	if err := checkMargin(&l, queries, confidence); err != nil {
		return Margin{}, err
	}
	m := Margin{Confidence: confidence}
	if sigma > 0 {
		m.Omega = 0 - sigma*mathext.NormalQuantile(missed(queries, confidence))
	}
	return m, nil
}

// EmpiricalMargin returns the margin for noise of which nothing but independent samples is known, in the units of the
// constraint. The probability of noise of at least w is at most the share of such samples + ψ, with ψ = √(ln(1/(1-tail))/2m) for m
// samples, for all w together with probability tail (Dvoretzky, Kiefer & Wolfowitz 1956; Massart 1990, one-sided, which wants tail ≥ ½). The
// confidence of the promise is tail times confidence.
//
// ω is finite only if ψ ≤ 1 - (1-δ)^(1/T), which takes very many samples: for T = 25 and δ = 0.1 with tail 0.95, about 85 000.
// Otherwise ω is infinite, every answer counts as a violation, and Why says how many samples it takes. Cost O(m log m).
func EmpiricalMargin(noise []float64, tail float64, queries int, confidence float64) (Margin, error) {
	var l check.List
	l.Require(tail >= 0.5 && tail < 1, "Margin.Tail", tail, "0.5 ≤ Tail < 1")
	l.Require(len(noise) > 0, "Margin.Noise", len(noise), "at least one sample")
	for i, v := range noise {
		l.Finite(fmt.Sprintf("Margin.Noise[%d]", i), v)
	}
	if err := checkMargin(&l, queries, confidence); err != nil {
		return Margin{}, err
	}
	m, samples := Margin{Confidence: tail * confidence}, float64(len(noise))
	nats := -math.Log1p(-tail)
	psi, most := math.Sqrt(nats/(2*samples)), missed(queries, confidence)
	if psi > most {
		m.Omega = math.Inf(1)
		m.Why = fmt.Sprintf("%d samples of the noise bound its tail to %.2g at best, wanted is %.2g: every answer counts as a violation; take %.0f samples, or a normal law",
			len(noise), psi, most, math.Ceil(nats/(2*most*most)))
		return m, nil
	}
	sorted := slices.Sorted(slices.Values(noise))
	above := int((most - psi) * samples) // so many samples may be at ω or above, wherever it is raised by however little
	m.Omega = sorted[len(sorted)-1-above]
	return m, nil
}

// missed is 1 - (1-δ)^(1/T), with which probability a violation may go unseen.
func missed(queries int, confidence float64) float64 {
	return 0 - math.Expm1(math.Log(confidence)/float64(queries))
}

// checkMargin adds what both margins want.
func checkMargin(l *check.List, queries int, confidence float64) error {
	l.Between("Margin.Queries", queries, 1, math.MaxInt32)
	l.Require(confidence > 0 && confidence < 1, "Margin.Confidence", confidence, "0 < Confidence < 1")
	return l.Err()
}
