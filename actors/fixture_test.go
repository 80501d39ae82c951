package actors

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/workers"
)

// inVirtualTime runs a story in a bubble. What it leaves behind must be gone a minute later.
func inVirtualTime(t *testing.T, story func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) })
		story(t)
	})
}

// plot is the study that the stories vary: one worker, a policy without a model, values that come at once.
func plot(t testing.TB, budget int) Config {
	t.Helper()
	s, err := space.New(space.Float("x", 0, 1), space.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Study:     loop.Config{Space: s, Budget: budget, Initial: 1, Pending: budget, Seed: 7},
		Policy:    policies.Uniform{},
		Objective: lasting(0),
		Workers:   1,
	}
}

// gain is the value of a query in the stories.
func gain(x []float64) float64 { return x[0] - x[1] }

// lasting is an objective that takes its time and heeds its context.
func lasting(d time.Duration) workers.Objective {
	return func(ctx context.Context, t workers.Task) (float64, error) {
		select {
		case <-time.After(d):
			return gain(t.X), nil
		case <-ctx.Done():
			return 0, context.Cause(ctx)
		}
	}
}

// following is an objective whose values come from elsewhere.
func following(context.Context, workers.Task) (float64, error) { return 0, workers.ErrAnswerFollows }

// thinker is a policy made of a function.
type thinker func(view policies.View, count int) ([]policies.Proposal, error)

func (thinker) Traits() policies.Traits { return policies.Traits{Name: "thinker"} }

func (f thinker) Propose(view policies.View, count int, _ *rand.Rand) ([]policies.Proposal, error) {
	return f(view, count)
}

// pondering is a policy that takes its time and then chooses the middle.
func pondering(d time.Duration) thinker {
	return func(policies.View, int) ([]policies.Proposal, error) {
		time.Sleep(d)
		return []policies.Proposal{{X: []float64{.5, .5}}}, nil
	}
}

// story is a study of which every word is kept.
type story struct {
	*Engine
	t       *testing.T
	store   *journal.Memory
	logs    *observer.ObservedLogs
	notices []Notice
	losing  bool // whether messages may go astray
}

// record makes a study keep its words. Its own OnEvent is heard too, and its own journal holds instead of the story's.
func record(t *testing.T, c Config) (*story, Config) {
	core, logs := observer.New(zapcore.DebugLevel)
	s := &story{t: t, store: &journal.Memory{}, logs: logs}
	if c.Journal == nil {
		c.Journal = s.store
	}
	c.Logger = zap.New(core)
	heard := c.OnEvent
	c.OnEvent = func(n Notice) {
		s.notices = append(s.notices, n)
		if heard != nil {
			heard(n)
		}
	}
	return s, c
}

// begin starts a study of which every word is kept.
func begin(t *testing.T, c Config) *story { return beginWith(t.Context(), t, c) }

func beginWith(ctx context.Context, t *testing.T, c Config) *story {
	t.Helper()
	s, c := record(t, c)
	e, err := Start(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	s.Engine = e
	return s
}

// ends waits for the end, and holds it against what must be true of every study: its state is sound, its journal
// replays to it, its notices are complete and in order, and no message went astray.
func (s *story) ends() Ended {
	s.t.Helper()
	end := s.Wait()
	if err := s.study.loop.Check(); err != nil {
		s.t.Error(err)
	}
	replayed, open, err := journal.Replay(s.store)
	switch {
	case err != nil:
		s.t.Errorf("replay: %v", err)
	case replayed.Digest() != s.study.loop.Digest():
		s.t.Error("the journal replays to another state")
	case end.Err == nil && len(open) > 0:
		s.t.Errorf("the journal leaves %d effects open", len(open))
	}
	for i, n := range s.notices {
		if n.Seq != uint64(i)+1 {
			s.t.Fatalf("notice %d is about event %d", i+1, n.Seq)
		}
	}
	// A reader that panics hears nothing of the events that were kept together with the one before it.
	if got := len(s.notices); got != len(s.store.All()) && !(errors.Is(end.Err, ErrBroken) && got < len(s.store.All())) {
		s.t.Errorf("%d notices of %d events", got, len(s.store.All()))
	}
	if lost := s.logs.FilterMessage("[DeadLetter]"); lost.Len() > 0 && !s.losing {
		s.t.Errorf("a message went astray: %v", lost.All()[0].ContextMap())
	}
	if again := s.Snapshot(); !again.Ended || again.At != end.At || len(again.Result.Evaluations) != len(end.Result.Evaluations) {
		s.t.Errorf("the last snapshot %+v is not the ending %+v", again, end)
	}
	return end
}

// of returns the notices with an outcome.
func (s *story) of(f loop.Fate) []Notice {
	var out []Notice
	for _, n := range s.notices {
		if n.Reaction.Fate == f {
			out = append(out, n)
		}
	}
	return out
}

// warned reports whether a line was logged as a warning.
func (s *story) warned(message string) bool {
	return s.logs.FilterMessage(message).FilterLevelExact(zapcore.WarnLevel).Len() > 0
}

// countEvents returns how many notices are about events of type E.
func countEvents[E loop.Event](notices []Notice) int {
	n := 0
	for _, notice := range notices {
		if _, ok := notice.Event.(E); ok {
			n++
		}
	}
	return n
}

// childActor finds an actor of a system by a part of its name.
func childActor(t *testing.T, system *actor.ActorSystem, name string) *actor.PID {
	t.Helper()
	var found *actor.PID
	for _, bucket := range system.ProcessRegistry.LocalPIDs.LocalPIDs {
		bucket.IterCb(func(id string, _ any) {
			if strings.Contains(id, "/"+name) {
				found = system.NewLocalPID(id)
			}
		})
	}
	if found == nil {
		t.Fatalf("no actor is called %s", name)
	}
	return found
}

// statuses returns the status of every evaluation, by number.
func statuses(r loop.Result) []loop.Status {
	out := make([]loop.Status, len(r.Evaluations))
	for i, e := range r.Evaluations {
		out[i] = e.Status
	}
	return out
}
