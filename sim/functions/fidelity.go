package functions

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/internal/check"
)

// Fidelities is the number of fidelities of Hartmann6Fidelity; the last one is exact.
const Fidelities = 4

// fidelityDrift is how much each depth changes for every step below the exact fidelity.
var fidelityDrift = []float64{0.01, -0.01, -0.1, 0.1}

// fidelityMaxima are the maxima of the four fidelities without a task.
var fidelityMaxima = [Fidelities]float64{3.0451423784480, 3.1373080261022, 3.2297202882955, 3.3223680114155148}

// Hartmann6Fidelity returns hartmann6 at fidelity 1 … Fidelities, which changes the depths of its wells: a cheap
// version of the same function. A task, where given, multiplies the 4×6 precisions and makes a related function. With a
// task the maximum is not known and Maximum is NaN; Maximizers are known for the exact fidelity without a task only.
// Kandasamy et al. 2016, with the drifts and tasks of Zhang 2024.
func Hartmann6Fidelity(fidelity int, task *[4][6]float64) (Function, error) {
	if fidelity < 1 || fidelity > Fidelities {
		return Function{}, &check.FieldError{
			Field: "hartmann6.Fidelity", Value: fidelity, Want: fmt.Sprintf("1 ≤ Fidelity ≤ %d", Fidelities),
		}
	}
	depths := make([]float64, len(exactDepths))
	for i, a := range exactDepths {
		depths[i] = a + float64(Fidelities-fidelity)*fidelityDrift[i]
	}
	f := hartmann6
	f.name = fmt.Sprintf("hartmann6, fidelity %d", fidelity)
	f.maximum = fidelityMaxima[fidelity-1]
	f.loss = wells(depths, precisions6, centres6)
	f.reference = "Hartman 1973; Kandasamy et al. 2016"
	if task != nil {
		precisions := make([][]float64, len(precisions6))
		for i, row := range precisions6 {
			precisions[i] = make([]float64, len(row))
			for j, v := range row {
				precisions[i][j] = v * task[i][j]
			}
		}
		f.loss, f.maximum = wells(depths, precisions, centres6), math.NaN()
	}
	if fidelity != Fidelities || task != nil {
		f.best = func(int) [][]float64 { return nil }
	}
	return f.in(6)
}
