package tarry_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
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

// Where every point was queried a study waits for what is unanswered, and says so.
func TestAStudyOfFewPointsWaitsForItsAnswers(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Bool("x"))
	if err != nil {
		t.Fatal(err)
	}
	study, err := tarry.NewStudy(s, tarry.Options{Budget: 9})
	if err != nil {
		t.Fatal(err)
	}
	first := ask(t, study)
	ask(t, study)
	for range 2 {
		if _, err := study.Ask(); !errors.Is(err, tarry.ErrAwaiting) || !strings.Contains(err.Error(), "every point") {
			t.Errorf("with both points queried: %v", err)
		}
		if err := study.Tell(first.ID, 1); err != nil {
			t.Fatal(err)
		}
	}
}

// A value that contradicts its forecast is learned from at once: until the next fit of the schedule the model would bend the function to go
// through it, and queries would be chosen by that.
func TestAContradictionIsLearnedFromAtOnce(t *testing.T) {
	for _, wrong := range []bool{false, true} {
		study := newStudy(t, tarry.Options{Budget: 60, Initial: 10, Seed: 5})
		fits := func() uint64 { return uint64(study.Result().Counters.Fits) }
		for range 40 {
			q := ask(t, study)
			if err := study.Tell(q.ID, bump(q)); err != nil {
				t.Fatal(err)
			}
		}
		q := ask(t, study)
		before, value := fits(), bump(q)
		if wrong {
			value -= 50
		}
		if err := study.Tell(q.ID, value); err != nil {
			t.Fatal(err)
		}
		ask(t, study)
		if learned := fits() > before; learned != wrong {
			t.Errorf("wrong %t: a fit after the value: %t", wrong, learned)
		}
	}
}

// The best value is that of the result, whoever asks for it alone.
func TestTheBestIsThatOfTheResult(t *testing.T) {
	for _, minimize := range []bool{false, true} {
		study := newStudy(t, tarry.Options{Budget: 8, Minimize: minimize})
		if e, some := study.Best(); some {
			t.Errorf("%+v is the best, and nothing was told", e)
		}
		for range 8 {
			q := ask(t, study)
			if err := study.Tell(q.ID, bump(q)); err != nil {
				t.Fatal(err)
			}
			if e, some := study.Best(); !some || !reflect.DeepEqual(e, *study.Result().Best) {
				t.Errorf("%+v is the best, want %+v", e, study.Result().Best)
			}
		}
	}
}
