package policies

import (
	"cmp"
	"math"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Beta is the confidence parameter β_t: a constant, or the schedule of the theory, which is valid but far too wide in
// practice.
type Beta struct {
	Constant float64 // 0 means 1
	// Theory is the schedule in place of the constant: for a function of RKHS norm at most Norm (0 means 1) with R-sub-Gaussian
	// noise (0 means 0.1), with probability 1 − Delta (0 means 0.1).
	Theory         bool
	Norm, R, Delta float64
}

const (
	defaultBeta  = 1
	defaultNorm  = 1
	defaultR     = 0.1
	defaultDelta = 0.1
)

// Theory is the schedule under which the regret bounds are proved, for a function of RKHS norm at most Norm with
// R-sub-Gaussian noise, with probability 1 − Delta:
//
//	β_t = Norm + Factor · √(2·(γ_{t−1} + 1 + log(Failures/Delta)))
//
// Factor is R + B_y and Failures 2 for GP-UCB-SDF and 4 for GP-TS-SDF (Verma et al. 2022, Thm. 1); Factor is R and
// Failures 1 for policies without censoring (Chowdhury and Gopalan 2017, Thm. 2).
type Theory struct {
	Norm, Factor, Failures, Delta float64
}

// Of returns β_t for the information gain γ_{t−1} in nats.
func (s Theory) Of(gain float64) float64 {
	return s.Norm + s.Factor*math.Sqrt(2*(gain+1+math.Log(s.Failures/s.Delta)))
}

// How many events of small probability the proofs for a family of policies exclude.
const (
	srinivasFailures = 1
	vermaUCBFailures = 2
	vermaTSFailures  = 4
)

// Settings are the options of the parameter: beta=NUMBER or beta=theory with bf (norm bound), r (noise) and delta.
func (b *Beta) Settings() Settings {
	theory := func() bool { return b.Theory }
	const only = "with beta=theory"
	above := func(high float64) Range { return Range{High: high, OpenLow: true} }
	return Settings{
		Number("beta", &b.Constant, defaultBeta, above(1e6), "standard deviations above the mean; theory: the schedule of the proofs").Or("theory", &b.Theory),
		Number("bf", &b.Norm, defaultNorm, above(1e6), "bound of the norm of the function").When(theory, only),
		Number("r", &b.R, defaultR, above(1e6), "noise is r-sub-Gaussian").When(theory, only),
		Number("delta", &b.Delta, defaultDelta, Range{Low: 1e-12, High: 1}, "probability that the bounds fail").When(theory, only),
	}
}

// schedule is the theory for a family of policies whose imputed values lie at most so far from the true ones.
func (b Beta) schedule(failures, bound float64) Theory {
	return Theory{
		Norm: cmp.Or(b.Norm, defaultNorm), Factor: cmp.Or(b.R, defaultR) + bound, Failures: failures, Delta: cmp.Or(b.Delta, defaultDelta),
	}
}

// At returns β_t for the view. The theory of a family of policies sets failures, as in Theory, and bound, how far imputed
// values may lie from the true ones, 0 without imputation. With Theory the information gain is maximized for each view,
// at a cost of O(N t²) for N points.
func (b Beta) At(v View, failures, bound float64) float64 {
	if b.Theory {
		gain, _ := InformationGain(v.Posterior.Prior(), v.gainPoints(), v.Round-1)
		return b.schedule(failures, bound).Of(gain / (1 - 1/math.E))
	}
	return cmp.Or(b.Constant, defaultBeta)
}

// gainCandidates is how many points stand for a continuous space when its information gain is computed.
const gainCandidates = 512

// gainPoints are the points over which the information gain is maximized: a finite list itself, or points that fill
// the space. They are the same in every round of every study of the space.
func (v View) gainPoints() []space.Unit {
	if v.Space.Size() > 0 && len(v.Space.Held()) == 0 {
		return v.Space.UnitPoints()
	}
	return v.Space.Sample(space.Halton, gainCandidates, rng.New(0, rng.Design, 0))
}

// InformationGain greedily chooses t of the points (a point may come again) to maximize ½ log det(I + K/λ), and returns
// the gain in nats and the indices chosen. The greedy gain g and the greatest gain γ_t satisfy g ≤ γ_t ≤ g/(1 − 1/e)
// (Srinivas et al. 2010, sec. III; Nemhauser et al. 1978). Cost O(N t²) for N points.
func InformationGain(prior surrogate.Prior, points []space.Unit, t int) (gain float64, picks []int) {
	points = surrogate.Keep(prior.Kernel, points)
	variance := make([]float64, len(points))
	for i, x := range points {
		variance[i] = prior.Kernel.Diag(x)
	}
	var rows []space.Unit
	for range t {
		best := 0
		for i, v := range variance {
			if v > variance[best] {
				best = i
			}
		}
		gain += 0.5 * math.Log1p(variance[best]/prior.Noise)
		picks = append(picks, best)
		row := make([]float64, len(points))
		prior.Kernel.Row(row, points[best], points)
		for _, r := range rows {
			for i := range row {
				row[i] -= r[best] * r[i]
			}
		}
		scale := 1 / math.Sqrt(variance[best]+prior.Noise)
		for i := range row {
			row[i] *= scale
			variance[i] = max(variance[i]-row[i]*row[i], 0)
		}
		rows = append(rows, row)
	}
	return gain, picks
}
