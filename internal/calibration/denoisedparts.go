package calibration

import "math"

const (
	// Below vanishing shares of τ a standard deviation counts as zero.
	vanishing = 1e-100
	// mostAway bounds a distance in standard deviations, so that its square is finite.
	mostAway = 1e150
	// reach is the number of standard deviations behind which an integrand is left out: exp(-8²/2) = 1e-14.
	reach = 8
)

// standardDenoised is a Denoised distribution around 0 in units of τ, the predictive standard deviation of an observation.
type standardDenoised struct {
	tau       float64
	alpha, lm float64 // α and the threshold λ
	z         float64 // half width of the set, 2Q(z) = λ
	r, q      float64 // standard deviations of f and of the noise; r² + q² = 1
	clipped   bool    // the threshold was outside its range, so that it has no slope
}

func (d Denoised) standard() standardDenoised {
	sv, sn := math.Sqrt(max(d.Variance, 0)), math.Sqrt(max(d.Noise, 0))
	l := standardDenoised{tau: math.Hypot(sv, sn), alpha: d.Alpha, lm: min(max(d.Threshold, LeastThreshold), 1)}
	l.clipped = l.lm != d.Threshold
	l.z = HalfWidth(l.lm)
	if !(sv <= vanishing*l.tau) {
		l.r, l.q = sv/l.tau, sn/l.tau
	}
	if l.q < vanishing {
		l.q = 0
	}
	return l
}

// point says that f is known exactly.
func (l standardDenoised) point() bool { return l.r == 0 }

// beyond is what a distribution has above a bound c ≥ 0, everything times exp(-scale).
type beyond struct {
	scale                 float64
	excess, mass, density float64 // E[(f - c)+], P(f > c), and the density at c
	excessV, excessL      float64 // derivatives of excess in the variance of f, the noise fixed, and in λ
	massV, massL          float64 // derivatives of mass
}

// above returns what is above c ≥ 0: a part that stems from the inside of the set, and one from outside.
func (l standardDenoised) above(c float64) beyond { return l.inside(c).plus(l.outside(c)) }

// plus adds two parts under the larger scale.
func (b beyond) plus(o beyond) beyond {
	scale := max(b.scale, o.scale)
	p, q := math.Exp(b.scale-scale), math.Exp(o.scale-scale)
	return beyond{
		scale, p*b.excess + q*o.excess, p*b.mass + q*o.mass, p*b.density + q*o.density,
		p*b.excessV + q*o.excessV, p*b.excessL + q*o.excessL, p*b.massV + q*o.massV, p*b.massL + q*o.massL,
	}
}

// inside is the part of y' uniform on ±z: f is uniform on ±m, m = r²z, plus a normal error with s = rq.
func (l standardDenoised) inside(c float64) beyond {
	w, r2, q2 := 1-l.alpha, l.r*l.r, l.q*l.q
	mV, mL := l.z*(1+q2)/2, -r2/(2*normalPDF(l.z)) // derivatives of m
	if l.q == 0 {
		return uniformAbove(c, l.z).times(w, mV, mL)
	}
	s := l.r * l.q
	b := bandAt(-min(c/s, mostAway), l.z*l.r/l.q)
	return beyond{
		scale:   b.scale,
		excess:  w * s * b.h,
		mass:    w * b.cdf,
		density: w * b.pdf / s,
		excessV: w * (b.hEdge*mV + b.pdf*q2*l.q/(2*l.r)),
		excessL: w * b.hEdge * mL,
		massV:   w * (b.cdfEdge/s*mV + b.slope*q2/(2*r2)),
		massL:   w * b.cdfEdge / s * mL,
	}
}

// uniform is the uniform distribution on ±m above c, with its derivatives in m.
type uniform struct{ excess, mass, density, excessM, massM float64 }

func uniformAbove(c, m float64) uniform {
	if c >= m {
		return uniform{}
	}
	share := (m - c) / (2 * m)
	return uniform{share * (m - c) / 2, share, 1 / (2 * m), share * (m + c) / (2 * m), c / (2 * m * m)}
}

func (u uniform) times(w, mV, mL float64) beyond {
	scale := 0.0
	if u.mass == 0 {
		scale = math.Inf(-1)
	}
	return beyond{scale, w * u.excess, w * u.mass, w * u.density, w * u.excessM * mV, w * u.excessM * mL, w * u.massM * mV, w * u.massM * mL}
}

// band has averages over [u-d, u+d], times exp(-scale), of φ', φ, Φ and h, and how much faster than the average the mean
// of the two ends of Φ and h grows: (ends - average)/d.
type band struct{ scale, slope, pdf, cdf, h, cdfEdge, hEdge float64 }

// bandAt takes differences of antiderivatives where they are large enough, otherwise Taylor's series in d.
func bandAt(u, d float64) band {
	if d*(1-u) < 0.5 {
		return narrowBand(u, d)
	}
	top, scale := risingScaled(u + d)
	var low rising
	if u+d < lowTail {
		low = fallen(d - u).times(math.Exp(2 * u * d)) // φ(u-d) as a share of φ(u+d)
	} else {
		low = risingAt(u - d)
	}
	b := band{
		scale: scale,
		slope: (top.pdf - low.pdf) / (2 * d),
		pdf:   (top.cdf - low.cdf) / (2 * d),
		cdf:   (top.h - low.h) / (2 * d),
		h:     (top.hh - low.hh) / (2 * d),
	}
	b.cdfEdge = ((top.cdf+low.cdf)/2 - b.cdf) / d
	b.hEdge = ((top.h+low.h)/2 - b.h) / d
	return b
}

// narrowBand is bandAt for d(1+|u|) < ½, u ≤ 0: with even = d^2j He_2j(u) and odd = d^2j He_2j+1(u), the derivatives of φ
// are φ^(2j) = He_2j φ and φ^(2j+1) = -He_2j+1 φ, and the average of g is Σ d^2j g^(2j)/(2j+1)!. Seven terms leave 1e-16.
func narrowBand(u, d float64) band {
	at, scale := risingScaled(u)
	b := band{scale: scale, cdf: at.cdf, h: at.h}
	even, odd, factorial := 1.0, u, 1.0 // (2j+1)!
	for j := 0; j <= 7; j++ {
		n := float64(2 * j)
		b.pdf += at.pdf * even / factorial
		b.slope -= at.pdf * odd / factorial
		next := factorial * (n + 2) * (n + 3)
		b.cdf -= at.pdf * d * d * odd / next
		b.h += at.pdf * d * d * even / next
		b.cdfEdge -= at.pdf * d * odd * (n + 2) / next
		b.hEdge += at.pdf * d * even * (n + 2) / next
		even = d * d * (u*odd - (n+1)*even)
		odd = u*even - (n+2)*d*d*odd
		factorial = next
	}
	return b
}
