package tournament

import (
	"math"

	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// standIn looks like the accuracy of something trained: a ridge along which rate and width make up for each other, a place on it
// and a price that depend on the method, and a depth that is best in the middle. The seed decides where all of that is.
func standIn(p *Problem, seed uint64) (sim.Problem, error) {
	s, err := space.New(space.LogFloat("rate", 1e-5, 1), space.LogInt("width", 8, 512), space.Int("depth", 1, 6),
		space.Categorical("method", "sgd", "adam", "lion"), space.Bool("norm"))
	if err != nil {
		return sim.Problem{}, err
	}
	stream := p.stream(seed, 0)
	var rate, price [3]float64
	for k := range rate {
		rate[k], price[k] = 0.2+0.6*stream.Float64(), 0.1*stream.Float64()
	}
	width, depth, norm := 0.25+0.5*stream.Float64(), 0.2+0.6*stream.Float64(), 0.05*stream.NormFloat64()
	return searched(s, func(x space.Point) float64 {
		u, err := s.Unit(x)
		if err != nil {
			return math.NaN()
		}
		method := int(x[3])
		ridge := u[0] + 0.5*u[1] - rate[method] - 0.5*width
		along := u[1] - width
		deep := u[2] - depth
		loss := math.Log1p(30*ridge*ridge+4*along*along+2*deep*deep+2*ridge*deep) + price[method] + norm*x[4]
		return 1 / (1 + loss)
	}), nil
}

// choices adds up effects of five choices of four, alone and in pairs, drawn by the seed.
func choices(p *Problem, seed uint64) (sim.Problem, error) {
	const count, levels = 5, 4
	var parameters []space.Parameter
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		parameters = append(parameters, space.Categorical(name, "north", "east", "south", "west"))
	}
	s, err := space.New(parameters...)
	if err != nil {
		return sim.Problem{}, err
	}
	stream := p.stream(seed, 0)
	var alone [count][levels]float64
	var pairs [count][count][levels][levels]float64
	for i := range count {
		for a := range levels {
			alone[i][a] = stream.NormFloat64()
			for k := range i {
				for b := range levels {
					pairs[i][k][a][b] = 0.5 * stream.NormFloat64()
				}
			}
		}
	}
	return searched(s, func(x space.Point) float64 {
		sum := 0.0
		for i := range count {
			a := int(x[i])
			sum += alone[i][a]
			for k := range i {
				sum += pairs[i][k][a][int(x[k])]
			}
		}
		return sum
	}), nil
}
