package remote

import (
	"errors"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
)

// What nobody waits for is stopped at once: after a timeout, and when it was cancelled.
func TestWhatNobodyWaitsForIsStopped(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: time.Hour})
	run := start(t, hub, tarry.Options{Budget: 2, Timeout: 50 * time.Millisecond})
	w := newGated()
	employ(t, connect(t, s), Worker{Objective: w.evaluate})
	got(t, "the first attempt", w.began)
	if cause := got(t, "its end", w.ended); !errors.Is(cause, tarry.ErrCancelled) {
		t.Error(cause)
	}
	got(t, "the second attempt", w.began)
	fatal(t, run.Cancel(2, "changed my mind"))
	got(t, "its end", w.ended)
	got(t, "the third attempt", w.began) // the budget of the second came back
	w.values <- 3
	result, err := run.Wait()
	fatal(t, err)
	if result.Evaluations[0].Status != tarry.TimedOut || result.Evaluations[1].Status != tarry.Cancelled || result.Best.Value != 3 {
		t.Errorf("%v", result.Evaluations)
	}
}

// An attempt that was stopped has its slot until it has returned, where the study says so: also for a hub that does not know of it.
func TestAnExclusiveSlotIsBusyUntilItsAttemptHasReturned(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: time.Hour})
	run := start(t, hub, tarry.Options{Budget: 1, Name: "alone", Exclusive: true})
	w := newGated()
	employ(t, connect(t, s), Worker{Objective: w.stubborn})
	got(t, "the first attempt", w.began)
	to, first := hub.Workers()[0], id{Study: "alone", Evaluation: 1, Attempt: 1}
	next := jobMessage{id: id{Study: "alone", Evaluation: 2, Attempt: 1}, About: hub.find("alone").about, X: point{0, 0}}
	for _, m := range []jobMessage{{Stop: []id{first}}, next} {
		fatal(t, hub.conn.Publish("tarry.job."+to.Name+"."+to.Instance, encode(m)))
	}
	fatal(t, hub.conn.Flush())
	time.Sleep(200 * time.Millisecond)
	if len(w.began) > 0 {
		t.Error("the second attempt runs beside the first, in one slot")
	}
	w.values <- 1
	w.values <- 2
	got(t, "the second attempt", w.began)
	if r, err := run.Wait(); err != nil || r.Best.Value != 1 {
		t.Error(r, err)
	}
}

// A stop that is lost is said again with the next heartbeat, also for attempts that the hub does not know or that were settled meanwhile.
func TestHeartbeatsAreAnsweredWithWhatIsToStop(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: time.Hour, Settle: time.Nanosecond})
	run := start(t, hub, tarry.Options{Budget: 3})
	w := byHand(t, connect(t, s), "w", "1", 3)
	cancelled, settled, wanted := got(t, "a job", w.jobs), got(t, "a second", w.jobs), got(t, "a third", w.jobs)
	fatal(t, run.Cancel(cancelled.Evaluation, "no"))
	if stop := got(t, "the stop", w.jobs); len(stop.Stop) != 1 || stop.Stop[0] != cancelled.name() {
		t.Errorf("%+v", stop)
	}
	fatal(t, run.Tell(tarry.EvaluationID{Evaluation: settled.Evaluation, Attempt: 1}, 5))
	for said := (jobMessage{}); len(said.Stop) == 0; { // the budget of the cancelled one may come back before
		if said = got(t, "the stop of what was told", w.jobs); len(said.Stop) > 0 && said.Stop[0] != settled.name() {
			t.Errorf("%+v", said)
		}
	}
	forged := wanted.id
	forged.Token = "AAAA"
	var reply beatReply
	for _, c := range []struct {
		running []id
		stop    []id
	}{
		{[]id{cancelled.id, settled.id, wanted.id}, []id{cancelled.name(), settled.name()}},
		{[]id{{Study: "elsewhere", Evaluation: 1, Attempt: 1}}, []id{{Study: "elsewhere", Evaluation: 1, Attempt: 1}}},
		{nil, nil},
	} {
		reply = beatReply{}
		w.say("hb", beatMessage{Slots: 3, Running: c.running}, &reply)
		if len(reply.Stop) != len(c.stop) || reply.Rejoin {
			t.Errorf("with %v it is to stop %v, want %v", c.running, reply.Stop, c.stop)
		}
		for i := range reply.Stop {
			if reply.Stop[i] != c.stop[i] {
				t.Errorf("with %v it is to stop %v, want %v", c.running, reply.Stop, c.stop)
			}
		}
	}
	stranger := byHand(t, connect(t, s), "v", "1", 1)
	stranger.c.key.instance = "2"
	if reply = (beatReply{}); true {
		stranger.say("hb", beatMessage{Slots: 1, Running: []id{wanted.id}}, &reply)
	}
	if !reply.Rejoin {
		t.Error("a worker that never joined is not told to")
	}
	run.Stop()
	_, err := run.Wait()
	fatal(t, err)
}

// A job that did not reach its worker is sent again when the worker does not name it; one that did is not.
func TestAJobThatWasLostIsSentAgain(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: time.Millisecond, Missed: 1000})
	run := start(t, hub, tarry.Options{Budget: 2})
	w := byHand(t, connect(t, s), "w", "1", 2)
	lost, there := got(t, "a job", w.jobs), got(t, "another", w.jobs)
	eventually(t, "it is sent again", func() bool {
		var reply beatReply
		w.say("hb", beatMessage{Slots: 2, Running: []id{there.id}}, &reply)
		return len(w.jobs) > 0
	})
	for len(w.jobs) > 0 {
		if again := <-w.jobs; again.name() != lost.name() || again.Token != lost.Token {
			t.Errorf("%+v was sent again", again)
		}
	}
	w.result(found(lost.id, 1))
	w.result(found(there.id, 2))
	_, err := run.Wait()
	fatal(t, err)
}

// What a worker runs with the token of a study that is gone is not the job of that number of the study that is there: the one is to stop, and
// the other is sent again.
func TestAnAttemptOfAnOtherTokenIsNotTheJob(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: time.Millisecond, Missed: 1000, Settle: time.Nanosecond})
	run := start(t, hub, tarry.Options{Budget: 1})
	w := byHand(t, connect(t, s), "w", "1", 1)
	lost := got(t, "a job", w.jobs)
	old := lost.id
	old.Token = "AAAAAAAAAAAAAAAAAAAAAA"
	eventually(t, "it is sent again", func() bool {
		var reply beatReply
		w.say("hb", beatMessage{Slots: 1, Running: []id{old}}, &reply)
		if len(reply.Stop) != 1 || reply.Stop[0] != lost.name() {
			t.Errorf("it is to stop %v, want what runs for nobody", reply.Stop)
		}
		return len(w.jobs) > 0
	})
	if again := got(t, "the job again", w.jobs); again.Token != lost.Token {
		t.Errorf("%+v was sent again", again)
	}
	w.result(found(lost.id, 1))
	_, err := run.Wait()
	fatal(t, err)
}

// A worker hears the hub with the greatest epoch that it has heard of, and no other.
func TestAHubWithALowerEpochIsIgnored(t *testing.T) {
	s := serve(t)
	old := newHub(t, connect(t, s), Options{Epoch: 1, Heartbeat: brief})
	w := newGated()
	log, logs := logged()
	employ(t, connect(t, s), Worker{Objective: w.evaluate, Logger: log})
	eventually(t, "it joins", func() bool { return len(old.Workers()) == 1 })
	hub := newHub(t, connect(t, s), Options{Epoch: 2, Heartbeat: brief})
	eventually(t, "it goes over", func() bool { return len(hub.Workers()) == 1 && len(old.Workers()) == 0 })
	stale := start(t, old, tarry.Options{Budget: 1, Name: "stale"})
	run := start(t, hub, tarry.Options{Budget: 1, Name: "fresh"})
	j := jobMessage{Epoch: 1, id: id{Study: "stale", Evaluation: 1, Attempt: 1}, X: point{0, 0}}
	name := hub.Workers()[0]
	fatal(t, old.conn.Publish("tarry.job."+name.Name+"."+name.Instance, encode(j)))
	got(t, "an attempt", w.began)
	w.values <- 4
	result, err := run.Wait()
	fatal(t, err)
	eventually(t, "the job of the old one is ignored", func() bool { return logs.FilterMessage("job of an older hub ignored").Len() == 1 })
	if result.Best.Value != 4 || len(w.began) > 0 || len(stale.Snapshot().Evaluations) > 0 {
		t.Errorf("%v", result)
	}
	stale.Stop()
	_, err = stale.Wait()
	fatal(t, err)
}
