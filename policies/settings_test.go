package policies

import (
	"maps"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// fixed are the exported fields that no option sets, and why.
var fixed = map[string]string{
	"UCB.Pending":            "it is what tells gp-ucb from gp-bucb",
	"Thompson.Pending":       "it is what tells asy-ts from gp-bts",
	"Recalibrated.Utility":   "code has no name",
	"LocalOCBO.Local.Alpha":  "not looked at: each level is one",
	"Recalibrated.Set(ocbo)": "with another set it is not online, and named calibrated",
}

// fresh returns a pointer to a copy of the policy as it was registered.
func fresh(e Entry) reflect.Value {
	p := reflect.New(reflect.TypeOf(e.first))
	p.Elem().Set(reflect.ValueOf(e.first))
	return p
}

func settingsOf(p reflect.Value) Settings {
	return p.Interface().(interface{ Settings() Settings }).Settings()
}

// leaves calls f with every exported field of a policy, those of its parts in their place.
func leaves(v reflect.Value, path string, f func(path string, field reflect.Value)) {
	for i := range v.NumField() {
		name := path + "." + v.Type().Field(i).Name
		switch field := v.Field(i); {
		case !v.Type().Field(i).IsExported():
		case field.Kind() == reflect.Struct:
			leaves(field, name, f)
		default:
			f(name, field)
		}
	}
}

// A field that no option is bound to would be lost by way of the name.
func TestEveryFieldIsAnOption(t *testing.T) {
	missing := maps.Clone(fixed)
	for _, e := range All() {
		p := fresh(e)
		bound := map[any]bool{}
		for _, s := range settingsOf(p) {
			if s.field == nil {
				t.Errorf("%s: option %s is bound to nothing", e.Name, s.Key)
			}
			bound[s.field], bound[s.flag] = true, true
		}
		leaves(p.Elem(), p.Elem().Type().Name(), func(path string, field reflect.Value) {
			if bound[field.Addr().Interface()] {
				return
			}
			of := path
			if fixed[of] == "" {
				of += "(" + e.Name + ")"
			}
			if fixed[of] == "" {
				t.Errorf("%s: no option sets %s", e.Name, path)
			}
			delete(missing, of)
		})
	}
	for field := range missing {
		t.Errorf("%s is an option, or no field at all", field)
	}
}

// drawPolicy sets every field of a registered policy to some value, valid or not.
func drawPolicy(t *rapid.T, e Entry, depth int) Policy {
	p := fresh(e)
	leaves(p.Elem(), "", func(path string, field reflect.Value) {
		if !rapid.Bool().Draw(t, path+" changes") {
			return
		}
		switch field.Kind() {
		case reflect.Float64:
			odd := rapid.SampledFrom([]float64{0, 1, 0.5, 0.1 + 0.2, 0.9, 0.95, 2, 0.05, 1e-6, 1e6, 0.25, -1, 1e300, math.NaN(), math.Inf(1)})
			field.SetFloat(rapid.OneOf(odd, rapid.Float64Range(0, 1)).Draw(t, path))
		case reflect.Int:
			field.SetInt(rapid.SampledFrom([]int64{0, 1, 2, 3, 5, 9, 16, 99, 512, -1, 1e9}).Draw(t, path))
		case reflect.Bool:
			field.SetBool(rapid.Bool().Draw(t, path))
		case reflect.Slice:
			field.Set(reflect.ValueOf(rapid.SampledFrom([][]float64{nil, {}, {0.1}, {1, 0.25}, {-1}, {math.NaN()}, {0}}).Draw(t, path)))
		case reflect.Interface:
			if depth < 2 {
				field.Set(reflect.ValueOf(drawPolicy(t, rapid.SampledFrom(All()).Draw(t, path), depth+1)))
			}
		case reflect.Func: // code has no name
		default:
			t.Fatalf("%s: no values for a %s", path, field.Kind())
		}
	})
	return p.Elem().Interface().(Policy)
}

// The name of a policy that was made in code makes the same policy: with the same values of all options that matter, and the
// same proposals. What is not valid has a name that makes nothing.
func TestTheNameOfAPolicyMakesItAgain(t *testing.T) {
	view := smallView(t)
	valid := map[string]int{}
	for _, e := range All() {
		t.Run(e.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := drawPolicy(t, e, 0)
				name := p.Traits().Name
				q, err := Parse(name)
				if wrong := Validate(p); (wrong == nil) != (err == nil) {
					t.Fatalf("%#v is valid: %v; its name %q: %v", p, wrong, name, err)
				}
				if err == nil {
					valid[e.Name]++
					sameAgain(t, view, e, p, q)
				}
			})
		})
	}
	if len(valid) < len(All())/2 {
		t.Errorf("valid policies of %v alone", slices.Sorted(maps.Keys(valid)))
	}
}

// sameAgain fails if a policy and the one that its name makes differ in their traits, an option that matters or their proposals.
func sameAgain(t *rapid.T, view View, e Entry, p, q Policy) {
	name := p.Traits().Name
	if !p.Traits().Equal(q.Traits()) {
		t.Fatalf("%q made %+v, want %+v", name, q.Traits(), p.Traits())
	}
	ours, _ := e.of(p)
	theirs, is := e.of(q)
	if !is {
		t.Fatalf("%q made a %T, want a %T", name, q, p)
	}
	for i, s := range ours {
		if s.moot() != theirs[i].moot() || !s.moot() && s.text() != theirs[i].text() && !(s.standard() && theirs[i].standard()) {
			t.Fatalf("%q: %s is %s, want %s", name, s.Key, theirs[i].text(), s.text())
		}
	}
	got, wrong := q.Propose(view, 2, rng.New(1, rng.Test, 1))
	want, err := p.Propose(view, 2, rng.New(1, rng.Test, 1))
	if !reflect.DeepEqual(got, want) || (err == nil) != (wrong == nil) {
		t.Fatalf("%q proposes %v (%v), want %v (%v)", name, got, wrong, want, err)
	}
}

// What is not valid has traits all the same, at no cost: they are asked for before a policy is used, and by its name.
func TestTraitsCostNothingWhateverIsSet(t *testing.T) {
	for _, e := range All() {
		p := fresh(e)
		leaves(p.Elem(), e.Name, func(path string, field reflect.Value) {
			if field.Kind() == reflect.Int {
				field.SetInt(1 << 40)
			}
		})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		name := p.Elem().Interface().(Policy).Traits().Name
		runtime.ReadMemStats(&after)
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<20 {
			t.Errorf("%s: %d bytes", name, bytes)
		}
	}
}

// smallView is a list of twelve points with six answers.
func smallView(t *testing.T) View {
	t.Helper()
	points := make([]space.Point, 12)
	for i := range points {
		points[i] = []float64{float64(i) / 11}
	}
	s := must.Get(space.List(points, space.Float("x", 0, 1)))(t)
	prior := must.Get(surrogate.DefaultPrior("matern52", 1))(t)
	v := View{Belief: model.Belief{Best: math.Inf(-1)}, Round: 7, Space: s}
	v.Units.Scale = 1
	var x []space.Unit
	var y []float64
	for i := range 6 {
		q := Query{Number: i + 1, Round: i + 1, X: s.UnitPoints()[2*i]}
		value := math.Sin(7 * q.X[0])
		v.Queries = append(v.Queries, q)
		v.History = append(v.History, Answer{Query: q, Seen: i + 2, Value: value})
		v.Rows = append(v.Rows, q.Number)
		x, y = append(x, q.X), append(y, value)
		if value > v.Best {
			v.Best, v.Incumbent = value, q.X
		}
	}
	v.Posterior = must.Get(prior.Condition(x, y, surrogate.NewPool(prior.Kernel, s.UnitPoints(), true)))(t)
	return v
}

// A policy that is changed has another name.
func TestAChangedPolicyHasAnotherName(t *testing.T) {
	p := must.Get(Parse("gp-qucb:p=0.8"))(t).(QUCB)
	old := p.Traits()
	p.P = 0.99
	if got := p.Traits().Name; got != "gp-qucb:p=0.99" || old.Name != "gp-qucb:p=0.8" {
		t.Errorf("%q became %q", old.Name, got)
	}
}

// A pointer to a policy is a policy, and is checked like one.
func TestAPointerIsValidatedToo(t *testing.T) {
	p := &QUCB{P: 0.2}
	if err := Validate(p); err == nil || !strings.Contains(err.Error(), "gp-qucb: p = 0.2") {
		t.Errorf("error %v", err)
	}
	if p.P = 0.99; Validate(p) != nil {
		t.Error(Validate(p))
	}
	if err := Validate(Batch{Policy: &Batch{}}); err == nil {
		t.Error("a batch of batches by way of a pointer")
	}
}

// Traits that are not those of the policy that they name say which they are.
func TestTraitsAgreeWithTheirName(t *testing.T) {
	for _, e := range All() {
		if err := e.first.Traits().Validate("Traits"); err != nil {
			t.Error(err)
		}
	}
	for _, other := range []Traits{{}, {Name: "my own", Model: true}, {Name: "calibrated:utility=code", Model: true}} {
		if err := other.Validate("Traits"); err != nil {
			t.Errorf("of no registered policy: %v", err)
		}
	}
	wrong := Traits{Name: "gp-ucb", Model: true, Pending: feedback.Censor}
	err := wrong.Validate("Config.Traits")
	for _, want := range []string{"Config.Traits", `"gp-ucb"`, "censor", "ignore"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s in it", err, want)
		}
	}
	changed := must.Get(Parse("gp-qucb:p=0.8"))(t).(QUCB)
	traits := changed.Traits()
	changed.P = 0.99
	if err := traits.Match(changed); err == nil || !strings.Contains(err.Error(), "gp-qucb:p=0.99") || !strings.Contains(err.Error(), "gp-qucb:p=0.8") {
		t.Errorf("error %v, want both names in it", err)
	}
	if err := changed.Traits().Match(changed); err != nil {
		t.Error(err)
	}
}
