package remote

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// A worker whose connection is gone without a word is taken for lost after three heartbeats, and what it ran starts elsewhere.
func TestWhatAKilledWorkerRanStartsElsewhere(t *testing.T) {
	s := serve(t)
	log, logs := logged()
	hub := newHub(t, connect(t, s), Options{Logger: log, Heartbeat: brief})
	run := start(t, hub, tarry.Options{Budget: 1})
	killed, other := newGated(), newGated()
	wire := connect(t, s)
	employ(t, wire, Worker{Objective: killed.stubborn, Name: "killed", Grace: time.Millisecond})
	first := got(t, "the first attempt", killed.began)
	employ(t, connect(t, s), Worker{Objective: other.evaluate, Name: "other"})
	wire.Close()
	gone := time.Now()
	second := got(t, "the second attempt", other.began)
	took := time.Since(gone)
	other.values <- 5
	result, err := run.Wait()
	fatal(t, err)
	if first.ID.Evaluation != second.ID.Evaluation || second.ID.Attempt != 2 || result.Best.Value != 5 || result.Counters.Vanished != 1 {
		t.Errorf("%v, then %v; best %v, %+v", first.ID, second.ID, result.Best, result.Counters)
	}
	if logs.FilterMessage("worker lost").Len() != 1 {
		t.Error("nothing was said of it")
	}
	t.Logf("elsewhere after %v, heartbeats of %v", took, brief)
	killed.values <- 0
}

// A worker that froze is taken for lost. When it is back it joins anew, its answer is late and counts, once, and what was started elsewhere
// is stopped.
func TestTheAnswerOfAFrozenWorkerIsLateAndCounts(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: brief})
	store := &journal.Memory{}
	run := start(t, hub, tarry.Options{Budget: 1, Journal: store})
	slow, other := newGated(), newGated()
	cold := &ice{}
	employ(t, connect(t, s, nats.SetCustomDialer(cold)), Worker{Objective: slow.evaluate, Name: "slow"})
	first := got(t, "the first attempt", slow.began)
	cold.Lock()
	employ(t, connect(t, s), Worker{Objective: other.evaluate, Name: "other"})
	second := got(t, "the second attempt", other.began)
	slow.values <- 7
	cold.Unlock()
	if cause := got(t, "the stop of the second attempt", other.ended); !errors.Is(cause, tarry.ErrCancelled) {
		t.Errorf("it was stopped for %v", cause)
	}
	result, err := run.Wait()
	fatal(t, err)
	if e := result.Evaluations[0]; first.ID.Attempt != 1 || second.ID.Attempt != 2 || second.ID.Evaluation != 1 || e.Value != 7 {
		t.Errorf("%v, then %v: %v", first.ID, second.ID, e.Value)
	}
	if result.Counters.Vanished != 1 || result.Counters.Contradictory != 0 || len(result.Evaluations) != 1 {
		t.Errorf("%+v", result.Counters)
	}
	values := 0
	for _, r := range store.All() {
		if e, is := r.Event.Event.(loop.FeedbackArrived); is && e.Evaluation == 1 {
			values++
		}
	}
	if _, _, err := journal.Replay(store); err != nil || values < 1 {
		t.Errorf("%d values of evaluation 1 in the journal: %v", values, err)
	}
}

// The hub is gone and comes back with a higher epoch and the same key: what ran is answered to the new one, late, and counts.
func TestAnswersToAnOlderHubCount(t *testing.T) {
	s := serve(t)
	old := newHub(t, connect(t, s), Options{Epoch: 3, Heartbeat: brief})
	store := &journal.Memory{}
	run := start(t, old, tarry.Options{Budget: 3, Journal: store, Name: "kept"})
	w := newGated()
	employ(t, connect(t, s), Worker{Objective: w.evaluate, Slots: 2})
	got(t, "an attempt", w.began)
	got(t, "another", w.began)
	old.Close()
	run.Pause(true)
	if _, err := run.Wait(); err != nil {
		t.Fatal(err)
	}
	w.values <- 10 // while nobody is there
	hub := newHub(t, connect(t, s), Options{Epoch: 4, Heartbeat: brief})
	policy, err := tarry.ParsePolicy("random")
	fatal(t, err)
	run, err = tarry.Resume(t.Context(), store, nil, tarry.Options{Remote: hub, Name: "kept", Policy: policy})
	fatal(t, err)
	for k := range 5 {
		w.values <- float64(k)
	}
	result, err := run.Wait()
	fatal(t, err)
	if result.Best.Value != 10 || len(result.Evaluations) != 3 || result.Counters.Restarts != 1 {
		t.Errorf("best %v, %d evaluations, %+v", result.Best, len(result.Evaluations), result.Counters)
	}
	if best := result.Best; best.ID.Evaluation > 2 {
		t.Errorf("the answer to the old hub is that of evaluation %v", best.ID)
	}
	if _, _, err := journal.Replay(store); err != nil {
		t.Error(err)
	}
}

// A report of an attempt that an older hub gave out ends it only where its value counts no more, also when another attempt was begun.
func TestWhatReportsToANewerHubGoesOn(t *testing.T) {
	s := serve(t)
	old := newHub(t, connect(t, s), Options{Epoch: 3, Heartbeat: time.Hour})
	store := &journal.Memory{}
	run := start(t, old, tarry.Options{Budget: 3, Journal: store, Name: "kept"})
	worker := byHand(t, connect(t, s), "w", "1", 3)
	goes, cancelled, told := got(t, "a job", worker.jobs), got(t, "another", worker.jobs), got(t, "a third", worker.jobs)
	old.Close()
	run.Pause(true)
	_, err := run.Wait()
	fatal(t, err)
	hub := newHub(t, connect(t, s), Options{Epoch: 4, Heartbeat: time.Hour})
	policy, err := tarry.ParsePolicy("random")
	fatal(t, err)
	run, err = tarry.Resume(t.Context(), store, nil, tarry.Options{Remote: hub, Name: "kept", Policy: policy})
	fatal(t, err)
	worker.reports(goes, 1, false) // and nobody has another attempt
	var joined joinReply
	worker.say("join", joinMessage{Version: Version, Slots: 9, Running: []id{goes.id, cancelled.id, told.id}}, &joined)
	again := got(t, "a second attempt", worker.jobs)
	for again.name() != (id{Study: "kept", Evaluation: goes.Evaluation, Attempt: 2}) {
		again = got(t, "its second attempt", worker.jobs)
	}
	worker.reports(goes, 2, false)
	worker.reports(again, 1, false)
	fatal(t, run.Cancel(cancelled.Evaluation, "no"))
	fatal(t, run.Tell(tarry.EvaluationID{Evaluation: told.Evaluation, Attempt: 1}, 5))
	worker.reports(cancelled, 1, true)
	worker.reports(told, 1, true)
	if reply := worker.result(found(goes.id, 7)); reply.Error != "" || reply.Later {
		t.Errorf("%+v", reply)
	}
	worker.reports(goes, 3, true)
	worker.reports(again, 2, true)
	if best := run.Snapshot().Best; best.Value != 7 || best.ID.Evaluation != goes.Evaluation {
		t.Errorf("best %v", best)
	}
	run.Stop()
	_, err = run.Wait()
	fatal(t, err)
}

// An attempt at a study that is gone makes room for that of the same number at the one that has its name now, where nobody else stops it.
func TestAnAttemptAtAStudyThatIsGoneMakesRoom(t *testing.T) {
	s := serve(t)
	old := newHub(t, connect(t, s), Options{Epoch: 3, Heartbeat: brief})
	before := start(t, old, tarry.Options{Budget: 1, Name: "same", Seed: 7})
	w, identities := newGated(), make(chan string, 10)
	employ(t, connect(t, s), Worker{Slots: 2, Evaluate: func(ctx context.Context, j *Job) (tarry.Outcome, error) {
		identities <- j.Study.Identity
		value, err := w.evaluate(ctx, j.Query())
		return tarry.Outcome{Value: value}, err
	}})
	first := got(t, "an attempt", w.began)
	old.Close()
	before.Stop()
	if _, err := before.Wait(); err != nil && !errors.Is(err, tarry.ErrNoValue) {
		t.Fatal(err)
	}
	hub := newHub(t, connect(t, s), Options{Epoch: 4, Heartbeat: brief})
	run := start(t, hub, tarry.Options{Budget: 1, Name: "same", Seed: 7})
	if cause := got(t, "the end of the attempt before", w.ended); !errors.Is(cause, tarry.ErrCancelled) {
		t.Error(cause)
	}
	if now := got(t, "the attempt of now", w.began); now.ID != first.ID || !slices.Equal(now.X, first.X) {
		t.Errorf("%v at %v after %v at %v: want the same attempt", now.ID, now.X, first.ID, first.X)
	}
	w.values <- 1
	if r, err := run.Wait(); err != nil || r.Best.Value != 1 {
		t.Error(r, err)
	}
	if before, now := <-identities, <-identities; before == now || !isName(before) || !isName(now) {
		t.Errorf("two studies of one name are %q and %q", before, now)
	}
}

// When its context ends a worker gives back what it runs, at once, and has time to return: what it brings counts.
func TestAWorkerThatLeavesGivesItsWorkBack(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: time.Hour}) // nobody is missed
	run := start(t, hub, tarry.Options{Budget: 2})
	leaving, other := newGated(), newGated()
	quit := employ(t, connect(t, s), Worker{Objective: leaving.evaluate, Name: "leaving"})
	got(t, "the first attempt", leaving.began)
	employ(t, connect(t, s), Worker{Objective: other.evaluate, Name: "other"})
	if err := quit(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if cause := got(t, "the end of the first attempt", leaving.ended); !errors.Is(cause, tarry.ErrCancelled) {
		t.Error(cause)
	}
	other.values <- 1
	other.values <- 2
	result, err := run.Wait()
	fatal(t, err)
	if result.Counters.Vanished != 1 || len(hub.Workers()) != 1 {
		t.Errorf("%+v, %d workers", result.Counters, len(hub.Workers()))
	}
}

// A worker that drains finishes what it has, and takes nothing more.
func TestAWorkerThatDrainsFinishesWhatItHas(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{})
	run := start(t, hub, tarry.Options{Budget: 3})
	w, drain, done := newGated(), make(chan struct{}), make(chan error, 1)
	go func() { done <- Worker{Objective: w.evaluate, Drain: drain}.Work(t.Context(), connect(t, s)) }()
	got(t, "the first attempt", w.began)
	close(drain)
	eventually(t, "it offers no slots", func() bool { return hub.Workers()[0].Slots == 0 })
	w.values <- 4
	if err := got(t, "its end", done); err != nil {
		t.Error(err)
	}
	if r := run.Snapshot(); len(r.Evaluations) > 2 || r.Best.Value != 4 || r.Counters.Vanished != 0 {
		t.Errorf("best %v, %+v", r.Best, r.Counters)
	}
	run.Stop()
	if _, err := run.Wait(); err != nil {
		t.Error(err)
	}
}

// Who joins for the first time repeats nothing that was said since: jobs, and the answers to them, may be faster than the reply. Who joins again does, since the hub
// may be another one.
func TestOnlyWhoJoinsAgainRepeatsItsAnswers(t *testing.T) {
	s := serve(t)
	newHub(t, connect(t, s), Options{Heartbeat: DefaultHeartbeat})
	session, err := begin(t.Context(), Worker{Objective: hill, Name: "one"}.withDefaults(), connect(t, s))
	fatal(t, err)
	t.Cleanup(func() { session.leave(nil) })
	for _, again := range []bool{false, true} {
		news := session.later()
		fatal(t, session.join(t.Context()))
		select {
		case <-news:
			if !again {
				t.Error("the first time answers are repeated")
			}
		default:
			if again {
				t.Error("answers are not repeated")
			}
		}
	}
}
