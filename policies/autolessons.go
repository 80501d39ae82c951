package policies

import (
	"fmt"
	"math/rand/v2"
)

// shares are the weights of the models of earlier studies and of this one (View.EarlierShares); nil where none is looked at.
func (p Auto) shares(v View, stream *rand.Rand) []float64 {
	if p.Earlier == 0 || len(v.Earlier) == 0 {
		return nil
	}
	return v.EarlierShares(defaultDraws, stream)
}

// learns reports whether it is the turn of earlier studies: one query in so many as long as any has a weight, and all while there is nothing to rank
// them by, or nothing else than what has misled. The other turns find what earlier studies do not know, such as where this one is without noise.
func (p Auto) learns(v View, shares []float64) bool {
	switch {
	case shares == nil:
		return false
	case shares[len(v.Earlier)] == 0 && !v.compared(), v.misled(shares):
		return true
	}
	return shares[len(v.Earlier)] < 1 && v.Round%p.Earlier == p.Earlier-1
}

// lessonsWhy says whose turn it is.
func (p Auto) lessonsWhy() string {
	if p.Earlier == 1 {
		return "every query looks at earlier studies as long as one of them has a weight"
	}
	return fmt.Sprintf("one query in %d looks at earlier studies as long as one of them has a weight", p.Earlier)
}
