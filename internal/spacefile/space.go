package spacefile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// EnvironmentName returns the environment variable that carries the value of the parameter with the name: TARRY_ and
// the name in upper case, every character that is not an ASCII letter or digit as _.
func EnvironmentName(name string) string {
	return "TARRY_" + strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z' || r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, name)
}

// description returns what the tree describes, and records what is wrong with it.
func (c *checker) description(root node) Description {
	if root.shape != object {
		c.add(root.place, "", "%s: want %s", root.shown(), wantObject)
		return Description{}
	}
	given := c.fields(root, "", "parameters", "points", "constraints", "seeds")
	var d Description
	if f, there := given["constraints"]; there {
		d.Constraints = c.constraints(f.value)
	}
	d.Space = c.space(root, given)
	if f, there := given["points"]; there && d.Space.Dim() > 0 {
		d.Space = c.listed(f.value, d.Space)
	}
	if f, there := given["seeds"]; there && d.Space.Dim() > 0 {
		d.Seeds = c.seeds(f.value, d.Space)
	}
	return d
}

// space returns the space that the tree describes, and records what is wrong with it.
func (c *checker) space(root node, given map[string]field) space.Space {
	f, there := given["parameters"]
	switch {
	case !there:
		c.add(root.place, "parameters", "missing: want a list of parameters")
		return space.Space{}
	case f.value.shape != list:
		c.wrong(f.value, "parameters", "a list of parameters")
		return space.Space{}
	case len(f.value.items) == 0 || len(f.value.items) > space.MaxDim:
		c.add(f.value.place, "parameters", "want 1 to %d parameters, not %d", space.MaxDim, len(f.value.items))
	}
	items := f.value.items[:min(len(f.value.items), space.MaxDim)] // what is too many is not looked at
	entries := make([]entry, len(items))
	actions := len(items) == 0
	for i, item := range items {
		entries[i] = c.parameter(item, fmt.Sprintf("parameters[%d]", i))
		actions = actions || !entries[i].roleKnown || entries[i].Role.Chosen()
	}
	if !actions {
		c.add(f.value.place, "parameters", "want at least one with the role action, all are %s", others(entries))
	}
	c.distinct(entries)
	c.oneFidelity(entries)
	s, made := c.conditions(entries)
	switch {
	case len(c.found) > 0:
		return space.Space{}
	case made:
		return s
	}
	return c.built(entries, f.value.place)
}

// others says what parameters are of which none is an action.
func others(entries []entry) string {
	if slices.ContainsFunc(entries, func(e entry) bool { return e.Role == space.Fidelity }) {
		return "contexts or a fidelity"
	}
	return "contexts"
}

// distinct records names that were taken before, as such or as environment variables.
func (c *checker) distinct(entries []entry) {
	names := make(map[string]entry, len(entries))
	variables := make(map[string]entry, len(entries))
	for _, e := range entries {
		if !e.named {
			continue
		}
		if first, taken := names[e.Name]; taken {
			c.add(e.nameAt, e.path+".name", "= %s: want distinct names: %s at line %d has the same", e.Name, first.path, first.nameAt.line)
			continue
		}
		names[e.Name] = e
		variable := EnvironmentName(e.Name)
		if first, taken := variables[variable]; taken {
			c.add(e.nameAt, e.path+".name", "= %s: want another name: its environment variable %s is that of %s at line %d",
				e.Name, variable, first.Name, first.nameAt.line)
			continue
		}
		variables[variable] = e
	}
}

// built returns the space of the entries. What space.New objects to although it passed here is recorded at the place of
// the parameter.
func (c *checker) built(entries []entry, whole place) space.Space {
	s, err := space.New(parametersOf(entries)...)
	c.objections(err, entries, whole)
	return s
}

func (c *checker) objections(err error, entries []entry, whole place) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			c.objections(e, entries, whole)
		}
		return
	}
	var f *check.FieldError
	if !errors.As(err, &f) {
		return
	}
	at, i := whole, 0
	if n, _ := fmt.Sscanf(f.Field, "Space.Parameters[%d]", &i); n == 1 && i < len(entries) {
		at = entries[i].at
	}
	path := strings.ToLower(strings.TrimPrefix(f.Field, "Space."))
	c.add(at, path, "= %s: want %s", oneLine(fmt.Sprint(f.Value), maxShown), f.Want)
}
