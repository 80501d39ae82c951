package loop

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/state"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/surrogate"
)

// field is one of the state of a loop.
type field struct {
	path  string
	of    string // the structure and the field, as in "loop.worker.slots"
	value reflect.Value
}

// fieldsOf returns the fields below a value, outer ones first, in the elements of slices and behind pointers as well, but not
// below those that are left out.
func fieldsOf(path, of string, v reflect.Value, without map[string]state.Mark) (all []field) {
	if path != "" {
		v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem() // which may be set
		all = append(all, field{path, of, v})
		if mark, marked := without[path]; marked && mark.Of != state.Unhashed {
			return all
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			all = append(all, fieldsOf(path, of, v.Elem(), without)[1:]...)
		}
	case reflect.Slice:
		for i := range v.Len() {
			all = append(all, fieldsOf(fmt.Sprintf("%s[%d]", path, i), of, v.Index(i), without)...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			all = append(all, fieldsOf(strings.TrimPrefix(path+"."+f.Name, "."), v.Type().String()+"."+f.Name, v.Field(i), without)...)
		}
	}
	return all
}

func marksOf(l *Loop) map[string]state.Mark {
	marks := map[string]state.Mark{}
	for _, m := range state.Marks(l.visit) {
		marks[m.Path] = m
	}
	return marks
}

// fullLoop has something in every field that a snapshot has.
func fullLoop(t *testing.T) *Loop {
	t.Helper()
	c := valid(t)
	c.Traits = policies.Traits{Model: true}
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	for filled := true; filled; {
		filled = false
		marks := marksOf(l)
		for _, f := range fieldsOf("", "", reflect.ValueOf(l).Elem(), marks) {
			if mark, marked := marks[f.path]; (!marked || mark.Of == state.Unhashed) && f.value.IsZero() && f.value.Kind() != reflect.Struct {
				change(f.value)
				filled = true
				break // what is below it is looked at now
			}
		}
	}
	return l
}

// change sets a value to another one.
func change(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		} else {
			v.SetZero()
		}
	case reflect.Slice:
		more := reflect.Zero(v.Type().Elem())
		if v.Len() > 0 {
			more = v.Index(v.Len() - 1)
		}
		v.Set(reflect.Append(v, more))
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Float64:
		if v.SetFloat(v.Float() + 1); math.IsInf(v.Float(), 0) {
			v.SetFloat(1)
		}
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Interface: // a kernel
		kernel := v.Interface().(surrogate.Kernel)
		values := kernel.Values()
		values[0]++
		v.Set(reflect.ValueOf(kernel.WithValues(values)))
	default:
		panic("a field of a kind that is not known here: " + v.Kind().String())
	}
}

// Whoever adds a field to the state names it in the list of its structure, or says there why it is left out: what is not named
// is found here, also behind a name that is another field's. Every field in the list tells two loops apart, and two digests.
func TestEveryFieldOfTheStateIsNamed(t *testing.T) {
	plain, changed := fullLoop(t), fullLoop(t)
	if what := plain.Difference(changed); what != "" {
		t.Fatal(what)
	}
	marks := marksOf(changed)
	digest := plain.Digest()
	named := 0
	for _, f := range fieldsOf("", "", reflect.ValueOf(changed).Elem(), marks) {
		mark, marked := marks[f.path]
		delete(marks, f.path)
		if marked && mark.Why == "" {
			t.Errorf("%s is left out without a reason", f.path)
		}
		if marked && mark.Of != state.Unhashed || f.value.Kind() == reflect.Struct {
			continue
		}
		named++
		old := reflect.New(f.value.Type()).Elem()
		old.Set(f.value)
		change(f.value)
		what := plain.Difference(changed)
		if at := strings.TrimPrefix(what, f.path); at == what || at[0] != ':' && at[0] != '[' {
			t.Errorf("with another %s the difference is %q: does the list name it?", f.path, what)
		}
		if hashed := changed.Digest() != digest; hashed == marked {
			t.Errorf("with another %s the digest changed: %v", f.path, hashed)
		}
		f.value.Set(old)
	}
	for path := range marks {
		t.Errorf("the list leaves out %s, which there is not", path)
	}
	if named < 150 {
		t.Errorf("only %d fields were found", named)
	}
}

// What was written into a loop in which nothing has happened is there, to the bit.
func TestEveryFieldThatIsWrittenIsRead(t *testing.T) {
	full := fullLoop(t)
	read, err := New(full.config)
	if err != nil {
		t.Fatal(err)
	}
	if err := state.Read(state.Bytes(nil, full.visit), read.visit); err != nil {
		t.Fatal(err)
	}
	without := map[string]bool{}
	for path, mark := range marksOf(full) {
		without[path] = mark.Of != state.Unhashed
	}
	if what := differ("", reflect.ValueOf(full).Elem(), reflect.ValueOf(read).Elem(), without); what != "" {
		t.Error(what)
	}
}

// apart says where two loops differ, in what is rebuilt as well; not in what starts anew.
func apart(l, restored *Loop) string {
	anew := map[string]bool{}
	for _, of := range []*Loop{l, restored} {
		for _, m := range state.Marks(of.visit) {
			anew[m.Path] = anew[m.Path] || m.Of == state.Anew
		}
	}
	return differ("", reflect.ValueOf(l).Elem(), reflect.ValueOf(restored).Elem(), anew)
}

// fill notes which fields of the structures in a loop hold something.
func fill(seen map[string]bool, l *Loop) {
	for _, f := range fieldsOf("", "", reflect.ValueOf(l).Elem(), marksOf(l)) {
		if !f.value.IsZero() && (f.value.Kind() != reflect.Slice || f.value.Len() > 0) {
			seen[f.of] = true
		}
	}
}

// notYet are fields that no study fills so far: the censor value is zero in all units, and a model may have more outputs and know
// of noise.
var notYet = []string{
	"feedback.Units.Censored", "model.Fit.Output", "model.Fit.Known", "model.output.variances", "model.rows.baseKnown", "model.Edit.Known",
}

// unfilled are the fields of a snapshot that never held anything, but for those.
func unfilled(t *testing.T, seen map[string]bool) []string {
	empty := map[string]bool{}
	full := fullLoop(t)
	marks := marksOf(full)
	for _, f := range fieldsOf("", "", reflect.ValueOf(full).Elem(), marks) {
		if mark, marked := marks[f.path]; (!marked || mark.Of == state.Unhashed) && !seen[f.of] && !slices.Contains(notYet, f.of) {
			empty[f.of] = true
		}
	}
	return slices.Sorted(maps.Keys(empty))
}
