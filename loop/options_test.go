package loop

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/space"
)

// configLeaves calls with for each field of a configuration that is no structure of fields, and with the path of each.
func configLeaves(v reflect.Value, path string, with func(path string, field any)) {
	for i := range v.NumField() {
		name := path + v.Type().Field(i).Name
		if f := v.Field(i); f.Kind() == reflect.Struct && f.Type() != reflect.TypeFor[space.Space]() {
			configLeaves(f, name+".", with)
		} else {
			with(name, f.Addr().Interface())
		}
	}
}

// Whoever adds a field to the configuration, or to anything in it, adds a line to the table. The space alone is none.
func TestEveryFieldOfAConfigurationIsAnOption(t *testing.T) {
	var c Config
	bound := map[any]int{}
	options := c.Options()
	for _, o := range options {
		bound[o.Field]++
	}
	n := 0
	configLeaves(reflect.ValueOf(&c).Elem(), "", func(path string, field any) {
		n++
		if is := bound[field] == 1; is == (path == "Space") {
			t.Errorf("%s is an option %d times", path, bound[field])
		}
		if got := option.Path(&c, field); got != path {
			t.Errorf("%s has the path %q", path, got)
		}
	})
	if n != len(options)+1 {
		t.Errorf("%d fields and %d options", n, len(options))
	}
}

func TestOptionsHaveNamesOfTheirOwn(t *testing.T) {
	plain := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[string]bool{"space": true}
	var c Config
	for _, o := range c.Options() {
		if seen[o.Name] || !plain.MatchString(o.Name) {
			t.Errorf("%q is taken, or is no name of a flag", o.Name)
		}
		seen[o.Name] = true
		if _, toggle := o.Field.(*bool); o.Help != "" && !toggle && strings.Count(o.Help, "`") != 2 {
			t.Errorf("%s: the help names no value: %s", o.Name, o.Help)
		}
	}
}

// What a configuration says by way of text is the same configuration, also with the defaults in it.
func TestAConfigurationComesBackFromItsTexts(t *testing.T) {
	c := valid(t)
	floor := -0.1
	c.Floor, c.Seed, c.Design, c.Timeout, c.Model = &floor, 1<<63+1, space.Halton, 5400e9+1, Model{Kernel: "se", Hyper: []float64{0.1, 2, 1e-300}, Noise: 1e-7}
	for _, c := range []Config{c, c.withDefaults(), {Space: c.Space}} {
		back := Config{Space: c.Space}
		theirs := back.Options()
		for i, o := range c.Options() {
			if o.Words != nil && o.IsZero() && !o.Valid() { // no kernel is named
				continue
			}
			if !theirs[i].Read(o.Text()) {
				t.Errorf("%s: %q is not read", o.Name, o.Text())
			}
		}
		if !reflect.DeepEqual(back, c) || back.fingerprint() != c.fingerprint() {
			t.Errorf("%+v became\n%+v", c, back)
		}
	}
}
