// Package check holds the one error type and the few range checks that every Validate method uses, so that all of
// them name the field, the value and the allowed range in the same words and report everything at once.
//
//	var c check.List
//	c.Between("Options.Workers", o.Workers, 1, 1024)
//	c.Positive("Options.Noise", o.Noise)
//	return c.Err() // nil, or every violation joined; each errors.Is(err, check.ErrInvalidOption)
//
// The package is pure.
package check

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"
)

// ErrInvalidOption is what every FieldError unwraps to.
var ErrInvalidOption = errors.New("invalid option")

// FieldError says which field has which value and what would be allowed, as in
// "Options.Workers = -3: want 1 ≤ Workers ≤ 1024".
type FieldError struct {
	Field string // path of the field, as the user writes it
	Value any    // the value found
	Want  string // the allowed range, after "want "
}

// Error formats the three parts on one line.
func (e *FieldError) Error() string {
	return fmt.Sprintf("%s = %v: want %s", e.Field, e.Value, e.Want)
}

// Unwrap returns ErrInvalidOption.
func (e *FieldError) Unwrap() error { return ErrInvalidOption }

// List collects violations. The zero List is empty and ready.
type List struct{ errs []error }

// Add records a violation.
func (l *List) Add(field string, value any, want string) {
	l.errs = append(l.errs, &FieldError{Field: field, Value: value, Want: want})
}

// Join records the violations of a part, if there are any.
func (l *List) Join(err error) {
	if err != nil {
		l.errs = append(l.errs, err)
	}
}

// Require records a violation unless ok.
func (l *List) Require(ok bool, field string, value any, want string) {
	if !ok {
		l.Add(field, value, want)
	}
}

// Positive wants a finite value above zero.
func (l *List) Positive(field string, v float64) {
	l.Require(v > 0 && !math.IsInf(v, 0), field, v, "a finite number > 0")
}

// NotNegative wants a finite value of at least zero.
func (l *List) NotNegative(field string, v float64) {
	l.Require(v >= 0 && !math.IsInf(v, 0), field, v, "a finite number ≥ 0")
}

// Finite wants a number that is neither NaN nor infinite.
func (l *List) Finite(field string, v float64) {
	l.Require(!math.IsNaN(v) && !math.IsInf(v, 0), field, v, "a finite number")
}

// Between wants lo ≤ v ≤ hi.
func (l *List) Between(field string, v, lo, hi int) { between(l, field, v, lo, hi) }

// Within wants lo ≤ v ≤ hi.
func (l *List) Within(field string, v, lo, hi float64) { between(l, field, v, lo, hi) }

func between[T cmp.Ordered](l *List, field string, v, lo, hi T) {
	if v >= lo && v <= hi {
		return
	}
	name := field[strings.LastIndexByte(field, '.')+1:]
	l.Add(field, v, fmt.Sprintf("%v ≤ %s ≤ %v", lo, name, hi))
}

// Err returns nil when nothing was recorded, otherwise all violations joined.
func (l *List) Err() error { return errors.Join(l.errs...) }

// Renamed returns err with the fields of its violations under other names: in each pair of names, the first as the
// beginning of a field becomes the second, also where a range names it. Other errors in it stay as they are.
func Renamed(err error, pairs ...string) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var out []error
		for _, e := range joined.Unwrap() {
			out = append(out, Renamed(e, pairs...))
		}
		return errors.Join(out...)
	}
	f, ok := err.(*FieldError)
	if !ok {
		return err
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if rest, ok := strings.CutPrefix(f.Field, pairs[i]); ok {
			field := pairs[i+1] + rest
			return &FieldError{Field: field, Value: f.Value, Want: ranged(f.Want, lastName(f.Field), lastName(field))}
		}
	}
	return err
}

// ranged is a wish in which a range has the field under another name.
func ranged(want, old, name string) string {
	return strings.NewReplacer("≤ "+old+" ≤", "≤ "+name+" ≤", "≤ "+old+" <", "≤ "+name+" <", "< "+old+" ≤", "< "+name+" ≤", "< "+old+" <", "< "+name+" <").Replace(want)
}

// lastName is what is behind the last dot.
func lastName(field string) string { return field[strings.LastIndex(field, ".")+1:] }
