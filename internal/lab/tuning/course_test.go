package tuning

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

const ms = time.Millisecond

// told makes the events of a study by hand.
func told(workers int, events ...tarry.Event) course {
	c := newCourse(workers)
	for _, e := range events {
		c.apply(e)
	}
	return c
}

// goes is a dispatch of evaluations to workers at a time: number, worker, number, worker …
func goes(at time.Duration, pairs ...int) tarry.Event {
	e := tarry.Event{At: at, Event: loop.Woke{}}
	for i := 0; i < len(pairs); i += 2 {
		x := []float64{float64(pairs[i]), 0.5}
		e.Reaction.Effects = append(e.Reaction.Effects, loop.Dispatch{Evaluation: pairs[i], Attempt: 1, Worker: pairs[i+1], X: x})
	}
	return e
}

// comes is the value of an evaluation, and what is sent out then.
func comes(at time.Duration, number int, value float64, improved bool, next ...int) tarry.Event {
	e := goes(at, next...)
	e.Event, e.Improved = loop.FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Of(value)}, improved
	e.Evaluation = ended(number, tarry.Observed, at, value)
	return e
}

func ended(number int, s tarry.Status, at time.Duration, value float64) loop.Evaluation {
	return loop.Evaluation{Query: policies.Query{Number: number}, Status: s, Ended: at, Outcome: outcome.Of(value)}
}

// cut is an evaluation that was under way on a worker when the study ended.
func cut(number, worker int, at time.Duration) loop.Evaluation {
	e := ended(number, tarry.Cancelled, at, 0)
	e.Worker = worker
	return e
}

// fails is the end of an evaluation without a value.
func fails(at time.Duration, number int) tarry.Event {
	return tarry.Event{At: at, Event: loop.EvaluationFailed{Evaluation: number, Attempt: 1}, Evaluation: ended(number, tarry.Failed, at, 0)}
}

// stops is the end of a study whose evaluations ended as given.
func stops(at time.Duration, all ...loop.Evaluation) tarry.Event {
	e := tarry.Event{At: at, Event: loop.StopRequested{Reason: "the end"}}
	for _, v := range all {
		if v.Worker > 0 && v.Status == tarry.Cancelled {
			e.Reaction.Effects = append(e.Reaction.Effects, loop.Cancel{Evaluation: v.Number, Attempt: 1, Worker: v.Worker})
		}
	}
	e.Reaction.Effects = append(e.Reaction.Effects, loop.Finish{Result: loop.Result{Evaluations: all}})
	return e
}

func TestAWorkerIsBusyFromDispatchToAnswer(t *testing.T) {
	c := told(2, goes(0, 1, 1, 2, 2), comes(300*ms, 2, 0.9, true, 3, 2))
	if !slices.Equal(c.lanes, []int{1, 3}) || c.tally() != (tally{finished: 1, pending: 2}) {
		t.Errorf("lanes %v, %+v", c.lanes, c.tally())
	}
	if number, best := c.incumbent(); number != 2 || best.value != 0.9 || best.ended != 300*ms {
		t.Errorf("incumbent %d: %+v", number, best)
	}
	if got := c.busy(500 * ms); got != 1 {
		t.Errorf("busy %v", got)
	}
	c.apply(fails(500*ms, 3))
	if got, want := c.busy(1000*ms), 0.75; got != want {
		t.Errorf("busy %v, want %v", got, want)
	}
	if got := c.longest(1000 * ms); got != 1000*ms {
		t.Errorf("longest %v", got)
	}
	if c.tally() != (tally{finished: 1, pending: 1, failed: 1}) || c.lanes[1] != 0 {
		t.Errorf("lanes %v, %+v", c.lanes, c.tally())
	}
}

func TestATimeoutFreesTheWorkerAndALateValueCounts(t *testing.T) {
	timeout := goes(800*ms, 2, 1)
	timeout.Reaction.Effects = append([]loop.Effect{loop.Cancel{Evaluation: 1, Attempt: 1, Worker: 1}}, timeout.Reaction.Effects...)
	c := told(1, goes(0, 1, 1), timeout)
	if c.tally() != (tally{failed: 1, pending: 1}) || c.lanes[0] != 2 || c.spans[0].status != tarry.TimedOut {
		t.Errorf("lanes %v, %+v", c.lanes, c.tally())
	}
	late := comes(900*ms, 1, 0.8, true)
	late.Evaluation.Status = tarry.Late
	c.apply(late)
	if c.tally() != (tally{finished: 1, pending: 1}) || c.lanes[0] != 2 || c.spans[0].ended != 800*ms {
		t.Errorf("a late value must not take the lane of another: lanes %v, %+v", c.lanes, c.spans)
	}
}

func TestWhatIsPendingAtTheEndIsCancelled(t *testing.T) {
	c := told(2, goes(0, 1, 1, 2, 2), comes(100*ms, 1, 0.7, true),
		stops(400*ms, ended(1, tarry.Observed, 100*ms, 0.7), cut(2, 2, 400*ms), ended(3, tarry.Cancelled, 400*ms, 0)))
	if c.tally() != (tally{finished: 1, cancelled: 1}) || c.lanes[1] != 0 || c.at != 400*ms {
		t.Errorf("an evaluation that was never sent out is none: %+v, %+v", c.tally(), c)
	}
}

func TestARetryBeginsAnew(t *testing.T) {
	again := goes(300*ms, 1, 2)
	again.Event = loop.EvaluationFailed{Evaluation: 1, Attempt: 1}
	again.Evaluation = loop.Evaluation{Query: policies.Query{Number: 1}, Status: tarry.Pending}
	c := told(1, goes(0, 1, 1), again)
	if len(c.lanes) != 2 || c.lanes[1] != 1 || c.spans[0].began != 300*ms || c.tally().pending != 1 {
		t.Errorf("%+v", c)
	}
}

func TestACourseAgreesWithTheResultOfTheStudy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		space := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		c := newCourse(3)
		policy, _ := tarry.ParsePolicy("random")
		result, _ := tarry.Maximize(ctx, space, func(ctx context.Context, q tarry.Query) (float64, error) {
			select {
			case <-time.After(time.Duration(q.X[0] * float64(2*time.Second))):
			case <-ctx.Done():
				return 0, ctx.Err()
			}
			if q.X[0] < 0.2 {
				panic("too small")
			}
			return q.X[0] * (1.4 - q.X[0]), nil
		}, tarry.Options{Budget: 100, Workers: 3, Policy: policy, Timeout: 1500 * ms, OnEvent: c.apply})
		if len(result.Evaluations) != len(c.spans) || len(c.spans) < 20 {
			t.Fatalf("%d spans, %d evaluations", len(c.spans), len(result.Evaluations))
		}
		for i, e := range result.Evaluations {
			if s := c.spans[i]; s.status != e.Status || s.value != e.Value || s.began != e.Began || s.ended != e.Ended || s.worker != e.Worker || s.x[0] != e.X[0] {
				t.Errorf("span %+v, evaluation %v began %v ended %v", s, e, e.Began, e.Ended)
			}
		}
		var best []int
		for _, e := range result.Incumbents() {
			best = append(best, e.ID.Evaluation)
		}
		got := c.tally()
		if !slices.Equal(best, c.best) || got.failed != result.Count(tarry.Failed)+result.Count(tarry.TimedOut) || got.failed < 2 || got.cancelled != 3 {
			t.Errorf("incumbents %v, want %v; %+v", c.best, best, got)
		}
	})
}
