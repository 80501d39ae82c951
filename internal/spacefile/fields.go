package spacefile

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// fields returns the fields of an object under their names, the first where one is given twice, and records those that
// are not in names. A misspelt field counts as the one that was meant if that is not there: so its value is checked
// too, and nothing is called missing that is there.
func (c *checker) fields(n node, path string, names ...string) map[string]field {
	return c.fieldsOf(n, path, names, names)
}

// fieldsOf is fields where only some of the names fit what the object is: one that does not is never meant.
func (c *checker) fieldsOf(n node, path string, names, fitting []string) map[string]field {
	given := make(map[string]field, len(names))
	firsts := make(map[string]place, len(n.fields))
	var unknown []field
	for _, f := range n.fields {
		name := f.key.text
		if first, twice := firsts[name]; twice {
			c.add(f.key.place, joined(path, name), "given twice: first at line %d", first.line)
			continue
		}
		firsts[name] = f.key.place
		if !slices.Contains(names, name) {
			unknown = append(unknown, f)
			continue
		}
		given[name] = f
	}
	for _, f := range unknown {
		meant, hint := didYouMean(f.key.text, fitting)
		c.add(f.key.place, joined(path, f.key.text), "unknown field%s (want %s)", hint, strings.Join(fitting, ", "))
		if _, there := given[meant]; meant != "" && !there {
			given[meant] = f
		}
	}
	return given
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// joined returns the path of a field of the object at path.
func joined(path, name string) string {
	switch {
	case len(name) > maxShown || !plainName.MatchString(name):
		return path + "[" + strconv.Quote(oneLine(name, maxShown)) + "]"
	case path == "":
		return name
	}
	return path + "." + name
}

// didYouMean returns the word that is nearest to what was written, and the hint for the message; both are empty when
// no word is near.
func didYouMean(written string, words []string) (meant, hint string) {
	if meant = check.Meant(written, words); meant == "" {
		return "", ""
	}
	return meant, ": did you mean " + meant + "?"
}
