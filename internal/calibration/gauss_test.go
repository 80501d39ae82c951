package calibration

import (
	"math"
	"testing"
)

// Seventeen digits, computed with 80; below -3 as shares of φ(x).
func TestRepeatedIntegralsOfTheNormalLawKeepTheirDigits(t *testing.T) {
	for _, c := range []struct{ x, pdf, cdf, h, hh float64 }{
		{4, 0.00013383022576488535, 0.99996832875816688, 4.0000071452584324, 8.4999984548959483},
		{0.5, 0.35206532676429948, 0.6914624612740131, 0.69779655740130603, 0.52018036998733306},
		{-1, 0.24197072451914335, 0.15865525393145705, 0.083315470587686298, 0.037669891671885377},
		{-2.9, 0.0059525324197758553, 0.0018658133003840385, 0.00054167384866214392, 0.00014747956963191058},
		{-3.1, 1, 0.29619124799152701, 0.081807131226266232, 0.021294570595050844},
		{-6, 1, 0.16237766089686746, 0.025734034618795229, 0.0039867265920480436},
		{-24.9, 1, 0.040096179304097614, 0.001605135327969479, 6.4154818828794881e-5},
		{-25.1, 1, 0.039777698112265927, 0.0015797773821251795, 6.2642910461959087e-5},
		{-40, 1, 0.024984404205720571, 0.0006238317711771541, 1.5566679317203484e-5},
		{-1e6, 1, 9.99999999999e-7, 9.99999999997e-13, 9.99999999994e-19},
	} {
		got, scale := risingScaled(c.x)
		if want := c.x < lowTail; want != (scale != 0) || want && math.Abs(scale/logNormalPDF(c.x)-1) > 1e-15 {
			t.Errorf("scale at %v is %v", c.x, scale)
		}
		for i, v := range [4][2]float64{{got.pdf, c.pdf}, {got.cdf, c.cdf}, {got.h, c.h}, {got.hh, c.hh}} {
			if !(math.Abs(v[0]-v[1]) <= 3e-13*v[1]) {
				t.Errorf("integral %d at %v = %.17g, want %.17g", i, c.x, v[0], v[1])
			}
		}
		if plain := risingAt(c.x); plain.hh != got.times(math.Exp(scale)).hh && math.Abs(plain.hh/got.hh/math.Exp(scale)-1) > 1e-12 {
			t.Errorf("plain value at %v is %v", c.x, plain.hh)
		}
		if got := mills(-c.x); c.x < lowTail && math.Abs(got-c.cdf) > 1e-12*c.cdf {
			t.Errorf("mills(%v) = %.17g, want %.17g", -c.x, got, c.cdf)
		}
	}
}

// A rule of n points is exact for polynomials up to degree 2n-1.
func TestPanelsIntegratePolynomials(t *testing.T) {
	for degree := 0; degree < 2*nodes; degree += 2 {
		sum := 0.0
		for i, x := range legendreX {
			sum += legendreW[i] * math.Pow(x, float64(degree))
		}
		if want := 2 / float64(degree+1); math.Abs(sum-want) > 1e-14 {
			t.Errorf("x^%d integrates to %.17g, want %.17g", degree, sum, want)
		}
	}
}

// adaptive integrates f between neighboring marks with the panel rule, halving until two halves agree with the whole to
// tolerance or rounding: the dumb way that closed forms are compared with.
func adaptive(f func(float64) float64, tolerance float64, marks ...float64) float64 {
	panel := func(lo, hi float64) float64 {
		sum := 0.0
		for i, x := range legendreX {
			sum += legendreW[i] * f((lo+hi)/2+(hi-lo)/2*x)
		}
		return sum * (hi - lo) / 2
	}
	var halve func(lo, hi, whole float64, depth int) float64
	halve = func(lo, hi, whole float64, depth int) float64 {
		mid := (lo + hi) / 2
		left, right := panel(lo, mid), panel(mid, hi)
		if depth == 0 || math.Abs(left+right-whole) <= max(tolerance, 1e-13*math.Abs(whole)) {
			return left + right
		}
		return halve(lo, mid, left, depth-1) + halve(mid, hi, right, depth-1)
	}
	sum := 0.0
	for i := 1; i < len(marks); i++ {
		if marks[i] > marks[i-1] {
			sum += halve(marks[i-1], marks[i], panel(marks[i-1], marks[i]), 12)
		}
	}
	return sum
}
