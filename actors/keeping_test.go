package actors

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// faulty is a journal that fails at one event, or at the digest after it.
type faulty struct {
	journal.Memory
	at     uint64
	digest bool
	begin  error
}

var errDiskFull = errors.New("no space left on device")

func (f *faulty) Begin(h journal.Header) error { return errors.Join(f.begin, f.Memory.Begin(h)) }

func (f *faulty) Append(r journal.Record) error {
	if r.Event.Seq == f.at && !f.digest {
		return errDiskFull
	}
	return f.Memory.Append(r)
}

func (f *faulty) Mark(digest uint64) error {
	if f.digest && uint64(len(f.All())) >= f.at {
		return errDiskFull
	}
	return f.Memory.Mark(digest)
}

// Whatever event the journal refuses, that one did not happen, and those before it are kept.
func TestAJournalThatFailsEndsTheStudy(t *testing.T) {
	policy, err := policies.Parse("gp-bucb")
	if err != nil {
		t.Fatal(err)
	}
	for k := uint64(1); ; k++ {
		refused := false
		inVirtualTime(t, func(t *testing.T) {
			store := &faulty{at: k}
			c := plot(t, 6)
			c.Policy, c.Study.Initial, c.Workers, c.Journal = policy, 3, 2, store
			acknowledged := 0
			c.OnEvent = func(n Notice) { acknowledged++ }
			s, c := record(t, c)
			engine, err := Start(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			end := engine.Wait()
			if end.Err == nil {
				return
			}
			refused = true
			if !errors.Is(end.Err, journal.ErrNotKept) || !errors.Is(end.Err, errDiskFull) || !strings.Contains(end.Err.Error(), fmt.Sprintf("event %d:", k)) {
				t.Errorf("the study ended with %v", end.Err)
			}
			l, _, err := journal.Replay(&store.Memory)
			if err != nil || l.Digest() != engine.study.loop.Digest() {
				t.Errorf("the journal replays to another state, %v", err)
			}
			if kept := len(store.All()); kept != int(k)-1 || acknowledged != kept || len(end.Result.Evaluations) != len(l.Evaluations()) {
				t.Errorf("%d events are kept, %d were acknowledged", kept, acknowledged)
			}
			if s.logs.FilterMessage("study broken off").Len() != 1 {
				t.Error("the log does not say that the study was broken off")
			}
		})
		if !refused {
			if k < 12 {
				t.Errorf("the study came to its end when event %d was refused", k)
			}
			return
		}
	}
}

func TestADigestThatIsNotKeptEndsTheStudy(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 100)
		c.Journal = &faulty{at: 50, digest: true}
		e, err := Start(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if end := e.Wait(); !errors.Is(end.Err, journal.ErrNotKept) || !strings.Contains(end.Err.Error(), "digest") {
			t.Errorf("the study ended with %v", end.Err)
		}
	})
}

// Whoever tells a value hears that it was not kept; what runs elsewhere is cancelled.
func TestAValueThatIsNotKeptIsNotTaken(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := outside(t, 3)
		c.Study.Initial, c.Journal = 3, &faulty{at: 3}
		e := embed(t, c)
		g, pid := e.invite(2, 0)                                                                       // event 1
		known := loop.FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(2)}               // event 2
		lost := e.asked(known).(Told).Err                                                              // nil
		got := e.asked(loop.FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(3)}).(Told) // event 3
		again := e.asked(loop.FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(3)}).(Told)
		repeated := e.asked(known).(Told)
		end := e.asked(Await{}).(Ended)
		if err := e.system.Root.PoisonFuture(e.pid).Wait(); err != nil {
			t.Error(err)
		}
		e.home(pid)
		if lost != nil || !errors.Is(got.Err, journal.ErrNotKept) || !errors.Is(again.Err, ErrEnded) || repeated.Err != nil {
			t.Errorf("told %v, %v, then %v, and %v of what is known", lost, got.Err, again.Err, repeated.Err)
		}
		if !errors.Is(end.Err, journal.ErrNotKept) || len(end.Result.Evaluations) != 3 || end.Result.Best.Value != 2 {
			t.Errorf("the study ended with %v, %+v", end.Err, end.Result)
		}
		if want := []Cancel{{1, 1}, {2, 1}, {3, 1}}; !slices.Equal(g.ended, want) {
			t.Errorf("cancelled: %v, want %v", g.ended, want)
		}
	})
}

func TestAJournalThatHoldsAStudyIsRefused(t *testing.T) {
	c := plot(t, 2)
	c.Journal = &faulty{begin: errDiskFull}
	if _, err := Start(t.Context(), c); !errors.Is(err, errDiskFull) {
		t.Errorf("start: %v", err)
	}
	if _, err := New(t.Context(), c); !errors.Is(err, errDiskFull) {
		t.Errorf("new: %v", err)
	}
}
