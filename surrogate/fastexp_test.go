package surrogate

import (
	"math"
	"math/big"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
)

func TestFastExponentialAgreesWithTheLibrary(t *testing.T) {
	r := rng.New(1, rng.Test, 0)
	worst := 0.0
	for i := range 400_000 {
		x := -700 * r.Float64()
		switch i % 4 {
		case 1:
			x = -r.Float64()
		case 2:
			x = -math.Exp(-40 * r.Float64())
		case 3:
			x = -math.Ln2 / 256 * float64(r.IntN(200_000)) // the seams of the table
		}
		if x < -700 {
			continue
		}
		worst = max(worst, math.Abs(expNeg(x)/math.Exp(x)-1))
	}
	if worst >= 1e-15 {
		t.Errorf("largest relative difference from math.Exp %g, want < 1e-15", worst)
	}
}

// math.Exp itself may be off by an ulp, so a few values are compared with exp summed in 200 bits.
func TestFastExponentialAgreesWithTheSeries(t *testing.T) {
	r := rng.New(2, rng.Test, 0)
	for range 300 {
		x := -20 * r.Float64()
		want, term := big.NewFloat(1).SetPrec(200), big.NewFloat(1).SetPrec(200)
		arg := new(big.Float).SetPrec(200).SetFloat64(-x) // exp(-x), then the reciprocal: no cancellation
		for k := 1; k < 200; k++ {
			term.Mul(term, arg).Quo(term, new(big.Float).SetInt64(int64(k)))
			want.Add(want, term)
		}
		want.Quo(big.NewFloat(1).SetPrec(200), want)
		ratio, _ := new(big.Float).Quo(new(big.Float).SetPrec(200).SetFloat64(expNeg(x)), want).Float64()
		if math.Abs(ratio-1) >= 1e-15 {
			t.Errorf("exp(%v) is off by %g", x, ratio-1)
		}
	}
}

func TestFastExponentialAtTheEnds(t *testing.T) {
	for x, want := range map[float64]float64{0: 1, math.Copysign(0, -1): 1, -700.5: 0, -1e300: 0, math.Inf(-1): 0} {
		if got := expNeg(x); got != want {
			t.Errorf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	if !math.IsNaN(expNeg(math.NaN())) {
		t.Error("exp(NaN) is not NaN")
	}
}

func BenchmarkExponential(b *testing.B) {
	src, dst := make([]float64, 1000), make([]float64, 1000)
	for i := range src {
		src[i] = -float64(i) / 40
	}
	b.Run("table", func(b *testing.B) {
		for b.Loop() {
			for i, x := range src {
				dst[i] = expNeg(x)
			}
		}
	})
	b.Run("math", func(b *testing.B) {
		for b.Loop() {
			for i, x := range src {
				dst[i] = math.Exp(x)
			}
		}
	})
}
