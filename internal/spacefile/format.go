package spacefile

import (
	"bytes"
	"encoding/json"
	"errors"
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
	When    parents   `json:"when,omitempty"`
}

// parents is an object with the conditions of a parameter, in their order.
type parents []struct {
	name  string
	value any
}

// MarshalJSON returns the conditions by the names of the parents.
func (p parents) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, c := range p {
		name, err := json.Marshal(c.name)
		value, err2 := json.Marshal(c.value)
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
func conditionsOf(all []space.Parameter, p space.Parameter) (out parents) {
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
		out = append(out, struct {
			name  string
			value any
		}{c.Parent, value})
	}
	return out
}

// Format returns the parameters of the space as JSON, one a line, such that Parse gives the same parameters, their
// numbers to the bit. It takes that they can be described: names and their environment variables as Parse wants them,
// choices of UTF-8 text without the character 0, at most 4096 choices or values a parameter, ints within ±2^53. The points
// of a finite list are not part of a description.
func Format(s space.Space) []byte {
	var b bytes.Buffer
	b.WriteString("{\n  \"parameters\": [")
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // a user reads this
	all := s.Parameters()
	for i, p := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    ")
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
		if err := encoder.Encode(d); err != nil {
			panic("spacefile: Format: " + err.Error()) // a space has finite bounds
		}
		b.Truncate(b.Len() - 1) // the line end
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes()
}
