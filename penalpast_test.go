package tarry_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
)

// slabbed is a bowl about a center that returns a great number outside of a slab.
func slabbed(center float64) func(x tarry.Point) float64 {
	return func(x tarry.Point) float64 {
		if by := math.Abs(x[0] - x[1]); by > 0.3 {
			return 1e6 * (1 + by)
		}
		return math.Pow(x[0]-center, 2) + 2*math.Pow(x[1]-center, 2) + math.Pow(x[2]-0.6, 2)
	}
}

// What others taught says nothing of their penalties, and a study that begins with it takes its own for what they are.
func TestWhatOthersTaughtIsFreeOfTheirPenalties(t *testing.T) {
	where := must.Get(tarry.NewSpace(tarry.Float("a", 0, 1), tarry.Float("b", 0, 1), tarry.Float("c", 0, 1)))(t)
	var past []tarry.Past
	for i := range 6 {
		stream := rand.New(rand.NewPCG(2, uint64(i)))
		f, p := slabbed(0.3+0.02*float64(i)), tarry.Past{Name: fmt.Sprint("site ", i+1), Space: where, Minimize: true}
		for range 40 {
			x := tarry.Point{stream.Float64(), stream.Float64(), stream.Float64()}
			p.Points, p.Values = append(p.Points, x), append(p.Values, f(x))
		}
		past = append(past, p)
	}
	earlier, notes, err := tarry.LearnFrom(where, true, past...)
	if err != nil || len(notes) != len(past) || !strings.Contains(notes[0], "values are left out, which are far beyond all others, as penalties are") {
		t.Fatal(notes, err)
	}
	for _, s := range earlier.Studies {
		if n := len(s.Values); n < 10 || n > 35 {
			t.Errorf("%s: %d values are left", s.Name, n)
		}
	}
	if prior, _, err := tarry.LearnPrior(t.Context(), where, true, tarry.PriorOptions{Steps: 200, Folds: -1}, past...); err != nil {
		t.Error(err)
	} else if r, err := tarry.Minimize(t.Context(), where, func(_ context.Context, q tarry.Query) (float64, error) { return slabbed(0.37)(q.X), nil }, tarry.Options{Budget: 30, Workers: 2, Seed: 1, Prior: prior}); err != nil || !(r.Best.Value < 1e-3) {
		t.Errorf("%v %v", r, err)
	}
}

// Which values are penalties is told in seconds, however many there are, and holds for all.
func TestPenaltiesOfALongStudy(t *testing.T) {
	where := must.Get(tarry.NewSpace(tarry.Float("a", 0, 1), tarry.Float("b", 0, 1), tarry.Float("c", 0, 1)))(t)
	stream, f, p := rand.New(rand.NewPCG(3, 0)), slabbed(0.3), tarry.Past{Name: "long", Space: where, Minimize: true}
	penalties := 0
	for range 20000 {
		x := tarry.Point{stream.Float64(), stream.Float64(), stream.Float64()}
		p.Points, p.Values = append(p.Points, x), append(p.Values, f(x))
		if f(x) > 1e5 {
			penalties++
		}
	}
	if _, notes, err := tarry.LearnFrom(where, true, p); err != nil || len(notes) != 2 || !strings.Contains(notes[0], fmt.Sprintf(" %d of 20000 values are left out", penalties)) {
		t.Error(penalties, notes, err)
	}
}
