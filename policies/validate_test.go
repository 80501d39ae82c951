package policies

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/check"
)

// A study that is resumed gets its policy from the name in its journal: the name of any policy makes the same policy again,
// also of one that was made in code, or parsed and changed.
func TestNamesMakeTheSamePolicyAgain(t *testing.T) {
	again := func(p Policy, how string) {
		t.Helper()
		name := p.Traits().Name
		q, err := Parse(name)
		if err != nil || !q.Traits().Equal(p.Traits()) {
			t.Errorf("%T %s is %q, which is read as %+v (%v)", p, how, name, q, err)
		}
	}
	changed := 0
	for _, e := range All() {
		for _, field := range settable(reflect.TypeOf(e.first)) {
			made := reflect.New(reflect.TypeOf(e.first)).Elem()
			made.Set(reflect.ValueOf(e.first))
			if l, ok := made.Addr().Interface().(*LOCBO); ok {
				l.Local = defaultLocal // all of its constants, or none, are set in code
			} else if l, ok := made.Addr().Interface().(*LocalOCBO); ok {
				l.Local = defaultLocal
			}
			before := made.Interface().(Policy)
			change(made.FieldByIndex(field))
			p := made.Interface().(Policy)
			if Validate(p) != nil {
				t.Errorf("%s: %+v: %v", e.Name, p, Validate(p))
			}
			again(p, fmt.Sprintf("with field %v changed", field))
			if !p.Traits().Equal(before.Traits()) {
				changed++
			}
		}
	}
	if changed < 40 {
		t.Errorf("%d changes of a setting change the name", changed)
	}
	p, _ := Parse("gp-qucb:p=0.8")
	q := p.(QUCB)
	q.P = 0.99
	if again(q, "after parsing"); q.Traits().Name != "gp-qucb:p=0.99" {
		t.Errorf("%+v is named %q", q, q.Traits().Name)
	}
	again(Batch{Policy: CBO{Alpha: 0.3}, Size: 3}, "in a batch")
	code := Recalibrated{Utility: func(View) acquisition.Utility { return nil }}
	if _, err := Parse(code.Traits().Name); err == nil {
		t.Errorf("%q is read as something", code.Traits().Name)
	}
}

// settable are the exported fields of a policy that are no structs, functions or interfaces, those of structs in it included.
func settable(of reflect.Type) (fields [][]int) {
	for _, f := range reflect.VisibleFields(of) {
		if !f.IsExported() {
			continue
		}
		switch f.Type.Kind() {
		case reflect.Struct:
			for _, inner := range settable(f.Type) {
				fields = append(fields, append(slices.Clone(f.Index), inner...))
			}
		case reflect.Int, reflect.Float64, reflect.Bool:
			fields = append(fields, f.Index)
		}
	}
	return fields
}

// twoValued are the types of settings that have two values.
var twoValued = []reflect.Type{
	reflect.TypeFor[Sigma](), reflect.TypeFor[Maxima](), reflect.TypeFor[Gain](), reflect.TypeFor[MemberKernel](), reflect.TypeFor[PhaseAnswers](), reflect.TypeFor[TrustUtility](),
}

// change sets a field to another value that every policy allows.
func change(f reflect.Value) {
	switch f.Kind() {
	case reflect.Int:
		f.SetInt(map[bool]int64{true: 0, false: 2}[f.Int() == 2])
		if f.Type().Kind() == reflect.Int && f.Type().Name() == "int" {
			f.SetInt(17)
		} else if slices.Contains(twoValued, f.Type()) {
			f.SetInt(1)
		}
	case reflect.Float64:
		f.SetFloat(0.71)
	case reflect.Bool:
		f.SetBool(true)
	}
}

func TestSettingsOutOfRangeAreNamed(t *testing.T) {
	outside := defaultLocal
	outside.Alpha = 1.5
	for field, p := range map[string]Policy{
		"locbo: p = 1":             LOCBO{Quantile: 1},
		"locbo: p = -0.5":          LOCBO{Quantile: -.5},
		"locbo: p = NaN":           LOCBO{Quantile: math.NaN()},
		"locbo: alpha = 1.5":       LOCBO{Local: outside},
		"ocbo-l: levels = -1":      LocalOCBO{Levels: -1},
		"ocbo-l: eta = 0":          LocalOCBO{Local: LocalizedConfig{Length: 1}},
		"cbo: alpha = 1.5":         CBO{Alpha: 1.5},
		"cbo: alpha = -0.5":        CBO{Alpha: -.5},
		"calibrated: levels = 100": Recalibrated{Levels: 100},
		"calibrated: p = 2":        Recalibrated{Criterion: acquisition.UpperBound, P: 2},
		"calibrated: set = 9":      Recalibrated{Set: 9},
		"calibrated: of = 3":       Recalibrated{Criterion: 3},
		"calibrated: eta = inf":    Recalibrated{Set: Issued, Rate: math.Inf(1)},
		"calibrated: xi = -1":      Recalibrated{Criterion: acquisition.Probability, Xi: -1},
		"ensemble: members = -1":   Ensemble{Members: -1},
		"warped: warp = 4":         Warped{Warp: 4},
		"gp-qucb: p = 1":           QUCB{P: 1},
		"pi: xi = -1":              PI{Xi: -1},
		"asy-ts: features = 3":     Thompson{Features: 3},
		"ts-sdf: nu = -1":          TSSDF{Width: Width{Nu: -1}},
		"ucb-sdf: beta = -1":       UCBSDF{Width: Width{Beta: Beta{Constant: -1}}},
		"gp-ucb: delta = 2":        UCB{Beta: Beta{Theory: true, Delta: 2}},
		"gp-ucb, gp-bucb: pending": UCB{Pending: feedback.Censor},
		"batch: q = -1":            Batch{Size: -1},
		"cbo: alpha = 3":           Batch{Policy: CBO{Alpha: 3}},
	} {
		err := Validate(p)
		if !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), field) {
			t.Errorf("%+v: %v, want %s", p, err, field)
		}
	}
	for _, p := range []Policy{LOCBO{}, LocalOCBO{}, CBO{}, Recalibrated{}, Warped{}, Ensemble{}, QUCB{}, PI{}, LogEI{}, Thompson{}, TSSDF{}, UCBSDF{}, UCB{}, Batch{}} {
		if err := Validate(p); err != nil {
			t.Errorf("%T without settings: %v", p, err)
		}
	}
	for _, e := range All() {
		if p, err := Parse(e.Name); err != nil || Validate(p) != nil {
			t.Errorf("%s: %v, %v", e.Name, err, Validate(p))
		}
	}
}

// A policy that is out of range proposes nothing, also for who did not ask whether it is.
func TestPoliciesOutOfRangeRefuseToPropose(t *testing.T) {
	for _, p := range []Policy{LOCBO{Quantile: 1}, CBO{Alpha: 1.5}, Recalibrated{Levels: -1}, LocalOCBO{Levels: -1}, Ensemble{Members: -1}, Warped{Warp: -1}} {
		if points, err := p.Propose(View{}, 1, nil); !errors.Is(err, check.ErrInvalidOption) || points != nil {
			t.Errorf("%+v proposes %v, %v", p, points, err)
		}
	}
}
