package data

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// maxImageLines is the number of lines beyond which a table of images is refused: blank ones take no memory, but a small
// compressed file may hold them for hours.
const maxImageLines = 2 * maxImages

// parseImageTable reads the content of a file like digits.csv that is called path in errors.
func parseImageTable(r io.Reader, path string) (Images, error) {
	t := imageTable{lines: bufio.NewScanner(withoutMark(r)), path: path}
	t.lines.Buffer(make([]byte, 0, 4096), maxLine)
	for t.lines.Scan() {
		t.line++
		if err := t.lines.Err(); err != nil {
			return Images{}, t.unreadable(err) // what was scanned is the piece of a line before the fault
		}
		if t.line > maxImageLines {
			return Images{}, t.wrong("too long, want at most %d lines", maxImageLines)
		}
		if strings.TrimSpace(t.lines.Text()) == "" {
			continue
		}
		if err := t.add(t.lines.Text()); err != nil {
			return Images{}, err
		}
	}
	t.line++
	if err := t.lines.Err(); err != nil {
		return Images{}, t.unreadable(err)
	}
	if len(t.X) == 0 {
		return Images{}, t.wrong("end of file, want images: pixels and a class, separated by commas")
	}
	if err := t.scale(); err != nil {
		return Images{}, err
	}
	if err := t.countClasses(path); err != nil {
		return Images{}, err
	}
	return t.Images, nil
}

// imageTable is what has been read of a file, with pixels as they stand there.
type imageTable struct {
	Images
	lines *bufio.Scanner
	path  string
	line  int // number of the line read last, from 1
}

// wrong returns the error about the current line.
func (t *imageTable) wrong(format string, args ...any) error {
	return malformedLine(t.path, t.line, format, args...)
}

func (t *imageTable) unreadable(err error) error {
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		return t.wrong("longer than %d bytes", maxLine)
	case errors.Is(err, ErrMalformed):
		return t.wrong("%v", err)
	}
	return fmt.Errorf("%s:%d: %w", t.path, t.line, err)
}

// add takes a line apart into the pixels and the label. The first line says how large the images are.
func (t *imageTable) add(text string) error {
	columns := strings.Split(text, ",")
	pixels := len(columns) - 1
	if len(t.X) == 0 {
		if strings.HasPrefix(text, "\x00\x00\x08") {
			return t.wrong("this is a file in IDX format, want its folder, or text")
		}
		side := int(math.Round(math.Sqrt(float64(pixels))))
		if side < 1 || side > maxSide || side*side != pixels {
			return t.wrong("%d columns, want the pixels of a square image, at most %d x %d, and a class", len(columns), maxSide, maxSide)
		}
		t.Width, t.Height = side, side
	}
	if pixels != t.Width*t.Height {
		return t.wrong("%d columns, want %d (%d x %d pixels and a class)", len(columns), t.Width*t.Height+1, t.Width, t.Height)
	}
	if most := min(maxImages, maxPixels/pixels); len(t.X) == most {
		return t.wrong("image %d, want at most %d of %d x %d pixels", most+1, most, t.Width, t.Height)
	}
	x := make([]float64, pixels)
	for i, column := range columns[:pixels] {
		v, ok := finiteNumber(column)
		if !ok {
			return t.wrong("column %d is %.40q, want a pixel, a finite number", i+1, column)
		}
		x[i] = v
	}
	label, err := strconv.Atoi(strings.TrimSpace(columns[pixels]))
	if err != nil || label < 0 || label >= maxClasses {
		return t.wrong("column %d is %.40q, want a class, an integer from 0 to %d", pixels+1, columns[pixels], maxClasses-1)
	}
	t.X, t.Y = append(t.X, x), append(t.Y, label)
	return nil
}

// scale maps the pixels to [0, 1], the smallest of all images to 0 and the largest to 1.
func (t *imageTable) scale() error {
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range t.X {
		for _, v := range x {
			low, high = min(low, v), max(high, v)
		}
	}
	span := high - low
	if span == 0 || math.IsInf(span, 1) {
		return &fileFault{fmt.Sprintf("%s: pixels from %g to %g, want a finite range", t.path, low, high), ErrMalformed}
	}
	for _, x := range t.X {
		for i, v := range x {
			x[i] = (v - low) / span
		}
	}
	return nil
}
