package experiment

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/safety"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

func init() {
	add(Experiment{
		Name: "safe-synthetic", Title: "Safe optimization of a function of one variable", Source: "Zhang 2024, sec. 6.8.1",
		About: "The objective is a draw from a Gaussian process on [-10, 10], the constraint a fixed function, measured without noise. The kernel of " +
			"the model is that of the draws, or has a lengthscale three times as long. SafeOpt trusts the kernel and a bound of the constraint's norm; " +
			"d-safe-bocp promises that fewer than a share alpha of the queries violate, whatever the kernel. The longer settings have -rounds " +
			"queries, the others two fifths or half of them.",
		Rounds: 50,
		Plan:   planSafeSynthetic,
	})
}

// The constraint Σ a_i exp(-h (x - x_i)²) on [-10, 10], with 0 known to be safe.
var (
	safeWeights = []float64{-.05, -.1, .3, -.3, .5, .5, -.3, .3, -.1, -.05}
	safeCenters = []float64{-9.6, -7.4, -5.5, -3.3, -1.1, 1.1, 3.3, 5.5, 7.4, 9.6}
)

const (
	safeRight, safeWrong = 1 / 1.62, 1 / 14.58 // h of the kernel exp(-h r²)
	safeSide             = 10.0
	safeCandidates       = 201
	safeNorm             = 0.9219 // of the constraint under the right kernel; the source prints 1.69, which no h gives
	safeNoise            = 0.05   // of the objective: a variance of 2.5e-3
	safeEta              = 2
	carefulStart         = 0.9 // Delta_1; the source has 0, with which the first query may be anywhere
)

// safeConstraint is the constraint at x in [-10, 10].
func safeConstraint(x float64) (q float64) {
	for i, a := range safeWeights {
		q += a * math.Exp(-safeRight*(x-safeCenters[i])*(x-safeCenters[i]))
	}
	return q
}

// lineKernel is exp(-h r²) on [-10, 10].
func lineKernel(h float64) surrogate.Kernel {
	return surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{math.Sqrt(1/(2*h)) / (2 * safeSide)}, Outputscale: 1}
}

// safeLine draws the world of a seed, whose constraint is measured with this standard deviation and whose model has the kernel of h.
func safeLine(h, blur float64) func(seed uint64) (safeWorld, error) {
	return func(seed uint64) (safeWorld, error) {
		w := safeWorld{seed: safeCandidates / 2, noise: safeNoise, blur: blur, kernel: lineKernel(h)}
		for i := range safeCandidates {
			u := float64(i) / (safeCandidates - 1)
			w.candidates = append(w.candidates, space.Unit{u})
			w.constraint = append(w.constraint, safeConstraint(safeSide*(2*u-1)))
		}
		p, err := (surrogate.Prior{Kernel: lineKernel(safeRight), Noise: safeNugget}).Condition(nil, nil, surrogate.NewPool(lineKernel(safeRight), w.candidates, false))
		if err == nil {
			w.objective = p.DrawJoint(rng.New(seed, rng.Problem, 0))
		}
		return w, err
	}
}

// kernelNames are the kernels of the model in words.
var kernelNames = []struct {
	name string
	h    float64
}{{"right kernel", safeRight}, {"kernel too smooth", safeWrong}}

func planSafeSynthetic(in Input) (Plan, error) {
	var arms []Arm
	for _, setting := range []struct {
		rounds int
		alpha  float64
	}{{in.Rounds, 0.3}, {max(2*in.Rounds/5, 1), 0.1}} {
		p := safety.Promise{Alpha: setting.alpha, Queries: setting.rounds, Eta: safeEta}
		for _, k := range kernelNames {
			group := fmt.Sprintf("T = %d, alpha = %s, %s", p.Queries, percentOf(p.Alpha), k.name)
			careful := p
			careful.Delta = carefulStart
			arms = append(arms,
				safeArm{group, armSafeOpt, p, safeLine(k.h, 0), safeOpt(safeNorm, p.Queries, 0.1)}.arm(),
				safeArm{group, armDSafe, p, safeLine(k.h, 0), dSafe(p)}.arm(),
				safeArm{group, armDSafe + ", careful start", careful, safeLine(k.h, 0), dSafe(careful)}.arm())
		}
	}
	group := fmt.Sprintf("T = %d, kernel too smooth, some alpha", max(in.Rounds/2, 1))
	for _, alpha := range []float64{0.1, 0.2, 0.3} {
		p := safety.Promise{Alpha: alpha, Queries: max(in.Rounds/2, 1), Eta: safeEta}
		arms = append(arms, safeArm{group, armDSafe + ", alpha = " + percentOf(alpha), p, safeLine(safeWrong, 0), dSafe(p)}.arm())
	}
	return Plan{Arms: arms, Facts: safeLineFacts, Show: func(r Results) []Section {
		return showSafe(r, "safe-synthetic", "Safe optimization without noise in the constraint",
			"The source claims, with T = 50 and the kernel too smooth: SafeOpt is above a rate of 30 % for a long time and reaches 94.5 % of the optimum after 25 queries; "+
				"d-safe-bocp stays below and reaches 97.5 % after 20. With T = 20, alpha = 10 % and the right kernel SafeOpt violates nothing and reaches "+
				"about 83 %, d-safe-bocp 84.5 %; with the kernel too smooth d-safe-bocp reaches 87.5 %. The optimum grows with alpha, and every alpha is kept.",
			"Without an answer but that of the seed, d-safe-bocp with Delta_1 = 0, as in the source, asks for no caution, and its first query may be anywhere; "+
				"the careful start is ours, with Delta_1 = 0.9.")
	}}, nil
}

var safeLineFacts = []Fact{
	{"candidates", fmt.Sprintf("%d, evenly on [-10, 10]; 0 is known to be safe", safeCandidates)},
	{"kernels", "exp(-h r²), h = 1/1.62 for the draws and the right kernel, 1/14.58 for the one that is too smooth"},
	{"norm of the constraint", fmt.Sprintf("%g, computed; the source prints 1.69", safeNorm)},
	{"noise of the objective", "variance 0.0025"},
	{"eta", fmt.Sprint(safeEta)},
	{"optimality", fmt.Sprintf("objective at the answer over that at the best safe candidate, or over %g where that is less", leastOptimum)},
}
