package surrogate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
)

// unitsDensity is the log density of values in some units, the slow way.
func unitsDensity(t testing.TB, p Prior, x []space.Unit, y []float64, shift, scale float64) float64 {
	t.Helper()
	u := make([]float64, len(y))
	for i, v := range y {
		u[i] = (v - shift) / scale
	}
	return must.Get(p.Condition(x, u, nil))(t).LogEvidence() - float64(len(y))*math.Log(scale)
}

func TestUnitsHaveTheGreatestPosteriorDensity(t *testing.T) {
	p, _, x, y, _ := trended(t)
	for i := range y {
		y[i] = 40 + 7*y[i]
	}
	law := UnitsLaw{Shift: 30, ShiftDeviation: 20, LogScale: math.Log(5), LogScaleDeviation: 0.5}
	for _, n := range []int{1, 2, 20} {
		shift, scale, density, err := p.Units(law, x[:n], y[:n])
		if err != nil {
			t.Fatal(err)
		}
		must.Near(t, "density", density, unitsDensity(t, p, x[:n], y[:n], shift, scale), 1e-9)
		posterior := func(shift, scale float64) float64 {
			return unitsDensity(t, p, x[:n], y[:n], shift, scale) +
				distuv.Normal{Mu: law.Shift, Sigma: law.ShiftDeviation}.LogProb(shift) + distuv.Normal{Mu: law.LogScale, Sigma: law.LogScaleDeviation}.LogProb(math.Log(scale))
		}
		best := posterior(shift, scale)
		for _, a := range []float64{-0.05, 0, 0.05} {
			for _, b := range []float64{0.97, 1, 1.03} {
				if v := posterior(shift+a, scale*b); v > best+1e-9 {
					t.Errorf("%d values: shift %v and scale %v are likelier by %v", n, shift+a, scale*b, v-best)
				}
			}
		}
	}
}

func TestUnitsOfValuesThatAreAlikeAreFinite(t *testing.T) {
	p, _, x, _, _ := trended(t)
	y := make([]float64, len(x))
	for _, law := range []UnitsLaw{{0, 1, 0, 0.5}, {1e6, 1e-3, -5, 0.1}} {
		if shift, scale, density, err := p.Units(law, x, y); err != nil || !isFinite(shift) || !(scale > 0) || !isFinite(density) {
			t.Error(shift, scale, density, err)
		}
	}
}

// Values far from 0 have the units of the same values near it, as far as they have digits.
func TestUnitsMoveWithTheValues(t *testing.T) {
	p, _, x, y, _ := trended(t)
	law := UnitsLaw{ShiftDeviation: 2, LogScaleDeviation: 0.5}
	shift, scale, density, err := p.Units(law, x, y)
	if err != nil {
		t.Fatal(err)
	}
	const offset = 1 << 30
	law.Shift += offset
	moved := make([]float64, len(y))
	for i, v := range y {
		moved[i] = offset + v
	}
	a, b, d, err := p.Units(law, x, moved)
	if err != nil {
		t.Fatal(err)
	}
	must.Near(t, "shift", a-offset, shift, 1e-5)
	must.Near(t, "scale", b, scale, 1e-5)
	must.Near(t, "density", d, density, 1e-4)
}
