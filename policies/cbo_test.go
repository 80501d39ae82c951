package policies

import (
	"testing"

	"github.com/tarry-bo/tarry/space"
)

// The density of the data at an answer is that of the others.
func TestDensityRatioLeavesItsPointOut(t *testing.T) {
	data := []space.Unit{{0.1, 0.1}, {0.5, 0.5}, {0.9, 0.9}}
	r := densityRatio{data: data, next: []space.Unit{{0.5, 0.4}}, share: []float64{1}, width: 0.3}
	for k, x := range data {
		others := r
		others.data = append(append([]space.Unit(nil), data[:k]...), data[k+1:]...)
		if got, want := r.without(x, k), others.at(x); got != want {
			t.Errorf("weight of answer %d is %v, %v by the others", k, got, want)
		}
		if got, all := r.without(x, k), r.at(x); !(got > all) {
			t.Errorf("weight of answer %d is %v, %v with its own kernel", k, got, all)
		}
	}
	alone := densityRatio{data: data[:1], next: data[1:2], share: []float64{1}, width: 0.3}
	if got := alone.without(data[0], 0); got != ratioBound {
		t.Errorf("the only answer weighs %v, not %v", got, ratioBound)
	}
}
