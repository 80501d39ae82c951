package data

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// ReadTable reads a data set from a CSV file (RFC 4180): the first line names the columns, every further line is a row.
// The column called label, in upper or lower case, holds the class, 0 or 1; all others are features. The data set is
// called like the file without its folder and extension, its features like the columns, and its classes "0" and "1".
// A byte order mark, CRLF, spaces around values, blank lines and a last line without an end are fine.
//
// It refuses files that are not tables of finite numbers with both classes, columns without a name or with one name,
// and more than 100000 rows, 10000 columns, a megabyte in a row or 256 megabytes in the file. Errors name the file, the
// line and what was expected, as in `pima.csv:17: column Glucose is "abc", want a finite number`. They unwrap to
// ErrMalformed when the content is at fault, and otherwise to the error of the file system: fs.ErrNotExist when there
// is no such file, fs.ErrInvalid when it is a folder or a device.
func ReadTable(path, label string) (Dataset, error) {
	file, err := openRegular(path, "a CSV file whose first line names the columns", maxTextFile)
	if err != nil {
		return Dataset{}, err
	}
	defer file.Close()
	return parseTable(file, path, label)
}

// parseTable reads the content of the table that is called path in errors.
func parseTable(r io.Reader, path, label string) (Dataset, error) {
	table, err := newCSVTable(r, path)
	if err != nil {
		return Dataset{}, err
	}
	at, err := table.column(label)
	if err != nil {
		return Dataset{}, err
	}
	if len(table.header) == 1 {
		return Dataset{}, table.wrong("no column but the label %s, want at least one feature", table.header[at])
	}
	base := filepath.Base(path)
	d := Dataset{
		Name:     strings.TrimSuffix(base, filepath.Ext(base)),
		Features: slices.Delete(slices.Clone(table.header), at, at+1),
		Classes:  []string{"0", "1"},
	}
	for {
		fields, err := table.next()
		if err == io.EOF {
			break
		} else if err != nil {
			return Dataset{}, err
		}
		x, class, err := table.example(fields, at)
		if err != nil {
			return Dataset{}, err
		}
		d.X, d.Y = append(d.X, x), append(d.Y, class)
	}
	if counts := d.Counts(); counts[0] == 0 || counts[1] == 0 {
		return Dataset{}, table.wrong("end of file, and column %s was %d in all rows (%d), want rows of both classes, 0 and 1",
			table.header[at], d.Y[0], len(d.Y))
	}
	return d, nil
}

// example takes a row apart into the features and the class, which stands in column label.
func (t *csvTable) example(fields []string, label int) (x []float64, class int, err error) {
	x = make([]float64, 0, len(fields)-1)
	for i, text := range fields {
		if i == label {
			continue
		}
		v, ok := finiteNumber(text)
		if !ok {
			return nil, 0, t.wrong("column %.40s is %.40q, want a finite number", t.header[i], text)
		}
		x = append(x, v)
	}
	switch strings.TrimSpace(fields[label]) {
	case "0":
		return x, 0, nil
	case "1":
		return x, 1, nil
	}
	return nil, 0, t.wrong("column %.40s is %.40q, want 0 or 1", t.header[label], fields[label])
}

// finiteNumber returns the number that a text stands for, and whether it is one and neither NaN nor infinite.
func finiteNumber(text string) (float64, bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return v, err == nil && !notFinite(v)
}

// Growing returns data sets each of which begins with all rows of the one before: the k-th of them has floor(k*n/steps)
// of the n rows of d, the last has all. They are stratified: the number of rows of class 1 in each is the integer
// nearest to its share in d, halves rounded up, but at least one row and at most all but one, so that every set has
// both classes. The rows that a step adds come in shuffled order, and equal streams give equal sets.
//
// The sets share their rows (the inner slices of X) with d, and X and Y with each other; treat them as read-only. An
// error, unwrapping to check.ErrInvalidOption, is returned unless d has both classes and 1 ≤ steps ≤ n/2, so that the
// first set has two rows. One permutation is drawn from the stream.
func Growing(d Dataset, stream *rand.Rand, steps int) ([]Dataset, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	var c check.List
	n, counts := len(d.X), d.Counts()
	for class, count := range counts {
		c.Require(count > 0, "Dataset.Y", fmt.Sprintf("no row of class %s", d.Classes[class]), "rows of both classes")
	}
	c.Require(steps >= 1 && steps <= max(1, n/2), "steps", steps,
		fmt.Sprintf("1 ≤ steps ≤ %d, so that the smallest of the sets has rows of both classes, of %d rows", max(1, n/2), n))
	if err := c.Err(); err != nil {
		return nil, err
	}
	order := stream.Perm(n)
	var left [2][]int // the places in order of the rows of each class that are in no set yet
	for place, row := range order {
		left[d.Y[row]] = append(left[d.Y[row]], place)
	}
	all, ends := d.empty(), make([]int, steps)
	var taken [2]int
	for k := range ends {
		ends[k] = (k + 1) * n / steps
		ones := min(max((2*ends[k]*counts[1]+n)/(2*n), 1), ends[k]-1)
		var places []int
		for class, want := range [2]int{ends[k] - ones, ones} {
			places = append(places, left[class][taken[class]:want]...)
			taken[class] = want
		}
		slices.Sort(places)
		for _, place := range places {
			all.take(d, order[place])
		}
	}
	sets := make([]Dataset, steps)
	for k, end := range ends {
		sets[k] = d.empty()
		sets[k].X, sets[k].Y = all.X[:end:end], all.Y[:end:end]
	}
	return sets, nil
}

// maxTextFile is the size in bytes beyond which a text file is refused before it is opened.
const maxTextFile = 256 << 20

// openRegular opens a file of at most that many bytes; want says in errors what it should be. Other than os.Open it
// never waits for somebody to write into a pipe.
func openRegular(path, want string, most int64) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, statFault(path, want, err)
	case info.IsDir():
		return nil, &fileFault{fmt.Sprintf("%s: is a folder, want %s", path, want), fs.ErrInvalid}
	case !info.Mode().IsRegular():
		return nil, &fileFault{fmt.Sprintf("%s: is not a regular file, want %s", path, want), fs.ErrInvalid}
	case info.Size() > most:
		return nil, &fileFault{fmt.Sprintf("%s: %d bytes, want at most %d", path, info.Size(), most), ErrMalformed}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, statFault(path, want, err)
	}
	return file, nil
}

// statFault says what should be at a path where nothing can be opened.
func statFault(path, want string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w, want %s", err, want) // the file system's own words begin with the path
	}
	if path == "" {
		path = `""`
	}
	return &fileFault{fmt.Sprintf("%s: does not exist, want %s", path, want), err}
}

// malformedLine returns the error about one line, which unwraps to ErrMalformed.
func malformedLine(path string, line int, format string, args ...any) error {
	return &fileFault{fmt.Sprintf("%s:%d: %s", path, line, fmt.Sprintf(format, args...)), ErrMalformed}
}

// fileFault is an error in words of its own about a file.
type fileFault struct {
	text  string
	cause error
}

func (f *fileFault) Error() string { return f.text }
func (f *fileFault) Unwrap() error { return f.cause }

var errRation = errors.New("the ration is used up")

// rationed hands out the bytes of a source up to a limit, which the caller moves on. It keeps a table's rows small:
// the csv reader by itself would take a file whose first quote is never closed into memory as one value.
type rationed struct {
	source      io.Reader
	read, limit int64
	err         error // of the source or errRation, never io.EOF
}

func (r *rationed) Read(p []byte) (int, error) {
	if r.read >= r.limit {
		r.err = errRation
		return 0, errRation
	}
	n, err := r.source.Read(p)
	r.read += int64(n)
	if err != io.EOF {
		r.err = err
	}
	return n, err
}

// withoutMark returns r behind the byte order mark that some programs put at the start of UTF-8.
func withoutMark(r io.Reader) io.Reader {
	const mark = "\ufeff"
	b := bufio.NewReader(r)
	if start, _ := b.Peek(len(mark)); string(start) == mark { // an error of Peek comes again when it is read
		_, _ = b.Discard(len(mark))
	}
	return b
}
