package hostile

import (
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
)

func TestDomainsMakeSpaces(t *testing.T) {
	var names []string
	for _, d := range Domains() {
		s := d.Space(11)
		if s.Dim() != d.Dim {
			t.Errorf("%s has %d parameters, says %d", d.Name, s.Dim(), d.Dim)
		}
		for number := range 20 {
			if x := s.Value(s.Random(rng.New(1, rng.Test, uint64(number)))); s.Contains(x) != nil {
				t.Errorf("%s: %v", d.Name, s.Contains(x))
			}
		}
		if slices.Contains(names, d.Name) {
			t.Errorf("two domains are called %s", d.Name)
		}
		names = append(names, d.Name)
	}
}

func TestListsHavePointsTwice(t *testing.T) {
	for _, d := range Domains() {
		s := d.Space(1)
		again := d.Space(1).UnitPoints()
		for i, u := range s.UnitPoints() {
			if !slices.Equal(u, again[i]) {
				t.Fatalf("%s: another list from the same seed", d.Name)
			}
		}
		if d.Name == "list" && !slices.Equal(s.UnitPoints()[2], s.UnitPoints()[3]) {
			t.Error("no point is in the list twice")
		}
	}
}

func TestContextsAreInTheSpaceUnlessTheyAreBad(t *testing.T) {
	for _, d := range Domains() {
		s := d.Space(1)
		for round := range 24 {
			if err := s.ContainsContext(Context(s, 6, round)); err != nil {
				t.Errorf("%s: %v", d.Name, err)
			}
			if z := BadContext(s, 6, round); s.ContainsContext(z) == nil {
				t.Errorf("%s: %v is a context", d.Name, z)
			}
		}
	}
}
