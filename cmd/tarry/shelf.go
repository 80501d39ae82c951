package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry"
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

// readShelf returns the points of a list, actions only. Columns that are no parameters are left out, and the log says which.
func readShelf(log io.Writer, path string, s tarry.Space) (points []tarry.Point, err error) {
	var left []string
	err = readFile(path, s, true, func(f *pointFile, row []string) {
		left = f.others
		x := f.point(row, false)
		known := slices.Clone(x)
		var point tarry.Point
		for _, i := range s.Actions() {
			if p := s.Parameter(i); math.IsNaN(x[i]) && p.Fixed() {
				x[i] = p.Value(0)
			}
			point = append(point, x[i])
		}
		f.missing(x, known, s.Actions())
		points = append(points, point)
	})
	switch {
	case err != nil:
		return nil, err
	case len(points) == 0:
		return nil, fmt.Errorf("%s: no line with a point", path)
	case len(left) > 0:
		fmt.Fprintf(log, "tarry: --points %s: %d points; what is no parameter is left out: %s\n", path, len(points), strings.Join(left, ", "))
	}
	return points, nil
}
