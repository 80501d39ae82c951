package functions

import "math"

// weldedBeam is the cost of a beam that is welded to a wall and bears a load of 6000 lb at its end, by height and length of the weld and
// height and thickness of the beam, in inches.
func weldedBeam() Constrained {
	const (
		load, arm    = 6000.0, 14.0 // lb, in
		young, shear = 30e6, 12e6   // psi
	)
	stress := func(x []float64) float64 { // in the weld
		h, l, t := x[0], x[1], x[2]
		direct := load / (math.Sqrt2 * h * l)
		moment := load * (arm + l/2)
		radius := math.Sqrt(l*l/4 + square((h+t)/2))
		polar := 2 * math.Sqrt2 * h * l * (l*l/12 + square((h+t)/2))
		torsion := moment * radius / polar
		return math.Sqrt(direct*direct + direct*torsion*l/radius + torsion*torsion)
	}
	cost := func(x []float64) float64 { return 0.04811 * x[2] * x[3] * (arm + x[1]) } // of the beam
	return Constrained{
		Name:       "weldedbeam",
		Parameters: []Parameter{{"weld_height", 0.1, 2, 0}, {"weld_length", 0.1, 10, 0}, {"beam_height", 0.1, 10, 0}, {"beam_thickness", 0.1, 2, 0}},
		Loss:       func(x []float64) float64 { return 1.10471*x[0]*x[0]*x[1] + cost(x) },
		Limits: []Limit{
			atMost("shear_stress", 13600, stress),
			atMost("bending_stress", 30000, func(x []float64) float64 { return 6 * load * arm / (x[3] * x[2] * x[2]) }),
			atMost("weld_beyond_beam", 0, func(x []float64) float64 { return x[0] - x[3] }),
			atMost("cost_of_stock", 5, func(x []float64) float64 { return 0.10471*x[0]*x[0] + cost(x) }),
			atLeast("weld_height", 0.125, func(x []float64) float64 { return x[0] }),
			atMost("deflection", 0.25, func(x []float64) float64 { return 4 * load * arm * arm * arm / (young * x[2] * x[2] * x[2] * x[3]) }),
			atLeast("buckling_load", load, func(x []float64) float64 {
				return 4.013 * young * x[2] * x[3] * x[3] * x[3] / (6 * arm * arm) * (1 - x[2]/(2*arm)*math.Sqrt(young/(4*shear)))
			}),
		},
		Minimizers: [][]float64{{0.20572963978607944, 3.4704886656280021, 9.0366239103576333, 0.20572963978607944}},
		Minimum:    1.724852308597365,
		Reference:  "Ragsdell & Phillips 1976; Coello 2000, with l²/12 in the polar moment; where others have l²/4 the minimum is 1.69525",
	}
}

// pressureVessel is the cost of a cylinder with two half spheres, by thickness of shell and heads, radius and length, in inches.
// Plates have thicknesses of whole sixteenths.
func pressureVessel() Constrained {
	v := vesselOfAnyThickness()
	v.Name = "pressurevessel"
	for j := range 2 {
		v.Parameters[j].Step = 0.0625
	}
	v.Minimizers = [][]float64{{0.8125, 0.4375, 42.098445595854919, 176.63659584243942}}
	v.Minimum = 6059.7143350484357
	v.Reference = "Sandgren 1990; Kannan & Kramer 1994; Coello 2000, with thicknesses in steps of 1/16 and a length of at most 200"
	return v
}

// vesselOfAnyThickness is pressureVessel with plates of all thicknesses.
func vesselOfAnyThickness() Constrained {
	return Constrained{
		Name:       "vesselcontinuous",
		Parameters: []Parameter{{"shell", 0.0625, 6.1875, 0}, {"heads", 0.0625, 6.1875, 0}, {"radius", 10, 200, 0}, {"length", 10, 200, 0}},
		Loss: func(x []float64) float64 {
			shell, heads, r, l := x[0], x[1], x[2], x[3]
			return 0.6224*shell*r*l + 1.7781*heads*r*r + 3.1661*shell*shell*l + 19.84*shell*shell*r
		},
		Limits: []Limit{
			atMost("shell_too_thin", 0, func(x []float64) float64 { return 0.0193*x[2] - x[0] }),
			atMost("heads_too_thin", 0, func(x []float64) float64 { return 0.00954*x[2] - x[1] }),
			atLeast("volume", 1_296_000, func(x []float64) float64 {
				return math.Pi*x[2]*x[2]*x[3] + 4./3*math.Pi*x[2]*x[2]*x[2]
			}),
			atMost("length", 240, func(x []float64) float64 { return x[3] }),
		},
		Minimizers: [][]float64{{0.77816864137510533, 0.38464916262790178, 40.319618724098717, 200}},
		Minimum:    5885.3327736164574,
		Reference:  "Sandgren 1990 as a continuous problem, with a length of at most 200, which decides the minimum",
	}
}

// tensionSpring is the weight of a spring under tension or compression, by diameter of the wire, mean diameter of the coil,
// both in inches, and number of coils, which need not be whole.
func tensionSpring() Constrained {
	return Constrained{
		Name:       "spring",
		Parameters: []Parameter{{"wire", 0.05, 2, 0}, {"coil", 0.25, 1.3, 0}, {"coils", 2, 15, 0}},
		Loss:       func(x []float64) float64 { return (x[2] + 2) * x[1] * x[0] * x[0] },
		Limits: []Limit{
			atMost("deflection", 0, func(x []float64) float64 {
				return 1 - x[1]*x[1]*x[1]*x[2]/(71785*x[0]*x[0]*x[0]*x[0])
			}),
			atMost("shear_stress", 0, func(x []float64) float64 {
				d, c := x[0], x[1]
				return (4*c*c-d*c)/(12566*(c*d*d*d-d*d*d*d)) + 1/(5108*d*d) - 1
			}),
			atMost("surge_frequency", 0, func(x []float64) float64 { return 1 - 140.45*x[0]/(x[1]*x[1]*x[2]) }),
			atMost("outer_diameter", 1.5, func(x []float64) float64 { return x[0] + x[1] }),
		},
		Minimizers: [][]float64{{0.051689061082756324, 0.35671773979926935, 11.288965751623392}},
		Minimum:    0.012665232788319413,
		Reference:  "Belegundu 1982; Arora 1989; Coello 2000",
	}
}

// speedReducer is the weight of a gear box, by width of the face, module of the teeth, teeth of the pinion (a whole number),
// lengths of both shafts and their diameters, in centimeters.
func speedReducer() Constrained {
	shaft := func(numerator float64, length, diameter int, over float64) func(x []float64) float64 {
		return func(x []float64) float64 {
			d := x[diameter]
			return math.Sqrt(square(745*x[length]/(x[1]*x[2]))+numerator) / (over * d * d * d)
		}
	}
	deflection := func(length, diameter int) func(x []float64) float64 {
		return func(x []float64) float64 {
			l, d := x[length], x[diameter]
			return 1.93 * l * l * l / (x[1] * x[2] * d * d * d * d)
		}
	}
	return Constrained{
		Name: "speedreducer",
		Parameters: []Parameter{
			{"face", 2.6, 3.6, 0}, {"module", 0.7, 0.8, 0}, {"teeth", 17, 28, 1}, {"shaft_1", 7.3, 8.3, 0}, {"shaft_2", 7.3, 8.3, 0},
			{"diameter_1", 2.9, 3.9, 0}, {"diameter_2", 5, 5.5, 0},
		},
		Loss: func(x []float64) float64 {
			b, m, z, l1, l2, d1, d2 := x[0], x[1], x[2], x[3], x[4], x[5], x[6]
			return 0.7854*b*m*m*(3.3333*z*z+14.9334*z-43.0934) - 1.508*b*(d1*d1+d2*d2) + 7.4777*(d1*d1*d1+d2*d2*d2) + 0.7854*(l1*d1*d1+l2*d2*d2)
		},
		Limits: []Limit{
			atMost("bending_of_teeth", 1, func(x []float64) float64 { return 27 / (x[0] * x[1] * x[1] * x[2]) }),
			atMost("contact_of_teeth", 1, func(x []float64) float64 { return 397.5 / (x[0] * x[1] * x[1] * x[2] * x[2]) }),
			atMost("deflection_of_shaft_1", 1, deflection(3, 5)),
			atMost("deflection_of_shaft_2", 1, deflection(4, 6)),
			atMost("stress_in_shaft_1", 1, shaft(16.9e6, 3, 5, 110)),
			atMost("stress_in_shaft_2", 1, shaft(157.5e6, 4, 6, 85)),
			atMost("space", 40, func(x []float64) float64 { return x[1] * x[2] }),
			atLeast("face_to_module", 5, func(x []float64) float64 { return x[0] / x[1] }),
			atMost("face_to_module_above", 12, func(x []float64) float64 { return x[0] / x[1] }),
			atMost("length_of_shaft_1", 1, func(x []float64) float64 { return (1.5*x[5] + 1.9) / x[3] }),
			atMost("length_of_shaft_2", 1, func(x []float64) float64 { return (1.1*x[6] + 1.9) / x[4] }),
		},
		Minimizers: [][]float64{{3.5, 0.7, 17, 7.3, 7.7153199114782449, 3.3502146660964476, 5.2866544649802218}},
		Minimum:    2994.4710661468202,
		Reference:  "Golinski 1973, with both shafts from 7.3 on; with shaft 2 from 7.8 on, as in Ray & Saini 2001, the minimum is 2996.34817",
	}
}
