package delay

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/rng"
)

func TestEachFaultHappensAsOftenAsAsked(t *testing.T) {
	const n = 20000
	faults := Faults{Drop: 0.1, Duplicate: 0.2, Fail: 0.05, Stall: 0.01}
	var counts [len(kinds)]float64
	for i := range uint64(n) {
		counts[faults.Draw(rng.New(1, rng.Fault, i))]++
	}
	for kind, p := range []float64{0.64, 0.1, 0.2, 0.05, 0.01} {
		if share := counts[kind] / n; math.Abs(share-p) > 5*math.Sqrt(p*(1-p)/n) {
			t.Errorf("%v in a share %v of draws, want %v", Fault(kind), share, p)
		}
	}
}

func TestCertainFaultsAndNoFaults(t *testing.T) {
	for want, faults := range []Faults{{}, {Drop: 1}, {Duplicate: 1}, {Fail: 1}, {Stall: 1}} {
		for i := range uint64(200) {
			if got := faults.Draw(rng.New(1, rng.Fault, i)); got != Fault(want) {
				t.Fatalf("%v draws %v", faults, got)
			}
		}
	}
}

func TestADrawUsesOneNumberWhateverTheProbabilities(t *testing.T) {
	a, b := rng.New(1, rng.Test, 0), rng.New(1, rng.Test, 0)
	Faults{}.Draw(a)
	Faults{Drop: 0.5, Stall: 0.5}.Draw(b)
	if a.Uint64() != b.Uint64() {
		t.Error("the streams have moved apart")
	}
}

func TestFaultsAreReadAndWritten(t *testing.T) {
	for _, c := range []struct {
		spec  string
		want  Faults
		write string
	}{
		{"", Faults{}, "none"},
		{"none", Faults{}, "none"},
		{"drop:0", Faults{}, "none"},
		{"drop:0.1,fail:0.02", Faults{Drop: 0.1, Fail: 0.02}, "drop:0.1,fail:0.02"},
		{"stall:1e-3,duplicate:.5", Faults{Stall: 1e-3, Duplicate: 0.5}, "duplicate:0.5,stall:0.001"},
		{"drop:0.7,duplicate:0.1,fail:0.1,stall:0.1", Faults{0.7, 0.1, 0.1, 0.1}, "drop:0.7,duplicate:0.1,fail:0.1,stall:0.1"},
	} {
		got, err := ParseFaults(c.spec)
		if err != nil || got != c.want || got.String() != c.write {
			t.Errorf("%q is read as %+v, %v and written as %q; want %+v and %q", c.spec, got, err, got, c.want, c.write)
		}
	}
}

func TestFaultErrorsNameFaultValueAndRange(t *testing.T) {
	const known = "want drop:P, duplicate:P, fail:P, stall:P with 0 ≤ P ≤ 1, or none alone"
	for spec, want := range map[string]string{
		"drop":                                   `fault = "drop": ` + known,
		"lose:0.1":                               `fault = "lose:0.1": ` + known,
		"none:0.1":                               `fault = "none:0.1": ` + known,
		"none,drop:0.1":                          `fault = "none": ` + known,
		"drop:0.1,":                              `fault = "": ` + known,
		"drop:0.1, fail:0.1":                     `fault = " fail:0.1": ` + known,
		"drop:":                                  `faults.drop = "": want 0 ≤ drop ≤ 1`,
		"drop:NaN":                               `faults.drop = "NaN": want 0 ≤ drop ≤ 1`,
		"drop:10%":                               `faults.drop = "10%": want 0 ≤ drop ≤ 1`,
		"drop:-0.1,fail:2":                       "faults.drop = -0.1: want 0 ≤ drop ≤ 1\nfaults.fail = 2: want 0 ≤ fail ≤ 1",
		"drop:0.1,drop:0.2":                      `fault = "drop:0.2": want drop at most once`,
		"drop:0.6,fail:0.6":                      "faults = drop:0.6,fail:0.6: want probabilities with a sum ≤ 1",
		"drop:0." + strings.Repeat("1", MaxSpec): "faults = 1031 bytes: want at most 1024 bytes",
	} {
		faults, err := ParseFaults(spec)
		if err == nil || err.Error() != want || faults != (Faults{}) || !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("%q gives %v and the error\n%v\nwant\n%s", spec, faults, err, want)
		}
	}
}

func TestFaultsValidate(t *testing.T) {
	for _, c := range []struct {
		faults Faults
		want   string
	}{
		{Faults{}, ""},
		{Faults{Drop: 1}, ""},
		{Faults{0.1, 0.2, 0.3, 0.4}, ""},
		{Faults{Drop: math.NaN(), Stall: 1.5}, "faults.drop = NaN: want 0 ≤ drop ≤ 1\nfaults.stall = 1.5: want 0 ≤ stall ≤ 1"},
		{Faults{Drop: 1, Stall: 0.5}, "faults = drop:1,stall:0.5: want probabilities with a sum ≤ 1"},
	} {
		switch err := c.faults.Validate(); {
		case err == nil && c.want != "":
			t.Errorf("%+v passes, want %s", c.faults, c.want)
		case err != nil && err.Error() != c.want:
			t.Errorf("%+v: error\n%v\nwant\n%s", c.faults, err, c.want)
		}
	}
}

func TestFaultNames(t *testing.T) {
	for kind, want := range []string{"none", "drop", "duplicate", "fail", "stall", "Fault(5)"} {
		if got := Fault(kind).String(); got != want {
			t.Errorf("fault %d is called %s, want %s", kind, got, want)
		}
	}
	if got := Fault(-1).String(); got != "Fault(-1)" {
		t.Errorf("fault -1 is called %s", got)
	}
}

func TestAllFaultsSurviveWritingAndReading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		quarter := rapid.Float64Range(0, 0.25)
		faults := Faults{quarter.Draw(t, "drop"), quarter.Draw(t, "duplicate"), quarter.Draw(t, "fail"), quarter.Draw(t, "stall")}
		if back, err := ParseFaults(faults.String()); err != nil || back != faults {
			t.Fatalf("%+v is written as %s and read as %+v, %v", faults, faults, back, err)
		}
	})
}

// Whatever the text, ParseFaults does not panic; what it accepts is valid and reads back.
func FuzzParseFaults(f *testing.F) {
	for _, spec := range []string{"", "none", "drop:0.1,fail:0.02", "stall:1", "drop:1,", ",", ":", "drop:0.5,drop:0.5"} {
		f.Add(spec)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		faults, err := ParseFaults(spec)
		if err != nil {
			return
		}
		if err := faults.Validate(); err != nil {
			t.Fatalf("%q is accepted, but: %v", spec, err)
		}
		if back, err := ParseFaults(faults.String()); err != nil || back != faults {
			t.Fatalf("%q is written as %q and read as %+v, %v", spec, faults, back, err)
		}
	})
}
