package model

import (
	"reflect"
	"testing"

	"github.com/tarry-bo/tarry/space"
)

// Fixed parameters are no dimensions: hyperparameters are believed in as without them.
func TestFixedParametersAreNoDimensions(t *testing.T) {
	made := func(parameters ...space.Parameter) space.Space {
		s, err := space.New(parameters...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	x, y := space.Float("x", 0, 1), space.Bool("y")
	plain := fitOptions(made(x, y), nil)
	padded := fitOptions(made(space.Float("a", 2, 2), x, space.Ordered("b", 5), y, space.Categorical("c", "one"), space.Int("d", 7, 7).AsContext()), nil)
	if !reflect.DeepEqual(plain, padded) {
		t.Errorf("%+v, padded %+v", plain, padded)
	}
	if err := fitOptions(made(space.Float("a", 2, 2)), nil).Validate(); err != nil {
		t.Error(err)
	}
}
