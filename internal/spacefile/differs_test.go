package spacefile

import (
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

func TestWhatDiffersInADescriptionIsNamed(t *testing.T) {
	const points, constraints, seeds = "points: [{x: 0.5, kind: sgd, bias: true}, {x: 1, kind: adam, bias: true, beta: 2}]\n", "constraints: [{name: c, at_most: 1}]\n", "seeds: [{x: 1, kind: sgd, bias: true}]\n"
	parsed := func(text string) Description { return must.Get(Parse("s", []byte(text)))(t) }
	for _, c := range []struct{ ours, others, want string }{
		{points + constraints + seeds, points + constraints + seeds, ""},
		{"", "", ""},
		{"- {name: y, type: bool}\n", "", "another one: 4 parameters, not 5"},
		{points, "", "other points: all of the space, not 2"},
		{"points: [{x: 0.5, kind: sgd, bias: true}]\n", points, "other points: 2, not 1"},
		{"points: [{x: 0.5, kind: sgd, bias: true}, {x: 1, kind: sgd, bias: true}]\n", points, "other points: the one with number 2 is the first that is another one"},
		{constraints, "", "other constraints"},
		{constraints + seeds, constraints, "other seeds"},
	} {
		if got := parsed(safeParameters + c.ours).Differs(parsed(safeParameters + c.others)); got != c.want {
			t.Errorf("%q and %q: %q, want %q", c.ours, c.others, got, c.want)
		}
	}
}
