package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/outcome"
)

// constraints reads the values of the constraints that are named, separated by semicolons: each behind its name, or, as inspect --csv once wrote
// them, all without names, in the order of the space file. It is nil where none are named.
func (f *pointFile) constraints(row []string, named []tarry.Constraint) []float64 {
	if len(named) == 0 {
		return nil
	}
	at, given := f.index["constraints"]
	text := ""
	if given {
		text = row[at]
	}
	out, err := constraintsOf(text, named)
	if err != nil {
		f.say(at, "constraints = %q: %s", text, strings.ReplaceAll(err.Error(), "\n", "; "))
		return make([]float64, len(named)) // it has been said
	}
	return out
}

// constraintsOf reads a cell with the values of constraints.
func constraintsOf(text string, named []tarry.Constraint) ([]float64, error) {
	var names []string
	var values []float64
	form := fmt.Errorf("want %d finite numbers separated by ;, each with its name, as in %s=0.5, or all without, in the order of the space file", len(named), named[0].Name)
	for _, cell := range strings.Split(text, ";") {
		name, number, has := strings.Cut(cell, "=")
		if !has {
			name, number = "", cell
		}
		v, is := decimal(strings.TrimSpace(number))
		if !is || has != (len(names) > 0) && len(values) > 0 {
			return nil, form
		}
		values = append(values, v)
		if name = strings.TrimSpace(name); has {
			if slices.Contains(names, name) {
				return nil, fmt.Errorf("%s is there twice: want each name once", name)
			}
			names = append(names, name)
		}
	}
	switch {
	case len(names) > 0:
		return outcome.ByName(named, names, values)
	case len(values) != len(named):
		return nil, form
	}
	return values, nil
}
