package surrogate

import (
	"slices"
	"testing"
)

func TestLevelsDoubleUpToTheRowsAskedFor(t *testing.T) {
	for _, c := range []struct {
		n, most int
		want    []int
	}{
		{0, 2000, []int{0}}, {150, 2000, []int{150}}, {151, 2000, []int{76, 151}}, {1000, 2000, []int{125, 250, 500, 1000}},
		{9000, 2000, []int{125, 250, 500, 1000, 2000}}, {900, 150, []int{150}}, {900, -1, []int{900}},
	} {
		if got := levelSizes(c.n, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%d points, at most %d: levels %v, want %v", c.n, c.most, got, c.want)
		}
	}
}

// Climbing in levels gives up less than a hundredth of a nat for each point, whatever it starts from.
func TestLevelsFindWhatAFullFitFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("two fits of many points")
	}
	x, y := wiggle(fitted, 0.1)
	start, _ := DefaultPrior("matern52", 2)
	full, _, err := Fit(start, x, y, FitOptions{Rows: -1, Starts: 3}, stream(410))
	if err != nil {
		t.Fatal(err)
	}
	quick, report, err := Fit(start, x, y, FitOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := Evidence(full, x, y, nil)
	got, _ := Evidence(quick, x, y, nil)
	if got < want-0.01*fitted {
		t.Errorf("evidence %v, of the full fit %v", got, want)
	}
	if report.Rows != fitted || report.Evaluations > 60 {
		t.Errorf("report %+v", report)
	}
	near(t, "reported evidence", report.LogEvidence, got, 1e-6)
}

func TestRowsBoundWhatAFitLooksAt(t *testing.T) {
	x, y := wiggle(90, 0.1)
	start, _ := DefaultPrior("se", 2)
	_, report, err := Fit(start, x, y, FitOptions{Rows: 40}, nil)
	if err != nil || report.Rows != 40 {
		t.Errorf("report %+v, error %v", report, err)
	}
}
