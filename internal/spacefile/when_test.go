package spacefile

import (
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/space"
)

const conditionalYAML = `parameters:
  - {name: beta, type: float, low: 0.8, high: 1, when: {kind: adam}}
  - {name: kind, type: categorical, choices: [adam, sgd, 3]}
  - {name: nesterov, type: bool, when: {kind: [sgd, 3]}}
  - {name: momentum, type: float, low: 0, high: 1, when: {nesterov: true}}
  - {name: layers, type: int, low: 1, high: 4}
  - {name: width2, type: int, low: 1, high: 8, when: {layers: {at_least: 2}, batch: [+32, 64.0]}}
  - {name: batch, type: ordered, values: [16, 32, 64]}
`

func TestConditionsAreRead(t *testing.T) {
	s := parsed(t, "space.yaml", conditionalYAML)
	want := [][]space.Condition{
		{{Parent: "kind", Values: []string{"adam"}}}, nil, {{Parent: "kind", Values: []string{"sgd", "3"}}},
		{{Parent: "nesterov", Values: []string{"true"}}}, nil, {{Parent: "layers", AtLeast: 2}, {Parent: "batch", Values: []string{"32", "64"}}}, nil,
	}
	same := func(a, b space.Condition) bool {
		return a.Parent == b.Parent && slices.Equal(a.Values, b.Values) && (a.Values == nil) == (b.Values == nil) && a.AtLeast == b.AtLeast
	}
	for i, p := range s.Parameters() {
		if !slices.EqualFunc(p.Conditions, want[i], same) {
			t.Errorf("%s: %+v, want %+v", p.Name, p.Conditions, want[i])
		}
	}
	again := parsed(t, "space.json", string(Format(s)))
	if a, b := string(Format(s)), string(Format(again)); a != b {
		t.Errorf("%s\nbecame\n%s", a, b)
	}
}

func TestEveryWrongConditionIsNamedAtItsPlace(t *testing.T) {
	const text = `parameters:
  - {name: a, type: categorical, choices: [x, y], when: {b: true}}
  - {name: b, type: bool, when: {c: 1}}
  - {name: c, type: int, low: 1, high: 3, when: {a: x}}
  - {name: d, type: float, low: 0, high: 1, when: {kin: z}}
  - {name: kind, type: categorical, choices: [z, w]}
  - {name: e, type: float, low: 0, high: 1, when: {kind: [z, v], d: 3}}
  - {name: f, type: float, low: 0, high: 1, when: {c: {at_least: 9}}}
  - {name: g, type: float, low: 0, high: 1, when: {f: 0.5, g: 1}}
  - {name: h, type: bool, role: context, when: {kind: z}}
  - {name: i, type: bool, when: kind}
  - {name: j, type: bool, when: {b: "true", c: [1, 9], kind: []}}
  - {name: k, type: bool, when: {c: {atleast: 2}}}
  - {name: l, type: float, low: 2, high: 1, when: {kind: {at_least: 1}}}
  - {name: m, type: bool, when: {}}
`
	const want = `space.yaml:2:58: parameters[0].when.b: want conditions without a circle: a on b on c on a
space.yaml:5:52: parameters[3].when.kin: want the name of another parameter: did you mean kind?
space.yaml:7:62: parameters[5].when.kind = v: want a value of kind: one of z, w
space.yaml:7:66: parameters[5].when.d: want a discrete parameter, not a float without a step
space.yaml:8:66: parameters[6].when.c.at_least = 9: want at most the greatest value of c, which is a whole number in 1 … 3
space.yaml:9:52: parameters[7].when.f: want a discrete parameter, not a float without a step
space.yaml:9:60: parameters[7].when.g: want the name of another parameter, not its own
space.yaml:10:49: parameters[8].when.kind: want no conditions of a context: h always has a value
space.yaml:11:33: parameters[9].when = kind: want an object with the values of other parameters, as in {kind: adam}, {kind: [adam, sgd]} or {layers: {at_least: 2}}
space.yaml:12:37: parameters[10].when.b = "true": want true or false, not text: without the quotes
space.yaml:12:52: parameters[10].when.c = 9: want a value of c: a whole number in 1 … 3
space.yaml:12:62: parameters[10].when.kind: want 1 to 4096 values, not 0
space.yaml:13:38: parameters[11].when.c.atleast: unknown field: did you mean at_least? (want at_least)
space.yaml:14:42: parameters[12].high = 1: want a number of at least low = 2
space.yaml:14:69: parameters[12].when.kind.at_least = 1: want some values of kind, which has no numbers: z, w
space.yaml:15:33: parameters[13].when: want at least one parameter with its values, as in {kind: adam}`
	_, err := Parse("space.yaml", []byte(text))
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	checkError(t, err, text)
}

func TestConditionsInACircleOrThatNeverHoldAreNamed(t *testing.T) {
	const text = `parameters:
  - {name: a, type: categorical, choices: [x, y], when: {b: true}}
  - {name: b, type: bool, when: {c: 1}}
  - {name: c, type: int, low: 1, high: 3, when: {a: x}}
`
	const want = `space.yaml:2:58: parameters[0].when.b: want conditions without a circle: a on b on c on a`
	if _, err := Parse("space.yaml", []byte(text)); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	const never = `parameters:
  - {name: kind, type: categorical, choices: [x, y]}
  - {name: b, type: bool, when: {kind: x}}
  - {name: c, type: int, low: 1, high: 3, when: {b: true, kind: y}}
`
	const neverHolds = `space.yaml:4:50: parameters[2].when: want conditions that can hold together: no value of kind allows all of them`
	if _, err := Parse("space.yaml", []byte(never)); err == nil || err.Error() != neverHolds {
		t.Errorf("got\n%v\nwant\n%s", err, neverHolds)
	}
}
