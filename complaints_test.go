package tarry_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
)

// What users of other optimizers complain about most, by its symptom. None of it may ever happen here.

// Symptom: a live job is marked as failed because its sign of life came late, and its real result is refused.
func TestComplaintTheResultOfALiveJobIsRefusedBecauseItsHeartbeatWasLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		study := newStudy(t, tarry.Options{Budget: 20, Lease: time.Minute, Policy: policy(t, "random")})
		q := ask(t, study)
		time.Sleep(2 * time.Minute)
		again := ask(t, study) // the lease has ended: the same point is given out once more
		if e, _ := study.Evaluation(q.ID.Evaluation); e.Status != tarry.Lost || again.ID == q.ID || !slices.Equal(again.X, q.X) {
			t.Fatalf("%v, then %v", e, again)
		}
		if err := study.Tell(q.ID, 3); err != nil {
			t.Fatalf("the result is refused: %v", err)
		}
		if r := study.Result(); r.Best == nil || r.Best.ID != q.ID || r.Best.Value != 3 || r.Best.Status != tarry.Late {
			t.Errorf("the result is lost: %v", r)
		}
	})
}

// Symptom: one answer to a trial that is over ends the whole process, with a hundred workers in it.
func TestComplaintOneBadAnswerEndsAHundredWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		run, err := tarry.Start(t.Context(), unitSpace(t), func(_ context.Context, q tarry.Query) (float64, error) {
			time.Sleep(time.Duration(1+q.ID.Evaluation%7) * time.Second)
			switch q.ID.Evaluation % 5 {
			case 0:
				panic("out of memory")
			case 1:
				return math.NaN(), nil
			case 2:
				return 0, errors.New("no space left")
			}
			return q.X[0], nil
		}, tarry.Options{Budget: 500, Workers: 100, Policy: policy(t, "random")})
		if err != nil {
			t.Fatal(err)
		}
		for time.Sleep(500 * time.Millisecond); ; time.Sleep(time.Second) {
			for number := 1; number <= 100; number++ { // answers of every kind to what is over, and to what never was
				run.Tell(tarry.EvaluationID{Evaluation: number, Attempt: 1}, float64(number))
				run.Fail(tarry.EvaluationID{Evaluation: number, Attempt: 1}, errors.New("once more"))
				run.Tell(tarry.EvaluationID{Evaluation: -number, Attempt: number}, 1)
			}
			if run.Snapshot().Reason != "" {
				break
			}
		}
		if r, err := run.Wait(); err != nil || len(r.Evaluations) != 500 || r.Count(tarry.Pending) > 0 {
			t.Errorf("%v: %v", err, r)
		}
	})
}

// Symptom: heartbeats do not exist for ask and tell.
func TestComplaintHeartbeatsDoNotWorkWithAskAndTell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		study := newStudy(t, tarry.Options{Budget: 20, Lease: time.Minute, Policy: policy(t, "random")})
		alive, dead := ask(t, study), ask(t, study)
		for range 10 {
			time.Sleep(50 * time.Second)
			if err := study.Renew(alive.ID); err != nil {
				t.Fatal(err)
			}
		}
		a, _ := study.Evaluation(alive.ID.Evaluation)
		d, _ := study.Evaluation(dead.ID.Evaluation)
		if a.Status != tarry.Pending || !a.Running || d.Status != tarry.Lost {
			t.Errorf("renewed: %v, not renewed: %v", a, d)
		}
	})
}

// Symptom: a machine that was taken away cannot be told from an objective that failed.
func TestComplaintPreemptionLooksLikeAnErrorOfTheObjective(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		says := map[int]error{
			1: errors.New("diverged"),
			2: fmt.Errorf("%w: spot instance reclaimed", tarry.ErrLost),
			3: fmt.Errorf("%w: too many layers for the memory", tarry.ErrInfeasible),
		}
		result, err := tarry.Maximize(t.Context(), unitSpace(t), func(ctx context.Context, q tarry.Query) (float64, error) {
			if q.ID.Evaluation == 4 {
				<-ctx.Done()
				return 0, ctx.Err()
			}
			if err := says[q.ID.Evaluation]; err != nil && (q.ID.Evaluation != 2 || q.ID.Attempt < 5) {
				return 0, err
			}
			return 1, nil
		}, tarry.Options{Budget: 5, Workers: 1, Timeout: time.Minute, Policy: policy(t, "random")})
		if err != nil {
			t.Fatal(err)
		}
		want := []tarry.Status{tarry.Failed, tarry.Observed, tarry.Infeasible, tarry.TimedOut, tarry.Observed}
		for i, e := range result.Evaluations {
			if e.Status != want[i] {
				t.Errorf("evaluation %d is %v, want %v", i+1, e.Status, want[i])
			}
		}
		if second := result.Evaluations[1]; second.ID.Attempt != 5 {
			t.Errorf("what was preempted had %d attempts, want 5 without any retries", second.ID.Attempt)
		}
	})
}

// Symptom: a failed trial is retried only when its heartbeat is stale, whatever the documentation says.
func TestComplaintRetriesHappenForOneCauseOnly(t *testing.T) {
	for cause, objective := range map[string]tarry.Objective{
		"an error":            func(context.Context, tarry.Query) (float64, error) { return 0, errors.New("no") },
		"a panic":             func(context.Context, tarry.Query) (float64, error) { panic("no") },
		"a value that is NaN": func(context.Context, tarry.Query) (float64, error) { return math.NaN(), nil },
		"a timeout":           func(ctx context.Context, _ tarry.Query) (float64, error) { <-ctx.Done(); return 0, ctx.Err() },
	} {
		synctest.Test(t, func(t *testing.T) {
			result, _ := tarry.Maximize(t.Context(), unitSpace(t), objective, tarry.Options{Budget: 1, Workers: 1, Retries: 3, Timeout: time.Minute})
			if e := result.Evaluations[0]; e.ID.Attempt != 4 {
				t.Errorf("%s: %d attempts, want 4", cause, e.ID.Attempt)
			}
		})
	}
}

// Symptom: the sampler suggests the same crashing point seventeen times in a row.
func TestComplaintTheSameCrashingPointIsSuggestedAgainAndAgain(t *testing.T) {
	for _, name := range []string{"gp-bucb", "gp-ucb", "log-ei", "ts-sdf"} {
		study := newStudy(t, tarry.Options{Budget: 40, Seed: 1, Policy: policy(t, name)})
		crashed := map[string]int{}
		for range 40 {
			q := ask(t, study)
			if q.X[0] > 0.6 { // where the objective would be greatest
				crashed[fmt.Sprint(q.X)]++
				if err := study.Fail(q.ID, errors.New("segmentation fault")); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if err := study.Tell(q.ID, q.X[0]); err != nil {
				t.Fatal(err)
			}
		}
		most, all := 0, 0
		for _, n := range crashed {
			most, all = max(most, n), all+n
		}
		if r := study.Result(); most > 1 || all > 26 || r.Best == nil || r.Best.Value < 0.55 {
			t.Errorf("%s: %d crashes, %d times at one point, best %v", name, all, most, r.Best)
		}
	}
}

// Symptom: with enough trials pending there is an exception instead of a suggestion.
func TestComplaintAnExceptionInsteadOfASuggestionWhenTooManyArePending(t *testing.T) {
	pending := 300
	if raced {
		pending = 100
	}
	study := newStudy(t, tarry.Options{Budget: pending, Pending: pending, Policy: policy(t, "gp-bucb")})
	q := ask(t, study)
	if err := study.Tell(q.ID, 1); err != nil {
		t.Fatal(err)
	}
	for k := range pending - 1 {
		if _, err := study.Ask(); err != nil {
			t.Fatalf("with %d pending: %v", k, err)
		}
	}
}

// Symptom: abandoned, failed and answered trials go on counting as pending, or pending ones do not.
func TestComplaintWhatIsPendingDependsOnWhomYouAsk(t *testing.T) {
	study := newStudy(t, tarry.Options{Budget: 40, Policy: policy(t, "random")})
	pending := func() int { return study.Result().Count(tarry.Pending) }
	for name, end := range map[string]func(tarry.Query) error{
		"told":       func(q tarry.Query) error { return study.Tell(q.ID, 1) },
		"failed":     func(q tarry.Query) error { return study.Fail(q.ID, errors.New("no")) },
		"lost":       func(q tarry.Query) error { return study.Cancel(q.ID.Evaluation, "machine gone") },
		"infeasible": func(q tarry.Query) error { return study.Fail(q.ID, tarry.ErrInfeasible) },
	} {
		before := pending()
		q := ask(t, study)
		if pending() != before+1 {
			t.Errorf("%s: a query that was asked for is not pending", name)
		}
		if err := end(q); err != nil || pending() != before {
			t.Errorf("%s: still pending, %v", name, err)
		}
	}
}

// Symptom: points told twice are refused as not unique, or pending ones are matched by equality of floats and stay.
func TestComplaintPointsAreKeysAndDuplicatesCrash(t *testing.T) {
	study := newStudy(t, tarry.Options{Budget: 60, Policy: policy(t, "gp-bucb")})
	x := []float64{0.1 + 0.2, 0.5}[:len(ask(t, study).X)]
	var same []tarry.Query
	for range 13 {
		if err := study.Enqueue(x); err != nil {
			t.Fatal(err)
		}
		same = append(same, ask(t, study))
	}
	for i, q := range same {
		if !slices.Equal(q.X, x) || i > 0 && q.ID == same[0].ID {
			t.Fatalf("query %d is %v", i, q)
		}
		if err := study.Tell(q.ID, float64(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := study.Observe(x, 7); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if q := ask(t, study); study.Tell(q.ID, 0) != nil {
			t.Fatal("the study cannot go on")
		}
	}
	if n := study.Result().Count(tarry.Pending); n != 1 {
		t.Errorf("%d are pending, want the one that was never told", n)
	}
}

// Symptom: a worker that dies while it holds the lock of the algorithm stops everybody.
func TestComplaintAWorkerThatDiesTakesTheLockWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		never := make(chan bool)
		run, err := tarry.Start(t.Context(), unitSpace(t), func(ctx context.Context, q tarry.Query) (float64, error) {
			if q.ID.Evaluation == 1 {
				<-never // whatever happens
			}
			return q.X[0], nil
		}, tarry.Options{Budget: 30, Workers: 2, Timeout: time.Minute, Grace: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if r, err := run.Wait(); err != nil || r.Count(tarry.Observed) != 29 || r.Count(tarry.TimedOut) != 1 {
			t.Errorf("%v: %v", err, r)
		}
		close(never)
		time.Sleep(time.Second)
	})
}

// Symptom: the same seed gives other suggestions in parallel, or after the study was loaded again.
func TestComplaintTheSameSeedGivesOtherSuggestionsAfterReloading(t *testing.T) {
	suggestions := func(order []int, reloadAfter int) string {
		var store tarry.Store = &journal.Memory{}
		study := newStudy(t, tarry.Options{Budget: 24, Seed: 9, Policy: policy(t, "gp-bucb"), Journal: store})
		var said []string
		for batch := range 6 {
			var open []tarry.Query
			for range 4 {
				q := ask(t, study)
				open = append(open, q)
				said = append(said, fmt.Sprint(q.X))
			}
			for i, k := range order { // the answers of a batch come in any order
				if err := study.Tell(open[k].ID, math.Sin(9*open[k].X[0])); err != nil {
					t.Fatal(err)
				}
				if batch*4+i == reloadAfter {
					study.Close()
					again, err := tarry.ResumeStudy(store, tarry.Options{})
					if err != nil {
						t.Fatal(err)
					}
					study = again
				}
			}
		}
		return strings.Join(said, "\n")
	}
	want := suggestions([]int{0, 1, 2, 3}, -1)
	for _, order := range [][]int{{3, 2, 1, 0}, {1, 3, 0, 2}} {
		for _, reload := range []int{-1, 0, 5, 10, 23} {
			if got := suggestions(order, reload); got != want {
				t.Fatalf("answers in order %v, reloaded after %d:\n%s\nwant\n%s", order, reload, got, want)
			}
		}
	}
}

// Symptom: a study that is restored uses another search, or one that has forgotten what it knew.
func TestComplaintRestoringLosesTheStateOfTheSearch(t *testing.T) {
	store := &journal.Memory{}
	study := newStudy(t, tarry.Options{Budget: 30, Seed: 2, Policy: policy(t, "gp-bucb"), Journal: store})
	for range 20 {
		q := ask(t, study)
		if err := study.Tell(q.ID, bump(q)); err != nil {
			t.Fatal(err)
		}
	}
	again, err := tarry.ResumeStudy(part(t, store, len(store.All())), tarry.Options{})
	if err != nil {
		t.Fatal(err)
	}
	before, after := study.Result(), again.Result()
	if after.Policy != before.Policy || after.Best.Value != before.Best.Value || after.Recommended.ID != before.Recommended.ID || after.Counters.Fits != before.Counters.Fits {
		t.Errorf("restored:\n%v\nwant\n%v", after, before)
	}
	for range 5 {
		a, b := ask(t, study), ask(t, again)
		if !slices.Equal(a.X, b.X) {
			t.Fatalf("restored it asks %v, want %v", b, a)
		}
		if err := errors.Join(study.Tell(a.ID, bump(a)), again.Tell(b.ID, bump(b))); err != nil {
			t.Fatal(err)
		}
	}
}
