package policies

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/calibration"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/check"
)

var madeInCode = []Policy{Locbo{}, LocalOcbo{}, Cbo{}, Recalibrated{}, Warped{}, Ensemble{}, QUCB{}, PI{}, LogEI{}, Thompson{}, TSSDF{}, UCBSDF{}, UCB{},
	QUCB{Pending: feedback.Hallucinate}, Thompson{Pending: feedback.Hallucinate}, UCB{Pending: feedback.Hallucinate}}

// A study that is resumed gets its policy from the name in its journal. The name of one that was made in code must not be
// read as another policy, whichever of its settings it is that differs.
func TestNamesOfPoliciesMadeInCodeAreNotMisread(t *testing.T) {
	for _, p := range madeInCode {
		if _, err := Parse(p.Traits().Name); err != nil {
			t.Errorf("%T without settings is %q: %v", p, p.Traits().Name, err)
		}
		made := reflect.New(reflect.TypeOf(p)).Elem()
		made.Set(reflect.ValueOf(p))
		eachSetting(made, "", func(field string) {
			name := made.Interface().(Policy).Traits().Name
			if q, err := Parse(name); err == nil {
				t.Errorf("%T with %s is %q, which is read as %+v", p, field, name, q)
			}
		})
	}
	inner := Batch{Policy: Cbo{Alpha: 0.3}, Size: 3}.Traits().Name
	if q, err := Parse(inner); err == nil {
		t.Errorf("%q is read as %+v", inner, q)
	}
}

// eachSetting sets one exported field after another to what is not zero, those of fields that are structs among them, but for
// Pending, which has an option of its own.
func eachSetting(v reflect.Value, path string, visit func(field string)) {
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		if !v.Type().Field(i).IsExported() || name == "Pending" {
			continue
		}
		switch f.Kind() {
		case reflect.Struct:
			eachSetting(f, path+name+".", visit)
			continue
		case reflect.Int:
			f.SetInt(1)
		case reflect.Float64:
			f.SetFloat(0.7)
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		case reflect.Func:
			f.Set(reflect.MakeFunc(f.Type(), nil))
		default:
			panic(fmt.Sprintf("%s%s is a %v", path, name, f.Kind()))
		}
		visit(path + name)
		f.SetZero()
	}
}

func TestSettingsOutOfRangeAreNamed(t *testing.T) {
	outside := defaultLocal
	outside.Alpha = 1.5
	for field, p := range map[string]Policy{
		"Locbo.Quantile = 1":             Locbo{Quantile: 1},
		"Locbo.Quantile = -0.5":          Locbo{Quantile: -.5},
		"Locbo.Quantile = NaN":           Locbo{Quantile: math.NaN()},
		"Locbo.Local.Alpha = 1.5":        Locbo{Local: outside},
		"LocalOcbo.Levels = -1":          LocalOcbo{Levels: -1},
		"LocalOcbo.Local.Rate = 0":       LocalOcbo{Local: calibration.LocalizedConfig{Length: 1}},
		"Cbo.Alpha = 1.5":                Cbo{Alpha: 1.5},
		"Cbo.Alpha = -0.5":               Cbo{Alpha: -.5},
		"Recalibrated.Levels = 100":      Recalibrated{Levels: 100},
		"Recalibrated.P = 2":             Recalibrated{Criterion: acquisition.UpperBound, P: 2},
		"Recalibrated.Set = 9":           Recalibrated{Set: 9},
		"Recalibrated.Criterion = 3":     Recalibrated{Criterion: 3},
		"Recalibrated.Rate = +Inf":       Recalibrated{Rate: math.Inf(1)},
		"Recalibrated.Xi = -1":           Recalibrated{Xi: -1},
		"Ensemble.Members = -1":          Ensemble{Members: -1},
		"Warped.Warp = 4":                Warped{Warp: 4},
		"QUCB.P = 1":                     QUCB{P: 1},
		"PI.Xi = -1":                     PI{Xi: -1},
		"Thompson.Features = 3":          Thompson{Features: 3},
		"TSSDF.Width.Nu = -1":            TSSDF{Width: Width{Nu: -1}},
		"UCBSDF.Width.Beta.Constant = -": UCBSDF{Width: Width{Beta: Beta{Constant: -1}}},
		"UCB.Beta.Theory.Delta = 2":      UCB{Beta: Beta{Theory: &Theory{Failures: 1, Delta: 2}}},
		"Batch.Size = -1":                Batch{Size: -1},
		"Cbo.Alpha = 3":                  Batch{Policy: Cbo{Alpha: 3}},
	} {
		err := Validate(p)
		if !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), field) {
			t.Errorf("%+v: %v, want %s", p, err, field)
		}
	}
	for _, p := range madeInCode {
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
	for _, p := range []Policy{Locbo{Quantile: 1}, Cbo{Alpha: 1.5}, Recalibrated{Levels: -1}, LocalOcbo{Levels: -1}, Ensemble{Members: -1}, Warped{Warp: -1}} {
		if points, err := p.Propose(View{}, 1, nil); !errors.Is(err, check.ErrInvalidOption) || points != nil {
			t.Errorf("%+v proposes %v, %v", p, points, err)
		}
	}
}
