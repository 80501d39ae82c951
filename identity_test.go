package tarry

import (
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/metric/noop"

	"github.com/tarry-bo/tarry/journal"
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
		"Policy": policy, "Handler": slog.DiscardHandler, "Meter": noop.NewMeterProvider(), "Journal": &journal.Memory{},
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
