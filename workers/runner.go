package workers

import (
	"context"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/outcome"
)

// Attempts counts the attempts of several runners that have not returned. The zero value counts none.
type Attempts struct {
	group   sync.WaitGroup
	mutex   sync.Mutex
	running map[attempt]int // how many of that number: a worker that was lost may leave one behind
}

func (a *Attempts) start(which attempt, f func()) {
	a.mutex.Lock()
	if a.running == nil {
		a.running = map[attempt]int{}
	}
	a.running[which]++
	a.mutex.Unlock()
	a.group.Go(func() {
		defer a.returned(which)
		f()
	})
}

func (a *Attempts) returned(which attempt) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.running[which]--; a.running[which] == 0 {
		delete(a.running, which)
	}
}

// Running returns how many attempts have not returned.
func (a *Attempts) Running() int {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	n := 0
	for _, same := range a.running {
		n += same
	}
	return n
}

// Has reports whether an attempt has not returned yet. An attempt is answered before it counts as returned.
func (a *Attempts) Has(evaluation, number int) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.running[attempt{evaluation, number}] > 0
}

// Wait returns when all attempts have returned. No attempt may start meanwhile.
func (a *Attempts) Wait() { a.group.Wait() }

// Runner runs attempts, each in a goroutine of its own. It answers each attempt exactly once, except a cancelled attempt
// that returns neither a value nor a verdict on its point, which it does not answer. It is safe for concurrent use. Build
// it with NewRunner.
type Runner struct {
	base      context.Context
	deadline  time.Time // of the context it was made from; zero means none
	objective OutcomeFunc
	answer    func(outcome.Answer)
	attempts  *Attempts

	// Returned, if set before the first Start, is called when an attempt that was cancelled has returned, after its answer if
	// it has one.
	Returned func(evaluation, attempt int)

	mutex   sync.Mutex
	running map[attempt]context.CancelCauseFunc
}

type attempt struct{ evaluation, attempt int }

// NewRunner returns a runner. Its attempts see the values and the deadline of the context base, but do not end with it.
// The goroutine of each attempt calls answer, and attempts counts those that have not returned.
func NewRunner(base context.Context, f OutcomeFunc, answer func(outcome.Answer), attempts *Attempts) *Runner {
	r := &Runner{base: context.WithoutCancel(base), objective: f, answer: answer, attempts: attempts, running: map[attempt]context.CancelCauseFunc{}}
	r.deadline, _ = base.Deadline()
	return r
}

// Start begins an attempt and returns.
func (r *Runner) Start(t Task) {
	ctx, cancel := context.WithCancelCause(r.base)
	deadline := t.Deadline
	if deadline.IsZero() || !r.deadline.IsZero() && r.deadline.Before(deadline) {
		deadline = r.deadline
	}
	if !deadline.IsZero() {
		ctx = deadlineContext{ctx, deadline}
	}
	r.mutex.Lock()
	r.running[attempt{t.Evaluation, t.Attempt}] = cancel
	r.mutex.Unlock()
	r.attempts.start(attempt{t.Evaluation, t.Attempt}, func() { r.run(ctx, t) })
}

// run answers for an attempt, unless nobody waits for it and it has nothing that counts all the same. An objective that ends its goroutine has
// failed.
func (r *Runner) run(ctx context.Context, t Task) {
	a := outcome.Answer{Evaluation: t.Evaluation, Attempt: t.Attempt}
	a.Reason = "objective ended its goroutine (runtime.Goexit)"
	defer func() {
		cancelled := ctx.Err() != nil
		r.forget(t.Evaluation, t.Attempt, nil)
		if !cancelled || a.Lasts() {
			r.answer(a)
		}
		if cancelled && r.Returned != nil {
			r.Returned(t.Evaluation, t.Attempt)
		}
	}()
	evaluate(ctx, t, r.objective, &a)
}

// forget ends the context of an attempt and takes it off the list.
func (r *Runner) forget(evaluation, number int, cause error) {
	key := attempt{evaluation, number}
	r.mutex.Lock()
	cancel := r.running[key]
	delete(r.running, key)
	r.mutex.Unlock()
	if cancel != nil {
		cancel(cause)
	}
}

// Cancel ends the context of an attempt, with ErrCancelled as its cause. It ignores an attempt that is not running.
func (r *Runner) Cancel(evaluation, number int) { r.forget(evaluation, number, ErrCancelled) }

// Stop cancels every attempt. It does not wait for them to return.
func (r *Runner) Stop() {
	r.mutex.Lock()
	running := r.running
	r.running = map[attempt]context.CancelCauseFunc{}
	r.mutex.Unlock()
	for _, cancel := range running {
		cancel(ErrCancelled)
	}
}
