package policies

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Entry describes a registered policy.
type Entry struct {
	Name    string // what Parse knows it by
	Summary string // one line for lists and help
	Source  string // author, year, equation or algorithm
	Options string // the options it takes, as one writes them; empty for none
	New     func(o *Options) Policy
	// Baseline marks policies that need not beat random search, such as random search.
	Baseline bool
}

var registry []Entry

// Register adds a policy. Call it from the policy's own file, in a package-level declaration. It returns true.
func Register(e Entry) bool {
	at, taken := slices.BinarySearchFunc(registry, e.Name, func(r Entry, name string) int { return strings.Compare(r.Name, name) })
	if taken {
		panic("policies: Register: name taken: " + e.Name)
	}
	registry = slices.Insert(registry, at, e)
	return true
}

// All returns the registered policies, sorted by name.
func All() []Entry { return slices.Clone(registry) }

// Names returns the names of the registered policies, sorted.
func Names() []string {
	names := make([]string, len(registry))
	for i, e := range registry {
		names[i] = e.Name
	}
	return names
}

// aliases are further names of registered policies, as the literature has them.
var aliases = map[string]string{"bo": "log-ei"}

// Parse makes a policy from its name and options, as in "ucb-sdf", "ucb-sdf:nu=1" or
// "ucb-sdf:nu=1:sigma=predictive". Defaults are key=value pairs that hold for options which the policy knows and spec
// does not give. "bo" is "log-ei". An error names what is wrong and what exists.
func Parse(spec string, defaults ...string) (Policy, error) {
	name, rest, colon := strings.Cut(spec, ":")
	if registered, ok := aliases[name]; ok {
		name = registered
	}
	i := slices.IndexFunc(registry, func(e Entry) bool { return e.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("policy %q: want one of %s", name, strings.Join(Names(), ", "))
	}
	if colon && rest == "" {
		return nil, fmt.Errorf("policy %q: want options as key=value after the colon, or no colon", spec)
	}
	o, err := newOptions(spec, rest, defaults)
	if err != nil {
		return nil, err
	}
	policy := registry[i].New(o)
	if err := o.finish(); err != nil {
		return nil, err
	}
	return policy, nil
}

// nameOf is the name of a policy: what was parsed, or for one that was made in code its registered name with the
// settings that are not zero, in a form that Parse refuses rather than misreads.
func nameOf(parsed, registered string, settings ...any) string {
	if parsed != "" {
		return parsed
	}
	for _, s := range settings {
		if !reflect.ValueOf(s).IsZero() {
			return fmt.Sprintf("%s:%+v", registered, settings)
		}
	}
	return registered
}
