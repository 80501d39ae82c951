package calibration

import "math"

// correlation has what remains of a standard normal pair X, Y of correlation r above k when |Y| > z is demanded, and the
// parts that its derivatives are made of. Everything is times exp(-scale).
//
// By Plackett's identity, ∂E[(X-k)+ 1{Y>z}]/∂r = φ(z) Q((k-rz)/q) and ∂P(X>k, Y>z)/∂r = φ(z) φ((k-rz)/q)/q, so both are
// what they are at r = 0 plus integrals over the correlations t = tanh y up to r. With A(y) = k cosh y - z sinh y that is
//
//	E[(X-k)+ 1{|Y|>z}] = 2Q(z) h(-k) + φ(z) ∫ [Q(A(y)) - Q(A(-y))] sech² y dy
//	P(X>k, |Y|>z)      = 2Q(z) Q(k)  + φ(z) ∫ [φ(A(y)) - φ(A(-y))] sech y dy,   0 < y < artanh r.
//
// For k ≥ 0 no term is negative: the digits survive however small the result is.
type correlation struct {
	scale      float64
	pdf        float64 // φ(k)
	excess     float64 // h(-k)
	mass       float64 // Q(k)
	moreExcess float64 // the integrals with their factor
	moreMass   float64
	outer      float64    // P(|Y| > z given X = k)
	tails      [2]float64 // φ(z) Q(a) at a = (k∓rz)/q
	densities  [2]float64 // φ(z) φ(a)
	excesses   [2]float64 // φ(z) q h(-a)
}

// outside is the part of y' outside ±z.
func (l standardDenoised) outside(c float64) beyond {
	k := min(c/l.r, mostAway)
	var p correlation
	if k > l.z && (k-l.z)*(k+l.z) > lowTail*lowTail {
		p = l.farPair(k)
	} else {
		p = l.nearPair(k)
	}
	w, r, q, pz := l.alpha/l.lm, l.r, l.q, 2*normalPDF(l.z)
	return beyond{
		scale:   p.scale,
		excess:  w * r * (l.lm*p.excess + p.moreExcess),
		mass:    w * (l.lm*p.mass + p.moreMass),
		density: w * p.pdf * p.outer / r,
		excessV: w * (p.pdf*p.outer/r + (1+q*q)*(p.tails[0]-p.tails[1])) / 2,
		excessL: w * r * ((p.excesses[0]+p.excesses[1])/pz - p.excess - p.moreExcess/l.lm),
		massV:   w * (p.pdf*p.outer*k/r + q*(p.densities[0]-p.densities[1])) / (2 * r),
		massL:   w * ((p.tails[0]+p.tails[1])/pz - p.mass - p.moreMass/l.lm),
	}
}

// nearPair is the correlation near the set, in plain numbers.
func (l standardDenoised) nearPair(k float64) correlation {
	at, pz := risingAt(-k), normalPDF(l.z)
	p := correlation{pdf: at.pdf, mass: at.cdf, excess: at.h}
	p.outer = upperTail(l.ratio(l.z-l.r*k)) + upperTail(l.ratio(l.z+l.r*k))
	for i, a := range [2]float64{k - l.r*l.z, k + l.r*l.z} {
		end := risingAt(-l.ratio(a))
		p.tails[i], p.densities[i] = pz*end.cdf, pz*end.pdf
		p.excesses[i] = pz * l.q * end.h
		if l.q == 0 {
			p.excesses[i] = pz * max(-a, 0)
		}
	}
	if l.z == 0 {
		return p
	}
	// Beyond last both A are so far out that only Q(A) = 1 is left, if k < z.
	last := math.Log((reach + math.Sqrt(reach*reach+math.Abs((k-l.z)*(k+l.z)))) / math.Abs(k-l.z))
	end := min(math.Asinh(l.r/l.q), last, rapidities[len(rapidities)-1])
	for i := 1; i < len(rapidities) && rapidities[i-1] < end; i++ {
		excess, mass := nearPanel(rapidities[i-1], min(rapidities[i], end), k, l.z)
		p.moreExcess += pz * excess
		p.moreMass += pz * mass
	}
	if k < l.z {
		p.moreExcess += pz * max(l.r-math.Tanh(end), 0)
	}
	return p
}

// ratio is x/q, and where q is 0 its limit.
func (l standardDenoised) ratio(x float64) float64 {
	if x == 0 {
		return 0
	}
	return x / l.q
}

// rapidities are the ends of the panels in y. The integrands fall as exp(-y) at least, so panels may grow.
var rapidities = [...]float64{0, 1, 2.2, 3.6, 5.5, 8, 12, 20, 40}

// nearPanel integrates over y from lo to hi.
func nearPanel(lo, hi, k, z float64) (excess, mass float64) {
	half, mid := (hi-lo)/2, (hi+lo)/2
	for i, x := range legendreX {
		e := math.Exp(mid + half*x)
		cosh, sinh := (e+1/e)/2, (e-1/e)/2
		a, b := k*cosh-z*sinh, k*cosh+z*sinh
		w := legendreW[i] / cosh
		excess += w / cosh * upperTail(a)
		mass += w * normalPDF(a)
		if b < reach+2 { // else it is nothing next to the other: a stays below 8.6
			excess -= w / cosh * upperTail(b)
			mass -= w * normalPDF(b)
		}
	}
	return half * excess, half * mass
}

// farPair is the correlation far out, as shares of φ(k). With B = k sinh y - z cosh y in place of y, φ(z)φ(A) is φ(k)φ(B):
// the integrands are a normal density in B times powers of A.
func (l standardDenoised) farPair(k float64) correlation {
	at := fallen(k)
	p := correlation{scale: logNormalPDF(k), pdf: 1, mass: at.cdf, excess: at.h}
	ends := [2]float64{l.ratio(l.r*k - l.z), l.ratio(l.r*k + l.z)}
	p.outer = upperTail(-ends[0]) + upperTail(ends[1])
	for i, a := range [2]float64{k - l.r*l.z, k + l.r*l.z} {
		end, pdf := fallen(a/l.q), normalPDF(ends[i])
		p.tails[i], p.densities[i], p.excesses[i] = pdf*end.cdf, pdf, pdf*l.q*end.h
	}
	k = min(k, farTail)
	// B runs from -z to its end, and from -z backwards, where the other integrand counts with a minus sign.
	for _, panel := range [...][3]float64{{-l.z, -l.z / 4, 1}, {-l.z / 4, 4, 1}, {4, reach, 1}, {-4.5, -l.z, -1}, {-reach, -4.5, -1}} {
		lo, hi := max(panel[0], -ends[1]), min(panel[1], ends[0])
		if lo < hi {
			excess, mass := farPanel(lo, hi, k, l.z)
			p.moreExcess += panel[2] * excess
			p.moreMass += panel[2] * mass
		}
	}
	return p
}

// farPanel integrates over B from lo to hi, where A = √(κ²+B²), κ² = k² - z², and cosh y = (kA + zB)/κ².
func farPanel(lo, hi, k, z float64) (excess, mass float64) {
	half, mid := (hi-lo)/2, (hi+lo)/2
	kappa := math.Sqrt(k-z) * math.Sqrt(k+z)
	for i, x := range legendreX {
		b := mid + half*x
		beta := b / kappa
		stretch := math.Sqrt(1 + beta*beta)
		a := kappa * stretch
		sech := kappa / (k*stretch + z*beta)
		w := legendreW[i] * normalPDF(b) * sech / a
		excess += w * sech * mills(a)
		mass += w
	}
	return half * excess, half * mass
}
