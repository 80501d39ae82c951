package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/spacefile"
	"github.com/tarry-bo/tarry/space"
)

// mostColumns bounds the columns that a message names.
const mostColumns = 20

const pointsUsage = "`FILE.csv` with the only points that may be queried"

// describe reads the file with the space, and the points to which another file restricts it, if there is one.
func describe(log io.Writer, path, points string) (spacefile.Description, error) {
	if path == "" {
		return spacefile.Description{}, errors.New("--space is missing: want the file with the parameters")
	}
	d, err := spacefile.Read(path)
	if err != nil || points == "" {
		return d, err
	}
	if d.Space.Size() > 0 {
		return d, fmt.Errorf("--points %s: %s has points itself: want one of both", points, path)
	}
	shelf, left, err := readShelf(points, d.Space)
	if err != nil {
		return d, fmt.Errorf("--points: %w", err)
	}
	if d.Space, err = spacefile.Listed(d.Space, shelf); err != nil {
		return d, fmt.Errorf("--points %s: %w", points, err)
	}
	fmt.Fprintf(log, "tarry: --points %s: %s", points, these(d.Space.Size(), "point"))
	if twice := len(shelf) - d.Space.Size(); twice > 0 {
		fmt.Fprintf(log, ", and %s again", these(twice, "line"))
	}
	if len(left) > 0 {
		fmt.Fprintf(log, "; what is no parameter to choose is left out: %s", plain(strings.Join(left, ", ")))
	}
	fmt.Fprintln(log)
	return d, nil
}

// these is a number of things in words.
func these(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// readShelf returns the points of a list, actions only, and the columns that are left out.
func readShelf(path string, s tarry.Space) (points []tarry.Point, left []string, err error) {
	err = readFile(path, s, (*pointFile).shelved, func(f *pointFile, row []string) {
		if left = f.others; len(points) <= space.MaxPoints { // one more is refused
			points = append(points, f.listed(row))
		}
	})
	if err == nil && len(points) == 0 {
		err = fmt.Errorf("%s: no line with a point", path)
	}
	return points, left, err
}

// listed reads the point of a line, actions only.
func (f *pointFile) listed(row []string) (point tarry.Point) {
	said := len(f.wrong) + f.more
	x := f.point(row, false)
	for _, i := range f.space.Actions() {
		if p := f.space.Parameter(i); math.IsNaN(x[i]) && p.Fixed() {
			x[i] = p.Value(0)
		}
		point = append(point, x[i])
	}
	if len(f.wrong)+f.more == said { // otherwise what is active is not known
		f.missing(x, x, f.space.Actions())
	}
	return point
}

// shelved reads the names of the columns of a shelf: each parameter that a policy chooses has one, by its own name or as inspect --csv
// writes it, unless it is fixed. Other columns may be there.
func (f *pointFile) shelved(header []string) {
	at, twice := map[string]int{}, map[string]int{}
	for i, name := range header {
		if _, before := at[columnName(name)]; before {
			twice[columnName(name)] = i
			continue
		}
		at[columnName(name)] = i
	}
	columns, index, used := f.names, map[string]int{}, map[int]bool{}
	for _, i := range f.space.Actions() {
		p := f.space.Parameter(i)
		name := columns[i]
		if _, given := at[name]; !given {
			name = p.Name
		}
		k, given := at[name]
		switch again, repeated := twice[name]; {
		case repeated:
			f.say(again, "column %q: given twice", name)
		case given:
			index[columns[i]], used[k] = k, true
		case !p.Fixed():
			f.say(0, "no column %s%s", p.Name, f.hinted(p.Name, header))
		}
	}
	for i, name := range header {
		if name = columnName(name); !used[i] && name != "" && !slices.Contains(f.others, name) {
			f.others = append(f.others, name)
		}
	}
	if len(f.wrong) == 0 {
		f.index = index
	}
}

// hinted says what the header may have meant by another name.
func (f *pointFile) hinted(name string, header []string) string {
	if len(header) == 1 && strings.ContainsAny(header[0], ";\t") {
		return ": want cells separated by commas"
	}
	for _, is := range header {
		is = columnName(is)
		another := slices.ContainsFunc(f.space.Parameters(), func(p tarry.Parameter) bool { return p.Name == is })
		if !another && (strings.EqualFold(is, name) || check.Meant(is, []string{name}) != "") {
			return ": want it in place of " + is
		}
	}
	return fmt.Sprintf(" (there are %s)", strings.Join(header[:min(len(header), mostColumns)], ", "))
}
