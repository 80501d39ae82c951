package command

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
)

func mustSpace(t testing.TB, parameters ...space.Parameter) space.Space {
	t.Helper()
	return must.Get(space.New(parameters...))(t)
}

func trainSpace(t testing.TB) space.Space {
	return mustSpace(t, space.LogFloat("lr", 1e-6, 1), space.Int("layers", 1, 8), space.Categorical("kind", "adam", "sgd"))
}

func TestPlaceholdersBecomeValues(t *testing.T) {
	for _, c := range []struct{ written, want string }{
		{"--lr={lr}", "--lr=1e-05"},
		{"{lr},{layers},{kind}", "1e-05,3,sgd"},
		{"{evaluation}.{attempt}", "17.2"},
		{"{parameters}", "/runs/p.json"},
		{"{{lr}}", "{lr}"},
		{"{{{lr}}}", "{1e-05}"},
		{`{{"lr": {lr}}}`, `{"lr": 1e-05}`},
		{"a}b", "a}b"},
		{"{{}", "{}"},
		{"{layers}}", "3}"},
		{"ä{kind}ö", "äsgdö"},
		{"\xff{kind}", "\xffsgd"},
		{"", ""},
	} {
		tpl, err := ParseTemplate([]string{"./{kind}.sh", c.written}, trainSpace(t))
		if err != nil {
			t.Errorf("%q: %v", c.written, err)
			continue
		}
		got := tpl.Expand([]float64{1e-5, 3, 1}, 17, 2, "/runs/p.json")
		if want := []string{"./sgd.sh", c.want}; !slices.Equal(got, want) {
			t.Errorf("%q became %q, want %q", c.written, got, want)
		}
	}
}

func TestEveryWrongPlaceholderIsReportedAtOnce(t *testing.T) {
	_, err := ParseTemplate([]string{"train", "--lr={rl}", "ü{layer} {Kind}", "{lr", "{}", "awk '{print $1}'"}, trainSpace(t))
	if !errors.Is(err, check.ErrInvalidOption) {
		t.Fatalf("%v is not ErrInvalidOption", err)
	}
	for _, want := range []string{
		`command[1] = "--lr={rl}": want a known name in place of {rl} at position 6; did you mean {lr}? (known: lr, layers, kind, evaluation, attempt, parameters; a literal { is written {{)`,
		`command[2] = "ü{layer} {Kind}": want a known name in place of {layer} at position 2; did you mean {layers}?`,
		`in place of {Kind} at position 10; did you mean {kind}?`,
		`command[3] = "{lr": want the { at position 1 to be closed by }`,
		`in place of {} at position 1 (known`,
		`in place of {print $1} at position 6 (known`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in\n%v", want, err)
		}
	}
	if n := strings.Count(err.Error(), "\n") + 1; n != 6 {
		t.Errorf("%d violations, want 6:\n%v", n, err)
	}
	script := "awk 'BEGIN {\n" + strings.Repeat("print; ", 10_000) + "}'"
	if _, err := ParseTemplate([]string{"sh", "-c", script}, trainSpace(t)); err == nil || len(err.Error()) > 1000 || strings.Contains(err.Error(), "\n") {
		t.Errorf("a long script: %v", err)
	}
	for _, args := range [][]string{nil, {}, {"", "{lr}"}} {
		if _, err := ParseTemplate(args, trainSpace(t)); !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("%q: %v", args, err)
		}
	}
}

func TestHintsListNoMoreThanTwentyNames(t *testing.T) {
	var parameters []space.Parameter
	for i := range 100 {
		parameters = append(parameters, space.Float("p"+strconv.Itoa(i), 0, 1))
	}
	_, err := ParseTemplate([]string{"{nothing like it}"}, mustSpace(t, parameters...))
	if err == nil || !strings.Contains(err.Error(), "p19 and 83 more;") || strings.Contains(err.Error(), "did you mean") {
		t.Error(err)
	}
}

func TestAParameterGoesBeforeAnExtraOfItsName(t *testing.T) {
	s := mustSpace(t, space.Int("attempt", 5, 9), space.Float("parameters", 0, 1))
	tpl := must.Get(ParseTemplate([]string{"{attempt}", "{parameters}", "{evaluation}"}, s))(t)
	if got := tpl.Expand([]float64{7, 0.5}, 3, 1, "file"); !slices.Equal(got, []string{"7", "0.5", "3"}) {
		t.Errorf("expanded to %q", got)
	}
}

func TestPrintedNumbersAreTheNumbers(t *testing.T) {
	one := mustSpace(t, space.Float("p", 0, 1))
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		p := space.Float("p", math.Inf(-1), math.Inf(1))
		s := format(p, v)
		if got, err := strconv.ParseFloat(s, 64); err != nil || got != v {
			t.Fatalf("%v printed as %q is read as %v, %v", v, s, got, err)
		}
		var back map[string]float64
		if err := json.Unmarshal(parametersJSON(one, []float64{v}), &back); err != nil || back["p"] != v {
			t.Fatalf("%v is %v in JSON, %v", v, back, err)
		}
	})
	for v, want := range map[float64]string{1e15: "1000000000000000", -3: "-3", math.Copysign(0, -1): "0", 1 << 60: "1152921504606846976", 1e22: "10000000000000000000000"} {
		if got := format(space.Parameter{Kind: space.KindInt}, v); got != want {
			t.Errorf("the whole number %v is printed as %s", v, got)
		}
	}
}

func TestParametersAreWrittenInTheirOrder(t *testing.T) {
	s := mustSpace(t, space.Float("lr", 0, 1), space.Int("layers", 1, 8), space.Categorical(`k"<`, "a\n&", "b"))
	if got, want := string(parametersJSON(s, []float64{0.01, 3, 0})), `{"lr":0.01,"layers":3,"k\"<":"a\n&"}`+"\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestTheEnvironmentHasAVariableForEachParameter(t *testing.T) {
	s := mustSpace(t, space.Float("learning rate-2", 0, 1), space.Categorical("größe", "a b", "c"))
	got := environment(s, []float64{0.5, 0}, 17, 2, "/runs/000017.2")
	for _, want := range []string{
		"TARRY_LEARNING_RATE_2=0.5", "TARRY_GRÖßE=a b", "TARRY_EVALUATION=17", "TARRY_ATTEMPT=2", "TARRY_LOG_DIR=/runs/000017.2",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing in %q", want, got)
		}
	}
}

func TestVariablesThatCollideAreNotSet(t *testing.T) {
	s := mustSpace(t, space.Float("a-b", 0, 1), space.Float("a_b", 0, 1), space.Float("attempt", 0, 1), space.Float("log_dir", 0, 1))
	got := environment(s, []float64{0, 0, 0.25, 0}, 1, 1, "/f")
	var names []string
	for _, entry := range got {
		name, _, _ := strings.Cut(entry, "=")
		names = append(names, name)
	}
	slices.Sort(names)
	if want := []string{"TARRY_ATTEMPT", "TARRY_EVALUATION", "TARRY_LOG_DIR", "TARRY_PARAMETERS"}; !slices.Equal(names, want) {
		t.Errorf("variables %q, want %q", names, want)
	}
	if !slices.Contains(got, "TARRY_ATTEMPT=0.25") || !slices.Contains(got, "TARRY_LOG_DIR=/f") {
		t.Errorf("%q", got)
	}
}

func TestAPointOfTheWrongLengthPanics(t *testing.T) {
	tpl := must.Get(ParseTemplate([]string{"train"}, trainSpace(t)))(t)
	defer func() {
		if p := recover(); p != "command: a point with 1 entries for 3 parameters" {
			t.Errorf("panicked with %v", p)
		}
	}()
	tpl.Expand([]float64{1}, 1, 1, "")
}
