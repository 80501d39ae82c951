package acquisition

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/space"
)

// The best point within a region mostly lies on its boundary, which bends, and often where several boundaries meet. A local search of
// a penalized utility comes near it and no farther. From there the utility is climbed along the boundary by gradient projection (Rosen
// 1961): each step goes to the point of the linearized region that is closest to where the gradient leads, and from there back to the
// region by Gauss-Newton steps, of which each is the least that the linearized constraints allow.
const (
	alongSteps  = 10   // gradients of the utility, at most
	alongFirst  = 0.05 // length of the first step, as a share of the side of the cube
	alongLeast  = 1e-8 // length below which it ends
	alongGrow   = 3    // of the length after a step that was worth it
	alongShrink = 0.2  // after another
	alongReach  = 0.1  // slack of a mean, in the units of the models, up to which a boundary counts as near

	returnSteps  = 5     // towards the region
	returnInside = 1e-9  // slack that is aimed at, in the units of the models
	sweeps       = 300   // over all constraints, of a projection
	sweepLeast   = 1e-12 // movement of a sweep in any coordinate at which it ends
)

// along climbs from a candidate within the region along its boundary, and returns the best candidate on the way.
func (s *Search) along(e evaluator, c candidate) candidate {
	if !s.smooth() || !s.Within.Has(c.x) || s.Within.slack(c.x) > alongReach {
		return c
	}
	lower, upper := s.real(c.x)
	length, value, slope := alongFirst, make([]float64, 1), [][]float64{make([]float64, len(c.x))}
	var way []float64 // from c, of length 1
	for range alongSteps {
		if way == nil {
			e.gradients([]space.Unit{c.x}, value, slope)
			if way = s.direction(slope[0], lower, upper); way == nil {
				return c
			}
		}
		next := slices.Clone(c.x)
		for j, d := range way {
			next[j] += length * d
		}
		next = s.Space.Snap(s.returned(s.Within.closest(c.x, next, lower, upper), lower, upper))
		if within(next, c.x, alongLeast) {
			return c
		}
		better := false
		if s.Within.Has(next) {
			e.values([]space.Unit{next}, value)
			better = value[0] > c.value
		}
		if !better {
			length *= alongShrink
			continue
		}
		c, way = candidate{next, value[0]}, nil
		length = min(alongGrow*length, 1)
	}
	return c
}

// real is the box of the parameters that take any value; those in steps stay where they are.
func (s *Search) real(x space.Unit) (lower, upper []float64) {
	lower, upper = s.box(x)
	for j := range x {
		if s.Space.Parameter(j).Levels() > 0 {
			lower[j], upper[j] = x[j], x[j]
		}
	}
	return lower, upper
}

// direction is a gradient of length 1 in what is free; nil where there is none.
func (s *Search) direction(slope, lower, upper []float64) []float64 {
	out, square := make([]float64, len(slope)), 0.0
	for j, d := range slope {
		if lower[j] < upper[j] {
			out[j] = d
			square += d * d
		}
	}
	if !(square > 0) || math.IsInf(square, 1) {
		return nil
	}
	for j := range out {
		out[j] /= math.Sqrt(square)
	}
	return out
}

// slack is how far the least mean is above its bound. Cost O(n·d) for each constraint.
func (r Region) slack(x space.Unit) float64 {
	least := math.Inf(1)
	for _, b := range r {
		least = min(least, b.mean(x)-b.Least)
	}
	return least
}

// returned moves a point to the region, within the box, by the least steps that linearized constraints allow; what does not get there
// comes back as far as it came.
func (s *Search) returned(x space.Unit, lower, upper []float64) space.Unit {
	for range returnSteps {
		if s.Within.Has(x) {
			return x
		}
		x = s.Within.closest(x, x, lower, upper)
	}
	return x
}

// closest returns the point of the box that is closest to another one of those where each mean, made linear at a place, is at least its
// bound: Hildreth's procedure (1957), coordinate ascent on the dual of that quadratic program. Cost O(n·d) for each constraint, and
// O(d) for each in every sweep. Where no point is in all of these the sweeps end somewhere.
func (r Region) closest(at, to space.Unit, lower, upper []float64) space.Unit {
	type half struct {
		slope         []float64
		least, square float64
		weight        float64
	}
	halves := make([]half, 0, len(r))
	for _, b := range r {
		h := half{slope: make([]float64, len(at))}
		h.least = b.Least + returnInside - b.Posterior.MeanGrad(at, h.slope)
		for j, d := range h.slope {
			if lower[j] == upper[j] {
				h.slope[j] = 0
				continue
			}
			h.least += d * at[j]
			h.square += d * d
		}
		if h.square > 0 && !math.IsInf(h.square, 1) {
			halves = append(halves, h)
		}
	}
	x, walls := slices.Clone(to), make([]float64, len(to)) // how far walls push
	for range sweeps {
		moved := 0.0
		for k := range halves {
			h := &halves[k]
			lack := h.least
			for j, d := range h.slope {
				lack -= d * x[j]
			}
			step := max(lack/h.square, -h.weight)
			h.weight += step
			for j, d := range h.slope {
				x[j] += step * d
				moved = max(moved, math.Abs(step*d))
			}
		}
		for j := range x {
			free := x[j] - walls[j]
			next := min(max(free, lower[j]), upper[j])
			moved = max(moved, math.Abs(next-x[j]))
			walls[j], x[j] = next-free, next
		}
		if moved < sweepLeast {
			break
		}
	}
	return x
}

// foremost is the best of some candidates, those within the region first.
func (s *Search) foremost(found []candidate) candidate {
	sorted := slices.Clone(found)
	best(sorted)
	if i := slices.IndexFunc(sorted, func(c candidate) bool { return s.Within.Has(c.x) }); i >= 0 {
		return sorted[i]
	}
	return sorted[0]
}
