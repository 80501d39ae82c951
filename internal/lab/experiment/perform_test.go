package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/internal/stat"
)

// drawnPlan has arms that draw numbers from their seed.
func drawnPlan(arms int, performed *atomic.Int64, hook func(arm int, seed uint64) error) Plan {
	var p Plan
	for i := range arms {
		p.Arms = append(p.Arms, Arm{Group: fmt.Sprint("group ", i%2), Name: fmt.Sprint("arm ", i), Steps: 3, Run: func(ctx context.Context, seed uint64, step func()) (Record, error) {
			if hook != nil {
				if err := hook(i, seed); err != nil {
					return nil, err
				}
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			performed.Add(1)
			for range 3 {
				step()
			}
			stream := rng.New(seed, rng.Problem, uint64(i))
			return Record{"drawn": {stream.Float64(), math.NaN(), stream.Float64()}}, nil
		}})
	}
	p.Show = func(r Results) []Section { return nil }
	return p
}

func header() Header {
	return Header{Experiment: "drawn", Rounds: 3, Program: "abc", Go: "go", Arch: "arch"}
}

func open(t *testing.T, path string, h Header, fresh bool) *Store {
	t.Helper()
	return must.Get(Open(path, h, fresh))(t)
}

func lines(t *testing.T, r Results) string {
	t.Helper()
	var b strings.Builder
	for _, run := range r.Runs() {
		run.Wall, run.AtOnce = 0, 0
		if err := writeLine(&b, lineOf(run)); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestParallelRunsGiveTheSameResults(t *testing.T) {
	var n atomic.Int64
	var want string
	for _, parallel := range []int{1, 3, 16} {
		r := must.Get(drawnPlan(5, &n, nil).Perform(t.Context(), Options{Seed: 7, Seeds: 4, Parallel: parallel}))(t)
		if done, all := r.Complete(); done != 20 || all != 20 {
			t.Fatalf("%d of %d runs", done, all)
		}
		if want == "" {
			want = lines(t, r)
		}
		if got := lines(t, r); got != want {
			t.Errorf("%d at once:\n%s\nwant\n%s", parallel, got, want)
		}
	}
}

func TestInterruptedExperimentGoesOnWhereItWas(t *testing.T) {
	var n atomic.Int64
	whole := must.Get(drawnPlan(5, &n, nil).Perform(t.Context(), Options{Seed: 1, Seeds: 6, Parallel: 1}))(t)
	path := filepath.Join(t.TempDir(), "deep", "runs.jsonl")
	n.Store(0)
	for _, stop := range []int64{4, 11, 19} { // interrupted three times
		ctx, cancel := context.WithCancel(t.Context())
		s := open(t, path, header(), false)
		p := drawnPlan(5, &n, func(int, uint64) error {
			if n.Load() == stop {
				cancel()
			}
			return nil
		})
		r, err := p.Perform(ctx, Options{Seed: 1, Seeds: 6, Parallel: 1, Store: s})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d runs: %v", stop, err)
		}
		if done, _ := r.Complete(); done != int(stop) {
			t.Errorf("%d runs complete, want %d", done, stop)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, path, header(), false)
	p := drawnPlan(5, &n, nil)
	o := Options{Seed: 1, Seeds: 6, Parallel: 2, Store: s}
	if runs, steps := p.Missing(o); runs != 11 || steps != 33 {
		t.Errorf("%d runs with %d steps are missing, want 11 and 33", runs, steps)
	}
	r, err := p.Perform(t.Context(), o)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	if got := n.Load(); got != 30 {
		t.Errorf("%d runs were made, want 30: none twice", got)
	}
	if got, want := lines(t, r), lines(t, whole); got != want {
		t.Errorf("resumed:\n%s\nwhole:\n%s", got, want)
	}
}

func TestMoreSeedsDoOnlyWhatIsMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	var n atomic.Int64
	for _, seeds := range []int{2, 5, 3} {
		s := open(t, path, header(), false)
		r, err := drawnPlan(2, &n, nil).Perform(t.Context(), Options{Seed: 1, Seeds: seeds, Parallel: 2, Store: s})
		if err := errors.Join(err, s.Close()); err != nil {
			t.Fatal(err)
		}
		if done, all := r.Complete(); done != 2*seeds || all != 2*seeds {
			t.Errorf("%d of %d runs with %d seeds", done, all, seeds)
		}
	}
	if n.Load() != 10 {
		t.Errorf("%d runs, want 10", n.Load())
	}
}

func TestFailedRunNamesItselfAndKeepsTheOthers(t *testing.T) {
	var n atomic.Int64
	broken := errors.New("out of paper")
	p := drawnPlan(3, &n, func(arm int, seed uint64) error {
		if arm == 1 && seed == 2 {
			return broken
		}
		return nil
	})
	r, err := p.Perform(t.Context(), Options{Seed: 1, Seeds: 3, Parallel: 1})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "group 1, arm 1, seed 2") {
		t.Errorf("error %v", err)
	}
	if done, _ := r.Complete(); done != 8 {
		t.Errorf("%d runs are complete, want the 8 others", done)
	}
}

func TestPanickingRunIsAnError(t *testing.T) {
	var n atomic.Int64
	p := drawnPlan(1, &n, func(int, uint64) error { panic("index out of range") })
	if _, err := p.Perform(t.Context(), Options{Seeds: 1, Parallel: 1}); err == nil || !strings.Contains(err.Error(), "panic: index out of range") {
		t.Errorf("error %v", err)
	}
}

func TestOptionsOutsideTheirRangesAreRefused(t *testing.T) {
	var n atomic.Int64
	_, err := drawnPlan(1, &n, nil).Perform(t.Context(), Options{Seed: math.MaxUint64, Seeds: 3, Parallel: 0})
	for _, want := range []string{"-parallel", "-seed"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not name %s", err, want)
		}
	}
}

func TestResultsAreComparedSeedBySeed(t *testing.T) {
	values := map[string][]float64{"a": {1, 2, 4}, "b": {0, 3, 1}}
	var p Plan
	for _, name := range []string{"a", "b"} {
		p.Arms = append(p.Arms, Arm{Group: "g", Name: name, Run: func(_ context.Context, seed uint64, _ func()) (Record, error) {
			return Record{"v": {100, values[name][seed-1]}}, nil
		}})
	}
	r := must.Get(p.Perform(t.Context(), Options{Seed: 1, Seeds: 3, Parallel: 2}))(t)
	if got, want := r.Difference("g", "a", "b", "v", Last), stat.Of([]float64{1, -1, 3}); got != want {
		t.Errorf("difference %v, want %v", got, want)
	}
	if got := r.At("g", "a", "v", 1); got.Mean != 100 || got.SE != 0 {
		t.Errorf("first place %v, want 100", got)
	}
	if got := r.Curve("g", "b", "v"); len(got) != 2 || math.Abs(got[1].Mean-4./3) > 1e-15 {
		t.Errorf("curve %v", got)
	}
	if got := r.Values("g", "a", "v", 3); got != nil {
		t.Errorf("values beyond the end %v", got)
	}
	if !reflect.DeepEqual(r.Groups(), []string{"g"}) || !reflect.DeepEqual(r.Arms("g"), []string{"a", "b"}) {
		t.Errorf("groups %v, arms %v", r.Groups(), r.Arms("g"))
	}
}

func TestWhatArmsShareIsMadeBeforeTheClockOfTheRunStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := Arm{Name: "a", Prepare: func(uint64) error { time.Sleep(time.Hour); return nil }, Run: func(context.Context, uint64, func()) (Record, error) {
			time.Sleep(time.Minute)
			return Record{}, nil
		}}
		r := must.Get(Plan{Arms: []Arm{a}}.Perform(t.Context(), Options{Seeds: 1, Parallel: 1}))(t)
		if got := r.Runs()[0].Wall; got != time.Minute {
			t.Errorf("a run of a minute took %v", got)
		}
	})
	broken, ran := errors.New("broken"), false
	a := Arm{Name: "a", Prepare: func(uint64) error { return broken }, Run: func(context.Context, uint64, func()) (Record, error) { ran = true; return nil, nil }}
	if _, err := (Plan{Arms: []Arm{a}}).Perform(t.Context(), Options{Seeds: 1, Parallel: 1}); !errors.Is(err, broken) || ran {
		t.Errorf("error %v; the run was performed: %v", err, ran)
	}
}

// The time of a run is that on the clock, whatever else goes on meanwhile.
func TestAReportSaysHowManyRunsItsTimeIsSummedOverAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := Arm{Name: "a", Run: func(context.Context, uint64, func()) (Record, error) {
			time.Sleep(time.Minute)
			return Record{}, nil
		}}
		for parallel, want := range map[int]string{1: "up to 1 went on at once", 3: "up to 3 went on at once", 16: "up to 4 went on at once"} {
			p := Plan{Arms: []Arm{a}}
			r := Report{Plan: p, Results: must.Get(p.Perform(t.Context(), Options{Seeds: 4, Parallel: parallel}))(t)}
			text := fmt.Sprint(r.Facts())
			if want = "{time of all runs 4m0s on the clock, summed over the runs, of which " + want; !strings.Contains(text, want) || strings.Contains(text, "core") {
				t.Errorf("%d at once: %s", parallel, text)
			}
		}
	})
}

func TestWhatIsIncompleteSaysHowManySeedsMethodsHave(t *testing.T) {
	var n atomic.Int64
	for _, c := range []struct {
		runs int64 // after which it is interrupted, of 3 methods with 4 seeds, seed by seed
		want string
	}{{0, "0 of 12 runs, 0 seeds of each method"}, {3, "3 of 12 runs, 1 seed of each method"}, {7, "7 of 12 runs, 2 to 3 seeds of a method"}, {12, ""}} {
		ctx, cancel := context.WithCancel(t.Context())
		n.Store(0)
		p := drawnPlan(3, &n, func(int, uint64) error {
			if n.Load() == c.runs {
				cancel()
			}
			return nil
		})
		r, _ := p.Perform(ctx, Options{Seed: 5, Seeds: 4, Parallel: 1})
		cancel()
		if got := r.incomplete(); got != c.want {
			t.Errorf("after %d runs it says %q, want %q", c.runs, got, c.want)
		}
		if c.want == "" {
			continue
		}
		text := fmt.Sprint(Report{Plan: p, Results: r}.Facts(), r.note())
		if strings.Count(text, c.want) != 2 {
			t.Errorf("after %d runs head and pictures say %s", c.runs, text)
		}
	}
}
