package policies

import (
	"math"
	"strconv"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Beta is the confidence parameter β_t: a constant, 1 unless set, or the schedule of the theory, which is valid but far
// too wide for practice.
type Beta struct {
	Constant float64 // 0 means 1
	Theory   *Theory // used instead of Constant when set
}

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

// schedule is how a family of policies fills a Theory.
type schedule struct {
	censors  bool
	failures float64
}

var (
	srinivas = schedule{failures: 1}
	vermaUCB = schedule{censors: true, failures: 2}
	vermaTS  = schedule{censors: true, failures: 4}
)

// parseBeta reads beta=NUMBER or beta=theory with bf (norm bound), r (noise), delta and, where values are censored, by.
func parseBeta(o *Options, s schedule) Beta {
	text := o.Text("beta", "")
	if text == "theory" {
		theory := &Theory{
			Norm:     o.Float("bf", 1, 0, 1e6),
			Factor:   o.Float("r", 0.1, 0, 1e6),
			Failures: s.failures,
			Delta:    o.Float("delta", 0.1, 1e-12, 1),
		}
		if s.censors {
			theory.Factor += o.Float("by", 1, 1e-6, 1e6)
		}
		return Beta{Theory: theory}
	}
	if text == "" {
		return Beta{}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0 && v <= 1e6) {
		o.Fail("beta", text, "theory, or a number with 0 < beta ≤ 1e+06")
	}
	return Beta{Constant: v}
}

// At returns β_t for the view. With Theory the information gain is maximized anew, at a cost of O(N t²) for N points.
func (b Beta) At(v View) float64 {
	switch {
	case b.Theory != nil:
		gain, _ := InformationGain(v.Posterior.Prior(), v.gainPoints(), v.Round-1)
		return b.Theory.Of(gain / (1 - 1/math.E))
	case b.Constant > 0:
		return b.Constant
	}
	return 1
}

// gainCandidates is how many points stand for a continuous space when its information gain is computed.
const gainCandidates = 512

// gainPoints are the points over which the information gain is maximized: a finite list itself, or points that fill
// the space. They are the same in every round of every study of the space.
func (v View) gainPoints() [][]float64 {
	if v.Space.Size() > 0 && len(v.Space.Contexts()) == 0 {
		return v.Space.UnitPoints()
	}
	return v.Space.Sample(space.Halton, gainCandidates, rng.New(0, rng.Design, 0))
}

// InformationGain greedily chooses t of the points (a point may come again) to maximize ½ log det(I + K/λ), and returns
// the gain in nats and the indices chosen. The greedy gain g and the greatest gain γ_t satisfy g ≤ γ_t ≤ g/(1 − 1/e)
// (Srinivas et al. 2010, sec. III; Nemhauser et al. 1978). Cost O(N t²) for N points.
func InformationGain(prior surrogate.Prior, points [][]float64, t int) (gain float64, picks []int) {
	variance := make([]float64, len(points))
	for i, x := range points {
		variance[i] = prior.Kernel.Diag(x)
	}
	var rows [][]float64
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
