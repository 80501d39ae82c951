package acquisition

import (
	"slices"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Face is a function of the point with one of its coordinates held at a level, whatever it is.
type Face struct {
	Function
	At    int     // the coordinate
	Level float64 // what it is held at
}

// Value returns the function at x with the coordinate at its level.
func (f Face) Value(x space.Unit) float64 { return f.Function.Value(f.on(x)) }

// Gradient returns the same, and writes its derivatives to grad: none by the coordinate that is held.
func (f Face) Gradient(x space.Unit, grad []float64) float64 {
	value := f.Function.Gradient(f.on(x), grad)
	grad[f.At] = 0
	return value
}

func (f Face) on(x space.Unit) space.Unit {
	if x[f.At] == f.Level {
		return x
	}
	x = slices.Clone(x)
	x[f.At] = f.Level
	return x
}

// PoolValues returns the function at the points of a pool that are all on the face, and nil for another one.
func (f Face) PoolValues(pool *surrogate.Pool) []float64 {
	pooled, is := f.Function.(Pooled)
	if !is {
		return nil
	}
	for i := range pool.Len() {
		if pool.Point(i)[f.At] != f.Level {
			return nil
		}
	}
	return pooled.PoolValues(pool)
}
