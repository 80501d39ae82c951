package fidelity

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

func TestAPlumeAtHandWorkedPlaces(t *testing.T) {
	across, up := classes[3].widths(300)
	must.Near(t, "width to the sides in class D", across, 23.6479026759, 1e-10)
	must.Near(t, "width upwards in class D", up, 14.9481863737, 1e-10)
	must.Near(t, "concentration", plume{rate: 1000, height: 5, wind: 3}.concentration(classes[3], 300, 10, 1.5), 0.258392918082, 1e-12)
	if c := (plume{rate: 1000, height: 5, wind: 3}).concentration(classes[3], -1, 0, 5); c != 0 {
		t.Errorf("concentration %v upwind", c)
	}
}

// The widths at 1 km that follow from the published table by hand.
func TestTheWidthsOfAllStabilityClasses(t *testing.T) {
	for k, want := range [...][2]float64{
		{220 / math.Sqrt(1.1), 200}, {160 / math.Sqrt(1.1), 120}, {110 / math.Sqrt(1.1), 80 / math.Sqrt(1.2)},
		{80 / math.Sqrt(1.1), 60 / math.Sqrt(2.5)}, {60 / math.Sqrt(1.1), 30 / 1.3}, {40 / math.Sqrt(1.1), 16 / 1.3},
	} {
		across, up := classes[k].widths(1000)
		must.Near(t, "width to the sides", across, want[0], 1e-12)
		must.Near(t, "width upwards", up, want[1], 1e-12)
	}
}

// What the wind carries through a plane across it is what the source emits, in any class and at any distance.
func TestThePlumeCarriesWhatTheSourceEmits(t *testing.T) {
	source := plume{rate: 1000, height: 5, wind: 3}
	for k, class := range classes {
		for _, x := range []float64{40, 300, 900} {
			across, up := class.widths(x)
			top := source.height + 12*up
			flux := 0.0
			const n = 400
			for i := range n {
				y := across * (24*(float64(i)+0.5)/n - 12)
				for j := range n {
					flux += source.concentration(class, x, y, top*(float64(j)+0.5)/n)
				}
			}
			flux *= 24 * across / n * top / n
			must.Near(t, "flux in class "+string(rune('A'+k)), flux, source.rate/source.wind, 1e-3)
		}
	}
}
