package data

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
)

func cancer(t testing.TB) Dataset {
	t.Helper()
	return must.Get(BreastCancer())(t)
}

func TestBreastCancerIsTheWholeTable(t *testing.T) {
	d := cancer(t)
	if err := d.Validate(); err != nil { // shapes, labels, no NaN
		t.Fatal(err)
	}
	if len(d.X) != 569 || len(d.X[0]) != 30 {
		t.Fatalf("%d x %d, want 569 x 30", len(d.X), len(d.X[0]))
	}
	if got := d.Counts(); got != [2]int{212, 357} {
		t.Errorf("counts %v, want 212 malignant and 357 benign", got)
	}
	if !slices.Equal(d.Classes, []string{"malignant", "benign"}) {
		t.Errorf("classes %q", d.Classes)
	}
	if d.Name != "breast cancer" {
		t.Errorf("name %q", d.Name)
	}
}

func TestFirstRowOfBreastCancer(t *testing.T) {
	d := cancer(t)
	want := []float64{
		17.99, 10.38, 122.8, 1001, 0.1184, 0.2776, 0.3001, 0.1471, 0.2419, 0.07871,
		1.095, 0.9053, 8.589, 153.4, 0.006399, 0.04904, 0.05373, 0.01587, 0.03003, 0.006193,
		25.38, 17.33, 184.6, 2019, 0.1622, 0.6656, 0.7119, 0.2654, 0.4601, 0.1189,
	}
	if !slices.Equal(d.X[0], want) || d.Y[0] != 0 {
		t.Errorf("first row %v, label %d", d.X[0], d.Y[0])
	}
}

// The ranges are those that are published with the data set, to the digits published.
func TestColumnsHaveThePublishedRanges(t *testing.T) {
	d := cancer(t)
	for _, tc := range []struct {
		name     string
		low, top float64
		unit     float64 // of the last published digit
	}{
		{"mean radius", 6.981, 28.11, 1e-3},
		{"mean area", 143.5, 2501, 0.1},
		{"mean fractal dimension", 0.05, 0.097, 1e-3},
		{"radius error", 0.112, 2.873, 1e-3},
		{"area error", 6.802, 542.2, 1e-3},
		{"worst texture", 12.02, 49.54, 1e-2},
		{"worst area", 185.2, 4254, 0.1},
		{"worst fractal dimension", 0.055, 0.208, 1e-3},
	} {
		j := slices.Index(d.Features, tc.name)
		if j < 0 {
			t.Errorf("no feature %q among %q", tc.name, d.Features)
			continue
		}
		low, top := math.Inf(1), math.Inf(-1)
		for _, row := range d.X {
			low, top = min(low, row[j]), max(top, row[j])
		}
		if math.Abs(low-tc.low) > 0.51*tc.unit || math.Abs(top-tc.top) > 0.51*tc.unit {
			t.Errorf("%s is in %g..%g, want %g..%g", tc.name, low, top, tc.low, tc.top)
		}
	}
}

func TestThirtyDifferentFeatureNames(t *testing.T) {
	names := cancer(t).Features
	if len(names) != 30 || len(slices.Compact(slices.Sorted(slices.Values(names)))) != 30 {
		t.Fatalf("%d names: %q", len(names), names)
	}
	if names[0] != "mean radius" || names[17] != "concave points error" || names[29] != "worst fractal dimension" {
		t.Errorf("names %q", names)
	}
}

func TestEveryCallReturnsFreshMemory(t *testing.T) {
	a, b := cancer(t), cancer(t)
	a.X[0][0], a.Y[0], a.Features[0], a.Classes[0] = -1, 1, "x", "y"
	if b.X[0][0] != 17.99 || b.Y[0] != 0 || b.Features[0] != "mean radius" || b.Classes[0] != "malignant" {
		t.Error("writing to one copy changed another")
	}
	if c := cancer(t); c.X[0][0] != 17.99 || c.Classes[0] != "malignant" {
		t.Error("writing to one copy changed the next")
	}
}

func TestEmbeddedFilesAreThoseTheReadmeNames(t *testing.T) {
	readme := string(must.Get(os.ReadFile("README.md"))(t))
	for want, file := range map[string][]byte{
		"fed3eb72d0575ef6192293f5093c6e801b1476b577d0386bf4455504522172ed": breastCancer,
		"46abec6b12486ad9e51943373abcf22bbea1b5a51a1619b361570d8893f1464a": digits,
	} {
		sum := sha256.Sum256(file)
		if got := hex.EncodeToString(sum[:]); got != want || !strings.Contains(readme, want) {
			t.Errorf("sha256 of an embedded file is %s, want %s, and that README.md names it", got, want)
		}
	}
}

func TestDamagedEmbeddedFileIsAnError(t *testing.T) {
	whole := breastCancer
	defer func() { breastCancer = whole }()
	breastCancer = whole[:len(whole)/2]
	if _, err := BreastCancer(); !errors.Is(err, ErrMalformed) {
		t.Errorf("error %v", err)
	}
}

// small is a sound data set of four rows for tests that break it.
func small() Dataset {
	return Dataset{
		Name: "small", X: [][]float64{{1, 2}, {3, 4}, {5, 6}, {7, 8}}, Y: []int{0, 1, 0, 1},
		Features: []string{"a", "b"}, Classes: []string{"no", "yes"},
	}
}

func TestValidateNamesWhatIsWrong(t *testing.T) {
	if err := small().Validate(); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		want   string
		damage func(*Dataset)
	}{
		{"Dataset.X = no rows", func(d *Dataset) { d.X, d.Y = nil, nil }},
		{"len(Dataset.Y) = 3: want one label for each of 4 rows", func(d *Dataset) { d.Y = d.Y[:3] }},
		{"Dataset.Features = none", func(d *Dataset) { d.Features = nil }},
		{"len(Dataset.Classes) = 1", func(d *Dataset) { d.Classes = d.Classes[:1] }},
		{"len(Dataset.X[2]) = 1: want 2 features", func(d *Dataset) { d.X[2] = d.X[2][:1] }},
		{"Dataset.X[1][0] = NaN", func(d *Dataset) { d.X[1][0] = math.NaN() }},
		{"Dataset.X[3][1] = -Inf", func(d *Dataset) { d.X[3][1] = math.Inf(-1) }},
		{"Dataset.Y[1] = 2: want 0 or 1", func(d *Dataset) { d.Y[1] = 2 }},
	} {
		d := small()
		tc.damage(&d)
		err := d.Validate()
		if err == nil || !strings.Contains(err.Error(), tc.want) || !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("error %v, want %q", err, tc.want)
		}
	}
}

func BenchmarkBreastCancer(b *testing.B) {
	for b.Loop() {
		cancer(b)
	}
}
