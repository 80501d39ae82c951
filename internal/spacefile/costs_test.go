package spacefile

import (
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/space"
)

const fidelityYAML = `parameters:
  - {name: lr, type: float, low: 1e-5, high: 1, log: true}
  - {name: epochs, type: int, low: 1, high: 81, role: fidelity, costs: [1, 81]}
`

func TestAFidelityHasACostForEachValueOrStraightLinesBetweenSome(t *testing.T) {
	for parameter, want := range map[string]map[float64]float64{
		`type: int, low: 1, high: 81, costs: [1, 81]`:              {1: 1, 41: 41, 81: 81},
		`type: int, low: 1, high: 3, costs: [10, 15, 40]`:          {1: 10, 2: 15, 3: 40},
		`type: float, low: 0, high: 1, costs: [10, 15, 20]`:        {0: 10, 0.25: 12.5, 0.5: 15, 1: 20},
		`type: float, low: 0, high: 1, step: 0.5, costs: [1, 2]`:   {0: 1, 0.5: 1.5, 1: 2},
		`type: ordered, values: [1, 3, 9], costs: [2, 4, 8]`:       {1: 2, 3: 4, 9: 8},
		`type: ordered, values: [9, 1, 3], costs: [8, 2, 4]`:       {1: 2, 3: 4, 9: 8},
		`type: ordered, values: [9, 1, 3], costs: [2, 8]`:          {1: 2, 3: 3.5, 9: 8},
		`type: ordered, values: [0.1, 0.2], costs: [3, 1]`:         {0.1: 3, 0.2: 1},
		`type: float, low: 1, high: 100, log: true, costs: [2, 4]`: {1: 2, 50.5: 3, 100: 4},
	} {
		d, err := Parse("s.yaml", []byte("parameters:\n- {name: x, type: bool}\n- {name: f, role: fidelity, "+parameter+"}\n"))
		if err != nil {
			t.Errorf("%s: %v", parameter, err)
			continue
		}
		i, has := d.Space.Fidelity()
		if !has || i != 1 {
			t.Fatalf("%s: fidelity %d, %v", parameter, i, has)
		}
		for v, cost := range want {
			if got := d.Space.Parameter(i).Cost(v); got != cost {
				t.Errorf("%s: %v costs %v, want %v", parameter, v, got, cost)
			}
		}
		again, err := Parse("again.json", Format(d.Space))
		if err != nil || !same(d.Space, again.Space) {
			t.Errorf("%s became %s: %v", parameter, Format(d.Space), err)
		}
	}
}

func TestTheCostsOfAFidelityHaveTheirPlaceAndTheirWords(t *testing.T) {
	const x = `{"name":"x","type":"bool"},`
	const fields = `(want name, type, low, high, step, log, role, costs, when)`
	for _, b := range []struct{ parameter, want string }{
		{`"type":"ordered","values":[1,2,3],"role":"fidelity"`, `1:44: parameters[1].costs: missing: want a list of numbers: ` + wantCosts},
		{`"type":"ordered","values":[1,2,3],"role":"fidelity","costs":3`, `1:116: parameters[1].costs = 3: want a list of numbers: ` + wantCosts},
		{`"type":"ordered","values":[1,2,3],"role":"fidelity","costs":[]`, `1:116: parameters[1].costs: want 1 to 4096 costs, not 0`},
		{`"type":"ordered","values":[1,2,3],"role":"fidelity","costs":[1]`, `1:116: parameters[1].costs: want a cost for each value of a fidelity, or at the least and the greatest, not 1`},
		{`"type":"ordered","values":[1,2,3],"role":"fidelity","costs":[1,2,3,4]`, `1:116: parameters[1].costs: want at most 3 costs, one for each value, not 4`},
		{`"type":"int","low":1,"high":2,"role":"fidelity","costs":[1,2,3]`, `1:112: parameters[1].costs: want at most 2 costs, one for each value, not 3`},
		{`"type":"int","low":1,"high":1,"role":"fidelity","costs":[1,2]`, `1:44: parameters[1]: want at least two values of a fidelity`},
		{`"type":"ordered","values":[1,2,3],"role":"fidelity","costs":[0,-1,"3"]`, `1:117: parameters[1].costs[0] = 0: want a finite number > 0
1:119: parameters[1].costs[1] = -1: want a finite number > 0
1:122: parameters[1].costs[2] = "3": want a number, not text: without the quotes`},
		{`"type":"float","low":0,"high":1,"role":"fidelity","costs":[1e999,null,[]]`, `1:115: parameters[1].costs[0] = 1e999: want a finite number: at most 1.797e308
1:121: parameters[1].costs[1] = null: want a number
1:126: parameters[1].costs[2] = a list: want a number`},
		{`"type":"categorical","choices":["a","b"],"role":"fidelity","costs":[1,2]`, `1:104: parameters[1].role = "fidelity": want action or context, since type is categorical: the values of a fidelity are numbers: float, int or ordered
1:115: parameters[1].costs: not for the type categorical (want name, type, choices, role, when)`},
		{`"type":"bool","role":"fidelity"`, `1:77: parameters[1].role = "fidelity": want action or context, since type is bool: the values of a fidelity are numbers: float, int or ordered`},
		{`"type":"int","low":1,"high":9,"costs":[1,2]`, `1:86: parameters[1].costs: not for the role action: want role: fidelity beside it`},
		{`"type":"int","low":1,"high":9,"role":"context","costs":[1,2]`, `1:103: parameters[1].costs: not for the role context: want role: fidelity beside it`},
		{`"type":"int","low":1,"high":9,"role":"fidelty","costs":[1,0]`, `1:93: parameters[1].role = "fidelty": want action, context or fidelity: did you mean fidelity?
1:114: parameters[1].costs[1] = 0: want a finite number > 0`},
		{`"type":"int","low":1,"high":9,"role":"fidelity","cost":[1,2]`, `1:104: parameters[1].cost: unknown field: did you mean costs? ` + fields},
		{`"type":"real","role":"fidelity","costs":[1,0]`, `1:63: parameters[1].type = "real": want float, int, categorical, bool or ordered
1:99: parameters[1].costs[1] = 0: want a finite number > 0`},
	} {
		want := "s.json:" + strings.ReplaceAll(b.want, "\n", "\ns.json:")
		text := `{"parameters":[` + x + ` {"name":"f",` + b.parameter + `}]}`
		if _, err := Parse("s.json", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestFidelitiesThatNoSpaceAllowsAreNamed(t *testing.T) {
	const f = `{name: f, type: int, low: 1, high: 9, role: fidelity, costs: [1, 9]`
	for text, want := range map[string]string{
		"parameters:\n- {name: x, type: bool}\n- " + f + "}\n- {name: g, type: float, low: 0, high: 1, role: fidelity, costs: [1, 2]}\n": `s:4:49: parameters[2].role = fidelity: want one fidelity at most: parameters[1] at line 3 is one`,
		"parameters:\n- " + f + "}\n":                                           `s:2:1: parameters: want at least one with the role action, all are contexts or a fidelity`,
		"parameters:\n- {name: x, type: bool}\n- " + f + ", when: {x: true}}\n": `s:3:79: parameters[1].when.x: want no conditions of a fidelity: f always has a value`,
	} {
		if _, err := Parse("s", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestAParameterMayDependOnAFidelity(t *testing.T) {
	d, err := Parse("s", []byte("parameters:\n- {name: f, type: int, low: 1, high: 9, role: fidelity, costs: [1, 9]}\n- {name: x, type: bool}\n- {name: y, type: bool, when: {f: {at_least: 3}}}\n"))
	if err != nil || !slices.Equal(d.Space.Parameter(0).Costs, []float64{1, 9}) || d.Space.Parameter(0).Role != space.Fidelity {
		t.Errorf("%v, %v", d, err)
	}
}
