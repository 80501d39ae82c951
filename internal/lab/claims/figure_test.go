package claims

import "testing"

func TestFiguresAgreeWhenTheyRoundToWhatStands(t *testing.T) {
	for _, c := range []struct {
		stands, measured string
		speed            float64
		want             bool
	}{
		{"97.29 ± 0.09", "97.287 ± 0.094", 0, true},
		{"97.34 ± 0.06", "97.287 ± 0.094", 0, false},
		{"97.29", "97.287 ± 0.094", 0, true}, // the error is left out
		{"1.1e-4 ± 0.3e-4", "1.1e-04 ± 2.5e-05", 0, true},
		{"3e-6 ± 3e-6", "3.1e-06 ± 2.8e-06", 0, true},
		{"0.0056 ± 0.0010", "0.00558 ± 0.00095", 0, true},
		{"14.3 ± .5", "14.28 ± 0.48", 0, true},
		{"-6 ± 0", "-6 ± 0", 0, true},
		{"-6 ± 0", "-5.856 ± 0.097", 0, false}, // not all runs ended there
		{"-6 ± 0", "-6.000000 ± 3e-07", 0, false},
		{"-6.020740 ± 0.000000", "-6.020740 ± 3e-07", 0, true},
		{"-6.020740 ± 0.000000", "-6.020740 ± 0.000001", 0, false},
		{"-0.91", "−0.91 ± 0.03", 0, true},
		{"−0.91", "+0.91", 0, false},
		{"25 %", "25.4 %", 0, true},
		{"25 %", "25.6 %", 0, false},
		{"66 to 68 %", "67.9", 0, true},
		{"66 to 68 %", "68.7", 0, false},
		{"11", "11", 0, true},
		{"23 452", "23452", 0, true},
		{"11", "12", 0, false},
		{"0.7 ms", "702 µs", 0, true},
		{"2 ms", "5 ms", 3, true},
		{"2 ms", "0.8 ms", 3, true},
		{"2 ms", "8 ms", 3, false},
		{"2 ms", "0.4 ms", 3, false},
		{"60 000 to 80 000", "31000", 2, true},
		{"60 000 to 80 000", "29000", 2, false},
		{"60 000 to 80 000", "161001", 2, false},
		{"32 to 42 ms", "35000000 ns", 3, true},
		{"4 to 5 s", "35000000000 ns", 3, false},
		{"1.5", "-", 0, false},
		{"1.5", "", 3, false},
	} {
		if got := agrees(c.stands, c.measured, c.speed); got != c.want {
			t.Errorf("%q measured as %q with a factor of %v: %v, want %v", c.stands, c.measured, c.speed, got, c.want)
		}
	}
}

func TestWordsAreNoFigures(t *testing.T) {
	for _, text := range []string{"", "-", "branin", "2-D", "14 of 4.94 ms", "m = 5", "1–100 queries", "up to 3", "0.1.2"} {
		if f, err := parseFigure(text); err == nil {
			t.Errorf("%q is read as %+v", text, f)
		}
	}
}
