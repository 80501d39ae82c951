package spacefile

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/space"
)

func TestFormatWritesOneParameterALine(t *testing.T) {
	const want = `{
  "parameters": [
    {"name":"lr","type":"float","low":0.00001,"high":1,"log":true},
    {"name":"layers","type":"int","low":1,"high":8},
    {"name":"kind","type":"categorical","choices":["<a>","sgd"]},
    {"name":"hour","type":"float","low":0,"high":24,"role":"context"}
  ]
}
`
	s, err := space.New(
		space.LogFloat("lr", 1e-5, 1), space.Int("layers", 1, 8), space.Categorical("kind", "<a>", "sgd"), space.Float("hour", 0, 24).AsContext(),
	)
	if got := string(Format(s)); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
}

// drawParameter draws a parameter that a description can have.
func drawParameter(t *rapid.T, name string) space.Parameter {
	p := space.Parameter{Name: name, Kind: space.Kind(rapid.IntRange(0, 2).Draw(t, "kind")), Role: space.Role(rapid.IntRange(0, 1).Draw(t, "role"))}
	p.Log = p.Kind != space.KindCategorical && rapid.Bool().Draw(t, "log")
	switch p.Kind {
	case space.KindFloat:
		p.Low = rapid.Float64Range(-math.MaxFloat64/2, math.MaxFloat64/4).Draw(t, "low")
		if p.Log {
			p.Low = max(math.Abs(p.Low), math.SmallestNonzeroFloat64)
		}
		p.High = max(rapid.Float64Range(p.Low, math.MaxFloat64/2).Draw(t, "high"), math.Nextafter(p.Low, math.Inf(1)))
	case space.KindInt:
		p.Low = float64(rapid.Int64Range(-1<<52, 1<<52).Draw(t, "low"))
		if p.Log {
			p.Low = max(math.Abs(p.Low), 1)
		}
		p.High = p.Low + float64(rapid.Int64Range(1, maxLevels-1).Draw(t, "more"))
	default:
		choice := rapid.String().Filter(func(s string) bool { return !strings.Contains(s, "\x00") })
		p.Choices = rapid.SliceOfNDistinct(choice, 2, 8, rapid.ID[string]).Draw(t, "choices")
	}
	return p
}

func drawSpace(t *rapid.T) space.Space {
	names := rapid.SliceOfNDistinct(rapid.StringMatching(`[A-Za-z_][A-Za-z0-9_.-]{0,12}`), 1, 6, EnvironmentName).Draw(t, "names")
	var parameters []space.Parameter
	for _, name := range names {
		parameters = append(parameters, drawParameter(t, name))
	}
	parameters[0].Role = space.Action
	s, err := space.New(parameters...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWhatIsFormattedIsParsedToTheBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpace(t)
		text := Format(s)
		again, err := Parse("again", text)
		if err != nil || !same(s, again) {
			t.Fatalf("%s: %v, %+v", text, err, again.Parameters())
		}
		// The YAML parser, which does not see JSON otherwise, must read the same.
		c := &checker{file: "again"}
		root, ok := c.yaml(string(text))
		if !ok || !same(s, c.space(root)) || len(c.found) > 0 {
			t.Fatalf("%s: %v", text, c.found)
		}
	})
}

func TestAListOfPointsIsFormattedByItsParameters(t *testing.T) {
	s, err := space.List([][]float64{{0.5}, {1}}, space.Float("x", math.Copysign(0, -1), 1))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(Format(s)); got != "{\n  \"parameters\": [\n    {\"name\":\"x\",\"type\":\"float\",\"low\":-0,\"high\":1}\n  ]\n}\n" {
		t.Error(got)
	}
}
