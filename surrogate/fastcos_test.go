package surrogate

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
)

func TestFastCosineAgreesWithTheLibrary(t *testing.T) {
	r := rng.New(4, rng.Test, 0)
	worst := 0.0
	for i := range 200_000 {
		u := r.Float64()
		switch i % 3 {
		case 1:
			u = float64(r.IntN(257)) / 256 // the seams of the table
		case 2:
			u = math.Nextafter(float64(r.IntN(257))/256, r.Float64())
		}
		cos, sin := cosTurns(u)
		wantSin, wantCos := math.Sincos(2 * math.Pi * u)
		worst = max(worst, math.Abs(cos-wantCos), math.Abs(sin-wantSin))
		if whole := float64(r.IntN(1000)); i%3 == 1 { // exact in binary, so whole turns change nothing at all
			if c, s := cosTurns(u - whole); c != cos || s != sin {
				t.Fatalf("%v turns back from %v: %v %v, want %v %v", whole, u, c, s, cos, sin)
			}
		}
	}
	if worst >= 2e-15 {
		t.Errorf("largest difference from math.Sincos %g, want < 2e-15", worst)
	}
	for _, u := range []float64{1e300, -1e17, -1e-300} {
		if c, s := cosTurns(u); c != 1 || math.Abs(s) > 1e-15 {
			t.Errorf("%v turns: %v %v", u, c, s)
		}
	}
}

func BenchmarkCosine(b *testing.B) {
	var sum float64
	b.Run("table", func(b *testing.B) {
		for u := 0.0; b.Loop(); u += 0.01 {
			c, s := cosTurns(u)
			sum += c + s
		}
	})
	b.Run("math", func(b *testing.B) {
		for u := 0.0; b.Loop(); u += 0.01 {
			s, c := math.Sincos(2 * math.Pi * u)
			sum += c + s
		}
	})
	_ = sum
}
