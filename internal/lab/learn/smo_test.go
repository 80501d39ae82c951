package learn

import (
	"fmt"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// blobs returns n rows of two overlapping clouds in three dimensions, so that some margins must be violated.
func blobs(seed uint64, n int) (x [][]float64, y []int) {
	r := rng.New(seed, rng.Test, 0)
	for i := range n {
		label := i % 2
		row := make([]float64, 3)
		for j := range row {
			row[j] = r.NormFloat64() + float64(label)
		}
		x, y = append(x, row), append(y, label)
	}
	return x, y
}

// solved returns the solver after a run to the tolerance, which must converge.
func solved(t *testing.T, x [][]float64, y []int, c, gamma, tolerance float64) *smo {
	t.Helper()
	g := must.Get(Distances(x))(t)
	s := newSMO(newKernel(g, gamma), y, c)
	if !s.run(tolerance, 1_000_000) {
		t.Fatalf("C = %g, gamma = %g: gap %g after %d iterations", c, gamma, s.gap, s.iterations)
	}
	return s
}

// gram returns the kernel matrix in the plainest way.
func gram(x [][]float64, gamma float64) [][]float64 {
	k := make([][]float64, len(x))
	for i := range x {
		k[i] = make([]float64, len(x))
		for j := range x {
			sum := 0.0
			for d := range x[i] {
				sum += (x[i][d] - x[j][d]) * (x[i][d] - x[j][d])
			}
			k[i][j] = math.Exp(-gamma * sum)
		}
	}
	return k
}

// signs returns -1 for class 0 and 1 for class 1.
func signs(y []int) []float64 {
	s := make([]float64, len(y))
	for i, label := range y {
		s[i] = float64(2*label - 1)
	}
	return s
}

// checkOptimal asserts dual feasibility and the Karush-Kuhn-Tucker conditions, with the decision function computed
// from scratch: y f(x) ≥ 1 where α = 0, = 1 where 0 < α < C, ≤ 1 where α = C, all up to the tolerance.
func checkOptimal(t *testing.T, s *smo, k [][]float64, y []int, c, tolerance float64) {
	t.Helper()
	sum, bias := 0.0, s.bias()
	for i, sign := range signs(y) {
		sum += s.beta[i]
		alpha := sign * s.beta[i]
		if alpha < 0 || alpha > c {
			t.Errorf("alpha[%d] = %g is outside [0, %g]", i, alpha, c)
		}
		margin := sign * bias
		for j := range y {
			margin += sign * s.beta[j] * k[i][j]
		}
		if alpha < c && margin < 1-tolerance {
			t.Errorf("alpha[%d] = %g below C = %g with margin %g < 1", i, alpha, c, margin)
		}
		if alpha > 0 && margin > 1+tolerance {
			t.Errorf("alpha[%d] = %g above 0 with margin %g > 1", i, alpha, margin)
		}
	}
	if math.Abs(sum) > 1e-12*c*float64(len(y)) {
		t.Errorf("sum of y alpha = %g", sum)
	}
}

func TestSolutionsAreFeasibleAndOptimal(t *testing.T) {
	for seed := range uint64(3) {
		x, y := blobs(seed, 60)
		for _, c := range []float64{1e-2, 1, 100} {
			for _, gamma := range []float64{1e-3, 0.3, 10} {
				t.Run(fmt.Sprintf("seed=%d,C=%g,gamma=%g", seed, c, gamma), func(t *testing.T) {
					s := solved(t, x, y, c, gamma, 1e-3)
					checkOptimal(t, s, gram(x, gamma), y, c, 1e-3)
				})
			}
		}
	}
}

// Large C and small gamma make the kernel matrix all but singular and the coefficients large, where a gradient that
// is only ever updated could drift away from the true one. At these settings a solver with a kernel in single
// precision is off by 0.04 % in the objective.
func TestOptimalOnBreastCancerWhereRoundingBites(t *testing.T) {
	train, _ := cancer(t)
	s := solved(t, train.X, train.Y, 1e4, 1e-4, 1e-3)
	checkOptimal(t, s, gram(train.X, 1e-4), train.Y, 1e4, 1.01e-3)
}

// projectedGradient solves the dual slowly and simply: accelerated gradient steps with step length 1/n (the largest
// eigenvalue of a kernel matrix is at most its trace n), each projected on the box and the hyperplane Σ β = 0. It
// returns the objective reached.
func projectedGradient(k [][]float64, y []float64, c float64, iterations int) float64 {
	n := len(y)
	beta, previous, ahead := make([]float64, n), make([]float64, n), make([]float64, n)
	for it := range iterations {
		momentum := float64(it) / float64(it+3)
		for i := range n {
			ahead[i] = beta[i] + momentum*(beta[i]-previous[i])
		}
		copy(previous, beta)
		for i := range n {
			g := y[i]
			for j := range n {
				g -= k[i][j] * ahead[j]
			}
			beta[i] = ahead[i] + g/float64(n)
		}
		project(beta, y, c)
	}
	value := 0.0
	for i := range n {
		value += y[i] * beta[i]
		for j := range n {
			value -= beta[i] * beta[j] * k[i][j] / 2
		}
	}
	return value
}

// project moves v to the nearest point of the feasible set: clip(v - shift) for the shift, found by bisection, at
// which the sum is zero.
func project(v, y []float64, c float64) {
	clipped := func(i int, shift float64) float64 {
		return min(max(v[i]-shift, min(0, c*y[i])), max(0, c*y[i]))
	}
	low, high := -1e3*c-1e3, 1e3*c+1e3
	for range 100 {
		middle, sum := (low+high)/2, 0.0
		for i := range v {
			sum += clipped(i, middle)
		}
		if sum > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	for i := range v {
		v[i] = clipped(i, low)
	}
}

func TestSameDualObjectiveAsProjectedGradient(t *testing.T) {
	for seed := range uint64(3) {
		x, y := blobs(seed, 14)
		for _, c := range []float64{0.1, 1, 10} {
			for _, gamma := range []float64{0.1, 1} {
				s := solved(t, x, y, c, gamma, 1e-10)
				want := projectedGradient(gram(x, gamma), signs(y), c, 4000)
				if got := s.objective(); math.Abs(got-want) > 1e-8*want {
					t.Errorf("seed %d, C = %g, gamma = %g: objective %.12g, projected gradient %.12g", seed, c, gamma, got, want)
				}
			}
		}
	}
}

// The maintained gradient and the objective derived from it agree with their definitions.
func TestGradientAndObjectiveFromScratch(t *testing.T) {
	x, y := blobs(5, 40)
	s := solved(t, x, y, 10, 0.5, 1e-6)
	k, sign := gram(x, 0.5), signs(y)
	value := 0.0
	for i := range y {
		product := 0.0
		for j := range y {
			product += k[i][j] * s.beta[j]
		}
		if math.Abs(s.grad[i]-(sign[i]-product)) > 1e-11 {
			t.Errorf("gradient[%d] = %g, from scratch %g", i, s.grad[i], sign[i]-product)
		}
		value += s.beta[i] * (sign[i] - product/2)
	}
	if math.Abs(s.objective()-value) > 1e-10*value {
		t.Errorf("objective %.12g, from scratch %.12g", s.objective(), value)
	}
}

// Every step of the solver raises the dual objective.
func TestObjectiveNeverFalls(t *testing.T) {
	x, y := blobs(6, 40)
	g := must.Get(Distances(x))(t)
	s := newSMO(newKernel(g, 0.5), y, 3)
	last := 0.0
	for limit := 1; !s.run(1e-6, limit); limit++ {
		if now := s.objective(); now < last-1e-12 {
			t.Fatalf("step %d: objective fell from %g to %g", limit, last, now)
		} else {
			last = now
		}
	}
}

// b + (C - b) often misses C by an ulp. A variable that meets its bound must be at the bound, or it would count as free
// and be picked again for steps of one ulp.
func TestBoundsAreMetExactly(t *testing.T) {
	g := must.Get(Distances([][]float64{{0}, {1}}))(t)
	r := rng.New(1, rng.Test, 0)
	for range 1000 {
		c := r.Float64()
		b := c * r.Float64()
		up := newSMO(newKernel(g, 1), []int{1, 1}, c) // β_0 has less room to grow than β_1 to shrink
		up.beta[0], up.beta[1], up.grad[0], up.grad[1] = b, c, 9, -9
		down := newSMO(newKernel(g, 1), []int{0, 0}, c) // β_1 has less room to shrink than β_0 to grow
		down.beta[0], down.beta[1], down.grad[0], down.grad[1] = -c, -b, 9, -9
		up.move(0, 1)
		down.move(0, 1)
		if up.beta[0] != c || down.beta[1] != -c {
			t.Fatalf("C = %g: from %g to %g and to %g", c, b, up.beta[0], down.beta[1])
		}
	}
	if curvature(1) != smallestCurvature {
		t.Errorf("curvature between equal rows is %g", curvature(1))
	}
}

func TestKernelMatrixAgainstThePlainOne(t *testing.T) {
	for _, features := range []int{1, 3, 4, 5, 8, 11} {
		r := rng.New(uint64(features), rng.Test, 0)
		x := make([][]float64, 9)
		for i := range x {
			x[i] = make([]float64, features)
			for j := range x[i] {
				x[i][j] = r.NormFloat64()
			}
		}
		g := must.Get(Distances(x))(t)
		k := newKernel(g, 0.2)
		for i, want := range gram(x, 0.2) {
			for j := range want {
				if got := k.row(i)[j]; math.Abs(got-want[j]) > 1e-15 {
					t.Errorf("%d features: K[%d][%d] = %g, want %g", features, i, j, got, want[j])
				}
			}
		}
	}
}
