package acquisition

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

const (
	nearWidest    = 0.2  // standard deviation of the candidates around a point of Near: from this
	nearNarrowest = 0.01 // down to this
	nearPoints    = 12   // candidates around all points of Near together, besides the points themselves
	moveTogether  = 20   // coordinates of such a candidate that differ from the point, on average, at most
)

// near returns the points of Near and candidates around them.
func (s *Search) near(e evaluator) []candidate { return s.settled(e, s.around()) }

// far returns candidates all over the space: the points of the pool or low-discrepancy points.
func (s *Search) far(f Function, e evaluator) []candidate {
	if pool := s.fromPool(f); pool != nil {
		return pool
	}
	return s.settled(e, s.unwarped(space.HaltonPoints(s.Candidates, s.Space.Dim(), s.Stream)))
}

// settled snaps the points to the space and the context and evaluates them.
func (s *Search) settled(e evaluator, raw []space.Unit) []candidate {
	for i, x := range raw {
		raw[i] = s.snapped(x)
	}
	return score(e, raw)
}

// snapped returns x snapped to the space and the context.
func (s *Search) snapped(x space.Unit) space.Unit {
	return s.Space.SnapAt(x, s.context())
}

// fromPool returns points of the pool with what the posterior knows of them; nil without one at the context.
func (s *Search) fromPool(f Function) []candidate {
	var all []candidate
	switch f := f.(type) {
	case At:
		all = pooled(f.Posterior, Anywhere{f.Utility}, nil)
	case There:
		all = pooled(f.Posterior, f.Utility, f.Rough)
	case LogJointEntropyGain:
		all = valued(poolOf(f), f.PoolValues(poolOf(f)))
	case Sum:
		all = summed(f)
	}
	if len(all) > 0 && !s.faces(all[0].x) {
		return nil
	}
	if len(s.Within) > 0 {
		s.Within.penalize(all)
	}
	return all
}

// faces reports whether a point, and with it the pool that it is of, has the coordinates of the context.
func (s *Search) faces(x space.Unit) bool {
	for j, i := range s.Space.Held() {
		if x[i] != s.context()[j] {
			return false
		}
	}
	return true
}

// roughly is how many points of a pool are left after a rough look at it.
const roughly = 64

// pooled evaluates a utility at the points of the pool, those alone that are best roughly where that is given.
func pooled(p *surrogate.Posterior, u Located, rough Utility) []candidate {
	if p.Pool() == nil {
		return nil
	}
	mean, variance := p.PoolMean(), p.PoolVariance()
	chosen := make([]int, len(mean))
	for i := range chosen {
		chosen[i] = i
	}
	if rough != nil {
		values := make([]float64, len(mean))
		for i := range values {
			values[i] = numbered(rough.Of(mean[i], variance[i]))
		}
		slices.SortFunc(chosen, func(i, j int) int { return cmp.Or(cmp.Compare(values[j], values[i]), i-j) })
		chosen = chosen[:min(roughly, len(chosen))]
	}
	out := make([]candidate, len(chosen))
	for k, i := range chosen {
		x := p.Pool().Point(i)
		out[k] = candidate{x, numbered(u.OfAt(x, mean[i], variance[i]))}
	}
	return out
}

// around returns the points of Near and normal points around them, at widths from wide to narrow. In many dimensions
// each moves some coordinates only: a step in all of them would go far.
func (s *Search) around() []space.Unit {
	if len(s.Near) == 0 {
		return nil
	}
	var raw []space.Unit
	near := s.warped(s.Near)
	chance := min(1, moveTogether/float64(s.Space.Dim()))
	width := nearWidest
	turns := max(nearPoints/len(s.Near), 1)
	shrink := math.Pow(nearNarrowest/nearWidest, 1/float64(turns))
	for range turns {
		for _, point := range near {
			x := slices.Clone(point)
			for j := range x {
				if chance == 1 || s.Stream.Float64() < chance {
					x[j] += width * s.Stream.NormFloat64()
				}
			}
			raw = append(raw, x)
		}
		width *= shrink
	}
	return slices.Concat(s.Near, s.unwarped(raw))
}
