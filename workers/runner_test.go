package workers

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/tarry-bo/tarry/outcome"
)

// desk is a runner in a bubble and the answers that it gave.
type desk struct {
	*Runner
	attempts Attempts
	answers  chan outcome.Answer
}

func newDesk(base context.Context, f Objective) *desk {
	d := &desk{answers: make(chan outcome.Answer, 100)}
	d.Runner = NewRunner(base, f.Outcomes(), func(a outcome.Answer) { d.answers <- a }, &d.attempts)
	return d
}

// all waits for every attempt and returns the answers in the order in which they came.
func (d *desk) all(t *testing.T) []outcome.Answer {
	t.Helper()
	d.attempts.Wait()
	if n := d.attempts.Running(); n != 0 {
		t.Errorf("%d attempts run after all have returned", n)
	}
	close(d.answers)
	var out []outcome.Answer
	for a := range d.answers {
		out = append(out, a)
	}
	return out
}

// one runs one attempt and returns its one answer.
func one(t *testing.T, f Objective) outcome.Answer {
	t.Helper()
	d := newDesk(t.Context(), f)
	d.Start(Task{Evaluation: 4, Attempt: 2, X: []float64{1}})
	answers := d.all(t)
	if len(answers) != 1 {
		t.Fatalf("%d answers, want one", len(answers))
	}
	if a := answers[0]; a.Evaluation != 4 || a.Attempt != 2 {
		t.Errorf("the answer is about evaluation %d, attempt %d", a.Evaluation, a.Attempt)
	}
	return answers[0]
}

func TestEveryAttemptIsAnsweredOnce(t *testing.T) {
	burnt := errors.New("burnt")
	for name, c := range map[string]struct {
		value float64
		err   error
		want  outcome.Answer
	}{
		"value":              {3, nil, outcome.Answer{Evaluation: 4, Attempt: 2, Outcome: outcome.Of(3)}},
		"error":              {3, burnt, outcome.Answer{Evaluation: 4, Attempt: 2, Failure: outcome.Failure{Reason: "burnt"}}},
		"answer follows":     {3, ErrAnswerFollows, outcome.Answer{Evaluation: 4, Attempt: 2, Follows: true}},
		"error without text": {3, errors.New(""), outcome.Answer{Evaluation: 4, Attempt: 2, Failure: outcome.Failure{Reason: "failed"}}},
		"cancelled for real": {3, context.Canceled, outcome.Answer{Evaluation: 4, Attempt: 2, Failure: outcome.Failure{Reason: "context canceled"}}},
	} {
		if got := one(t, func(context.Context, Task) (float64, error) { return c.value, c.err }); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
	wrapped := one(t, func(context.Context, Task) (float64, error) { return 0, errors.Join(burnt, ErrAnswerFollows) })
	if !wrapped.Follows || wrapped.Failed() {
		t.Errorf("a wrapped ErrAnswerFollows gives %+v", wrapped)
	}
}

// overflow is an objective that panics, by a name that a stack can tell.
func overflow(context.Context, Task) (float64, error) { panic("the sink is full") }

func TestAPanicIsAnErrorWithTheStack(t *testing.T) {
	a := one(t, overflow)
	for _, want := range []string{"objective panicked: the sink is full\n", "workers.overflow", "runner_test.go"} {
		if !strings.Contains(a.Reason, want) {
			t.Errorf("%q is missing in %q", want, a.Reason)
		}
	}
	if nothing := one(t, func(context.Context, Task) (float64, error) { panic(nil) }); !strings.HasPrefix(nothing.Reason, "objective panicked") {
		t.Errorf("panic(nil) gives %+v", nothing)
	}
	raw := errors.New(strings.Repeat("\xff", 2*maxFailed)) // no character in it
	if a := one(t, func(context.Context, Task) (float64, error) { return 1, raw }); a.Reason != "failed" || a.Value != 0 {
		t.Errorf("an error without a character gives %+v", a)
	}
	if long := one(t, func(context.Context, Task) (float64, error) { panic(strings.Repeat("é", maxFailed)) }); len(long.Reason) > maxFailed || !utf8.ValidString(long.Reason) {
		t.Errorf("a failure of %d bytes is kept", len(long.Reason))
	}
}

// brittle is an error that panics when somebody looks at it or into it, as one behind a typed nil does.
type brittle struct{ inner error }

func (b *brittle) Error() string { return b.inner.Error() }
func (b *brittle) Unwrap() error { return b.inner }

// opaque is an error of which only the text is brittle.
type opaque struct{ inner error }

func (o *opaque) Error() string { return o.inner.Error() }

func TestAnErrorThatPanicsIsAFailedAttempt(t *testing.T) {
	var b *brittle
	var o *opaque
	for name, err := range map[string]error{"when unwrapped": b, "when printed": o} {
		if a := one(t, func(context.Context, Task) (float64, error) { return 1, err }); !a.Failed() || a.Follows || a.Value != 0 {
			t.Errorf("%s: the answer is %+v", name, a)
		}
	}
}

func TestAGoroutineThatEndsIsAFailedAttempt(t *testing.T) {
	a := one(t, func(context.Context, Task) (float64, error) { runtime.Goexit(); return 1, nil })
	if !strings.Contains(a.Reason, "runtime.Goexit") || a.Value != 0 || a.Follows {
		t.Errorf("the answer is %+v", a)
	}
}

// Nobody waits for a cancelled attempt: its errors are of no interest, but a value that it has all the same is, and so is the
// verdict that its point cannot be evaluated.
func TestACancelledAttemptIsHeardIfItHasAValue(t *testing.T) {
	for name, c := range map[string]struct {
		value float64
		err   error
		want  int
	}{
		"value":          {3, nil, 1},
		"error":          {0, errors.New("burnt"), 0},
		"answer follows": {0, ErrAnswerFollows, 0},
		"infeasible":     {0, outcome.ErrInfeasible, 1},
		"lost":           {0, outcome.ErrLost, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			var cause error
			d := newDesk(t.Context(), func(ctx context.Context, _ Task) (float64, error) {
				<-ctx.Done()
				cause = context.Cause(ctx)
				return c.value, c.err
			})
			d.Start(Task{Evaluation: 1, Attempt: 1})
			synctest.Wait()
			if n := d.attempts.Running(); n != 1 {
				t.Errorf("%d attempts run, want 1", n)
			}
			d.Cancel(1, 2) // another attempt
			d.Cancel(2, 1) // another evaluation
			synctest.Wait()
			if cause != nil {
				t.Fatal("the wrong attempt was cancelled")
			}
			d.Cancel(1, 1)
			d.Cancel(1, 1)
			answers := d.all(t)
			if len(answers) != c.want || cause != ErrCancelled {
				t.Errorf("%s: answers %+v, cancelled because of %v", name, answers, cause)
			}
			for _, a := range answers {
				if a.Value != c.value || a.Failed() != (c.err != nil) || (a.Verdict == outcome.Infeasible) != (c.err != nil) {
					t.Errorf("%s: %+v", name, a)
				}
			}
			d.Cancel(1, 1) // long gone
		})
	}
}

func TestAPanicOfACancelledAttemptIsNotHeard(t *testing.T) {
	d := newDesk(t.Context(), func(ctx context.Context, task Task) (float64, error) { <-ctx.Done(); return overflow(ctx, task) })
	d.Start(Task{Evaluation: 1, Attempt: 1})
	d.Cancel(1, 1)
	if answers := d.all(t); len(answers) != 0 {
		t.Errorf("the answers are %+v", answers)
	}
}

func TestAnAttemptSeesTheValuesOfItsBaseAndNotItsEnd(t *testing.T) {
	type key struct{}
	synctest.Test(t, func(t *testing.T) {
		base, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "rye"))
		d := newDesk(base, func(ctx context.Context, _ Task) (float64, error) {
			if ctx.Value(key{}) != "rye" {
				t.Errorf("the value is %v", ctx.Value(key{}))
			}
			time.Sleep(time.Minute)
			return 1, ctx.Err()
		})
		d.Start(Task{Evaluation: 1, Attempt: 1})
		time.Sleep(30 * time.Second)
		cancel()
		if answers := d.all(t); len(answers) != 1 || answers[0].Failed() {
			t.Errorf("the answers are %+v", answers)
		}
	})
}

// The deadline of a task is visible, for those who want to plan; the study ends the attempt, not the clock.
func TestADeadlineIsSeenAndDoesNotEndTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		deadline := time.Now().Add(time.Second)
		d := newDesk(t.Context(), func(ctx context.Context, task Task) (float64, error) {
			got, some := ctx.Deadline()
			if some != !task.Deadline.IsZero() || !got.Equal(task.Deadline) {
				t.Errorf("evaluation %d: deadline %v, %v", task.Evaluation, got, some)
			}
			inner, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			if earlier, _ := inner.Deadline(); task.Evaluation == 1 && !earlier.Equal(deadline) {
				t.Errorf("a longer timeout has the deadline %v", earlier)
			}
			time.Sleep(time.Minute)
			return 1, errors.Join(ctx.Err(), context.Cause(ctx))
		})
		d.Start(Task{Evaluation: 1, Attempt: 1, Deadline: deadline})
		d.Start(Task{Evaluation: 2, Attempt: 1})
		limited, cancel := context.WithDeadline(t.Context(), deadline.Add(time.Hour))
		defer cancel()
		base := newDesk(limited, func(ctx context.Context, task Task) (float64, error) {
			want := deadline.Add(time.Hour)
			if task.Evaluation == 1 {
				want = task.Deadline
			}
			if got, _ := ctx.Deadline(); !got.Equal(want) {
				t.Errorf("evaluation %d: deadline %v, want %v, the earlier one", task.Evaluation, got, want)
			}
			return 0, nil
		})
		base.Start(Task{Evaluation: 1, Attempt: 1, Deadline: deadline})
		base.Start(Task{Evaluation: 2, Attempt: 1, Deadline: deadline.Add(2 * time.Hour)})
		base.Start(Task{Evaluation: 3, Attempt: 1})
		base.all(t)
		for _, a := range d.all(t) {
			if a.Failed() {
				t.Errorf("evaluation %d: %v", a.Evaluation, a.Reason)
			}
		}
	})
}

func TestStopCancelsEveryAttemptAndWaitsForNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ended atomic.Int64
		d := newDesk(t.Context(), func(ctx context.Context, _ Task) (float64, error) {
			<-ctx.Done()
			time.Sleep(time.Minute)
			if context.Cause(ctx) == ErrCancelled {
				ended.Add(1)
			}
			return 0, ctx.Err()
		})
		for k := range 10 {
			d.Start(Task{Evaluation: k + 1, Attempt: 1})
		}
		start := time.Now()
		d.Stop()
		d.Stop()
		if n := d.attempts.Running(); n != 10 || time.Since(start) > 0 {
			t.Errorf("%d attempts run after %v", n, time.Since(start))
		}
		if answers := d.all(t); len(answers) != 0 || ended.Load() != 10 {
			t.Errorf("answers %+v, %d contexts ended", answers, ended.Load())
		}
	})
}

func TestARunnerIsSafeForConcurrentUse(t *testing.T) {
	d := newDesk(t.Context(), func(ctx context.Context, task Task) (float64, error) {
		if task.Evaluation%2 == 0 {
			<-ctx.Done()
			return 0, ctx.Err()
		}
		return 1, nil
	})
	done := make(chan struct{})
	for k := 1; k <= 100; k++ {
		go func() {
			d.Start(Task{Evaluation: k, Attempt: 1})
			d.Cancel(k+k%2, 1)
			done <- struct{}{}
		}()
	}
	for range 100 {
		<-done
	}
	d.Stop()
	if answers := d.all(t); len(answers) != 50 {
		t.Errorf("%d answers, want 50", len(answers))
	}
}

func TestWhatAnEarlierAttemptHadLeftIsTheAnswer(t *testing.T) {
	why := fmt.Errorf("%w: no", outcome.ErrInfeasible)
	for _, c := range []struct {
		left outcome.Found
		want outcome.Answer
	}{
		{outcome.Found{Outcome: outcome.Of(3)}, outcome.Answer{Outcome: outcome.Of(3)}},
		{outcome.Found{Err: why}, outcome.Answer{Failure: outcome.Failure{Reason: why.Error(), Verdict: outcome.Infeasible}}},
	} {
		c.want.Evaluation, c.want.Attempt, c.want.Found = 4, 2, true
		if got := one(t, func(context.Context, Task) (float64, error) { return 0, c.left }); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
}
