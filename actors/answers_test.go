package actors

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/workers"
)

// elsewhere starts a study in which every answer follows, and returns it with its first queries dispatched.
func elsewhere(t *testing.T, c Config) *story {
	t.Helper()
	c.Objective = following
	s := begin(t, c)
	synctest.Wait()
	return s
}

// One worker starts every evaluation at once, since it is free as soon as it has said that an answer follows.
func TestAnAnswerThatFollowsLeavesItsWorkerFree(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := elsewhere(t, plot(t, 4))
		if got := s.Snapshot(); len(got.Result.Evaluations) != 4 || got.Open != 0 {
			t.Errorf("%d evaluations, %d attempts open", len(got.Result.Evaluations), got.Open)
		}
		for k := 4; k >= 1; k-- {
			time.Sleep(time.Hour)
			if err := s.Tell(k, 1, float64(k)); err != nil {
				t.Error(err)
			}
		}
		end := s.ends()
		if end.Err != nil || end.At != 4*time.Hour || end.Result.Best.Number != 4 {
			t.Errorf("the study ended with %v at %v, the best is %v", end.Err, end.At, end.Result.Best)
		}
		if got := countEvents[loop.AnswerFollows](s.notices); got != 4 {
			t.Errorf("%d answers follow, want 4", got)
		}
	})
}

func TestTellingAgainIsCounted(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := elsewhere(t, plot(t, 2))
		for range 3 {
			if err := s.Tell(1, 1, .5); err != nil {
				t.Error(err)
			}
		}
		if got := s.Snapshot().Result.Counters; got.Repeated != 2 {
			t.Errorf("counters %+v", got)
		}
		s.Stop("enough")
		s.ends()
		if got := len(s.of(loop.FateRepeated)); got != 2 {
			t.Errorf("%d notices of a repeated value", got)
		}
	})
}

func TestTheFirstValueStands(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := elsewhere(t, plot(t, 2))
		if err := s.Tell(1, 1, .5); err != nil {
			t.Error(err)
		}
		err := s.Tell(1, 1, .75)
		if !errors.Is(err, ErrContradiction) || !strings.Contains(err.Error(), "0.5") || !strings.Contains(err.Error(), "0.75") {
			t.Errorf("another value: %v", err)
		}
		s.Stop("enough")
		if end := s.ends(); end.Result.Best.Value != .5 || end.Result.Counters.Contradictory != 1 {
			t.Errorf("the best value is %v, counters %+v", end.Result.Best.Value, end.Result.Counters)
		}
		if got := s.of(loop.FateContradictory); len(got) != 1 || !s.warned("feedback arrived") {
			t.Errorf("notices %+v", got)
		}
	})
}

func TestAnAnswerNamesAnEvaluationAndAnAttempt(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := elsewhere(t, plot(t, 3))
		for _, of := range []struct {
			evaluation, attempt int
			want                string
		}{
			{0, 1, "1 … 3"}, {-5, 1, "1 … 3"}, {4, 1, "1 … 3"}, {math.MaxInt, 1, "1 … 3"},
			{2, 0, "1 … 1"}, {2, -1, "1 … 1"}, {2, 2, "1 … 1"},
		} {
			for what, err := range map[string]error{"value": s.Tell(of.evaluation, of.attempt, 1), "failure": s.Fail(of.evaluation, of.attempt, "burnt")} {
				if !errors.Is(err, ErrUnknownEvaluation) || !strings.Contains(err.Error(), of.want) {
					t.Errorf("a %s of evaluation %d, attempt %d: %v", what, of.evaluation, of.attempt, err)
				}
			}
		}
		s.Stop("enough")
		if end := s.ends(); end.Result.Counters.Unknown != 14 || len(s.of(loop.FateUnknown)) != 14 {
			t.Errorf("counters %+v", end.Result.Counters)
		}
	})
}

func TestAValueThatIsNoNumberIsRefusedAndTheNextIsTaken(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := elsewhere(t, plot(t, 1))
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if err := s.Tell(1, 1, v); !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), "a finite number") {
				t.Errorf("%v: %v", v, err)
			}
		}
		if err := s.Tell(1, 1, 2); err != nil {
			t.Error(err)
		}
		if end := s.ends(); end.Result.Best.Value != 2 || end.Result.Counters != (loop.Counters{}) {
			t.Errorf("the best is %v, counters %+v", end.Result.Best, end.Result.Counters)
		}
	})
}

func TestAnAnswerThatDoesNotFollowTimesOut(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 2)
		c.Study.Timeout, c.Study.Initial = time.Minute, 2
		s := elsewhere(t, c)
		time.Sleep(30 * time.Second)
		if err := s.Tell(2, 1, 1); err != nil {
			t.Error(err)
		}
		time.Sleep(29 * time.Second)
		if got := statuses(s.Snapshot().Result); !slices.Equal(got, []loop.Status{loop.Pending, loop.Observed}) {
			t.Errorf("the evaluations are %v", got)
		}
		time.Sleep(time.Second)
		end := s.ends()
		if got := statuses(end.Result); !slices.Equal(got, []loop.Status{loop.TimedOut, loop.Observed}) || end.At != time.Minute {
			t.Errorf("the evaluations are %v at %v", got, end.At)
		}
		if got := s.of(loop.FateTimedOut); len(got) != 1 || !s.warned("time passed") {
			t.Errorf("notices %+v", got)
		}
	})
}

// After its timeout an evaluation is given up. While the study goes on its value is taken all the same.
func TestAValueAfterTheTimeoutIsLate(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 4)
		c.Study.Timeout, c.Study.Initial = time.Minute, 2
		c.Objective = func(ctx context.Context, task workers.Task) (float64, error) {
			if task.Evaluation < 3 {
				return following(ctx, task)
			}
			return lasting(50*time.Second)(ctx, task)
		}
		s := begin(t, c)
		time.Sleep(61 * time.Second)
		if err := s.Tell(1, 1, 9); err != nil {
			t.Error(err)
		}
		end := s.ends()
		want := []loop.Status{loop.Late, loop.TimedOut, loop.Observed, loop.Observed}
		if got := statuses(end.Result); !slices.Equal(got, want) || end.Result.Best.Value != 9 {
			t.Errorf("the evaluations are %v, want %v; the best is %v", got, want, end.Result.Best)
		}
		if got := s.of(loop.FateLate); len(got) != 1 || !got[0].Improved || !s.warned("new incumbent") {
			t.Errorf("notices %+v", got)
		}
	})
}

// The first attempt took too long and the second runs, when the value of the first comes after all.
func TestAValueOfAnEarlierAttemptIsTakenAndTheLaterOneCancelled(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		var causes []error
		c := plot(t, 1)
		c.Study.Timeout, c.Study.Retries = time.Minute, 1
		c.Objective = func(ctx context.Context, _ workers.Task) (float64, error) {
			<-ctx.Done()
			causes = append(causes, context.Cause(ctx))
			return 0, ctx.Err()
		}
		s := begin(t, c)
		time.Sleep(90 * time.Second)
		if err := s.Fail(1, 1, "too late to matter"); err != nil {
			t.Error(err)
		}
		if err := s.Tell(1, 1, 3); err != nil {
			t.Error(err)
		}
		end := s.ends()
		if e := end.Result.Evaluations[0]; e.Status != loop.Observed || e.Attempt != 2 || end.At != 90*time.Second {
			t.Errorf("the evaluation is %v after %d attempts at %v", e.Status, e.Attempt, end.At)
		}
		if want := slices.Repeat([]error{workers.ErrCancelled}, 2); !slices.Equal(causes, want) {
			t.Errorf("the contexts ended because of %v", causes)
		}
	})
}

// Somebody else brings what an objective is still at: nobody waits for it any longer.
func TestAnAnswerFromElsewhereEndsTheAttempt(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		var ended []workers.Task
		c := plot(t, 2)
		c.Study.Initial = 2
		c.Objective = func(ctx context.Context, task workers.Task) (float64, error) {
			<-ctx.Done()
			if context.Cause(ctx) == workers.ErrCancelled {
				ended = append(ended, task)
			}
			return 0, ctx.Err()
		}
		s := begin(t, c)
		time.Sleep(time.Second)
		if err := s.Tell(1, 1, 3); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if len(ended) != 1 || ended[0].Evaluation != 1 {
			t.Errorf("a value came from elsewhere, and the contexts of %+v ended", ended)
		}
		if err := s.Fail(2, 1, "burnt"); err != nil {
			t.Error(err)
		}
		end := s.ends()
		if len(ended) != 2 || ended[1].Evaluation != 2 {
			t.Errorf("a failure came from elsewhere, and the contexts of %+v ended", ended)
		}
		if got := statuses(end.Result); !slices.Equal(got, []loop.Status{loop.Observed, loop.Failed}) {
			t.Errorf("the evaluations are %v", got)
		}
	})
}

func TestFailingFromElsewhereIsAFailedAttempt(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 1)
		c.Study.Retries = 1
		s := elsewhere(t, c)
		for attempt := 1; attempt <= 2; attempt++ {
			synctest.Wait()
			if err := s.Fail(1, attempt, "burnt"); err != nil {
				t.Error(err)
			}
			_ = s.Fail(1, attempt, "burnt, as I said") // a repeat, unless the study has ended
		}
		end := s.ends()
		if e := end.Result.Evaluations[0]; e.Status != loop.Failed || e.Reason != "burnt" || end.Result.Best != nil {
			t.Errorf("the evaluation is %v: %s", e.Status, e.Reason)
		}
		if got := s.of(loop.FateTriedAgain); len(got) != 1 || end.Result.Counters.Repeated != 1 {
			t.Errorf("notices %+v, counters %+v", got, end.Result.Counters)
		}
	})
}

func TestNothingIsTakenAfterTheEnd(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := begin(t, plot(t, 2))
		end := s.ends()
		for what, err := range map[string]error{"value": s.Tell(1, 1, 99), "failure": s.Fail(1, 1, "burnt")} {
			if !errors.Is(err, ErrEnded) {
				t.Errorf("a %s after the end: %v", what, err)
			}
		}
		if err := s.Tell(1, 1, end.Result.Evaluations[0].Value); err != nil {
			t.Errorf("a value that is known, after the end: %v", err)
		}
		s.ends()
	})
}

// An objective may do with its query what it likes; readers of notices may keep theirs.
func TestAQueryBelongsToItsObjective(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 20)
		c.Workers, c.Study.Initial = 4, 4
		c.Objective = func(_ context.Context, task workers.Task) (float64, error) {
			value := gain(task.X)
			task.X[0], task.X[1] = -1, -1
			return value, nil
		}
		var queries [][]float64
		c.OnEvent = func(n Notice) {
			for _, effect := range n.Reaction.Effects {
				if d, ok := effect.(loop.Dispatch); ok {
					queries = append(queries, d.X)
				}
			}
		}
		s := begin(t, c)
		end := s.ends()
		for i, x := range queries {
			if value := end.Result.Evaluations[i].Value; gain(x) != value {
				t.Errorf("query %d was %v, with value %v", i+1, x, value)
			}
		}
	})
}
