package surrogate

import (
	"math"
	"math/rand/v2"
)

// Family says how the covariance of a Stationary kernel falls with the scaled distance r, the root of the sum of
// ((a_j - b_j)/l_j)². Larger numbers in the Matérn family are smoother; SE is the limit. RationalQuadratic is as smooth as SE and falls
// slowly: a mixture of SE of many lengthscales, for functions that vary on several scales.
type Family int

// The families of math: Rasmussen & Williams 2006, eqs. (4.9), (4.14), (4.17), and (4.19) with α = 1.
const (
	SE                Family = iota // exp(-r²/2)
	Matern12                        // exp(-r)
	Matern32                        // (1 + √3 r) exp(-√3 r)
	Matern52                        // (1 + √5 r + 5r²/3) exp(-√5 r)
	RationalQuadratic               // 1 / (1 + r²/2)
	families
)

var (
	sqrt3 = math.Sqrt(3)
	sqrt5 = math.Sqrt(5)
)

var (
	_ = register("se", stationary(SE))
	_ = register("matern12", stationary(Matern12))
	_ = register("matern32", stationary(Matern32))
	_ = register("matern52", stationary(Matern52))
)

func stationary(f Family) func(dim int) Kernel {
	return func(d int) Kernel { return Stationary{Family: f, Lengthscales: defaultLengthscales(d), Outputscale: 1} }
}

// String returns the name that NewKernel knows, or "unknown".
func (f Family) String() string {
	switch f {
	case SE:
		return "se"
	case Matern12:
		return "matern12"
	case Matern32:
		return "matern32"
	case Matern52:
		return "matern52"
	case RationalQuadratic:
		return "rq"
	}
	return "unknown"
}

// value returns the correlation at squared scaled distance r2.
//
//go:norace
//go:nocheckptr
func (f Family) value(r2 float64) float64 {
	switch f {
	case SE:
		return expNeg(-0.5 * r2)
	case Matern12:
		return expNeg(-math.Sqrt(r2))
	case Matern32:
		s := sqrt3 * math.Sqrt(r2)
		return (1 + s) * expNeg(-s)
	case RationalQuadratic:
		return 1 / (1 + 0.5*r2)
	default:
		s := sqrt5 * math.Sqrt(r2)
		return (1 + s + s*s/3) * expNeg(-s)
	}
}

// valueSlope returns the correlation c at squared scaled distance r2 and the factor g for which
// dc/d log l_j = g D_j and dc/da_j = -g (a_j - b_j)/l_j², with D_j = (a_j - b_j)²/l_j². For Matérn-1/2, which has a
// kink at 0, g is 0 there.
//
//go:norace
//go:nocheckptr
func (f Family) valueSlope(r2 float64) (value, slope float64) {
	switch f {
	case SE:
		e := expNeg(-0.5 * r2)
		return e, e
	case Matern12:
		r := math.Sqrt(r2)
		e := expNeg(-r)
		if r == 0 {
			return 1, 0
		}
		return e, e / r
	case Matern32:
		s := sqrt3 * math.Sqrt(r2)
		e := expNeg(-s)
		return (1 + s) * e, 3 * e
	case RationalQuadratic:
		c := 1 / (1 + 0.5*r2)
		return c, c * c
	default:
		s := sqrt5 * math.Sqrt(r2)
		e := expNeg(-s)
		return (1 + s + s*s/3) * e, (5. / 3) * (1 + s) * e
	}
}

// values replaces every squared scaled distance of dst by scale times its correlation, the switch outside the loop.
//
//go:norace
//go:nocheckptr
func (f Family) values(dst []float64, scale float64) {
	writes(dst)
	switch f {
	case SE:
		for i, r2 := range dst {
			dst[i] = scale * expNeg(-0.5*r2)
		}
	case Matern12:
		for i, r2 := range dst {
			dst[i] = scale * expNeg(-math.Sqrt(r2))
		}
	case Matern32:
		for i, r2 := range dst {
			s := sqrt3 * math.Sqrt(r2)
			dst[i] = scale * ((1 + s) * expNeg(-s))
		}
	case RationalQuadratic:
		for i, r2 := range dst {
			dst[i] = scale * (1 / (1 + 0.5*r2))
		}
	default:
		for i, r2 := range dst {
			s := sqrt5 * math.Sqrt(r2)
			dst[i] = scale * ((1 + s + s*s/3) * expNeg(-s))
		}
	}
}

// valuesSlopes replaces every squared scaled distance of dst by scale times its correlation and fills slopes with scale
// times the factors of valueSlope, the switch outside the loop.
//
//go:norace
//go:nocheckptr
func (f Family) valuesSlopes(dst, slopes []float64, scale float64) {
	writes(dst)
	writes(slopes[:len(dst)])
	slopes = slopes[:len(dst)]
	switch f {
	case SE:
		for i, r2 := range dst {
			e := scale * expNeg(-0.5*r2)
			dst[i], slopes[i] = e, e
		}
	case Matern12, RationalQuadratic:
		for i, r2 := range dst {
			v, s := f.valueSlope(r2)
			dst[i], slopes[i] = scale*v, scale*s
		}
	case Matern32:
		for i, r2 := range dst {
			s := sqrt3 * math.Sqrt(r2)
			e := expNeg(-s)
			dst[i], slopes[i] = scale*((1+s)*e), scale*(3*e)
		}
	default:
		for i, r2 := range dst {
			s := sqrt5 * math.Sqrt(r2)
			e := expNeg(-s)
			dst[i], slopes[i] = scale*((1+s+s*s/3)*e), scale*((5./3)*(1+s)*e)
		}
	}
}

func (k Stationary) spectral() bool { return k.Constant == 0 }

// addFrequency draws ω = z √(2ν/χ²_{2ν}) for Matérn-ν, ω = z for SE and ω = z √e for the rational quadratic, z standard normal and e
// exponential, over the lengthscales; one χ² or e for all dimensions. Given the square τ of that factor the kernel is exp(-τ r²/2), so a categorical coordinate
// contributes ρ = exp(-τ u²/(2 l²)) when it differs: it is ignored with probability ρ and a fair random sign for each
// category otherwise, which has exactly that correlation.
func (k Stationary) addFrequency(stream *rand.Rand, w []float64, signs []uint64) {
	freedom := [families]int{Matern12: 1, Matern32: 3, Matern52: 5}[k.Family] // 2ν; none for SE
	tau := 1.0
	if freedom > 0 {
		var chi2 float64
		for range freedom {
			z := stream.NormFloat64()
			chi2 += z * z
		}
		tau = float64(freedom) / chi2
	}
	if k.Family == RationalQuadratic {
		tau = stream.ExpFloat64()
	}
	root := math.Sqrt(tau)
	for j, l := range k.Lengthscales {
		if !k.categorical(j) {
			w[j] += root * stream.NormFloat64() / l
			continue
		}
		key := stream.Uint64() | 1
		if stream.Float64() >= math.Exp(-tau*unequal*unequal/(2*l*l)) {
			signs[j] ^= key
		}
	}
}
