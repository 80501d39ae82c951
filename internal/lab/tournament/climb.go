package tournament

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// place is a point (user units) with its value.
type place struct {
	x     space.Point
	value float64
}

// How the greatest value of a drawn function is searched for.
const (
	looks      = 2048
	climbs     = 24
	firstStep  = 0.05
	lastStep   = 1e-7
	mostLevels = 32 // of a discrete parameter that are all tried
)

// searched is a problem whose maximum is searched for.
func searched(s space.Space, value func(space.Point) float64) sim.Problem {
	_, best := ends(s, value)
	return sim.Problem{Space: s, Value: value, Maximizers: []space.Point{best.x}, Maximum: best.value}
}

// ends returns the least value that was seen and the best place of all: exactly where there are few combinations, and
// otherwise the best of climbs from the best of many points. Where a policy finds a better one its regret is 0.
func ends(s space.Space, value func(space.Point) float64) (low float64, best place) {
	points := s.Grid()
	exact := len(points) > 0
	if !exact {
		points = s.Sample(space.Halton, looks, rng.New(0, "tournament looks", 0))
	}
	seen, low := make([]place, len(points)), math.Inf(1)
	for i, u := range points {
		x := s.Value(u)
		seen[i] = place{x, value(x)}
		low = min(low, seen[i].value)
	}
	slices.SortStableFunc(seen, func(a, b place) int { return cmp.Compare(b.value, a.value) })
	best = seen[0]
	if exact {
		return low, best
	}
	for _, from := range seen[:min(climbs, len(seen))] {
		if p := climb(s, value, from); p.value > best.value {
			best = p
		}
	}
	return low, best
}

// climb moves one coordinate at a time as long as that gains, floats by ever smaller steps and others to any of their values.
func climb(s space.Space, value func(space.Point) float64, from place) place {
	best := from
	try := func(j int, v float64) bool {
		x := slices.Clone(best.x)
		x[j] = v
		if v == best.x[j] {
			return false
		}
		if got := value(x); got > best.value {
			best = place{x, got}
			return true
		}
		return false
	}
	for step := firstStep; step > lastStep; {
		gained := false
		for j, p := range s.Parameters() {
			for _, v := range neighbours(p, best.x[j], step) {
				gained = try(j, v) || gained
			}
		}
		if !gained {
			step /= 3
		}
	}
	return best
}

// neighbours are the values that a climb tries in place of one.
func neighbours(p space.Parameter, v, step float64) []float64 {
	var out []float64
	if n := p.Levels(); n > 0 {
		rank := p.Rank(p.Unit(v))
		for k := range n {
			if n <= mostLevels || k == rank-1 || k == rank+1 {
				out = append(out, p.Value(p.Level(k)))
			}
		}
		return out
	}
	u := p.Unit(v)
	return []float64{p.Value(min(u+step, 1)), p.Value(max(u-step, 0))}
}
