package functions

import (
	"math"
	"slices"
)

// levy is a rippled valley on [-10,10]^d: with w = 1 + (x-1)/4 it is sin²(πw_1) + Σ_{i<d} (w_i-1)² (1 + 10 sin²(πw_i+1))
// + (w_d-1)² (1 + sin²(2πw_d)).
var levy = family{
	name: "levy",
	dims: from(1),
	box:  cube(-10, 10),
	loss: func(x []float64) float64 {
		w := func(i int) float64 { return 1 + (x[i]-1)/4 }
		last := len(x) - 1
		sum := square(math.Sin(math.Pi * w(0)))
		for i := range last {
			sum += square(w(i)-1) * (1 + 10*square(math.Sin(math.Pi*w(i)+1)))
		}
		return sum + square(w(last)-1)*(1+square(math.Sin(2*math.Pi*w(last))))
	},
	best:      diagonal(1),
	maximum:   0,
	reference: "Laguna & Martí 2005",
}

// rosenbrock is the curved valley Σ 100 (x_{i+1} - x_i²)² + (x_i - 1)² on [-5,10]^d. It needs two coordinates.
var rosenbrock = family{
	name: "rosenbrock",
	dims: from(2),
	box:  cube(-5, 10),
	loss: func(x []float64) float64 {
		var sum float64
		for i := range len(x) - 1 {
			sum += 100*square(x[i+1]-x[i]*x[i]) + square(x[i]-1)
		}
		return sum
	},
	best:      diagonal(1),
	maximum:   0,
	reference: "Rosenbrock 1960",
}

// powers is the sum of different powers Σ |x_i|^(i+1), i from 1, on [-1,1]^d: flatter with every coordinate.
var powers = family{
	name: "powers",
	dims: from(1),
	box:  cube(-1, 1),
	loss: func(x []float64) float64 {
		var sum float64
		for i, v := range x {
			sum += math.Pow(math.Abs(v), float64(i+2))
		}
		return sum
	},
	best:      diagonal(0),
	maximum:   0,
	reference: "Surjanovic & Bingham 2013",
}

// zakharov is a bowl inside a steep valley, Σ x_i² + s² + s⁴ with s = Σ i x_i / 2, on [-5,10]^d.
var zakharov = family{
	name: "zakharov",
	dims: from(1),
	box:  cube(-5, 10),
	loss: func(x []float64) float64 {
		var bowl, slope float64
		for i, v := range x {
			bowl += v * v
			slope += 0.5 * float64(i+1) * v
		}
		return bowl + square(slope) + square(square(slope))
	},
	best:      diagonal(0),
	maximum:   0,
	reference: "Surjanovic & Bingham 2013",
}

// dixonprice is the chain (x_1-1)² + Σ i (2 x_i² - x_{i-1})², i from 2, on [-10,10]^d. The sign of the last coordinate does not matter.
var dixonprice = family{
	name: "dixonprice",
	dims: from(2),
	box:  cube(-10, 10),
	loss: func(x []float64) float64 {
		sum := square(x[0] - 1)
		for i := 1; i < len(x); i++ {
			sum += float64(i+1) * square(2*square(x[i])-x[i-1])
		}
		return sum
	},
	best: func(d int) [][]float64 {
		x := []float64{1}
		for i := 1; i < d; i++ {
			x = append(x, math.Sqrt(x[i-1]/2))
		}
		other := slices.Clone(x)
		other[d-1] = -other[d-1]
		return [][]float64{x, other}
	},
	maximum:   0,
	reference: "Dixon & Price 1989",
}

// ellipsoid is the bowl Σ i x_i² on [-10,10]^d.
var ellipsoid = family{
	name: "ellipsoid",
	dims: from(1),
	box:  cube(-10, 10),
	loss: func(x []float64) float64 {
		var sum float64
		for i, v := range x {
			sum += float64(i+1) * v * v
		}
		return sum
	},
	best:      diagonal(0),
	maximum:   0,
	reference: "Surjanovic & Bingham 2013",
}

// powell is a valley in four dimensions that is flat along two directions at its lowest point:
// (x_1 + 10 x_2)² + 5 (x_3 - x_4)² + (x_2 - 2 x_3)⁴ + 10 (x_1 - x_4)⁴ on [-4,5]⁴.
var powell = family{
	name: "powell",
	dims: only(4),
	box:  cube(-4, 5),
	loss: func(x []float64) float64 {
		return square(x[0]+10*x[1]) + 5*square(x[2]-x[3]) + square(square(x[1]-2*x[2])) + 10*square(square(x[0]-x[3]))
	},
	best:      diagonal(0),
	maximum:   0,
	reference: "Powell 1962",
}

func square(v float64) float64 { return v * v }
