package option

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
)

// Value is a field of a configuration: how it is written, read, and what it may be. The text of one that is within its limits
// reads back to the same bits. Make it by a function that is named for what the field holds.
type Value struct {
	Field any      // the pointer
	Kind  string   // what its text may be, as in "a whole number"
	Words []string // those that it is one of, where there are such

	text   func() string
	read   func(text string) bool
	valid  func() bool
	limits func(name string) string // nil: those of its kind
}

// Text returns the value as text.
func (v Value) Text() string { return v.text() }

// Read sets the field to what the text says, within the limits or not. It returns false, and leaves the field, where the text is
// none of its kind.
func (v Value) Read(text string) bool { return v.read(text) }

// Valid reports whether the field is within its limits.
func (v Value) Valid() bool { return v.valid() }

// IsZero reports whether the field has the zero value of its type.
func (v Value) IsZero() bool { return v.field().IsZero() }

// Limits returns what is allowed, as in "1 ≤ name ≤ 9".
func (v Value) Limits(name string) string {
	if v.limits == nil {
		return v.Kind
	}
	return v.limits(name)
}

// Want returns what a text must be, as in "a whole number with 1 ≤ name ≤ 9".
func (v Value) Want(name string) string {
	if v.limits == nil {
		return v.Kind
	}
	return v.Kind + " with " + v.limits(name)
}

// Now returns the value as an error shows it: a word as its text, and a pointer as what it points to.
func (v Value) Now() any {
	switch f := v.field(); {
	case v.Words != nil, f.Kind() == reflect.Pointer && f.IsNil():
		return v.text()
	case f.Kind() == reflect.Pointer:
		return f.Elem().Interface()
	default:
		return f.Interface()
	}
}

func (v Value) field() reflect.Value { return reflect.ValueOf(v.Field).Elem() }

func of[T any](field *T, kind string, text func(T) string, parse func(string) (T, error), valid func(T) bool) Value {
	return Value{
		Field: field, Kind: kind,
		text:  func() string { return text(*field) },
		valid: func() bool { return valid(*field) },
		read: func(text string) bool {
			v, err := parse(text)
			if err == nil {
				*field = v
			}
			return err == nil
		},
	}
}

func always[T any](T) bool { return true }

// Whole is a whole number from low to high. Up to the greatest that there is, it has no upper limit.
func Whole(field *int, low, high int) Value {
	v := of(field, "a whole number", strconv.Itoa, strconv.Atoi, func(n int) bool { return n >= low && n <= high })
	v.limits = func(name string) string {
		if high == math.MaxInt {
			return fmt.Sprintf("%s ≥ %d", name, low)
		}
		return fmt.Sprintf("%d ≤ %s ≤ %d", low, name, high)
	}
	return v
}

// Seed is any whole number without a sign.
func Seed(field *uint64) Value {
	v := of(field, "a whole number", func(n uint64) string { return strconv.FormatUint(n, 10) },
		func(text string) (uint64, error) { return strconv.ParseUint(text, 10, 64) }, always)
	v.limits = func(name string) string { return fmt.Sprintf("0 ≤ %s ≤ %d", name, uint64(math.MaxUint64)) }
	return v
}

// Toggle is true or false.
func Toggle(field *bool) Value {
	return of(field, "true or false", strconv.FormatBool, strconv.ParseBool, always)
}

// Text is any text.
func Text(field *string) Value {
	return of(field, "a text", func(s string) string { return s }, func(s string) (string, error) { return s, nil }, always)
}

// List is a list of things that have names, with commas between them, or none.
func List[T any](field *[]T, kind string, name func(T) string, parse func(string) (T, error)) Value {
	return of(field, kind, func(all []T) string {
		if all == nil {
			return none
		}
		names := make([]string, len(all))
		for i, v := range all {
			names[i] = name(v)
		}
		return strings.Join(names, ",")
	}, func(text string) (all []T, err error) {
		switch text {
		case none:
			return nil, nil
		case "":
			return []T{}, nil
		}
		for one := range strings.SplitSeq(text, ",") {
			v, err := parse(one)
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
		return all, nil
	}, always)
}

// Word is one of some words.
func Word(field *string, words []string) Value {
	v := Text(field)
	v.Words, v.Kind = words, oneOf(words)
	v.valid = func() bool { return slices.Contains(words, *field) }
	return v
}

// Choice is one of some words, by the value of its field. Words that are empty cannot be chosen.
func Choice[T ~int](field *T, words []string) Value {
	in := func(v T) bool { return v >= 0 && int(v) < len(words) && words[v] != "" }
	v := of(field, "", func(v T) string {
		if !in(v) {
			return strconv.Itoa(int(v))
		}
		return words[v]
	}, func(text string) (T, error) {
		if i := slices.Index(words, text); i >= 0 && text != "" {
			return T(i), nil
		}
		return 0, errNone
	}, in)
	for _, word := range words {
		if word != "" {
			v.Words = append(v.Words, word)
		}
	}
	v.Kind = oneOf(v.Words)
	return v
}

func oneOf(words []string) string { return "one of " + strings.Join(words, ", ") }

var errNone = errors.New("none of its kind")

// Number is a number within a range.
func Number(field *float64, within Range) Value {
	v := of(field, "a number", Digits, parseNumber, within.has)
	v.limits = within.words
	return v
}

// Document is a structure that is written as JSON, or nil.
func Document[T any](field **T, kind string) Value {
	return of(field, kind, func(p *T) string {
		if p == nil {
			return ""
		}
		text, _ := json.Marshal(p)
		return string(text)
	}, func(text string) (*T, error) {
		if text == "" {
			return nil, nil
		}
		p := new(T)
		return p, check.Object([]byte(text), p)
	}, func(p *T) bool { _, err := json.Marshal(p); return err == nil })
}

// Maybe is a finite number, or none.
func Maybe(field **float64) Value {
	return of(field, "a finite number", func(p *float64) string {
		if p == nil {
			return none
		}
		return Digits(*p)
	}, func(text string) (*float64, error) {
		if text == none {
			return nil, nil
		}
		v, err := parseNumber(text)
		return &v, err
	}, func(p *float64) bool { return p == nil || !math.IsNaN(*p) && !math.IsInf(*p, 0) })
}

const none = "none"

// Numbers are any, or none.
func Numbers(field *[]float64) Value {
	return of(field, "numbers between commas", func(list []float64) string {
		if list == nil {
			return none
		}
		var parts []string
		for _, v := range list {
			parts = append(parts, Digits(v))
		}
		return strings.Join(parts, ",")
	}, func(text string) (list []float64, err error) {
		switch text {
		case none:
			return nil, nil
		case "":
			return []float64{}, nil
		}
		for part := range strings.SplitSeq(text, ",") {
			v, wrong := parseNumber(part)
			list, err = append(list, v), errors.Join(err, wrong)
		}
		return list, err
	}, always)
}

// NumbersWithin are at least one, each within a range, or none.
func NumbersWithin(field *[]float64, within Range) Value {
	v := Numbers(field)
	v.valid = func() bool {
		return *field == nil || len(*field) > 0 && !slices.ContainsFunc(*field, func(x float64) bool { return !within.has(x) })
	}
	v.limits = func(name string) string { return within.words("each of " + name) }
	return v
}

// Time is a duration that is not negative.
func Time(field *time.Duration) Value {
	v := TimeWithin(field, 0, math.MaxInt64)
	v.limits = func(string) string { return "a duration ≥ 0" }
	return v
}

// TimeWithin is a duration from low to high.
func TimeWithin(field *time.Duration, low, high time.Duration) Value {
	v := of(field, "a duration such as 1m30s", Brief, time.ParseDuration, func(d time.Duration) bool { return d >= low && d <= high })
	v.limits = func(name string) string { return Brief(low) + " ≤ " + name + " ≤ " + Brief(high) }
	return v
}

// Brief returns a duration without the zeros at its end: 24h, not 24h0m0s.
func Brief(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-len(zero)+1]
		}
	}
	return text
}

// Range is which numbers are allowed: those from Low to High, without the ends that are open.
type Range struct {
	Low, High         float64
	OpenLow, OpenHigh bool
}

func (r Range) has(v float64) bool {
	return (v > r.Low || v == r.Low && !r.OpenLow) && (v < r.High || v == r.High && !r.OpenHigh)
}

func (r Range) words(name string) string {
	sign := func(open bool) string {
		if open {
			return " < "
		}
		return " ≤ "
	}
	return Digits(r.Low) + sign(r.OpenLow) + name + sign(r.OpenHigh) + Digits(r.High)
}

// Digits returns the shortest text that reads back to the same bits.
func Digits(v float64) string {
	if math.IsInf(v, 1) {
		return "inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func parseNumber(text string) (float64, error) { return strconv.ParseFloat(text, 64) }
