package functions

import "math"

// branin has three minimizers of equal depth, two of them near the border of [-5,10]×[0,15].
var branin = family{
	name: "branin",
	dims: only(2),
	box:  corners([]float64{-5, 0}, []float64{10, 15}),
	loss: func(x []float64) float64 {
		a := x[1] - 5.1/(4*math.Pi*math.Pi)*x[0]*x[0] + 5/math.Pi*x[0] - 6
		return a*a + 10*(1-1/(8*math.Pi))*math.Cos(x[0]) + 10
	},
	best: points([]float64{-math.Pi, 12.275}, []float64{math.Pi, 2.275}, []float64{3 * math.Pi, 2.475}),

	// At the minimizers the square is zero and the cosine is -1, which leaves 10/(8π).
	maximum:   -10 / (8 * math.Pi),
	reference: "Dixon & Szegő 1978",
}

// sixhump is the six-hump camel on [-3,3]×[-2,2]: six local minima, two of them global.
var sixhump = family{
	name: "sixhump",
	dims: only(2),
	box:  corners([]float64{-3, -2}, []float64{3, 2}),
	loss: func(x []float64) float64 {
		a, b := x[0]*x[0], x[1]*x[1]
		return (4-2.1*a+a*a/3)*a + x[0]*x[1] + (4*b-4)*b
	},
	best: points(
		[]float64{0.0898420131003180624, -0.712656403020739633},
		[]float64{-0.0898420131003180624, 0.712656403020739633},
	),
	maximum:   1.0316284534898773504,
	reference: "Dixon & Szegő 1978",
}

// beale is nearly flat around its minimizer and has steep corners, on [-4.5,4.5]².
var beale = family{
	name: "beale",
	dims: only(2),
	box:  cube(-4.5, 4.5),
	loss: func(x []float64) float64 {
		a, b := x[0], x[1]
		r1, r2, r3 := 1.5-a+a*b, 2.25-a+a*b*b, 2.625-a+a*b*b*b
		return r1*r1 + r2*r2 + r3*r3
	},
	best:      points([]float64{3, 0.5}),
	maximum:   0,
	reference: "Beale 1958",
}

// mccormick is a bent trough on [-1.5,4]×[-3,4].
var mccormick = family{
	name: "mccormick",
	dims: only(2),
	box:  corners([]float64{-1.5, -3}, []float64{4, 4}),
	loss: func(x []float64) float64 {
		a, b := x[0], x[1]
		return math.Sin(a+b) + (a-b)*(a-b) - 1.5*a + 2.5*b + 1
	},

	// With s = x1+x2 and d = x1-x2 the sum separates into sin s + s/2 and d² - 2d: d = 1 and cos s = -1/2.
	best:      points([]float64{0.5 - math.Pi/3, -0.5 - math.Pi/3}),
	maximum:   1.9132229549810363929, // √3/2 + π/3
	reference: "McCormick 1976",
}

// goldstein is the product of two quartic forms on [-2,2]²: four local minima over values from 3 to a million.
var goldstein = family{
	name: "goldstein",
	dims: only(2),
	box:  cube(-2, 2),
	loss: func(x []float64) float64 {
		a, b := x[0], x[1]
		p := 1 + square(a+b+1)*(19-14*a+3*a*a-14*b+6*a*b+3*b*b)
		q := 30 + square(2*a-3*b)*(18-32*a+12*a*a+48*b-36*a*b+27*b*b)
		return p * q
	},
	best:      points([]float64{0, -1}),
	maximum:   -3,
	reference: "Goldstein & Price 1971",
}
