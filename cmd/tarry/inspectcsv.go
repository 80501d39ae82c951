package main

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/space"
)

// names are the columns before and behind those of the parameters.
var (
	namesBefore = []string{"id", "attempt", "status", "value", "cost", "constraints"}
	namesBehind = []string{"chosen_s", "dispatched_s", "ended_s", "delay_s", "foreign", "forecast", "forecast_sd", "central", "held", "reason", senseColumn}
)

// columns are the names of all columns, no two the same.
func columns(where space.Space) []string {
	return slices.Concat(namesBefore, distinct(parameterNames(where), slices.Concat(namesBefore, namesBehind), "x."), namesBehind)
}

func parameterNames(where space.Space) (all []string) {
	for _, p := range where.Parameters() {
		all = append(all, p.Name)
	}
	return all
}

// distinct are names, each with as many marks before it as it takes to be none of those that are fixed, and none of another one.
func distinct(names, fixed []string, mark string) (out []string) {
	taken := slices.Concat(fixed, names)
	for _, name := range names {
		if slices.Contains(fixed, name) {
			for slices.Contains(taken, name) {
				name = mark + name
			}
			taken = append(taken, name)
		}
		out = append(out, name)
	}
	return out
}

// writeCSV writes all evaluations, one a line.
func (s *inspected) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(columns(s.header.Config.Space)); err != nil {
		return err
	}
	for _, e := range s.evaluations() {
		if err := out.Write(append(s.record(e).cells(), s.sensed())); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func (r record) cells() []string {
	var constraints []string
	for i, c := range r.list {
		text := exact(c)
		if len(r.names) == len(r.list) {
			text = r.names[i].Name + "=" + text
		}
		constraints = append(constraints, text)
	}
	out := []string{strconv.Itoa(r.ID), strconv.Itoa(r.Attempt), r.Status, cell(r.Value), cell(r.Cost), strings.Join(constraints, ";")}
	out = append(append(out, coordinates(r.X)...), exact(r.Chosen), cell(r.Dispatched), cell(r.Ended), cell(r.Delay), strconv.FormatBool(r.Foreign))
	return append(append(out, forecastCells(r.Forecast)...), inert(oneLine(r.Reason)))
}

// inert is a text that somebody else wrote, for a cell that nothing reads back: where a spreadsheet would take it for a formula there is an
// apostrophe before it, as is usual. Names and values of parameters are read back, and stand as they are.
func inert(text string) string {
	text = plain(text)
	if _, err := strconv.ParseFloat(text, 64); err != nil && text != "" && strings.Contains("=+-@", text[:1]) {
		return "'" + text
	}
	return text
}

// coordinates are the values of a point, in the order of the parameters; that of one that is inactive is empty.
func coordinates(at hindsight.Point) []string {
	var out []string
	active := at.Space.ActiveAt(at.X)
	for i, v := range at.X {
		switch p := at.Space.Parameter(i); {
		case !active.Has(i):
			out = append(out, "")
		case p.Words() != nil:
			out = append(out, p.Format(v))
		default:
			out = append(out, exact(v))
		}
	}
	return out
}

// cell is a number that may not be there.
func cell(v *float64) string {
	if v == nil {
		return ""
	}
	return exact(*v)
}

// finite is a number that may be beyond all others, which is told by an empty cell.
func finite(n hindsight.Number) string {
	if !n.Finite() {
		return ""
	}
	return exact(float64(n))
}

// exact is the shortest text that is read as the same number, without an exponent where that is short.
func exact(v float64) string {
	if size := math.Abs(v); size == 0 || size >= 1e-6 && size < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// forecastCells are those of a forecast in a table; those of what is not there are empty.
func forecastCells(f *portrait.Forecast) []string {
	if f == nil {
		return make([]string, 4)
	}
	word := func(b *bool) string {
		switch {
		case b == nil:
			return ""
		case *b:
			return "true"
		}
		return "false"
	}
	return []string{finite(f.Mean), finite(f.Stddev), word(f.Central), word(f.Held)}
}
