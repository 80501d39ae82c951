package spacefile

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/space"
)

var (
	fieldNames = []string{"name", "type", "low", "high", "step", "log", "choices", "values", "role", "costs", "when"}
	kinds      = []string{"float", "int", "categorical", "bool", "ordered"} // by space.Kind
	roles      = space.RoleNames()

	wantFields    = "an object with the fields " + strings.Join(fieldNames, ", ")
	parameterName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
)

const wantName = "a name: a letter or _, then letters, digits, _, . and -"

// entry is one parameter as far as it was understood.
type entry struct {
	space.Parameter
	at, nameAt place
	roleAt     place
	path       string
	named      bool // Name is a name
	kindKnown  bool // Kind is what the user wrote
	roleKnown  bool // Role is what the user wrote or left out
	when       []when
}

// parameter reads one parameter and records what is wrong with it.
func (c *checker) parameter(n node, path string) entry {
	e := entry{at: n.place, path: path}
	if n.shape != object {
		c.wrong(n, path, wantFields)
		return e
	}
	given := c.fieldsOf(n, path, fieldNames, fittingType(n))
	c.name(&e, given)
	kind, kindKnown := c.word(e, given, "type", kinds)
	e.Kind, e.kindKnown = space.Kind(kind), kindKnown
	if f, there := given["role"]; there {
		var role int
		e.roleAt = f.value.place
		role, e.roleKnown = c.word(e, given, "role", roles)
		e.Role = space.Role(role)
	} else {
		e.roleKnown = true
	}
	if kindKnown {
		c.unfit(e, given)
	}
	if !kindKnown || e.Kind == space.KindFloat || e.Kind == space.KindInt {
		c.numeric(&e, given, kindKnown)
	}
	if !kindKnown || e.Kind == space.KindCategorical {
		c.choices(&e, given, kindKnown)
	}
	if !kindKnown || e.Kind == space.KindOrdered {
		c.values(&e, given, kindKnown)
	}
	c.costs(&e, given)
	e.ascending()
	if f, there := given["when"]; there {
		c.when(&e, f.value)
	}
	return e
}

func (c *checker) name(e *entry, given map[string]field) {
	f, there := given["name"]
	switch {
	case !there:
		c.add(e.at, e.path+".name", "missing: want %s", wantName)
	case f.value.shape == scalar && !f.value.isText() && parameterName.MatchString(f.value.text):
		c.wrong(f.value, e.path+".name", "text: put it in quotes")
	case !f.value.isText() || !parameterName.MatchString(f.value.text):
		c.wrong(f.value, e.path+".name", wantName)
	default:
		e.Name, e.nameAt, e.named = f.value.text, f.value.place, true
	}
}

// word reads a field that is one of the words and returns which.
func (c *checker) word(e entry, given map[string]field, name string, words []string) (int, bool) {
	want := strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
	f, there := given[name]
	if !there {
		c.add(e.at, joined(e.path, name), "missing: want %s", want)
		return 0, false
	}
	if f.value.isText() {
		if k := slices.Index(words, f.value.text); k >= 0 {
			return k, true
		}
		_, hint := didYouMean(f.value.text, words)
		want += hint
	}
	c.wrong(f.value, joined(e.path, name), want)
	return 0, false
}

// owned are the fields that only some kinds have.
var owned = [...][]string{
	space.KindFloat:       {"low", "high", "step", "log", "costs"},
	space.KindInt:         {"low", "high", "step", "log", "costs"},
	space.KindCategorical: {"choices"},
	space.KindBool:        {},
	space.KindOrdered:     {"values", "costs"},
}

// fitting are the fields that a parameter of a kind may have.
func fitting(kind space.Kind) []string {
	return slices.DeleteFunc(slices.Clone(fieldNames), func(name string) bool {
		belongs := func(fields []string) bool { return slices.Contains(fields, name) }
		return slices.ContainsFunc(owned[:], belongs) && !belongs(owned[kind])
	})
}

// fittingType are the fields that a parameter of the type that is written may have; all of them where no type is.
func fittingType(n node) []string {
	for _, f := range n.fields {
		if kind := slices.Index(kinds, f.value.text); f.key.text == "type" && f.value.isText() && kind >= 0 {
			return fitting(space.Kind(kind))
		}
	}
	return fieldNames
}

// unfit records the fields that a parameter of the kind does not have.
func (c *checker) unfit(e entry, given map[string]field) {
	want := fitting(e.Kind)
	for _, name := range fieldNames {
		f, there := given[name]
		if !there || slices.Contains(want, name) {
			continue
		}
		hint := ""
		switch {
		case name == "values" && e.Kind != space.KindCategorical && e.Kind != space.KindBool:
			hint = ": a list of numbers has the type ordered"
		case name == "values" && e.Kind == space.KindCategorical:
			hint = ": did you mean choices?"
		case name == "choices" && e.Kind == space.KindOrdered:
			hint = ": did you mean values?"
		}
		c.add(f.key.place, joined(e.path, name), "not for the type %v (want %s)%s", e.Kind, strings.Join(want, ", "), hint)
	}
}
