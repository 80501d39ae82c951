package learn

import "math"

// smallestCurvature replaces the curvature along a pair of rows that the kernel cannot tell apart, where it is zero
// (Fan, Chen and Lin 2005 call it tau).
const smallestCurvature = 1e-12

// smo solves the dual of the support vector machine by sequential minimal optimization,
//
//	maximize  Σ_i y_i β_i - ½ Σ_ij β_i β_j K_ij   over  Σ_i β_i = 0,  lo_i ≤ β_i ≤ hi_i,
//
// written in the signed variables β_i = y_i α_i with y_i = ±1: the box [lo_i, hi_i] is [0, C] for y_i = 1 and [-C, 0]
// for y_i = -1. In these variables a step moves λ from β_j to β_i for either combination of labels, which in α takes
// four cases.
//
// With g_i = y_i - Σ_j K_ij β_j, the gradient, a point is optimal if and only if no β that may grow has a larger
// gradient than a β that may shrink. The gap, max g_i over β_i < hi_i less min g_j over β_j > lo_j, measures by how
// much that is violated. It equals m(α) - M(α) of Fan, Chen and Lin.
type smo struct {
	kernel     *kernel
	beta, grad []float64
	lo, hi     []float64
	iterations int
	gap        float64 // after the latest selection
}

// newSMO starts at β = 0, where the gradient is y.
func newSMO(k *kernel, y []int, c float64) *smo {
	n := len(y)
	s := &smo{
		kernel: k,
		beta:   make([]float64, n), grad: make([]float64, n),
		lo: make([]float64, n), hi: make([]float64, n),
	}
	for i, label := range y {
		if label == 1 {
			s.grad[i], s.hi[i] = 1, c
		} else {
			s.grad[i], s.lo[i] = -1, -c
		}
	}
	return s
}

// run moves along one pair after another until the gap is below the tolerance, which it reports, or the iterations
// are spent.
func (s *smo) run(tolerance float64, maxIterations int) (converged bool) {
	for {
		i, top := s.first()
		j, bottom := s.second(i, top)
		s.gap = top - bottom
		if s.gap < tolerance {
			return true
		}
		if s.iterations == maxIterations {
			return false
		}
		s.iterations++
		s.move(i, j)
	}
}

// first returns the row with the largest gradient among those whose β may grow, and that gradient.
func (s *smo) first() (i int, top float64) {
	top = math.Inf(-1)
	for t, g := range s.grad {
		if g > top && s.beta[t] < s.hi[t] {
			i, top = t, g
		}
	}
	return i, top
}

// second returns the partner of row i: among the rows whose β may shrink and whose gradient is below top, the one with
// the largest gain (g_i-g_j)²/a_ij to second order, a_ij = K_ii + K_jj - 2 K_ij (Fan, Chen and Lin 2005). It
// also returns the smallest gradient among the rows whose β may shrink.
func (s *smo) second(i int, top float64) (j int, bottom float64) {
	grad := s.grad
	row, beta, lo := s.kernel.row(i)[:len(grad)], s.beta[:len(grad)], s.lo[:len(grad)]
	bottom = math.Inf(1)
	best := -1.0
	for t, g := range grad {
		if beta[t] <= lo[t] {
			continue
		}
		bottom = min(bottom, g)
		slope := top - g
		if slope <= 0 {
			continue
		}
		if gain := slope * slope / curvature(row[t]); gain > best {
			j, best = t, gain
		}
	}
	return j, bottom
}

// curvature returns K_ii + K_jj - 2 K_ij for the kernel whose diagonal is 1.
func curvature(k float64) float64 { return max(2-2*k, smallestCurvature) }

// move takes the step from β_j to β_i that is best along this pair, as far as the box allows. A variable that meets
// its bound is set to it exactly: rounding must not leave it free.
func (s *smo) move(i, j int) {
	ki, kj := s.kernel.row(i), s.kernel.row(j)
	roomI, roomJ := s.hi[i]-s.beta[i], s.beta[j]-s.lo[j]
	step := min((s.grad[i]-s.grad[j])/curvature(ki[j]), roomI, roomJ)
	s.beta[i] += step
	s.beta[j] -= step
	if step == roomI {
		s.beta[i] = s.hi[i]
	}
	if step == roomJ {
		s.beta[j] = s.lo[j]
	}
	grad := s.grad
	ki, kj = ki[:len(grad)], kj[:len(grad)] // spares the loop its bounds checks
	for t := range grad {
		grad[t] -= step * (ki[t] - kj[t])
	}
}

// bias returns the constant of the decision function: the mean gradient of the free vectors, on which the margin is
// met with equality, or the middle of the interval that optimality leaves when there is none.
func (s *smo) bias() float64 {
	sum, free := 0.0, 0
	top, bottom := math.Inf(-1), math.Inf(1)
	for t, g := range s.grad {
		mayGrow, mayShrink := s.beta[t] < s.hi[t], s.beta[t] > s.lo[t]
		if mayGrow && mayShrink {
			sum += g
			free++
		}
		if mayGrow {
			top = max(top, g)
		}
		if mayShrink {
			bottom = min(bottom, g)
		}
	}
	if free > 0 {
		return sum / float64(free)
	}
	return (top + bottom) / 2
}

// objective returns the dual objective. As K β = y - g, it is ½ Σ β_i (y_i + g_i).
func (s *smo) objective() float64 {
	sum := 0.0
	for t, b := range s.beta {
		y := 1.0
		if s.lo[t] < 0 {
			y = -1
		}
		sum += b * (y + s.grad[t]) / 2
	}
	return sum
}
