package jetstream

import (
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// world performs effects at once.
func world(p policies.Policy, l *loop.Loop, effects []loop.Effect) (events []loop.Event) {
	for _, effect := range effects {
		switch effect := effect.(type) {
		case loop.Ask:
			events = append(events, l.Task().Run(p))
		case loop.Fit:
			events = append(events, effect.Run())
		case loop.Dispatch:
			events = append(events, loop.FeedbackArrived{Evaluation: effect.Evaluation, Attempt: effect.Attempt, Outcome: outcome.Of(effect.X[0] - effect.X[1])})
		}
	}
	return events
}

// A study goes from leader to leader, and ends in the state, to the bit, of one that was never interrupted.
func TestAStudyGoesFromLeaderToLeader(t *testing.T) {
	p := check(policies.Parse("ucb-sdf"))(t)
	c := header().Config
	c.Traits, c.Budget, c.Initial = p.Traits(), 14, 5
	first := []loop.Event{loop.WorkerJoined{Worker: 1, Slots: 1}}

	// run steps a study through some events, and returns what comes next.
	run := func(l *loop.Loop, steps *journal.Recorder, queue []loop.Event, events int) []loop.Event {
		for ; len(queue) > 0 && events > 0; events-- {
			seq, _ := l.Now()
			_, reaction, err := steps.Step(time.Duration(seq+1), queue[0])
			must(t, err)
			must(t, steps.Sync())
			queue = append(queue[1:], world(p, l, reaction.Effects)...)
		}
		return queue
	}
	whole := check(loop.New(c))(t)
	run(whole, check(journal.NewRecorder(whole, nil))(t), first, 1<<20)
	if !whole.Finished() {
		t.Fatal("the study did not end")
	}

	g, _ := group(t, serverAt(t, t.TempDir()).ClientURL())
	folders := []string{t.TempDir(), t.TempDir()}
	other, _ := group(t, g.Conn.ConnectedUrl())
	for turn := 0; ; turn++ {
		folder := folders[turn%2]
		term := lead(t, g, folder)
		s := check(term.OpenOrCreate(file(folder, "a"), "a"))(t)
		var l *loop.Loop
		var steps *journal.Recorder
		queue := first
		if turn == 0 {
			l = check(loop.New(c))(t)
			steps = check(journal.NewRecorder(l, s))(t)
		} else {
			var err error
			l, steps, err = journal.Resume(s)
			must(t, err)
			queue = world(p, l, l.Outstanding())
		}
		run(l, steps, queue, 5)
		must(t, s.Close())
		must(t, term.End(t.Context()))
		if l.Finished() {
			break
		}
	}
	standby := t.TempDir()
	follow(t, other, standby)
	seq, _ := whole.Now()
	waitFor(t, "the standby has the study", func() bool { l, err := replayed(file(standby, "a")); return err == nil && l.Finished() })
	l := check(replayed(file(standby, "a")))(t)
	if n, _ := l.Now(); n != seq || l.Digest() != whole.Digest() {
		t.Errorf("%d events and digest %x, want %d and %x", n, l.Digest(), seq, whole.Digest())
	}
}

// replayed is the state that the events of a file lead to.
func replayed(path string) (*loop.Loop, error) {
	s, err := sqlite.Read(path)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	l, _, err := journal.Replay(s)
	return l, err
}
