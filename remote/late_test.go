package remote

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
)

// What is to stop is told whether its time is up, by the clock of the study: with the stop, and where it reports.
func TestAStopSaysThatTheTimeIsUp(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: time.Hour})
	run := start(t, hub, tarry.Options{Budget: 2, Timeout: time.Second, Exclusive: true, Grace: 100 * time.Millisecond})
	w := byHand(t, connect(t, s), "w", "1", 2)
	one, two := got(t, "a job", w.jobs), got(t, "another", w.jobs)
	fatal(t, run.Cancel(one.Evaluation, "no"))
	if stop := got(t, "the stop of what was cancelled", w.jobs); len(stop.Stop) != 1 || stop.Late {
		t.Errorf("%+v", stop)
	}
	if stop := got(t, "the stop of what took too long", w.jobs); len(stop.Stop) != 1 || stop.Stop[0] != two.name() || !stop.Late {
		t.Errorf("%+v", stop)
	}
	var reply reportReply
	w.say("report", reportMessage{id: two.id, Step: new(1.), Value: new(1.)}, &reply)
	if !reply.Stop || !reply.Late {
		t.Errorf("it reports: %+v", reply)
	}
	run.Stop()
	_, _ = run.Wait()
}

// The context of an attempt says whether its time is up, also where the worker, which heard of it later, has some of it left.
func TestAContextSaysThatTheTimeIsUp(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: time.Hour})
	run := start(t, hub, tarry.Options{Budget: 2, Timeout: time.Hour, Name: "timed"})
	w := newGated()
	employ(t, connect(t, s), Worker{Objective: w.evaluate})
	for _, late := range []bool{true, false} {
		q := got(t, "an attempt", w.began)
		to := hub.Workers()[0]
		stop := jobMessage{Stop: []id{{Study: "timed", Evaluation: q.ID.Evaluation, Attempt: q.ID.Attempt}}, Late: late}
		fatal(t, hub.conn.Publish("tarry.job."+to.Name+"."+to.Instance, encode(stop)))
		if cause := got(t, "its end", w.ended); !errors.Is(cause, tarry.ErrCancelled) || errors.Is(cause, context.DeadlineExceeded) != late {
			t.Errorf("it ended with %v, late = %v", cause, late)
		}
		fatal(t, run.Cancel(q.ID.Evaluation, "next"))
	}
	run.Stop()
	_, _ = run.Wait()
}

// What a worker brings of the attempts whose time was up at the end counts, where it runs no more at once than it has slots.
func TestTheLastValuesCount(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: time.Hour})
	run := start(t, hub, tarry.Options{Budget: 3, Timeout: 100 * time.Millisecond, Exclusive: true})
	employ(t, connect(t, s), Worker{Slots: 2, Objective: func(ctx context.Context, _ tarry.Query) (float64, error) {
		<-ctx.Done()
		time.Sleep(100 * time.Millisecond)
		return .42, nil
	}})
	result, err := run.Wait()
	fatal(t, err)
	for _, e := range result.Evaluations {
		if e.Status != tarry.Late || e.Value != .42 {
			t.Errorf("%+v", e)
		}
	}
}

// A worker that joins while the end of a study waits gets no seat there, once it was told that it has ended.
func TestWhoJoinsAtTheEndGetsNoSeat(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: time.Hour})
	run := start(t, hub, tarry.Options{Budget: 1, Timeout: 50 * time.Millisecond, Exclusive: true, Name: "ends", Grace: 2 * time.Second})
	w := byHand(t, connect(t, s), "w", "1", 1)
	got(t, "a job", w.jobs)
	for !got(t, "its stop", w.jobs).Late {
	}
	byHand(t, connect(t, s), "next", "1", 1)
	eventually(t, "the next worker heard of the end", func() bool {
		hub.mutex.Lock()
		defer hub.mutex.Unlock()
		return hub.studies["ends"] != nil && hub.studies["ends"].over && len(hub.workers[key{"next", "1"}].seats) == 0
	})
	if result, err := run.Wait(); result == nil || result.Evaluations[0].Status != tarry.TimedOut {
		t.Error(result, err)
	}
}
