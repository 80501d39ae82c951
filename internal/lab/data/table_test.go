package data

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// tempFile writes a file into a new folder and returns its path.
func tempFile(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// realFile returns the path of something in the folder of real data, or skips the test.
func realFile(t *testing.T, name string) string {
	t.Helper()
	folder := os.Getenv("TARRY_DATA")
	if folder == "" {
		t.Skip("needs real data: set TARRY_DATA to the folder that has " + name)
	}
	return filepath.Join(folder, name)
}

// wantFault checks the whole text of an error, in which FILE stands for path, and what it unwraps to.
func wantFault(t *testing.T, err error, path, want string, cause error) {
	t.Helper()
	if want = strings.ReplaceAll(want, "FILE", path); err == nil || err.Error() != want || !errors.Is(err, cause) {
		t.Errorf("error\n  %v\nwant\n  %s\nunwrapping to %v", err, want, cause)
	}
}

func TestReadTableReadsAllDialects(t *testing.T) {
	for name, text := range map[string]string{
		"plain":               "Age,Sick,BMI\n30,0,-2.5\n41,1,3e2\n",
		"no newline at end":   "Age,Sick,BMI\n30,0,-2.5\n41,1,3e2",
		"lines end like DOS'": "Age,Sick,BMI\r\n30,0,-2.5\r\n41,1,3e2\r\n",
		"byte order mark":     "\ufeffAge,Sick,BMI\n30,0,-2.5\n41,1,3e2\n",
		"mark and quotes":     "\ufeff\"Age\",\"Sick\",\"BMI\"\n\"30\",\"0\",\"-2.5\"\n41,1,3e2\n",
		"spaces, blank lines": " Age , Sick , BMI \n\n30 , 0, -2.5\n\n41,1,3e2\n\n",
		"label in capitals":   "Age,SICK,BMI\n30,0,-2.5\n41,1,3e2\n",
	} {
		d, err := ReadTable(tempFile(t, "ill.people.csv", text), "sick")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d.Name != "ill.people" || !slices.Equal(d.Features, []string{"Age", "BMI"}) || !slices.Equal(d.Classes, []string{"0", "1"}) {
			t.Errorf("%s: %+v", name, d)
		}
		if !slices.Equal(slices.Concat(d.X...), []float64{30, -2.5, 41, 300}) || !slices.Equal(d.Y, []int{0, 1}) || d.Validate() != nil {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestANameInQuotesMayHaveCommasAndLines(t *testing.T) {
	d, err := ReadTable(tempFile(t, "t", "\"a, b\",\"c\nd\",y\n1,2,0\n3,4,1\n"), "y")
	if err != nil || d.Name != "t" || !slices.Equal(d.Features, []string{"a, b", "c\nd"}) {
		t.Errorf("%+v, %v", d, err)
	}
	path := tempFile(t, "t", "\"a, b\",\"c\nd\",y\n1,2,0\n3,x,1\n")
	_, err = ReadTable(path, "y")
	wantFault(t, err, path, "FILE:4: column c\nd is \"x\", want a finite number", ErrMalformed)
}

func TestMalformedTablesNameTheLine(t *testing.T) {
	const head = "Age,Glucose,Outcome\n1,2,0\n"
	many := strings.Repeat("x", 100)
	for _, tc := range []struct{ text, want string }{
		{"", "FILE:1: end of file, want a header line that names the columns"},
		{"\n\n", "FILE:1: end of file, want a header line that names the columns"},
		{"\ufeff", "FILE:1: end of file, want a header line that names the columns"},
		{"Age,Outcome\n", "FILE:2: end of file, want at least one row after the header"},
		{"Age,Result\n1,0\n", `FILE:1: no column "Outcome", want one of that name; the columns are Age, Result`},
		{"Outcome\n1\n0\n", "FILE:1: no column but the label Outcome, want at least one feature"},
		{"Age,,Outcome\n1,2,0\n", "FILE:1: column 2 has no name, want one"},
		{"Age,BMI,age,Outcome\n1,2,3,0\n", `FILE:1: columns 1 and 3 are both called "age", want different names`},
		{head + "3,abc,1\n", `FILE:3: column Glucose is "abc", want a finite number`},
		{head + "\n\r\n3,abc,1\n", `FILE:5: column Glucose is "abc", want a finite number`},
		{head + ",4,1\n", `FILE:3: column Age is "", want a finite number`},
		{head + "NaN,4,1\n", `FILE:3: column Age is "NaN", want a finite number`},
		{head + "3,-Inf,1\n", `FILE:3: column Glucose is "-Inf", want a finite number`},
		{head + "3,1e999,1\n", `FILE:3: column Glucose is "1e999", want a finite number`},
		{head + "3," + many + ",1\n", `FILE:3: column Glucose is "` + many[:40] + `", want a finite number`},
		{head + "3,4,2\n", `FILE:3: column Outcome is "2", want 0 or 1`},
		{head + "3,4,1.0\n", `FILE:3: column Outcome is "1.0", want 0 or 1`},
		{head + "3,4\n", "FILE:3: 2 columns, want 3 as in the header"},
		{head + "3,4,1,\n", "FILE:3: 4 columns, want 3 as in the header"},
		{head + "3,4,0\n", "FILE:4: end of file, and column Outcome was 0 in all rows (2), want rows of both classes, 0 and 1"},
		{head + "3,4\"5,1\n", `FILE:3: bare " in non-quoted-field, want values separated by commas`},
		{head + "3,\"4,1\n5,6,0\n", `FILE:3: extraneous or missing " in quoted-field, want values separated by commas`},
		{head + strings.Repeat("1", maxLine+5000), "FILE:3: longer than 1048576 bytes"},
		{head + "3,\"" + strings.Repeat("4\n", maxLine), "FILE:3: longer than 1048576 bytes"},
		{strings.Repeat("a", maxLine+5000), "FILE:1: longer than 1048576 bytes"},
		{strings.Repeat("a,", maxTableColumns) + "Outcome\n", "FILE:1: 10001 columns, want at most 10000"},
	} {
		path := tempFile(t, "pima.csv", tc.text)
		d, err := ReadTable(path, "Outcome")
		wantFault(t, err, path, tc.want, ErrMalformed)
		if d.X != nil {
			t.Errorf("%.40q: rows came with the error", tc.text)
		}
	}
}

func TestAMissingLabelListsNotTooManyColumns(t *testing.T) {
	var names []string
	for i := range 25 {
		names = append(names, fmt.Sprint("f", i))
	}
	path := tempFile(t, "wide.csv", strings.Join(names, ",")+"\n")
	_, err := ReadTable(path, "y")
	wantFault(t, err, path, `FILE:1: no column "y", want one of that name; the columns are `+strings.Join(names[:20], ", ")+" and 5 more", ErrMalformed)
}

func TestTablesOfTheLargestSizeAreRead(t *testing.T) {
	wide := strings.Repeat("1,", maxTableColumns-1)
	var head strings.Builder
	for i := range maxTableColumns - 1 {
		fmt.Fprintf(&head, "f%d,", i)
	}
	d, err := ReadTable(tempFile(t, "wide.csv", head.String()+"y\n"+wide+"0\n"+wide+"1\n"), "y")
	if err != nil || len(d.X) != 2 || len(d.X[1]) != maxTableColumns-1 {
		t.Errorf("%d rows, %v", len(d.X), err)
	}
	long := "x,y\n" + strings.Repeat("1,0\n2,1\n", maxTableRows/2)
	d, err = ReadTable(tempFile(t, "long.csv", long), "y")
	if err != nil || len(d.X) != maxTableRows {
		t.Errorf("%d rows, %v", len(d.X), err)
	}
	path := tempFile(t, "longer.csv", long+"1,0\n")
	_, err = ReadTable(path, "y")
	wantFault(t, err, path, "FILE:100002: row 100001, want at most 100000", ErrMalformed)
}

func TestPathsThatAreNoFilesSayWhatTheyAre(t *testing.T) {
	dir := t.TempDir()
	const want = "a CSV file whose first line names the columns"
	_, err := ReadTable(filepath.Join(dir, "pima.csv"), "y")
	wantFault(t, err, dir, filepath.Join("FILE", "pima.csv")+": does not exist, want "+want, fs.ErrNotExist)
	_, err = ReadTable("", "y")
	wantFault(t, err, "", `"": does not exist, want `+want, fs.ErrNotExist)
	_, err = ReadTable(dir, "y")
	wantFault(t, err, dir, "FILE: is a folder, want "+want, fs.ErrInvalid)
	_, err = ReadTable(os.DevNull, "y")
	wantFault(t, err, os.DevNull, "FILE: is not a regular file, want "+want, fs.ErrInvalid)

	var inner *fs.PathError
	_, err = ReadTable(filepath.Join(tempFile(t, "a", ""), "b"), "y")
	if !errors.As(err, &inner) || !strings.HasSuffix(err.Error(), ", want "+want) {
		t.Errorf("below a file: %v", err)
	}
	path := tempFile(t, "huge.csv", "x,y\n")
	if err := os.Truncate(path, maxTextFile+1); err != nil { // takes no room on the disk
		t.Fatal(err)
	}
	_, err = ReadTable(path, "y")
	wantFault(t, err, path, "FILE: 268435457 bytes, want at most 268435456", ErrMalformed)
}

func TestErrorsWhileATableIsReadComeThrough(t *testing.T) {
	for text, line := range map[string]int{"": 1, "x,y\n": 2, "x,y\n1,0\n2,": 3, "x,y\n1,0\n2,\"1": 3, "x,y\n1,0\n2\"": 3} {
		broken := io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrClosedPipe))
		_, err := parseTable(broken, "t.csv", "y")
		wantFault(t, err, "t.csv", fmt.Sprintf("FILE:%d: io: read/write on closed pipe", line), io.ErrClosedPipe)
	}
}

func TestPimaIsTheWholeTable(t *testing.T) {
	d := must.Get(ReadTable(realFile(t, "pima-diabetes.csv"), "Outcome"))(t)
	if len(d.X) != 768 || len(d.X[0]) != 8 || d.Counts() != [2]int{500, 268} || d.Name != "pima-diabetes" || d.Validate() != nil {
		t.Errorf("%s: %d x %d, counts %v", d.Name, len(d.X), len(d.X[0]), d.Counts())
	}
	if d.Features[1] != "Glucose" || slices.Contains(d.Features, "Outcome") {
		t.Errorf("features %q", d.Features)
	}
	sets, err := Growing(d, rng.New(1, rng.Split, 0), 10)
	if err != nil || len(sets[0].X) != 76 || sets[0].Counts()[1] != 27 { // 76 * 268/768 = 26.5
		t.Errorf("%d of 10 growing sets: %v", len(sets), err)
	}
}

// Whatever the bytes are, the reader returns a sound table or says which line is wrong.
func FuzzParseTable(f *testing.F) {
	for _, seed := range []string{"x,y\n1,0\n2,1\n", "\ufeffx,\"Y\"\r\n1,0\r\n2,1", "y,x\n0,0x1p-2\n\n1,\"\n3\"", "", "x,y\n", "y\n1\n", "\"\n,\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := parseTable(bytes.NewReader(text), "fuzz", "y")
		if err != nil {
			if !errors.Is(err, ErrMalformed) || !strings.HasPrefix(err.Error(), "fuzz:") || !strings.Contains(err.Error(), ": ") {
				t.Fatalf("error %q does not name the line", err)
			}
			return
		}
		if counts := d.Counts(); d.Validate() != nil || counts[0] == 0 || counts[1] == 0 {
			t.Fatalf("counts %v, %v", counts, d.Validate())
		}
	})
}

// labeled returns a data set of zeros and ones whose feature is the number of the row.
func labeled(zeros, ones int) Dataset {
	d := Dataset{Name: "rows", Features: []string{"row"}, Classes: []string{"0", "1"}}
	for row := range zeros + ones {
		d.X = append(d.X, []float64{float64(row)})
		d.Y = append(d.Y, 0)
		if row >= zeros {
			d.Y[row] = 1
		}
	}
	return d
}

func TestGrowingSetsHaveTheNearestShares(t *testing.T) {
	for _, tc := range []struct {
		zeros, ones, steps int
		want               [][2]int // counts of each set
	}{
		{7, 3, 5, [][2]int{{1, 1}, {3, 1}, {4, 2}, {6, 2}, {7, 3}}}, // ones 0.6, 1.2, 1.8, 2.4, 3
		{3, 7, 5, [][2]int{{1, 1}, {1, 3}, {2, 4}, {2, 6}, {3, 7}}}, // ones 1.4, 2.8, 4.2, 5.6, 7
		{10, 1, 3, [][2]int{{2, 1}, {6, 1}, {10, 1}}},               // sizes 3.7, 7.3, 11; ones 0.3, 0.6, 1
		{1, 10, 3, [][2]int{{1, 2}, {1, 6}, {1, 10}}},               // ones 2.7 of 3 would leave no zero
		{4, 4, 4, [][2]int{{1, 1}, {2, 2}, {3, 3}, {4, 4}}},         // exact
		{5, 5, 2, [][2]int{{2, 3}, {5, 5}}},                         // 2.5 ones are 3
		{1, 1, 1, [][2]int{{1, 1}}},                                 // the smallest
		{400, 200, 3, [][2]int{{133, 67}, {267, 133}, {400, 200}}},  // 66.7, 133.3
		{500, 268, 2, [][2]int{{250, 134}, {500, 268}}},             // like Pima
		{2, 98, 4, [][2]int{{1, 24}, {1, 49}, {1, 74}, {2, 98}}},    // ones 24.5 (25 would leave none), 49, 73.5
	} {
		sets, err := Growing(labeled(tc.zeros, tc.ones), rng.New(1, rng.Split, 0), tc.steps)
		if err != nil {
			t.Errorf("%d + %d in %d: %v", tc.zeros, tc.ones, tc.steps, err)
			continue
		}
		var got [][2]int
		for _, set := range sets {
			got = append(got, set.Counts())
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%d + %d in %d: counts %v, want %v", tc.zeros, tc.ones, tc.steps, got, tc.want)
		}
	}
}

func TestGrowingSetsAreNestedAndStratified(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zeros, ones := rapid.IntRange(1, 60).Draw(t, "zeros"), rapid.IntRange(1, 60).Draw(t, "ones")
		d := labeled(zeros, ones)
		n := len(d.X)
		steps := rapid.IntRange(1, n/2).Draw(t, "steps")
		sets, err := Growing(d, rng.New(rapid.Uint64().Draw(t, "seed"), rng.Split, 0), steps)
		if err != nil || len(sets) != steps {
			t.Fatalf("%d sets, %v", len(sets), err)
		}
		var before Dataset
		for k, set := range sets {
			m, got := len(set.X), set.Counts()[1]
			if err := set.Validate(); err != nil || m != (k+1)*n/steps {
				t.Fatalf("set %d has %d rows: %v", k, m, err)
			}
			if !slices.Equal(keys(before), keys(Dataset{X: set.X[:len(before.X)], Y: set.Y[:len(before.X)]})) {
				t.Fatalf("set %d does not begin with the set before", k)
			}
			// The dumb way: no other number of ones is nearer, among those that leave both classes.
			share := float64(ones) / float64(n)
			for other := 1; other < m; other++ {
				if math.Abs(float64(other)/float64(m)-share) < math.Abs(float64(got)/float64(m)-share)-1e-12 {
					t.Fatalf("set %d: %d of %d rows are ones, %d would be nearer to %d of %d", k, got, m, other, ones, n)
				}
			}
			if got < 1 || got >= m {
				t.Fatalf("set %d: %d of %d rows are ones", k, got, m)
			}
			before = set
		}
		if !slices.Equal(keys(before), keys(d)) {
			t.Fatal("the last set is not the whole")
		}
	})
}

func TestGrowingIsShuffledAndRepeatable(t *testing.T) {
	grow := func(seed uint64) []float64 {
		sets := must.Get(Growing(cancer(t), rng.New(seed, rng.Split, 0), 5))(t)
		for k, set := range sets {
			if slices.IsSorted(set.Y) || slices.IsSortedFunc(set.Y, func(a, b int) int { return b - a }) {
				t.Errorf("set %d has its classes one after the other", k)
			}
		}
		_ = append(sets[0].Y, 7) // must not write into the next set
		if err := sets[1].Validate(); err != nil {
			t.Error(err)
		}
		return slices.Concat(sets[4].X...)
	}
	if !slices.Equal(grow(3), grow(3)) {
		t.Error("one stream, two orders")
	}
	if slices.Equal(grow(3), grow(4)) {
		t.Error("two streams, one order")
	}
}

func TestGrowingRefusesWhatCannotBe(t *testing.T) {
	for _, tc := range []struct {
		d     Dataset
		steps int
		want  string
	}{
		{labeled(7, 4), 6, "steps = 6: want 1 ≤ steps ≤ 5, so that the smallest of the sets has rows of both classes, of 11 rows"},
		{labeled(7, 4), 0, "steps = 0: want 1 ≤ steps ≤ 5, so that the smallest of the sets has rows of both classes, of 11 rows"},
		{labeled(7, 4), math.MaxInt, fmt.Sprintf("steps = %d: want 1 ≤ steps ≤ 5, so that the smallest of the sets has rows of both classes, of 11 rows", math.MaxInt)},
		{labeled(8, 0), 2, "Dataset.Y = no row of class 1: want rows of both classes"},
		{labeled(0, 1), 1, "Dataset.Y = no row of class 0: want rows of both classes"},
		{Dataset{Features: []string{"x"}, Classes: []string{"0", "1"}}, 1, "Dataset.X = no rows: want at least one row"},
	} {
		sets, err := Growing(tc.d, rng.New(1, rng.Split, 0), tc.steps)
		wantFault(t, err, "", tc.want, check.ErrInvalidOption)
		if sets != nil {
			t.Errorf("sets came with %v", err)
		}
	}
}
