package bandit

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Probabilities writes to p the probabilities of arms with these scores G: a share explore of them uniform, the rest a softmax. They sum to
// one, whatever the finite scores. Slices of different lengths are bugs and panic. Cost O(N).
func Probabilities(p, score []float64, explore float64) {
	Softmax(p, score)
	uniform := explore / float64(len(p))
	for i, s := range p {
		p[i] = (1-explore)*s + uniform
	}
}

// Softmax writes exp G / Σ exp G to p, without overflow. Slices of different lengths are bugs and panic.
func Softmax(p, score []float64) {
	if len(p) != len(score) {
		panic("bandit: as many probabilities as scores are wanted")
	}
	greatest, sum := slices.Max(score), 0.0
	for i, g := range score {
		p[i] = math.Exp(g - greatest)
		sum += p[i]
	}
	floats.Scale(1/sum, p)
}

// Draw returns an arm drawn with these probabilities, which need not sum to one; never one of probability 0 where another has more.
func Draw(p []float64, stream *rand.Rand) int {
	left, last := stream.Float64()*floats.Sum(p), 0
	for i, share := range p {
		if share <= 0 {
			continue
		}
		if last = i; left < share {
			break
		}
		left -= share
	}
	return last
}

// Expected returns E[f] for an arm drawn with probabilities p.
func Expected(p, f []float64) float64 { return floats.Dot(p, f) }

// Slopes returns the derivatives of E[f] at these scores and this share of exploration by ω, and writes those by the scores to dscore:
//
//	dE/dω = mean f - Σ s f,   dE/dG = (1 - ω) (diag(s) - s s') f,   s the softmax.
//
// The slice soft is memory for the softmax. Slices of different lengths are bugs and panic. Cost O(N).
func Slopes(dscore, soft, score, f []float64, explore float64) (value, dexplore float64) {
	Softmax(soft, score)
	mean, uniform := floats.Dot(soft, f), floats.Sum(f)/float64(len(f))
	for i, s := range soft {
		dscore[i] = (1 - explore) * s * (f[i] - mean)
	}
	return (1-explore)*mean + explore*uniform, uniform - mean
}
