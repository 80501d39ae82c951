package calibration

import (
	"errors"
	"math"
	"slices"
	"sort"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"pgregory.net/rapid"
)

func TestIsotonicByHand(t *testing.T) {
	for _, c := range [][2][]float64{
		{{}, {}},
		{{3}, {3}},
		{{1, 2, 2, 5}, {1, 2, 2, 5}},
		{{3, 1}, {2, 2}},
		{{1, 4, 3, 2, 5}, {1, 3, 3, 3, 5}},
		{{5, 4, 3, 2, 1}, {3, 3, 3, 3, 3}},
		{{1, 5, 3, 4, 0, 9}, {1, 3, 3, 3, 3, 9}},
	} {
		if got := Isotonic(nil, c[0]); !slices.Equal(got, c[1]) {
			t.Errorf("%v becomes %v, want %v", c[0], got, c[1])
		}
		same := slices.Clone(c[0])
		if Isotonic(same, same); !slices.Equal(same, c[1]) {
			t.Errorf("in place, %v becomes %v, want %v", c[0], same, c[1])
		}
	}
	mustPanic(t, "wrong length", func() { Isotonic(make([]float64, 1), make([]float64, 2)) })
}

// bruteIsotonic tries every division into runs and takes the nearest whose means do not decrease.
func bruteIsotonic(y []float64) (best []float64) {
	least := math.Inf(1)
	for cuts := range 1 << max(len(y)-1, 0) {
		var fitted []float64
		start, error2 := 0, 0.0
		for i := range y {
			if i == len(y)-1 || cuts>>i&1 == 1 {
				mean := 0.0
				for _, v := range y[start : i+1] {
					mean += v / float64(i+1-start)
				}
				for _, v := range y[start : i+1] {
					fitted = append(fitted, mean)
					error2 += (v - mean) * (v - mean)
				}
				start = i + 1
			}
		}
		if slices.IsSorted(fitted) && error2 < least {
			best, least = fitted, error2
		}
	}
	return best
}

func TestIsotonicIsTheNearestMonotoneSequence(t *testing.T) {
	r := rng.New(1, rng.Test, 0)
	for range 400 {
		y := make([]float64, 1+r.IntN(9))
		for i := range y {
			y[i] = float64(i)*r.Float64() + 2*r.NormFloat64()
		}
		got, want := Isotonic(nil, y), bruteIsotonic(y)
		for i := range y {
			agree(t, "nearest", got[i], want[i], 1e-12)
		}
	}
}

// These two facts carry the proof of AverageBound.
func TestIsotonicKeepsTheSumAndNeverMovesFurtherThanItsData(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		number := rapid.Float64Range(-10, 10)
		y := rapid.SliceOfN(number, n, n).Draw(t, "y")
		moves := rapid.SliceOfN(number, n, n).Draw(t, "moves")
		moved, furthest := slices.Clone(y), 0.0
		for i := range moved {
			moved[i] += moves[i]
			furthest = max(furthest, math.Abs(moves[i]))
		}
		a, b, before, after := Isotonic(nil, y), Isotonic(nil, moved), 0.0, 0.0
		if !slices.IsSorted(a) {
			t.Fatalf("%v is not sorted", a)
		}
		for i := range a {
			if d := math.Abs(a[i] - b[i]); d > furthest+1e-12 {
				t.Fatalf("moved by %g, data by %g", d, furthest)
			}
			before, after = before+y[i], after+a[i]
			if after > before+1e-10 {
				t.Fatalf("mean of the first %d grows from %g to %g", i+1, before, after)
			}
		}
		if math.Abs(before-after) > 1e-10 {
			t.Fatalf("sum %g becomes %g", before, after)
		}
	})
}

func TestMapsAreLinearBetweenTheirPoints(t *testing.T) {
	m := Map{P: []float64{0, .1, .3, .5, .7, .9, 1}, Q: []float64{0, .02, .15, .55, .8, .97, 1}}
	for i, p := range m.P {
		agree(t, "at a point", m.At(p), m.Q[i], 0)
		agree(t, "inverse at a point", m.Inverse(m.Q[i]), p, 0)
	}
	agree(t, "between", m.At(0.2), 0.085, 1e-15)
	agree(t, "between", m.At(0.95), 0.985, 1e-15)
	agree(t, "inverse between", m.Inverse(0.35), 0.4, 1e-15)
	for _, v := range []float64{0, 0.2, 0.5, 1} {
		agree(t, "identity", IdentityMap().At(v), v, 0)
		agree(t, "identity", IdentityMap().Inverse(v), v, 0)
	}
	agree(t, "below 0", m.At(-1), 0, 0)
	agree(t, "above 1", m.At(2), 1, 0)
	agree(t, "inverse below 0", m.Inverse(-1), 0, 0)
	agree(t, "inverse above 1", m.Inverse(2), 1, 0)
	if !math.IsNaN(m.At(math.NaN())) || !math.IsNaN(m.Inverse(math.NaN())) {
		t.Error("NaN gives a number")
	}
}

func TestFlatPiecesAreAtomsOfTheCorrectedLaw(t *testing.T) {
	m := Map{P: []float64{0, .2, .4, .6, .8, 1}, Q: []float64{0, 0, .5, .5, 1, 1}}
	agree(t, "at 0", m.Inverse(0), 0.2, 0)
	agree(t, "before the atom", m.Inverse(0.25), 0.3, 1e-15)
	agree(t, "at the atom", m.Inverse(0.5), 0.6, 0)
	agree(t, "before 1", m.Inverse(math.Nextafter(1, 0)), 0.8, 1e-15)
	agree(t, "at 1", m.Inverse(1), 1, 0)
}

func TestMapAndInverseAreMonotoneAndAdjoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := EvenLevels(rapid.IntRange(1, 12).Draw(t, "levels"))
		pits := rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "pits")
		m := must.Get(Batch(pits, levels, rapid.SampledFrom([]float64{0, 1, 5}).Draw(t, "strength")))(t)
		a, b := rapid.Float64Range(0, 1).Draw(t, "a"), rapid.Float64Range(0, 1).Draw(t, "b")
		a, b = min(a, b), max(a, b)
		if m.At(a) > m.At(b) || m.Inverse(a) > m.Inverse(b) {
			t.Fatalf("not monotone between %g and %g: %v", a, b, m)
		}
		// Inverse(q) is the greatest p with R(p) ≤ q.
		if p := m.Inverse(a); m.At(p) > a+1e-12 {
			t.Fatalf("R(%g) = %g is above %g: %v", p, m.At(p), a, m)
		} else if p < b && m.At(min(1, p+1e-6)) < a {
			t.Fatalf("R(%g + 1e-6) is still below %g: %v", p, a, m)
		}
	})
}

// pinball is the loss that the p-quantile of the numbers minimizes.
func pinball(numbers []float64, p, q float64) float64 {
	loss := 0.0
	for _, u := range numbers {
		loss += max(p*(u-q), (p-1)*(u-q))
	}
	return loss
}

func TestBatchMinimizesThePinballLossBeforeShrinking(t *testing.T) {
	r, levels := rng.New(2, rng.Test, 0), EvenLevels(19)
	for _, n := range []int{1, 2, 3, 7, 20, 40} {
		pits := make([]float64, n)
		for i := range pits {
			pits[i] = r.Float64() * r.Float64()
		}
		m := must.Get(Batch(pits, levels, 0))(t)
		shrunk := must.Get(Batch(pits, levels, 5))(t)
		for i, p := range levels {
			q := m.Q[i+1]
			for _, other := range pits { // the minimum is attained at one of them
				if loss, less := pinball(pits, p, q), pinball(pits, p, other); less < loss-1e-12 {
					t.Fatalf("n %d, p %g: loss %g at %g, %g at %g", n, p, loss, q, less, other)
				}
			}
			agree(t, "shrunk", shrunk.Q[i+1], (float64(n)*q+5*p)/float64(n+5), 1e-15)
		}
	}
}

// Turning every PIT u into 1 - u turns the map upside down.
func TestBatchTreatsBothTailsAlike(t *testing.T) {
	pits, levels := []float64{0.05, 0.2, 0.3, 0.31, 0.5, 0.62, 0.7, 0.77, 0.9, 0.95}, EvenLevels(19)
	mirrored := make([]float64, len(pits))
	for i, u := range pits {
		mirrored[i] = 1 - u
	}
	a, _ := Batch(pits, levels, 5)
	b, _ := Batch(mirrored, levels, 5)
	for i := range a.Q {
		agree(t, "mirrored", 1-b.Q[len(b.Q)-1-i], a.Q[i], 1e-15)
	}
	agree(t, "by hand", a.At(0.5), (10*0.56+5*0.5)/15, 1e-15)
	agree(t, "by hand", a.At(0.45), (10*0.5+5*0.45)/15, 1e-15)
}

func TestBatchWithoutPITsIsTheIdentityAndRefusesOddOnes(t *testing.T) {
	m, err := Batch(nil, []float64{0.2, 0.7}, 0)
	if err != nil || m.At(0.33) != 0.33 {
		t.Errorf("R(0.33) = %g, error %v", m.At(0.33), err)
	}
	nan := math.NaN()
	for _, c := range []struct {
		pits, levels []float64
		strength     float64
	}{
		{[]float64{nan}, []float64{0.5}, 5}, {[]float64{-0.1}, []float64{0.5}, 5}, {[]float64{1.1}, []float64{0.5}, 5},
		{nil, nil, 5}, {nil, []float64{0}, 5}, {nil, []float64{1}, 5}, {nil, []float64{0.5, 0.5}, 5}, {nil, []float64{nan}, 5},
		{nil, []float64{0.5}, -1}, {nil, []float64{0.5}, nan},
	} {
		if _, err := Batch(c.pits, c.levels, c.strength); !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}

// Inverse returns the corrected probability of what the model gives probability q, sup{p : R(p) ≤ q}: on a flat piece,
// an atom of the corrected distribution, its upper end. So Inverse(F(y)) is the corrected cdf at y when F is the model's. q
// outside [0,1] counts as the nearer end, NaN gives NaN. Cost O(log M).
func (m Map) Inverse(q float64) float64 {
	q = unit(q)
	if math.IsNaN(q) {
		return q
	}
	k := sort.Search(len(m.Q), func(i int) bool { return m.Q[i] > q })
	if k == len(m.Q) {
		return m.P[k-1]
	}
	share := (q - m.Q[k-1]) / (m.Q[k] - m.Q[k-1])
	return min(m.P[k-1]+share*(m.P[k]-m.P[k-1]), m.P[k])
}
