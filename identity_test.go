package tarry

import (
	"errors"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/metric/noop"

	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// Every option is either one that a study has from its store, and Resume refuses it, or one that reaches the study that goes on,
// also through StartOrResume. A new option is one of the two, or this fails.
func TestEveryOptionIsTheStudysOrReachesIt(t *testing.T) {
	store := &journal.Memory{}
	s, err := NewSpace(Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewStudy(s, Options{Budget: 5, Journal: store}); err != nil {
		t.Fatal(err)
	}
	policy, err := ParsePolicy(DefaultPolicy)
	if err != nil {
		t.Fatal(err)
	}
	some := map[string]any{ // where the zero value and any other one are not easily told apart
		"Policy": policy, "Handler": slog.DiscardHandler, "Meter": noop.NewMeterProvider(), "Journal": &journal.Memory{}, "Remote": nowhere{},
	}
	carried := 0
	for i := range reflect.TypeFor[Options]().NumField() {
		name := reflect.TypeFor[Options]().Field(i).Name
		var o Options
		field := reflect.ValueOf(&o).Elem().Field(i)
		if v, ok := some[name]; ok {
			field.Set(reflect.ValueOf(v))
		} else {
			field.Set(another(t, field.Type()))
		}
		if refused := o.foreignToResume(); refused != nil {
			if !strings.Contains(refused.Error(), "Options."+name) {
				t.Errorf("%s: %v", name, refused)
			}
			continue
		}
		with, there, err := o.forStore(store, s)
		if !there || err != nil || reflect.ValueOf(with).Field(i).IsZero() {
			t.Errorf("%s does not reach a study that goes on: %v", name, err)
		}
		carried++
	}
	if carried < 10 {
		t.Errorf("%d options reach a study", carried)
	}
}

// nowhere is a Remote that takes no study.
type nowhere struct{}

func (nowhere) Attach(*RemoteStudy) error { return errors.New("there is no room") }

// An option that no field of the engine's configuration, or of its study's, has the name and the type of would be lost. Handler
// becomes its Logger, and Remote gets the engine.
func TestEveryOptionHasItsFieldInTheEngine(t *testing.T) {
	var o Options
	var c actors.Config
	known := append(option.Copy(&c, &o), option.Copy(&c.Study, &o)...)
	for i := range reflect.TypeFor[Options]().NumField() {
		if name := reflect.TypeFor[Options]().Field(i).Name; !slices.Contains(known, name) && name != "Handler" && name != "Remote" {
			t.Errorf("nothing takes Options.%s", name)
		}
	}
	public := option.Copy(&o, &c.Study)
	for _, f := range c.Study.Options() {
		name, _, _ := strings.Cut(option.Path(&c.Study, f.Field), ".")
		if f.Help != "" && !slices.Contains(public, name) && name != "Traits" {
			t.Errorf("%s is a flag and no option", name)
		}
	}
}

// What is zero was not given, whatever the study has, and what is given is compared, option by option.
func TestZeroIsNotGiven(t *testing.T) {
	s, err := NewSpace(Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	floor := 1.5
	full := Options{
		Budget: 9, Minimize: true, Initial: 3, Design: 2, Barrier: 2, Timeout: time.Minute, Pending: 4, Exclusive: true, Retries: 2, Lease: time.Hour,
		Patience: time.Second, Seed: 7, Window: Window{Rounds: 5, Duration: time.Minute, Strict: true}, Floor: &floor, Range: 2,
		Model: loop.Model{Kernel: "se", Hyper: []float64{1, 1}, Noise: 0.1, Active: 60},
	}
	c, err := full.config(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := (Options{Budget: 5}).agrees(s, c.Study); err != nil {
		t.Errorf("nothing is given: %v", err)
	}
	if err := full.agrees(s, c.Study); err != nil {
		t.Errorf("the same is given: %v", err)
	}
	var all []string
	full.given(func(field string, given option.Option, _ int) { all = append(all, field) })
	err = full.agrees(s, loop.Config{Space: s})
	for _, field := range all {
		if err == nil || !strings.Contains(err.Error(), field+" = ") {
			t.Errorf("%s differs, and is not named in %v", field, err)
		}
	}
	if len(all) != 20 {
		t.Errorf("%d are given: %v", len(all), all)
	}
}

// another is a value that is not the zero value.
func another(t *testing.T, of reflect.Type) reflect.Value {
	t.Helper()
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Pointer:
		return reflect.New(of.Elem())
	case reflect.Slice:
		return reflect.MakeSlice(of, 1, 1)
	case reflect.Func:
		return reflect.MakeFunc(of, func([]reflect.Value) []reflect.Value { return nil })
	case reflect.Struct:
		for i := range of.NumField() {
			v.Field(i).Set(another(t, of.Field(i).Type))
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint64:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.String:
		v.SetString("some")
	default:
		t.Fatalf("no value of type %v is known here", of)
	}
	return v
}
