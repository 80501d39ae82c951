package acquisition

import (
	"math"
	"testing"
)

// Sixteen digits, computed with 60 decimal digits and more.
func TestTheNormalAndItsTails(t *testing.T) {
	for _, c := range []struct{ d, logH, cdfOfH, pdfOfH, logCDF, hazard float64 }{
		{5, 1.6094379231264314, .19999994053122005, 2.9734389976756012e-7, -2.8665161296376359e-7, 1.4867199409049057e-6},
		{1, .08002621884930694, .77663872520173926, .22336127479826074, -.17275377902344989, .28759997093917836},
		{-.9, -2.2982829894596517, 1.8326998049212272, 2.6494298244291045, -1.6924928065613382, 1.4456430984031134},
		{-3, -7.8696860596030285, 3.5323375176251605, 11.597012552875482, -6.6077262215103495, 3.2830986549304365},
		{-10, -55.553122036122356, 10.194383033412553, 102.94383033412553, -53.231285150512471, 10.098093233962512},
		{-36, -656.08828500497882, 36.055427644101953, 1298.9953951876703, -652.5032275937984, 36.027735075281061},
		{-40, -808.29856835661996, 40.049906657648518, 1602.9962663059407, -804.60844201375379, 40.024968847207264},
		{-299, -44712.819859235344, 299.00668873876893, 89403.999932891911, -44707.11939329184, 299.00334440678975},
		{-301, -45312.833192173641, 301.00664429827469, 90603.999933780681, -45307.126059835055, 301.00332218580202},
		{-1e4, -50000019.339619307, 10000.000199999994, 100000002.99999994, -50000010.129278915, 10000.000099999998},
		{-1e8, -5000000000000037.8, 100000000.00000002, 10000000000000003, -5000000000000019.3, 100000000.00000001},
	} {
		cdf, pdf := sharesOfH(c.d)
		for _, v := range []struct {
			what      string
			got, want float64
		}{{"log h", LogH(c.d), c.logH}, {"Φ/h", cdf, c.cdfOfH}, {"φ/h", pdf, c.pdfOfH}, {"log Φ", logNormalCDF(c.d), c.logCDF}, {"φ/Φ", hazard(c.d), c.hazard}} {
			// The direct form of h loses digits as 1/d² above −300, and no more.
			if !(math.Abs(v.got-v.want) <= 2e-11*math.Abs(v.want)) {
				t.Errorf("%s at %v = %.17g, want %.17g", v.what, c.d, v.got, v.want)
			}
		}
	}
}

// The normal quantile keeps its digits in the lower tail, where an inverse of erfc made from 1 − x has none.
func TestQuantilesKeepTheirTail(t *testing.T) {
	for _, c := range []struct{ p, want float64 }{
		{1e-300, -37.047096299361199}, {1e-20, -9.2623400897984076}, {1e-6, -4.7534243088228989}, {.02, -2.0537489106318231},
		{.3, -.52440051270804078}, {.5, 0}, {.6, .2533471031357998}, {.9, 1.2815515655446005}, {.975, 1.9599639845400542},
		{.999999, 4.7534243088228989},
	} {
		got := Quantile{P: c.p}.Of(0, 1)
		if !(math.Abs(got-c.want) <= 1e-11*math.Abs(c.want)) { // .999999 itself is rounded
			t.Errorf("Φ⁻¹(%v) = %.17g, want %.17g", c.p, got, c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a probability of 90 was accepted")
		}
	}()
	Quantile{P: 90}.Of(0, 1)
}

// The continued fraction ends where more terms change no bit.
func TestMoreTermsOfTheContinuedFractionChangeNoBit(t *testing.T) {
	for a := 12.0; a < 1e9; a *= 1.0001 {
		tail := a
		for k := 80; k >= 1; k-- {
			tail = a + float64(k)/tail
		}
		if got := mills(-a); got != 1/tail {
			t.Fatalf("at %v: %v, with more terms %v", -a, got, 1/tail)
		}
	}
}
