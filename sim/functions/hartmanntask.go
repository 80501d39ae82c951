package functions

import (
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/internal/lbfgs"
)

// HartmannFidelities is the number of fidelities of a HartmannTask.
const HartmannFidelities = 4

// HartmannTask is the Hartmann function in six dimensions with its precisions multiplied by factors, in four fidelities of
// which the last has the exact depths. With all factors 1 the last is hartmann6, negated as all functions here. Zhang 2024, chapter 5.
type HartmannTask struct {
	Factors [4][6]float64
}

// DrawHartmannTask returns a task with factors drawn uniformly from [0.8, 1.2), row by row.
func DrawHartmannTask(stream *rand.Rand) HartmannTask {
	var t HartmannTask
	for i := range t.Factors {
		for j := range t.Factors[i] {
			t.Factors[i][j] = 0.8 + 0.4*stream.Float64()
		}
	}
	return t
}

// depthStep is how far the depths of a fidelity are from those of the next.
var depthStep = [4]float64{0.01, -0.01, -0.1, 0.1}

// Value returns what is to be maximized at x, a point of the unit cube of length 6, at a fidelity from 1 to HartmannFidelities.
// Cost O(1), below a microsecond.
func (t HartmannTask) Value(x []float64, fidelity int) float64 { return t.slope(x, fidelity, nil) }

// slope is Value; it fills gradient, unless it is nil, with that of minus the value.
func (t HartmannTask) slope(x []float64, fidelity int, gradient []float64) float64 {
	if len(x) != 6 || fidelity < 1 || fidelity > HartmannFidelities {
		panic("functions: a Hartmann task has six dimensions and four fidelities")
	}
	clear(gradient)
	sum := 0.0
	for i, depth := range exactDepths {
		depth += float64(HartmannFidelities-fidelity) * depthStep[i]
		exponent := 0.0
		for j, v := range x {
			exponent += t.Factors[i][j] * precisions6[i][j] * square(v-1e-4*centres6[i][j])
		}
		part := depth * math.Exp(-exponent)
		sum += part
		for j := range gradient {
			gradient[j] += 2 * part * t.Factors[i][j] * precisions6[i][j] * (x[j] - 1e-4*centres6[i][j])
		}
	}
	return sum
}

// Maximize returns the greatest value at a fidelity and where it is. It climbs from the four centres, one of which each hill belongs
// to: to 1e-12 of what hundreds of random starts find, in each of the tasks that a test draws. It takes about 0.2 ms.
func (t HartmannTask) Maximize(fidelity int) (x []float64, value float64) {
	value = math.Inf(-1)
	low, high := cube(0, 1)(6)
	for _, centre := range centres6 {
		start := make([]float64, len(centre))
		for j := range start {
			start[j] = 1e-4 * centre[j]
		}
		found := t.climb(start, fidelity, low, high)
		if -found.Value > value {
			x, value = found.X, -found.Value
		}
	}
	return x, value
}

func (t HartmannTask) climb(start []float64, fidelity int, low, high []float64) lbfgs.Result {
	loss := func(x, gradient []float64) float64 { return -t.slope(x, fidelity, gradient) }
	return lbfgs.Minimize(loss, start, low, high, lbfgs.Settings{GradTolerance: 1e-9, ValueTolerance: 1e-15})
}
