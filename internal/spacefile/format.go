package spacefile

import (
	"bytes"
	"encoding/json"

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
	for i, p := range s.Parameters() {
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
		if err := encoder.Encode(d); err != nil {
			panic("spacefile: Format: " + err.Error()) // a space has finite bounds
		}
		b.Truncate(b.Len() - 1) // the line end
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes()
}
