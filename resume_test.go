package tarry_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// hill is an objective that a seed and a journal decide completely.
func hill(_ context.Context, q tarry.Query) (float64, error) {
	x := q.X[0]
	return math.Sin(7*x) - x*x, nil
}

// part is a store with the first records of another: what a process leaves that ended after one of them.
func part(t *testing.T, of *journal.Memory, records int) *journal.Memory {
	t.Helper()
	h, err := of.Header()
	if err != nil {
		t.Fatal(err)
	}
	store := journal.NewMemory(h)
	for _, r := range of.All()[:records] {
		if err := store.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

// queries are the points and values of a result.
func queries(r *tarry.Result) (x [][]float64, y []float64) {
	for _, e := range r.Evaluations {
		x, y = append(x, e.X), append(y, e.Value)
	}
	return x, y
}

// A process that ends after any record of its journal leaves a study that goes on as if it had not: with one worker the
// same queries and the same values follow, to the bit, fits of the hyperparameters included.
func TestAStudyResumedAfterAnyRecordGoesOnAsItWould(t *testing.T) {
	for i, name := range []string{tarry.DefaultPolicy, "ts-sdf", "log-ei"} {
		store := &journal.Memory{}
		whole, err := tarry.Maximize(t.Context(), unitSpace(t), hill, tarry.Options{Budget: 14, Workers: 1, Seed: 3, Policy: policy(t, name), Journal: store})
		if err != nil {
			t.Fatal(err)
		}
		x, y := queries(whole)
		for cut := range len(store.All()) + 1 {
			if raced && cut%3 != i { // each record with one of the policies
				continue
			}
			run, err := tarry.Resume(t.Context(), part(t, store, cut), hill, tarry.Options{Workers: 1})
			if err != nil {
				t.Fatalf("%s: after record %d: %v", name, cut, err)
			}
			again, err := run.Wait()
			if err != nil {
				t.Fatalf("%s: after record %d: %v", name, cut, err)
			}
			gotX, gotY := queries(again)
			if !slices.Equal(gotY, y) || !slices.EqualFunc(gotX, x, slices.Equal[[]float64]) {
				t.Fatalf("%s: after record %d it went on with\n%v\nwant\n%v", name, cut, gotX, x)
			}
		}
	}
}

// With several workers whose answers come in any order, what was acknowledged is there after any record, no evaluation is
// counted twice, and the query that was being chosen is the same one.
func TestNothingAcknowledgedIsLostWithSeveralWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context, q tarry.Query) (float64, error) {
			time.Sleep(time.Duration(1+q.ID.Evaluation*7%5)*time.Second + time.Duration(q.ID.Evaluation))
			return hill(ctx, q)
		}
		store := &journal.Memory{}
		if _, err := tarry.Maximize(t.Context(), unitSpace(t), slow, tarry.Options{Budget: 16, Workers: 4, Seed: 1, Policy: policy(t, "gp-bucb"), Journal: store}); err != nil {
			t.Fatal(err)
		}
		all := store.All()
		for cut := range len(all) + 1 {
			before := part(t, store, cut)
			l, open, err := journal.Replay(before)
			if err != nil {
				t.Fatal(err)
			}
			run, err := tarry.Resume(t.Context(), before, slow, tarry.Options{Workers: 3})
			if err != nil {
				t.Fatal(err)
			}
			result, err := run.Wait()
			if err != nil || len(result.Evaluations) != 16 || result.Count(tarry.Observed) != 16 {
				t.Fatalf("after record %d: %v\n%v", cut, err, result)
			}
			for i, e := range l.Evaluations() {
				got := result.Evaluations[i]
				if !slices.Equal(got.X, e.Point(l.Config().Space)) || e.Measured && got.Value != e.Value {
					t.Fatalf("after record %d evaluation %d was %+v and is %+v", cut, e.Number, e, got)
				}
			}
			for _, effect := range open {
				if ask, ok := effect.(loop.Ask); ok {
					sameProposal(t, all[cut:], before.All()[cut:], ask.ID)
				}
			}
		}
	})
}

// sameProposal compares the first answers to an ask in two journals.
func sameProposal(t *testing.T, a, b []journal.Record, ask int) {
	t.Helper()
	first := func(records []journal.Record) []float64 {
		for _, r := range records {
			if p, ok := r.Event.Event.(loop.Proposed); ok && p.Ask == ask {
				return p.Proposals[0].X
			}
		}
		return nil
	}
	if x, y := first(a), first(b); x == nil || !slices.Equal(x, y) {
		t.Fatalf("ask %d was answered by %v, after resuming by %v", ask, x, y)
	}
}

// What is running when a study is paused comes to its end, nothing else starts, and the study goes on later; told to leave
// at once it leaves, and what was running starts again at the same point.
func TestAPausedStudyGoesOn(t *testing.T) {
	for _, now := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var started atomic.Int64
			slow := func(ctx context.Context, q tarry.Query) (float64, error) {
				started.Add(1)
				select {
				case <-time.After(time.Minute):
					return hill(ctx, q)
				case <-ctx.Done():
					return 0, context.Cause(ctx)
				}
			}
			store := &journal.Memory{}
			run, err := tarry.Start(t.Context(), unitSpace(t), slow, tarry.Options{Budget: 20, Workers: 4, Journal: store})
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(90 * time.Second)
			run.Pause(now)
			paused, err := run.Wait()
			if err != nil || paused.Reason != tarry.ReasonPaused || started.Load() != 8 {
				t.Fatalf("%v after %d attempts", err, started.Load())
			}
			want := 8
			if now {
				want = 4
			}
			if paused.Count(tarry.Observed) != want || paused.Count(tarry.Cancelled) != 0 {
				t.Fatalf("paused with %v", paused)
			}
			again, err := tarry.Resume(t.Context(), store, slow, tarry.Options{Workers: 4})
			if err != nil {
				t.Fatal(err)
			}
			result, err := again.Wait()
			if err != nil || result.Count(tarry.Observed) != 20 || int(started.Load()) != 20+8-want {
				t.Fatalf("%v after %d attempts: %v", err, started.Load(), result)
			}
			for i, e := range paused.Evaluations {
				if !slices.Equal(e.X, result.Evaluations[i].X) {
					t.Errorf("evaluation %d moved from %v to %v", i+1, e.X, result.Evaluations[i].X)
				}
			}
		})
	}
}

// Paused by one of its own events, a study starts nothing more, however soon its answers come.
func TestAStudyPausesAtAnEvent(t *testing.T) {
	for range 20 {
		var run *tarry.Run
		known := make(chan struct{})
		quick := func(ctx context.Context, q tarry.Query) (float64, error) {
			<-known
			return hill(ctx, q)
		}
		o := tarry.Options{Budget: 20, Workers: 1, OnEvent: func(e tarry.Event) {
			if e.Evaluation.Number == 3 && e.Evaluation.Status == tarry.Observed {
				run.Pause(false)
			}
		}}
		var err error
		run, err = tarry.Start(t.Context(), unitSpace(t), quick, o)
		if err != nil {
			t.Fatal(err)
		}
		close(known)
		if result, err := run.Wait(); err != nil || result.Reason != tarry.ReasonPaused || result.Count(tarry.Observed) != 3 {
			t.Fatalf("%v: %v", err, result)
		}
	}
}

// A study by ask and tell goes on after any record: what was given out is awaited, the next query is the one it would have
// been, and values told twice are known.
func TestAskAndTellGoOnAfterAnyRecord(t *testing.T) {
	play := func(t *testing.T, study *tarry.Study, from, to int) {
		for k := from; k <= to; k++ {
			q := ask(t, study)
			value, _ := hill(t.Context(), q)
			if err := study.Tell(q.ID, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	store := &journal.Memory{}
	study := newStudy(t, tarry.Options{Budget: 12, Seed: 4, Policy: policy(t, "log-ei"), Journal: store})
	play(t, study, 1, 12)
	x, _ := queries(study.Result())
	for cut := range len(store.All()) + 1 {
		again, err := tarry.ResumeStudy(part(t, store, cut), tarry.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for number := 1; number <= again.Evaluations(); number++ { // whoever holds a query has not heard of the end
			if e, _ := again.Evaluation(number); e.Status == tarry.Pending && e.Running {
				value, _ := hill(t.Context(), e.Query)
				if err := again.Tell(e.ID, value); err != nil {
					t.Fatal(err)
				}
			}
		}
		for again.Result().Reason == "" {
			play(t, again, 1, 1)
		}
		got, _ := queries(again.Result())
		if !slices.EqualFunc(got, x, slices.Equal[[]float64]) {
			t.Fatalf("after record %d: %v, want %v", cut, got, x)
		}
	}
}

// What a study is stands in its store; options that say it again are refused, and so are another policy and another
// program, before anything is replayed.
func TestWhatCannotBeResumed(t *testing.T) {
	store := &journal.Memory{}
	if _, err := tarry.Maximize(t.Context(), unitSpace(t), hill, tarry.Options{Budget: 3, Workers: 1, Journal: store}); err != nil {
		t.Fatal(err)
	}
	floor := 0.5
	_, err := tarry.Resume(t.Context(), store, hill, tarry.Options{Floor: &floor, Seed: 1, Minimize: true, Model: loop.Model{Kernel: "se"}})
	for _, want := range []string{"Options.Floor = 0.5", "Options.Seed = 1", "Options.Minimize = true", "Options.Model.Kernel = se: want nothing"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
	_, err = tarry.Resume(t.Context(), store, hill, tarry.Options{Policy: policy(t, "random")})
	if err == nil || !strings.Contains(err.Error(), "random: want the policy of the study, "+tarry.DefaultPolicy) {
		t.Errorf("another policy: %v", err)
	}
	h, _ := store.Header()
	h.Program.Go, h.Program.Arch = "go1.99", "vax"
	old := journal.NewMemory(h)
	old.Append(store.All()[0])
	_, err = tarry.Resume(t.Context(), old, hill, tarry.Options{})
	if !errors.Is(err, tarry.ErrOtherProgram) || !strings.Contains(err.Error(), `architecture "vax"`) {
		t.Errorf("another program: %v", err)
	}
	run, err := tarry.Resume(t.Context(), old, hill, tarry.Options{AnyProgram: true})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := run.Wait(); err != nil || len(r.Evaluations) != 3 {
		t.Errorf("%v, %v", r, err)
	}
	run, err = tarry.Resume(t.Context(), store, hill, tarry.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := run.Wait(); err != nil || len(r.Evaluations) != 3 || r.Reason == "" {
		t.Errorf("a study that has ended: %v, %v", r, err)
	}
}

// dated is a store that knows when its study was begun.
type dated struct {
	*journal.Memory
	begun time.Time
}

func (d dated) Created() (time.Time, error) { return d.begun, nil }

// Time goes on while no process has a study open, so that a lease ends; a clock that was set back makes it stand still, and
// nothing else.
func TestTimeGoesOnBetweenProcessesAndNeverBack(t *testing.T) {
	for begun, want := range map[time.Duration]tarry.Status{-time.Hour: tarry.Lost, time.Hour: tarry.Pending} {
		synctest.Test(t, func(t *testing.T) {
			store := &journal.Memory{}
			study := newStudy(t, tarry.Options{Budget: 9, Lease: 10 * time.Minute, Policy: policy(t, "random"), Journal: store})
			time.Sleep(time.Minute)
			q := ask(t, study)
			study.Close()
			again, err := tarry.ResumeStudy(dated{store, time.Now().Add(begun)}, tarry.Options{})
			if err != nil {
				t.Fatal(err)
			}
			e, _ := again.Evaluation(q.ID.Evaluation)
			if e.Status != want {
				t.Errorf("begun %v from now: %v, want %v", begun, e.Status, want)
			}
			if err := again.Tell(q.ID, 1); err != nil || again.Result().Best == nil || again.Result().Elapsed < time.Minute {
				t.Errorf("begun %v from now: %v, %v", begun, err, again.Result())
			}
		})
	}
}

// A list some of whose values are inactive is kept in a file, and the study goes on from there.
func TestAStudyOverAConditionalListIsResumed(t *testing.T) {
	nan := math.NaN()
	points := []space.Point{{0, 0.1, nan}, {0, 0.5, nan}, {0, 0.9, nan}, {1, nan, 0.2}, {1, nan, 0.6}, {1, nan, 0.8}}
	list, err := tarry.NewList(points, tarry.Categorical("kind", "a", "b"), tarry.Float("x", 0, 1).When("kind", "a"), tarry.Float("y", 0, 1).When("kind", "b"))
	if err != nil {
		t.Fatal(err)
	}
	objective := func(_ context.Context, q tarry.Query) (float64, error) {
		if q.Active("x") {
			return q.Float("x"), nil
		}
		return 2 * q.Float("y"), nil
	}
	options := tarry.Options{Budget: 6, Initial: 2, Workers: 1, Seed: 3}
	whole, err := tarry.Maximize(t.Context(), list, objective, options)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "study.db")
	store, err := sqlite.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	options.Budget, options.Journal = 3, store
	if _, err := tarry.Maximize(t.Context(), list, objective, options); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if store, err = sqlite.Open(path); err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	run, err := tarry.Resume(t.Context(), store, objective, tarry.Options{Budget: 6, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	again, err := run.Wait()
	if err != nil {
		t.Fatal(err)
	}
	_, want := queries(whole)
	if _, got := queries(again); !slices.Equal(got, want) {
		t.Errorf("it went on with %v, want %v", got, want)
	}
}

// A study that was interrupted and can be resumed says that it has stopped, and one that nobody can go on with that it has ended.
func TestAnInterruptedStudyHasNotEnded(t *testing.T) {
	disk := must.Get(sqlite.Create(filepath.Join(t.TempDir(), "s.db")))(t)
	defer disk.Close()
	for want, store := range map[string]tarry.Store{"stopped: context canceled": disk, "ended: context canceled": nil} {
		ctx, cancel := context.WithCancel(t.Context())
		begun := make(chan struct{}, 20)
		o := tarry.Options{Budget: 20, Workers: 2}
		if store != nil {
			o.Journal = store
		}
		run := must.Get(tarry.Start(ctx, unitSpace(t), func(ctx context.Context, _ tarry.Query) (float64, error) {
			begun <- struct{}{}
			<-ctx.Done()
			return 0, ctx.Err()
		}, o))(t)
		<-begun
		cancel()
		result, err := run.Wait()
		if !errors.Is(err, context.Canceled) || !strings.Contains(result.String(), want) {
			t.Errorf("%v, %q is missing in\n%v", err, want, result)
		}
	}
}

// Whoever starts a study where there is one is told how to go on with that.
func TestStartSaysHowToGoOnWithAStudyThatIsThere(t *testing.T) {
	store := &journal.Memory{}
	if _, err := tarry.Maximize(t.Context(), unitSpace(t), hill, tarry.Options{Budget: 2, Journal: store}); err != nil {
		t.Fatal(err)
	}
	if _, err := tarry.Start(t.Context(), unitSpace(t), hill, tarry.Options{Budget: 2, Journal: store}); err == nil || !strings.Contains(err.Error(), "go on with it by tarry.Resume or StartOrResume") {
		t.Error(err)
	}
}
