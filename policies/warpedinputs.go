package policies

import (
	"math"

	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

const (
	inputSpread      = 0.75 // standard deviation of the logarithms of the two numbers of a warp
	inputFirst       = 0.8  // first step of the search, in those logarithms
	inputLeast       = 0.1
	inputReach       = 1.8 // most that they go to either side
	inputEvaluations = 120
)

// fitInputs learns the warps of the coordinates listed: those with the greatest evidence, at the hyperparameters of the
// prior, times normal densities of their logarithms that keep them near the identity (as Snoek et al. 2014 do with other
// numbers). A search coordinate by coordinate from the identity, of at most 120 evaluations; cost O(n³) each.
func fitInputs(prior surrogate.Prior, x []space.Unit, u []float64, coordinates []int) inputWarp {
	logs := make([]float64, 2*prior.Kernel.Dim())
	top, budget, size := inputEvidence(prior, x, u, logs), inputEvaluations, inputFirst
	for size >= inputLeast && budget > 0 {
		before := top
		for _, j := range coordinates {
			for k := 2 * j; k < 2*j+2; k++ {
				for _, step := range []float64{size, -size} {
					old := logs[k]
					logs[k] = min(max(old+step, -inputReach), inputReach)
					if logs[k] == old || budget == 0 {
						logs[k] = old
						continue
					}
					budget--
					if value := inputEvidence(prior, x, u, logs); value > top {
						top = value
						break
					}
					logs[k] = old
				}
			}
		}
		if top == before {
			size /= 2
		}
	}
	return inputsOf(logs)
}

// inputsOf reads the logarithms of A and B of each coordinate.
func inputsOf(logs []float64) inputWarp {
	w := make(inputWarp, len(logs)/2)
	for j := range w {
		w[j] = calibration.Kumaraswamy{A: math.Exp(logs[2*j]), B: math.Exp(logs[2*j+1])}
	}
	return w
}

// inputEvidence is the log evidence of the values at warped points plus the log densities of the warps up to a constant.
func inputEvidence(prior surrogate.Prior, x []space.Unit, u, logs []float64) float64 {
	p, err := prior.Condition(inputsOf(logs).all(x), u, nil)
	if err != nil {
		return math.Inf(-1)
	}
	sum := p.LogEvidence()
	for _, v := range logs {
		sum -= v * v / (2 * inputSpread * inputSpread)
	}
	if math.IsNaN(sum) {
		return math.Inf(-1)
	}
	return sum
}
