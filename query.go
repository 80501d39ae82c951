package tarry

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/space"
)

// EvaluationID names one attempt at an evaluation. It is what Tell and Fail want to know; as text it survives the way
// through a queue or a file.
type EvaluationID struct {
	Evaluation int // the life of one query, from 1
	Attempt    int // from 1; higher after a failure, a timeout or a lost worker
}

// String returns the form that UnmarshalText reads: "12.1" is the first attempt at evaluation 12.
func (id EvaluationID) String() string { return fmt.Sprintf("%d.%d", id.Evaluation, id.Attempt) }

// MarshalText returns String.
func (id EvaluationID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads what String wrote.
func (id *EvaluationID) UnmarshalText(text []byte) error {
	first, second, _ := strings.Cut(string(text), ".")
	evaluation, err := strconv.Atoi(first)
	attempt, err2 := strconv.Atoi(second)
	if err != nil || err2 != nil || evaluation < 1 || attempt < 1 {
		return fmt.Errorf("tarry: evaluation %q: want two whole numbers ≥ 1 as in 12.1", text)
	}
	*id = EvaluationID{evaluation, attempt}
	return nil
}

// Query is a point to be evaluated, with typed values by the name of the parameter.
type Query struct {
	ID       EvaluationID
	X        Point     // in user units, in the order of the parameters; a choice is its index, a bool 0 or 1, NaN what is inactive
	Deadline time.Time // when the attempt is given up; zero means never

	space space.Space
	study answered // that it belongs to; nil where it is only shown
}

// NewQuery returns the query of an attempt at a point of a space, in user units, for who evaluates it elsewhere than where its study is:
// package remote does. Query.Report calls report; nil: it reports nothing. It panics where the point has another length than the space.
func NewQuery(s Space, id EvaluationID, x Point, deadline time.Time, report func(step, value float64) error) Query {
	if len(x) != s.Dim() {
		panic(fmt.Sprintf("tarry: NewQuery: %d numbers for %d parameters", len(x), s.Dim()))
	}
	q := Query{ID: id, X: x, Deadline: deadline, space: s}
	if report != nil {
		q.study = elsewhere(report)
	}
	return q
}

// Active reports whether the parameter is active: whether the conditions hold that When and WhenAtLeast gave it. It panics when
// there is no such parameter.
func (q Query) Active(name string) bool {
	i, _ := q.parameter(name)
	return q.space.ActiveAt(q.X).Has(i)
}

// Float returns the value of a number parameter: a float, an int or an ordered one. It panics, which fails the attempt with
// that reason, when there is no such parameter, it is inactive or its values are words.
func (q Query) Float(name string) float64 {
	i, p := q.parameter(name)
	if p.Words() != nil {
		panic(wrongKind("Float", p))
	}
	return q.value("Float", i, p)
}

// Int returns the value of a whole-number parameter: an int, or an ordered one of whole numbers only. It panics, which fails
// the attempt with that reason, when there is no such parameter, it is inactive or it is of another kind.
func (q Query) Int(name string) int {
	i, p := q.parameter(name)
	if !p.Whole() {
		panic(wrongKind("Int", p))
	}
	return int(q.value("Int", i, p))
}

// Bool returns the value of a bool. It panics, which fails the attempt with that reason, when there is no such parameter, it is
// inactive or it is of another kind.
func (q Query) Bool(name string) bool {
	i, p := q.parameter(name)
	if p.Kind != space.KindBool {
		panic(wrongKind("Bool", p))
	}
	return q.value("Bool", i, p) == 1
}

// Choice returns the value of a categorical parameter, or of a bool as "false" or "true". It panics, which fails the attempt
// with that reason, when there is no such parameter, it is inactive or its values are numbers.
func (q Query) Choice(name string) string {
	i, p := q.parameter(name)
	if p.Words() == nil {
		panic(wrongKind("Choice", p))
	}
	return p.Words()[int(q.value("Choice", i, p))]
}

// value returns the value of a parameter that is active.
func (q Query) value(method string, i int, p Parameter) float64 {
	if q.space.ActiveAt(q.X).Has(i) {
		return q.X[i]
	}
	var parents []string
	for _, c := range p.Conditions {
		parents = append(parents, c.Parent)
	}
	panic(fmt.Sprintf("tarry: Query.%s(%q): it is inactive here, which %s decides: ask Query.Active first", method, p.Name, strings.Join(parents, " and ")))
}

// wrongKind says that a method reads no parameter of this kind, and which one does.
func wrongKind(method string, p Parameter) string {
	is, right := fmt.Sprintf("it is of the type %v", p.Kind), "Float"
	switch {
	case p.Kind == space.KindBool:
		right = "Bool"
	case p.Kind == space.KindCategorical:
		right = "Choice"
	case p.Whole():
		right = "Int"
	case p.Kind == space.KindOrdered && method == "Int":
		is += " with values that are not whole"
	}
	return fmt.Sprintf("tarry: Query.%s(%q): %s: want Query.%s", method, p.Name, is, right)
}

// String returns name=value pairs.
func (q Query) String() string {
	if len(q.X) != q.space.Dim() {
		return fmt.Sprint(q.X)
	}
	return q.space.Format(q.X)
}

func (q Query) parameter(name string) (int, space.Parameter) {
	var names []string
	for i := range q.space.Dim() {
		p := q.space.Parameter(i)
		if p.Name == name {
			return i, p
		}
		names = append(names, p.Name)
	}
	panic(fmt.Sprintf("tarry: query has no parameter %q: want one of %s", name, strings.Join(names, ", ")))
}
