package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/spacefile"
	"github.com/tarry-bo/tarry/space"
)

// point reads the values of the parameters; whole wants all that are active but those that are fixed, and the
// fidelity, which is the greatest then.
func (f *pointFile) point(row []string, whole bool) tarry.Point {
	x := make(tarry.Point, f.space.Dim())
	fidelity, has := f.space.Fidelity()
	known := make(tarry.Point, len(x)) // x, but NaN where what was written is no value
	var blank []int                    // cells that are a choice where their parameter is active
	for i, column := range f.names {
		p := f.space.Parameter(i)
		at, given := f.index[column]
		text := ""
		if given {
			text = row[at]
			if p.Kind != space.KindCategorical || !slices.Contains(p.Choices, text) { // a choice may have spaces around it
				text = strings.TrimSpace(text)
			}
		}
		known[i] = math.NaN()
		empty := given && text == "" && p.Kind == space.KindCategorical && slices.Contains(p.Choices, "") // a choice, not what is left open
		if empty && len(p.Conditions) > 0 {
			blank, empty = append(blank, i), false
		}
		switch v, ok := valueOf(p, text); {
		case text != "" && !ok:
			f.say(at, "%s = %q: want %s", column, text, spacefile.Wanted(p))
			continue
		case text != "" || empty:
			x[i] = v
		case whole && p.Levels() == 1:
			x[i] = p.Value(0.5)
		case whole && i == fidelity && has:
			x[i] = p.Value(f.space.Target())
		default:
			x[i] = math.NaN()
		}
		known[i] = x[i]
	}
	f.chooseBlank(x, known, blank)
	if whole {
		all := make([]int, len(x))
		for i := range all {
			all[i] = i
		}
		f.missing(x, known, all)
	}
	return x
}

// chooseBlank takes the empty cells of parameters that have a choice without a letter for that choice where they are surely active, and for
// what is inactive or left open elsewhere. One that is chosen may make another one active.
func (f *pointFile) chooseBlank(x, known tarry.Point, blank []int) {
	for range blank {
		active := f.space.SurelyActive(known)
		for _, i := range blank {
			if active.Has(i) {
				x[i], _ = valueOf(f.space.Parameter(i), "")
				known[i] = x[i]
			}
		}
	}
}

// missing says which of the parameters have no value that are surely active.
func (f *pointFile) missing(x, known tarry.Point, of []int) {
	active, columns := f.space.SurelyActive(known), f.names
	for _, i := range of {
		if math.IsNaN(x[i]) && active.Has(i) {
			f.say(f.index[columns[i]], "%s: missing: want %s", columns[i], spacefile.Wanted(f.space.Parameter(i)))
		}
	}
}

// valueOf reads a value of a parameter in user units.
func valueOf(p tarry.Parameter, text string) (float64, bool) {
	if p.Kind == space.KindBool {
		text = strings.ToLower(text) // True, as some programs write it
	}
	if words := p.Words(); words != nil {
		i := slices.Index(words, text)
		return float64(i), i >= 0
	}
	v, err := strconv.ParseFloat(text, 64)
	v = p.Exact(v)
	return v, err == nil && !strings.ContainsAny(text, "_xX") && p.Contains(v) // a number is decimal
}
