package acquisition

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/internal/lbfgs"
	"github.com/tarry-bo/tarry/space"
)

// Search says where and how hard to look for the maximum of a Function.
type Search struct {
	Space   space.Space
	Context []float64   // unit coordinates of the context parameters, which the search leaves alone
	Near    [][]float64 // points to look around as well, such as the incumbent; whole points of the unit cube
	Avoid   [][]float64 // points that must not come back, unless nothing else is left
	Stream  *rand.Rand  // source of the candidates

	Candidates int // points of the first look; 0 means 512
	Starts     int // local searches from the best of them; 0 means 4
	Steps      int // evaluations a local search may take; 0 means 60
}

const (
	defaultCandidates = 512
	defaultStarts     = 4
	defaultSteps      = 60
	nearPoints        = 16 // candidates around each point of Near
	maxEnumerated     = 4096
	maxLevelsTried    = 32 // levels of one discrete parameter that the coordinate search tries
)

// candidate is a point with its utility.
type candidate struct {
	x     []float64
	value float64
}

// Maximize returns the best point found, snapped to the space. A finite list and a small discrete space are searched
// whole, so the result is exact; ties go to the first point. Elsewhere low-discrepancy candidates are improved by
// projected L-BFGS over the real parameters, which reaches the sides of the cube exactly, and by coordinate search
// over the discrete ones. NaN utilities count as the worst. Cost: Candidates + Starts·Steps evaluations.
func Maximize(f Function, s Search) []float64 {
	s.setDefaults()
	if all := s.enumerate(); all != nil {
		return s.best(f, all)
	}
	pool := s.score(f, s.candidates())
	slices.SortStableFunc(pool, func(a, b candidate) int {
		switch {
		case a.value > b.value:
			return -1
		case a.value < b.value:
			return 1
		}
		return 0
	})
	found := slices.Clone(pool[:min(s.Starts, len(pool))])
	for i := range found {
		found[i] = s.improve(f, found[i])
	}
	found = append(found, pool...) // what a local search lost, the pool still has
	return s.pick(found)
}

func (s *Search) setDefaults() {
	if s.Candidates == 0 {
		s.Candidates = defaultCandidates
	}
	if s.Starts == 0 {
		s.Starts = defaultStarts
	}
	if s.Steps == 0 {
		s.Steps = defaultSteps
	}
}

// score evaluates f at every point; NaN becomes −Inf.
func (s *Search) score(f Function, points [][]float64) []candidate {
	out := make([]candidate, len(points))
	for i, x := range points {
		out[i] = candidate{x, f.Value(x)}
		if math.IsNaN(out[i].value) {
			out[i].value = math.Inf(-1)
		}
	}
	return out
}

func (s *Search) best(f Function, points [][]float64) []float64 { return s.pick(s.score(f, points)) }

// pick returns the best candidate that is not to be avoided, or the best of all if every one is.
func (s *Search) pick(found []candidate) []float64 {
	best := -1
	for i, c := range found {
		if (best < 0 || c.value > found[best].value) && !s.avoided(c.x) {
			best = i
		}
	}
	if best < 0 {
		best = 0
		for i, c := range found {
			if c.value > found[best].value {
				best = i
			}
		}
	}
	return found[best].x
}

func (s *Search) avoided(x []float64) bool {
	return slices.ContainsFunc(s.Avoid, func(a []float64) bool {
		for j := range x {
			if math.Abs(a[j]-x[j]) > 1e-6 {
				return false
			}
		}
		return true
	})
}

// improve climbs from c: L-BFGS over the real actions with everything else fixed, then coordinate search over the
// discrete actions. The result is never worse than c.
func (s *Search) improve(f Function, c candidate) candidate {
	lower, upper, smooth := s.box(c.x)
	if smooth {
		negated := func(x, grad []float64) float64 {
			v := f.Gradient(x, grad)
			for j := range grad {
				grad[j] = -grad[j]
			}
			return -v
		}
		r := lbfgs.Minimize(negated, c.x, lower, upper, lbfgs.Settings{MaxEvaluations: s.Steps})
		x := s.Space.Snap(r.X)
		if v := f.Value(x); v > c.value {
			c = candidate{x, v}
		}
	}
	return s.climbLevels(f, c)
}

// box returns bounds in which the real actions are free and all other coordinates fixed at x.
func (s *Search) box(x []float64) (lower, upper []float64, smooth bool) {
	lower, upper = slices.Clone(x), slices.Clone(x)
	for _, i := range s.Space.Actions() {
		if s.Space.Parameter(i).Kind == space.KindFloat {
			lower[i], upper[i], smooth = 0, 1, true
		}
	}
	return lower, upper, smooth
}
