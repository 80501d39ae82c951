package delay

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// form is the notation of a law: its name, its parameters in order, and how to make it from their values.
type form struct {
	name   string
	params []param
	build  func(values []float64) Law
}

// notation returns the form with the names of its parameters, as in "pareto:SCALE,SHAPE".
func (f form) notation() string {
	names := make([]string, len(f.params))
	for i, p := range f.params {
		names[i] = p.name
	}
	text := f.name + ":" + strings.Join(names, ",")
	if f.name == neverForm.name {
		text += "+LAW"
	}
	return text
}

// parse reads the parameters and reports every one that is not a number of its range.
func (f form) parse(spec, args string) ([]float64, error) {
	texts := strings.Split(args, ",")
	if len(texts) != len(f.params) {
		return nil, f.misread(spec)
	}
	var list check.List
	values := make([]float64, len(texts))
	for i, p := range f.params {
		values[i] = p.read(&list, f.name, texts[i])
	}
	return values, list.Err()
}

// misread is the error for a spec that does not have the shape of f.
func (f form) misread(spec string) error {
	ranges := make([]string, len(f.params))
	for i, p := range f.params {
		ranges[i] = p.want()
	}
	want := fmt.Sprintf("%s with %s", f.notation(), strings.Join(ranges, ", "))
	return &check.FieldError{Field: "delay law", Value: strconv.Quote(spec), Want: want}
}

// spell writes the law with these values, with as many digits as it takes to read the same values back.
func (f form) spell(values ...float64) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return f.name + ":" + strings.Join(texts, ",")
}

// validate reports every value outside its range.
func (f form) validate(values ...float64) error {
	var list check.List
	for i, p := range f.params {
		list.Within(f.name+"."+p.name, values[i], p.lo, p.hi)
	}
	return list.Err()
}
