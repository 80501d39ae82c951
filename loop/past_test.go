package loop

import (
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// What an earlier study has under the same name, and of another kind, is not said to be missing there, nor to be missing here.
func TestAParameterOfAnotherKindIsSaidToBeOne(t *testing.T) {
	north := Past{
		Name: "north", Space: must.Get(space.New(space.Categorical("lr", "low", "high"), space.Float("share", 0, 1)))(t),
		Points: []space.Point{{0, 0.1}, {1, 0.5}, {0, 0.9}}, Values: []float64{1, 3, 2},
	}
	both := must.Get(space.New(space.Float("lr", 0, 1), space.Float("share", 0, 1)))(t)
	e, notes, err := LearnFrom(both, outcome.Sense(false), north)
	if want := []string{"north: lr is categorical there and float here: its values say nothing of it"}; err != nil || !slices.Equal(notes, want) {
		t.Fatalf("%q, %v", notes, err)
	}
	if got := e.Studies[0]; got.Hyper[0] != indifferent || got.Hyper[1] == indifferent || len(got.Values) != 3 {
		t.Errorf("%+v", got)
	}
	alone := must.Get(space.New(space.Float("lr", 0, 1)))(t)
	if _, _, err := LearnFrom(alone, outcome.Sense(false), north); err == nil || !strings.HasSuffix(err.Error(), "no parameter in common: it has lr, share; lr is categorical there and float here") {
		t.Error(err)
	}
}
