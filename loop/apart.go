package loop

import (
	"slices"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/policies"
)

const (
	stepsApart = 16   // that are tried
	firstStep  = 0.01 // standard deviation in each coordinate of the unit cube; it doubles after every four
)

// apart returns the proposal, or where the very same point pends or has failed one a small step away. At a corner of the
// space a policy finds the same point again whatever its model says of it, and what crashed there crashes again. In a finite
// space a point may be the only one that is left, and policies look after pending ones themselves.
func (l *Loop) apart(p policies.Proposal) policies.Proposal {
	space := l.config.Space
	if space.Size() > 0 || space.Combinations() > 0 || !l.taken(p.X) {
		return p
	}
	stream := rng.New(l.config.Seed, rng.Apart, uint64(len(l.ledger.evaluations)+1))
	step := firstStep
	for try := 1; try <= stepsApart; try++ {
		x := slices.Clone(p.X)
		for _, i := range space.Actions() {
			x[i] = min(max(x[i]+step*stream.NormFloat64(), 0), 1)
		}
		if x = space.Snap(x); !l.taken(x) {
			return policies.Proposal{X: x} // a forecast would be that of another point
		}
		if try%4 == 0 {
			step *= 2
		}
	}
	return p
}

// taken reports whether a query at exactly this point pends or has failed. Cost O(d) for each query there.
func (l *Loop) taken(x []float64) bool {
	for e := range l.ledger.at(x) {
		if e.Status == Pending || rules[e.Status].fails {
			return true
		}
	}
	return false
}
