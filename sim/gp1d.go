package sim

import (
	"slices"
	"sync"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// The synthetic problem of Verma et al. 2022, sec. 6: a function drawn from a Gaussian process with a squared
// exponential kernel on 1000 points of [0, 1], scaled to [0, 1], with noise variance 1e-4 and known hyperparameters.
const (
	gp1dPoints      = 1000
	gp1dLengthscale = 0.02
	gp1dNoise       = 0.01
	gp1dInitial     = 5
)

func init() {
	Register("gp1d", "a draw from a Gaussian process on 1000 points of [0, 1], scaled to [0, 1] (Verma et al. 2022)", gp1d)
}

// gp1dGrid is the space and the prior over it, made once: they do not depend on the seed.
var gp1dGrid = sync.OnceValues(func() (space.Space, *surrogate.Posterior) {
	points := make([]space.Point, gp1dPoints)
	for i := range points {
		points[i] = []float64{float64(i) / (gp1dPoints - 1)}
	}
	s, err := space.List(points, space.Float("x", 0, 1))
	if err != nil {
		panic("sim: gp1d: " + err.Error())
	}
	k := surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{gp1dLengthscale}, Outputscale: 1}
	p, err := surrogate.Prior{Kernel: k, Noise: gp1dNoise * gp1dNoise}.Condition(nil, nil, surrogate.NewPool(k, s.UnitPoints(), true))
	if err != nil {
		panic("sim: gp1d: " + err.Error())
	}
	return s, p
})

func gp1d(seed uint64) (Problem, error) {
	s, prior := gp1dGrid()
	values := prior.DrawPool(rng.New(seed, rng.Problem, 0))
	low, high := slices.Min(values), slices.Max(values)
	for i, v := range values {
		values[i] = (v - low) / (high - low)
	}
	best := slices.Index(values, 1)
	floor := 0.0
	return Problem{
		Space: s,
		Value: func(x space.Point) float64 {
			return values[min(max(int(x[0]*(gp1dPoints-1)+0.5), 0), gp1dPoints-1)]
		},
		Maximizers: []space.Point{{float64(best) / (gp1dPoints - 1)}},
		Maximum:    1,
		Initial:    gp1dInitial,
		Noise:      gp1dNoise,
		Floor:      &floor,
		Range:      1,
		Options:    []string{"sigma=predictive"}, // bounds and ν_t include the noise in the published code
		Model:      loop.Model{Kernel: "se", Hyper: []float64{gp1dLengthscale, 1}, Noise: gp1dNoise * gp1dNoise},
	}, nil
}
