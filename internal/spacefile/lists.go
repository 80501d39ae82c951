package spacefile

import (
	"fmt"
	"strings"
)

// maxChoices bounds the choices and the values of a parameter: space.New compares each choice with each.
const maxChoices = 4096

// list reads the field with a list of so many items at most; it must be there if required. What is too many is not looked at.
func (c *checker) list(e entry, given map[string]field, name, want string, required bool) []node {
	path := joined(e.path, name)
	f, there := given[name]
	switch {
	case !there && required:
		c.add(e.at, path, "missing: want %s", want)
		return nil
	case !there:
		return nil
	case f.value.shape != list:
		c.wrong(f.value, path, want)
		return nil
	}
	items := f.value.items
	if len(items) < 1 || len(items) > maxChoices {
		c.add(f.value.place, path, "want 1 to %d %s, not %d", maxChoices, name, len(items))
	}
	return items[:min(len(items), maxChoices)]
}

// choices reads the choices; they must be there if required.
func (c *checker) choices(e *entry, given map[string]field, required bool) {
	items := c.list(*e, given, "choices", "a list of choices", required)
	first := make(map[string]int, len(items))
	for i, item := range items {
		at := fmt.Sprintf("%s.choices[%d]", e.path, i)
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

// values reads the values, in any order; they must be there if required.
func (c *checker) values(e *entry, given map[string]field, required bool) {
	items := c.list(*e, given, "values", "a list of numbers", required)
	first := make(map[float64]int, len(items))
	for i, item := range items {
		at := fmt.Sprintf("%s.values[%d]", e.path, i)
		v, want := item.number()
		switch k, twice := first[v]; {
		case want != "":
			c.wrong(item, at, want)
		case twice:
			c.wrong(item, at, fmt.Sprintf("distinct values: values[%d] at line %d is the same", k, items[k].place.line))
		default:
			first[v] = i
		}
		e.Values = append(e.Values, v)
	}
}
