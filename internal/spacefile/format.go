package spacefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/space"
)

// described is a parameter as JSON; what is nil or empty is left out.
type described struct {
	Name    string    `json:"name"`
	Type    string    `json:"type"`
	Low     *float64  `json:"low,omitempty"`
	High    *float64  `json:"high,omitempty"`
	Step    float64   `json:"step,omitempty"`
	Log     bool      `json:"log,omitempty"`
	Choices []string  `json:"choices,omitempty"`
	Values  []float64 `json:"values,omitempty"`
	Role    string    `json:"role,omitempty"`
	Costs   []float64 `json:"costs,omitempty"`
	When    members   `json:"when,omitempty"`
}

// members are an object, in the order of its fields.
type members []member

type member struct {
	name  string
	value any
}

// MarshalJSON returns the object.
func (m members) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, c := range m {
		name, err := marshal(c.name)
		value, err2 := marshal(c.value)
		if err := errors.Join(err, err2); err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, name...), ':'), value...)
	}
	return append(out, '}'), nil
}

// conditionsOf returns the conditions of a parameter as they are written in a file.
func conditionsOf(all []space.Parameter, p space.Parameter) (out members) {
	for _, c := range p.Conditions {
		var value any = map[string]float64{"at_least": c.AtLeast}
		if c.Values != nil {
			parent := all[slices.IndexFunc(all, func(q space.Parameter) bool { return q.Name == c.Parent })]
			values := make([]any, len(c.Values))
			for i, v := range c.Values {
				if values[i] = v; parent.Kind != space.KindCategorical {
					values[i] = json.RawMessage(v) // a number, or true or false
				}
			}
			value = values
		}
		out = append(out, member{c.Parent, value})
	}
	return out
}

// value is that of a parameter at a point, as it is written in a file.
func value(p space.Parameter, v float64) any {
	switch p.Kind {
	case space.KindCategorical:
		return p.Choices[int(v)]
	case space.KindBool:
		return v == 1
	}
	return v
}

// Format returns the space as JSON, one parameter or point a line, such that Parse gives the same space, its
// numbers to the bit. It takes that it can be described: names and their environment variables as Parse wants them,
// choices of UTF-8 text without the character 0, at most 4096 choices or values a parameter, ints within ±2^53.
func Format(s space.Space) []byte {
	points := s.Points()
	if points == nil {
		return FormatParameters(s)
	}
	var list lines
	for _, x := range points {
		var at members
		for k, i := range s.Actions() {
			if p := s.Parameter(i); !math.IsNaN(x[k]) {
				at = append(at, member{p.Name, value(p, x[k])})
			}
		}
		list.add(at)
	}
	whole := bytes.TrimSuffix(FormatParameters(s), []byte("\n}\n"))
	return fmt.Appendf(whole, ",\n  \"points\": [%s\n  ]\n}\n", list.text)
}

// FormatParameters is Format without the points of a finite list.
func FormatParameters(s space.Space) []byte {
	var list lines
	all := s.Parameters()
	for _, p := range all {
		d := described{Name: p.Name, Type: p.Kind.String()}
		switch p.Kind {
		case space.KindFloat, space.KindInt:
			d.Low, d.High, d.Step, d.Log = &p.Low, &p.High, p.Step, p.Log
		case space.KindCategorical:
			d.Choices = p.Choices
		case space.KindOrdered:
			d.Values = p.Values
		}
		if p.Role != space.Action {
			d.Role = p.Role.String()
		}
		d.Costs = p.Costs
		d.When = conditionsOf(all, p)
		list.add(d)
	}
	return fmt.Appendf(nil, "{\n  \"parameters\": [%s\n  ]\n}\n", list.text)
}

// lines are the items of a list in JSON, one a line.
type lines struct{ text []byte }

func (l *lines) add(item any) {
	text, err := marshal(item)
	if err != nil {
		panic("spacefile: Format: " + err.Error()) // a space has finite bounds
	}
	if len(l.text) > 0 {
		l.text = append(l.text, ',')
	}
	l.text = append(append(l.text, "\n    "...), text...)
}

// marshal is json.Marshal with < and > as they are: a user reads this.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
