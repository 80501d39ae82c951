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

// Two members with the means .2 and .6 and variances .1 and .3 are a mixture of mean .4 and variance .2 + .04.
func TestTheMomentsOfAMixture(t *testing.T) {
	var m mixture
	for _, variance := range []float64{.1, .3} {
		k := surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{1}, Outputscale: variance}
		m.members = append(m.members, must.Get(surrogate.Prior{Kernel: k, Mean: 2 * variance}.Condition(nil, nil, nil))(t))
	}
	mean, variance := m.moments([]float64{.5})
	must.Near(t, "mean", mean, .4, 1e-12)
	must.Near(t, "variance", variance, .24, 1e-12)
	must.Near(t, "mean alone", m.mean([]float64{.5}), mean, 1e-15)
}

// Answers are drawn with replacement; what failed is there in every member, and imputed values in none.
func TestResampling(t *testing.T) {
	stream := rng.New(1, rng.Test, 51)
	x, y := scattered(2, 30, stream)
	failed := []float64{.25, .75}
	s := recounted(t, cube(t, 2), x, y, feedback.Hallucinate).withFailed(failed, -3).Sample()
	counts := map[int]int{}
	const draws = 200
	for range draws {
		points, u := s.resampled(stream)
		if len(points) != 21 || len(u) != 21 || !slices.Equal(points[20], failed) || u[20] != -3 {
			t.Fatalf("%d points, the last at %v with %v", len(points), points[len(points)-1], u[len(u)-1])
		}
		for i, p := range points[:20] {
			k := slices.IndexFunc(x, func(o space.Unit) bool { return slices.Equal(o, p) })
			if counts[k]++; math.IsNaN(y[k]) || u[i] != s.U[k] {
				t.Fatalf("query %d was drawn with %v", k+1, u[i])
			}
		}
	}
	if len(counts) != 20 {
		t.Errorf("%d of 20 answers were ever drawn", len(counts))
	}
	for k, n := range counts { // n has mean 200 and standard deviation 14
		if n < 130 || n > 270 {
			t.Errorf("query %d was drawn %d times", k+1, n)
		}
	}
}

// At a pending query the members agree on the mean that the mixture had there, and the variance is gone.
func TestPendingQueriesInAMixture(t *testing.T) {
	x, y := scattered(2, 15, rng.New(2, rng.Test, 52))
	v := recounted(t, cube(t, 2), x, y, feedback.Hallucinate)
	open := v.bagged(5, rng.New(3, rng.Test, 53))
	at := []float64{.123, .456}
	believed := v.WithPending(at, feedback.Hallucinate).bagged(5, rng.New(3, rng.Test, 53))
	mean, before := open.moments(at)
	again, after := believed.moments(at)
	must.Near(t, "mean", again, mean, .05)
	if !(after < before/5) {
		t.Errorf("variance %v, before %v", after, before)
	}
	if believed.utility.Best < again {
		t.Errorf("best %v is below the mean %v of a row", believed.utility.Best, again)
	}
}
