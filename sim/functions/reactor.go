package functions

import "math"

// residence is how long the liquid stays in the reactor, in minutes.
const residence = 0.02

// reactor is a plug-flow reactor in which an acid makes 5-hydroxymethylfurfural (HMF) of fructose, by temperature (°C) and pH:
// as much yield as possible, while selectivity stays above yield by a margin. Zhang 2024, chapter 6, has these two
// parameters, this objective and selectivity - yield as its constraint, but neither kinetics, residence time nor margin. The
// kinetics are those that were measured for this reaction in this range by Swift et al. 2014; the residence time of 1.2 s
// and the margin of 20 % are ours. Without a margin the constraint holds everywhere: a yield is the selectivity times the
// share of fructose that reacted. The loss is minus the yield, in percent.
func reactor() Constrained {
	return Constrained{
		Name:       "reactor",
		Parameters: []Parameter{{"temperature", 140, 200, 0}, {"pH", 0, 1, 0}},
		Loss: func(x []float64) float64 {
			yield, _ := fructose(x[0], x[1], residence)
			return -yield
		},
		Limits: []Limit{
			atLeast("selectivity_above_yield", 20, func(x []float64) float64 {
				yield, selectivity := fructose(x[0], x[1], residence)
				return selectivity - yield
			}),
		},
		Minimizers: [][]float64{{198.78469304000203, 0.50939915514708889}},
		Minimum:    -39.303386252460768,
		Reference:  "Zhang 2024, chapter 6; kinetics of Swift et al. 2014",
	}
}

// fructose returns yield and selectivity of HMF, in percent, after some minutes at a temperature (°C) and a pH. All reactions are of
// first order in fructose and HMF, and their rates are proportional to the acid: so with F fructose and H HMF
//
//	F' = -(k1 + k2 + k5) F,  H' = k1 F - (k3 + k4) H,  F(0) = 1, H(0) = 0,
//
// where only the furanose part of the fructose reacts in k1. Swift et al. 2014.
func fructose(celsius, pH, minutes float64) (yield, selectivity float64) {
	const gas, mean = 8.314, 381.0 // J/(mol K), K
	kelvin := celsius + 273
	acid := math.Pow(10, -pH) // mol/l
	rate := func(logAtMean, energy float64) float64 {
		return acid * math.Exp(logAtMean-energy/gas*(1/kelvin-1/mean))
	}
	tautomer := func(at303, enthalpy float64) float64 { return at303 * math.Exp(-enthalpy/gas*(1/kelvin-1./303)) }
	furanoses := tautomer(26.4, -19e3) + tautomer(6.4, -14.2e3)
	share := furanoses / (1 + furanoses + tautomer(59.2, -30.2e3) + tautomer(0.6, -5.5e3))
	water := 47.522423477254065 + 0.06931572301966918*kelvin - 0.00014440077466393135*kelvin*kelvin // mol/l

	made := rate(1.44, 127e3) * share / water
	gone := made + rate(-4.22, 133e3) + rate(-4.92, 129e3)
	spent := rate(-3.25, 97e3) + rate(-5.14, 64e3)
	// (exp(-gone t) - exp(-spent t)) / (spent - gone), without a quotient of small differences
	hmf := made * minutes * math.Exp(-gone*minutes) * relative((gone-spent)*minutes)
	converted := -math.Expm1(-gone * minutes)
	return 100 * hmf, 100 * hmf / converted
}

// relative is (exp(z) - 1)/z, which is 1 at 0.
func relative(z float64) float64 {
	if z == 0 {
		return 1
	}
	return math.Expm1(z) / z
}
