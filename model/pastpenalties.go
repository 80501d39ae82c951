package model

import (
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Penalties returns up to which value those of a study are taken for penalties, in the maximization sense; false where none is. That is where the best model of the
// kernels makes it likely, as of a study under way (penalties.go). Cost O(n log n), and where a gap parts the values that of some fits to a hundred of them.
func Penalties(s space.Space, start surrogate.Prior, kernels []surrogate.Kernel, x []space.Unit, y []float64) (up float64, found bool) {
	if len(gaps(y)) == 0 {
		return 0, false
	}
	f := Fit{X: x, Y: y, Start: start, Kernels: kernels, Options: fitOptions(s, nil), Penalties: true}
	if s.Continuous() {
		f.Options.MinNoise = leastNoise
	}
	for i := range y {
		f.Numbers = append(f.Numbers, i+1)
	}
	all, best, _ := f.best()
	d := all.withoutPenalties(best)
	return d.penalty, d.found
}
