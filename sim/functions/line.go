package functions

import "math"

// forrester is (6x-2)² sin(12x-4) on [0,1]: one local and one global minimum, and a flat middle.
var forrester = family{
	name: "forrester",
	dims: only(1),
	box:  cube(0, 1),
	loss: func(x []float64) float64 {
		a := 6*x[0] - 2
		return a * a * math.Sin(12*x[0]-4)
	},
	best:      points([]float64{0.75724875784185587}),
	maximum:   6.0207400557670827866,
	reference: "Forrester, Sóbester & Keane 2008",
}

// locbo1d is x sin(2x) + cos(πx) on [-5,5]. It is an even function, so it has two maximizers. Its source maximizes it,
// and the loss is the negated formula.
var locbo1d = family{
	name: "locbo1d",
	dims: only(1),
	box:  cube(-5, 5),
	loss: func(x []float64) float64 {
		return -(x[0]*math.Sin(2*x[0]) + math.Cos(math.Pi*x[0]))
	},
	best:      points([]float64{-3.9933485208154306}, []float64{3.9933485208154306}),
	maximum:   4.9580136099433990569,
	reference: "Kim et al. 2025",
}
