package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/spacefile"
	"github.com/tarry-bo/tarry/space"
)

// studyColumn is the column that says to which of several studies a line belongs.
const studyColumn = "study"

// mostWrong bounds how many violations of a file are named.
const mostWrong = 10

// pointFile reads points that a user wrote as comma-separated values: a header with names of parameters, and a point a line. What
// inspect --csv writes is such a file.
type pointFile struct {
	path   string
	space  tarry.Space
	in     *csv.Reader
	index  map[string]int // of the columns, by name
	wrong  []error
	more   int      // violations beyond mostWrong
	names  []string // of the columns of the parameters, in their order
	others []string // columns of a shelf that are left out
}

// readPoints returns the points to query first. A parameter without a column, or with an empty cell, is left open.
func readPoints(path string, s tarry.Space) (points []tarry.Point, err error) {
	err = readFile(path, s, (*pointFile).head, func(f *pointFile, row []string) {
		x := f.point(row, false)
		if !slices.ContainsFunc(x, func(v float64) bool { return !math.IsNaN(v) }) {
			f.say(0, "a point without a value of any parameter: want at least one")
		}
		points = append(points, x)
	})
	if err != nil {
		return nil, err
	}
	return points, nil
}

// readKnown returns what was measured, by the column value, and how many lines were left out since they have no value that counts:
// by the column status, where there is one. Where constraints are named their values are in the column constraints, as inspect --csv
// writes it, and a value counts also where one is violated.
func readKnown(path string, s tarry.Space, named []tarry.Constraint) (known []tarry.Observation, left int, err error) {
	err = readFile(path, s, (*pointFile).head, func(f *pointFile, row []string) {
		if o, counts := f.known(row, named); counts {
			known = append(known, o)
		} else {
			left++
		}
	})
	if err != nil {
		return nil, 0, err
	}
	return known, left, nil
}

// known reads what was measured in a line; false where it has no value that counts.
func (f *pointFile) known(row []string, named []tarry.Constraint) (o tarry.Observation, counts bool) {
	valued := []string{tarry.Observed.String(), tarry.Late.String()}
	if len(named) > 0 {
		valued = append(valued, tarry.Infeasible.String())
	}
	value, given := f.index["value"]
	if !given {
		if len(f.wrong) == 0 {
			f.say(0, "no column value: want one with what was measured")
		}
		return o, true
	}
	if i, given := f.index["status"]; given && (!slices.Contains(valued, row[i]) || row[i] == tarry.Infeasible.String() && row[value] == "") {
		return o, false
	}
	x := f.point(row, true)
	v, err := strconv.ParseFloat(strings.TrimSpace(row[value]), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		f.say(value, "value = %q: want a finite number", row[value])
	}
	return tarry.Observation{X: x, Value: v, Constraints: f.constraints(row, named)}, true
}

// constraints reads the values of the constraints that are named, separated by semicolons; nil where none are.
func (f *pointFile) constraints(row []string, named []tarry.Constraint) []float64 {
	if len(named) == 0 {
		return nil
	}
	at, given := f.index["constraints"]
	text := ""
	if given {
		text = row[at]
	}
	var out []float64
	for _, cell := range strings.Split(text, ";") {
		v, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			break
		}
		out = append(out, v)
	}
	if len(out) != len(named) {
		f.say(at, "constraints = %q: want %d finite numbers separated by ;, in the order of the space file", text, len(named))
		return make([]float64, len(named)) // it has been said
	}
	return out
}

// readFile gives the header to head, which notes the columns, and each line behind it to take. The error names what is wrong with the file.
func readFile(path string, s tarry.Space, head func(f *pointFile, header []string), take func(f *pointFile, row []string)) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	f := &pointFile{path: path, space: s, in: csv.NewReader(in)}
	f.in.ReuseRecord = true
	header, err := f.in.Read()
	switch {
	case err == io.EOF:
		return fmt.Errorf("%s: empty: want a first line with names of parameters, %s", path, strings.Join(f.parameters(), ","))
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	}
	f.names = f.parameters()
	head(f, header)
	for f.index != nil {
		row, err := f.in.Read()
		if err == io.EOF {
			break
		}
		if errors.Is(err, csv.ErrFieldCount) {
			f.say(0, "%d cells: want %d, as in the first line", len(row), len(header))
			continue
		}
		if err != nil {
			f.wrong = append(f.wrong, fmt.Errorf("%s: %w", path, err))
			break
		}
		take(f, row)
	}
	if f.more > 0 {
		f.wrong = append(f.wrong, fmt.Errorf("%s: and %d more", path, f.more))
	}
	return errors.Join(f.wrong...)
}

// parameters are the names of the columns of the parameters, in their order.
func (f *pointFile) parameters() []string {
	all := columns(f.space)
	return slices.Clip(all[len(namesBefore) : len(all)-len(namesBehind)])
}

// head reads the names of the columns. Those that inspect --csv writes besides the parameters may be there.
func (f *pointFile) head(header []string) {
	index, known := map[string]int{}, columns(f.space)
	for i, name := range header {
		name = columnName(name)
		switch _, twice := index[name]; {
		case twice:
			f.say(i, "column %q: given twice", name)
		case !slices.Contains(known, name) && name != studyColumn:
			hint := ""
			if meant := check.Meant(name, append(f.names, "value")); meant != "" {
				hint = ": did you mean " + meant + "?"
			}
			f.say(i, "column %q: unknown%s (want %s)", name, hint, strings.Join(f.names, ", "))
		}
		index[name] = i
	}
	if len(f.wrong) == 0 {
		f.index = index
	}
}

// columnName is the name of a column without what is around it in a file.
func columnName(name string) string { return strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")) }

// point reads the values of the parameters; whole wants all that are active but those that are fixed, and the
// fidelity, which is the greatest then.
func (f *pointFile) point(row []string, whole bool) tarry.Point {
	x := make(tarry.Point, f.space.Dim())
	fidelity, has := f.space.Fidelity()
	known := make(tarry.Point, len(x)) // x, but NaN where what was written is no value
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
		empty := given && p.Kind == space.KindCategorical && len(p.Conditions) == 0 && slices.Contains(p.Choices, "") // a choice, not what is left open
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
	if whole {
		all := make([]int, len(x))
		for i := range all {
			all[i] = i
		}
		f.missing(x, known, all)
	}
	return x
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

// say records what is wrong with a column of the line that was read last.
func (f *pointFile) say(column int, format string, args ...any) {
	if len(f.wrong) == mostWrong {
		f.more++
		return
	}
	line, at := f.in.FieldPos(column)
	f.wrong = append(f.wrong, fmt.Errorf("%s:%d:%d: "+format, append([]any{f.path, line, at}, args...)...))
}
