package safety

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/outcome"
)

// GuardBand says which answers count as violations where constraints are measured with noise: those that are not by so
// much on the safe side. An answer z = q + noise, where z and q are how far the constraint is on the side that is allowed,
// counts if z < Omega. Then every true violation (q < 0) among T queries counts with probability of at least Confidence, and
// with it the promise holds (Zhang 2024, chapter 6, P-SAFE-BOCP; the noise of different queries must be independent). Answers
// at safe points may count too, which makes a study cautious but breaks nothing.
//
// With several constraints each has the guard band of its own noise, and a query counts if one of them does; the
// confidence stays the same, since for a query that violates one constraint it is enough that this one counts.
type GuardBand struct {
	Omega      float64 // ω, in the units of the constraint; +Inf: every answer counts, and it is for comparisons only
	Under      float64 // how far below zero noise brings an answer at a point that is safe hardly ever, at least 0; +Inf where Omega is
	Confidence float64 // of the promise in the end
	Why        string  // why Omega is infinite; empty where it is not
}

// Violates reports whether an answer counts as a violation. What is not a number does.
func (g GuardBand) Violates(z float64) bool { return !(z >= g.Omega) }

// Contradicts reports whether an answer at a point that is said to be safe is so far on the other side that noise does not explain
// it: z < -Under. If the point is safe, so is not one of T answers there with probability of at least Confidence.
func (g GuardBand) Contradicts(z float64) bool { return z < -g.Under }

// Doubt says, in the user's units, why little can be learned from a point known to be safe where a constraint was measured as value, with
// the standard deviation sigma of the noise: unless its margin is at least Omega + 2 sigma, answers of points that are just as safe count
// as violations. Empty where nothing is in doubt.
func (g GuardBand) Doubt(c outcome.Constraint, value, sigma float64) string {
	want := g.Omega + 2*sigma
	switch {
	case math.IsInf(g.Omega, 1):
		return g.Why
	case c.Margin(value) >= want:
		return ""
	}
	beyond, side := "above", "most"
	if c.Least {
		beyond, side = "below", "least"
	}
	return fmt.Sprintf("%s is %.6g at a point that is known to be safe, and answers %s %.6g count as violations: want at %s %.6g there, or less noise",
		c.Name, value, beyond, c.Value(g.Omega), side, c.Value(want))
}

// GaussianGuardBand returns the guard band for normal noise with standard deviation sigma, in the units of the constraint, among
// so many queries: ω = sigma Φ⁻¹((1-δ)^(1/T)) with 1-δ the confidence. It is 0 without noise. Errors name what is
// out of range.
func GaussianGuardBand(sigma float64, queries int, confidence float64) (GuardBand, error) {
	var l check.List
	l.NotNegative("GuardBand.Sigma", sigma)
	if err := checkGuardBand(&l, queries, confidence); err != nil {
		return GuardBand{}, err
	}
	g := GuardBand{Confidence: confidence}
	if sigma > 0 {
		g.Omega = 0 - sigma*mathext.NormalQuantile(missed(queries, confidence))
		g.Under = max(g.Omega, 0) // the law is symmetric; ω is below 0 where a violation may be missed more often than not
	}
	return g, nil
}

// EmpiricalGuardBand returns the guard band for noise of which nothing but independent samples is known, in the units of
// the constraint. The probability of noise of at least w is at most the share of such samples + ψ, with
// ψ = √(ln(1/(1-tail))/2m) for m samples, for all w together with probability tail (Dvoretzky, Kiefer & Wolfowitz 1956;
// Massart 1990, one-sided, which wants tail ≥ ½). The confidence of the promise is tail times confidence.
//
// ω is finite only if ψ ≤ 1 - (1-δ)^(1/T), which takes very many samples: for T = 25 and δ = 0.1 with tail 0.95, about 85 000.
// Otherwise ω is infinite, every answer counts as a violation, and Why says how many samples it takes. Cost O(m log m).
func EmpiricalGuardBand(noise []float64, tail float64, queries int, confidence float64) (GuardBand, error) {
	var l check.List
	l.Require(tail >= 0.5 && tail < 1, "GuardBand.Tail", tail, "0.5 ≤ Tail < 1")
	l.Require(len(noise) > 0, "GuardBand.Noise", len(noise), "at least one sample")
	for i, v := range noise {
		l.Finite(fmt.Sprintf("GuardBand.Noise[%d]", i), v)
	}
	if err := checkGuardBand(&l, queries, confidence); err != nil {
		return GuardBand{}, err
	}
	g, samples := GuardBand{Confidence: tail * confidence}, float64(len(noise))
	nats := -math.Log1p(-tail)
	psi, most := math.Sqrt(nats/(2*samples)), missed(queries, confidence)
	if psi > most {
		g.Omega, g.Under = math.Inf(1), math.Inf(1)
		g.Why = fmt.Sprintf("%d samples of the noise bound its tail to %.2g at best, wanted is %.2g: every answer counts as a violation; take %.0f samples, or a normal law",
			len(noise), psi, most, math.Ceil(nats/(2*most*most)))
		return g, nil
	}
	sorted := slices.Sorted(slices.Values(noise))
	above := int((most - psi) * samples) // so many samples may be at ω or above, wherever it is raised by however little
	g.Omega, g.Under = sorted[len(sorted)-1-above], max(0-sorted[above], 0)
	return g, nil
}

// missed is 1 - (1-δ)^(1/T), with which probability a violation may go unseen.
func missed(queries int, confidence float64) float64 {
	return 0 - math.Expm1(math.Log(confidence)/float64(queries))
}

// checkGuardBand adds what both want.
func checkGuardBand(l *check.List, queries int, confidence float64) error {
	l.Between("GuardBand.Queries", queries, 1, math.MaxInt32)
	l.Require(confidence > 0 && confidence < 1, "GuardBand.Confidence", confidence, "0 < Confidence < 1")
	return l.Err()
}
