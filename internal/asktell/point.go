package asktell

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/space"
)

// values reads a field with values by the names of parameters: each of required that is active and has a choice, and any of optional. It returns a point
// in user units, with NaN for each parameter that is not there.
func (r *request) values(s tarry.Space, field string, required, optional []int) tarry.Point {
	x := make(tarry.Point, s.Dim())
	indices := map[string]int{}
	var names []string
	for i := range x {
		p := s.Parameter(i)
		x[i] = math.NaN()
		if slices.Contains(required, i) || slices.Contains(optional, i) {
			indices[p.Name] = i
			names = append(names, p.Name)
		}
	}
	free := false
	for _, i := range required {
		if p := s.Parameter(i); p.Fixed() {
			x[i] = p.Value(0)
		} else {
			free = true
		}
	}
	value, given := r.fields[field]
	switch {
	case !given && !free && len(required) > 0:
		return x
	case !given:
		r.wrong.say("%s: missing: want an object with %s", field, listed(names))
		return x
	case shapeOf(value) != object:
		r.wrong.add(field, shown(value), "an object with "+listed(names))
		return x
	}
	what := "parameter"
	if field == "context" {
		what = "context"
	}
	there := make([]bool, len(x))
	for _, m := range r.members(field, value) {
		i, known := indices[m.name]
		meant := false
		if !known {
			i, meant = indices[r.wrong.unknown(what, joined(field, m.name), m.name, names)]
			meant = meant && !there[i]
		}
		if !known && !meant {
			continue
		}
		there[i] = true // also where only this name was meant: so that it is not called missing as well
		before := r.wrong
		if v, ok := r.valueOf(s.Parameter(i), joined(field, m.name), m.value); ok {
			x[i] = v
		}
		if meant { // then what its value should be is not known
			r.wrong = before
		}
	}
	active := s.SurelyActive(x)
	for _, i := range required {
		if p := s.Parameter(i); !there[i] && active.Has(i) && !p.Fixed() {
			r.wrong.say("%s: missing: want %s", joined(field, p.Name), wanted(p))
		}
	}
	return x
}

// valueOf reads the value of a parameter.
func (r *request) valueOf(p tarry.Parameter, path string, value json.RawMessage) (float64, bool) {
	switch p.Kind {
	case space.KindCategorical:
		choice, _ := asText(value)
		i := slices.Index(p.Choices, choice)
		if i < 0 || shapeOf(value) != textual {
			r.wrong.add(path, shown(value), wanted(p)+hint(choice, p.Choices))
			return 0, false
		}
		return float64(i), true
	case space.KindBool:
		return r.boolean(p, path, value)
	}
	v, ok := r.number(path, value, wanted(p))
	if v = p.Exact(v); ok && !p.Contains(v) {
		r.wrong.add(path, shown(value), wanted(p))
		return 0, false
	}
	return v, ok
}

// boolean reads the value of a bool.
func (r *request) boolean(p tarry.Parameter, path string, value json.RawMessage) (float64, bool) {
	if shapeOf(value) == truth {
		return float64(slices.Index(p.Words(), string(value))), true
	}
	want := wanted(p)
	if text, _ := asText(value); slices.Contains(p.Words(), text) {
		want += ", not text: without the quotes"
	}
	r.wrong.add(path, shown(value), want)
	return 0, false
}

// wanted says which values a parameter has.
func wanted(p tarry.Parameter) string {
	switch p.Kind {
	case space.KindBool:
		return strings.Join(p.Words(), " or ")
	case space.KindCategorical:
	default:
		return p.Range()
	}
	var choices []string
	for _, choice := range p.Choices[:min(len(p.Choices), maxListed+1)] {
		choices = append(choices, strconv.Quote(cut(choice)))
	}
	if more := len(p.Choices) - maxListed; more > 0 {
		return fmt.Sprintf("one of %s, … %d more", strings.Join(choices[:maxListed], ", "), more)
	}
	return "one of " + strings.Join(choices, ", ")
}

// point reads the field x: all parameters; or, for a query that is wished for, some of them. A fidelity that is left out is the greatest.
func (r *request) point(s tarry.Space, wish bool) tarry.Point {
	required, optional := slices.Concat(s.Actions(), s.Contexts()), []int(nil)
	slices.Sort(required)
	if wish {
		required, optional = nil, required
	}
	fidelity, has := s.Fidelity()
	if has {
		optional = append(slices.Clone(optional), fidelity)
		slices.Sort(optional)
	}
	x := r.values(s, "x", required, optional)
	if has && !wish && math.IsNaN(x[fidelity]) && r.fits() {
		r.atTarget(s, x, fidelity, required)
	}
	whole, open := slices.Clone(x), 0
	for i, v := range x {
		if math.IsNaN(v) {
			whole[i] = s.Parameter(i).Value(0)
			open++
		}
	}
	if has && open < len(x) && math.IsNaN(x[fidelity]) {
		x[fidelity] = s.Parameter(fidelity).Value(s.Target())
		whole[fidelity] = x[fidelity]
	}
	switch {
	case !r.fits():
	case open == len(x):
		r.wrong.say("x: empty: want at least one parameter")
	case wish && s.Size() > 0 && len(s.Matching(x)) == 0, !wish && s.Contains(whole) != nil: // each value is in its range
		r.wrong.say("x: none of the %d points that the space lists", s.Size())
	}
	return x
}

// atTarget says which parameters of a point that leaves the fidelity out are missing, since they are active at the greatest.
func (r *request) atTarget(s tarry.Space, x tarry.Point, fidelity int, required []int) {
	at := slices.Clone(x)
	at[fidelity] = s.Parameter(fidelity).Value(s.Target())
	active := s.SurelyActive(at)
	for _, i := range required {
		if p := s.Parameter(i); math.IsNaN(x[i]) && active.Has(i) {
			r.wrong.say("%s: missing: want %s", joined("x", p.Name), wanted(p))
		}
	}
}

// context reads the field context: a value for each context parameter, in their order.
func (r *request) context(s tarry.Space) tarry.Point {
	contexts := s.Contexts()
	if len(contexts) == 0 {
		if _, given := r.fields["context"]; given {
			r.wrong.say("context: want none: no parameter of the space is a context")
		}
		return nil
	}
	x := r.values(s, "context", contexts, nil)
	z := make(tarry.Point, len(contexts))
	for j, i := range contexts {
		z[j] = x[i]
	}
	return z
}

// point is a point in user units, which becomes an object in the order of the parameters.
type point struct {
	space tarry.Space
	x     space.Point
}

// MarshalJSON returns the values by the names of the parameters.
func (p point) MarshalJSON() ([]byte, error) { return p.space.Object(p.x), nil }
