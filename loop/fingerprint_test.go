package loop

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// changes calls with for each of the leaves below a value, with the leaf changed and its path. A slice and a pointer are
// leaves besides what they hold: nil is changed to one that is not.
func changes(v reflect.Value, path string, with func(path string)) {
	old := reflect.New(v.Type()).Elem()
	old.Set(v)
	set := func(to reflect.Value) {
		v.Set(to)
		with(path)
		v.Set(old)
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				changes(v.Field(i), path+"."+f.Name, with)
			}
		}
	case reflect.Pointer:
		set(reflect.New(v.Type().Elem()))
		if !v.IsNil() {
			changes(v.Elem(), path, with)
		}
	case reflect.Slice:
		set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
		for i := range v.Len() {
			changes(v.Index(i), fmt.Sprintf("%s[%d]", path, i), with)
		}
	case reflect.Bool:
		set(reflect.ValueOf(!v.Bool()).Convert(v.Type()))
	case reflect.Int, reflect.Int64:
		set(reflect.ValueOf(v.Int() + 1).Convert(v.Type()))
	case reflect.Uint64:
		set(reflect.ValueOf(v.Uint() + 1).Convert(v.Type()))
	case reflect.Float64:
		set(reflect.ValueOf(v.Float() + 0.5).Convert(v.Type()))
	case reflect.String:
		set(reflect.ValueOf(v.String() + "'").Convert(v.Type()))
	default:
		panic(path + " has a kind that is not known here: " + v.Kind().String())
	}
}

// What is added to the configuration is found here without being named. A space is its parameters and its points.
func TestEveryLeafOfAConfigurationIsInTheFingerprint(t *testing.T) {
	floor, leaves := 1.5, 0
	for _, c := range []Config{{}, {Floor: &floor, Model: Model{Hyper: []float64{1, 2}}, Traits: policies.Traits{Also: []model.Want{{Output: 1}}}}} {
		plain := c.fingerprint()
		changes(reflect.ValueOf(&c).Elem(), "Config", func(path string) {
			leaves++
			if c.Taught != nil {
				c.Taught.Space = must.Get(space.New(space.Float("x", 0, 1)))(t)
			}
			if c.Prior != nil {
				c.Prior.Space = must.Get(space.New(space.Float("x", 0, 1)))(t)
			}
			if c.Learned != nil {
				c.Learned.Space = must.Get(space.New(space.Float("x", 0, 1)))(t) // of none there is no text
			}
			if same := c.fingerprint() == plain; same != strings.HasPrefix(path, "Config.Budget") {
				t.Errorf("with another %s the fingerprint is the same: %v", path, same)
			}
		})
	}
	if leaves < 2*25 {
		t.Errorf("%d leaves", leaves)
	}
	of := func(p space.Parameter) uint64 {
		d := digest{fnv.New64a()}
		d.parameter(p)
		return d.Sum64()
	}
	p := space.Parameter{Name: "x", Choices: []string{"a"}, Values: []float64{1, 2}, Conditions: []space.Condition{{Parent: "y", Values: []string{"a"}}}}
	plain := of(p)
	changes(reflect.ValueOf(&p).Elem(), "Parameter", func(path string) {
		if of(p) == plain {
			t.Errorf("with another %s the fingerprint is the same", path)
		}
	})
}

func TestTheFingerprintHasTheSpace(t *testing.T) {
	list := func(x float64, parameters ...space.Parameter) uint64 {
		s, err := space.List([]space.Point{{0}, {x}}, parameters...)
		if err != nil {
			t.Fatal(err)
		}
		return Config{Space: s}.fingerprint()
	}
	stepped := func() uint64 { // as two processes make it
		s, err := space.New(space.Float("x", 0, 2).Stepped(0.1).When("y", true), space.Bool("y"))
		if err != nil {
			t.Fatal(err)
		}
		return Config{Space: s}.fingerprint()
	}
	if one, other := stepped(), stepped(); one != other {
		t.Error("one space has two fingerprints")
	}
	free, err := space.New(space.Float("x", 0, 2))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint64]bool{Config{Space: free}.fingerprint(): true}
	for _, f := range []uint64{list(1, space.Float("x", 0, 2)), list(2, space.Float("x", 0, 2)), list(1, space.Float("y", 0, 2)), list(1, space.Int("x", 0, 2))} {
		if seen[f] {
			t.Error("two spaces have one fingerprint")
		}
		seen[f] = true
	}
}
