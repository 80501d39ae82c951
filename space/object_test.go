package space

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

// A point as an object has what is active, in order, and numbers that are read with the same bits.
func TestAPointAsAnObject(t *testing.T) {
	s := must.Get(New(Categorical("kind", "a\"b", "<c>"), Float("x", -1, 1), Int("n", -3, 3), Bool("on"), Ordered("size", 0.1, 1e-9, 1<<53), Float("beta", 0, 1).When("kind", "<c>")))(t)
	zero := math.Copysign(0, -1)
	for want, x := range map[string]Point{
		`{"kind":"a\"b","x":-0,"n":0,"on":true,"size":1e-9}`:                               {0, zero, zero, 1, 1e-9, math.NaN()},
		`{"kind":"<c>","x":0.30000000000000004,"n":-3,"on":false,"size":0.1,"beta":0.125}`: {1, 0.30000000000000004, -3, 0, 0.1, 0.125},
	} {
		if got := string(s.Object(x)); got != want || !json.Valid([]byte(got)) {
			t.Errorf("%v is %s, want %s", x, got, want)
		}
	}
	none := must.Get(New(Float("x", 0, 1)))(t)
	if got := string(none.Object(nil)); got != "{}" {
		t.Errorf("no point is %s", got)
	}
}
