package tournament

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tasks writes lists of four configurations, whose accuracies are a tenth of the numbers.
func tasks(t *testing.T, accuracies ...[]int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), DataFolder)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, list := range accuracies {
		var text strings.Builder
		for k, a := range list {
			fmt.Fprintf(&text, "%g 1 0 0 %g 0.25 0%s\n", float64(a)/10, -1./3*float64(k), strings.Repeat(" 0.5", 22))
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("task", i)), []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestEveryOtherListBelongsToTheOtherHalf(t *testing.T) {
	dir := tasks(t, []int{1, 2, 3, 4}, []int{5, 5, 5, 5}, []int{9, 2, 3, 4}, []int{1, 6, 3, 4})
	if Folder(filepath.Dir(dir)) != dir || Folder(dir) != dir {
		t.Errorf("folder %s, and %s", Folder(filepath.Dir(dir)), Folder(dir))
	}
	all, missing, err := Problems(dir)
	if err != nil || missing != nil {
		t.Fatalf("%v, missing %v", err, missing)
	}
	// The list whose values are all alike is left out: 4 and 6 tenths for tuning, 9 for judging.
	want := map[string][]float64{listName(Tuning): {0.4, 0.6}, listName(Judging): {0.9}}
	for _, p := range all {
		if want[p.Name] == nil {
			continue
		}
		met := [2]map[float64]bool{{}, {}} // maxima on the even seeds and on the odd ones
		for seed := range uint64(20) {
			w, err := p.world(seed)
			if err != nil {
				t.Fatal(err)
			}
			met[seed%2][w.problem.Maximum] = true
			for _, u := range w.problem.Space.UnitPoints() {
				if v := w.problem.Value(w.problem.Space.Value(u)); math.IsNaN(v) {
					t.Errorf("%s has no value at %v", p.Name, w.problem.Space.Value(u))
				}
			}
		}
		for parity, maxima := range met {
			if got := slices.Sorted(maps.Keys(maxima)); !slices.Equal(got, want[p.Name]) {
				t.Errorf("%s: seeds that are %d modulo 2 meet the maxima %v, want %v", p.Name, parity, got, want[p.Name])
			}
		}
		delete(want, p.Name)
	}
	if len(want) > 0 {
		t.Errorf("no problems %v", want)
	}
}

func TestListsThatAreNotThereAreAnError(t *testing.T) {
	_, _, err := Problems(filepath.Join(t.TempDir(), "nowhere"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "nowhere") || !strings.Contains(err.Error(), DataFolder) {
		t.Errorf("error %v", err)
	}
	if _, _, err := Problems(tasks(t, []int{1, 2, 3, 4})); err == nil || !strings.Contains(err.Error(), "at least 2") {
		t.Errorf("one list for two halves: %v", err)
	}
}
