package spacefile

import (
	"fmt"
	"strings"
	"testing"
)

func TestPointsAreRead(t *testing.T) {
	const points = "- {name: hour, type: float, low: 0, high: 24, role: context}\npoints:\n- {x: 0.25, kind: sgd, bias: true}\n- {kind: adam, x: 1, bias: false, beta: 2.5}\n" +
		"- {x: 0.5, kind: sgd, bias: true, beta: 2}\n- {x: 5.0e-1, kind: sgd, bias: true, beta: 3}\n" // the same once more
	d, err := Parse("s", []byte(safeParameters+points))
	if got := fmt.Sprint(d.Space.Points()); err != nil || d.Space.Size() != 3 || got != "[[0.25 1 1 NaN] [1 0 0 2.5] [0.5 1 1 NaN]]" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestPointsThatAreWrongAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"[{x: 2, kind: sgd, bias: true}]":                   "s:6:14: points[0].x = 2: want a number in [0, 1]",
		"[{x: 1, kind: sgd, bias: true}, {x: 1, bias: no}]": "points[1].bias = no: want true or false",
		"[{x: 1, kind: adam, bias: true}]":                  "points[0].beta: missing: want a number in [2, 3]",
		"[{x: 1, kind: sgd, bias: true, y: 1}]":             "points[0].y: unknown field",
		"[0.5]":                                             "points[0] = 0.5: want an object with x, kind, bias, beta",
		"[]":                                                "want 1 to 1000000 points, not 0",
		"{x: 1}":                                            "want a list of points",
		"shelf.csv":                                         "points = shelf.csv: want a list of points",
	} {
		if _, err := Parse("s", []byte(safeParameters+"points: "+text+"\n")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	const conditional = "parameters:\n- {name: hour, type: int, low: 0, high: 24, role: context}\n- {name: x, type: float, low: 0, high: 1, when: {hour: 7}}\npoints: [{x: 1}]\n"
	if _, err := Parse("s", []byte(conditional)); err == nil || !strings.Contains(err.Error(), "s:4:9: points = 1: want no list where a parameter depends on a context") {
		t.Error(err)
	}
}

// What is set for each query is no part of a point, and no misspelt name of a part.
func TestWhatIsSetForEachQueryIsLeftOutOfAPoint(t *testing.T) {
	const text = "parameters:\n- {name: x, type: float, low: 0, high: 1}\n- {name: e, type: ordered, values: [1, 3], role: fidelity, costs: [1, 3]}\npoints: [{x: 0.1, e: 3}]\n"
	_, err := Parse("s", []byte(text))
	if want := "s:4:19: points[0].e: the fidelity, which is chosen for each query: leave it out of the points (want x)"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = Parse("s", []byte(strings.NewReplacer("role: fidelity, costs: [1, 3]", "role: context", "}]", "}, {x: 0.2, x: 1, e: 1}]").Replace(text)))
	if err == nil || strings.Count(err.Error(), "a context, which the world sets for each query: leave it out of the points (want x)") != 2 || !strings.Contains(err.Error(), "given twice") {
		t.Error(err)
	}
}

// A parameter that is fixed has its value in each point, whether it is named there or not.
func TestAFixedParameterMayBeLeftOutOfAPoint(t *testing.T) {
	const text = "parameters:\n- {name: x, type: int, low: 1, high: 9}\n- {name: lamp, type: categorical, choices: [red]}\npoints: [{x: 2}, {x: 3, lamp: red}]\n"
	d, err := Parse("s", []byte(text))
	if got := fmt.Sprint(d.Space.Points()); err != nil || got != "[[2 0] [3 0]]" {
		t.Errorf("%v, %v", got, err)
	}
}
