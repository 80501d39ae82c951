// Package option says once what the options of something are. An option is a field of a configuration with its name, what it may
// be, and what it does; from lists of them come flags, the names of policies, the header of a journal, the fingerprint of a study,
// and what Validate says.
//
//	func (c *Config) Options() []option.Option {
//		return []option.Option{
//			{Name: "budget", Value: option.Whole(&c.Budget, 1, MaxBudget), Help: "`EVALUATIONS` in all"},
//			{Name: "timeout", Value: option.Time(&c.Timeout), Zero: "0 means as long as it takes"},
//		}
//	}
//
// The package is pure.
package option

import (
	"reflect"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// Option is a field of a configuration under a name.
type Option struct {
	Value
	Name   string        // in files, and of the flag
	Zero   string        // what the zero value stands for, in words; empty: for itself
	Help   string        // of the flag, its value between backquotes; empty: there is none
	Always bool          // in files also where it is zero
	Free   bool          // may be another one when a study goes on
	Wants  func() string // what other options demand of it, empty where they demand nothing; nil: none does
}

// Usage returns the help of the flag, with what zero means and the words to choose from.
func (o Option) Usage() string {
	text := o.Help
	if o.Words != nil {
		text += ": " + strings.Join(o.Words, ", ")
	}
	if o.Zero != "" {
		text += "; " + o.Zero
	}
	return text
}

// Check reports every option that is not what it may be, in the order of the options. They are of the fields of a configuration, to
// which in points; name is what errors call it.
func Check(name string, in any, options []Option) error {
	var l check.List
	for _, o := range options {
		if o.Valid() || o.Zero != "" && o.IsZero() {
			if o.Wants != nil {
				want := o.Wants()
				l.Require(want == "", name+"."+Path(in, o.Field), o.Now(), want)
			}
			continue
		}
		path := Path(in, o.Field)
		want := o.Limits(path[strings.LastIndexByte(path, '.')+1:])
		if o.Zero != "" {
			want += "; " + o.Zero
		}
		l.Add(name+"."+path, o.Now(), want)
	}
	return l.Err()
}

// Path returns where a field lies in a structure, as in "Window.Rounds", given pointers to both; empty where it does not.
func Path(in, field any) string { return path(reflect.ValueOf(in).Elem(), field) }

func path(in reflect.Value, field any) string {
	for i := range in.NumField() {
		f, name := in.Field(i), in.Type().Field(i)
		switch {
		case !name.IsExported():
		case f.Addr().Interface() == field:
			return name.Name
		case f.Kind() == reflect.Struct:
			if rest := path(f, field); rest != "" {
				return name.Name + "." + rest
			}
		}
	}
	return ""
}

// Copy sets the fields of a structure to those of another one that have the same names and types, given pointers to both, and
// returns the names. Lists, lists of lists and numbers behind pointers are copied, so that nobody who changes the other ones changes these.
func Copy(to, from any) (names []string) {
	source, target := reflect.ValueOf(from).Elem(), reflect.ValueOf(to).Elem()
	for i := range source.NumField() {
		name := source.Type().Field(i).Name
		if f := target.FieldByName(name); f.IsValid() && f.Type() == source.Field(i).Type() {
			f.Set(apart(source.Field(i)))
			names = append(names, name)
		}
	}
	return names
}

// apart is a value that shares no list and no number with another one.
func apart(v reflect.Value) reflect.Value {
	switch {
	case v.Kind() == reflect.Slice && !v.IsNil():
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(apart(v.Index(i)))
		}
		return out
	case v.Kind() == reflect.Pointer && !v.IsNil() && v.Elem().Kind() == reflect.Float64:
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(v.Elem())
		return out
	}
	return v
}
