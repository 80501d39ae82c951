package acquisition

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/lbfgs"
	"github.com/tarry-bo/tarry/space"
)

// Local searches share a budget of steps by successive halving: all searches take some steps, then the better half of them
// takes some more, and so on until the best search has what is left. The halves are taken within groups, the starts near the
// incumbent and the starts far away, because a search from far away may need more steps before its value can be compared.
const (
	climbTolerance = 1e-8  // a search stops when a step raises the value by less, relative to max(1, |value|)
	climbGradient  = 1e-6  // a search stops when all projected derivatives are smaller
	firstStep      = 0.125 // longest first step, as a share of the side of the cube
)

// legs are the shares of the steps that are spent before each halving; the last search takes the rest.
var legs = []float64{0.45, 0.25, 0.2}

// climber is one local search.
type climber struct {
	search *lbfgs.Search // in warped coordinates
	start  candidate
}

// climb searches from every start over the real actions, with all other coordinates fixed. It returns the best point of each
// search, snapped to the space, in descending order of value.
func (s *Search) climb(e evaluator, groups ...[]candidate) []candidate {
	var all []*climber
	racing := make([][]*climber, len(groups))
	for g, starts := range groups {
		for _, c := range starts {
			racing[g] = append(racing[g], s.climber(c))
		}
		all = append(all, racing[g]...)
	}
	if !s.smooth() || len(all) == 0 {
		out := slices.Concat(groups...)
		best(out)
		return out
	}
	left := s.Steps
	for _, leg := range legs {
		field := slices.Concat(racing...)
		left -= s.advance(e, field, max(int(leg*float64(s.Steps))/max(len(field), 1), 1))
		for g := range racing {
			racing[g] = betterHalf(racing[g])
		}
	}
	if last := betterHalf(slices.Concat(racing...)); len(last) > 0 {
		s.advance(e, last[:1], left)
	}
	return s.reached(e, all)
}

// climber returns the local search that starts at a candidate.
func (s *Search) climber(c candidate) *climber {
	lower, upper := s.warpedBox(c.x)
	settings := lbfgs.Settings{MaxEvaluations: s.Steps, ValueTolerance: climbTolerance, GradTolerance: climbGradient, FirstStep: firstStep}
	return &climber{lbfgs.NewSearch(s.Inputs.To(c.x), lower, upper, settings), c}
}

// betterHalf returns the better half of a group, rounded up.
func betterHalf(group []*climber) []*climber {
	sorted := slices.Clone(group)
	slices.SortStableFunc(sorted, func(a, b *climber) int {
		_, x := a.search.Best()
		_, y := b.search.Best()
		return cmp.Compare(x, y) // the searches minimize the negative value
	})
	return sorted[:(len(sorted)+1)/2]
}

// advance lets every search take at most the given number of steps and returns how many gradients were computed. The searches
// take their steps together, so that each gradient is one of a batch. Values are divided by the unit before a search sees them.
func (s *Search) advance(e evaluator, racing []*climber, rounds int) (spent int) {
	size := len(racing)
	if size == 0 {
		return 0
	}
	xs, live := make([]space.Unit, 0, size), make([]*climber, 0, size)
	values, grads := make([]float64, size), make([][]float64, size)
	for i := range grads {
		grads[i] = make([]float64, len(racing[0].start.x))
	}
	for range rounds {
		xs, live = xs[:0], live[:0]
		for _, c := range racing {
			if !c.search.Done() {
				xs, live = append(xs, s.from(c, c.search.X())), append(live, c)
			}
		}
		if len(live) == 0 {
			break
		}
		e.gradients(xs, values[:len(xs)], grads[:len(xs)])
		for i, c := range live {
			s.Inputs.Unbend(grads[i], xs[i])
			for j := range grads[i] {
				grads[i][j] = -grads[i][j] / s.unit
			}
			c.search.Tell(-values[i]/s.unit, grads[i])
		}
		spent += len(live)
	}
	return spent
}

// reached returns the best point of each search, snapped to the space. A point that snapping moves is evaluated again.
func (s *Search) reached(e evaluator, all []*climber) []candidate {
	out := make([]candidate, len(all))
	for i, c := range all {
		bent, value := c.search.Best()
		x := s.from(c, bent)
		snapped := s.Space.Snap(x)
		out[i] = candidate{snapped, -value * s.unit}
		if !slices.Equal(snapped, x) {
			out[i] = score(e, []space.Unit{snapped})[0]
		}
		if len(s.Within) > 0 {
			out[i] = s.inside(e, out[i])
		}
		if math.IsInf(value, 1) {
			out[i] = c.start
		}
	}
	best(out)
	return out
}

// box returns bounds that leave the real actions free that are active at x and fix all other coordinates at x. Parents are
// fixed too, so that what is active stays active.
func (s *Search) box(x space.Unit) (lower, upper []float64) {
	lower, upper = slices.Clone(x), slices.Clone(x)
	active := s.Space.Active(x)
	for _, i := range s.Space.Actions() {
		if s.free(i) && active.Has(i) {
			lower[i], upper[i] = 0, 1
		}
	}
	return lower, upper
}

// smooth reports whether some coordinate is free somewhere.
func (s *Search) smooth() bool { return slices.ContainsFunc(s.Space.Actions(), s.free) }
