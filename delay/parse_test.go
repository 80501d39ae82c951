package delay

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/check"
)

var everyLaw = []string{
	"exponential:2.5", "fixed:3", "geometric:0.25", "input:1,9", "lognormal:-0.5,1.5", "never:0.1+poisson:8", "pareto:1,1.5",
	"poisson:10", "value:9,1",
}

func TestEachLawIsReadAsWritten(t *testing.T) {
	for i, want := range []Law{
		Exponential{2.5}, Fixed{3}, Geometric{0.25}, InputPoisson{1, 9}, LogNormal{-0.5, 1.5}, Never{0.1, Poisson{8}},
		Pareto{1, 1.5}, Poisson{10}, ValuePoisson{9, 1},
	} {
		got, err := ParseLaw(everyLaw[i])
		if err != nil || got != want {
			t.Errorf("%s is read as %#v, %v; want %#v", everyLaw[i], got, err, want)
		}
		if text := want.String(); text != everyLaw[i] {
			t.Errorf("%#v is written as %s, want %s", want, text, everyLaw[i])
		}
	}
}

func TestLawsAreSortedAndAllHaveATest(t *testing.T) {
	laws := Laws()
	if !slices.IsSorted(laws) {
		t.Errorf("laws are %v", laws)
	}
	if len(laws) != len(everyLaw) {
		t.Errorf("%d laws, %d in the tests", len(laws), len(everyLaw))
	}
	for i, notation := range laws {
		name, _, _ := strings.Cut(notation, ":")
		if !strings.HasPrefix(everyLaw[i], name+":") {
			t.Errorf("no test spec for %s", notation)
		}
	}
}

func TestPlusOfAnExponentIsNotTheOneBeforeTheLaw(t *testing.T) {
	for spec, want := range map[string]Law{
		"never:1e+0+fixed:1e+6":           Never{1, Fixed{1e6}},
		"never:1E-3+exponential:1e-3":     Never{1e-3, Exponential{1e-3}},
		"never:.5+never:0.25+input:1e1,2": Never{0.5, Never{0.25, InputPoisson{10, 2}}},
		"fixed:-0":                        Fixed{0},
	} {
		got, err := ParseLaw(spec)
		if err != nil || got != want {
			t.Errorf("%s is read as %#v, %v; want %#v", spec, got, err, want)
		}
	}
	if law, _ := ParseLaw("fixed:-0"); law.String() != "fixed:0" {
		t.Errorf("minus zero is written as %v", law)
	}
}

func TestErrorsNameLawParameterValueAndRange(t *testing.T) {
	const known = "want one of exponential:MEAN fixed:D geometric:P input:LO,HI lognormal:MU,SIGMA never:P+LAW " +
		"pareto:SCALE,SHAPE poisson:MEAN value:LO,HI"
	for spec, want := range map[string]string{
		"":                                      `delay law = "": ` + known,
		"gamma:2":                               `delay law = "gamma:2": ` + known,
		"Poisson:2":                             `delay law = "Poisson:2": ` + known,
		" poisson:2":                            `delay law = " poisson:2": ` + known,
		"poisson":                               `poisson.MEAN = "": want 0 ≤ MEAN ≤ 1e+09`,
		"poisson:":                              `poisson.MEAN = "": want 0 ≤ MEAN ≤ 1e+09`,
		"poisson:-3":                            `poisson.MEAN = -3: want 0 ≤ MEAN ≤ 1e+09`,
		"poisson:NaN":                           `poisson.MEAN = "NaN": want 0 ≤ MEAN ≤ 1e+09`,
		"poisson:Inf":                           `poisson.MEAN = "Inf": want 0 ≤ MEAN ≤ 1e+09`,
		"poisson:1e999":                         `poisson.MEAN = "1e999": want 0 ≤ MEAN ≤ 1e+09`,
		"poisson:2e9":                           `poisson.MEAN = 2e9: want 0 ≤ MEAN ≤ 1e+09`,
		"poisson:0x1p3":                         `poisson.MEAN = "0x1p3": want 0 ≤ MEAN ≤ 1e+09`,
		"poisson:+3":                            `poisson.MEAN = "+3": want 0 ≤ MEAN ≤ 1e+09`,
		"poisson:3 ":                            `poisson.MEAN = "3 ": want 0 ≤ MEAN ≤ 1e+09`,
		"poisson:3x":                            `poisson.MEAN = "3x": want 0 ≤ MEAN ≤ 1e+09`,
		"poisson:1_000":                         `poisson.MEAN = "1_000": want 0 ≤ MEAN ≤ 1e+09`,
		"poisson:3,4":                           `delay law = "poisson:3,4": want poisson:MEAN with 0 ≤ MEAN ≤ 1e+09`,
		"poisson:3+fixed:1":                     `poisson.MEAN = "3+fixed:1": want 0 ≤ MEAN ≤ 1e+09`,
		"fixed:-1":                              `fixed.D = -1: want 0 ≤ D ≤ 1e+09`,
		"geometric:0":                           `geometric.P = 0: want 1e-09 ≤ P ≤ 1`,
		"geometric:1.5":                         `geometric.P = 1.5: want 1e-09 ≤ P ≤ 1`,
		"exponential:0":                         `exponential.MEAN = 0: want 1e-09 ≤ MEAN ≤ 1e+09`,
		"lognormal:1":                           `delay law = "lognormal:1": want lognormal:MU,SIGMA with -20 ≤ MU ≤ 20, 0 ≤ SIGMA ≤ 10`,
		"lognormal:30,-1":                       "lognormal.MU = 30: want -20 ≤ MU ≤ 20\nlognormal.SIGMA = -1: want 0 ≤ SIGMA ≤ 10",
		"pareto:0,0":                            "pareto.SCALE = 0: want 1e-09 ≤ SCALE ≤ 1e+09\npareto.SHAPE = 0: want 0.01 ≤ SHAPE ≤ 1000",
		"input:1,-1":                            `input.HI = -1: want 0 ≤ HI ≤ 1e+09`,
		"value:x,1":                             `value.LO = "x": want 0 ≤ LO ≤ 1e+09`,
		"never:0.5":                             `delay law = "never:0.5": want never:P+LAW with 0 ≤ P ≤ 1`,
		"never:0.5+":                            `delay law = "never:0.5+": want never:P+LAW with 0 ≤ P ≤ 1`,
		"never:0.5,1+fixed:":                    "delay law = \"never:0.5,1+fixed:\": want never:P+LAW with 0 ≤ P ≤ 1\nfixed.D = \"\": want 0 ≤ D ≤ 1e+09",
		"never:2+fixed:-1":                      "never.P = 2: want 0 ≤ P ≤ 1\nfixed.D = -1: want 0 ≤ D ≤ 1e+09",
		"never:+fixed:1":                        `never.P = "": want 0 ≤ P ≤ 1`,
		"never:0.5+gamma:2":                     `delay law = "gamma:2": ` + known,
		"fixed:" + strings.Repeat("1", MaxSpec): "delay law = 1030 bytes: want at most 1024 bytes",
	} {
		law, err := ParseLaw(spec)
		if err == nil || err.Error() != want || law != nil || !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("%q gives %v and the error\n%v\nwant\n%s", spec, law, err, want)
		}
	}
}

func TestValidateReportsWhatParseLawWouldNotRead(t *testing.T) {
	for _, c := range []struct {
		law  validator
		want string
	}{
		{Fixed{math.NaN()}, "fixed.D = NaN: want 0 ≤ D ≤ 1e+09"},
		{Poisson{math.Inf(1)}, "poisson.MEAN = +Inf: want 0 ≤ MEAN ≤ 1e+09"},
		{Geometric{}, "geometric.P = 0: want 1e-09 ≤ P ≤ 1"},
		{Exponential{-1}, "exponential.MEAN = -1: want 1e-09 ≤ MEAN ≤ 1e+09"},
		{LogNormal{21, -1}, "lognormal.MU = 21: want -20 ≤ MU ≤ 20\nlognormal.SIGMA = -1: want 0 ≤ SIGMA ≤ 10"},
		{Pareto{1, 0}, "pareto.SHAPE = 0: want 0.01 ≤ SHAPE ≤ 1000"},
		{InputPoisson{-1, 0}, "input.LO = -1: want 0 ≤ LO ≤ 1e+09"},
		{ValuePoisson{0, -1}, "value.HI = -1: want 0 ≤ HI ≤ 1e+09"},
		{Never{P: 2}, "never.P = 2: want 0 ≤ P ≤ 1\nnever.LAW = <nil>: want a delay law"},
		{Never{0, Fixed{-1}}, "fixed.D = -1: want 0 ≤ D ≤ 1e+09"},
	} {
		if err := c.law.Validate(); err == nil || err.Error() != c.want {
			t.Errorf("%#v: error\n%v\nwant\n%s", c.law, err, c.want)
		}
	}
}

// Any law with parameters in their range is written so that reading gives the same law, to the last bit.
func TestEveryLawSurvivesWritingAndReading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		law := anyLaw(t)
		if err := law.(validator).Validate(); err != nil {
			t.Fatalf("%#v: %v", law, err)
		}
		if back, err := ParseLaw(law.String()); err != nil || back != law {
			t.Fatalf("%#v is written as %s and read as %#v, %v", law, law, back, err)
		}
	})
}

func anyLaw(t *rapid.T) Law {
	f := rapid.SampledFrom(forms).Draw(t, "form")
	values := make([]float64, len(f.params))
	for i, p := range f.params {
		values[i] = rapid.Float64Range(p.lo, p.hi).Draw(t, p.name)
	}
	if f.build == nil {
		return Never{values[0], anyLaw(t)}
	}
	return f.build(values)
}

// Whatever the text, ParseLaw does not panic; what it accepts is valid, and is written so that it reads back.
func FuzzParseLaw(f *testing.F) {
	for _, spec := range everyLaw {
		f.Add(spec)
	}
	for _, spec := range []string{"", ":", "never:", "never:+", "never:1e+0+never:1+fixed:1e+06", "pareto:1,", "poisson:1e400", "fixed:-0"} {
		f.Add(spec)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		law, err := ParseLaw(spec)
		if err != nil {
			if law != nil || !errors.Is(err, check.ErrInvalidOption) {
				t.Fatalf("%q gives %v and %v", spec, law, err)
			}
			return
		}
		if err := law.(validator).Validate(); err != nil {
			t.Fatalf("%q is accepted, but: %v", spec, err)
		}
		if text := law.String(); len(text) <= MaxSpec { // a number may need more digits than it was written with
			if back, err := ParseLaw(text); err != nil || back != law {
				t.Fatalf("%q is written as %q and read as %v, %v", spec, text, back, err)
			}
		}
	})
}
