package asktell

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry"
)

// shape is what a JSON value is.
type shape int

const (
	numeral shape = iota
	textual
	truth
	null
	list
	object
)

// shapeOf returns what a value is that is JSON and begins with no space.
func shapeOf(value []byte) shape {
	switch value[0] {
	case '"':
		return textual
	case 't', 'f':
		return truth
	case 'n':
		return null
	case '[':
		return list
	case '{':
		return object
	}
	return numeral
}

// member is a field of an object.
type member struct {
	name  string
	value json.RawMessage
	end   int // offset of the byte behind the value
}

// members returns the fields of an object that is JSON, the first of each name; others are recorded as wrong.
func (r *request) members(path string, value []byte) []member {
	var out []member
	seen := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(value))
	_, _ = d.Token() // the brace; the text is JSON
	for d.More() {
		key, _ := d.Token()
		m := member{name: key.(string)}
		_ = d.Decode(&m.value)
		m.end = int(d.InputOffset())
		if seen[m.name] {
			r.wrong.say("%s: given twice", joined(path, m.name))
			continue
		}
		seen[m.name] = true
		out = append(out, m)
	}
	return out
}

// asText returns the value as text, and false when it is none.
func asText(value []byte) (string, bool) {
	var s string
	if shapeOf(value) != textual {
		return "", false
	}
	return s, json.Unmarshal(value, &s) == nil
}

// number returns the value as a finite number. Otherwise it is recorded as wrong; want says what it should have been.
func (r *request) number(path string, value []byte, want string) (float64, bool) {
	switch s, isText := asText(value); {
	case isText && json.Valid([]byte(s)) && shapeOf(bytes.TrimSpace([]byte(s))) == numeral:
		r.wrong.add(path, shown(value), want+", not text: without the quotes")
		return 0, false
	case shapeOf(value) != numeral:
		r.wrong.add(path, shown(value), want)
		return 0, false
	}
	v, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		r.wrong.add(path, shown(value), want)
	}
	return v, err == nil
}

const aNumber = "a finite number"

// measure returns a field that is a number, 0 where it is not there.
func (r *request) measure(field string) (v float64, given bool) {
	value, given := r.fields[field]
	if given {
		v, _ = r.number(field, value, aNumber)
	}
	return v, given
}

// whole returns a field that is a whole number in low … high, and otherwise where it is not there.
func (r *request) whole(field string, low, high, otherwise int) int {
	value, given := r.fields[field]
	if !given {
		return otherwise
	}
	want := fmt.Sprintf("a whole number in %d … %d", low, high)
	v, ok := r.number(field, value, want)
	if ok && (v != math.Trunc(v) || v < float64(low) || v > float64(high)) {
		r.wrong.add(field, shown(value), want)
		ok = false
	}
	if !ok {
		return otherwise
	}
	return int(v)
}

// yes returns a field that is true or false, false where it is not there.
func (r *request) yes(field string) bool {
	value, given := r.fields[field]
	if given && shapeOf(value) != truth {
		r.wrong.add(field, shown(value), "true or false")
	}
	return given && value[0] == 't'
}

// words returns a field that is text, "" where it is not there.
func (r *request) words(field string) string {
	value, given := r.fields[field]
	if !given {
		return ""
	}
	s, isText := asText(value)
	if !isText {
		r.wrong.add(field, shown(value), "text")
	}
	return s
}

// maxNumbers bounds a list of numbers.
const maxNumbers = 1000

// numbers returns a field that is a list of numbers, nil where it is not there.
func (r *request) numbers(field string) []float64 {
	value, given := r.fields[field]
	if !given {
		return nil
	}
	if shapeOf(value) != list {
		r.wrong.add(field, shown(value), "a list of numbers")
		return nil
	}
	out := []float64{}
	d := json.NewDecoder(bytes.NewReader(value))
	_, _ = d.Token() // the bracket; the text is JSON
	for d.More() {
		if len(out) == maxNumbers {
			r.wrong.say("%s: want at most %d numbers", field, maxNumbers)
			return nil
		}
		var item json.RawMessage
		_ = d.Decode(&item)
		v, _ := r.number(fmt.Sprintf("%s[%d]", field, len(out)), item, aNumber)
		out = append(out, v)
	}
	return out
}

// constraints returns the values of constraints: of those that the study names, in its order, an object with all of them, and otherwise
// a list. Where a value is given none may be missing.
func (r *request) constraints(named []tarry.Constraint, valued bool) []float64 {
	if len(named) == 0 {
		return r.numbers("constraints")
	}
	var names []string
	for _, c := range named {
		names = append(names, c.Name)
	}
	value, given := r.fields["constraints"]
	switch {
	case !given && !valued:
		return nil
	case !given:
		r.wrong.say("constraints: missing: want an object with a number for each of %s", strings.Join(names, ", "))
		return nil
	case shapeOf(value) != object:
		r.wrong.add("constraints", shown(value), "an object with a number for each of "+strings.Join(names, ", "))
		return nil
	}
	out, there := make([]float64, len(named)), make([]bool, len(named))
	for _, m := range r.members("constraints", value) {
		path := joined("constraints", m.name)
		i := slices.Index(names, m.name)
		if i < 0 {
			r.wrong.unknown("constraint", path, m.name, names)
			continue
		}
		out[i], _ = r.number(path, m.value, aNumber)
		there[i] = true
	}
	for i, c := range named {
		if !there[i] {
			r.wrong.say("%s: missing: want %s, with every value", joined("constraints", c.Name), aNumber)
		}
	}
	return out
}
