package tuning

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/workers"
)

// stopwatch measures what evaluations that came to their end took. It is safe for concurrent use.
type stopwatch struct {
	mutex             sync.Mutex
	count             int
	training, waiting time.Duration // of all of them together
}

func (s *stopwatch) add(training, waiting time.Duration) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.count++
	s.training += training
	s.waiting += waiting
}

// means says how long an evaluation took on average, and what of it was real; empty without any.
func (s *stopwatch) means() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.count == 0 {
		return ""
	}
	n := time.Duration(s.count)
	return fmt.Sprintf("training %s + simulated wait %s", readable(s.training/n), readable(s.waiting/n))
}

// readable prints a duration with two digits, or to a hundredth of a second: 6.1 ms, 0.61 s.
func readable(d time.Duration) string {
	switch ms := float64(d) / float64(time.Millisecond); {
	case ms < 9.95:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 99.5:
		return fmt.Sprintf("%.0f ms", ms)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

// around returns the objective: the problem's value, really trained, and then the simulated wait.
func (s *stopwatch) around(t tuning) tarry.Objective {
	chances := workers.Simulated{Chances: delay.Chances{Seed: t.seed, Delay: t.law}, Unit: time.Second, Case: t.at}
	return func(ctx context.Context, q tarry.Query) (float64, error) {
		begin := time.Now()
		var training time.Duration
		train := func(_ context.Context, task workers.Task) (float64, error) {
			value := t.problem.Value(task.X)
			training = time.Since(begin)
			return value, nil
		}
		task := workers.Task{Evaluation: q.ID.Evaluation, Attempt: q.ID.Attempt, X: q.X, Deadline: q.Deadline}
		value, err := chances.Around(train)(ctx, task)
		if err == nil {
			s.add(training, time.Since(begin)-training)
		}
		return value, err
	}
}

// at is what the wait may depend on. Accuracies lie between 0 and 1, as levels do.
func (t tuning) at(x space.Point, value float64) delay.Case {
	u, _ := t.problem.Space.Unit(x) // it comes from the space
	return delay.Case{X: u, Level: value}
}
