package actors

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/workers"
)

// Fifty goroutines bring a thousand answers, each twice and in any order: every one is taken once.
func TestAThousandAnswersFromFiftyGoroutines(t *testing.T) {
	const budget, tellers = 1000, 50
	tasks := make(chan workers.Task, 2*budget)
	c := plot(t, budget)
	c.Workers = 4
	c.Objective = func(_ context.Context, task workers.Task) (float64, error) {
		tasks <- task
		tasks <- task
		return 0, workers.ErrAnswerFollows
	}
	s := begin(t, c)
	var told atomic.Int64
	var group sync.WaitGroup
	for range tellers {
		group.Go(func() {
			for task := range tasks {
				if err := s.Tell(task.Evaluation, task.Attempt, float64(task.Evaluation)); err != nil {
					t.Errorf("evaluation %d: %v", task.Evaluation, err)
				}
				if told.Add(1) == 2*budget {
					close(tasks)
				}
			}
		})
	}
	group.Wait()
	end := s.ends()
	if end.Err != nil || end.Result.Reason != loop.ReasonBudget {
		t.Errorf("the study ended with %v, %q", end.Err, end.Result.Reason)
	}
	for _, e := range end.Result.Evaluations {
		if e.Status != loop.Observed || e.Value != float64(e.Number) {
			t.Errorf("evaluation %d is %v with value %v", e.Number, e.Status, e.Value)
		}
	}
	if got := countEvents[loop.FeedbackArrived](s.notices); got < budget || end.Result.Counters.Contradictory > 0 {
		t.Errorf("%d values arrived, counters %+v", got, end.Result.Counters)
	}
}

// A thousand workers are all busy at the same time, and then all answered. It takes little memory.
func TestAThousandWorkersAreBusyAtOnce(t *testing.T) {
	const crowd = 1000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 2*crowd)
		c.Workers, c.Objective = crowd, lasting(time.Hour)
		s := begin(t, c)
		time.Sleep(30 * time.Minute)
		synctest.Wait()
		if got := s.Snapshot(); got.Open != crowd || len(got.Result.Evaluations) != crowd {
			t.Errorf("%d attempts are open, %d queries were chosen", got.Open, len(got.Result.Evaluations))
		}
		end := s.ends()
		if end.At != 2*time.Hour || len(end.Result.Evaluations) != 2*crowd || end.Result.Counters != (loop.Counters{}) {
			t.Errorf("%d evaluations in %v, counters %+v", len(end.Result.Evaluations), end.At, end.Result.Counters)
		}
		for _, e := range end.Result.Evaluations {
			if e.Status != loop.Observed {
				t.Errorf("evaluation %d is %v", e.Number, e.Status)
			}
		}
	})
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 256<<20 {
		t.Errorf("it took %d MB", used>>20)
	}
}
