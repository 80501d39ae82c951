package tournament

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// waves is the number of random waves of a draw.
const waves = 512

// draw is drawAlong with the same lengthscale along all coordinates.
func draw(family surrogate.Family, dim int, lengthscale float64, stream *rand.Rand) (func(space.Point) float64, error) {
	return drawAlong(family, slices.Repeat([]float64{lengthscale}, dim), stream)
}

// drawAlong is a function drawn from a Gaussian process on the unit cube with mean 0 and variance 1. The problem's box is that cube.
func drawAlong(family surrogate.Family, lengthscales []float64, stream *rand.Rand) (func(space.Point) float64, error) {
	k := surrogate.Stationary{Family: family, Lengthscales: lengthscales, Outputscale: 1}
	prior, err := surrogate.Prior{Kernel: k}.Condition(nil, nil, nil)
	if err != nil {
		return nil, err
	}
	path := prior.Draw(stream, waves)
	return func(x space.Point) float64 { return path.At(space.Unit(x)) }, nil
}

// bend is an increasing function of the values of a draw, whose ends are given.
type bend func(v, low, high float64) float64

func plain(v, _, _ float64) float64 { return v }
func cubed(v, _, _ float64) float64 { return v * v * v }

// steep is exp(5 f) with f scaled to [0, 1].
func steep(v, low, high float64) float64 { return math.Exp(5 * (v - low) / (high - low)) }

// drawn is a draw on the unit cube with bent values.
func drawn(family surrogate.Family, dim int, lengthscale float64, bent bend) func(*Problem, uint64) (sim.Problem, error) {
	return func(p *Problem, seed uint64) (sim.Problem, error) {
		s, err := unitBox(dim)
		if err != nil {
			return sim.Problem{}, err
		}
		path, err := draw(family, dim, lengthscale, p.stream(seed, 0))
		if err != nil {
			return sim.Problem{}, err
		}
		low, best := ends(s, path)
		value := func(x space.Point) float64 { return bent(path(x), low, best.value) }
		return sim.Problem{Space: s, Value: value, Maximizers: []space.Point{best.x}, Maximum: value(best.x)}, nil
	}
}

// additive is a sum of draws of one coordinate each, so that its maximum is the sum of theirs.
func additive(p *Problem, seed uint64) (sim.Problem, error) {
	const dim = 8
	s, err := unitBox(dim)
	if err != nil {
		return sim.Problem{}, err
	}
	line, err := unitBox(1)
	if err != nil {
		return sim.Problem{}, err
	}
	paths, at := make([]func(space.Point) float64, dim), make([]float64, dim)
	for j := range paths {
		if paths[j], err = draw(surrogate.Matern52, 1, 0.25, p.stream(seed, uint64(j))); err != nil {
			return sim.Problem{}, err
		}
		_, best := ends(line, paths[j])
		at[j] = best.x[0]
	}
	value := func(x space.Point) float64 {
		sum := 0.0
		for j, path := range paths {
			sum += path(x[j : j+1])
		}
		return sum
	}
	return sim.Problem{Space: s, Value: value, Maximizers: []space.Point{at}, Maximum: value(at)}, nil
}

// latticeDraw is a draw that is seen on whole numbers only.
func latticeDraw(p *Problem, seed uint64) (sim.Problem, error) {
	const dim, top = 4, 20
	var parameters []space.Parameter
	for _, name := range []string{"a", "b", "c", "d"} {
		parameters = append(parameters, space.Int(name, 0, top))
	}
	s, err := space.New(parameters...)
	if err != nil {
		return sim.Problem{}, err
	}
	path, err := draw(surrogate.Matern52, dim, 0.4, p.stream(seed, 0))
	if err != nil {
		return sim.Problem{}, err
	}
	return searched(s, func(x space.Point) float64 {
		u := make([]float64, dim)
		for j, v := range x {
			u[j] = v / top
		}
		return path(u)
	}), nil
}

// mixedDraws has a draw that all choices share, and one of its own for each choice and each state of the switch.
func mixedDraws(p *Problem, seed uint64) (sim.Problem, error) {
	const numbers, top = 3, 12
	s, err := space.New(space.Float("a", 0, 1), space.Float("b", 0, 1), space.Int("n", 1, top),
		space.Categorical("kind", "red", "green", "blue", "white"), space.Bool("switch"))
	if err != nil {
		return sim.Problem{}, err
	}
	paths := make([]func(space.Point) float64, 1+4+2)
	for k := range paths {
		if paths[k], err = draw(surrogate.Matern52, numbers, 0.4, p.stream(seed, uint64(k))); err != nil {
			return sim.Problem{}, err
		}
	}
	return searched(s, func(x space.Point) float64 {
		u := []float64{x[0], x[1], (x[2] - 1) / (top - 1)}
		return paths[0](u) + 0.7*paths[1+int(x[3])](u) + 0.4*paths[5+int(x[4])](u)
	}), nil
}
