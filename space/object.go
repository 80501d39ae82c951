package space

import (
	"bytes"
	"encoding/json"
)

// Object returns a point in user units as a JSON object, in the order of the parameters: choices as text, bools as true or false, and
// numbers as the shortest text with the same bits. What is inactive is left out. It panics where a value is not one of its parameter's.
func (s Space) Object(x Point) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // a user may read this
	put := func(v any) {
		if err := e.Encode(v); err != nil {
			panic("space: a point that is no JSON: " + err.Error())
		}
		out.Truncate(out.Len() - 1) // the line break
	}
	active, before := s.ActiveAt(x), byte('{')
	for i, v := range x {
		if !active.Has(i) {
			continue
		}
		out.WriteByte(before)
		p := s.parameters[i]
		before = ','
		put(p.Name)
		out.WriteByte(':')
		switch words := p.Words(); {
		case p.Kind == KindBool:
			out.WriteString(words[int(v)])
		case words != nil:
			put(words[int(v)])
		case p.Kind == KindInt:
			put(v + 0) // no -0
		default:
			put(v)
		}
	}
	if before == '{' {
		out.WriteByte('{')
	}
	out.WriteByte('}')
	return out.Bytes()
}
