package fidelity

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/sim/functions"
	"github.com/tarry-bo/tarry/space"
)

// Lower is a cheap fidelity of Branin's function, which may say nothing of it.
type Lower struct {
	Name  string
	value func(x, y, exact float64) float64 // x and y in [0, 1]
}

// Lowers are the cheap fidelities of Branin, from one that is alike to those that are huge and another function.
func Lowers() []Lower {
	return []Lower{
		{"alike", func(x, _, exact float64) float64 { return 0.9*exact - 3 + 2*math.Sin(5*x) }},
		{"another unit", func(_, _, exact float64) float64 { return 1000 + 100*exact }},
		{"far off", func(_, _, exact float64) float64 { return 1e5 + exact }},
		{"the other sign", func(_, _, exact float64) float64 { return -exact }},
		{"all the same", func(_, _, _ float64) float64 { return 5 }},
		{"unrelated", func(x, y, _ float64) float64 { return -100 * math.Pow(math.Sin(9*x)*math.Cos(7*y), 2) }},
		{"unrelated, huge", func(x, y, _ float64) float64 { return 1e6 * math.Sin(11*x+3*y) }},
	}
}

// Branin returns a task of Branin's function with a cheap fidelity, at a tenth of the cost of the exact one; a budget pays for 20 of these. Each
// seed and task moves the function by up to a unit along each coordinate, so that an optimum stays within the ranges. It is
// without noise.
func (l Lower) Branin(seed uint64, task int) Problem {
	f, err := functions.Get("branin", 2)
	if err != nil {
		panic(err) // there is one
	}
	stream := rng.New(seed, rng.Task, uint64(task))
	across, up := 2*stream.Float64()-1, 2*stream.Float64()-1
	exact := func(x space.Point) float64 { return f.Value([]float64{x[0] + across, x[1] + up}) }
	p := Problem{
		Name: "mf-misleading", Fidelity: "level", Levels: []float64{1, 2}, Costs: []float64{1, 10}, Budget: 200,
		Value: func(x space.Point, level int) float64 {
			v := exact(x)
			if level == 0 {
				v = l.value((x[0]-f.Low[0])/(f.High[0]-f.Low[0]), (x[1]-f.Low[1])/(f.High[1]-f.Low[1]), v)
			}
			return v
		},
		Optimum: func() (space.Point, float64) {
			best := slices.Clone(f.Maximizers[1]) // in the middle of the three
			x := space.Point{best[0] - across, best[1] - up}
			return x, exact(x)
		},
	}
	for i, name := range []string{"x", "y"} {
		p.Parameters = append(p.Parameters, space.Float(name, f.Low[i], f.High[i]))
	}
	return p
}
