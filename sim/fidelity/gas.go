package fidelity

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// The world of the gas source. The source of the problem states none of it.
const (
	windSpeed  = 3.0   // m/s, along the first coordinate
	noseHeight = 1.5   // of the sensors, in meters
	gridSide   = 8     // sensors in a row: one in each of 8 x 8 squares
	halfSide   = 500.0 // of the area, in meters
	detection  = 1e-6  // concentration that a sensor tells from none, g/m³
)

// Gas returns a task of gas-source estimation (after Zhang 2024, chapter 5): find the rate (g/s), the place and the height (m) of a
// source from the concentrations at 64 sensors. The fidelities are the atmospheric stability classes A to F under which a plume is
// modelled, which cost 10, 15, ..., 35; the truth is of the last. The value is minus the mean over the sensors of
//
//	(log10(1 + measured/1e-6) - log10(1 + modelled/1e-6))²,  concentrations in g/m³,
//
// since plain differences say nothing but how near a source is to a sensor. The seed places the source and each task the
// sensors, one at random in each of 8 x 8 squares. Ranges, costs, budget and noise are those of the source of the problem; wind, sensors,
// scale and the Gaussian plume with the widths of Briggs 1973 are ours: a look-alike, no reproduction. The optimum is the truth, where the
// value is 0. A value takes about 10 µs.
func Gas(seed uint64, task int) Problem {
	truth := drawSource(rng.New(seed, rng.Problem, 0))
	s := drawSensors(rng.New(seed, rng.Task, uint64(task)))
	target := len(classes) - 1
	measured := s.readings(truth, classes[target])
	p := Problem{
		Name: "mf-gas", Fidelity: "class", Levels: []float64{1, 2, 3, 4, 5, 6}, Costs: []float64{10, 15, 20, 25, 30, 35},
		Parameters: []space.Parameter{
			space.Float("rate", 10, 5000), space.Float("along", -halfSide, halfSide), space.Float("across", -halfSide, halfSide), space.Float("height", 0, 10),
		},
		Value: func(x space.Point, level int) float64 {
			sum := 0.0
			for i, r := range s.readings(x, classes[level]) {
				sum += (r - measured[i]) * (r - measured[i])
			}
			return 0 - sum/float64(len(measured)) // not -sum, which would print a perfect value as -0
		},
		Optimum: sync.OnceValues(func() (space.Point, float64) { return truth, 0 }),
		Noise:   math.Sqrt(1e-3), Budget: 750,
	}
	return p
}

// drawSource returns rate, place and height of a source, with sensors downwind of it.
func drawSource(stream *rand.Rand) space.Point {
	return space.Point{
		1000 + 3000*stream.Float64(), -400 + 300*stream.Float64(), -300 + 600*stream.Float64(), 2 + 6*stream.Float64(),
	}
}

// sensors are places on the ground.
type sensors [gridSide * gridSide][2]float64

func drawSensors(stream *rand.Rand) sensors {
	var s sensors
	const side = 2 * halfSide / gridSide
	for i := range s {
		s[i] = [2]float64{-halfSide + side*(float64(i/gridSide)+stream.Float64()), -halfSide + side*(float64(i%gridSide)+stream.Float64())}
	}
	return s
}

// readings are what the sensors say of a source: log10(1 + concentration/detection).
func (s sensors) readings(source space.Point, class stability) [gridSide * gridSide]float64 {
	var out [gridSide * gridSide]float64
	p := plume{rate: source[0], height: source[3], wind: windSpeed}
	for i, at := range s {
		out[i] = math.Log1p(p.concentration(class, at[0]-source[1], at[1]-source[2], noseHeight)/detection) / math.Ln10
	}
	return out
}
