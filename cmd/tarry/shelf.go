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
)

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
	shelf, err := readShelf(log, points, d.Space)
	if err != nil {
		return d, fmt.Errorf("--points: %w", err)
	}
	if d.Space, err = tarry.NewList(shelf, d.Space.Parameters()...); err != nil {
		return d, fmt.Errorf("--points %s: %w", points, err)
	}
	return d, nil
}

// readShelf returns the points of a list, actions only. The log says how many there are, and which columns are left out.
func readShelf(log io.Writer, path string, s tarry.Space) (points []tarry.Point, err error) {
	var left []string
	seen := map[string]bool{}
	err = readFile(path, s, true, func(f *pointFile, row []string) {
		left = f.others
		point := f.listed(row)
		points = append(points, point)
		seen[fmt.Sprint(point)] = true
	})
	switch {
	case err != nil:
		return nil, err
	case len(points) == 0:
		return nil, fmt.Errorf("%s: no line with a point", path)
	}
	fmt.Fprintf(log, "tarry: --points %s: %d points", path, len(seen))
	if twice := len(points) - len(seen); twice > 0 {
		fmt.Fprintf(log, ", %d of the lines say one again", twice)
	}
	if len(left) > 0 {
		fmt.Fprintf(log, "; what is no parameter to choose is left out: %s", strings.Join(left, ", "))
	}
	fmt.Fprintln(log)
	return points, nil
}

// listed reads the point of a line, actions only.
func (f *pointFile) listed(row []string) (point tarry.Point) {
	said := len(f.wrong) + f.more
	x := f.point(row, false)
	known := slices.Clone(x)
	for _, i := range f.space.Actions() {
		if p := f.space.Parameter(i); math.IsNaN(x[i]) && p.Fixed() {
			x[i] = p.Value(0)
		}
		point = append(point, x[i])
	}
	if len(f.wrong)+f.more == said { // otherwise what is active is not known
		f.missing(x, known, f.space.Actions())
	}
	return point
}

// shelved reads the names of the columns of a shelf: each parameter that a policy chooses has one, by its own name or as inspect --csv
// writes it, unless it is fixed. Other columns may be there.
func (f *pointFile) shelved(header []string) {
	at := map[string]int{}
	for i, name := range header {
		if _, twice := at[columnName(name)]; !twice {
			at[columnName(name)] = i
		}
	}
	columns, index, used := f.columns(), map[string]int{}, map[int]bool{}
	for _, i := range f.space.Actions() {
		p := f.space.Parameter(i)
		k, given := at[columns[i]]
		if !given {
			k, given = at[p.Name]
		}
		switch {
		case given:
			index[columns[i]], used[k] = k, true
		case !p.Fixed():
			f.say(0, "no column %s%s", p.Name, hinted(p.Name, header))
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
func hinted(name string, header []string) string {
	if len(header) == 1 && strings.ContainsAny(header[0], ";\t") {
		return ": want cells separated by commas"
	}
	for _, is := range header {
		if is = columnName(is); strings.EqualFold(is, name) || check.Meant(is, []string{name}) != "" {
			return ": want it in place of " + is
		}
	}
	return fmt.Sprintf(" (there are %s)", strings.Join(header, ", "))
}
