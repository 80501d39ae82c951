package acquisition

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Search says where and how long Maximize searches.
type Search struct {
	Space   space.Space
	Context space.Unit   // unit coordinates of the context parameters, which the search leaves alone
	Near    []space.Unit // points to look around as well, such as the incumbent; whole points of the unit cube
	Avoid   []space.Unit // points that must not come back, unless nothing else is left
	Within  Region       // where the point shall be, unless nothing there is found; empty: everywhere
	Apart   float64      // how near in every coordinate counts as coming back; 0 means a millionth of the side
	Stream  *rand.Rand   // source of the candidates
	// Inputs are warps of the coordinates, such as those of the kernel (surrogate.InputsOf): candidates, steps and distances are those of the
	// warped coordinates. Nil: none.
	Inputs surrogate.Inputs

	Candidates int // points of the first look where the posterior carries no pool of them; 0 means 256
	Starts     int // local searches; 0 means 6, and 4 for a Sum or a LeftOut
	Steps      int // gradients that all local searches may take together; 0 means 32, and 18 for these

	unit  float64      // of values where they are told to a local search, whose tolerances are relative to one
	avoid []space.Unit // in warped coordinates
}

const (
	defaultCandidates = 256
	defaultStarts     = 6
	defaultSteps      = 32
	sumStarts         = 4 // of a Sum, each of whose parts costs a gradient, and of a LeftOut
	sumSteps          = 18
)

// candidate is a point with its utility.
type candidate struct {
	x     space.Unit
	value float64
}

// Maximize returns the best point found, snapped to the space. It searches a finite list and a small discrete space
// completely, so the result is exact there; ties go to the first point. In other spaces it takes candidates and improves
// the best of them: projected L-BFGS over the real parameters and those in steps or by rank, which reaches the sides of
// the cube exactly, and coordinate search over the discrete ones. The candidates are the pool of the posterior, whose
// moments are known already, or low-discrepancy points; the points that an ascent of the posterior mean reaches from
// them; and points around those of Near. A NaN utility counts as the worst. Cost: Steps gradients and at most a hundred
// values; with discrete parameters twice the gradients and 512 values more; Candidates values where there is no pool.
func Maximize(f Function, s Search) space.Unit {
	e, all := s.begin(f)
	if all != nil {
		return s.pick(all)
	}
	near, far := s.near(e), s.uphill(e, s.far(f, e))
	s.unit = unitOf(near, far)
	found := s.climb(e, s.diverse(near, s.Starts/3, apartNear), s.diverse(far, s.Starts-s.Starts/3, apartFar))
	found = s.climbDiscrete(e, found)
	if len(s.Within) > 0 && len(found) > 0 {
		found = append(found, s.along(e, s.foremost(found)))
	}
	return s.pick(slices.Concat(found, near, far)) // what a local search lost, the first look still has
}

// Glance returns the best of the candidates from which Maximize sets out, which is near what it finds, or what it finds in a space that it searches
// completely. Cost: about twenty values, and Candidates more where there is no pool.
func Glance(f Function, s Search) space.Unit {
	e, all := s.begin(f)
	if all == nil {
		all = slices.Concat(s.near(e), s.far(f, e))
	}
	return s.pick(all)
}

// begin sets what is not set, and returns what evaluates f and, in a space that is searched completely, all points with their values; otherwise nil.
func (s *Search) begin(f Function) (evaluator, []candidate) {
	s.setDefaults(f)
	e := newEvaluator(f)
	if len(s.Within) > 0 {
		e = penalized{e, s.Within}
	}
	if all := s.enumerate(); all != nil {
		return e, score(e, all)
	}
	return e, nil
}

// unitOf is the spread of the finite values, at most one: utilities of a model whose values are tiny are climbed as exactly
// as others.
func unitOf(groups ...[]candidate) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, group := range groups {
		for _, c := range group {
			if !math.IsInf(c.value, 0) {
				low, high = min(low, c.value), max(high, c.value)
			}
		}
	}
	if unit := high - low; unit > 0 && unit < 1 {
		return unit
	}
	return 1
}

func (s *Search) setDefaults(f Function) {
	if s.Apart == 0 {
		s.Apart = sameQuery
	}
	s.avoid = s.warped(s.Avoid)
	if s.Candidates == 0 {
		s.Candidates = defaultCandidates
	}
	if s.Starts == 0 {
		if s.Starts = defaultStarts; slow(f) {
			s.Starts = sumStarts
		}
	}
	if s.Steps == 0 {
		if s.Steps = defaultSteps; slow(f) {
			s.Steps = sumSteps
		}
	}
}

// score evaluates at every point.
func score(e evaluator, points []space.Unit) []candidate {
	values := make([]float64, len(points))
	e.values(points, values)
	out := make([]candidate, len(points))
	for i, x := range points {
		out[i] = candidate{x, values[i]}
	}
	return out
}

// best sorts candidates, the greatest first and equal ones as they were.
func best(found []candidate) {
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.value, a.value) })
}

// How far in some coordinate two starts must be from each other.
const apartNear, apartFar = 0.02, 0.1

// diverse returns the best candidates that are not close to a better one, the best first. Cost O(N·count).
func (s *Search) diverse(pool []candidate, count int, apart float64) []candidate {
	out, places := make([]candidate, 0, count), make([]space.Unit, 0, count)
	for range min(count, len(pool)) {
		best := -1
		for i := range pool {
			c := &pool[i]
			if best >= 0 && !(c.value > pool[best].value) || len(out) > 0 && c.value > out[len(out)-1].value {
				continue // not the best of those that are left
			}
			if !anyWithin(s.Inputs.To(c.x), places, apart) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		out, places = append(out, pool[best]), append(places, s.Inputs.To(pool[best].x))
	}
	return out
}

// within reports whether no coordinate differs by more than the given distance.
func within(a, b space.Unit, distance float64) bool {
	for j := range a {
		if math.Abs(a[j]-b[j]) > distance {
			return false
		}
	}
	return true
}

// pick returns the best candidate that is not to be avoided, or the best of all if every one is; those within the region first.
func (s *Search) pick(found []candidate) space.Unit {
	if len(s.Within) > 0 {
		sorted := slices.Clone(found)
		best(sorted)
		if i := slices.IndexFunc(sorted, func(c candidate) bool { return !s.avoided(c.x) && s.Within.Has(c.x) }); i >= 0 {
			return slices.Clone(sorted[i].x)
		}
	}
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
	return slices.Clone(found[best].x)
}

// sameQuery is the distance in every coordinate within which two points are one query.
const sameQuery = 1e-6

func (s *Search) avoided(x space.Unit) bool { return anyWithin(s.Inputs.To(x), s.avoid, s.Apart) }

// Among reports whether x is one of the points: within a millionth of it in every coordinate.
func Among(x space.Unit, points []space.Unit) bool { return anyWithin(x, points, sameQuery) }

func anyWithin(x space.Unit, points []space.Unit, distance float64) bool {
	return slices.ContainsFunc(points, func(a space.Unit) bool { return within(a, x, distance) })
}
