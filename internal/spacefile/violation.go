package spacefile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// Violation is one thing that is wrong with a description.
type Violation struct {
	File         string // the name of the text
	Line, Column int    // where it is, from 1; columns count characters
	Path         string // which field it is, as in parameters[1].high; empty for the text as a whole
	Message      string // what is wrong and what would be right; "= value: want …" when a value is
}

// Error returns the violation on one line, as in
// "space.yaml:5:12: parameters[1].high = 0.1: want a number of at least low = 0.5".
func (v Violation) Error() string {
	place := fmt.Sprintf("%s:%d:%d: ", v.File, v.Line, v.Column)
	switch {
	case v.Path == "":
		return place + v.Message
	case strings.HasPrefix(v.Message, "= "):
		return place + v.Path + " " + v.Message
	}
	return place + v.Path + ": " + v.Message
}

// Unwrap returns check.ErrInvalidOption.
func (v Violation) Unwrap() error { return check.ErrInvalidOption }

// Violations are all the things that are wrong with a description, in the order of their places. errors.As finds the
// first as a Violation.
type Violations []Violation

// Error returns one violation a line.
func (v Violations) Error() string {
	lines := make([]string, len(v))
	for i := range v {
		lines[i] = v[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the violations one by one.
func (v Violations) Unwrap() []error {
	errs := make([]error, len(v))
	for i := range v {
		errs[i] = v[i]
	}
	return errs
}

func (v Violations) sorted() Violations {
	slices.SortStableFunc(v, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return v
}

// place is a line and a column, both from 1.
type place struct{ line, column int }

// checker collects the violations of one text.
type checker struct {
	file  string
	found Violations
}

// add records that something is wrong with the field path.
func (c *checker) add(at place, path, format string, args ...any) {
	c.found = append(c.found, Violation{
		File: c.file, Line: at.line, Column: at.column, Path: path, Message: fmt.Sprintf(format, args...),
	})
}

// wrong records that the value n of the field path is not what is wanted.
func (c *checker) wrong(n node, path, want string) {
	c.add(n.place, path, "= %s: want %s", n.shown(), want)
}
