package functions

import "math"

// ackley is a funnel covered with ripples, on [-32.768,32.768]^d.
var ackley = family{
	name: "ackley",
	dims: from(1),
	box:  cube(-32.768, 32.768),
	loss: func(x []float64) float64 {
		var squares, cosines float64
		for _, v := range x {
			squares += v * v
			cosines += math.Cos(2 * math.Pi * v)
		}
		d := float64(len(x))
		return -20*math.Exp(-0.2*math.Sqrt(squares/d)) - math.Exp(cosines/d) + 20 + math.E
	},
	best:      diagonal(0),
	maximum:   0,
	reference: "Ackley 1987",
}

// alpine1 is Σ |x sin x + x/10| on [-10,10]^d. Each coordinate has 8 zeros, so there are 8^d minimizers; only the
// origin is listed.
var alpine1 = family{
	name: "alpine1",
	dims: from(1),
	box:  cube(-10, 10),
	loss: func(x []float64) float64 {
		var sum float64
		for _, v := range x {
			sum += math.Abs(v*math.Sin(v) + 0.1*v)
		}
		return sum
	},
	best:      diagonal(0),
	maximum:   0,
	reference: "Clerc 1999",
}

// cosines is a bowl with cosine ripples, shifted and scaled to [0,1]². Its minimum is -1.6, where both ripples peak at
// the bottom of the bowl.
var cosines = family{
	name: "cosines",
	dims: only(2),
	box:  cube(0, 1),
	loss: func(x []float64) float64 {
		sum := -1.0
		for _, v := range x {
			u := 1.6*v - 0.5
			sum += u*u - 0.3*math.Cos(3*math.Pi*u)
		}
		return sum
	},
	best:      points([]float64{0.3125, 0.3125}),
	maximum:   1.6,
	reference: "GPyOpt authors 2016",
}

// crossintray has four equal minima, one for each quadrant of [-10,10]², between sharp ridges along the axes.
var crossintray = family{
	name: "crossintray",
	dims: only(2),
	box:  cube(-10, 10),
	loss: func(x []float64) float64 {
		bump := math.Exp(math.Abs(100 - math.Hypot(x[0], x[1])/math.Pi))
		return -1e-4 * math.Pow(math.Abs(math.Sin(x[0])*math.Sin(x[1])*bump)+1, 0.1)
	},
	best: points(
		[]float64{tray, tray}, []float64{tray, -tray}, []float64{-tray, tray}, []float64{-tray, -tray},
	),
	maximum:   2.0626118708227368778,
	reference: "Mishra 2006",
}

// tray is the distance of the minimizers of crossintray from the axes.
const tray = 1.34940661715391079

// dropwave has ever lower rings around a narrow central minimum, on [-5.12,5.12]².
var dropwave = family{
	name: "dropwave",
	dims: only(2),
	box:  cube(-5.12, 5.12),
	loss: func(x []float64) float64 {
		r2 := x[0]*x[0] + x[1]*x[1]
		return -(1 + math.Cos(12*math.Sqrt(r2))) / (0.5*r2 + 2)
	},
	best:      diagonal(0),
	maximum:   1,
	reference: "Surjanovic & Bingham 2013",
}

// rastrigin is a bowl with a ripple as deep as the bowl is wide, 10 d + Σ x_i² - 10 cos(2π x_i), on [-5.12,5.12]^d.
var rastrigin = family{
	name: "rastrigin",
	dims: from(1),
	box:  cube(-5.12, 5.12),
	loss: func(x []float64) float64 {
		var sum float64
		for _, v := range x {
			sum += v*v + 10*(1-math.Cos(2*math.Pi*v))
		}
		return sum
	},
	best:      diagonal(0),
	maximum:   0,
	reference: "Rastrigin 1974",
}

// griewank is a wide bowl covered with ripples that go together, 1 + Σ x_i² / 4000 - Π cos(x_i / √i), on [-10,10]^d.
var griewank = family{
	name: "griewank",
	dims: from(1),
	box:  cube(-10, 10),
	loss: func(x []float64) float64 {
		sum, product := 1.0, 1.0
		for i, v := range x {
			sum += v * v / 4000
			product *= math.Cos(v / math.Sqrt(float64(i+1)))
		}
		return sum - product
	},
	best:      diagonal(0),
	maximum:   0,
	reference: "Griewank 1981",
}
