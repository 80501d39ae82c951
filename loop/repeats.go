package loop

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// Without noise a point that has a value has told everything: an upper bound finds the best of them again and again, and the
// budget is gone. So no point is queried twice while there is another, whatever the policy, where a second value would tell
// next to nothing: the noise that was learned is too small for that, or two values at one point were the same. A fit may take kinks or levels of
// a function for noise: where points are few and fits choose the model that is believed from more of it on, not as long as rounding or a rougher kernel
// explains them, and tested by one query before there is another. In a space
// without end that is taken for granted until two values at one point differ, since a point near by tells as much as the same; in many dimensions
// few points are near, and a policy may want a second value to see it (policies.Proposal.Again). Where a query was at a point that no other is
// near to, since what it chose has no real number, as one kind of several may have none, it is as where points are few: only that point tells of its noise.
// Where no point is left the study is at its end, once it is certain that there is no noise: a finite space may have fewer
// points than it takes to learn that, and then one is measured again.
//
// A query at a context is an act besides: a price at noon is shown at noon again. Contexts, and hyperparameters that the user
// knows, noise among them, are left to the policy.
const (
	quietNoise = 1e-4 // variance, of that of the values: below, a second value at a point is the first, but for 1 % of their spread
	noNoise    = 2e-8 // about the least that a fit can find

	roundedLevels = 5       // different values, each of which came twice on the average: fewer may be what a noisy count gives
	roundedNoise  = 1.0 / 6 // variance in squares of the least step between them, of which rounding leaves a twelfth
)

// A bandit plays a point again because it earned something.

// quiet reports whether a second value at a point would tell next to nothing, to a policy that wants to learn.
func (l *Loop) quiet() bool {
	if l.config.Traits.Bandit || len(l.config.Space.Contexts()) > 0 || l.config.Model.Known() || l.feasibilityDoubtful() {
		return false
	}
	learned := l.counts.Fits > 0 && len(l.ledger.history) > 0 // of values, and not of margins alone
	least, few := quietNoise, l.points > 0 || l.isolated()
	if l.config.Traits.Adapts && few && !l.ledger.differ {
		least = model.KinkNoise
	}
	if learned && (l.noise() < least || least == model.KinkNoise && (l.noiseDoubtful() || l.rounded())) {
		return true
	}
	if l.config.Traits.Particles > 0 {
		learned = false // particles say how noisy values may be
	}
	if l.ledger.differ {
		return false
	}
	return !few || !learned || l.repeating() || l.agrees()
}

// isolated reports whether some query was at a point that no other is near to, in a space without end. Cost O(n·d) where parameters depend on others, O(d) otherwise.
func (l *Loop) isolated() bool {
	return l.config.Space.Conditional() && slices.ContainsFunc(l.ledger.queries, func(q policies.Query) bool { return l.isolatedAt(q.X) })
}

// isolatedAt reports whether no other point is near to one, in a space without end.
func (l *Loop) isolatedAt(x space.Unit) bool {
	return l.config.Space.Endless() && l.config.Space.Isolated(x)
}

// repeating reports whether a query at a point that was queried before pends: what it says of the noise is awaited before there is another.
// Cost O(d) for each pending query.
func (l *Loop) repeating() bool {
	return slices.ContainsFunc(l.ledger.pending, func(number int) bool { return l.ledger.first(l.ledger.get(number).X) < number })
}

// rounded reports whether the noise that was learned is no more than what rounding leaves: an accuracy on some cases has few values, and a model takes
// the steps between them for noise. Cost O(n log n).
func (l *Loop) rounded() bool {
	var values []float64
	for i := range l.ledger.evaluations {
		if e := &l.ledger.evaluations[i]; e.Counts() && !l.penalized(e) {
			values = append(values, e.Value)
		}
	}
	if len(values) < 2*roundedLevels {
		return false
	}
	slices.Sort(values)
	n, variance := len(values), stat.PopVariance(values, nil)
	levels, step := slices.Compact(values), math.Inf(1)
	for i := 1; i < len(levels); i++ {
		step = min(step, levels[i]-levels[i-1])
	}
	return len(levels) >= roundedLevels && 2*len(levels) <= n && l.noise()*variance <= roundedNoise*step*step
}

// penalty reports whether the latest fit takes a value, in the maximization sense, for one.
func (l *Loop) penalty(value float64) bool { return l.model.Penalized(model.Objective, value) }

// noise is the variance of the noise, of that of the values, as it was learned last.
func (l *Loop) noise() float64 { return l.model.Noise(model.Objective) }

// noiseDoubtful reports whether a rougher function explains the values without noise, as a fit found.
func (l *Loop) noiseDoubtful() bool { return l.model.NoiseDoubtful(model.Objective) }

// silent reports whether values certainly have no noise. That a fit finds none is not certain where values are told in steps: a few clicks, or none, are no noise to it.
func (l *Loop) silent() bool {
	return l.agrees() || l.counts.Fits > 0 && l.noise() < noNoise && l.chanceOfSteps((*Loop).valueOf) == 0
}

// valued reports whether a query at exactly this point has a value. Cost O(d) for each query there.
func (l *Loop) valued(x space.Unit) bool {
	for e := range l.ledger.at(x) {
		if e.Status.Valued() {
			return true
		}
	}
	return false
}

// taken reports whether a query at exactly this point pends or has failed. One whose constraints were measured has not: under noise they may hold after all. Cost O(d) for each query there.
func (l *Loop) taken(x space.Unit) bool {
	for e := range l.ledger.at(x) {
		if e.Status == Pending || rules[e.Status].fails && !l.learned(e) {
			return true
		}
	}
	return false
}

const (
	stepsApart = 16   // that are tried
	firstStep  = 0.01 // standard deviation in each coordinate of the unit cube; it doubles after every four
	leapsApart = 64   // random points that are tried where no step led away
)

// apart returns the proposal, or where its point is not to be queried again one near by. What crashed crashes again; a point
// that pends, at a corner of the space for instance, may be found again whatever the model says of it; and without noise a
// value needs no second. In a finite space under noise, and where no other point is near, a point may be the only one that is worth anything, and policies look
// after pending ones themselves.
func (l *Loop) apart(p policies.Proposal) policies.Proposal {
	if l.cautious() || l.config.Traits.Bandit {
		return p // near by need not be safe, nor was it drawn with that probability
	}
	avoid := l.taken
	if p.Again && !avoid(p.X) {
		return p
	}
	switch quiet := l.quiet(); {
	case quiet:
		avoid = l.told
	case l.config.Space.Size() > 0 || l.config.Space.Combinations() > 0 || l.isolatedAt(p.X):
		return p
	}
	if !avoid(p.X) {
		return p
	}
	x := l.elsewhere(p.X, avoid)
	if x == nil { // all is known at this fidelity
		x = l.atAnother(p.X, avoid)
	}
	if x == nil && l.taken(p.X) { // what has a value rather than what crashes, or is infeasible
		if x = l.elsewhere(p.X, l.taken); x == nil {
			x = l.atAnother(p.X, l.taken)
		}
	}
	if x == nil {
		return p
	}
	return policies.Proposal{X: x} // a forecast would be that of another point
}

// atAnother returns the point at the greatest other fidelity that what is left of the budget pays for, or one near by there, that is not to be avoided; nil
// where none was met.
func (l *Loop) atAnother(than space.Unit, avoid func(space.Unit) bool) space.Unit {
	for _, level := range slices.Backward(l.payableLevels()) {
		x := l.config.Space.SnapAt(than, l.config.Space.Hold(l.nextContext(), level))
		if avoid(x) {
			x = l.elsewhere(x, avoid)
		}
		if x != nil {
			return x
		}
	}
	return nil
}

// elsewhere returns a point near by, at the same fidelity, that is not to be avoided; nil where none was met.
func (l *Loop) elsewhere(than space.Unit, avoid func(space.Unit) bool) space.Unit {
	if l.config.Space.Size() > 0 {
		return l.nearest(than, avoid)
	}
	return l.aside(than, avoid)
}

// nearest returns the point of a list that is nearest and not to be avoided; nil without one. Cost O(N·d).
func (l *Loop) nearest(to space.Unit, avoid func(space.Unit) bool) (found space.Unit) {
	least := math.Inf(1)
	for _, action := range l.config.Space.UnitPoints() {
		x := slices.Clone(to)
		for j, i := range l.config.Space.Actions() {
			x[i] = action[j]
		}
		if d := floats.Distance(x, to, 2); d < least && !avoid(x) {
			found, least = x, d
		}
	}
	return found
}

// aside returns a point some small steps away, or somewhere else, that is not to be avoided; nil where none was met.
func (l *Loop) aside(from space.Unit, avoid func(space.Unit) bool) space.Unit {
	space := l.config.Space
	stream := rng.New(l.config.Seed, rng.Apart, uint64(len(l.ledger.evaluations)+1))
	step := firstStep
	for try := 1; try <= stepsApart; try++ {
		x := slices.Clone(from)
		for _, i := range space.Actions() {
			x[i] = min(max(x[i]+step*stream.NormFloat64(), 0), 1)
		}
		if x = space.Snap(x); !avoid(x) {
			return x
		}
		if try%4 == 0 {
			step *= 2
		}
	}
	var held []float64
	for _, i := range space.Held() {
		held = append(held, from[i])
	}
	for range leapsApart {
		if x := space.RandomAt(held, stream); !avoid(x) {
			return x
		}
	}
	if l.points == 0 {
		return nil
	}
	first := stream.IntN(l.points)
	for k := range l.points { // few are left at most
		if x := space.Join(space.Combination((first+k)%l.points), held); !avoid(x) {
			return x
		}
	}
	return nil
}
