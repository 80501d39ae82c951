package actors

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/workers"
)

// accountant is a store that counts what is synced, and refuses from some sync on.
type accountant struct {
	journal.Memory
	begun, syncs int
	refuse       atomic.Int64  // the sync from which on it refuses; 0 for none
	takes        time.Duration // to sync
	kept         []int         // records after each sync
}

func (a *accountant) Begin(h journal.Header) error { a.begun++; return a.Memory.Begin(h) }

func (a *accountant) Sync() error {
	a.syncs++
	time.Sleep(a.takes)
	if from := int(a.refuse.Load()); from > 0 && a.syncs >= from {
		return errDiskFull
	}
	a.kept = append(a.kept, len(a.All()))
	return nil
}

// Records yields what was synced: the rest is lost with the transaction.
func (a *accountant) Records() iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for _, r := range a.All()[:a.kept[len(a.kept)-1]] {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Answers that come at the same moment are in the mailbox together and share a transaction; those that come one by one
// have one each.
func TestTheEventsOfADrainedMailboxShareATransaction(t *testing.T) {
	for together, most := range map[bool]int{true: 40, false: 1000} {
		inVirtualTime(t, func(t *testing.T) {
			store := &accountant{}
			if together {
				store.takes = time.Millisecond // meanwhile the others are there
			}
			c := plot(t, 200)
			c.Workers, c.Study.Initial, c.Journal = 20, 200, store
			c.Objective = func(_ context.Context, task workers.Task) (float64, error) {
				d := time.Until(time.Now().Truncate(time.Second).Add(2 * time.Second)) // all at the same moment
				if !together {
					d += time.Duration(task.Evaluation) * time.Millisecond
				}
				time.Sleep(d)
				return gain(task.X), nil
			}
			e, err := Start(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			if end := e.Wait(); end.Err != nil || len(end.Result.Evaluations) != 200 {
				t.Fatal(end.Err)
			}
			answers := store.syncs - 1 - c.Workers // but for the header and the workers
			if together && answers > most || !together && answers < 180 {
				t.Errorf("together %v: %d transactions for %d events", together, answers, len(store.All()))
			}
		})
	}
}

// What a transaction that fails would have kept has no effects: nobody is told that it was taken, and nothing is started.
func TestWhatATransactionLosesHasNoEffects(t *testing.T) {
	for refuse := 2; refuse < 12; refuse++ {
		inVirtualTime(t, func(t *testing.T) {
			store := &accountant{}
			store.refuse.Store(int64(refuse))
			c := plot(t, 6)
			c.Workers, c.Study.Initial, c.Journal = 2, 6, store
			var started []int
			var mutex sync.Mutex
			c.Objective = func(_ context.Context, task workers.Task) (float64, error) {
				mutex.Lock()
				started = append(started, task.Evaluation)
				mutex.Unlock()
				time.Sleep(time.Duration(task.Evaluation) * time.Second)
				return gain(task.X), nil
			}
			told := 0
			c.OnEvent = func(Notice) { told++ }
			e, err := Start(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			end := e.Wait()
			if end.Err == nil {
				return
			}
			kept := store.kept[len(store.kept)-1]
			safe := dispatched(store.All(), kept)
			if !errors.Is(end.Err, journal.ErrNotKept) || !errors.Is(end.Err, errDiskFull) || told != kept {
				t.Fatalf("%v; %d events are kept, %d were told", end.Err, kept, told)
			}
			for _, number := range started {
				if !slices.Contains(safe, number) {
					t.Errorf("evaluation %d was started, the journal has %v", number, safe)
				}
			}
		})
	}
}

// dispatched is the evaluations that the first records dispatched.
func dispatched(records []journal.Record, first int) []int {
	var out []int
	for _, r := range records[:first] {
		switch r.Event.Event.(type) {
		case loop.WorkerJoined, loop.FeedbackArrived: // each makes a slot free, and the initial design is chosen at once
			out = append(out, len(out)+1)
		}
	}
	return out
}

// A coordinator understands everything that may be said of an evaluation.
func TestWhatMayBeSaidOfAnEvaluation(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 8)
		c.Workers, c.Study.Initial, c.Study.Lease, c.Objective = 8, 8, time.Minute, following
		s := begin(t, c)
		time.Sleep(time.Second)
		for _, event := range []loop.Event{
			loop.FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Outcome{Value: 4, Cost: 2, Constraints: []float64{-1}}},
			loop.FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Outcome{Value: 9, Constraints: []float64{1}}},
			loop.EvaluationFailed{Evaluation: 3, Attempt: 1, Failure: outcome.Failure{Reason: "too large", Verdict: outcome.Infeasible}},
			loop.QueryEnqueued{X: []float64{.25, .75}},
			loop.CancelRequested{Evaluation: 4, Reason: "not needed"}, // which makes room for it
			Observation{X: []float64{.5, .5}, Value: 3},
		} {
			if r, err := s.Answer(event); err != nil || r.Fate != loop.FateTaken && r.Fate != loop.FateGivenUp || r.Effects != nil {
				t.Errorf("%+v: %+v, %v", event, r, err)
			}
		}
		for range 3 {
			time.Sleep(45 * time.Second)
			if _, err := s.Answer(loop.LeaseRenewed{Evaluation: 5, Attempt: 1}); err != nil {
				t.Error(err)
			}
		}
		for _, event := range []loop.Event{
			loop.LeaseRenewed{Evaluation: 99, Attempt: 1}, loop.CancelRequested{Evaluation: 99}, Observation{X: []float64{2, 2}}, loop.QueryEnqueued{X: []float64{2, 2}}, loop.QueryEnqueued{X: []float64{1}},
			loop.StopRequested{Reason: "hello"}, nil,
		} {
			if r, err := s.Answer(event); err == nil || r.Fate != loop.FateUnknown && r.Fate != loop.FateRefused {
				t.Errorf("%+v was taken: %+v", event, r)
			}
		}
		all := s.Snapshot().Result
		want := []loop.Status{loop.Observed, loop.Infeasible, loop.Infeasible, loop.Cancelled, loop.Pending, loop.Lost, loop.Lost, loop.Lost, loop.Lost, loop.Observed}
		if got := statuses(all); !slices.Equal(got[:10], want) || all.Best.Number != 1 || all.Best.Cost != 2 {
			t.Errorf("the evaluations are %v, the best is %+v", got, all.Best)
		}
		enqueued := false
		for _, e := range all.Evaluations {
			enqueued = enqueued || slices.Equal(e.Given, []float64{.25, .75})
		}
		if !enqueued {
			t.Error("the enqueued point was not queried")
		}
		s.Stop("enough")
		s.ends()
	})
}

// Readers who look all the time keep the mailbox from being empty, and nothing from being done: a study with a journal comes to its end.
func TestReadersKeepNothingFromBeingKept(t *testing.T) {
	c := plot(t, 30)
	c.Workers, c.Journal = 2, &journal.Memory{}
	c.Objective = func(_ context.Context, task workers.Task) (float64, error) {
		time.Sleep(3 * time.Millisecond)
		return gain(task.X), nil
	}
	e := must.Get(Start(t.Context(), c))(t)
	ended := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 { // while one looks the others are in the mailbox
		readers.Go(func() {
			for {
				select {
				case <-ended:
					return
				default:
					e.Look(func(*loop.Loop, time.Duration) { time.Sleep(time.Millisecond) })
				}
			}
		})
	}
	end := e.Wait()
	close(ended)
	readers.Wait()
	if end.Err != nil || len(end.Result.Evaluations) != 30 {
		t.Errorf("%v after %d evaluations", end.Err, len(end.Result.Evaluations))
	}
}
