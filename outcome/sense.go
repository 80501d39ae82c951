package outcome

import (
	"cmp"
	"math"
)

// Sense says which values are good.
type Sense bool

// The senses.
const (
	Maximize Sense = false // the greater value is the better one
	Minimize Sense = true  // the smaller one is
)

// Sign returns the factor that turns values into values to be maximized: 1, or −1 where small values are good.
func (s Sense) Sign() float64 {
	if s == Minimize {
		return -1
	}
	return 1
}

// Compare orders values from the best to the worst, for package slices: negative where a is better than b, 0 where
// neither is better. NaN is worse than any number.
func (s Sense) Compare(a, b float64) int {
	switch aNaN, bNaN := math.IsNaN(a), math.IsNaN(b); {
	case aNaN && bNaN:
		return 0
	case aNaN:
		return 1
	case bNaN:
		return -1
	case s == Minimize:
		return cmp.Compare(a, b)
	}
	return cmp.Compare(b, a)
}

// Better reports whether a is better than b. Of two equal values neither is better, so a search for the best value in
// order keeps the first. Compare values of outcomes that count only.
func (s Sense) Better(a, b float64) bool { return s.Compare(a, b) < 0 }

// Reaches reports whether a value is as good as the target, which is a number.
func (s Sense) Reaches(value, target float64) bool { return s.Compare(value, target) <= 0 }
