package journal

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

func TestTheHeaderHasItsText(t *testing.T) {
	c := config(t, "gp-bucb")
	c.Seed = math.MaxUint64
	floor := -1.5
	c.Floor, c.Window.Duration = &floor, 90*time.Minute+1
	h := Header{Format: 2, Config: c, Program: Program{Tarry: "v1.2.3", Go: "go1.26", Arch: "amd64", Level: "v1"}}
	text, err := EncodeHeader(h)
	want := `{"format":2,"program":{"tarry":"v1.2.3","go":"go1.26","arch":"amd64","level":"v1"},"config":{` +
		`"space":{"parameters":[{"name":"x","type":"float","low":0,"high":1},{"name":"y","type":"float","low":0,"high":1}]},` +
		`"policy":"gp-bucb","policy-model":true,"policy-pending":"hallucinate",` +
		`"seed":18446744073709551615,"budget":12,"initial":4,"design":"uniform","window-duration":"1h30m0.000000001s","floor":-1.5}}`
	if err != nil || string(text) != want {
		t.Errorf("%v\n got %s\nwant %s", err, text, want)
	}
	if back, err := DecodeHeader(text); err != nil || !reflect.DeepEqual(back, h) {
		t.Errorf("%+v became %+v, %v", h, back, err)
	}
}

// Whoever adds a field to the header, to loop.Config or to anything in it must add it to the codec.
func TestEveryFieldOfTheHeaderIsWritten(t *testing.T) {
	var h Header
	n := 0
	fill(reflect.ValueOf(&h).Elem(), &n)
	h.Format = Format
	h.Config.Design, h.Config.Traits.Pending = 2, 1
	text, err := EncodeHeader(h)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := parseHeader(text); err != nil || !reflect.DeepEqual(back, h) {
		t.Errorf("%+v became\n%+v, %v, by way of %s", h, back, err, text)
	}
	h = Header{Format: Format, Config: loop.Config{Space: h.Config.Space}} // all that may be absent
	if text, err = EncodeHeader(h); err != nil {
		t.Fatal(err)
	}
	if back, err := parseHeader(text); err != nil || !reflect.DeepEqual(back, h) {
		t.Errorf("%+v became\n%+v, %v, by way of %s", h, back, err, text)
	}
}

func TestAnyHeaderComesBackToTheBit(t *testing.T) {
	s := config(t, "random").Space
	rapid.Check(t, func(t *rapid.T) {
		var h Header
		draw(t, reflect.ValueOf(&h).Elem(), "header")
		h.Format, h.Config.Space = Format, s
		if h.Config.Taught != nil {
			h.Config.Taught.Space = s
		}
		if h.Config.Learned != nil {
			h.Config.Learned.Space = s
		}
		if h.Config.Prior != nil {
			h.Config.Prior.Space = s
		}
		h.Config.Design, h.Config.Traits.Pending = h.Config.Design&1, h.Config.Traits.Pending&1 // others have no name
		text, err := EncodeHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		back, err := parseHeader(text)
		if err != nil || bits(back) != bits(h) {
			t.Fatalf("%v: %#v became %#v by way of %s", err, h, back, text)
		}
	})
}

func TestAHeaderOfAnotherFormatIsNamedBeforeAnythingElse(t *testing.T) {
	for text, want := range map[string]string{
		`{"format":3,"program":{"tarry":"v9.1.0","go":"go1.40","os":"plan9"},"galaxy":[]}`: "format 3, written by tarry v9.1.0 (go1.40); this program, tarry ",
		`{"format":0,"program":[]}`: "format 0, written by an unknown program; this program, tarry ",
		`{"format":-3}`:             "format -3, written by an unknown program",
	} {
		if _, err := DecodeHeader([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || !strings.HasSuffix(err.Error(), "reads format 2") {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
}

func TestWhatIsNoHeaderIsRefused(t *testing.T) {
	good, err := EncodeHeader(NewHeader(config(t, "random")))
	if err != nil {
		t.Fatal(err)
	}
	change := func(from, to string) string {
		if !strings.Contains(string(good), from) {
			t.Fatalf("%s is not in %s", from, good)
		}
		return strings.Replace(string(good), from, to, 1)
	}
	for text, want := range map[string]string{
		``:                                     "not JSON",
		`7`:                                    "want an object",
		`{}`:                                   "format: missing",
		`{"format":"1"}`:                       "format: want a whole number",
		`{"format":2}`:                         "program: missing",
		change(`"budget":12`, `"budget":"12"`): "config: budget: want a whole number",
		change(`"seed":5`, `"seed":-5`):        "config: seed: want a whole number from 0 to",
		change(`"seed":5`, `"seed":18446744073709551616`):    "config: seed: ",
		change(`"uniform"`, `"sobol"`):                       `config: design: want one of uniform, latin-hypercube, halton, found "sobol"`,
		change(`"budget"`, `"fidelity":3,"budget"`):          `config: "fidelity" is a member that is not known`,
		change(`"high":1`, `"high":-1`):                      "config: space: Space.Parameters[0].High = -1",
		change(`"space"`, `"place"`):                         "config: space: missing",
		change(`"uniform"`, `2`):                             "config: design: want one of uniform, latin-hypercube, halton, found 2",
		change(`"budget"`, `"timeout":1.5,"budget"`):         "config: timeout: want a duration such as 1m30s, found 1.5",
		change(`"budget"`, `"timeout":"soon","budget"`):      `config: timeout: want a duration such as 1m30s, found "soon"`,
		change(`"budget"`, `"timeout":"-1s","budget"`):       "Config.Timeout = -1s: want a duration ≥ 0",
		change(`"budget"`, `"retries":101,"budget"`):         "Config.Retries = 101: want 0 ≤ Retries ≤ 100",
		change(`"budget":12`, `"budget":0`):                  "Config.Budget = 0: want 1 ≤ Budget ≤ 100000",
		change(`"initial":4`, `"initial":13`):                "Config.Initial = 13: want 0 ≤ Initial ≤ Budget = 12",
		change(`"initial":4,`, ``):                           "config: initial: missing",
		change(`"budget"`, `"exclusive":1,"budget"`):         "config: exclusive: want true or false, found 1",
		change(`"budget"`, `"kernel":"cubic","budget"`):      "Config.Model.Kernel = cubic: want one of ",
		change(`"budget"`, `"hyper":[1,"x"],"budget"`):       "config: hyper: want a number",
		change(`"budget"`, `"floor":"low","budget"`):         "config: floor: want a number",
		change(`"type":"float"`, `"type":"float","sigma":1`): "sigma",
	} {
		if h, err := DecodeHeader([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || !reflect.DeepEqual(h, Header{}) {
			t.Errorf("%s: error %v, want one with %q", text, err, want)
		}
	}
	odd := NewHeader(config(t, "random"))
	odd.Config.Design = 7
	if _, err := EncodeHeader(odd); err == nil || !strings.Contains(err.Error(), "design: want one of uniform, latin-hypercube, halton, found 7") {
		t.Errorf("a header with a design that is none: %v", err)
	}
	if _, err := EncodeHeader(Header{Format: Format, Config: loop.Config{Traits: policies.Uniform{}.Traits()}}); err == nil || !strings.Contains(err.Error(), "space") {
		t.Errorf("a header without a space: %v", err)
	}
}
