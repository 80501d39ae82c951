package asktell

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// Bounds of a message: how many violations it names, how many names it lists, and how many characters it repeats of what
// was written.
const (
	maxSaid   = 20
	maxListed = 20
	maxShown  = 40
)

// complaints are the violations of a request.
type complaints struct {
	said []string
	more int // those beyond maxSaid
}

// say records a violation.
func (c *complaints) say(format string, args ...any) {
	if c.full() {
		c.more++
		return
	}
	c.said = append(c.said, fmt.Sprintf(format, args...))
}

// add records that the field is not what is wanted.
func (c *complaints) add(field, value, want string) {
	c.say("%v", &check.FieldError{Field: field, Value: value, Want: want})
}

// unknown records a name that is none of the names there are, and returns the one that was probably meant.
func (c *complaints) unknown(what, path, name string, names []string) (meant string) {
	if c.full() { // to look for it takes time
		c.more++
		return ""
	}
	c.say("%s: unknown %s%s (want %s)", path, what, hint(name, names), listed(names))
	return check.Meant(name, names)
}

func (c *complaints) full() bool { return len(c.said) == maxSaid }

// String returns the violations on one line.
func (c *complaints) String() string {
	text := strings.Join(c.said, "; ")
	if c.more > 0 {
		text += fmt.Sprintf("; and %d more", c.more)
	}
	return text
}

// oneLine returns the text of an error on one line.
func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "; ") }

// listed returns the names in one line, the first of many.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s, … %d more", strings.Join(names[:maxListed], ", "), len(names)-maxListed)
}

// shown returns a value for a message.
func shown(value json.RawMessage) string {
	switch shapeOf(value) {
	case list:
		return "a list"
	case object:
		return "an object"
	}
	return cut(string(value))
}

func cut(s string) string {
	n := 0
	for i := range s {
		if n++; n > maxShown {
			return s[:i] + "…"
		}
	}
	return s
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// joined returns the path of a field of the object at path.
func joined(path, name string) string {
	switch {
	case path == "":
		return quoted(name)
	case len(name) > maxShown || !plainName.MatchString(name):
		return path + "[" + strconv.Quote(cut(name)) + "]"
	}
	return path + "." + name
}

// quoted returns a name as it is where it is plain.
func quoted(name string) string {
	if len(name) > maxShown || !plainName.MatchString(name) {
		return strconv.Quote(cut(name))
	}
	return name
}

// hint asks whether the nearest of the names was meant; it is empty when none is near.
func hint(written string, names []string) string {
	if meant := check.Meant(written, names); meant != "" {
		return ": did you mean " + meant + "?"
	}
	return ""
}
