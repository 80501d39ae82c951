package asktell

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tarry-bo/tarry"
)

// operation is what a request may want.
type operation struct {
	name   string
	fields []string // besides op and tag
	does   string
	do     func(*Server, context.Context, *request) (answer any, err error)
}

// operations are all of them. They are set late, since one of them lists them.
var operations []operation

func init() {
	operations = []operation{
		{"ask", []string{"n", "context"}, "gives n queries, 1 unless said, at a context where the space has some; one that is tried again keeps its own, which is in x", (*Server).ask},
		{"tell", []string{"id", "value", "attempt", "cost", "constraints", "infeasible"}, "brings the value of a query", (*Server).tell},
		{"report", []string{"id", "value", "step", "attempt"}, "brings a value from the way to the end; the answer says whether to stop", (*Server).report},
		{"fail", []string{"id", "reason", "attempt", "infeasible", "lost"}, "says that a query has no value", (*Server).fail},
		{"cancel", []string{"id"}, "gives a query up, at no cost to the budget", (*Server).cancel},
		{"renew", []string{"id", "attempt"}, "lets the lease of a query begin anew", (*Server).renew},
		{"observe", []string{"x", "value", "constraints"}, "brings a value that was measured elsewhere, at no cost to the budget", (*Server).observe},
		{"enqueue", []string{"x"}, "names the point of the next query that the budget has room for; what is left open is drawn at random", (*Server).enqueue},
		{"best", nil, "gives the best value so far", (*Server).best},
		{"predict", []string{"x"}, "gives what the model expects at a point, at no cost to the budget", (*Server).predict},
		{"recommend", []string{"context"}, "gives the point where the model expects the best, at no cost to the budget", (*Server).recommend},
		{"state", nil, "gives counts, what is pending, best, recommended and how the study stands", (*Server).state},
		{"help", nil, "gives this list", (*Server).help},
	}
}

// request is one line as it was understood.
type request struct {
	line      int
	operation operation
	fields    map[string]json.RawMessage // the first of each name
	tag       json.RawMessage            // nil without one
	wrong     complaints
	kept      tarry.Keeping // what its answer waits for
}

// fits reports whether nothing is wrong with the request, so far.
func (r *request) fits() bool { return len(r.wrong.said) == 0 }

// parse reads a line. What is wrong with it is in the request.
func parse(number int, l line) *request {
	r := &request{line: number, fields: map[string]json.RawMessage{}}
	if l.long {
		r.wrong.say("line: longer than %d MiB", MaxLine>>20)
		return r
	}
	text := r.clean(l.text)
	if len(bytes.TrimSpace(text)) == 0 {
		r.wrong.say("empty line: want a request, as in {\"op\":\"ask\"}")
		return r
	}
	patched, syntax := r.patch(text)
	if syntax != nil {
		r.wrong.say("not JSON at column %d: %s", column(text, syntax), syntax.Error())
		return r
	}
	if kind := shapeOf(bytes.TrimSpace(patched)); kind != object {
		r.wrong.add("request", shown(bytes.TrimSpace(patched)), "an object, as in {\"op\":\"ask\"}")
		return r
	}
	r.take(text, patched)
	return r
}

// clean returns the text in UTF-8. Where it was not, the text is read on, for the tag and what else may be wrong.
func (r *request) clean(text []byte) []byte {
	if r.line == 1 {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRune(text[i:])
		if c == utf8.RuneError && size == 1 {
			r.wrong.say("column %d: byte 0x%02x is not UTF-8", utf8.RuneCount(text[:i])+1, text[i])
			return bytes.ToValidUTF8(text, []byte("\ufffd"))
		}
		i += size
	}
	return text
}

// maxPatches bounds how often a line is read for what is not a number.
const maxPatches = 8

// patch returns the text with zeros, filled up with spaces, in place of NaN and Infinity: some languages write them into
// what they call JSON. The request is wrong, but its tag is found. The error says why the text is not JSON all the same.
func (r *request) patch(text []byte) ([]byte, *json.SyntaxError) {
	patched := text
	for n := 0; ; n++ {
		syntax := syntaxError(patched)
		if syntax == nil || n == maxPatches {
			return patched, syntax
		}
		at := max(int(syntax.Offset)-1, 0)
		i := slices.IndexFunc(notFinite, func(word string) bool { return bytes.HasPrefix(patched[at:], []byte(word)) })
		if i < 0 {
			return patched, syntax
		}
		r.wrong.say("column %d: %s is not JSON: want a finite number; an evaluation without one has failed", column(text, syntax), notFinite[i])
		if n == 0 {
			patched = bytes.Clone(text)
		}
		copy(patched[at:], "0"+strings.Repeat(" ", len(notFinite[i])-1))
	}
}

var notFinite = []string{"NaN", "Infinity"}

// syntaxError returns nil when the text is JSON.
func syntaxError(text []byte) *json.SyntaxError {
	var raw json.RawMessage
	var syntax *json.SyntaxError
	errors.As(json.Unmarshal(text, &raw), &syntax)
	return syntax
}

// column returns where the error is, in characters from 1.
func column(text []byte, syntax *json.SyntaxError) int {
	before := max(int(syntax.Offset)-1, 0) // the offset counts the wrong character
	if strings.HasPrefix(syntax.Error(), "unexpected end") {
		before = len(text)
	}
	return utf8.RuneCount(text[:min(before, len(text))]) + 1
}

// take reads the fields of the request from patched. A tag that the patches changed is none.
func (r *request) take(text, patched []byte) {
	var names []string
	for _, m := range r.members("", patched) {
		if m.name == "tag" {
			if original := text[m.end-len(m.value) : m.end]; json.Valid(original) {
				r.tag = m.value
			}
			continue
		}
		r.fields[m.name] = m.value
		names = append(names, m.name)
	}
	if !r.choose() {
		return
	}
	known := append([]string{"op", "tag"}, r.operation.fields...)
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		meant := r.wrong.unknown("field", quoted(name), name, known)
		if _, given := r.fields[meant]; !given && meant != "" { // so that it is not called missing as well
			r.fields[meant] = r.fields[name]
		}
	}
}

// choose finds the operation.
func (r *request) choose() bool {
	var names []string
	for _, o := range operations {
		names = append(names, o.name)
	}
	value, given := r.fields["op"]
	if !given {
		r.wrong.say("op: missing: want one of %s", strings.Join(names, ", "))
		return false
	}
	name, isText := asText(value)
	i := slices.Index(names, name)
	if !isText || i < 0 {
		r.wrong.add("op", shown(value), fmt.Sprintf("one of %s%s", strings.Join(names, ", "), hint(name, names)))
		return false
	}
	r.operation = operations[i]
	return true
}
