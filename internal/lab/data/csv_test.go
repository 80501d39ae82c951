package data

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestParseCSVReadsASmallFile(t *testing.T) {
	for name, text := range map[string]string{
		"plain":               "2,3,no,yes\n1,-2.5,3e2,0\n4,5,6,1\n",
		"no newline at end":   "2,3,no,yes\n1,-2.5,3e2,0\n4,5,6,1",
		"lines end like DOS'": "2,3,no,yes\r\n1,-2.5,3e2,0\r\n4,5,6,1\r\n",
	} {
		d, err := ParseCSV(strings.NewReader(text), "tiny")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(d.X) != 2 || d.X[0][1] != -2.5 || d.X[0][2] != 300 || d.Y[0] != 0 || d.Y[1] != 1 {
			t.Errorf("%s: %+v", name, d)
		}
		if d.Name != "tiny" || d.Classes[1] != "yes" || d.Features[2] != "feature 3" || d.Validate() != nil {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestMalformedFilesNameTheLine(t *testing.T) {
	const header = "3,2,no,yes\n"
	for _, tc := range []struct{ name, text, want string }{
		{"empty file", "", "f: line 1: end of file, want the header rows,features,class0,class1"},
		{"header too short", "3,2,no\n", "f: line 1: 3 columns, want 4"},
		{"rows not a number", "x,2,no,yes\n", `f: line 1: "x" rows, want an integer from 1 to 1000000`},
		{"no rows", "0,2,no,yes\n", `f: line 1: "0" rows`},
		{"far too many rows", "99999999999,2,no,yes\n", `f: line 1: "99999999999" rows`},
		{"no features", "3,0,no,yes\n", `f: line 1: "0" features, want an integer from 1 to 10000`},
		{"class without name", "3,2,,yes\n", `f: line 1: classes "" and "yes", want two different names`},
		{"one class twice", "3,2,yes,yes\n", "f: line 1: classes"},
		{"a column missing", header + "1,2,0\n1,0\n5,6,0\n", "f: line 3: 2 columns, want 3 (2 features and a label)"},
		{"a column too many", header + "1,2,0\n1,2,3,0\n5,6,0\n", "f: line 3: 4 columns, want 3"},
		{"blank line", header + "1,2,0\n\n5,6,0\n", "f: line 3: 1 columns, want 3"},
		{"bad label", header + "1,2,0\n3,4,1\n5,6,2\n", `f: line 4: label "2", want 0 or 1`},
		{"label as float", header + "1,2,0\n3,4,1\n5,6,1.0\n", `f: line 4: label "1.0", want 0 or 1`},
		{"not a number", header + "1,2,0\n3,four,1\n", `f: line 3: column 2 is "four", want a finite number`},
		{"missing value", header + "1,2,0\n,4,1\n", `f: line 3: column 1 is "", want a finite number`},
		{"NaN", header + "NaN,2,0\n", `f: line 2: column 1 is "NaN"`},
		{"infinity", header + "1,-Inf,0\n", `f: line 2: column 2 is "-Inf"`},
		{"beyond float64", header + "1,1e999,0\n", `f: line 2: column 2 is "1e999"`},
		{"short file", header + "1,2,0\n3,4,1\n", "f: line 4: end of file, want row 3 of 3"},
		{"long file", header + "1,2,0\n3,4,1\n5,6,1\n7,8,1\n", `f: line 5: "7,8,1", want the end of the file after 3 rows`},
		{"endless line", header + "1,2,0\n" + strings.Repeat("1", maxLine+1), "f: line 3: longer than 1048576 bytes"},
		{"endless last line", "1,1,a,b\n1,0\n" + strings.Repeat("1", maxLine+1), "f: line 3: longer than 1048576 bytes"},
	} {
		d, err := ParseCSV(strings.NewReader(tc.text), "f")
		if err == nil || !strings.HasPrefix(err.Error(), tc.want) || !errors.Is(err, ErrMalformed) {
			t.Errorf("%s: error %q, want %q", tc.name, err, tc.want)
		}
		if d.X != nil {
			t.Errorf("%s: returned rows with the error", tc.name)
		}
	}
}

func TestErrorsOfTheReaderComeThrough(t *testing.T) {
	for _, text := range []string{"", "1,1,a,b\n", "1,1,a,b\n5,0\n"} {
		broken := io.MultiReader(strings.NewReader(text), iotest.ErrReader(io.ErrClosedPipe))
		_, err := ParseCSV(broken, "f")
		if !errors.Is(err, io.ErrClosedPipe) || errors.Is(err, ErrMalformed) || !strings.HasPrefix(err.Error(), "f: line ") {
			t.Errorf("after %q: %v", text, err)
		}
	}
}

// Whatever the bytes are, the parser returns a sound table or says which line is wrong.
func FuzzParseCSV(f *testing.F) {
	for _, seed := range []string{"1,1,a,b\n1,0\n", "2,2,a,b\r\n1,2,0\n3,4e5,1", "1,1,a,b\n0x1p-2,1\n", "", ",,,\n", "1,1,a,b\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ParseCSV(bytes.NewReader(text), "fuzz")
		if err != nil {
			if !errors.Is(err, ErrMalformed) || !strings.HasPrefix(err.Error(), "fuzz: line ") {
				t.Fatalf("error %q does not name the line", err)
			}
			return
		}
		if err := d.Validate(); err != nil {
			t.Fatal(err)
		}
	})
}
