package spacefile

import (
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/outcome"
)

const someParameters = "parameters:\n- {name: x, type: float, low: 0, high: 1}\n"

func TestConstraintsAreRead(t *testing.T) {
	d, err := Parse("s", []byte(someParameters+"constraints:\n- {name: latency, at_most: 0.2}\n- {name: recall, at_least: 5e-1}\n"))
	if want := []outcome.Constraint{outcome.AtMost("latency", 0.2), outcome.AtLeast("recall", 0.5)}; err != nil || !slices.Equal(d.Constraints, want) {
		t.Errorf("%v, %v", d.Constraints, err)
	}
	d, err = Parse("s.json", []byte(`{"parameters": [{"name": "x", "type": "bool"}], "constraints": [{"at_least": -1, "name": "a"}]}`))
	if want := []outcome.Constraint{outcome.AtLeast("a", -1)}; err != nil || !slices.Equal(d.Constraints, want) || d.Space.Dim() != 1 {
		t.Errorf("%v, %v", d, err)
	}
}

func TestConstraintsThatAreWrongAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"{name: a, at_most: 1, at_least: 0}":              "s:4:25: constraints[0]: at_most and at_least: want one of them: two bounds are two constraints",
		"{name: a}":                                       "s:4:3: constraints[0]: missing: want at_most or at_least, a number",
		"{at_most: 1}":                                    "s:4:3: constraints[0].name: missing: want a name",
		"{name: a b, at_most: 1}":                         "constraints[0].name = a b: want a name",
		"{name: a, at_most: .nan}":                        "s:4:22: constraints[0].at_most = .nan: want a finite number",
		"{name: a, atmost: 1}":                            "constraints[0].atmost: unknown field: did you mean at_most?",
		"{name: a, at_most: 1}\n- {name: a, at_least: 0}": "s:5:10: constraints[1].name = a: want distinct names: the constraint at line 4 has the same",
		"latency": "constraints[0] = latency: want an object with the fields name, and at_most or at_least",
	} {
		if _, err := Parse("s", []byte(someParameters+"constraints:\n- "+text+"\n")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := Parse("s", []byte(someParameters+"constraints: []\n")); err == nil || !strings.Contains(err.Error(), "want 1 to 20 constraints, not 0") {
		t.Error(err)
	}
}
