package spacefile

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// when is where a condition of a parameter stands.
type when struct {
	at     node   // the name of the parent
	path   string // of the condition
	values []node // or the one of at_least
}

const wantWhen = "an object with the values of other parameters, as in {kind: adam}, {kind: [adam, sgd]} or {layers: {at_least: 2}}"

// when reads the conditions. Whether there are such parents and values is looked at when all parameters are known.
func (c *checker) when(e *entry, n node) {
	path := e.path + ".when"
	if n.shape == object && len(n.fields) == 0 {
		c.add(n.place, path, "want at least one parameter with its values, as in {kind: adam}")
		return
	}
	if n.shape != object {
		c.wrong(n, path, wantWhen)
		return
	}
	given := make(map[string]place, len(n.fields))
	for _, f := range n.fields {
		parent := f.key.text
		at := joined(path, parent)
		if first, twice := given[parent]; twice {
			c.add(f.key.place, at, "given twice: first at line %d", first.line)
			continue
		}
		given[parent] = f.key.place
		condition, values, ok := c.condition(parent, at, f.value)
		if !ok {
			continue
		}
		e.Conditions = append(e.Conditions, condition)
		e.when = append(e.when, when{f.key, at, values})
	}
}

// condition reads what is asked of a parent: a value, a list of values, or the least one.
func (c *checker) condition(parent, path string, n node) (condition space.Condition, values []node, ok bool) {
	condition.Parent = parent
	switch n.shape {
	case object:
		f, there := c.fields(n, path, "at_least")["at_least"]
		if !there {
			c.add(n.place, path, "want a value, a list of values or at_least: a number")
			return condition, nil, false
		}
		v, want := f.value.number()
		if want != "" {
			c.wrong(f.value, joined(path, "at_least"), want)
			return condition, nil, false
		}
		condition.AtLeast = v
		return condition, []node{f.value}, true
	case list:
		values = n.items
	default:
		values = []node{n}
	}
	if len(values) < 1 || len(values) > maxChoices {
		c.add(n.place, path, "want 1 to %d values, not %d", maxChoices, len(values))
		return condition, nil, false
	}
	ok = true
	for _, item := range values {
		if item.shape != scalar || item.isNull() {
			c.wrong(item, path, "text, a number or a boolean")
			ok = false
		}
		condition.Values = append(condition.Values, item.text)
	}
	return condition, values, ok
}

// typed records values that are written otherwise than those of their parent are, and has the others as space wants them.
func (c *checker) typed(e entry, entries []entry) {
	for j, w := range e.when {
		at := slices.IndexFunc(entries, func(p entry) bool { return p.Name == e.Conditions[j].Parent })
		if at < 0 || !entries[at].kindKnown || entries[at].Kind == space.KindCategorical {
			continue
		}
		for k := range e.Conditions[j].Values {
			var text, want string
			if entries[at].Kind == space.KindBool {
				var v bool
				v, want = w.values[k].truth()
				text = strconv.FormatBool(v)
			} else {
				var v float64
				v, want = w.values[k].number()
				text = strconv.FormatFloat(v, 'g', -1, 64)
			}
			if want != "" {
				c.wrong(w.values[k], w.path, want)
				continue
			}
			e.Conditions[j].Values[k] = text
		}
	}
}

// parametersOf returns the parameters as far as they were understood.
func parametersOf(entries []entry) []space.Parameter {
	parameters := make([]space.Parameter, len(entries))
	for i, e := range entries {
		parameters[i] = e.Parameter
	}
	return parameters
}

// conditions records what space.New objects to in the conditions, each at its place, whatever else is wrong with the text. It
// returns the space, if there are conditions and it was made.
func (c *checker) conditions(entries []entry) (s space.Space, made bool) {
	conditional := false
	for _, e := range entries {
		if !e.named {
			return s, false // it may be the parent that is missed
		}
		conditional = conditional || len(e.Conditions) > 0
	}
	if !conditional {
		return s, false
	}
	for _, e := range entries {
		c.typed(e, entries)
	}
	s, err := space.New(parametersOf(entries)...)
	for _, err := range violations(err) {
		var f *check.FieldError
		i, j, k := 0, -1, -1
		if !errors.As(err, &f) {
			continue
		}
		if n, _ := fmt.Sscanf(f.Field, "Space.Parameters[%d].Conditions[%d].Values[%d]", &i, &j, &k); n == 0 || !strings.Contains(f.Field, ".Conditions") {
			continue
		}
		e := entries[i]
		switch {
		case j < 0:
			c.add(e.when[0].at.place, e.path+".when", "want %s", f.Want)
		case k >= 0 && c.has(e.when[j].values[k].place):
		case k >= 0:
			c.wrong(e.when[j].values[k], e.when[j].path, f.Want)
		case strings.HasSuffix(f.Field, ".AtLeast"):
			c.wrong(e.when[j].values[0], joined(e.when[j].path, "at_least"), f.Want)
		default:
			c.add(e.when[j].at.place, e.when[j].path, "want %s", f.Want)
		}
	}
	return s, err == nil
}

// has reports whether something was found at a place.
func (c *checker) has(at place) bool {
	return slices.ContainsFunc(c.found, func(v Violation) bool { return v.Line == at.line && v.Column == at.column })
}
