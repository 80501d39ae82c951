package space

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
)

func TestASpaceAsJSONCanBeReadByAPerson(t *testing.T) {
	s := must.Get(New(LogFloat("learning rate", 1e-5, 1), Int("layers", 1, 8), Categorical("opt", "adam", "<sgd>"), Float("hour", 0, 24).AsContext()))(t)
	text, err := s.MarshalJSON()
	want := `{"parameters":[{"name":"learning rate","type":"float","low":0.00001,"high":1,"log":true},` +
		`{"name":"layers","type":"int","low":1,"high":8},` +
		`{"name":"opt","type":"categorical","choices":["adam","<sgd>"]},` +
		`{"name":"hour","type":"float","role":"context","low":0,"high":24}]}`
	if err != nil || string(text) != want {
		t.Errorf("%v\n got %s\nwant %s", err, text, want)
	}
	newer, err := New(Float("dropout", 0, 0.5).Stepped(0.05), Int("width", 8, 64).Stepped(8), Bool("bias"), Ordered("batch", 32, 16, 64), Float("fixed", 3, 3))
	if err != nil {
		t.Fatal(err)
	}
	text, err = newer.MarshalJSON()
	want = `{"parameters":[{"name":"dropout","type":"float","low":0,"high":0.5,"step":0.05},{"name":"width","type":"int","low":8,"high":64,"step":8},` +
		`{"name":"bias","type":"bool"},{"name":"batch","type":"ordered","values":[16,32,64]},{"name":"fixed","type":"float","low":3,"high":3}]}`
	if err != nil || string(text) != want {
		t.Errorf("%v\n got %s\nwant %s", err, text, want)
	}
	list, err := List([]Point{{0.1}, {math.Copysign(0, -1)}}, Float("x", -1, 1), Float("z", 0, 1).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	text, err = list.MarshalJSON()
	want = `{"parameters":[{"name":"x","type":"float","low":-1,"high":1},{"name":"z","type":"float","role":"context","low":0,"high":1}],"points":[[0.1],[-0]]}`
	if err != nil || string(text) != want {
		t.Errorf("%v\n got %s\nwant %s", err, text, want)
	}
}

// drawParameter draws any parameter that New allows, with the fields that its kind does not use as well.
func drawParameter(t *rapid.T, name string) Parameter {
	low := rapid.Float64Range(-1e300, 1e300).Draw(t, "low")
	high := math.Nextafter(low, math.Inf(1)) + rapid.Float64Range(0, 1e300).Draw(t, "width")
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		return Float(name, low, high)
	case 1:
		return LogFloat(name, max(math.Abs(low), 0x1p-1022), 2*math.Abs(low)+1)
	case 2:
		return Int(name, -3, rapid.IntRange(-3, 1<<30).Draw(t, "top"))
	case 3:
		return Categorical(name, "a"+rapid.String().Draw(t, "choice"), "b")
	case 4:
		p := Categorical(name, "")
		p.Low, p.High = low, high
		return p
	case 5:
		return Float(name, low, low)
	case 6:
		return Bool(name)
	case 7:
		return Ordered(name, rapid.SliceOfNDistinct(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64), 1, 9, rapid.ID[float64]).Draw(t, "values")...)
	case 8:
		step := rapid.IntRange(1, 20).Draw(t, "step")
		return Int(name, -7, rapid.IntRange(-7+step, 1<<30).Draw(t, "top")).Stepped(float64(step))
	}
	return drawStepped(t, name)
}

// drawStepped draws a float with a step: short decimals, long ones, and those of any size.
func drawStepped(t *rapid.T, name string) Parameter {
	digits := float64(rapid.IntRange(1, 1<<rapid.IntRange(1, 50).Draw(t, "bits")).Draw(t, "digits"))
	step := digits * math.Pow10(rapid.IntRange(-30, 30).Draw(t, "exponent"))
	low := step * float64(rapid.IntRange(-1000, 1000).Draw(t, "first")) / float64(rapid.SampledFrom([]int{1, 1, 10, 3}).Draw(t, "part"))
	return Float(name, low, low+step*(1+rapid.Float64Range(0, 1e4).Draw(t, "levels"))).Stepped(step)
}

// drawSpace draws any space that New and List allow.
func drawSpace(t *rapid.T) Space {
	n := rapid.IntRange(1, 5).Draw(t, "dim")
	parameters := make([]Parameter, n)
	for i := range parameters {
		parameters[i] = drawParameter(t, rapid.StringN(1, 8, -1).Draw(t, "name")+string(rune('a'+i)))
		if i > 0 && rapid.Bool().Draw(t, "context") {
			parameters[i] = parameters[i].AsContext()
		}
	}
	s, err := New(parameters...)
	if err != nil {
		t.Fatal(err)
	}
	if !rapid.Bool().Draw(t, "list") {
		return s
	}
	points := make([]Point, rapid.IntRange(1, 6).Draw(t, "points"))
	for k := range points {
		for _, i := range s.Actions() {
			points[k] = append(points[k], s.Parameter(i).Value(rapid.Float64Range(0, 1).Draw(t, "u")))
		}
	}
	if s, err = List(points, parameters...); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestASpaceComesBackFromJSONAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpace(t)
		text := must.Get(json.Marshal(s))(t)
		var back Space
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if !reflect.DeepEqual(s, back) {
			t.Fatalf("%+v became %+v by way of %s", s, back, text)
		}
		again, err := json.Marshal(back)
		if err != nil || string(again) != string(text) {
			t.Fatalf("%v: %s, then %s", err, text, again)
		}
	})
}

// A field of Parameter that the JSON forgets is found here.
func TestEveryFieldOfAParameterIsWritten(t *testing.T) {
	fields := reflect.TypeFor[Parameter]().NumField()
	s, err := New(Parameter{Name: "x", Kind: KindCategorical, Role: Context, Low: 1, High: 2, Choices: []string{"a", "b"}},
		LogFloat("y", 1, 2).When("x", "b").WhenAtLeast("o", 2), Float("z", 0, 1).Stepped(0.1), Ordered("o", 1, 2), Int("e", 1, 9).AsFidelity(1, 9))
	if err != nil {
		t.Fatal(err)
	}
	for i := range fields {
		if !slices.ContainsFunc(s.Parameters(), func(p Parameter) bool { return !reflect.ValueOf(p).Field(i).IsZero() }) {
			t.Errorf("%s: this test must give it a value", reflect.TypeFor[Parameter]().Field(i).Name)
		}
	}
	text := must.Get(s.MarshalJSON())(t)
	var back Space
	if err := back.UnmarshalJSON(text); err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("%v: %+v became %+v", err, s, back)
	}
}

func TestJSONThatIsNoSpaceIsRefused(t *testing.T) {
	kept := must.Get(New(Float("kept", 0, 1)))(t)
	for text, want := range map[string]string{
		`{"parameters":[]}`: "Space.Parameters",
		`{"parameters":[{"name":"x","type":"float","low":1,"high":0}]}`:                "Space.Parameters[0].High",
		`{"parameters":[{"name":"x","type":"float","low":1}]}`:                         "want both",
		`{"parameters":[{"name":"x","type":"real","low":0,"high":1}]}`:                 `type = "real"`,
		`{"parameters":[{"name":"x","type":"float","role":"boss","low":0,"high":1}]}`:  `role = "boss"`,
		`{"parameters":[{"name":"x","type":"float","low":0,"high":1,"prior":"beta"}]}`: `"prior"`,
		`{"parameters":[{"name":"x","type":"float","low":0,"high":1}],"points":[]}`:    "Space.Points",
		`{"parameters":[{"name":"x","type":"float","low":0,"high":1}],"points":[[2]]}`: "Space.Points[0][0]",
		`{"parameters":[{"name":"x","type":"float","low":0,"high":1}]} 3`:              "follows",
		`[`: "JSON",
		`{"parameters":[{"name":"x","type":"categorical","choices":[]}]}`:                                                  "Choices",
		`{"parameters":[{"name":"x","type":"ordered"}]}`:                                                                   "Values = []: want at least one number",
		`{"parameters":[{"name":"x","type":"ordered","values":[2,1]}]}`:                                                    "Values[1] = 1",
		`{"parameters":[{"name":"x","type":"bool","step":1}]}`:                                                             "Step = 1",
		`{"parameters":[{"name":"x","type":"float","low":0,"high":1,"step":2}]}`:                                           "Step = 2",
		`{"parameters":[{"name":"x","type":"bool","low":0}]}`:                                                              "want both",
		`{"parameters":[{"name":"x","type":"float","low":0,"high":1e999}]}`:                                                "JSON",
		`{"parameters":[{"name":"x","type":"categorical","choices":["a","b"],"high":1}]}`:                                  "want both",
		`{"parameters":[{"name":"x","type":"float","role":"context","low":0,"high":1}]}`:                                   "role Action",
		`{"parameters":[{"name":"x","type":"int","low":0.5,"high":2}],"points":[[1],[2]]}`:                                 "whole number",
		`{"parameters":[{"name":"x","type":"float","low":0,"high":1}],"points":[[0],[0, 1]]}`:                              "coordinates",
		`{"parameters":[{"name":"x","type":"bool"},{"name":"y","type":"bool","when":[{"parent":"x"}]}]}`:                   "either values or at_least",
		`{"parameters":[{"name":"x","type":"bool"},{"name":"y","type":"bool","when":[{"parent":"z","values":["true"]}]}]}`: "Conditions[0].Parent = z",
	} {
		s := kept
		if err := s.UnmarshalJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || !reflect.DeepEqual(s, kept) {
			t.Errorf("%s: error %v, want one with %q, and the space as before", text, err, want)
		}
	}
	if err := new(Space).UnmarshalJSON([]byte(`{"parameters":[{"name":"","type":"float","low":0,"high":1}]}`)); !errors.Is(err, check.ErrInvalidOption) {
		t.Errorf("a violation is %v", err)
	}
	if _, err := (Space{}).MarshalJSON(); err == nil {
		t.Error("an empty space was written")
	}
	broken := must.Get(New(Categorical("x", "a", "b\xff")))(t)
	if text, err := broken.MarshalJSON(); err == nil {
		t.Errorf("a choice that is not UTF-8 was written as %s", text)
	}
}

// What is inactive at a point of a list has no number: JSON has null there, and a point without a value of what is active is refused.
func TestAListWithConditionsComesBackFromJSON(t *testing.T) {
	nan := math.NaN()
	s, err := List([]Point{{0, 0.1, nan}, {1, nan, 0.25}}, Categorical("kind", "a", "b"), Float("x", 0, 1).When("kind", "a"), Float("y", 0, 1).When("kind", "b"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(s)
	if err != nil || !strings.Contains(string(text), `"points":[[0,0.1,null],[1,null,0.25]]`) {
		t.Fatalf("%v: %s", err, text)
	}
	var back Space
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(back.points); got != fmt.Sprint(s.points) || !reflect.DeepEqual(s.unit, back.unit) {
		t.Errorf("%v became %v", s.points, back.points)
	}
	wrong := strings.Replace(string(text), "0.1,null", "null,null", 1)
	if err := json.Unmarshal([]byte(wrong), &back); err == nil || !strings.Contains(err.Error(), "Space.Points[0][1] = NaN") {
		t.Errorf("a point without a value of what is active: %v", err)
	}
}
