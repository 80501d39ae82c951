package remote

import (
	"context"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// countOf is how many evaluations of a run have a status.
func countOf(run *tarry.Run, s loop.Status) int { return run.Snapshot().Count(s) }

// Of a study that is held nothing begins, and others get its slots; what runs comes to its end and counts, and it takes what anybody brings.
func TestAStudyThatIsHeldGetsNoSlots(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{})
	mine, others := newGated(), newGated()
	employ(t, connect(t, s), Worker{Slots: 2, Evaluate: func(ctx context.Context, j *Job) (tarry.Outcome, error) {
		g := map[string]*gated{"held": mine, "other": others}[j.Study.Name]
		v, err := g.evaluate(ctx, j.Query())
		return tarry.Outcome{Value: v}, err
	}})
	held := start(t, hub, tarry.Options{Budget: 9, Name: "held"})
	got(t, "an attempt", mine.began)
	got(t, "another", mine.began)
	hub.Hold("held", true)
	hub.Hold("held", true)
	other := start(t, hub, tarry.Options{Budget: 9, Name: "other"})
	mine.values <- 1
	got(t, "the slot of what has ended", others.began)
	mine.values <- 2
	got(t, "the other one", others.began)
	fatal(t, held.Observe(tarry.Point{0.5, 0.5}, 3))
	fatal(t, held.Enqueue(tarry.Point{0.25, 0.5}))
	if n := countOf(held, tarry.Observed); n != 3 || len(mine.began) > 0 || len(others.began) > 0 {
		t.Errorf("%d were observed; begun: %d and %d", n, len(mine.began), len(others.began))
	}
	others.values <- 1
	got(t, "the next one", others.began)
	hub.Hold("held", false)
	others.values <- 1
	for q := range 2 { // one slot is its share
		if x := got(t, "what goes on", mine.began).X; q == 0 && (x[0] != 0.25 || x[1] != 0.5) {
			t.Error("the point that was named is not the next:", x)
		}
		mine.values <- 1
	}
	for _, run := range []*tarry.Run{held, other} {
		run.Stop()
		_, _ = run.Wait()
	}
}

// What a hub gave out before counts with the next one, where the study is held from its start: while it runs it takes slots, and then others get them.
func TestAStudyThatIsHeldTakesWhatTheHubBeforeGaveOut(t *testing.T) {
	s := serve(t)
	first, c := newHub(t, connect(t, s), Options{Heartbeat: brief, Epoch: 1}), connect(t, s)
	w, store := newGated(), &journal.Memory{}
	run := start(t, first, tarry.Options{Budget: 9, Journal: store, Name: "held"})
	employ(t, c, Worker{Objective: w.evaluate, Slots: 2})
	one := got(t, "an attempt", w.began)
	two := got(t, "another", w.began)
	first.Close()
	run.Pause(true)
	_, err := run.Wait()
	fatal(t, err)
	hub := newHub(t, connect(t, s), Options{Heartbeat: brief, Epoch: 2})
	hub.Hold("held", true)
	run, err = tarry.Resume(t.Context(), store, nil, tarry.Options{Remote: hub, Name: "held"})
	fatal(t, err)
	eventually(t, "the worker is there", func() bool { all := hub.Workers(); return len(all) == 1 && all[0].Strays == 2 })
	other := start(t, hub, tarry.Options{Budget: 1, Name: "other"})
	fatal(t, run.Cancel(max(one.ID.Evaluation, two.ID.Evaluation), "not wanted"))
	got(t, "the end of what was cancelled", w.ended)
	got(t, "its slot", w.began)
	w.values <- 1
	w.values <- 1
	_, err = other.Wait()
	fatal(t, err)
	eventually(t, "the value counts", func() bool { return countOf(run, tarry.Observed) == 1 })
	if all := run.Snapshot().Evaluations; len(all) != 2 || len(w.began) > 0 {
		t.Errorf("%d evaluations, %d begun", len(all), len(w.began))
	}
	hub.Hold("held", false)
	got(t, "what goes on", w.began)
	run.Stop()
	_, _ = run.Wait()
}

// An attempt that has come to its end takes no slot where nobody can take its answer yet, since its study is not there.
func TestWhatWaitsForItsStudyTakesNoSlot(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: time.Hour})
	w := byHand(t, connect(t, s), "w", "1", 2)
	gone := []id{{Study: "gone", Evaluation: 1, Attempt: 1, Token: "a"}, {Study: "gone", Evaluation: 2, Attempt: 1, Token: "b"}}
	beat := func(want int) {
		t.Helper()
		w.say("hb", beatMessage{Slots: 2, Running: gone}, &beatReply{})
		if n := hub.Workers()[0].Strays; n != want {
			t.Errorf("%d strays, want %d", n, want)
		}
	}
	beat(2)
	if reply := w.result(resultMessage{id: gone[0], Outcome: &foundMessage{Value: new(1.)}}); !reply.Later {
		t.Errorf("%+v", reply)
	}
	beat(1)
	w.result(resultMessage{id: gone[1], Outcome: &foundMessage{Value: new(2.)}})
	run := start(t, hub, tarry.Options{Budget: 2, Name: "other"})
	beat(0)
	got(t, "a job", w.jobs)
	got(t, "another", w.jobs)
	w.say("join", joinMessage{Version: Version, Slots: 2, Running: gone}, &joinReply{})
	if n := hub.Workers()[0].Strays; n != 0 {
		t.Errorf("%d strays after it joined anew", n)
	}
	run.Stop()
	_, _ = run.Wait()
}
