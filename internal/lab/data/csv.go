package data

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ErrMalformed is what every error of ParseCSV unwraps to, other than those of the reader itself.
var ErrMalformed = errors.New("malformed data file")

// The limits of ParseCSV: a file beyond them is refused before it takes memory.
const (
	maxRows     = 1_000_000
	maxFeatures = 10_000
	maxLine     = 1 << 20 // bytes
)

// ParseCSV reads a data set in the format of the embedded file. The first line is "rows,features,class0,class1";
// every further line holds the features of one row and its label, 0 or 1, separated by commas. The features are named
// "feature 1", "feature 2" and so on, as the file does not name them.
//
// It refuses files of another shape than the first line announces, values that are not finite numbers, and more than
// a million rows, ten thousand features or a megabyte in a line. Errors name the line, what stands there and what was
// expected, as in "breast cancer: line 17: 30 columns, want 31 (30 features and a label)".
func ParseCSV(r io.Reader, name string) (Dataset, error) {
	p := parser{lines: bufio.NewScanner(r), name: name}
	p.lines.Buffer(make([]byte, 0, 4096), maxLine)
	header, err := p.next("the header rows,features,class0,class1")
	if err != nil {
		return Dataset{}, err
	}
	rows, features, classes, err := p.header(header)
	if err != nil {
		return Dataset{}, err
	}
	d := Dataset{Name: name, Classes: classes}
	for column := range features {
		d.Features = append(d.Features, fmt.Sprintf("feature %d", column+1))
	}
	for row := range rows {
		text, err := p.next(fmt.Sprintf("row %d of %d", row+1, rows))
		if err != nil {
			return Dataset{}, err
		}
		x, label, err := p.row(text, features)
		if err != nil {
			return Dataset{}, err
		}
		d.X, d.Y = append(d.X, x), append(d.Y, label)
	}
	if err := p.end(rows); err != nil {
		return Dataset{}, err
	}
	return d, nil
}

// parser reads the lines of one file and words its complaints.
type parser struct {
	lines *bufio.Scanner
	name  string
	line  int // number of the line read last, from 1
}

// wrong returns the error about the current line.
func (p *parser) wrong(format string, args ...any) error {
	return fmt.Errorf("%s: line %d: %s: %w", p.name, p.line, fmt.Sprintf(format, args...), ErrMalformed)
}

// next returns the next line, or the error that says what should have stood there.
func (p *parser) next(want string) (string, error) {
	p.line++
	if p.lines.Scan() {
		return p.lines.Text(), nil
	}
	if err := p.lines.Err(); err != nil {
		return "", p.unreadable(err)
	}
	return "", p.wrong("end of file, want %s", want)
}

// end returns nil when nothing is left.
func (p *parser) end(rows int) error {
	p.line++
	if p.lines.Scan() {
		return p.wrong("%.40q, want the end of the file after %d rows", p.lines.Text(), rows)
	}
	if err := p.lines.Err(); err != nil {
		return p.unreadable(err)
	}
	return nil
}

func (p *parser) unreadable(err error) error {
	if errors.Is(err, bufio.ErrTooLong) {
		return p.wrong("longer than %d bytes", maxLine)
	}
	return fmt.Errorf("%s: line %d: %w", p.name, p.line, err)
}

// header takes the first line apart.
func (p *parser) header(text string) (rows, features int, classes []string, err error) {
	columns := strings.Split(text, ",")
	if len(columns) != 4 {
		return 0, 0, nil, p.wrong("%d columns, want 4 (rows,features,class0,class1)", len(columns))
	}
	rows, err = strconv.Atoi(columns[0])
	if err != nil || rows < 1 || rows > maxRows {
		return 0, 0, nil, p.wrong("%.40q rows, want an integer from 1 to %d", columns[0], maxRows)
	}
	features, err = strconv.Atoi(columns[1])
	if err != nil || features < 1 || features > maxFeatures {
		return 0, 0, nil, p.wrong("%.40q features, want an integer from 1 to %d", columns[1], maxFeatures)
	}
	classes = columns[2:]
	if classes[0] == "" || classes[1] == "" || classes[0] == classes[1] {
		return 0, 0, nil, p.wrong("classes %.40q and %.40q, want two different names", classes[0], classes[1])
	}
	return rows, features, classes, nil
}

// row takes a line apart into the features and the label.
func (p *parser) row(text string, features int) (x []float64, label int, err error) {
	columns := strings.Split(text, ",")
	if len(columns) != features+1 {
		return nil, 0, p.wrong("%d columns, want %d (%d features and a label)", len(columns), features+1, features)
	}
	x = make([]float64, features)
	for i, column := range columns[:features] {
		v, err := strconv.ParseFloat(column, 64)
		if err != nil || notFinite(v) {
			return nil, 0, p.wrong("column %d is %.40q, want a finite number", i+1, column)
		}
		x[i] = v
	}
	switch columns[features] {
	case "0":
		return x, 0, nil
	case "1":
		return x, 1, nil
	}
	return nil, 0, p.wrong("label %.40q, want 0 or 1", columns[features])
}
