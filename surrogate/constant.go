package surrogate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// greatestConstant leaves covariance matrices with more than half of their digits.
const greatestConstant = 1e6

// WithConstant returns the kernel of f + c, where f is the function of k and c an unknown constant, normal with a variance of so many outputscales. With it the
// prior mean, wherever it is, is a guess that few values correct (Rasmussen & Williams 2006, sec. 2.7; without end, ordinary kriging): the mean of the
// values is a bad one where most of them are near the best. Stationary, Additive and Warped may have a constant; other kernels are returned as they are.
func WithConstant(k Kernel, variance float64) Kernel {
	switch k := k.(type) {
	case Stationary:
		k.Constant = variance
		return k
	case Additive:
		k.Constant = variance
		return k
	case Warped:
		k.Of.Constant = variance
		return k
	}
	return k
}

// constantOf is the variance of the constant of a kernel, in outputscales; 0 where there is none.
func constantOf(k Kernel) float64 {
	switch k := k.(type) {
	case Stationary:
		return k.Constant
	case Additive:
		return k.Constant
	case Warped:
		return k.Of.Constant
	}
	return 0
}

// drawWithConstant draws a function and its constant, which are independent.
func drawWithConstant(k Kernel, stream *rand.Rand, features int) sample {
	share := constantOf(k)
	variance := k.Diag(make(space.Unit, k.Dim())) * share / (1 + share)
	return pair{drawPrior(WithConstant(k, 0), stream, features), flat(math.Sqrt(variance) * stream.NormFloat64())}
}

// flat is a draw that is the same everywhere.
type flat float64

func (c flat) at(space.Unit) float64 { return float64(c) }

func (c flat) addGrad(space.Unit, []float64) float64 { return float64(c) }

// raise adds a variance to all of a row of covariances.
//
//go:norace
//go:nocheckptr
func raise(row []float64, by float64) {
	if by > 0 {
		writes(row)
		floats.AddConst(by, row)
	}
}

// fill sets all of a row.
//
//go:norace
//go:nocheckptr
func fill(row []float64, v float64) {
	writes(row)
	for i := range row {
		row[i] = v
	}
}
