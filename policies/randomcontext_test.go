package policies

import (
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

func TestRandomPointsAreSpreadWhereTheContextMakesThemActive(t *testing.T) {
	s, err := space.New(space.Float("x", 0, 1).When("day", true), space.Bool("day").AsContext())
	if err != nil {
		t.Fatal(err)
	}
	stream := rng.New(1, rng.Test, 0)
	view := View{Space: s, Context: space.Unit{0.75}}
	for range 20 {
		if x := view.Random(stream, nil); x[0] == 0.5 || x[1] != 0.75 {
			t.Errorf("the point is %v", x)
		}
	}
}
