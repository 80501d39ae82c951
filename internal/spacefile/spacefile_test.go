package spacefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
)

const exampleJSON = `{"parameters":[
  {"name":"lr","type":"float","low":1e-5,"high":1,"log":true},
  {"name":"layers","type":"int","low":1,"high":8},
  {"name":"kind","type":"categorical","choices":["adam","sgd"]},
  {"name":"hour","type":"float","low":0,"high":24,"role":"context"}]}
`

const exampleYAML = `# the same
parameters:
  - name: lr
    type: float
    low: 1e-5
    high: 1
    log: true
  - {name: layers, type: int, low: 1, high: 8}
  - name: kind
    type: categorical
    choices:
      - adam # a comment
      - "sgd"
  -
    name: hour
    type: float
    low: 0
    high: 24
    role: context
`

func parsed(t *testing.T, name, text string) space.Space {
	t.Helper()
	d, err := Parse(name, []byte(text))
	if err != nil {
		t.Fatalf("%s:\n%v", text, err)
	}
	return d.Space
}

func TestTheExampleIsTheSameInJSONAndInYAML(t *testing.T) {
	want, err := space.New(
		space.LogFloat("lr", 1e-5, 1), space.Int("layers", 1, 8), space.Categorical("kind", "adam", "sgd"), space.Float("hour", 0, 24).AsContext(),
	)
	if err != nil {
		t.Fatal(err)
	}
	tabs := strings.ReplaceAll(exampleJSON, "  {", "\t{")
	windows := strings.NewReplacer("\n", "\r\n")
	for _, c := range []struct{ name, text string }{
		{"space.json", exampleJSON},
		{"space.yaml", exampleYAML},
		{"JSON in YAML", exampleJSON},
		{"space.JSON", tabs},
		{"space.yml", tabs},
		{"byte order mark.json", "\ufeff" + exampleJSON},
		{"byte order mark.yaml", "\ufeff" + exampleYAML},
		{"windows.json", windows.Replace(tabs)},
		{"windows.yaml", windows.Replace(exampleYAML)},
		{"old mac.yaml", strings.ReplaceAll(exampleYAML, "\n", "\r")},
		{"markers.yaml", "# before\n---\n" + exampleYAML + "...\n# after\n"},
	} {
		if s := parsed(t, c.name, c.text); !same(s, want) {
			t.Errorf("%s: %+v", c.name, s.Parameters())
		}
	}
}

func TestJSONGoesThroughTheYAMLParserUnchanged(t *testing.T) {
	c := &checker{file: "space.yaml"}
	root, ok := c.yaml(exampleJSON)
	if s := c.description(root).Space; !ok || len(c.found) > 0 || !same(s, parsed(t, "space.json", exampleJSON)) {
		t.Errorf("%v, %+v", c.found, s.Parameters())
	}
}

func TestChoicesAreWhatWasWritten(t *testing.T) {
	const yaml = "parameters: [{name: c, type: categorical, choices: [1e-3, yes, no, on, off, true, False, 1.0, 007, 1_000, 'a b', \"\\u00e9\\n\", '', .inf, 'a:b', é]}]"
	want := []string{"1e-3", "yes", "no", "on", "off", "true", "False", "1.0", "007", "1_000", "a b", "é\n", "", ".inf", "a:b", "é"}
	if got := parsed(t, "space.yaml", yaml).Parameter(0).Choices; strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q, want %q", got, want)
	}
	const json = `{"parameters": [{"name": "c", "type": "categorical", "choices": [1e-3, "yes", true, false, 1.0, -0, "\ud83d\ude00", "null"]}]}`
	want = []string{"1e-3", "yes", "true", "false", "1.0", "-0", "😀", "null"}
	if got := parsed(t, "space.json", json).Parameter(0).Choices; strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestNumbersOfYAMLAreDecimal(t *testing.T) {
	for text, want := range map[string]float64{
		"1e-5": 1e-5, "1.0e-5": 1e-5, ".5": 0.5, "-.5": -0.5, "5.": 5, "+2": 2, "1E2": 100, "1e+2": 100, "-0": 0, "0.1": 0.1, "0": 0, "1e-999": 0,
	} {
		s := parsed(t, "space.yaml", "parameters:\n- name: x\n  type: float\n  low: "+text+"\n  high: 1000\n")
		if got := s.Parameter(0).Low; got != want {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
}

func TestWhatReadersOfYAMLDisagreeOnIsNoNumber(t *testing.T) {
	for text, want := range map[string]string{
		".inf": "a finite number", "-.INF": "a finite number", ".NaN": "a finite number", "1e999": "a finite number: at most 1.797e308",
		"1_000": "a number without _", "010": "a number without leading zeros", "-01.5": "a number without leading zeros",
		"0x1F": "a decimal number", "0o17": "a decimal number", "0b11": "a decimal number",
		"'3'": "a number, not text: without the quotes", "1:30": "a number", "1,5": "a number", "~": "a number", "yes": "a number", "_1": "a number", "1e": "a number",
	} {
		_, err := Parse("s", []byte("parameters:\n- name: x\n  type: float\n  low: "+text+"\n  high: 1000\n"))
		shown := strings.ReplaceAll(text, "'", "\"")
		if err == nil || err.Error() != "s:4:8: parameters[0].low = "+shown+": want "+want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWholeNumbersMayHaveExponents(t *testing.T) {
	s := parsed(t, "space.json", `{"parameters": [{"name": "n", "type": "int", "low": 1.0, "high": 1e3, "log": true}]}`)
	if p := s.Parameter(0); p.Low != 1 || p.High != 1000 || !p.Log {
		t.Errorf("%+v", p)
	}
}

// everyKind is a description with a parameter of every kind; in YAML with numbers as people write them.
const everyKind = `parameters:
- {name: rate, type: float, low: 1e-5, high: 1, log: true}
- {name: dropout, type: float, low: 0, high: 0.5, step: 0.05}
- {name: layers, type: int, low: 1, high: 8}
- {name: width, type: int, low: 8, high: 70, step: 8}
- {name: kind, type: categorical, choices: [adam, sgd]}
- {name: bias, type: bool}
- {name: batch, type: ordered, values: [128, 16, 32, 64]}
- {name: momentum, type: float, low: 0.9, high: .9}
- {name: seed, type: int, low: 7, high: 7}
- {name: data, type: categorical, choices: [digits]}
- {name: hour, type: int, low: 6, high: 6, role: context}
`

func TestEveryKindIsRead(t *testing.T) {
	want, err := space.New(space.LogFloat("rate", 1e-5, 1), space.Float("dropout", 0, 0.5).Stepped(0.05), space.Int("layers", 1, 8),
		space.Int("width", 8, 70).Stepped(8), space.Categorical("kind", "adam", "sgd"), space.Bool("bias"), space.Ordered("batch", 16, 32, 64, 128),
		space.Float("momentum", 0.9, 0.9), space.Int("seed", 7, 7), space.Categorical("data", "digits"), space.Int("hour", 6, 6).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	s := parsed(t, "space.yaml", everyKind)
	if !same(s, want) || !same(parsed(t, "space.json", string(Format(s))), want) {
		t.Errorf("%+v\n%s", s.Parameters(), Format(s))
	}
	only := parsed(t, "space.json", `{"parameters":[{"name":"x","type":"float","low":3,"high":3}]}`)
	if only.Combinations() != 1 {
		t.Errorf("a space with one point: %+v", only.Parameters())
	}
}

// The guide's example is a description, as it stands there.
func TestTheExampleOfTheGuideIsRead(t *testing.T) {
	guide := must.Get(os.ReadFile(filepath.Join("..", "..", "docs", "tuning.md")))(t)
	_, after, _ := strings.Cut(string(guide), "```yaml\n")
	text, _, found := strings.Cut(after, "```")
	if s := parsed(t, "tuning.yaml", text); !found || s.Dim() != 11 || s.Parameter(3).Value(1) != 96 || !s.Parameter(8).Fixed() {
		t.Errorf("%+v", s.Parameters())
	}
}

func TestFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "space.yaml")
	if err := os.WriteFile(path, []byte(exampleYAML), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Read(path)
	if err != nil || !same(d.Space, parsed(t, "space.json", exampleJSON)) {
		t.Errorf("%v, %+v", err, d.Space.Parameters())
	}
	if _, err := Read(dir); err == nil || err.Error() != "space file: "+dir+" is a directory: want a file" {
		t.Errorf("a directory: %v", err)
	}
	for _, missing := range []string{filepath.Join(dir, "none.yaml"), "-"} {
		if _, err := Read(missing); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "space file: open "+missing+": ") {
			t.Errorf("%s: %v", missing, err)
		}
	}
	for text, want := range map[string]string{
		"":                             ":1:1: empty: want an object with the field parameters",
		" \n\t":                        ":1:1: empty: want an object with the field parameters",
		strings.Repeat(" ", MaxSize+1): ":1:1: more than 4 MiB: want a description of the search space",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || err.Error() != path+want {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
}

func TestEnvironmentNames(t *testing.T) {
	for name, want := range map[string]string{"lr": "TARRY_LR", "a.b-c_9": "TARRY_A_B_C_9", "Ünit": "TARRY__NIT", "": "TARRY_"} {
		if got := EnvironmentName(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
