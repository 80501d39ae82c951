package spacefile

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/space"
)

var (
	fieldNames = []string{"name", "type", "low", "high", "log", "choices", "role"}
	kinds      = []string{"float", "int", "categorical"} // by space.Kind
	roles      = []string{"action", "context"}           // by space.Role

	wantFields    = "an object with the fields " + strings.Join(fieldNames, ", ")
	parameterName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
)

const wantName = "a name: a letter or _, then letters, digits, _, . and -"

// maxChoices bounds the choices of a parameter: space.New compares each with each.
const maxChoices = 4096

// maxWhole bounds the ends of an int: beyond it not every whole number is a float64.
const maxWhole = 1 << 53

// maxLevels is how many values of an int are too many for space.
const maxLevels = 1 << 40

// entry is one parameter as far as it was understood.
type entry struct {
	space.Parameter
	at, nameAt place
	path       string
	named      bool // Name is a name
	roleKnown  bool // Role is what the user wrote or left out
}

// parameter reads one parameter and records what is wrong with it.
func (c *checker) parameter(n node, path string) entry {
	e := entry{at: n.place, path: path}
	if n.shape != object {
		c.wrong(n, path, wantFields)
		return e
	}
	given := c.fields(n, path, fieldNames...)
	c.name(&e, given)
	kind, kindKnown := c.word(e, given, "type", kinds)
	e.Kind = space.Kind(kind)
	if _, there := given["role"]; there {
		var role int
		role, e.roleKnown = c.word(e, given, "role", roles)
		e.Role = space.Role(role)
	} else {
		e.roleKnown = true
	}
	if kindKnown {
		c.unfit(e, given)
	}
	if !kindKnown || e.Kind != space.KindCategorical {
		c.numeric(&e, given, kindKnown)
	}
	if !kindKnown || e.Kind == space.KindCategorical {
		c.choices(&e, given, kindKnown)
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

// unfit records the fields that a parameter of the kind does not have.
func (c *checker) unfit(e entry, given map[string]field) {
	none, kind := []string{"choices"}, "a float"
	switch e.Kind {
	case space.KindInt:
		kind = "an int"
	case space.KindCategorical:
		none, kind = []string{"low", "high", "log"}, "a categorical"
	}
	want := slices.DeleteFunc(slices.Clone(fieldNames), func(name string) bool { return slices.Contains(none, name) })
	for _, name := range none {
		if f, there := given[name]; there {
			c.add(f.key.place, joined(e.path, name), "not for %s (want %s)", kind, strings.Join(want, ", "))
		}
	}
}

// numeric reads low, high and log; low and high must be there if required.
func (c *checker) numeric(e *entry, given map[string]field, required bool) {
	if f, there := given["log"]; there {
		var want string
		if e.Log, want = f.value.truth(); want != "" {
			c.wrong(f.value, e.path+".log", want)
		}
	}
	whole := required && e.Kind == space.KindInt
	var low, high bool
	e.Low, low = c.bound(*e, given, "low", required, whole)
	e.High, high = c.bound(*e, given, "high", required, whole)
	if low && e.Log && e.Low <= 0 {
		c.wrong(given["low"].value, e.path+".low", "a number > 0, since log is true")
	}
	if !low || !high {
		return
	}
	top, path := given["high"].value, e.path+".high"
	switch {
	case e.Low >= e.High:
		c.wrong(top, path, "a number above low = "+given["low"].value.shown())
	case math.IsInf(e.High-e.Low, 0):
		c.wrong(top, path, "high − low to be finite")
	case whole && e.High-e.Low >= maxLevels:
		c.wrong(top, path, "fewer than 2^40 values")
	}
}

// bound reads low or high and reports whether it is a number that the type allows.
func (c *checker) bound(e entry, given map[string]field, name string, required, whole bool) (float64, bool) {
	f, there := given[name]
	if !there {
		if required {
			c.add(e.at, joined(e.path, name), "missing: want a number")
		}
		return 0, false
	}
	v, want := f.value.number()
	switch {
	case want == "" && whole && v != math.Trunc(v):
		want = "a whole number, since type is int"
	case want == "" && whole && math.Abs(v) > maxWhole:
		want = "a whole number of at most 2^53 in size"
	}
	if want != "" {
		c.wrong(f.value, joined(e.path, name), want)
	}
	return v, want == ""
}

// choices reads the choices; they must be there if required.
func (c *checker) choices(e *entry, given map[string]field, required bool) {
	const want = "a list of at least two choices"
	path := e.path + ".choices"
	f, there := given["choices"]
	switch {
	case !there && required:
		c.add(e.at, path, "missing: want %s", want)
		return
	case !there:
		return
	case f.value.shape != list:
		c.wrong(f.value, path, want)
		return
	}
	items := f.value.items
	if len(items) < 2 || len(items) > maxChoices {
		c.add(f.value.place, path, "want 2 to %d choices, not %d", maxChoices, len(items))
	}
	items = items[:min(len(items), maxChoices)] // what is too many is not looked at
	first := make(map[string]int, len(items))
	for i, item := range items {
		at := fmt.Sprintf("%s[%d]", path, i)
		switch k, twice := first[item.text]; {
		case item.shape == object:
			c.wrong(item, at, "text, a number or a boolean: put text that contains : in quotes")
		case item.shape == list:
			c.wrong(item, at, "text, a number or a boolean")
		case item.isNull():
			c.wrong(item, at, "text, a number or a boolean: put text in quotes")
		case strings.Contains(item.text, "\x00"):
			c.wrong(item, at, "text without the character 0: it cannot be in an environment variable")
		case twice:
			c.wrong(item, at, fmt.Sprintf("distinct choices: choices[%d] at line %d is the same", k, items[k].place.line))
		default:
			first[item.text] = i
		}
		e.Choices = append(e.Choices, item.text)
	}
}
