package acquisition

import "math"

const logSqrt2Pi = 0.91893853320467274178032973640561763986139747363778

func normalPDF(z float64) float64 { return math.Exp(logNormalPDF(z)) }

func logNormalPDF(z float64) float64 { return -z*z/2 - logSqrt2Pi }

func normalCDF(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }

// logNormalCDF is log Φ(z). Above 0 it is taken from 1 − Φ, which is what still differs there; below −37 Φ underflows
// and an asymptotic series takes over.
func logNormalCDF(z float64) float64 {
	switch {
	case z > 0:
		return math.Log1p(-normalCDF(-z))
	case z > -37:
		return math.Log(normalCDF(z))
	}
	s := 1 / (z * z)
	return logNormalPDF(z) - math.Log(-z) + math.Log1p(-s*(1-s*(3-15*s)))
}

// hazard is φ(z)/Φ(z), the derivative of log Φ.
func hazard(z float64) float64 {
	if z > -1 {
		return normalPDF(z) / normalCDF(z)
	}
	return 1 / mills(z)
}

// mills is Φ(d)/φ(d) for d < 0. Below −12 it uses the continued fraction 1/(a + 1/(a + 2/(a + 3/(a + …)))), a = −d,
// evaluated backwards; above, the quotient itself loses nothing. Each term takes an error at its end down by k/a² or more, so that the
// fewer are wanted the greater a is: those here leave none in any digit.
func mills(d float64) float64 {
	if d > -12 {
		return normalCDF(d) / normalPDF(d)
	}
	a := -d
	tail := a
	for k := 10 + int(240/a); k >= 1; k-- {
		tail = a + float64(k)/tail
	}
	return 1 / tail
}
