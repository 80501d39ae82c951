package fidelity

import (
	"fmt"
	"math"
	"sync"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/sim/functions"
	"github.com/tarry-bo/tarry/space"
)

// Hartmann returns a task of the multi-fidelity Hartmann function in six dimensions (Zhang 2024, chapter 5): four fidelities that
// cost 10, 15, 20 and 25, and precisions that differ from task to task by factors from 0.8 to 1.2. Tasks are independent of each
// other. The lower fidelities mislead: their greatest values are on another hill than that of the last. Costs,
// budget and noise are those of the source. The optimum is that of functions.HartmannTask.Maximize.
func Hartmann(seed uint64, task int) Problem {
	drawn := functions.DrawHartmannTask(rng.New(seed, rng.Task, uint64(task)))
	p := Problem{
		Name: "mf-hartmann", Fidelity: "m", Levels: []float64{1, 2, 3, 4}, Costs: []float64{10, 15, 20, 25},
		Value: func(x space.Point, level int) float64 { return drawn.Value(x, level+1) },
		Optimum: sync.OnceValues(func() (space.Point, float64) {
			x, value := drawn.Maximize(functions.HartmannFidelities)
			return x, value
		}),
		Noise: math.Sqrt(0.1), Budget: 500,
	}
	for j := range 6 {
		p.Parameters = append(p.Parameters, space.Float(fmt.Sprintf("x%d", j+1), 0, 1))
	}
	return p
}
