package tarry_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/policies"
)

func unitSpace(t testing.TB) tarry.Space {
	t.Helper()
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newStudy(t testing.TB, o tarry.Options) *tarry.Study {
	t.Helper()
	study, err := tarry.NewStudy(unitSpace(t), o)
	if err != nil {
		t.Fatal(err)
	}
	return study
}

func ask(t testing.TB, s *tarry.Study) tarry.Query {
	t.Helper()
	q, err := s.Ask()
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func bump(q tarry.Query) float64 {
	return -math.Pow(q.Float("x")-.3, 2) - math.Pow(q.Float("y")-.7, 2)
}

// Asked and told in turn, the same seed gives the same queries to the bit, whatever the clock says.
func TestAStudyFollowsFromItsSeed(t *testing.T) {
	var first []float64
	for range 2 {
		study := newStudy(t, tarry.Options{Budget: 25, Seed: 7})
		var all []float64
		for range 25 {
			q := ask(t, study)
			all = append(all, q.X...)
			if err := study.Tell(q.ID, bump(q)); err != nil {
				t.Fatal(err)
			}
		}
		if best := study.Result().Best; math.Abs(best.Value) > 1e-3 {
			t.Errorf("the best of 25 queries is %v", best)
		}
		if first == nil {
			first = all
		} else if fmt.Sprint(all) != fmt.Sprint(first) {
			t.Errorf("two studies with the same seed differ:\n%v\n%v", first, all)
		}
	}
}

// Many queries are open at once, answers come in any order, and each query is another point.
func TestManyQueriesAreOpenAtOnce(t *testing.T) {
	study := newStudy(t, tarry.Options{Budget: 30})
	var open []tarry.Query
	seen := map[string]bool{}
	for range 30 {
		q := ask(t, study)
		if seen[q.String()] {
			t.Errorf("query %v was given twice", q)
		}
		seen[q.String()] = true
		open = append(open, q)
		if len(open) == 8 {
			for _, k := range []int{5, 1} { // out of order, the others stay open
				if err := study.Tell(open[k].ID, bump(open[k])); err != nil {
					t.Fatal(err)
				}
				open = append(open[:k], open[k+1:]...)
			}
		}
	}
	if _, err := study.Ask(); !errors.Is(err, tarry.ErrBudgetSpent) {
		t.Errorf("query 31 of 30: %v", err)
	}
	for _, q := range open {
		if err := study.Tell(q.ID, bump(q)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := study.Ask(); !errors.Is(err, tarry.ErrEnded) {
		t.Errorf("after the last answer: %v", err)
	}
	if r := study.Result(); r.Count(tarry.Observed) != 30 || r.Reason == "" {
		t.Errorf("result %v", r)
	}
}

func TestWhatATellMayBring(t *testing.T) {
	study := newStudy(t, tarry.Options{Budget: 5})
	q := ask(t, study)
	for _, c := range []struct {
		what  string
		id    tarry.EvaluationID
		value float64
		want  error
	}{
		{"no number", q.ID, math.NaN(), tarry.ErrInvalidOption},
		{"infinite", q.ID, math.Inf(1), tarry.ErrInvalidOption},
		{"unknown evaluation", tarry.EvaluationID{Evaluation: 2, Attempt: 1}, 1, tarry.ErrUnknownEvaluation},
		{"no evaluation", tarry.EvaluationID{}, 1, tarry.ErrUnknownEvaluation},
		{"unknown attempt", tarry.EvaluationID{Evaluation: 1, Attempt: 2}, 1, tarry.ErrUnknownEvaluation},
		{"the value", q.ID, 1, nil},
		{"the value again", q.ID, 1, nil},
		{"another value", q.ID, 2, tarry.ErrContradiction},
	} {
		if err := study.Tell(c.id, c.value); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.what, err, c.want)
		}
	}
	r := study.Result()
	if r.Best.Value != 1 || r.Counters.Repeated != 1 || r.Counters.Contradictory != 1 {
		t.Errorf("best %v, counters %+v", r.Best, r.Counters)
	}
}

// A failed query is asked again as long as there are retries; then it is given up, and its value is taken all the same.
func TestAFailedQueryIsAskedAgain(t *testing.T) {
	study := newStudy(t, tarry.Options{Budget: 3, Retries: 1})
	q := ask(t, study)
	if err := study.Fail(q.ID, errors.New("machine lost")); err != nil {
		t.Fatal(err)
	}
	again := ask(t, study)
	if again.ID != (tarry.EvaluationID{Evaluation: 1, Attempt: 2}) || again.String() != q.String() {
		t.Fatalf("asked %v at %v again as %v at %v", q.ID, q, again.ID, again)
	}
	if err := study.Fail(again.ID, errors.New("machine lost again")); err != nil {
		t.Fatal(err)
	}
	if next := ask(t, study); next.ID.Evaluation != 2 {
		t.Errorf("then %v", next.ID)
	}
	if e := study.Result().Evaluations[0]; e.Status != tarry.Failed || e.Reason != "machine lost again" {
		t.Errorf("given up as %v: %s", e.Status, e.Reason)
	}
	if err := study.Tell(q.ID, 3); err != nil {
		t.Fatal(err)
	}
	if e := study.Result().Evaluations[0]; e.Status != tarry.Late || e.Value != 3 {
		t.Errorf("its value came all the same: %v", e)
	}
}

func TestAttemptsOfAStudyTimeOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		study := newStudy(t, tarry.Options{Budget: 3, Timeout: time.Minute})
		q := ask(t, study)
		if left := time.Until(q.Deadline); left != time.Minute {
			t.Errorf("%v until the deadline", left)
		}
		time.Sleep(2 * time.Minute)
		ask(t, study)
		if e := study.Result().Evaluations[0]; e.Status != tarry.TimedOut {
			t.Errorf("after two minutes it is %v", e.Status)
		}
		if err := study.Tell(q.ID, 1); err != nil {
			t.Error(err)
		}
		if r := study.Result(); r.Best == nil || r.Best.Status != tarry.Late {
			t.Errorf("a late value is kept: %v", r.Best)
		}
	})
}

func TestABatchWaitsForItsAnswers(t *testing.T) {
	study := newStudy(t, tarry.Options{Budget: 9, Initial: 3, Barrier: 3})
	for range 3 {
		var batch []tarry.Query
		for range 3 {
			batch = append(batch, ask(t, study))
		}
		for i, q := range batch {
			if _, err := study.Ask(); i < 3 && study.Result().Reason == "" && len(study.Result().Evaluations) < 9 && !errors.Is(err, tarry.ErrAwaiting) {
				t.Fatalf("with %d answers of 3: %v", i, err)
			}
			if err := study.Tell(q.ID, bump(q)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The world says for which context the next query is; a retry keeps its own.
func TestAContextualStudy(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("hour", 0, 24).AsContext(), tarry.Float("price", 1, 9))
	if err != nil {
		t.Fatal(err)
	}
	study, err := tarry.NewStudy(s, tarry.Options{Budget: 12, Retries: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := study.Ask(); err == nil {
		t.Error("asked without a context")
	}
	if _, err := study.Ask(25); err == nil {
		t.Error("asked for hour 25")
	}
	for k := range 6 {
		hour := float64(4 * k)
		q, err := study.Ask(hour)
		if err != nil || q.Float("hour") != hour {
			t.Fatalf("asked for hour %v: %v, %v", hour, q, err)
		}
		if k == 2 {
			if err := study.Fail(q.ID, nil); err != nil {
				t.Fatal(err)
			}
			again, err := study.Ask(23)
			if err != nil || again.Float("hour") != hour {
				t.Fatalf("again: %v, %v", again, err)
			}
			q = again
		}
		if err := study.Tell(q.ID, q.Float("price")); err != nil {
			t.Fatal(err)
		}
	}
}

// The journal of a study replays to the same state.
func TestAStudyReplays(t *testing.T) {
	store := &journal.Memory{}
	study := newStudy(t, tarry.Options{Budget: 20, Journal: store})
	for range 20 {
		q := ask(t, study)
		if err := study.Tell(q.ID, bump(q)); err != nil {
			t.Fatal(err)
		}
	}
	l, open, err := journal.Replay(store)
	if err != nil || len(open) > 0 {
		t.Fatalf("%v, %d effects open", err, len(open))
	}
	best := study.Result().Best
	if got := l.Result().Best; got.Number != best.ID.Evaluation || got.Value != best.Value {
		t.Errorf("replay finds %v, the study %v", got, best)
	}
}

func TestAStudyIsSafeForConcurrentUse(t *testing.T) {
	study := newStudy(t, tarry.Options{Budget: 200, Policy: policy(t, "random")})
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			for {
				q, err := study.Ask()
				if err != nil {
					return
				}
				if err := study.Tell(q.ID, bump(q)); err != nil {
					t.Error(err)
				}
				study.Result()
			}
		})
	}
	group.Wait()
	if r := study.Result(); r.Count(tarry.Observed) != 200 {
		t.Errorf("result %v", r)
	}
}

func policy(t testing.TB, spec string) tarry.Policy {
	t.Helper()
	p, err := tarry.ParsePolicy(spec)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

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
	if _, err := study.Ask(); err == nil || errors.Is(err, tarry.ErrEnded) || !strings.Contains(err.Error(), "OnEvent") {
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
