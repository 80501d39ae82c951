package loop

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/outcome"
)

// standing is how a loop stands before an event.
type standing struct {
	counts   Counters
	coverage Coverage
	pending  []int
	chosen   int
}

func standingOf(l *Loop) standing {
	return standing{l.Counters(), l.allJudged(), slices.Clone(l.ledger.pending), len(l.Evaluations())}
}

// agree fails unless a reaction says what can be read from the state before and after its event.
func agree(t testing.TB, l *Loop, e Event, r Reaction, before standing) {
	t.Helper()
	all, counts, coverage := l.Evaluations(), l.Counters(), l.allJudged()
	var about Evaluation
	if r.Evaluation >= 1 && r.Evaluation <= len(all) {
		about = all[r.Evaluation-1]
		if r.Status != about.Status {
			t.Fatalf("%#v: status %v, want %v", e, r.Status, about.Status)
		}
	}
	if want := fateByCounters(e, about, before.counts, counts); r.Fate != want {
		t.Fatalf("%#v: %v, the counters say %v: %+v, then %+v", e, r.Fate, want, before.counts, counts)
	}
	if want := counts.Vanished - before.counts.Vanished; r.Vanished != want {
		t.Fatalf("%#v: %d attempts vanished, want %d", e, r.Vanished, want)
	}
	up := Counters{Timeouts: counts.Timeouts - before.counts.Timeouts, Expired: counts.Expired - before.counts.Expired, GivenUp: counts.GivenUp - before.counts.GivenUp}
	for _, x := range r.Expired {
		up.Timeouts -= bit(x.Limit == LimitTimeout)
		up.Expired -= bit(x.Limit == LimitLease)
		up.GivenUp -= bit(x.Limit == LimitSilence)
		if x.Evaluation < 1 || x.Evaluation > len(all) || x.Attempt < 1 || x.Attempt > all[x.Evaluation-1].Attempt || x.Again && x.Limit != LimitTimeout {
			t.Fatalf("%#v: expired %+v", e, x)
		}
	}
	if up != (Counters{}) {
		t.Fatalf("%#v: expired %+v, the counters have more: %+v", e, r.Expired, up)
	}
	settled := 0
	for _, number := range before.pending {
		settled += bit(all[number-1].Status != Pending)
	}
	for _, e := range all[before.chosen:] {
		settled += bit(!e.Foreign && e.Status != Pending)
	}
	if r.Settled != settled {
		t.Fatalf("%#v: %d queries settled, want %d", e, r.Settled, settled)
	}
	if r.Judged {
		before.coverage.add(r.Judgment)
	} else if coverage.Judged > before.coverage.Judged && l.penalized(&about) {
		j, _ := l.judgment(&about) // nobody is told how the forecast of a penalty did
		before.coverage.add(j)
	}
	if before.coverage.Target = coverage.Target; before.coverage != coverage { // which is the last is not known where repeats are judged
		t.Fatalf("%#v: judged %v, %+v: %+v, want %+v", e, r.Judged, r.Judgment, before.coverage, coverage)
	}
	repeats(t, e, r)
}

// repeats fails unless a reaction repeats what its event names.
func repeats(t testing.TB, e Event, r Reaction) {
	t.Helper()
	want := [4]int{r.Evaluation, r.Attempt}
	switch e := e.(type) {
	case FeedbackArrived:
		want = [4]int{e.Evaluation, e.Attempt}
	case EvaluationFailed:
		want = [4]int{e.Evaluation, e.Attempt}
	case AnswerFollows:
		want = [4]int{e.Evaluation, e.Attempt}
	case Reported:
		want = [4]int{e.Evaluation, e.Attempt}
	case LeaseRenewed:
		want = [4]int{e.Evaluation, e.Attempt}
	case WorkerFreed:
		want = [4]int{e.Evaluation, e.Attempt}
	case CancelRequested:
		want[0] = e.Evaluation
	case Proposed:
		want[2] = e.Ask
	case ProposeFailed:
		want[2] = e.Ask
	case Fitted:
		want = [4]int{3: e.Fit}
	case FitFailed:
		want = [4]int{3: e.Fit}
	default:
		want = [4]int{}
	}
	if got := [4]int{r.Evaluation, r.Attempt, r.Ask, r.Fit}; got != want {
		t.Fatalf("%#v names evaluation, attempt, ask and fit %v, the reaction %v", e, want, got)
	}
}

// fateByCounters is what became of an event, as far as the counters tell: the dumb way.
func fateByCounters(e Event, about Evaluation, before, after Counters) Fate {
	for _, moved := range []struct {
		grew bool
		fate Fate
	}{
		{after.Reports > before.Reports, FateTaken}, {after.Resaid > before.Resaid, FateRepeated}, {after.Contested > before.Contested, FateContradictory},
		{after.Stale > before.Stale, FateStale}, {after.Overdue > before.Overdue, FateEnded}, {after.Malformed > before.Malformed, FateRefused},
	} {
		if moved.grew {
			return moved.fate
		}
	}
	if e, ok := e.(EvaluationFailed); ok && about.Status == Stopped && !e.Told && e.Verdict != outcome.Infeasible && e.Attempt == about.Attempt {
		return FateEnded
	}
	failed := after.Failures > before.Failures
	if e, ok := e.(EvaluationFailed); ok && e.Verdict == outcome.Lost {
		failed = after.Vanished > before.Vanished
	}
	switch {
	case after.Unknown > before.Unknown:
		return FateUnknown
	case after.Repeated > before.Repeated:
		return FateRepeated
	case after.Contradictory > before.Contradictory:
		return FateContradictory
	case failed && about.Status == Pending:
		return FateTriedAgain
	case failed, after.Infeasible > before.Infeasible:
		return FateGivenUp
	case after.LateValues > before.LateValues:
		return FateLate
	case after.Fallbacks > before.Fallbacks:
		return FateFellBack
	case after.Dropped > before.Dropped:
		return FateRefused
	}
	switch e.(type) {
	case FeedbackArrived: // it was taken, whatever else came to its end in the same instant
	case Fitted:
		if after.FitFailures > before.FitFailures {
			return FateRefused
		}
	default:
		if after.Timeouts > before.Timeouts || after.Expired > before.Expired || after.GivenUp > before.GivenUp {
			return FateTimedOut
		}
	}
	return FateTaken
}

// What an answer is told says whether anybody waited for its attempt: after a timeout in the same instant, of an attempt before,
// of an evaluation that waits to be tried again.
func TestAReactionSaysWhetherAnybodyWaited(t *testing.T) {
	answer := func(attempt int) Event {
		return FeedbackArrived{Evaluation: 3, Attempt: attempt, Outcome: outcome.Of(4)}
	}
	for name, c := range map[string]struct {
		where   string
		at      time.Duration
		event   Event
		overdue bool
		fate    Fate
		status  Status
	}{
		"in time":                    {"running", 0, answer(1), false, FateTaken, Observed},
		"its answer followed":        {"follows", 0, answer(1), false, FateTaken, Observed},
		"beyond its time":            {"running", theTimeout, answer(1), true, FateLate, Late},
		"of the attempt before":      {"repeat", 0, answer(1), true, FateTaken, Observed},
		"of the attempt":             {"repeat", 0, answer(2), false, FateTaken, Observed},
		"given up":                   {"failed", 0, answer(2), true, FateLate, Late},
		"cancelled":                  {"cancelled", 0, answer(2), true, FateLate, Late},
		"known":                      {"observed", 0, answer(2), true, FateRepeated, Observed},
		"infeasible, given up":       {"failed", 0, EvaluationFailed{Evaluation: 3, Attempt: 2, Failure: outcome.Failure{Verdict: outcome.Infeasible}}, true, FateGivenUp, Infeasible},
		"not a number":               {"running", 0, FeedbackArrived{Evaluation: 3, Attempt: 1, Outcome: outcome.Of(math.NaN())}, false, FateTriedAgain, Pending},
		"failed for the last time":   {"repeat", 0, EvaluationFailed{Evaluation: 3, Attempt: 2}, false, FateGivenUp, Failed},
		"an attempt that is to come": {"running", 0, answer(2), false, FateUnknown, Pending},
	} {
		t.Run(name, func(t *testing.T) {
			s := setTheStage(t, c.where, feedback.Censor, 0)
			r, err := s.l.Step(Stamped{Seq: s.seq + 1, At: s.l.now + c.at, Event: c.event})
			if err != nil {
				t.Fatal(err)
			}
			if r.Overdue != c.overdue || r.Fate != c.fate || r.Status != c.status {
				t.Errorf("overdue %v, %v, %v", r.Overdue, r.Fate, r.Status)
			}
		})
	}
}

// Attempts whose time is up are named, whatever the event says that came next, with what comes of them.
func TestAReactionNamesWhatExpired(t *testing.T) {
	for name, c := range map[string]struct {
		event Event
		fate  Fate
		again bool // of the first
	}{
		"time passed": {Woke{}, FateTimedOut, true}, "a value": {FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(4)}, FateLate, true},
		"a failure": {EvaluationFailed{Evaluation: 2, Attempt: 1}, FateRepeated, true}, "a worker": {WorkerJoined{2, 1}, FateTimedOut, true},
		"the end": {StopRequested{"enough"}, FateTimedOut, false}, "nobody": {WorkerFreed{9, 9}, FateUnknown, true},
	} {
		m := modestly(t, func(c *Config) { c.Timeout, c.Retries = 10*time.Second, 1 })
		m.say(WorkerJoined{1, 2})
		m.at(1, EvaluationFailed{Evaluation: 2, Attempt: 1}) // its second attempt begins a second later
		m.seq++
		r, err := m.l.Step(Stamped{m.seq, 11 * time.Second, c.event})
		if err != nil {
			t.Fatal(err)
		}
		if want := []Expiry{{1, 1, LimitTimeout, c.again}, {2, 2, LimitTimeout, false}}; !slices.Equal(r.Expired, want) || r.Fate != c.fate {
			t.Errorf("%s: %v, expired %+v, want %v and %+v", name, r.Fate, r.Expired, c.fate, want)
		}
	}
}

func TestFatesHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Fates() {
		seen[f.String()] = true
	}
	if len(seen) != int(fates) || seen[""] {
		t.Errorf("%v", seen)
	}
	for _, f := range []Fate{-1, fates} {
		if got := f.String(); !strings.Contains(got, fmt.Sprint(int(f))) {
			t.Errorf("%d is %q", int(f), got)
		}
	}
}
