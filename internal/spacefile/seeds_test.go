package spacefile

import (
	"fmt"
	"strings"
	"testing"
)

const safeParameters = `parameters:
- {name: x, type: float, low: 0, high: 1}
- {name: kind, type: categorical, choices: [adam, sgd]}
- {name: bias, type: bool}
- {name: beta, type: float, low: 2, high: 3, when: {kind: adam}}
`

func TestSeedsAreRead(t *testing.T) {
	d, err := Parse("s", []byte(safeParameters+"seeds:\n- {x: 0.25, kind: sgd, bias: true}\n- {kind: adam, x: 1, bias: false, beta: 2.5}\n"))
	if got := fmt.Sprint(d.Seeds); err != nil || got != "[[0.25 1 1 NaN] [1 0 0 2.5]]" {
		t.Errorf("%v, %v", got, err)
	}
	for i, x := range d.Seeds {
		if err := d.Space.Contains(x); err != nil {
			t.Errorf("seed %d: %v", i, err)
		}
	}
}

func TestSeedsThatAreWrongAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"{x: 2, kind: sgd, bias: true}":              "s:7:7: seeds[0].x = 2: want a number in [0, 1]",
		"{x: .nan, kind: sgd, bias: true}":           "seeds[0].x = .nan: want a finite number",
		"{x: 1, kind: rmsprop, bias: true}":          "seeds[0].kind = rmsprop: want one of adam, sgd",
		"{x: 1, kind: sgd, bias: 1}":                 "seeds[0].bias = 1: want true or false",
		"{x: 1, kind: adam, bias: true}":             "seeds[0].beta: missing: want a number in [2, 3]",
		"{kind: sgd, bias: true}":                    "seeds[0].x: missing: want a number in [0, 1]",
		"{x: 1, kind: sgd, bias: true, y: 1}":        "seeds[0].y: unknown field",
		"0.5":                                        "seeds[0] = 0.5: want an object with x, kind, bias, beta",
		"{x: 1, kind: sgd, bias: true}\n- {x: high}": "seeds[1].x = high: want a number",
	} {
		if _, err := Parse("s", []byte(safeParameters+"seeds:\n- "+text+"\n")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{"[]": "want 1 to 1000 points, not 0", "{x: 1}": "want a list of points"} {
		if _, err := Parse("s", []byte(safeParameters+"seeds: "+text+"\n")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
