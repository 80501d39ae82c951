package policies

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// aliases are further names of registered policies, as the literature has them.
var aliases = map[string]string{"bo": "log-ei"}

// Parse makes a policy from its name and options, as in "ucb-sdf", "ucb-sdf:nu=1" or "ucb-sdf:nu=1:sigma=predictive".
// Defaults are key=value pairs for options that the policy has and spec does not set. "bo" is "log-ei". The error names
// everything that is wrong and what is allowed.
func Parse(spec string, defaults ...string) (Policy, error) {
	name, rest, colon := strings.Cut(spec, ":")
	if registered, ok := aliases[name]; ok {
		name = registered
	}
	i := slices.IndexFunc(registry, func(e Entry) bool { return e.Name == name })
	if i < 0 {
		return nil, misread(name, "", "one of "+strings.Join(Names(), ", "))
	}
	if colon && rest == "" {
		return nil, misread(spec, "", "options as key=value after the colon, or no colon")
	}
	given, err := pairs(spec, rest)
	if err != nil {
		return nil, err
	}
	policy, err := registry[i].parse(reading{spec, given, defaults})
	if err == nil {
		err = Validate(policy) // what no single setting says
	}
	if err != nil {
		return nil, fmt.Errorf("policy %w", err)
	}
	return policy, nil
}

// unread is the violation of a specification that cannot be taken apart, in words of its own.
type unread struct {
	text      string
	violation check.FieldError
}

func misread(spec, part, want string) error {
	text := fmt.Sprintf("policy %q: ", spec)
	if part != "" {
		text += part + ": "
	}
	return unread{text + "want " + want, check.FieldError{Field: "policy", Value: spec, Want: want}}
}

// Error names the specification, and what is wanted.
func (e unread) Error() string { return e.text }

// Unwrap returns the violation.
func (e unread) Unwrap() error { return &e.violation }

// pair is an option as it was written.
type pair struct{ key, value string }

func pairs(spec, rest string) ([]pair, error) {
	if rest == "" {
		return nil, nil
	}
	var out []pair
	for part := range strings.SplitSeq(rest, ":") {
		key, value, ok := strings.Cut(part, "=")
		if !ok || key == "" || value == "" {
			return nil, misread(spec, fmt.Sprintf("option %q", part), "key=value")
		}
		if slices.ContainsFunc(out, func(p pair) bool { return p.key == key }) {
			return nil, unread{fmt.Sprintf("policy %q: option %s is given twice", spec, key), check.FieldError{Field: "policy", Value: spec, Want: "each option once"}}
		}
		out = append(out, pair{key, value})
	}
	return out, nil
}

// reading is what Parse was given for the options of one policy.
type reading struct {
	spec     string
	given    []pair
	defaults []string
}

// into sets the settings, and reports everything that is wrong with them.
func (r reading) into(settings Settings) error {
	var l check.List
	for _, o := range settings {
		if o.inherit != nil {
			o.inherit(r.defaults)
		}
		text, given := r.textOf(o.Key)
		switch {
		case text == "":
		case o.moot() && given:
			l.Add(r.spec+": "+o.Key, text, o.Key+" only "+o.only)
		case o.moot():
		default:
			if want := o.read(text); want != "" {
				l.Add(r.spec+": "+o.Key, text, want)
			}
		}
	}
	for _, p := range r.given {
		if !slices.ContainsFunc(settings, func(o Setting) bool { return o.Key == p.key }) {
			l.Add(r.spec+": "+p.key, p.value, settings.known())
		}
	}
	return l.Err()
}

// textOf is what was given for an option, or what a default says; empty without either.
func (r reading) textOf(key string) (text string, given bool) {
	for _, p := range r.given {
		if p.key == key {
			return p.value, true
		}
	}
	for _, d := range r.defaults {
		if value, ok := strings.CutPrefix(d, key+"="); ok {
			return value, false
		}
	}
	return "", false
}

// known says which options there are.
func (s Settings) known() string {
	if len(s) == 0 {
		return "no options"
	}
	var keys []string
	for _, o := range s {
		keys = append(keys, o.Key)
	}
	return "one of the options " + strings.Join(keys, ", ")
}
