package spacefile

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
)

func TestFormatWritesOneParameterALine(t *testing.T) {
	const want = `{
  "parameters": [
    {"name":"lr","type":"float","low":0.00001,"high":1,"log":true},
    {"name":"layers","type":"int","low":1,"high":8},
    {"name":"kind","type":"categorical","choices":["<a>","sgd"]},
    {"name":"width","type":"int","low":8,"high":64,"step":8},
    {"name":"dropout","type":"float","low":0,"high":0.5,"step":0.05},
    {"name":"bias","type":"bool"},
    {"name":"batch","type":"ordered","values":[16,32,64]},
    {"name":"hour","type":"float","low":0,"high":24,"role":"context"}
  ]
}
`
	s, err := space.New(
		space.LogFloat("lr", 1e-5, 1), space.Int("layers", 1, 8), space.Categorical("kind", "<a>", "sgd"),
		space.Int("width", 8, 64).Stepped(8), space.Float("dropout", 0, 0.5).Stepped(0.05), space.Bool("bias"), space.Ordered("batch", 16, 32, 64),
		space.Float("hour", 0, 24).AsContext(),
	)
	if got := string(Format(s)); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
}

// drawParameter draws a parameter that a description can have.
func drawParameter(t *rapid.T, name string) space.Parameter {
	p := space.Parameter{Name: name, Kind: space.Kind(rapid.IntRange(0, len(kinds)-1).Draw(t, "kind")), Role: space.Role(rapid.IntRange(0, int(space.Context)).Draw(t, "role"))}
	switch p.Kind {
	case space.KindFloat:
		p.Log = rapid.Bool().Draw(t, "log")
		p.Low = rapid.Float64Range(-math.MaxFloat64/2, math.MaxFloat64/4).Draw(t, "low")
		if p.Log {
			p.Low = max(math.Abs(p.Low), 2.3e-308) // the least that space takes
		}
		if p.High = rapid.Float64Range(p.Low, math.MaxFloat64/2).Draw(t, "high"); p.Log && p.High > p.Low {
			p.High = max(p.High, 1.001*p.Low) // logarithms that hardly differ are refused
		}
	case space.KindInt:
		p.Log = rapid.Bool().Draw(t, "log")
		p.Low = float64(rapid.Int64Range(-1<<52, 1<<52).Draw(t, "low"))
		if p.Log {
			p.Low = min(max(math.Abs(p.Low), 1), 1<<42) // greater ones are refused
		}
		p.High = p.Low + float64(rapid.Int64Range(0, maxLevels-1).Draw(t, "more"))
	case space.KindCategorical:
		choice := rapid.String().Filter(func(s string) bool { return !strings.Contains(s, "\x00") })
		p.Choices = rapid.SliceOfNDistinct(choice, 1, 8, rapid.ID[string]).Draw(t, "choices")
	case space.KindOrdered:
		values := rapid.SliceOfNDistinct(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64), 1, 8, rapid.ID[float64]).Draw(t, "values")
		p.Values = space.Ordered(name, values...).Values
	}
	if stepped := p.Stepped(p.High - p.Low); rapid.Bool().Draw(t, "stepped") {
		if stepped.Step /= float64(rapid.IntRange(1, 1000).Draw(t, "steps")); p.Kind == space.KindInt {
			stepped.Step = max(math.Floor(stepped.Step), 1)
		}
		if stepped.Validate(name) == nil {
			return stepped
		}
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
	last := len(parameters) - 1
	costs := rapid.SliceOfN(rapid.Float64Range(math.SmallestNonzeroFloat64, math.MaxFloat64), 2, 8).Draw(t, "costs")
	if p := parameters[last].AsFidelity(costs...); last > 0 && p.Validate(p.Name) == nil {
		parameters[last] = p
	}
	return must.Get(space.New(parameters...))(t)
}

func TestWhatIsFormattedIsParsedToTheBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpace(t)
		text := Format(s)
		again, err := Parse("again", text)
		if err != nil || !same(s, again.Space) {
			t.Fatalf("%s: %v, %+v", text, err, again.Space.Parameters())
		}
		// The YAML parser, which does not see JSON otherwise, must read the same.
		c := &checker{file: "again"}
		root, ok := c.yaml(string(text))
		if !ok || !same(s, c.description(root).Space) || len(c.found) > 0 {
			t.Fatalf("%s: %v", text, c.found)
		}
	})
}

func TestAListOfPointsIsFormattedByItsParameters(t *testing.T) {
	s := must.Get(space.List([]space.Point{{0.5}, {1}}, space.Float("x", math.Copysign(0, -1), 1)))(t)
	if got := string(Format(s)); got != "{\n  \"parameters\": [\n    {\"name\":\"x\",\"type\":\"float\",\"low\":-0,\"high\":1}\n  ]\n}\n" {
		t.Error(got)
	}
}
