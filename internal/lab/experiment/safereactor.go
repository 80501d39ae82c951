package experiment

import (
	"math"

	"github.com/tarry-bo/tarry/safety"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

func init() {
	add(Experiment{
		Name: "safe-reactor", Title: "Safe optimization of a plug-flow reactor", Source: "Zhang 2024, sec. 6.8.4",
		About: "The yield of a reactor by temperature and acidity, while selectivity must stay above yield by a margin, which is measured with noise. " +
			"The source gives no kinetics; ours are those that were measured for fructose (the problem reactor of demo problems).",
		Rounds: 50,
		Plan:   planSafeReactor,
	})
}

const (
	reactorTemperatures, reactorAcidities = 25, 17 // candidates along each side
	reactorSide                           = 4.0    // of the box for the kernel exp(-r²/2.88)
	reactorScale                          = 20.0   // of yield and margin, in percent, so that they are about 1
	reactorBound                          = 3      // B
	reactorAlpha                          = 0.1
)

// reactorStart is known to be safe, in user units.
var reactorStart = space.Point{170, 0.5}

// safeReactor is the reactor with noise of this standard deviation in the constraint, in units of reactorScale.
func safeReactor(blur float64) func(uint64) (safeWorld, error) {
	return func(seed uint64) (safeWorld, error) {
		p, err := sim.NewProblem("reactor", seed)
		if err != nil {
			return safeWorld{}, err
		}
		length := math.Sqrt(2.88/2) / reactorSide
		w := safeWorld{
			noise: safeNoise, blur: blur, kernel: surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{length, length}, Outputscale: 1},
		}
		for i := range reactorTemperatures {
			for j := range reactorAcidities {
				u := space.Unit{float64(i) / (reactorTemperatures - 1), float64(j) / (reactorAcidities - 1)}
				x := p.Space.Value(u)
				if x[0] == reactorStart[0] && x[1] == reactorStart[1] {
					w.seed = len(w.candidates)
				}
				w.candidates = append(w.candidates, u)
				w.objective = append(w.objective, p.Value(x)/reactorScale)
				w.constraint = append(w.constraint, p.Constraints[0].Margin(p.Measure(x)[0])/reactorScale)
			}
		}
		return w, nil
	}
}

func planSafeReactor(in Input) (Plan, error) {
	p := safety.Promise{Alpha: reactorAlpha, Queries: in.Rounds, Eta: safeEta}
	var arms []Arm
	for _, s := range []struct {
		group string
		blur  float64
	}{{"noise of 0.2 points", 0.01}, {"noise of 2 points", 0.1}, {"noise of 6 points", 0.3}} {
		world := safeReactor(s.blur)
		arms = append(arms,
			safeArm{s.group, armSafeOpt, p, world, safeOpt(reactorBound, p.Queries, 1-safeConfidence)}.arm(),
			safeArm{s.group, armPSafe, p, world, pSafe(p, safeConfidence)}.arm())
	}
	return Plan{Arms: arms, Facts: []Fact{
		{"candidates", "25 temperatures from 140 to 200 °C and 17 pH from 0 to 1; 170 °C and pH 0.5 are known to be safe"},
		{"kernel", "exp(-r²/2.88), as in the source, with the box as a square of side 4; yield and margin in units of 20 points"},
		{"constraint", "selectivity at least 20 points above yield, which is ours: without a margin it holds everywhere"},
		{"noise", "of the yield 1 point; of the constraint by setting"},
		{"promise", "with a probability of 90 % fewer than 10 % of the queries violate; SafeOpt has B = 3"},
	}, Show: func(r Results) []Section {
		return showSafe(r, "safe-reactor", "Safe optimization of a plug-flow reactor",
			"The source claims for its reactor what it claims of safe-noise: p-safe-bocp keeps its promise, and SafeOpt may not.")
	}}, nil
}
