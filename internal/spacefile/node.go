package spacefile

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// shape is what a node of the tree is.
type shape int

const (
	scalar shape = iota
	list
	object
)

// node is a node of the tree of a text, JSON or YAML.
type node struct {
	place  place
	shape  shape
	text   string  // scalar: its text, without quotes and escapes
	quoted bool    // scalar: written in quotes
	absent bool    // scalar: nothing was written, which YAML takes for null
	items  []node  // list
	fields []field // object, in the order of the text, duplicates included
}

// field is one field of an object.
type field struct {
	key, value node
}

var (
	decimal     = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	zeroPadded  = regexp.MustCompile(`^[-+]?0[0-9]`)
	notFinite   = regexp.MustCompile(`^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
	underscored = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(\.[0-9_]*)?([eE][-+]?[0-9]+)?$`)
	otherBase   = regexp.MustCompile(`^[-+]?0([xX][0-9a-fA-F_]+|[oO][0-7_]+|[bB][01_]+)$`)

	truths     = []string{"true", "True", "TRUE"}
	falsehoods = []string{"false", "False", "FALSE"}
	nulls      = []string{"null", "Null", "NULL", "~"}
)

// isNull, isBool and isNumber follow the core schema of YAML 1.2, of which JSON's words and numbers are a part.
func (n node) isNull() bool {
	return n.shape == scalar && !n.quoted && (n.absent || slices.Contains(nulls, n.text))
}

func (n node) isBool() bool {
	return n.shape == scalar && !n.quoted && (slices.Contains(truths, n.text) || slices.Contains(falsehoods, n.text))
}

func (n node) isNumber() bool {
	return n.shape == scalar && !n.quoted && (decimal.MatchString(n.text) || notFinite.MatchString(n.text))
}

// isText reports whether the node is text: in quotes, or none of the above.
func (n node) isText() bool {
	return n.shape == scalar && !n.isNull() && !n.isBool() && !n.isNumber()
}

// number returns the node as a finite number; want, unless it is empty, says what the node should have been.
func (n node) number() (v float64, want string) {
	switch {
	case n.shape != scalar || n.isNull():
		return 0, "a number"
	case n.quoted && decimal.MatchString(n.text):
		return 0, "a number, not text: without the quotes"
	case n.quoted:
		return 0, "a number"
	case notFinite.MatchString(n.text):
		return 0, "a finite number"
	case zeroPadded.MatchString(n.text):
		return 0, "a number without leading zeros"
	case decimal.MatchString(n.text):
		v, err := strconv.ParseFloat(n.text, 64)
		if errors.Is(err, strconv.ErrRange) {
			return 0, "a finite number: at most 1.797e308"
		}
		return v, ""
	case strings.Contains(n.text, "_") && underscored.MatchString(n.text):
		return 0, "a number without _"
	case otherBase.MatchString(n.text):
		return 0, "a decimal number"
	}
	return 0, "a number"
}

// truth returns the node as true or false; want, unless it is empty, says what the node should have been.
func (n node) truth() (v bool, want string) {
	switch {
	case n.isBool():
		return slices.Contains(truths, n.text), ""
	case n.quoted && (n.text == "true" || n.text == "false"):
		return false, "true or false, not text: without the quotes"
	}
	return false, "true or false"
}

// shown returns the node for a message, on one line.
func (n node) shown() string {
	switch {
	case n.shape == list:
		return "a list"
	case n.shape == object:
		return "an object"
	case n.absent:
		return "nothing"
	case n.quoted:
		return `"` + strings.ReplaceAll(oneLine(n.text, maxShown), `"`, `\"`) + `"`
	}
	return oneLine(n.text, maxShown)
}
