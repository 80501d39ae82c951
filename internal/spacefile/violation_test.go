package spacefile

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

const hostileYAML = `parameters:
  - name: lr
    type: flaot
    low: 0.5
    high: 0.1
  - name: 3
    type: categorical
    chioces: [a, a, ~, [b], {c: d}, "e"]
    low: 3
  - {name: a_b, type: float, low: "3", high: 1_000, log: "true", role: contxt}
extra: 1
`

func TestAWrongFileGetsEveryViolationAtOnceInOrder(t *testing.T) {
	const want = `space.yaml:3:11: parameters[0].type = flaot: want float, int, categorical, bool or ordered: did you mean float?
space.yaml:5:11: parameters[0].high = 0.1: want a number of at least low = 0.5
space.yaml:6:11: parameters[1].name = 3: want a name: a letter or _, then letters, digits, _, . and -
space.yaml:8:5: parameters[1].chioces: unknown field: did you mean choices? (want name, type, choices, role, when)
space.yaml:8:18: parameters[1].choices[1] = a: want distinct choices: choices[0] at line 8 is the same
space.yaml:8:21: parameters[1].choices[2] = ~: want text, a number or a boolean: put text in quotes
space.yaml:8:24: parameters[1].choices[3] = a list: want text, a number or a boolean
space.yaml:8:29: parameters[1].choices[4] = an object: want text, a number or a boolean: put text that contains : in quotes
space.yaml:9:5: parameters[1].low: not for the type categorical (want name, type, choices, role, when)
space.yaml:10:35: parameters[2].low = "3": want a number, not text: without the quotes
space.yaml:10:46: parameters[2].high = 1_000: want a number without _
space.yaml:10:58: parameters[2].log = "true": want true or false, not text: without the quotes
space.yaml:10:72: parameters[2].role = contxt: want action, context or fidelity: did you mean context?
space.yaml:11:1: extra: unknown field (want parameters, points, constraints, seeds)`
	_, err := Parse("space.yaml", []byte(hostileYAML))
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	checkError(t, err, hostileYAML)
	var first Violation
	if !errors.As(err, &first) || first.Line != 3 || first.Column != 11 || first.Path != "parameters[0].type" || !errors.Is(first, check.ErrInvalidOption) {
		t.Errorf("the first is %+v", first)
	}
}

// broken are fields of a parameter of a JSON text, which begin at 1:16, and all that is wrong with them.
var broken = []struct{ parameter, want string }{
	{`"name":"x"`, `1:16: parameters[0].type: missing: want float, int, categorical, bool or ordered`},
	{`"type":"float","low":0,"high":1`, `1:16: parameters[0].name: missing: want a name: a letter or _, then letters, digits, _, . and -`},
	{`"name":"x","type":"float"`, `1:16: parameters[0].low: missing: want a number
1:16: parameters[0].high: missing: want a number`},
	{`"name":"x","type":"categorical"`, `1:16: parameters[0].choices: missing: want a list of choices`},
	{`"name":"x","type":"float","low":1,"high":0.9`, `1:58: parameters[0].high = 0.9: want a number of at least low = 1`},
	{`"name":"x","type":"float","low":1,"high":1e999`, `1:58: parameters[0].high = 1e999: want a finite number: at most 1.797e308`},
	{`"name":"x","type":"float","low":-1e308,"high":1e308`, `1:63: parameters[0].high = 1e308: want high − low to be finite`},
	{`"name":"x","type":"float","low":0,"high":1,"log":true`, `1:49: parameters[0].low = 0: want a number > 0, since log is true`},
	{`"name":"x","type":"float","low":0,"high":1,"log":1`, `1:66: parameters[0].log = 1: want true or false`},
	{`"name":"x","type":"float","low":[],"high":{}`, `1:49: parameters[0].low = a list: want a number
1:59: parameters[0].high = an object: want a number`},
	{`"name":"x","type":"float","low":"a","high":null`, `1:49: parameters[0].low = "a": want a number
1:60: parameters[0].high = null: want a number`},
	{`"name":"x","type":"float","low":true,"high":"1\n\""`, `1:49: parameters[0].low = true: want a number
1:61: parameters[0].high = "1\n\"": want a number`},
	{`"name":"x","type":"float","low":0,"high":1,"choices":[]`, `1:60: parameters[0].choices: not for the type float (want name, type, low, high, step, log, role, costs, when)`},
	{`"name":"x","type":"int","low":0.5,"high":1.5`, `1:47: parameters[0].low = 0.5: want a whole number, since type is int
1:58: parameters[0].high = 1.5: want a whole number, since type is int`},
	{`"name":"x","type":"int","low":0,"high":9007199254740994`, `1:56: parameters[0].high = 9007199254740994: want a whole number of at most 2^53 in size`},
	{`"name":"x","type":"int","low":0,"high":1099511627776`, `1:56: parameters[0].high = 1099511627776: want fewer than 2^40 values`},
	{`"name":"x","type":"int","low":0,"high":1,"choices":["a","b"]`, `1:58: parameters[0].choices: not for the type int (want name, type, low, high, step, log, role, costs, when)`},
	{`"name":"x","type":"categorical","choices":[]`, `1:59: parameters[0].choices: want 1 to 4096 choices, not 0`},
	{`"name":"x","type":"categorical","choices":"ab"`, `1:59: parameters[0].choices = "ab": want a list of choices`},
	{`"name":"x","type":"categorical","choices":["1",1]`, `1:64: parameters[0].choices[1] = 1: want distinct choices: choices[0] at line 1 is the same`},
	{`"name":"x","type":"categorical","choices":["a","\u0000"]`, `1:64: parameters[0].choices[1] = "\x00": want text without the character 0: it cannot be in an environment variable`},
	{`"name":"x","type":"categorical","choices":["a","b"],"low":0,"high":1,"log":false`, `1:69: parameters[0].low: not for the type categorical (want name, type, choices, role, when)
1:77: parameters[0].high: not for the type categorical (want name, type, choices, role, when)
1:86: parameters[0].log: not for the type categorical (want name, type, choices, role, when)`},
	{`"name":"x","type":"bool","choices":["no","yes"],"low":0`, `1:42: parameters[0].choices: not for the type bool (want name, type, role, when)
1:65: parameters[0].low: not for the type bool (want name, type, role, when)`},
	{`"name":"x","type":"ordered"`, `1:16: parameters[0].values: missing: want a list of numbers`},
	{`"name":"x","type":"ordered","values":16`, `1:54: parameters[0].values = 16: want a list of numbers`},
	{`"name":"x","type":"ordered","values":[]`, `1:54: parameters[0].values: want 1 to 4096 values, not 0`},
	{`"name":"x","type":"ordered","values":[16,"32",8,null,16.0,1e999,[],-0,0]`, `1:58: parameters[0].values[1] = "32": want a number, not text: without the quotes
1:65: parameters[0].values[3] = null: want a number
1:70: parameters[0].values[4] = 16.0: want distinct values: values[0] at line 1 is the same
1:75: parameters[0].values[5] = 1e999: want a finite number: at most 1.797e308
1:81: parameters[0].values[6] = a list: want a number
1:87: parameters[0].values[8] = 0: want distinct values: values[7] at line 1 is the same`},
	{`"name":"x","type":"ordered","choices":["a"],"step":1,"values":[1]`, `1:45: parameters[0].choices: not for the type ordered (want name, type, values, role, costs, when): did you mean values?
1:61: parameters[0].step: not for the type ordered (want name, type, values, role, costs, when)`},
	{`"name":"x","type":"int","low":1,"high":3,"values":[1]`, `1:58: parameters[0].values: not for the type int (want name, type, low, high, step, log, role, costs, when): a list of numbers has the type ordered`},
	{`"name":"x","type":"categorical","choices":["a"],"values":["b"]`, `1:65: parameters[0].values: not for the type categorical (want name, type, choices, role, when): did you mean choices?`},
	{`"name":"x","type":"float","low":0,"high":1,"step":0`, `1:67: parameters[0].step = 0: want a finite number > 0`},
	{`"name":"x","type":"float","low":0,"high":1,"step":-0.1`, `1:67: parameters[0].step = -0.1: want a finite number > 0`},
	{`"name":"x","type":"float","low":0,"high":1,"step":"0.1"`, `1:67: parameters[0].step = "0.1": want a number, not text: without the quotes`},
	{`"name":"x","type":"float","low":0,"high":1,"step":1.5`, `1:67: parameters[0].step = 1.5: want a number of at most high − low = 1`},
	{`"name":"x","type":"float","low":1,"high":1,"step":0.1`, `1:67: parameters[0].step = 0.1: want none, since low = high`},
	{`"name":"x","type":"float","low":1,"high":2,"log":true,"step":0.1`, `1:78: parameters[0].step = 0.1: want none, since log is set`},
	{`"name":"x","type":"float","low":0,"high":1,"step":1e-13`, `1:67: parameters[0].step = 1e-13: want fewer than 2^40 values`},
	{`"name":"x","type":"float","low":1e16,"high":1.00001e16,"step":0.5`, `1:79: parameters[0].step = 0.5: want a number of at least 8, so that all values between low and high differ`},
	{`"name":"x","type":"float","low":2,"high":1,"step":-1`, `1:58: parameters[0].high = 1: want a number of at least low = 2
1:67: parameters[0].step = -1: want a finite number > 0`},
	{`"name":"x","type":"int","low":0.5,"high":9,"step":2.5`, `1:47: parameters[0].low = 0.5: want a whole number, since type is int
1:67: parameters[0].step = 2.5: want a whole number`},
	{`"name":"x","type":"int","low":0,"high":2199023255552,"step":2`, `1:77: parameters[0].step = 2: want fewer than 2^40 values`},
	{`"name":"x","type":"boolean","step":0,"values":["a"]`, `1:35: parameters[0].type = "boolean": want float, int, categorical, bool or ordered: did you mean bool?
1:52: parameters[0].step = 0: want a finite number > 0
1:64: parameters[0].values[0] = "a": want a number`},
	{`"name":"x","type":"real","low":2,"high":1,"choices":[]`, `1:35: parameters[0].type = "real": want float, int, categorical, bool or ordered
1:57: parameters[0].high = 1: want a number of at least low = 2
1:69: parameters[0].choices: want 1 to 4096 choices, not 0`},
	{`"name":"x","type":1,"low":0,"high":1`, `1:35: parameters[0].type = 1: want float, int, categorical, bool or ordered`},
	{`"name":"x","type":"float","low":0,"high":1,"role":null`, `1:67: parameters[0].role = null: want action, context or fidelity`},
	{`"name":"x","type":"float","low":0,"high":1,"role":"context"`, `1:15: parameters: want at least one with the role action, all are contexts`},
	{`"name":"","type":"float","low":0,"high":1`, `1:24: parameters[0].name = "": want a name: a letter or _, then letters, digits, _, . and -`},
	{`"name":"1x","type":"float","low":0,"high":1`, `1:24: parameters[0].name = "1x": want a name: a letter or _, then letters, digits, _, . and -`},
	{`"name":"é","type":"float","low":0,"hihg":-1`, `1:24: parameters[0].name = "é": want a name: a letter or _, then letters, digits, _, . and -
1:51: parameters[0].hihg: unknown field: did you mean high? (want name, type, low, high, step, log, role, costs, when)
1:58: parameters[0].high = -1: want a number of at least low = 0`},
	{`"name":true,"type":"float","low":0,"high":1`, `1:24: parameters[0].name = true: want text: put it in quotes`},
	{`"name":"x","name":"y","type":"float","low":0,"high":1`, `1:28: parameters[0].name: given twice: first at line 1`},
	{`"name":"x","type":"bool","hihg":2`, `1:42: parameters[0].hihg: unknown field (want name, type, role, when)`},
	{`"name":"x","type":"bool","high":2,"roel":"action"`, `1:42: parameters[0].high: not for the type bool (want name, type, role, when)
1:51: parameters[0].roel: unknown field: did you mean role? (want name, type, role, when)`},
	{`"name":"x","type":"float","low":0,"high":1,"choices_choices_choices_choices_choices_choices":1`, `1:60: parameters[0]["choices_choices_choices_choices_choices_…"]: unknown field (want name, type, low, high, step, log, role, costs, when)`},
	{`"name":"x","type":"float","low":0,"high":1,"Low":0,"a b":0,"":0`, `1:60: parameters[0].Low: unknown field: did you mean low? (want name, type, low, high, step, log, role, costs, when)
1:68: parameters[0]["a b"]: unknown field (want name, type, low, high, step, log, role, costs, when)
1:76: parameters[0][""]: unknown field (want name, type, low, high, step, log, role, costs, when)`},
}

func TestEachViolationHasItsPlaceAndItsWords(t *testing.T) {
	for _, b := range broken {
		want := "s.json:" + strings.ReplaceAll(b.want, "\n", "\ns.json:")
		text := `{"parameters":[{` + b.parameter + `}]}`
		if _, err := Parse("s.json", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
		// The same through the YAML parser, which counts the columns itself.
		c := &checker{file: "s.json"}
		if root, ok := c.yaml(text); ok {
			c.description(root)
		}
		if got := c.found.sorted().Error(); got != want {
			t.Errorf("as YAML %s\ngot  %v\nwant %s", text, got, want)
		}
	}
}

func TestWholeFilesThatAreWrong(t *testing.T) {
	const x = `{"name":"x","type":"float","low":0,"high":1}`
	for text, want := range map[string]string{
		`[]`:                            `s:1:1: a list: want an object with the field parameters`,
		` "x"`:                          `s:1:2: "x": want an object with the field parameters`,
		`{}`:                            `s:1:1: parameters: missing: want a list of parameters`,
		"# nothing\n":                   `s:1:1: empty: want an object with the field parameters`,
		"---\n...\n":                    `s:1:1: empty: want an object with the field parameters`,
		`{"parameters":{}}`:             `s:1:15: parameters = an object: want a list of parameters`,
		`parameters:`:                   `s:1:13: parameters = nothing: want a list of parameters`,
		`{"parameters":[]}`:             `s:1:15: parameters: want 1 to 1000 parameters, not 0`,
		"{\"paramters\":[\n]}":          "s:1:2: paramters: unknown field: did you mean parameters? (want parameters, points, constraints, seeds)\ns:1:14: parameters: want 1 to 1000 parameters, not 0",
		`{"parameters":[1, ` + x + `]}`: `s:1:16: parameters[0] = 1: want an object with the fields name, type, low, high, step, log, choices, values, role, costs, when`,
		"{\"parameters\":[\n" + x + ",\n" + x + "]}": `s:3:9: parameters[1].name = x: want distinct names: parameters[0] at line 2 has the same`,
		"{\"parameters\":[\n" + x + ",\n" + strings.Replace(x, "x", "X", 1) + ",\n" + strings.Replace(x, "x", "X", 1) + "]}": `s:3:9: parameters[1].name = X: want another name: its environment variable TARRY_X is that of x at line 2
s:4:9: parameters[2].name = X: want distinct names: parameters[1] at line 3 has the same`,
		"{\"parameters\":[" + x + "],\n\"parameters\":[]}": `s:2:1: parameters: given twice: first at line 1`,
	} {
		if _, err := Parse("s", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", text, err, want)
		}
	}
}

func TestTooManyOfSomethingIsRefused(t *testing.T) {
	var parameters, choices []string
	for i := range space.MaxDim + 1 {
		parameters = append(parameters, fmt.Sprintf(`{"name":"x%d","type":"int","low":0,"high":1}`, i))
	}
	for i := range maxChoices + 1 {
		choices = append(choices, fmt.Sprint(i))
	}
	whole := func(parameters ...string) string { return `{"parameters":[` + strings.Join(parameters, ",") + "]}" }
	categorical := func(choices ...string) string {
		return whole(`{"name":"c","type":"categorical","choices":[` + strings.Join(choices, ",") + "]}")
	}
	for text, want := range map[string]string{
		whole(append(parameters, "1")...):     "s:1:15: parameters: want 1 to 1000 parameters, not 1002",
		categorical(append(choices, "[]")...): "s:1:59: parameters[0].choices: want 1 to 4096 choices, not 4098",
	} {
		if _, err := Parse("s", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	parsed(t, "s", whole(parameters[:space.MaxDim]...))
	parsed(t, "s", categorical(choices[:maxChoices]...))
}

func TestWhatTheSpaceObjectsToHasThePlaceOfTheParameter(t *testing.T) {
	c := &checker{file: "s"}
	c.built([]entry{
		{Parameter: space.Float("x", 0, 1), at: place{2, 3}},
		{Parameter: space.Float("x", 2, 1).AsContext(), at: place{4, 5}},
		{Parameter: space.Float("", 0, 1), at: place{6, 7}},
	}, place{1, 1})
	const want = `s:4:5: parameters[1].high = 1: want a number of at least Low = 2
s:4:5: parameters[1].name = x: want distinct names
s:6:7: parameters[2].name = "": want a name`
	if got := c.found.sorted().Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	c = &checker{file: "s"}
	if c.built(nil, place{1, 1}); c.found.Error() != "s:1:1: parameters = 0: want 1 ≤ Parameters ≤ 1000" {
		t.Error(c.found)
	}
}
