package spacefile

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// same reports whether two spaces have the same parameters, bounds to the bit.
func same(a, b space.Space) bool {
	return slices.EqualFunc(a.Parameters(), b.Parameters(), func(p, q space.Parameter) bool {
		return p.Name == q.Name && p.Kind == q.Kind && p.Role == q.Role && p.Log == q.Log &&
			math.Float64bits(p.Low) == math.Float64bits(q.Low) && math.Float64bits(p.High) == math.Float64bits(q.High) &&
			slices.Equal(p.Choices, q.Choices) && slices.Equal(p.Costs, q.Costs) && math.Float64bits(p.Step) == math.Float64bits(q.Step) &&
			slices.EqualFunc(p.Values, q.Values, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
	})
}

// checkError wants violations in order, each on one line and within the text.
func checkError(t *testing.T, err error, text string) {
	t.Helper()
	var all Violations
	if !errors.As(err, &all) || len(all) == 0 || !errors.Is(err, check.ErrInvalidOption) {
		t.Fatalf("%T %v: want violations", err, err)
	}
	lines := strings.Count(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n") + 1
	for i, v := range all {
		if v.Line < 1 || v.Line > lines+1 || v.Column < 1 || v.Message == "" || strings.Contains(v.Error(), "\n") {
			t.Errorf("%q of a text of %d lines", v.Error(), lines)
		}
		if i > 0 && (v.Line < all[i-1].Line || v.Line == all[i-1].Line && v.Column < all[i-1].Column) {
			t.Errorf("%v after %v", v, all[i-1])
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		exampleJSON, exampleYAML, hostileYAML, everyKind,
		"", "\ufeff{}", "{", "[", "- - -", "a: b: c", "parameters:\n\t- x", "? a\n: b", "--- a\n--- b", "%YAML 1.2\n---\n",
		"parameters: &a [*a]", "<<: {}", "a: |\n  b", "\xff", "{\"parameters\":[{\"low\":1e999}]}", "'", "\"\\ud800\"", "!", "{a: {a: {a: }}}",
		`{"parameters":[{"name":"x","type":"float","low":0.1,"high":1e22,"step":1e-3},{"name":"y","type":"ordered","values":[1,-0,1e-300]}]}`,
		"parameters:\n- {name: x, type: int, low: -9007199254740992, high: 9007199254740992, step: 9007199254740991}\n- {name: b, type: bool, values: []}",
		fidelityYAML, safeParameters + "points: [{x: 0.5, kind: sgd, bias: false}, {x: 1, kind: adam, bias: true, beta: 2.5}]",
		`{"parameters":[{"name":"x","type":"bool"},{"name":"f","type":"ordered","values":[9,1,3],"role":"fidelity","costs":[9,1,1e-300]}]}`,
		`{"parameters":[{"name":"f","type":"float","low":0,"high":1,"step":0.1,"role":"fidelity","costs":[1,-1,1e999]},{"name":"g","type":"int","low":1,"high":1,"role":"fidelity","costs":[]}]}`,
	} {
		f.Add(text, true)
		f.Add(text, false)
	}
	f.Fuzz(func(t *testing.T, text string, json bool) {
		name := "space"
		if json {
			name = "space.json"
		}
		d, err := Parse(name, []byte(text))
		if err != nil {
			checkError(t, err, text)
			return
		}
		s := d.Space
		again, err := Parse("again.json", Format(s))
		if err != nil || !same(s, again.Space) {
			t.Fatalf("%q became %q: %v", text, Format(s), err)
		}
	})
}
