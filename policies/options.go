package policies

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// Options are the key=value pairs behind a policy's name. A policy's New takes the ones it knows; what is left over
// is an error.
type Options struct {
	spec     string
	keys     []string
	values   []string
	known    []string
	defaults []string // key=value pairs for options that are not given
	errs     check.List
}

func newOptions(spec, rest string, defaults []string) (*Options, error) {
	o := &Options{spec: spec, defaults: defaults}
	if rest == "" {
		return o, nil
	}
	for part := range strings.SplitSeq(rest, ":") {
		key, value, ok := strings.Cut(part, "=")
		if !ok || key == "" || value == "" {
			return nil, fmt.Errorf("policy %q: option %q: want key=value", spec, part)
		}
		if slices.Contains(o.keys, key) {
			return nil, fmt.Errorf("policy %q: option %s is given twice", spec, key)
		}
		o.keys, o.values = append(o.keys, key), append(o.values, value)
	}
	return o, nil
}

// Spec is the text that makes the same policy again, name included: what was parsed, with the defaults of the caller
// that took effect so far. Ask for it after the options.
func (o *Options) Spec() string { return o.spec }

// Text returns the value of key, or fallback when it is not given.
func (o *Options) Text(key, fallback string) string {
	again := slices.Contains(o.known, key)
	o.known = append(o.known, key)
	if i := slices.Index(o.keys, key); i >= 0 {
		return o.values[i]
	}
	for _, pair := range o.defaults {
		if value, ok := strings.CutPrefix(pair, key+"="); ok {
			if !again {
				o.spec += ":" + pair
			}
			return value
		}
	}
	return fallback
}

// Float returns the value of key as a number in [lo, hi], or fallback when it is not given.
func (o *Options) Float(key string, fallback, lo, hi float64) float64 {
	text := o.Text(key, "")
	if text == "" {
		return fallback
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= lo && v <= hi) || math.IsInf(v, 0) {
		o.errs.Add(o.spec+": "+key, text, fmt.Sprintf("a number with %v ≤ %s ≤ %v", lo, key, hi))
		return fallback
	}
	return v
}

// Int returns the value of key as a whole number in lo … hi, or fallback when it is not given.
func (o *Options) Int(key string, fallback, lo, hi int) int {
	text := o.Text(key, "")
	if text == "" {
		return fallback
	}
	v, err := strconv.Atoi(text)
	if err != nil || v < lo || v > hi {
		o.errs.Add(o.spec+": "+key, text, fmt.Sprintf("a whole number with %d ≤ %s ≤ %d", lo, key, hi))
		return fallback
	}
	return v
}

// Choice returns the value of key, one of choices, or the first choice when it is not given.
func (o *Options) Choice(key string, choices ...string) string {
	text := o.Text(key, choices[0])
	if !slices.Contains(choices, text) {
		o.errs.Add(o.spec+": "+key, text, "one of "+strings.Join(choices, ", "))
		return choices[0]
	}
	return text
}

// Given reports whether the option stands in the text that was parsed.
func (o *Options) Given(key string) bool { return slices.Contains(o.keys, key) }

// Fail records a violation that a policy found itself.
func (o *Options) Fail(key string, value any, want string) { o.errs.Add(o.spec+": "+key, value, want) }

// finish reports every violation, unknown options among them.
func (o *Options) finish() error {
	for i, key := range o.keys {
		if !slices.Contains(o.known, key) {
			want := "no options"
			if len(o.known) > 0 {
				want = "one of the options " + strings.Join(o.known, ", ")
			}
			o.errs.Add(o.spec+": "+key, o.values[i], want)
		}
	}
	if err := o.errs.Err(); err != nil {
		return fmt.Errorf("policy %w", err)
	}
	return nil
}
