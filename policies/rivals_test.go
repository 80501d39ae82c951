package policies

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// textbook returns mean and deviation of a Gaussian process at any point, by Gaussian elimination on K + λI.
func textbook(prior surrogate.Prior, x []space.Unit, y []float64) func(at space.Unit) (mean, sd float64) {
	solve := func(b []float64) []float64 {
		n := len(x)
		a := make([][]float64, n)
		for i := range a {
			a[i] = make([]float64, n+1)
			for j := range x {
				a[i][j] = prior.Kernel.Eval(x[i], x[j])
			}
			a[i][i] += prior.Noise
			a[i][n] = b[i]
		}
		for k := range n {
			for i := k + 1; i < n; i++ {
				f := a[i][k] / a[k][k]
				for j := k; j <= n; j++ {
					a[i][j] -= f * a[k][j]
				}
			}
		}
		out := make([]float64, n)
		for i := n - 1; i >= 0; i-- {
			out[i] = a[i][n]
			for j := i + 1; j < n; j++ {
				out[i] -= a[i][j] * out[j]
			}
			out[i] /= a[i][i]
		}
		return out
	}
	return func(at space.Unit) (mean, sd float64) {
		k := make([]float64, len(x))
		for i := range x {
			k[i] = prior.Kernel.Eval(at, x[i])
		}
		mean, variance := 0.0, prior.Kernel.Diag(at)
		for i, w := range solve(k) {
			mean += w * y[i]
			variance -= w * k[i]
		}
		return mean, math.Sqrt(max(variance, 0))
	}
}

// shortPrior has a lengthscale of a tenth and a noise variance of a hundredth.
func shortPrior(dim int) surrogate.Prior {
	lengths := slices.Repeat([]float64{0.1}, dim)
	return surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: lengths, Outputscale: 1}, Noise: 0.01}
}

// lineOf is a list of so many points on a line.
func lineOf(t testing.TB, n int) space.Space {
	t.Helper()
	points := make([]space.Point, n)
	for i := range points {
		points[i] = []float64{float64(i) / float64(n-1)}
	}
	return must.Get(space.List(points, space.Float("x", 0, 1)))(t)
}

// told is a moment in which the value of query k is first seen by the choice of round seen[k], never where it is 0 or above the present
// round. Its units are those of the values.
func told(t testing.TB, s space.Space, prior surrogate.Prior, how feedback.Imputation, x []space.Unit, y []float64, seen []int) View {
	t.Helper()
	round := len(x) + 1
	came := make([]float64, len(y))
	for k := range y {
		if came[k] = y[k]; seen[k] == 0 || seen[k] > round {
			came[k] = math.NaN()
		}
	}
	v := moment(t, s, prior, x, came, how)
	var pending []int
	for i, number := range v.Rows {
		if slices.Contains(v.Pending, number) {
			pending = append(pending, i)
		}
	}
	v.Posterior = v.Posterior.Hallucinate(rescaled(v), pending)
	v.Units.Shift, v.Units.Scale = 0, 1
	for at := range round + 1 {
		for k := range y {
			if !math.IsNaN(came[k]) && seen[k] == at {
				v.History = append(v.History, Answer{Query: v.Queries[k], Seen: at, Value: y[k], Forecast: &Forecast{Stddev: 1, Scale: 1}})
			}
		}
	}
	return v
}

// rescaled are the targets of a view in the units of the values.
func rescaled(v View) []float64 {
	out := v.Posterior.Targets()
	for i, u := range out {
		out[i] = v.Units.From(u)
	}
	return out
}

// history of n queries at points of a list, with values and rounds in which they are seen: one in six is never answered.
func historyOf(s space.Space, n int, seed uint64) (x []space.Unit, y []float64, seen []int) {
	stream := rng.New(seed, rng.Test, 90)
	for k := range n {
		u := s.Random(stream)
		x, y = append(x, u), append(y, math.Sin(9*u[0])+0.1*stream.NormFloat64())
		if when := k + 2 + stream.IntN(12); stream.IntN(6) > 0 {
			seen = append(seen, when)
		} else {
			seen = append(seen, 0)
		}
	}
	return x, y, seen
}
