package functions

import "math"

// hartmann3 and hartmann6 are sums of four Gaussian wells of different widths, -Σ_i a_i exp(-Σ_j A_ij (x_j - P_ij)²),
// on the unit cube.
var hartmann3 = family{
	name: "hartmann3",
	dims: only(3),
	box:  cube(0, 1),
	loss: wells(
		exactDepths,
		[][]float64{{3, 10, 30}, {0.1, 10, 35}, {3, 10, 30}, {0.1, 10, 35}},
		[][]float64{{3689, 1170, 2673}, {4699, 4387, 7470}, {1091, 8732, 5547}, {381, 5743, 8828}},
	),
	best:      points([]float64{0.114588876655068968, 0.555648894616930045, 0.852546984686677438}),
	maximum:   3.8627797873326625228,
	reference: "Hartman 1973; Dixon & Szegő 1978",
}

var hartmann6 = family{
	name: "hartmann6",
	dims: only(6),
	box:  cube(0, 1),
	loss: wells(exactDepths, precisions6, centres6),
	best: points([]float64{
		0.201689511006705424, 0.150010691823457969, 0.47687397422189699,
		0.275332430494056068, 0.311651616600113242, 0.657300534065620306,
	}),
	maximum:   3.3223680114155148001,
	reference: "Hartman 1973; Dixon & Szegő 1978",
}

// The depths of both functions, and the precisions and centres of the one in six dimensions.
var (
	exactDepths = []float64{1, 1.2, 3, 3.2}
	precisions6 = [][]float64{
		{10, 3, 17, 3.5, 1.7, 8}, {0.05, 10, 17, 0.1, 8, 14}, {3, 3.5, 1.7, 10, 17, 8}, {17, 8, 0.05, 10, 0.1, 14},
	}
	centres6 = [][]float64{
		{1312, 1696, 5569, 124, 8283, 5886}, {2329, 4135, 8307, 3736, 1004, 9991},
		{2348, 1451, 3522, 2883, 3047, 6650}, {4047, 8828, 8732, 5743, 1091, 381},
	}
)

// wells returns the Hartmann function with the depths a, the precisions A and the centres P, which are given in units
// of 1e-4.
func wells(a []float64, A, P [][]float64) func([]float64) float64 {
	return func(x []float64) float64 {
		var sum float64
		for i, depth := range a {
			var exponent float64
			for j, v := range x {
				exponent += A[i][j] * square(v-1e-4*P[i][j])
			}
			sum += depth * math.Exp(-exponent)
		}
		return -sum
	}
}
