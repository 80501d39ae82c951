// Package delay says what may happen to one evaluation: how long its feedback takes (Law), what may go wrong with it
// (Faults), and both of them for every attempt of a study (Chances).
//
//	law, err := delay.ParseLaw("never:0.05+poisson:8")
//	if err != nil {
//		return err
//	}
//	delay, arrives := law.Draw(rng.New(seed, rng.Delay, evaluation), delay.Case{X: x})
//
// Laws and faults are pure values: they draw from the stream they are given and from nothing else, keep no state, and
// may be used from many goroutines at once. Give each evaluation its own stream, because the number of draws varies.
package delay

import (
	"math/rand/v2"

	"github.com/tarry-bo/tarry/space"
)

// MaxDelay is the longest delay that any law draws; longer ones are cut to it. In seconds it is 31 years, which still
// fits a time.Duration; in rounds it is beyond any study. It is also the limit of parameters that are delays.
const MaxDelay = 1e9

// minPositive is the limit of parameters that must not be zero.
const minPositive = 1 / MaxDelay

// Case is what a delay may depend on.
type Case struct {
	X space.Unit // the query, in the unit cube

	// Level is where the value at X lies between the worst (0) and the best (1) attainable. Only laws that depend on
	// the value read it. A delay that depends on the value breaks the independence that censoring corrections assume
	// (Verma et al. 2022).
	Level float64
}

// Law is a distribution of delays. The unit, rounds or seconds, is the driver's choice; the laws that count (Poisson
// and its variants, Geometric, and Fixed with a whole delay) return whole numbers.
type Law interface {
	// Draw returns a delay in [0, MaxDelay] and true, or 0 and false if the answer never arrives. The parameters must
	// pass Validate.
	Draw(stream *rand.Rand, c Case) (delay float64, arrives bool)

	// String returns the law in the grammar of ParseLaw, exactly: parsing it gives an equal law.
	String() string
}

// Meaner is a Law with a known mean, before delays are cut at MaxDelay. Mean returns +Inf where the mean is infinite or
// the answer may never arrive, and NaN where the mean depends on the case.
type Meaner interface {
	Law
	Mean() float64
}

// validator is what every law of this package is besides; laws of other packages need not be.
type validator interface{ Validate() error }

// upTo returns the delay, cut to MaxDelay.
func upTo(delay float64) float64 { return min(delay, MaxDelay) }
