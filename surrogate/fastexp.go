package surrogate

import "math"

// The exponential of a number that is not positive, about twice as fast as math.Exp because kernel matrices consist of
// little else. exp(x) = 2^(k/128) · exp(r) with k = round(128 x / ln 2), 2^(i/128) from a table and a polynomial of
// degree five on |r| ≤ ln 2 / 256. The relative error stays below 1e-15 for -700 ≤ x ≤ 0; below that the result is 0.
// Method: Tang 1989, "Table-driven implementation of the exponential function in IEEE floating-point arithmetic".

const (
	expSteps    = 128
	expSmallest = -700
	roundMagic  = 6755399441055744.0 // 1.5·2^52: adding it leaves the nearest integer in the low bits
	ln2High     = 6.93147180369123816490e-01
	ln2Low      = 1.90821492927058770002e-10
)

var expTable = func() (table [expSteps]uint64) {
	for i := range table {
		table[i] = math.Float64bits(math.Exp2(float64(i) / expSteps))
	}
	return table
}()

// expNeg returns exp(x) for x ≤ 0, and NaN for NaN.
//
//go:norace
//go:nocheckptr
func expNeg(x float64) float64 {
	if x < expSmallest {
		return 0
	}
	k := x*(expSteps*math.Log2E) + roundMagic
	b := math.Float64bits(k)
	k -= roundMagic
	r := x - k*(ln2High/expSteps) - k*(ln2Low/expSteps)
	r2 := r * r
	p := r + r2*(0.5+r*(1./6)) + r2*r2*(1./24+r*(1./120))
	s := math.Float64frombits(expTable[b%expSteps] + b/expSteps<<52)
	return s + s*p
}
