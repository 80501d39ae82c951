package data

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

const curvesHead = "setting,method,iteration,n_runs,n_runs_with_feedback,best_observed_mean,best_observed_se," +
	"best_observed_floor_mean,best_observed_floor_se,best_queried_mean,best_queried_se\n"

// same reports whether two slices are equal when all NaN are one.
func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}

func TestReadCurvesKeepsTheOrderOfTheFile(t *testing.T) {
	nan := math.NaN()
	want := []ReportedCurve{
		{Setting: "fixed", Method: "UCB", Runs: 10, Mean: []float64{nan, 0.7}, SE: []float64{nan, nan}, Floor: []float64{0.6, 0.65}, FloorSE: []float64{0, 0.01}},
		{Setting: "fixed", Method: "TS", Runs: 3, Mean: []float64{0.5}, SE: []float64{0}, Floor: []float64{nan}, FloorSE: []float64{nan}},
		{Setting: "random", Method: "UCB", Runs: 4, Mean: []float64{-1}, SE: []float64{2}, Floor: []float64{-3}, FloorSE: []float64{4}},
	}
	for name, text := range map[string]string{
		"one after the other": curvesHead + "fixed,UCB,0,10,0,nan,nan,0.6,0,9,9\nfixed,UCB,1,10,1,0.7,NaN,0.65,1e-2,9,9\n" +
			"fixed,TS,0,3,3,0.5,0,,,9,9\nrandom,UCB,0,4,4,-1,2,-3,4,9,9\n",
		"mixed": curvesHead + "fixed,UCB,0,10,0,nan,nan,0.6,0,9,9\nfixed,TS,0,3,3,0.5,0,,,9,9\n" +
			"random,UCB,0,4,4,-1,2,-3,4,9,9\nfixed,UCB,1,10,1,0.7,NaN,0.65,1e-2,9,9\n",
		"columns in another order": "Method,SETTING,n_runs,iteration,best_observed_floor_se,best_observed_floor_mean,best_observed_se,best_observed_mean\r\n" +
			"UCB,fixed,10,0,0,0.6,nan,nan\r\nUCB,fixed,10,1,0.01,0.65,nan,0.7\r\nTS,fixed,3,0,nan,nan,0,0.5\r\nUCB,random,4,0,4,-3,2,-1",
	} {
		got, err := ReadCurves(tempFile(t, "curves.csv", text))
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %d curves, %v", name, len(got), err)
			continue
		}
		for i, g := range got {
			w := want[i]
			if g.Setting != w.Setting || g.Method != w.Method || g.Runs != w.Runs ||
				!same(g.Mean, w.Mean) || !same(g.SE, w.SE) || !same(g.Floor, w.Floor) || !same(g.FloorSE, w.FloorSE) {
				t.Errorf("%s: curve %d is %+v, want %+v", name, i, g, w)
			}
		}
	}
}

func TestMalformedCurvesNameTheLine(t *testing.T) {
	const start = curvesHead + "fixed,UCB,0,10,0,nan,nan,0.6,0,0,0\n"
	for _, tc := range []struct{ text, want string }{
		{"", "FILE:1: end of file, want a header line that names the columns"},
		{curvesHead, "FILE:2: end of file, want at least one row after the header"},
		{"setting,method,iteration,runs\na,b,0,1\n", `FILE:1: no column "n_runs", want one of that name; the columns are setting, method, iteration, runs`},
		{start + "fixed,UCB,2,10,0,nan,nan,0.6,0,0,0\n", `FILE:3: column iteration is "2", want 1, the next of curve "fixed", "UCB"`},
		{start + "fixed,UCB,0,10,0,nan,nan,0.6,0,0,0\n", `FILE:3: column iteration is "0", want 1, the next of curve "fixed", "UCB"`},
		{start + "fixed,TS,1,10,0,nan,nan,0.6,0,0,0\n", `FILE:3: column iteration is "1", want 0, the next of curve "fixed", "TS"`},
		{start + "fixed,UCB,1.0,10,0,nan,nan,0.6,0,0,0\n", `FILE:3: column iteration is "1.0", want 1, the next of curve "fixed", "UCB"`},
		{start + "fixed,UCB,1,9,0,nan,nan,0.6,0,0,0\n", `FILE:3: column n_runs is 9, want 10 as before in curve "fixed", "UCB"`},
		{start + "fixed,UCB,1,0,0,nan,nan,0.6,0,0,0\n", `FILE:3: column n_runs is "0", want an integer of at least 1`},
		{start + "fixed,UCB,1,ten,0,nan,nan,0.6,0,0,0\n", `FILE:3: column n_runs is "ten", want an integer of at least 1`},
		{start + "fixed,UCB,1,10,0,high,nan,0.6,0,0,0\n", `FILE:3: column best_observed_mean is "high", want a finite number or nan`},
		{start + "fixed,UCB,1,10,0,nan,Inf,0.6,0,0,0\n", `FILE:3: column best_observed_se is "Inf", want a finite number or nan`},
		{start + "fixed,UCB,1,10,0,nan,-0.1,0.6,0,0,0\n", `FILE:3: column best_observed_se is "-0.1", want a number ≥ 0 or nan`},
		{start + "fixed,UCB,1,10,0,nan,nan,0.6,-1,0,0\n", `FILE:3: column best_observed_floor_se is "-1", want a number ≥ 0 or nan`},
		{start + "fixed,,0,10,0,nan,nan,0.6,0,0,0\n", `FILE:3: column method is "", want a name`},
		{start + " ,UCB,0,10,0,nan,nan,0.6,0,0,0\n", `FILE:3: column setting is " ", want a name`},
		{start + "fixed,UCB,1,10\n", "FILE:3: 4 columns, want 11 as in the header"},
	} {
		path := tempFile(t, "curves.csv", tc.text)
		curves, err := ReadCurves(path)
		wantFault(t, err, path, tc.want, ErrMalformed)
		if curves != nil {
			t.Errorf("curves came with %v", err)
		}
	}
	missing := filepath.Join(t.TempDir(), "curves.csv")
	_, err := ReadCurves(missing)
	wantFault(t, err, missing, "FILE: does not exist, want a CSV file of reported curves", fs.ErrNotExist)
	_, err = ReadCurves(filepath.Dir(missing))
	wantFault(t, err, filepath.Dir(missing), "FILE: is a folder, want a CSV file of reported curves", fs.ErrInvalid)
}

func TestTheReportedCurvesAreWhole(t *testing.T) {
	curves := must.Get(ReadCurves(realFile(t, "bo-sdf-svm-curves.csv")))(t)
	if len(curves) != 12 || curves[0].Method != "GP-UCB-SDF" || curves[11].Setting != "fixed_delay10" {
		t.Fatalf("%d curves", len(curves))
	}
	for _, c := range curves {
		if c.Runs != 10 || len(c.Mean) != 101 || len(c.SE) != 101 || len(c.Floor) != 101 || len(c.FloorSE) != 101 {
			t.Errorf("%s, %s: %d runs, %d iterations", c.Setting, c.Method, c.Runs, len(c.Mean))
		}
		if slices.ContainsFunc(c.Floor, notFinite) || slices.ContainsFunc(c.FloorSE, notFinite) {
			t.Errorf("%s, %s: the floor is unknown somewhere", c.Setting, c.Method)
		}
		if c.Floor[100] != c.Mean[100] || c.FloorSE[100] != c.SE[100] { // all runs have feedback by then
			t.Errorf("%s, %s: ends at %v and %v", c.Setting, c.Method, c.Mean[100], c.Floor[100])
		}
		if unknown := math.IsNaN(c.Mean[0]); unknown != (c.Setting == "fixed_delay10") { // nothing comes back before round 10
			t.Errorf("%s, %s: begins at %v", c.Setting, c.Method, c.Mean[0])
		}
	}
}

// Whatever the bytes are, the reader returns sound curves or says which line is wrong.
func FuzzParseCurves(f *testing.F) {
	head := strings.TrimSuffix(curvesHead, "\n")
	for _, seed := range []string{"", head, head + "\na,b,0,1,1,nan,,1,2,3,4", head + "\r\na,b,0,1,1,1,2,3,4,5,6\r\na,b,1,1,1,1,2,3,4,5,6\r\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		curves, err := parseCurves(bytes.NewReader(text), "fuzz")
		if err != nil {
			if !errors.Is(err, ErrMalformed) || !strings.HasPrefix(err.Error(), "fuzz:") {
				t.Fatalf("error %q does not name the line", err)
			}
			return
		}
		if len(curves) == 0 {
			t.Fatal("neither curves nor an error")
		}
		for _, c := range curves {
			if n := len(c.Mean); n == 0 || len(c.SE) != n || len(c.Floor) != n || len(c.FloorSE) != n || c.Runs < 1 || c.Setting == "" || c.Method == "" {
				t.Fatalf("%+v", c)
			}
		}
	})
}
