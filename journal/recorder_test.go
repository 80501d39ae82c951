package journal

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// forgetful is a store that refuses from some record or mark on.
type forgetful struct {
	Memory
	appends, marks int // how many it takes
}

var errFull = errors.New("disk full")

func (f *forgetful) Append(r Record) error {
	if f.appends--; f.appends < 0 {
		return errFull
	}
	return f.Memory.Append(r)
}

func (f *forgetful) Mark(digest uint64) error {
	if f.marks--; f.marks < 0 {
		return errFull
	}
	return f.Memory.Mark(digest)
}

func newLoop(t *testing.T, budget int) *loop.Loop {
	t.Helper()
	s, err := space.New(space.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	l, err := loop.New(loop.Config{Space: s, Traits: policies.Uniform{}.Traits(), Budget: budget, Initial: budget})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// An event that the store refuses did not happen.
func TestWhatIsNotKeptDoesNotHappen(t *testing.T) {
	l := newLoop(t, 3)
	steps, err := NewRecorder(l, &forgetful{appends: 1, marks: 9})
	if err != nil {
		t.Fatal(err)
	}
	if _, reaction, err := steps.Step(0, loop.WorkerJoined{Worker: 1, Slots: 1}); err != nil || len(reaction.Effects) != 1 {
		t.Fatalf("%v, %v", reaction.Effects, err)
	}
	before := l.Digest()
	_, _, err = steps.Step(time.Second, loop.FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(2)})
	if !errors.Is(err, ErrNotKept) || !errors.Is(err, errFull) || !strings.Contains(err.Error(), "event 2") || l.Digest() != before {
		t.Errorf("%v, the state changed: %v", err, l.Digest() != before)
	}
}

// An event whose digest the store refuses did happen; the next one cannot.
func TestAfterALostDigestNothingHappens(t *testing.T) {
	l := newLoop(t, 3)
	steps, err := NewRecorder(l, &forgetful{appends: 9})
	if err != nil {
		t.Fatal(err)
	}
	if _, reaction, err := steps.Step(0, loop.WorkerJoined{Worker: 1, Slots: 1}); err != nil || len(reaction.Effects) != 1 {
		t.Fatalf("%v, %v", reaction.Effects, err)
	}
	for range 2 {
		if _, _, err := steps.Step(0, loop.Woke{}); !errors.Is(err, ErrNotKept) || !strings.Contains(err.Error(), "digest after event 1") {
			t.Errorf("then %v", err)
		}
	}
}

// Digests are taken now and then, and what was recorded replays to each of them.
func TestDigestsAreTakenNowAndThen(t *testing.T) {
	store := &Memory{}
	l := newLoop(t, 300)
	steps, err := NewRecorder(l, store)
	if err != nil {
		t.Fatal(err)
	}
	step := func(e loop.Event) {
		if _, _, err := steps.Step(0, e); err != nil {
			t.Fatal(err)
		}
	}
	step(loop.WorkerJoined{Worker: 1, Slots: 1})
	for k := 1; k <= 300; k++ {
		step(loop.FeedbackArrived{Evaluation: k, Attempt: 1, Outcome: outcome.Of(float64(k % 7))})
	}
	marks := 0
	for _, r := range store.All() {
		if r.Digest != 0 {
			marks++
		}
	}
	if marks < 3 || marks > 6 {
		t.Errorf("%d digests of 301 events", marks)
	}
	replayed, open, err := Replay(store)
	if err != nil || len(open) > 0 || replayed.Digest() != l.Digest() {
		t.Errorf("%v, %d effects open", err, len(open))
	}
	if _, err := NewRecorder(newLoop(t, 3), store); err == nil {
		t.Error("a journal took a second study")
	}
	if _, err := NewRecorder(newLoop(t, 3), nil); err != nil {
		t.Error(err)
	}
}
