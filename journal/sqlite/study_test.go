package sqlite

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// A study is cut off again and again and goes on from the file. It ends in the state, to the bit, of a study that was
// never interrupted.
func TestAStudyGoesOnFromTheFile(t *testing.T) {
	p := check(policies.Parse("ucb-sdf"))(t)
	c := header().Config
	c.Traits, c.Budget, c.Initial = p.Traits(), 14, 5

	// answers performs effects at once.
	answers := func(l *loop.Loop, effects []loop.Effect) (events []loop.Event) {
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
	whole := check(loop.New(c))(t)
	seq := uint64(0)
	for queue := []loop.Event{loop.WorkerJoined{Worker: 1, Slots: 1}}; len(queue) > 0; queue = queue[1:] {
		seq++
		reaction := check(whole.Step(loop.Stamped{Seq: seq, At: time.Duration(seq), Event: queue[0]}))(t)
		queue = append(queue, answers(whole, reaction.Effects)...)
	}
	if !whole.Finished() {
		t.Fatal("the study did not end")
	}

	path := filepath.Join(t.TempDir(), "s.db")
	s := check(Create(path))(t)
	must(t, s.Begin(journal.NewHeader(check(loop.New(c))(t).Config())))
	queue := []loop.Event{loop.WorkerJoined{Worker: 1, Slots: 1}}
	at := uint64(0)
	for at < seq {
		for range 3 {
			l, open, err := journal.Replay(s)
			must(t, err)
			if at > 0 {
				queue = answers(l, open)
			}
			if len(queue) == 0 {
				break
			}
			at++
			e := loop.Stamped{Seq: at, At: time.Duration(at), Event: queue[0]}
			must(t, s.Append(journal.Record{Event: e}))
			check(l.Step(e))(t)
			must(t, s.Mark(l.Digest()))
			must(t, s.Sync())
		}
		must(t, s.Close())
		s = check(Open(path))(t)
	}
	defer s.Close()
	must(t, s.Verify())
	l, open, err := journal.Replay(s)
	if err != nil || len(open) > 0 || !l.Finished() || l.Digest() != whole.Digest() {
		t.Errorf("after %d events: %v, %d effects open, digest %x, want %x", at, err, len(open), l.Digest(), whole.Digest())
	}
}
