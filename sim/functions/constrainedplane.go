package functions

import "math"

// gramacy is a linear loss with a wavy constraint and a disc, on the unit square: min x1 + x2.
func gramacy() Constrained {
	return Constrained{
		Name:       "gramacy",
		Parameters: axes(2, 0, 1),
		Loss:       func(x []float64) float64 { return x[0] + x[1] },
		Limits: []Limit{
			atMost("wave", 0, func(x []float64) float64 {
				return 1.5 - x[0] - 2*x[1] - 0.5*math.Sin(2*math.Pi*(x[0]*x[0]-2*x[1]))
			}),
			atMost("disc", 0, func(x []float64) float64 { return x[0]*x[0] + x[1]*x[1] - 1.5 }),
		},
		Minimizers: [][]float64{{0.19512268347207173, 0.40466536853799573}},
		Minimum:    0.59978805201006746,
		Reference:  "Gramacy et al. 2016, who print the minimizer as (0.1954, 0.4044), which is right to three digits",
	}
}

// gardner1 is cos(2x) cos(y) + sin(x) on [0,6]², with cos(x+y) ≤ 0.5. No limit is active at the minimizer: each term is as
// small as it can be there.
func gardner1() Constrained {
	return Constrained{
		Name:       "gardner1",
		Parameters: axes(2, 0, 6),
		Loss:       func(x []float64) float64 { return math.Cos(2*x[0])*math.Cos(x[1]) + math.Sin(x[0]) },
		Limits: []Limit{
			atMost("c", 0.5, func(x []float64) float64 {
				return math.Cos(x[0])*math.Cos(x[1]) - math.Sin(x[0])*math.Sin(x[1])
			}),
		},
		Minimizers: [][]float64{{1.5 * math.Pi, 0}},
		Minimum:    -2,
		Reference:  "Gardner et al. 2014, simulation 1; some repeat it on [0,2π]²",
	}
}

// gardner2 is sin(x) + y on [0,6]², with sin(x) sin(y) ≤ -0.95: two small discs are feasible.
func gardner2() Constrained {
	return Constrained{
		Name:       "gardner2",
		Parameters: axes(2, 0, 6),
		Loss:       func(x []float64) float64 { return math.Sin(x[0]) + x[1] },
		Limits: []Limit{
			atMost("c", -0.95, func(x []float64) float64 { return math.Sin(x[0]) * math.Sin(x[1]) }),
		},
		Minimizers: [][]float64{{1.5 * math.Pi, math.Asin(0.95)}},
		Minimum:    math.Asin(0.95) - 1,
		Reference:  "Gardner et al. 2014, simulation 2; some repeat it on [0,2π]²",
	}
}

// constrainedAckley is ackley in ten dimensions on [-5,10]^10 with Σx ≤ 0 and |x| ≤ 5.
func constrainedAckley() Constrained {
	return Constrained{
		Name:       "ackley10",
		Parameters: axes(10, -5, 10),
		Loss:       ackley.loss,
		Limits: []Limit{
			atMost("sum", 0, func(x []float64) float64 {
				var sum float64
				for _, v := range x {
					sum += v
				}
				return sum
			}),
			atMost("norm", 5, func(x []float64) float64 {
				var sum float64
				for _, v := range x {
					sum += v * v
				}
				return math.Sqrt(sum)
			}),
		},
		Minimizers: ackley.best(10),
		Minimum:    0,
		Reference:  "Ackley 1987; Eriksson & Poloczek 2021",
	}
}
