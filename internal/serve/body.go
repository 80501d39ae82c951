package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// opened reads the body of a request for a study: the members that there are by their names, and what is wrong with the others. Only a body that
// is no JSON, or no object, is a problem of which nothing else is said.
func opened(body []byte) (given map[string]json.RawMessage, wrong []string, p *problem) {
	var all map[string]json.RawMessage
	d := json.NewDecoder(bytes.NewReader(body))
	err := d.Decode(&all)
	if err == nil && all == nil {
		err = errors.New("null")
	}
	if err != nil {
		return nil, nil, invalid("body: " + unread(err) + `: want {"space":{"parameters":[…]},"options":{…}}, and "remote":{} for remote workers`)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, nil, invalid("body: something follows the object")
	}
	given, wrong = members("", body, "space", "options", "remote")
	return given, wrong, nil
}

// unread says why a body is not what it should be, without the names of the program.
func unread(err error) string {
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return "empty"
	case errors.As(err, &mistyped):
		return "of the type " + mistyped.Value
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}

// members reads an object: its members by their names, which are those that are known, or any where none are, and what is wrong with the
// others. Of members with one name the first counts; a misspelt one is the one that was meant, where that is not there, so that it is looked
// at too.
func members(path string, object []byte, known ...string) (given map[string]json.RawMessage, wrong []string) {
	given, misspelt := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	var f faults
	d := json.NewDecoder(bytes.NewReader(object))
	_, _ = d.Token() // the brace: the text is an object
	for d.More() {
		key, _ := d.Token()
		name := key.(string)
		var value json.RawMessage
		_ = d.Decode(&value)
		_, twice := given[name]
		switch {
		case !twice && (known == nil || slices.Contains(known, name)):
			given[name] = value
		case f.full():
		case twice:
			f.say("%s%s: given twice", path, shortened(name))
		default:
			hint := ""
			if meant := check.Meant(name, known); meant != "" {
				misspelt[meant], hint = value, ": did you mean "+meant+"?"
			}
			f.say("%s%s: unknown member%s (want %s)", path, shortened(name), hint, strings.Join(known, ", "))
		}
	}
	for name, value := range misspelt {
		if _, there := given[name]; !there {
			given[name] = value
		}
	}
	return given, f.all()
}

// maxFaults bounds how much is said of one object, whatever somebody sends.
const maxFaults = 20

// faults are what is wrong with the members of an object.
type faults struct {
	said []string
	more int // that are not said
}

func (f *faults) say(format string, args ...any) {
	f.said = append(f.said, fmt.Sprintf(format, args...))
}

// full reports whether enough was said: then one more is counted.
func (f *faults) full() bool {
	if len(f.said) < maxFaults {
		return false
	}
	f.more++
	return true
}

func (f *faults) all() []string {
	if f.more > 0 {
		f.say("and %d more", f.more)
	}
	return f.said
}

// inside reads a member that is an object, with the members that it has, as members does. One that is null, or not there, is not given.
func inside(name string, value json.RawMessage, want string, known ...string) (given map[string]json.RawMessage, wrong []string) {
	switch {
	case value == nil || string(value) == "null":
		return nil, nil
	case value[0] != '{':
		return nil, []string{fmt.Sprintf("%s = %s: want %s", name, shortened(string(value)), want)}
	}
	return members(name+".", value, known...)
}

// crewIn reads the crew that somebody wants for a study; nil where none is given.
func crewIn(value json.RawMessage) (c *crew, wrong []string) {
	given, wrong := inside("remote", value, "an object, as in {} or {\"needs\":[\"gpu\"]}", "needs")
	if given == nil {
		return nil, wrong
	}
	c = &crew{}
	needs, there := given["needs"]
	if !there || string(needs) == "null" {
		return c, wrong
	}
	var labels []json.RawMessage
	if json.Unmarshal(needs, &labels) != nil {
		return c, append(wrong, "remote.needs = "+shortened(string(needs))+": want a list of labels")
	}
	if len(labels) > maxNeeds {
		return c, append(wrong, fmt.Sprintf("remote.needs: %d labels: want at most %d", len(labels), maxNeeds))
	}
	for i, l := range labels {
		var text string
		if json.Unmarshal(l, &text) != nil || !label.MatchString(text) {
			wrong = append(wrong, fmt.Sprintf("remote.needs[%d] = %s: want text of 1 … 64 letters, digits and _ . = : / -", i, shortened(string(l))))
		}
		c.Needs = append(c.Needs, text)
	}
	return c, wrong
}
