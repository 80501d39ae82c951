package model

import (
	"math"

	"github.com/tarry-bo/tarry/surrogate"
)

// Of many parameters often few matter. Under the ordinary law of lengthscales, by which all matter about as much, it takes more values to see that
// than there are: so a fit tries the best kernel of any function also under the belief that most parameters make no difference. Where all of them do,
// the evidence says so clearly; docs/policies.md has what it is worth.
const (
	fewOf        = 6   // in more dimensions it is tried
	irrelevant   = 0.8 // the chance of a parameter to make no difference
	asIrrelevant = 5   // nats that this must be worth
)

// few returns the best kernel of any function, fitted to some of the answers under that belief, and reports whether it may be chosen at all. What it is worth
// is told by the density of the logarithms of its lengthscales, for which that of the other counts too.
func (f Fit) few(general choice, some Fit) (choice, bool) {
	k, ok := general.prior.Kernel.(surrogate.Stationary)
	if !ok || k.Dim() <= fewOf || f.Straight || !f.Output.sparse() {
		return choice{}, false
	}
	some.Options.Irrelevant = irrelevant
	c := some.most(sumEvaluations).short(general.prior, general.bend)
	c.value -= f.handicap(k, general.bend) + asIrrelevant
	for _, length := range k.Lengthscales {
		c.value -= math.Log(length)
	}
	c.irrelevant = irrelevant
	return c, true
}
