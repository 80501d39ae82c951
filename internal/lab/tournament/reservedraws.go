package tournament

import (
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// onCube is a function of the unit cube that the stream draws, and whose maximum is searched for.
func onCube(dim int, function func(*rand.Rand) (func(space.Point) float64, error)) func(*Problem, uint64) (sim.Problem, error) {
	return func(p *Problem, seed uint64) (sim.Problem, error) {
		s, err := unitBox(dim)
		if err != nil {
			return sim.Problem{}, err
		}
		value, err := function(p.stream(seed, 0))
		if err != nil {
			return sim.Problem{}, err
		}
		return searched(s, value), nil
	}
}

// uneven is a draw whose lengthscales, from 0.2 to 4, the seed deals out.
func uneven(stream *rand.Rand) (func(space.Point) float64, error) {
	lengths := []float64{0.2, 0.3, 0.5, 1, 2, 4}
	stream.Shuffle(len(lengths), func(i, j int) { lengths[i], lengths[j] = lengths[j], lengths[i] })
	return drawAlong(surrogate.Matern52, lengths, stream)
}

// cliff is a draw that is lower by three of its standard deviations where the first coordinate is above a bound.
func cliff(stream *rand.Rand) (func(space.Point) float64, error) {
	bound := 0.5 + 0.3*stream.Float64()
	path, err := draw(surrogate.Matern52, 3, 0.4, stream)
	return func(x space.Point) float64 {
		if x[0] > bound {
			return path(x) - 3
		}
		return path(x)
	}, err
}

// hills is a sum of Gaussian hills, of heights from 0.3 to 1 and widths that differ by a factor of up to 2.3.
func hills(dim, count int, width float64) func(*Problem, uint64) (sim.Problem, error) {
	return onCube(dim, func(stream *rand.Rand) (func(space.Point) float64, error) {
		type hill struct {
			top           []float64
			height, width float64
		}
		all := make([]hill, count)
		for i := range all {
			top := make([]float64, dim)
			for j := range top {
				top[j] = stream.Float64()
			}
			all[i] = hill{top, 0.3 + 0.7*stream.Float64(), width * (0.6 + 0.8*stream.Float64())}
		}
		return func(x space.Point) (sum float64) {
			for _, h := range all {
				square := 0.0
				for j, v := range x {
					square += (v - h.top[j]) * (v - h.top[j])
				}
				sum += h.height * math.Exp(-square/2/h.width/h.width)
			}
			return sum
		}, nil
	})
}

// net is a layer of random units, tanh, and their random sum.
func net(inputs, units int, stream *rand.Rand) func(u []float64) float64 {
	bias, out, weights := make([]float64, units), make([]float64, units), make([][]float64, units)
	for k := range weights {
		bias[k], out[k], weights[k] = 2*stream.NormFloat64(), stream.NormFloat64(), make([]float64, inputs)
		for j := range weights[k] {
			weights[k][j] = 4 * stream.NormFloat64()
		}
	}
	return func(u []float64) (sum float64) {
		for k, w := range weights {
			a := bias[k]
			for j, v := range u {
				a += w[j] * (v - 0.5)
			}
			sum += out[k] * math.Tanh(a)
		}
		return sum
	}
}

// randomNet is a net of the unit cube.
func randomNet(dim, units int) func(*Problem, uint64) (sim.Problem, error) {
	return onCube(dim, func(stream *rand.Rand) (func(space.Point) float64, error) {
		f := net(dim, units, stream)
		return func(x space.Point) float64 { return f(x) }, nil
	})
}

// mixedNet is a net of parameters of every kind; each word of the choice is an input of its own.
func mixedNet(p *Problem, seed uint64) (sim.Problem, error) {
	const units, top, words = 16, 10, 5
	s, err := space.New(space.Float("a", 0, 1), space.Float("b", 0, 1), space.Int("n", 1, top),
		space.Categorical("kind", "red", "green", "blue", "white", "black"), space.Bool("switch"))
	if err != nil {
		return sim.Problem{}, err
	}
	f := net(4+words, units, p.stream(seed, 0))
	return searched(s, func(x space.Point) float64 {
		u := make([]float64, 4+words)
		u[0], u[1], u[2], u[3] = x[0], x[1], (x[2]-1)/(top-1), x[4]
		for k := range words {
			u[4+k] = 0.5
		}
		u[4+int(x[3])] = 1
		return f(u)
	}), nil
}

// facets is the lowest of ten planes through one point, the maximum: the slope of the last is minus the sum of the others', so that it
// goes down to all sides.
func facets(p *Problem, seed uint64) (sim.Problem, error) {
	const dim, count = 4, 10
	s, err := unitBox(dim)
	if err != nil {
		return sim.Problem{}, err
	}
	stream, at := p.stream(seed, 0), make(space.Point, dim)
	for j := range at {
		at[j] = 0.15 + 0.7*stream.Float64()
	}
	slopes := make([][dim]float64, count)
	for k := range slopes[:count-1] {
		for j := range slopes[k] {
			slopes[k][j] = stream.NormFloat64()
			slopes[count-1][j] -= slopes[k][j]
		}
	}
	return sim.Problem{Space: s, Maximizers: []space.Point{at}, Value: func(x space.Point) float64 {
		lowest := math.Inf(1)
		for _, slope := range slopes {
			plane := 0.0
			for j, v := range x {
				plane += slope[j] * (v - at[j])
			}
			lowest = min(lowest, plane)
		}
		return lowest
	}}, nil
}
