package tarry_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
)

// A value as good as the target ends the study: nothing new is begun, what is pending is cancelled, and it is no error. With
// another target it goes on.
func TestATargetEndsTheStudy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context, q tarry.Query) (float64, error) {
			select {
			case <-time.After(time.Minute + time.Duration(q.ID.Evaluation)*time.Second):
				return -float64(q.ID.Evaluation), nil
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}
		target, further, reached := -5.0, -9.0, -8.0
		store := &journal.Memory{}
		run, err := tarry.Start(t.Context(), unitSpace(t), slow, tarry.Options{Budget: 30, Workers: 3, Minimize: true, Target: &target, Journal: store})
		if err != nil {
			t.Fatal(err)
		}
		r, err := run.Wait()
		if err != nil || r.Reason != tarry.ReasonTarget || r.Best.Value != -5 || len(r.Evaluations) != 7 || r.Count(tarry.Observed) != 5 || r.Count(tarry.Cancelled) != 2 {
			t.Fatalf("%v: %v", err, r)
		}
		for _, c := range []struct {
			options tarry.Options
			reason  string
			best    float64
		}{
			{tarry.Options{}, tarry.ReasonTarget, -5}, {tarry.Options{Target: &target}, tarry.ReasonTarget, -5},
			{tarry.Options{Target: &further, Workers: 1}, tarry.ReasonTarget, -9}, {tarry.Options{Target: &reached}, tarry.ReasonTarget, -9},
			{tarry.Options{Target: &reached, Budget: 12}, tarry.ReasonTarget, -9}, {tarry.Options{Budget: 12}, tarry.ReasonBudget, -14},
		} {
			run, err := tarry.Resume(t.Context(), store, slow, c.options)
			if err != nil {
				t.Fatal(err)
			}
			if r, err := run.Wait(); err != nil || r.Reason != c.reason || r.Best.Value > c.best {
				t.Errorf("%+v: %v: %v", c.options, err, r)
			}
		}
		if _, err := journal.Verify(store); err != nil {
			t.Error(err)
		}
	})
}

// In a study that is asked and told, and by what was measured elsewhere, a target is reached as well; a value of a point that is
// infeasible does not count.
func TestATargetIsReachedByWhateverCounts(t *testing.T) {
	target := 3.0
	study := newStudy(t, tarry.Options{Budget: 9, Target: &target})
	q := ask(t, study)
	if err := study.TellOutcome(q.ID, tarry.Outcome{Value: 5, Infeasible: true}); err != nil {
		t.Fatal(err)
	}
	open := ask(t, study)
	if err := study.Tell(ask(t, study).ID, 3); err != nil {
		t.Fatal(err)
	}
	if _, err := study.Ask(); !errors.Is(err, tarry.ErrEnded) || study.Result().Reason != tarry.ReasonTarget {
		t.Errorf("%v: %v", err, study.Result())
	}
	if err := study.Tell(open.ID, 4); err != nil || study.Result().Best.Value != 4 {
		t.Errorf("a value after the end: %v, %v", err, study.Result())
	}
	known := []tarry.Observation{{X: []float64{0.5, 0.5}, Value: 2}, {X: []float64{0.1, 0.5}, Value: 3.5}}
	store := &journal.Memory{}
	r, err := tarry.Maximize(t.Context(), unitSpace(t), hill, tarry.Options{Budget: 9, Target: &target, Known: known, Journal: store})
	if err != nil || r.Reason != tarry.ReasonTarget || r.Spent != 0 || r.Best.Value != 3.5 {
		t.Errorf("%v: %v", err, r)
	}
	study = newStudy(t, tarry.Options{Budget: 9, Target: &target, Known: known})
	if _, err := study.Ask(); !errors.Is(err, tarry.ErrEnded) {
		t.Errorf("%v", err)
	}
}

// When the time is over no query is begun, and what runs comes to its end. With a store the study goes on later, and without one
// it has ended.
func TestTheTimeIsOver(t *testing.T) {
	for _, kept := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			slow := func(ctx context.Context, q tarry.Query) (float64, error) {
				time.Sleep(time.Minute)
				return hill(ctx, q)
			}
			options := tarry.Options{Budget: 20, Workers: 4, MaxTime: 90 * time.Second}
			store := &onDisk{}
			if kept {
				options.Journal = store
			}
			run, err := tarry.Start(t.Context(), unitSpace(t), slow, options)
			if err != nil {
				t.Fatal(err)
			}
			r, err := run.Wait()
			if err != nil || r.Reason != tarry.ReasonTime || r.Count(tarry.Observed) != 8 || r.Elapsed != 2*time.Minute {
				t.Fatalf("%v: %v", err, r)
			}
			if !kept {
				if r.Count(tarry.Pending) > 0 {
					t.Errorf("%v", r)
				}
				return
			}
			for _, want := range []int{16, 20} {
				again, err := tarry.Resume(t.Context(), store, slow, tarry.Options{Workers: 4, MaxTime: 90 * time.Second})
				if err != nil {
					t.Fatal(err)
				}
				if r, err = again.Wait(); err != nil || r.Count(tarry.Observed) != want {
					t.Fatalf("%v: %v", err, r)
				}
			}
			if r.Reason != tarry.ReasonBudget {
				t.Errorf("%v", r)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		broken := func(context.Context, tarry.Query) (float64, error) {
			time.Sleep(time.Second)
			return 0, errors.New("out of memory")
		}
		r, err := tarry.Maximize(t.Context(), unitSpace(t), broken, tarry.Options{Budget: 1000, Workers: 1, MaxTime: 5500 * time.Millisecond})
		if !errors.Is(err, tarry.ErrNoValue) || !strings.Contains(err.Error(), "out of memory") || r.Reason != tarry.ReasonTime || r.Count(tarry.Failed) != 6 {
			t.Errorf("%v: %v", err, r)
		}
	})
}

// onDisk is a store that is not in memory as far as a study knows.
type onDisk struct{ journal.Memory }

// A study begins with what is known and with what is to be queried first, before its initial design; both are in its journal.
func TestAStudyBeginsWithWhatIsKnown(t *testing.T) {
	first := []tarry.Point{{0.25, 0.75}, {math.NaN(), 0.5}}
	known := []tarry.Observation{{X: []float64{0.9, 0.1}, Value: 9}, {X: []float64{0.1, 0.9}, Value: -1}}
	var improved int
	options := tarry.Options{Budget: 6, Workers: 1, Known: known, First: first, Journal: &journal.Memory{}, OnEvent: func(e tarry.Event) {
		if e.Improved {
			improved++
		}
	}}
	r, err := tarry.Maximize(t.Context(), unitSpace(t), hill, options)
	if err != nil || r.Spent != 6 || len(r.Evaluations) != 8 || r.Best.Value != 9 || !r.Evaluations[0].Foreign || improved != 1 {
		t.Fatalf("%v: %v; %d improvements", err, r, improved)
	}
	if a, b := r.Evaluations[2], r.Evaluations[3]; a.X[0] != 0.25 || a.X[1] != 0.75 || b.X[1] != 0.5 {
		t.Errorf("first %v, %v", a, b)
	}
	study := newStudy(t, tarry.Options{Budget: 6, Known: known, First: first})
	if q := ask(t, study); q.X[0] != 0.25 {
		t.Errorf("%v", q)
	}
	target := math.NaN()
	err = tarry.Options{
		Budget: 2, Known: append(known, tarry.Observation{X: []float64{0.5, 2}, Value: 1}), First: []tarry.Point{{2, 0}, {1, 1}, {1, 0}}, Target: &target, MaxTime: -1,
	}.Validate(unitSpace(t))
	for _, want := range []string{
		"Options.Known[2] = [0.5 2]: 1: want a point of the space", "Options.First[0] = [2 0]: want a point of the space", "Options.First = 3 points: want at most",
		"budget of 2", "Options.Target = NaN", "Options.MaxTime = -1ns",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
	list, err := tarry.NewList([]tarry.Point{{1, 2}, {3, 4}}, tarry.Float("a", 0, 9), tarry.Float("b", 0, 9))
	if err != nil {
		t.Fatal(err)
	}
	if err := (tarry.Options{Budget: 2, First: []tarry.Point{{3, math.NaN()}}}).Validate(list); err != nil {
		t.Error(err)
	}
	if err := (tarry.Options{Budget: 2, First: []tarry.Point{{3, 2}}}).Validate(list); err == nil || !strings.Contains(err.Error(), "none of the 2 points") {
		t.Errorf("%v", err)
	}
	if _, err := tarry.Resume(t.Context(), options.Journal.(tarry.Store), hill, tarry.Options{Known: known, First: first}); err == nil || !strings.Contains(err.Error(), "Options.Known") {
		t.Errorf("%v", err)
	}
}

// What was measured elsewhere counts after the end too: a table that is observed row by row loses nothing where its first rows end the study.
func TestAnObservationAfterTheEndIsKept(t *testing.T) {
	three, err := tarry.NewSpace(tarry.Int("i", 1, 3))
	if err != nil {
		t.Fatal(err)
	}
	store := &journal.Memory{}
	study, err := tarry.NewStudy(three, tarry.Options{Budget: 5, Journal: store})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range [][2]float64{{1, 0.12345}, {1, 0.12345}, {2, 0.5}, {3, 0.2}, {3, 0.9}, {2, 0.51}} {
		if err := study.Observe(tarry.Point{row[0]}, row[1]); err != nil || study.Evaluations() != i+1 {
			t.Errorf("row %d: %v, %d evaluations", i+1, err, study.Evaluations())
		}
		if ended := study.Result().Reason == tarry.ReasonPoints; ended != (i >= 3) {
			t.Errorf("row %d: ended %v", i+1, ended)
		}
	}
	if best := study.Result().Best; best.Value != 0.9 {
		t.Errorf("the best is %v", best)
	}
	study.Close()
	again, err := tarry.ResumeStudy(store, tarry.Options{Budget: 5})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if _, err := again.Ask(); err != nil || again.Evaluations() != 7 {
		t.Errorf("with its budget named again: %v, %d evaluations", err, again.Evaluations())
	}
}
