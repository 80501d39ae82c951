package policies

import (
	"slices"
	"strings"
)

// Default is the policy where none is named, as Parse reads it: of a study, of the tool and of the demo.
const Default = "auto"

// Entry describes a registered policy.
type Entry struct {
	Name    string // what Parse knows it by
	Summary string // one line for lists and help
	Source  string // author, year, equation or algorithm
	// Baseline marks policies that need not beat random search, such as random search.
	Baseline bool

	parse func(reading) (Policy, error)
	of    func(Policy) (Settings, bool) // the settings of a policy, if it is of the type that was registered
	first Policy                        // as registered
}

// Settings returns the options, with their defaults.
func (e Entry) Settings() Settings {
	s, _ := e.of(e.first)
	return s
}

// Options lists the options, as one writes them; empty for none.
func (e Entry) Options() string { return e.Settings().help() }

var registry []Entry

// Register adds a policy with the given settings, which are the defaults of those that Settings does not name. Call it from
// the policy's own file, in a package-level declaration. It returns true.
func Register[P Policy, S interface {
	*P
	Settings() Settings
}](e Entry, policy P) bool {
	at, taken := slices.BinarySearchFunc(registry, e.Name, func(r Entry, name string) int { return strings.Compare(r.Name, name) })
	if taken {
		panic("policies: Register: name taken: " + e.Name)
	}
	e.first = policy
	e.parse = func(r reading) (Policy, error) {
		p := policy
		if err := r.into(S(&p).Settings()); err != nil {
			return nil, err
		}
		return p, nil
	}
	e.of = func(p Policy) (Settings, bool) {
		own, is := p.(P)
		if pointer, points := any(p).(*P); points && pointer != nil {
			own, is = *pointer, true
		}
		return S(&own).Settings(), is
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
