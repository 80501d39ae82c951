package space

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tarry-bo/tarry/internal/check"
)

// wireSpace is a space as JSON: the names and the order of the members are a file format.
type wireSpace struct {
	Parameters []wireParameter `json:"parameters"`
	Points     []wirePoint     `json:"points,omitzero"` // finite list, user units, actions only
}

// wireParameter is a parameter as JSON. What is not there is a nil pointer, so that a missing bound is not taken for zero.
type wireParameter struct {
	Name    string          `json:"name"`
	Type    string          `json:"type"`           // as Kind.String returns it
	Role    string          `json:"role,omitempty"` // as Role.String returns it; absent for an action
	Low     *float64        `json:"low,omitempty"`
	High    *float64        `json:"high,omitempty"`
	Log     bool            `json:"log,omitempty"`
	Choices []string        `json:"choices,omitzero"`
	Step    float64         `json:"step,omitempty"`
	Values  []float64       `json:"values,omitzero"`
	Costs   []float64       `json:"costs,omitzero"`
	When    []wireCondition `json:"when,omitzero"`
}

// wireCondition is a condition as JSON: values, or at_least.
type wireCondition struct {
	Parent  string   `json:"parent"`
	Values  []string `json:"values,omitzero"`
	AtLeast *float64 `json:"at_least,omitempty"`
}

// wirePoint is a point as JSON: null is what is inactive there.
type wirePoint []*float64

func wired(point Point) wirePoint {
	w := make(wirePoint, len(point))
	for i := range point {
		if !math.IsNaN(point[i]) {
			w[i] = &point[i]
		}
	}
	return w
}

func (w wirePoint) point() Point {
	x := make(Point, len(w))
	for i, v := range w {
		if x[i] = math.NaN(); v != nil {
			x[i] = *v
		}
	}
	return x
}

// MarshalJSON returns the space as an object with the list "parameters", each with name, type, role, low, high, log, choices,
// step, values, costs and conditions as far as it has them, and for a finite list "points" in user units, with null for what is inactive
// there. Numbers come back to the bit. The zero Space, and a name or a choice that is not UTF-8, are errors: JSON cannot hold them.
func (s Space) MarshalJSON() ([]byte, error) {
	if len(s.parameters) == 0 {
		return nil, errors.New("write the space as JSON: the space is empty; make it by space.New or space.List")
	}
	var w wireSpace
	for _, point := range s.points {
		w.Points = append(w.Points, wired(point))
	}
	for _, p := range s.parameters {
		if i := slices.IndexFunc(append(slices.Clone(p.Choices), p.Name), invalid); i >= 0 {
			return nil, fmt.Errorf("write the space as JSON: parameter %q: its name and its choices must be UTF-8", p.Name)
		}
		q := wireParameter{Name: p.Name, Type: p.Kind.String(), Log: p.Log, Choices: p.Choices, Step: p.Step, Values: p.Values, Costs: p.Costs}
		if p.Role != Action {
			q.Role = p.Role.String()
		}
		for _, c := range p.Conditions {
			condition := wireCondition{Parent: c.Parent, Values: c.Values}
			if c.Values == nil {
				condition.AtLeast = &c.AtLeast
			}
			q.When = append(q.When, condition)
		}
		if p.ranged() || p.Low != 0 || p.High != 0 {
			q.Low, q.High = &p.Low, &p.High
		}
		w.Parameters = append(w.Parameters, q)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // names are for people to read
	if err := e.Encode(w); err != nil {
		return nil, fmt.Errorf("write the space as JSON: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

func invalid(s string) bool { return !utf8.ValidString(s) }

// UnmarshalJSON reads what MarshalJSON wrote and builds the space by New or List, whose errors it returns. An unknown
// member is an error, because a newer program may have written it.
func (s *Space) UnmarshalJSON(text []byte) error {
	var w wireSpace
	if err := check.Object(text, &w); err != nil {
		return fmt.Errorf("read the space from JSON: %w", err)
	}
	parameters := make([]Parameter, len(w.Parameters))
	for i, q := range w.Parameters {
		p, err := q.parameter()
		if err != nil {
			return fmt.Errorf("read the space from JSON: parameter %d, %q: %w", i+1, q.Name, err)
		}
		parameters[i] = p
	}
	var made Space
	var err error
	if w.Points == nil {
		made, err = New(parameters...)
	} else {
		points := make([]Point, len(w.Points))
		for i, point := range w.Points {
			points[i] = point.point()
		}
		made, err = List(points, parameters...)
	}
	if err != nil {
		return err
	}
	*s = made
	return nil
}

func (q wireParameter) parameter() (Parameter, error) {
	p := Parameter{Name: q.Name, Log: q.Log, Choices: q.Choices, Step: q.Step, Values: q.Values, Costs: q.Costs}
	kind := slices.Index(kindNames[:], q.Type)
	if kind < 0 {
		return p, fmt.Errorf("type = %q: want one of %s", q.Type, strings.Join(kindNames[:], ", "))
	}
	p.Kind = Kind(kind)
	role, known := roleNamed(q.Role)
	if !known {
		return p, fmt.Errorf("role = %q: want %s", q.Role, roleWords())
	}
	p.Role = role
	for _, c := range q.When {
		if (c.Values == nil) == (c.AtLeast == nil) {
			return p, fmt.Errorf("when: a condition on %q: want either values or at_least", c.Parent)
		}
		condition := Condition{Parent: c.Parent, Values: c.Values}
		if c.AtLeast != nil {
			condition.AtLeast = *c.AtLeast
		}
		p.Conditions = append(p.Conditions, condition)
	}
	switch {
	case q.Low != nil && q.High != nil:
		p.Low, p.High = *q.Low, *q.High
	case q.Low != nil || q.High != nil || p.ranged():
		return p, errors.New("low and high: want both")
	}
	return p, nil
}
