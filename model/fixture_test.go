package model

import (
	"testing"

	"github.com/tarry-bo/tarry/space"
)

// square is the unit square.
func square(t testing.TB) space.Space {
	t.Helper()
	s, err := space.New(space.Float("x", 0, 1), space.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
