package data

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// ReportedCurve is what others have measured: the mean over several runs of the best value seen, by iteration from 0.
// All four slices have one entry for each iteration.
type ReportedCurve struct {
	Setting, Method string
	Runs            int       // number of runs, at least 1
	Mean, SE        []float64 // over the runs with any feedback; NaN where unknown, as SE is for a single run
	Floor, FloorSE  []float64 // over all runs, those without feedback yet counted at a fixed floor; NaN where unknown
}

// ReadCurves reads the curves of a CSV file, in the order in which they begin. Columns are found by their names in the
// first line, in upper or lower case: setting, method, iteration, n_runs, best_observed_mean, best_observed_se,
// best_observed_floor_mean and best_observed_floor_se; others are ignored. A value that is "nan" or empty is unknown.
//
// It refuses curves whose iterations are not 0, 1, 2 and so on in this order or whose number of runs changes, infinite
// values and negative standard errors. The format is otherwise that of ReadTable, and so are limits and errors.
func ReadCurves(path string) ([]ReportedCurve, error) {
	file, err := openRegular(path, "a CSV file of reported curves", maxTextFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return parseCurves(file, path)
}

// The columns that ReadCurves needs.
const (
	curveSetting = iota
	curveMethod
	curveIteration
	curveRuns
	curveMean
	curveSE
	curveFloor
	curveFloorSE
	curveColumns // their number
)

// parseCurves reads the content of the file that is called path in errors.
func parseCurves(r io.Reader, path string) ([]ReportedCurve, error) {
	table, err := newCSVTable(r, path)
	if err != nil {
		return nil, err
	}
	var at [curveColumns]int
	for i, name := range [curveColumns]string{
		"setting", "method", "iteration", "n_runs",
		"best_observed_mean", "best_observed_se", "best_observed_floor_mean", "best_observed_floor_se",
	} {
		if at[i], err = table.column(name); err != nil {
			return nil, err
		}
	}
	var curves []ReportedCurve
	known := map[[2]string]int{} // where in curves each setting and method are
	for {
		fields, err := table.next()
		if err == io.EOF {
			return curves, nil
		} else if err != nil {
			return nil, err
		}
		key := [2]string{strings.TrimSpace(fields[at[curveSetting]]), strings.TrimSpace(fields[at[curveMethod]])}
		i, ok := known[key]
		if !ok {
			i = len(curves)
			known[key] = i
			curves = append(curves, ReportedCurve{Setting: key[0], Method: key[1]})
		}
		if err := table.extend(&curves[i], fields, at); err != nil {
			return nil, err
		}
	}
}

// extend appends a row to its curve.
func (t *csvTable) extend(c *ReportedCurve, fields []string, at [curveColumns]int) error {
	for _, i := range []int{at[curveSetting], at[curveMethod]} {
		if strings.TrimSpace(fields[i]) == "" {
			return t.wrong("column %s is %.40q, want a name", t.header[i], fields[i])
		}
	}
	if i := at[curveIteration]; strings.TrimSpace(fields[i]) != strconv.Itoa(len(c.Mean)) {
		return t.wrong("column %s is %.40q, want %d, the next of curve %.40q, %.40q",
			t.header[i], fields[i], len(c.Mean), c.Setting, c.Method)
	}
	i := at[curveRuns]
	runs, err := strconv.Atoi(strings.TrimSpace(fields[i]))
	if err != nil || runs < 1 {
		return t.wrong("column %s is %.40q, want an integer of at least 1", t.header[i], fields[i])
	}
	if len(c.Mean) > 0 && runs != c.Runs {
		return t.wrong("column %s is %d, want %d as before in curve %.40q, %.40q", t.header[i], runs, c.Runs, c.Setting, c.Method)
	}
	c.Runs = runs
	for i, values := range []*[]float64{&c.Mean, &c.SE, &c.Floor, &c.FloorSE} {
		column := at[curveMean+i]
		v, ok := finiteNumber(fields[column])
		if text := strings.TrimSpace(fields[column]); text == "" || strings.EqualFold(text, "nan") {
			v, ok = math.NaN(), true
		}
		if isError := i%2 == 1; !ok {
			return t.wrong("column %s is %.40q, want a finite number or nan", t.header[column], fields[column])
		} else if isError && v < 0 {
			return t.wrong("column %s is %.40q, want a number ≥ 0 or nan", t.header[column], fields[column])
		}
		*values = append(*values, v)
	}
	return nil
}

// The limits of a CSV file with a header line: a file beyond them is refused before it takes memory.
const (
	maxTableRows    = 100_000
	maxTableColumns = 10_000
)

// csvTable reads the rows of a CSV file one by one and words its complaints.
type csvTable struct {
	path   string
	bytes  *rationed
	reader *csv.Reader
	header []string // names of the columns, without spaces around them
	line   int      // where the row read last begins, from 1
	rows   int      // read so far
}

// newCSVTable returns the table after its header line.
func newCSVTable(r io.Reader, path string) (*csvTable, error) {
	source := &rationed{source: withoutMark(r)}
	t := &csvTable{path: path, bytes: source, reader: csv.NewReader(source)}
	t.reader.FieldsPerRecord, t.reader.ReuseRecord = -1, true // next compares the numbers itself, to name both
	names, err := t.read()
	if err == io.EOF {
		return nil, t.wrong("end of file, want a header line that names the columns")
	} else if err != nil {
		return nil, err
	}
	if len(names) > maxTableColumns {
		return nil, t.wrong("%d columns, want at most %d", len(names), maxTableColumns)
	}
	first := map[string]int{}
	for i, name := range names {
		name = strings.TrimSpace(name)
		if name == "" {
			return nil, t.wrong("column %d has no name, want one", i+1)
		}
		lower := strings.ToLower(name)
		if j, twice := first[lower]; twice {
			return nil, t.wrong("columns %d and %d are both called %.40q, want different names", j+1, i+1, name)
		}
		first[lower] = i
		t.header = append(t.header, name)
	}
	return t, nil
}

// column returns the index of the column with a name.
func (t *csvTable) column(name string) (int, error) {
	const shown = 20
	for i, has := range t.header {
		if strings.EqualFold(has, name) {
			return i, nil
		}
	}
	var names strings.Builder
	for i, has := range t.header[:min(shown, len(t.header))] {
		if i > 0 {
			names.WriteString(", ")
		}
		fmt.Fprintf(&names, "%.40s", has)
	}
	if more := len(t.header) - shown; more > 0 {
		fmt.Fprintf(&names, " and %d more", more)
	}
	return 0, t.wrong("no column %.40q, want one of that name; the columns are %s", name, &names)
}

// next returns the fields of the next row, which hold until the call after, or io.EOF.
func (t *csvTable) next() ([]string, error) {
	fields, err := t.read()
	switch {
	case err == io.EOF && t.rows == 0:
		return nil, t.wrong("end of file, want at least one row after the header")
	case err != nil:
		return nil, err
	case t.rows == maxTableRows:
		return nil, t.wrong("row %d, want at most %d", t.rows+1, maxTableRows)
	case len(fields) != len(t.header):
		return nil, t.wrong("%d columns, want %d as in the header", len(fields), len(t.header))
	}
	t.rows++
	return fields, nil
}

// read returns the next line that is not blank, taken apart, or io.EOF.
func (t *csvTable) read() ([]string, error) {
	t.bytes.limit = t.reader.InputOffset() + maxLine
	fields, err := t.reader.Read()
	t.line++ // where the reader cannot tell
	var syntax *csv.ParseError
	switch {
	case err == nil:
		t.line, _ = t.reader.FieldPos(0)
		return fields, nil
	case t.bytes.err == errRation:
		return nil, t.wrong("longer than %d bytes", maxLine)
	case t.bytes.err != nil: // before syntax: a line that was cut off is no wrong line
		return nil, fmt.Errorf("%s:%d: %w", t.path, t.line, t.bytes.err)
	case errors.As(err, &syntax):
		t.line = syntax.StartLine
		return nil, t.wrong("%v, want values separated by commas", syntax.Err)
	}
	return nil, err
}

// wrong returns the error about the current line.
func (t *csvTable) wrong(format string, args ...any) error {
	return malformedLine(t.path, t.line, format, args...)
}
