package surrogate

import "math"

// Cosine and sine of an angle given in turns, about three times as fast as math.Sincos, because draws from a prior
// consist of little else. The angle is split into k/128 turns, from a table, and a rest of at most 1/256 turn, for
// which a few terms of the series do. The absolute error stays below 2e-15.

const turnSteps = 128

var turnTable = func() (table [turnSteps][2]float64) {
	for i := range table {
		table[i][1], table[i][0] = math.Sincos(2 * math.Pi * float64(i) / turnSteps)
	}
	return table
}()

// cosTurns returns cos(2πu) and sin(2πu), u finite. Whole turns are exact, so the error does not grow with u.
//
//go:norace
//go:nocheckptr
func cosTurns(u float64) (cos, sin float64) {
	u -= math.Floor(u)
	k := u*turnSteps + roundMagic
	b := math.Float64bits(k)
	r := (u - (k-roundMagic)/turnSteps) * (2 * math.Pi)
	r2 := r * r
	s := r - r*r2*(1./6-r2*(1./120-r2*(1./5040)))
	c := r2 * (0.5 - r2*(1./24-r2*(1./720))) // 1 - cos r
	t := &turnTable[b%turnSteps]
	return t[0] - (t[0]*c + t[1]*s), t[1] - (t[1]*c - t[0]*s)
}

// addCosines returns sum + Σ amplitude_m cos(2π turns_m), added in this order.
//
//go:norace
//go:nocheckptr
func addCosines(sum float64, amplitudes, turns []float64) float64 {
	reads(amplitudes)
	reads(turns)
	amplitudes = amplitudes[:len(turns)]
	for m, u := range turns {
		u -= math.Floor(u)
		k := u*turnSteps + roundMagic
		r := (u - (k-roundMagic)/turnSteps) * (2 * math.Pi)
		r2 := r * r
		s := r - r*r2*(1./6-r2*(1./120-r2*(1./5040)))
		c := r2 * (0.5 - r2*(1./24-r2*(1./720)))
		t := &turnTable[math.Float64bits(k)%turnSteps]
		sum += amplitudes[m] * (t[0] - (t[0]*c + t[1]*s))
	}
	return sum
}
