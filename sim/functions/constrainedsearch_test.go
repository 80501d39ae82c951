package functions

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarry-bo/tarry/internal/lbfgs"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// A search that knows nothing of the tables finds the stated minimum, and nothing that is feasible and better.
func TestMultistartSearchFindsTheConstrainedMinimumAndNothingBetter(t *testing.T) {
	starts := 60
	if raced {
		starts = 5
	}
	for _, name := range ConstrainedNames() {
		t.Run(name, func(t *testing.T) {
			c := must.Get(GetConstrained(name))(t)
			stream := rng.New(1, rng.Test, 7)
			best, least := []float64(nil), math.Inf(1)
			for range starts {
				x := descend(c, anywhere(stream, c))
				if v := c.Loss(x); c.Feasible(x, 1e-6) && v < least {
					best, least = x, v
				}
			}
			scale := max(math.Abs(c.Minimum), 1e-2)
			if least < c.Minimum-2e-5*scale {
				t.Errorf("%.12g at %.12g is better than the minimum %.12g", least, best, c.Minimum)
			}
			if least > c.Minimum+1e-4*scale && name != "pressurevessel" && !raced {
				t.Errorf("the search ends at %.12g, at %.12g, and does not find the minimum %.12g", least, best, c.Minimum)
			}
		})
	}
}

// anywhere is a random point of the box, at the steps.
func anywhere(stream *rand.Rand, c Constrained) []float64 {
	x := make([]float64, len(c.Parameters))
	for j, p := range c.Parameters {
		x[j] = p.Low + (p.High-p.Low)*stream.Float64()
		if p.Step > 0 {
			first, last := math.Ceil(p.Low/p.Step), math.Floor(p.High/p.Step)
			x[j] = p.Step * (first + float64(stream.IntN(int(last-first)+1)))
		}
	}
	return x
}

// descend is the method of multipliers from x on: it minimizes loss + Σ max(0, m_i - w g_i)²/(2w) for the slacks g_i, over their scales,
// and sets m_i to max(0, m_i - w g_i), again and again, with a weight w that grows. Coordinates with steps stay
// where they are. Nocedal & Wright 2006, algorithm 17.4.
func descend(c Constrained, x []float64) []float64 {
	multipliers, weight := make([]float64, len(c.Limits)), 10.0
	scale := max(math.Abs(c.Loss(x)), 1e-2)
	var free []int
	for j, p := range c.Parameters {
		if p.Step == 0 {
			free = append(free, j)
		}
	}
	at := func(u []float64) []float64 {
		for k, j := range free {
			p := c.Parameters[j]
			x[j] = p.Low + (p.High-p.Low)*min(max(u[k], 0), 1)
		}
		return x
	}
	merit := func(u []float64) float64 {
		x := at(u)
		sum := c.Loss(x) / scale
		for i, l := range c.Limits {
			sum += square(max(multipliers[i]-weight*l.Slack(l.Value(x))/l.Scale(), 0)) / (2 * weight)
		}
		return sum
	}
	u, low, high := make([]float64, len(free)), make([]float64, len(free)), make([]float64, len(free))
	for k, j := range free {
		p := c.Parameters[j]
		u[k], high[k] = (x[j]-p.Low)/(p.High-p.Low), 1
	}
	for round := range 25 {
		u = lbfgs.Minimize(func(u, grad []float64) float64 {
			const h = 1e-6
			for k, v := range u {
				up, down := min(v+h, 1), max(v-h, 0)
				u[k] = up
				above := merit(u)
				u[k] = down
				grad[k] = (above - merit(u)) / (up - down)
				u[k] = v
			}
			return merit(u)
		}, u, low, high, lbfgs.Settings{MaxEvaluations: 150, GradTolerance: 1e-8, ValueTolerance: 1e-14}).X
		for i, l := range c.Limits {
			multipliers[i] = max(multipliers[i]-weight*l.Slack(l.Value(at(u)))/l.Scale(), 0)
		}
		if round < 12 {
			weight *= 2
		}
	}
	return append([]float64(nil), at(u)...)
}
