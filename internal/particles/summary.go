package particles

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Estimate is the mean and the standard deviation over the particles.
type Estimate struct{ Mean, Deviation float64 }

// Summary is what particles believe of a function of points in the unit cube, in numbers that a person understands. It says nothing of the scale of the targets.
type Summary struct {
	// Difference of each coordinate is by how much the function differs at points that are 0.1 apart along it, and of a fidelity at neighboring ones: √(2(1 - ρ))
	// for the correlation ρ, the root of the mean square in standard deviations of the function; 0 where the coordinate does not matter. ρ is the mean over 64 pairs.
	Difference []Estimate
	Noise      Estimate // the share of the noise in the variance of a target
}

const (
	summaryPairs = 64
	summaryStep  = 0.1
)

// Summarize returns what the priors of particles, at least one, say of points of dim coordinates, of which that of the axis is a fidelity, unless axis is
// nil. The pairs of points are always the same. Cost 128·dim evaluations of each kernel.
func Summarize(priors []surrogate.Prior, dim int, axis *surrogate.FidelityAxis) Summary {
	stream := rng.New(0, rng.Summary, 0)
	points := make([]space.Unit, summaryPairs)
	for i := range points {
		points[i] = make(space.Unit, dim)
		for j := range points[i] {
			if axis != nil && j == axis.At {
				points[i][j] = float64(stream.IntN(axis.Levels)) / float64(axis.Levels-1)
			} else {
				points[i][j] = stream.Float64()
			}
		}
	}
	all := Summary{Difference: make([]Estimate, dim)}
	column := make([]float64, len(priors))
	for j := range dim {
		step := summaryStep
		if axis != nil && j == axis.At {
			step = 1 / float64(axis.Levels-1)
		}
		for v, p := range priors {
			column[v] = math.Sqrt(max(2*(1-correlation(p.Kernel, points, j, step)), 0))
		}
		all.Difference[j] = estimate(column)
	}
	for v, p := range priors {
		column[v] = 0
		for _, x := range points {
			if p.Noise > 0 {
				column[v] += p.Noise / (p.Noise + p.Kernel.Diag(x)) / summaryPairs
			}
		}
	}
	all.Noise = estimate(column)
	return all
}

func estimate(column []float64) Estimate {
	mean, deviation := stat.PopMeanStdDev(column, nil)
	return Estimate{mean, deviation}
}

// correlation is the mean over the points of the correlation with the point that is a step away along a coordinate, backwards where there is no room; 0 at
// points where the function is known.
func correlation(k surrogate.Kernel, points []space.Unit, along int, step float64) float64 {
	var sum float64
	other := make(space.Unit, k.Dim())
	for _, x := range points {
		copy(other, x)
		other[along] += step
		if other[along] > 1+1e-9 {
			other[along] = x[along] - step
		}
		if variance := k.Diag(x) * k.Diag(other); variance > 0 {
			sum += k.Eval(x, other) / math.Sqrt(variance)
		}
	}
	return sum / float64(len(points))
}
