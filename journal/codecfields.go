package journal

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// fields goes through the members of one JSON object, in one of two directions: each method writes the value to out, or
// reads it from in. So one list of members serves both, and they cannot disagree. After an error the methods do nothing.
type fields struct {
	reading bool
	out     []byte
	in      []member
	err     error
}

// presence says whether a member is always there.
type presence bool

const (
	must presence = true
	may  presence = false // absent when zero
)

// reading returns the members of an object, or why the text is none.
func reading(text []byte) (fields, error) {
	if err := valid(text); err != nil {
		return fields{}, err
	}
	members, err := split(text)
	return fields{reading: true, in: members}, err
}

// take returns the value of a member and strikes the member off.
func (f *fields) take(name string) ([]byte, bool) {
	for i := range f.in {
		if m := &f.in[i]; !m.taken && string(m.name) == name {
			m.taken = true
			return m.value, true
		}
	}
	return nil, false
}

// finish returns the first error; a member that nobody took is one.
func (f *fields) finish() error {
	for _, m := range f.in {
		if f.err == nil && !m.taken {
			f.err = fmt.Errorf("%q is a member that is not known or is there twice: a newer program may have written it", m.name)
		}
	}
	return f.err
}

func (f *fields) fail(name string, err error) {
	if f.err == nil {
		f.err = fmt.Errorf("%s: %w", name, err)
	}
}

// key begins a member.
func (f *fields) key(name string) {
	if f.out[len(f.out)-1] != '{' {
		f.out = append(f.out, ',')
	}
	f.out = append(f.out, '"')
	f.out = append(f.out, name...)
	f.out = append(f.out, '"', ':')
}

// one goes through a member whose value has no members of its own.
func one[T any](f *fields, p presence, name string, v *T, zero bool, put func([]byte, T) []byte, get func([]byte) (T, error)) {
	switch {
	case f.err != nil:
	case !f.reading:
		if p == must || !zero {
			f.key(name)
			f.out = put(f.out, *v)
		}
	default:
		raw, ok := f.take(name)
		if !ok {
			if p == must {
				f.fail(name, errMissing)
			}
			return
		}
		value, err := get(raw)
		if err != nil {
			f.fail(name, err)
			return
		}
		*v = value
	}
}

func (f *fields) int(p presence, name string, v *int) {
	one(f, p, name, v, *v == 0, func(out []byte, v int) []byte { return strconv.AppendInt(out, int64(v), 10) }, getInt)
}

func (f *fields) uint64(p presence, name string, v *uint64) {
	one(f, p, name, v, *v == 0, func(out []byte, v uint64) []byte { return strconv.AppendUint(out, v, 10) }, getUint64)
}

func (f *fields) bool(p presence, name string, v *bool) {
	one(f, p, name, v, !*v, strconv.AppendBool, getBool)
}

func (f *fields) text(p presence, name string, v *string) {
	one(f, p, name, v, *v == "", putText, getText)
}

// number is a float; −0 is not zero here.
func (f *fields) number(p presence, name string, v *float64) {
	one(f, p, name, v, math.Float64bits(*v) == 0, putNumber, getNumber)
}

// numbers is a list that is absent when it is nil. One without entries is not nil.
func numbers[P ~[]float64](f *fields, name string, v *P) {
	one(f, may, name, v, *v == nil, putNumbers, getNumbers)
}

// rows is a list of lists of numbers that is absent when it is nil; a list in it that is nil is null.
func rows[P ~[]float64](f *fields, name string, v *[]P) {
	listOf(f, name, v, func(out []byte, row P) []byte {
		if row == nil {
			return append(out, "null"...)
		}
		return putNumbers(out, row)
	}, func(raw []byte) (P, error) {
		if string(raw) == "null" {
			return nil, nil
		}
		return getNumbers[P](raw)
	})
}

// ints is a list of whole numbers that is absent when it is nil.
func ints(f *fields, name string, v *[]int) {
	listOf(f, name, v, func(out []byte, v int) []byte { return strconv.AppendInt(out, int64(v), 10) }, getInt)
}

// listOf is a list of values that have no members of their own; absent when it is nil.
func listOf[T any](f *fields, name string, v *[]T, put func([]byte, T) []byte, get func([]byte) (T, error)) {
	one(f, may, name, v, *v == nil, func(out []byte, v []T) []byte {
		out = append(out, '[')
		for i, x := range v {
			if i > 0 {
				out = append(out, ',')
			}
			out = put(out, x)
		}
		return append(out, ']')
	}, func(raw []byte) (v []T, err error) {
		values, err := elements(raw)
		v = make([]T, len(values))
		for i := 0; i < len(values) && err == nil; i++ {
			v[i], err = get(values[i])
		}
		return v, err
	})
}

// optional is a number that is absent when the pointer is nil.
func (f *fields) optional(name string, v **float64) {
	one(f, may, name, v, *v == nil, func(out []byte, v *float64) []byte { return putNumber(out, *v) }, func(raw []byte) (*float64, error) {
		value, err := getNumber(raw)
		return &value, err
	})
}

// json is a value that knows its own JSON.
func (f *fields) json(name string, v interface {
	json.Marshaler
	json.Unmarshaler
}) {
	if f.err != nil {
		return
	}
	if !f.reading {
		raw, err := v.MarshalJSON()
		if err != nil {
			f.fail(name, err)
			return
		}
		f.key(name)
		f.out = append(f.out, raw...)
		return
	}
	raw, ok := f.take(name)
	if !ok {
		f.fail(name, errMissing)
	} else if err := v.UnmarshalJSON(raw); err != nil {
		f.fail(name, err)
	}
}

// jsonUnless is a value that knows its own JSON, and is absent where it is empty.
func (f *fields) jsonUnless(empty bool, name string, v interface {
	json.Marshaler
	json.Unmarshaler
}) {
	there := slices.ContainsFunc(f.in, func(m member) bool { return string(m.name) == name })
	if f.reading && there || !f.reading && !empty {
		f.json(name, v)
	}
}

// enum is one of the names, by their place. Another value is written as a number: it may be nonsense, but it is what was
// said.
func enum[T ~int](f *fields, p presence, name string, v *T, names ...string) {
	put := func(out []byte, v T) []byte {
		if v >= 0 && int(v) < len(names) {
			return putText(out, names[v])
		}
		return strconv.AppendInt(out, int64(v), 10)
	}
	one(f, p, name, v, *v == 0, put, func(raw []byte) (T, error) { return getEnum[T](raw, names) })
}

// structure is an object. One that may be absent is so when all its members are.
func structure[T any](f *fields, p presence, name string, v *T, visit func(*fields, *T)) {
	switch {
	case f.err != nil:
	case !f.reading:
		start := len(f.out)
		f.key(name)
		f.out = append(f.out, '{')
		visit(f, v)
		if p == may && f.out[len(f.out)-1] == '{' {
			f.out = f.out[:start]
			return
		}
		f.out = append(f.out, '}')
	default:
		raw, ok := f.take(name)
		if ok {
			f.inside(name, raw, func(f *fields) { visit(f, v) })
		} else if p == must {
			f.fail(name, errMissing)
		}
	}
}

// pointer is an object that is absent when the pointer is nil.
func pointer[T any](f *fields, name string, v **T, visit func(*fields, *T)) {
	switch {
	case f.err != nil:
	case !f.reading && *v != nil:
		structure(f, must, name, *v, visit)
	case f.reading:
		if raw, ok := f.take(name); ok {
			*v = new(T)
			f.inside(name, raw, func(f *fields) { visit(f, *v) })
		}
	}
}

// list is a list of objects that is absent when it is nil.
func list[T any](f *fields, name string, v *[]T, visit func(*fields, *T)) {
	switch {
	case f.err != nil:
	case !f.reading && *v != nil:
		f.key(name)
		f.out = append(f.out, '[')
		for i := range *v {
			if i > 0 {
				f.out = append(f.out, ',')
			}
			f.out = append(f.out, '{')
			visit(f, &(*v)[i])
			f.out = append(f.out, '}')
		}
		f.out = append(f.out, ']')
	case f.reading:
		raw, ok := f.take(name)
		if !ok {
			return
		}
		values, err := elements(raw)
		if err != nil {
			f.fail(name, err)
			return
		}
		*v = make([]T, len(values))
		for i, value := range values {
			f.inside(name, value, func(f *fields) { visit(f, &(*v)[i]) })
		}
	}
}

// inside reads an object within this one.
func (f *fields) inside(name string, raw []byte, read func(*fields)) {
	members, err := split(raw)
	if err != nil {
		f.fail(name, err)
		return
	}
	within := fields{reading: true, in: members}
	read(&within)
	if err := within.finish(); err != nil {
		f.fail(name, err)
	}
}
