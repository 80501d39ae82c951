package tarry_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/policies"
)

// slowStore is a journal that takes its time.
type slowStore struct {
	journal.Memory
	takes time.Duration
}

func (s *slowStore) Append(r journal.Record) error {
	time.Sleep(s.takes)
	return s.Memory.Append(r)
}

// However short the timeout and slow the journal, the asker gets what was chosen for him.
func TestATimeoutShorterThanAnEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		study := newStudy(t, tarry.Options{Budget: 10, Timeout: 3 * time.Millisecond, Journal: &slowStore{takes: 5 * time.Millisecond}, Policy: policy(t, "random")})
		for k := range 10 {
			q := ask(t, study)
			if err := study.Tell(q.ID, bump(q)); err != nil || q.ID.Evaluation != k+1 {
				t.Fatalf("query %v: %v", q.ID, err)
			}
		}
		if r := study.Result(); r.Count(tarry.Late) != 10 || r.Reason == "" {
			t.Errorf("result %v", r)
		}
	})
}

// shouter is a policy that does what a policy must not do.
type shouter struct{ shout func() }

func (p shouter) Traits() policies.Traits { return policies.Traits{Name: "shouter"} }
func (p shouter) Propose(policies.View, int, *rand.Rand) ([]policies.Proposal, error) {
	p.shout()
	return nil, nil
}

func TestAPolicyThatBreaksOffCostsAQuery(t *testing.T) {
	for name, shout := range map[string]func(){"panic": func() { panic("no idea") }, "end of the goroutine": runtime.Goexit} {
		study := newStudy(t, tarry.Options{Budget: 6, Initial: 2, Policy: shouter{shout}})
		for range 6 {
			q := ask(t, study)
			if err := study.Tell(q.ID, bump(q)); err != nil {
				t.Fatal(err)
			}
		}
		if r := study.Result(); r.Counters.Fallbacks != 4 || r.Count(tarry.Observed) != 6 {
			t.Errorf("%s: %v", name, r)
		}
	}
}

// A reader that panics may be caught by somebody; the study says then that it cannot go on, and does not pretend to.
func TestAReaderThatPanicsOnce(t *testing.T) {
	panics := true
	study := newStudy(t, tarry.Options{Budget: 6, OnEvent: func(e tarry.Event) {
		if e.Improved && panics {
			panics = false
			panic("the reader cannot read")
		}
	}})
	q := ask(t, study)
	func() {
		defer func() { _ = recover() }()
		_ = study.Tell(q.ID, 1)
	}()
	if _, err := study.Ask(); !errors.Is(err, tarry.ErrBroken) || !strings.Contains(err.Error(), "OnEvent") {
		t.Errorf("then Ask says %v", err)
	}
	if r := study.Result(); r.Best == nil || r.Best.Value != 1 {
		t.Errorf("what was known is lost: %v", r)
	}
}

// While the policy thinks about a query for one context, an earlier evaluation fails and is to be tried again. Whoever
// asked gets the query for his context, and the next one the one to be tried again.
func TestAskersGetTheQueryForTheirContext(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("hour", 0, 24).AsContext(), tarry.Float("price", 1, 9))
	if err != nil {
		t.Fatal(err)
	}
	var study *tarry.Study
	var first tarry.Query
	fails := func() {
		if err := study.Fail(first.ID, errors.New("till broken")); err != nil {
			t.Error(err)
		}
	}
	study, err = tarry.NewStudy(s, tarry.Options{Budget: 4, Initial: 1, Retries: 1, Policy: shouter{func() { fails() }}})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []struct {
		hour float64
		id   tarry.EvaluationID
	}{{1, tarry.EvaluationID{Evaluation: 1, Attempt: 1}}, {2, tarry.EvaluationID{Evaluation: 2, Attempt: 1}}, {1, tarry.EvaluationID{Evaluation: 1, Attempt: 2}}, {4, tarry.EvaluationID{Evaluation: 3, Attempt: 1}}} {
		q, err := study.Ask(float64(k + 1))
		if err != nil || q.ID != want.id || q.Float("hour") != want.hour {
			t.Fatalf("ask %d gives %v at %v (%v), want %+v", k+1, q.ID, q, err, want)
		}
		if k == 0 {
			first = q
		} else {
			fails = func() {}
		}
	}
}

func TestAStudyCanBeStopped(t *testing.T) {
	study := newStudy(t, tarry.Options{Budget: 5})
	q, open := ask(t, study), ask(t, study)
	if err := study.Tell(q.ID, 1); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := study.Stop(); err != nil {
			t.Error(err)
		}
	}
	if _, err := study.Ask(); !errors.Is(err, tarry.ErrEnded) {
		t.Errorf("after the stop Ask says %v", err)
	}
	if r := study.Result(); r.Count(tarry.Cancelled) != 1 || r.Reason == "" {
		t.Errorf("result %v", r)
	}
	if err := study.Tell(open.ID, 2); err != nil {
		t.Error(err)
	}
	if r := study.Result(); r.Best.Value != 2 || r.Best.Status != tarry.Late {
		t.Errorf("a value counts after the stop as well: %v", r)
	}
}

// While the policy thinks, an earlier evaluation fails, is to be tried again, and then its value comes all the same: it is
// asked no more.
func TestAQueryThatWasAnsweredMeanwhile(t *testing.T) {
	var study *tarry.Study
	var first tarry.Query
	then := func() {
		if err := errors.Join(study.Fail(first.ID, errors.New("till broken")), study.Tell(first.ID, 1)); err != nil {
			t.Error(err)
		}
	}
	study = newStudy(t, tarry.Options{Budget: 5, Initial: 1, Pending: 5, Retries: 1, Policy: shouter{func() { then() }}})
	first = ask(t, study)
	for k := range 4 {
		q := ask(t, study)
		if q.ID != (tarry.EvaluationID{Evaluation: k + 2, Attempt: 1}) {
			t.Errorf("ask %d gives %v", k+2, q.ID)
		}
		then = func() {}
	}
}

// A deadline that passes inside Ask changes nothing in what Ask says.
func TestADeadlineInsideAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := false
		study := newStudy(t, tarry.Options{Budget: 9, Initial: 1, Barrier: 2, Timeout: 20 * time.Millisecond, Policy: policy(t, "random"), OnEvent: func(tarry.Event) {
			if slow {
				time.Sleep(30 * time.Millisecond)
			}
		}})
		ask(t, study)
		slow = true
		if _, err := study.Ask(); !errors.Is(err, tarry.ErrAwaiting) {
			t.Errorf("Ask says %v", err)
		}
		if q := ask(t, study); q.ID.Evaluation != 2 {
			t.Errorf("then it gives %v", q.ID)
		}
	})
}
