package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/check"
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
	err = readFile(path, s, (*pointFile).firstHead, func(f *pointFile, row []string) {
		x := f.admitted(row, false)
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

// firstHead is head for points that have no results yet. A column with the name of a parameter is that of the parameter, also where inspect --csv has
// another column of that name, unless what inspect --csv calls the parameter is there as well.
func (f *pointFile) firstHead(header []string) {
	there := func(name string) bool {
		return slices.ContainsFunc(header, func(column string) bool { return columnName(column) == name })
	}
	for i, p := range f.space.Parameters() {
		if !there(f.names[i]) && there(p.Name) {
			f.names[i] = p.Name
		}
	}
	f.head(header)
}

// head reads the names of the columns. Those that inspect --csv writes besides the parameters may be there.
func (f *pointFile) head(header []string) {
	f.heads(header, func(i int, name string) {
		hint := ""
		if meant := check.Meant(name, append(f.names, "value")); meant != "" {
			hint = ": did you mean " + meant + "?"
		}
		f.say(i, "column %q: unknown%s (want %s; and value where it is known)", name, hint, strings.Join(f.names, ", "))
	})
}

// heads is head, with what becomes of a column of another name.
func (f *pointFile) heads(header []string, unknown func(i int, name string)) {
	f.older(header)
	index, known := map[string]int{}, columns(f.space)
	if len(header) == 1 && strings.ContainsAny(header[0], ";\t") {
		f.say(0, "column %q: want cells separated by commas", columnName(header[0]))
		return
	}
	for i, name := range header {
		if name = columnName(name); name == "" {
			continue // as a spreadsheet writes columns that were used once
		}
		switch _, twice := index[name]; {
		case twice:
			f.say(i, "column %q: given twice", name)
		case !slices.Contains(known, name) && name != studyColumn:
			unknown(i, name)
		}
		index[name] = i
	}
	if len(f.wrong) == 0 {
		f.index = index
	}
}

// columnName is the name of a column without what is around it in a file.
func columnName(name string) string { return strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")) }

// admitted is point, of which the space has one.
func (f *pointFile) admitted(row []string, whole bool) tarry.Point {
	before := len(f.wrong) + f.more
	x := f.point(row, whole)
	if len(f.wrong)+f.more > before {
		return x
	}
	if err := f.space.Admits(x); err != nil {
		var given []string
		for i, v := range x {
			if !math.IsNaN(v) {
				given = append(given, f.names[i]+"="+f.space.Parameter(i).Format(v))
			}
		}
		f.say(0, "%s: %s", strings.Join(given, " "), strings.TrimPrefix(err.Error(), space.ErrOutsideSpace.Error()+": "))
	}
	return x
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
