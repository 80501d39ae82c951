package calibration

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

const (
	logSqrt2Pi = 0.91893853320467274178032973640561763986139747363778
	sqrt2Pi    = 2.5066282746310005024157652848110452530069867406099

	// lowTail is where the tails of the normal distribution go over from differences of its cdf to continued fractions: above, the
	// differences lose two digits at most.
	lowTail = -3
	// farTail is where the factors beside the density of a tail stop following it. They are powers of the distance and
	// would underflow otherwise; nothing can be seen of them next to the density.
	farTail = 1e50
)

func normalPDF(x float64) float64 { return math.Exp(-x*x/2) / sqrt2Pi }

func logNormalPDF(x float64) float64 { return -x*x/2 - logSqrt2Pi }

// upperTail is Q(x) = 1 - Φ(x), with all its digits in the upper tail.
func upperTail(x float64) float64 { return 0.5 * math.Erfc(x/math.Sqrt2) }

// mills is Q(a)/φ(a) for a ≥ 0.
func mills(a float64) float64 {
	if a < 25 {
		return upperTail(a) / normalPDF(a)
	}
	s := 1 / (a * a)
	return (1 - s*(1-s*(3-s*(15-s*(105-945*s))))) / a
}

// rising are the normal distribution at x and its repeated integrals: φ, Φ, h = xΦ + φ and H = ((x²+1)Φ + xφ)/2, each the
// derivative of the next.
type rising struct{ pdf, cdf, h, hh float64 }

// risingAt returns the four functions at x.
func risingAt(x float64) rising {
	if x < lowTail {
		return fallen(-x).times(normalPDF(x))
	}
	pdf, cdf := normalPDF(x), upperTail(-x)
	return rising{pdf, cdf, pdf + x*cdf, ((x*x+1)*cdf + x*pdf) / 2}
}

// fallen returns the four functions at -a, a ≥ 3, as shares of φ(a). The ratios of neighbors, r_n = I_n/I_(n-1) with
// I_(n-2) = n·I_n + a·I_(n-1), come from the continued fraction r_(n-1) = 1/(a + n·r_n), evaluated backwards from the value
// at which it would stand still; forty terms leave an error of 2e-15 at a = 3 and less above.
func fallen(a float64) rising {
	a = min(a, farTail)
	const terms = 40
	r := 2 / (a + math.Sqrt(a*a+4*(terms+1)))
	for n := terms; n > 2; n-- {
		r = 1 / (a + float64(n)*r)
	}
	r1 := 1 / (a + 2*r)
	r0 := 1 / (a + r1)
	return rising{1, r0, r0 * r1, r0 * r1 * r}
}

// times returns the four functions times c.
func (r rising) times(c float64) rising { return rising{r.pdf * c, r.cdf * c, r.h * c, r.hh * c} }

// risingScaled returns the four functions at x times exp(-scale), with a scale under which they do not underflow.
func risingScaled(x float64) (r rising, scale float64) {
	if x < lowTail {
		return fallen(-x), logNormalPDF(x)
	}
	return risingAt(x), 0
}

// nodes is the number of points of a Gauss-Legendre panel.
const nodes = 16

var legendreX, legendreW = legendre()

func legendre() (x, w [nodes]float64) {
	quad.Legendre{}.FixedLocations(x[:], w[:], -1, 1)
	return x, w
}
