package loop

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// situation is where an evaluation stands, more precisely than by its status.
func situation(e *Evaluation) string {
	switch {
	case e.Foreign:
		return "elsewhere"
	case e.Status == Infeasible && e.Measured:
		return "violated"
	case e.Status != Pending:
		return strings.ReplaceAll(e.Status.String(), " ", "-")
	case e.Attempt == 0:
		return "fresh"
	case !e.Running:
		return "again"
	case !e.Holds:
		return "follows"
	case e.Attempt > 1:
		return "repeat"
	}
	return "running"
}

// The times of the tables.
const (
	theWindow    = time.Minute
	theTimeout   = time.Hour
	soonLease    = 30 * time.Minute // shorter than the timeout
	distantLease = 3 * time.Hour    // longer than two timeouts
)

// happenings are the rows of the tables: what is said of an evaluation, and when.
var happenings = map[string]func(n, attempt int) (time.Duration, Event){
	"value":         said(func(n, a int) Event { return FeedbackArrived{Evaluation: n, Attempt: a, Outcome: outcome.Of(4)} }),
	"another value": said(func(n, a int) Event { return FeedbackArrived{Evaluation: n, Attempt: a, Outcome: outcome.Of(6)} }),
	"value beyond the window": func(n, a int) (time.Duration, Event) {
		return 2 * theWindow, FeedbackArrived{Evaluation: n, Attempt: a, Outcome: outcome.Of(4)}
	},
	"value that is no number": said(func(n, a int) Event {
		return FeedbackArrived{Evaluation: n, Attempt: a, Outcome: outcome.Of(math.NaN())}
	}),
	"value, infeasible": said(func(n, a int) Event {
		return FeedbackArrived{Evaluation: n, Attempt: a, Outcome: outcome.Outcome{Value: 4, Infeasible: true}}
	}),
	"value, constraints hold": said(func(n, a int) Event {
		return FeedbackArrived{Evaluation: n, Attempt: a, Outcome: outcome.Outcome{Value: 4, Constraints: []float64{-1, 0}}}
	}),
	"value, constraint above zero": said(func(n, a int) Event {
		return FeedbackArrived{Evaluation: n, Attempt: a, Outcome: outcome.Outcome{Value: 4, Constraints: []float64{-1, 1e-9}}}
	}),
	"failed": said(func(n, a int) Event {
		return EvaluationFailed{Evaluation: n, Attempt: a, Failure: outcome.Failure{Reason: "broken"}}
	}),
	"failed, infeasible": said(func(n, a int) Event {
		return EvaluationFailed{Evaluation: n, Attempt: a, Failure: outcome.Failure{Reason: "impossible", Verdict: outcome.Infeasible}}
	}),
	"failed, lost": said(func(n, a int) Event {
		return EvaluationFailed{Evaluation: n, Attempt: a, Failure: outcome.Failure{Reason: "preempted", Verdict: outcome.Lost}}
	}),
	"value of the attempt before": said(func(n, a int) Event { return FeedbackArrived{Evaluation: n, Attempt: a - 1, Outcome: outcome.Of(4)} }),
	"attempt before failed":       said(func(n, a int) Event { return EvaluationFailed{Evaluation: n, Attempt: a - 1} }),
	"attempt before was infeasible": said(func(n, a int) Event {
		return EvaluationFailed{Evaluation: n, Attempt: a - 1, Failure: outcome.Failure{Reason: "impossible", Verdict: outcome.Infeasible}}
	}),
	"value of an attempt to come": said(func(n, a int) Event { return FeedbackArrived{Evaluation: n, Attempt: a + 1, Outcome: outcome.Of(4)} }),
	"failure of an attempt to come": said(func(n, a int) Event {
		return EvaluationFailed{Evaluation: n, Attempt: a + 1, Failure: outcome.Failure{Reason: "impossible", Verdict: outcome.Infeasible}}
	}),
	"its time is up":    func(int, int) (time.Duration, Event) { return theTimeout, Woke{} },
	"its lease ends":    func(int, int) (time.Duration, Event) { return soonLease, Woke{} },
	"cancelled":         said(func(n, a int) Event { return CancelRequested{n, "not needed"} }),
	"lease renewed":     said(func(n, a int) Event { return LeaseRenewed{n, a} }),
	"its worker leaves": said(func(int, int) Event { return WorkerLeft{1, "gone"} }),
	"resumed":           said(func(int, int) Event { return Resumed{} }),
	"answer follows":    said(func(n, a int) Event { return AnswerFollows{Evaluation: n, Attempt: a} }),
	"report":            said(func(n, a int) Event { return Reported{n, a, 1, 10} }),
	"report of little":  said(func(n, a int) Event { return Reported{n, a, 1, -10} }),
	"report, no number": said(func(n, a int) Event { return Reported{n, a, 1, math.Inf(1)} }),
	"report of before":  said(func(n, a int) Event { return Reported{n, a - 1, 1, 10} }),
}

// said is something that happens at once.
func said(event func(n, attempt int) Event) func(n, attempt int) (time.Duration, Event) {
	return func(n, attempt int) (time.Duration, Event) { return 0, event(n, attempt) }
}

// ways lead from running to the other situations.
var ways = map[string][]string{
	"running": nil, "follows": {"answer follows"}, "again": {"its worker leaves"}, "repeat": {"failed"},
	"observed": {"failed", "value"}, "late": {"failed", "value beyond the window"}, "failed": {"failed", "failed"},
	"timed-out": {"failed", "its time is up"}, "lost": {"failed", "answer follows", "its lease ends"}, "cancelled": {"failed", "cancelled"},
	"stopped": {"failed", "report of little"}, "infeasible": {"failed", "failed, infeasible"}, "violated": {"failed", "value, infeasible"},
}

// stage is a study with an evaluation in a situation. Two values were measured elsewhere; one query of the initial design
// runs; the others reported their values before they came; the ask for the next one stays open, so that nothing else happens.
type stage struct {
	*driver
	number int // of the evaluation
}

func setTheStage(t *testing.T, where string, how feedback.Imputation, lease time.Duration) stage {
	t.Helper()
	c := storyConfig(t, "box", how)
	c.Budget, c.Initial, c.StopEarly, c.Retries, c.Timeout, c.Lease, c.Window = 30, 11, 0.5, 1, theTimeout, lease, feedback.Window{Duration: theWindow}
	s := stage{drive(t, c), 3}
	s.step(0, ObservationArrived{X: []float64{0.2, 0.9}, Value: 3})
	s.step(0, ObservationArrived{X: []float64{0.6, 0.1}, Value: 5})
	if where == "elsewhere" {
		s.number = 1
		return s
	}
	s.step(0, WorkerJoined{1, 2})
	for number := 4; number <= c.Initial; number++ {
		value := float64(number) / 3
		s.step(0, Reported{number, 1, 1, value})
		s.step(0, FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Of(value)})
	}
	if where == "fresh" {
		s.step(0, WorkerLeft{1, "gone"})
		s.step(0, ProposeFailed{Ask: 1})
		s.number = 12
	}
	for _, happening := range ways[where] {
		s.happens(happening)
	}
	if got := situation(s.evaluation()); got != where {
		t.Fatalf("the evaluation is %s: %+v", got, s.evaluation())
	}
	return s
}

func (s stage) evaluation() *Evaluation { return s.l.ledger.get(s.number) }

func (s stage) happens(what string) []Effect {
	s.t.Helper()
	at, event := happenings[what](s.number, s.evaluation().Attempt)
	return s.step(at, event)
}

// moved returns the names of the counters that grew, which must be by one.
func moved(before, after Counters) (names []string) {
	a, b := reflect.ValueOf(before), reflect.ValueOf(after)
	for i := range a.NumField() {
		if by := b.Field(i).Int() - a.Field(i).Int(); by == 1 {
			names = append(names, a.Type().Field(i).Name)
		} else if by != 0 {
			names = append(names, fmt.Sprintf("%s by %d", a.Type().Field(i).Name, by))
		}
	}
	return names
}

// countDispatches counts the dispatches of an evaluation, which are at its point.
func countDispatches(t *testing.T, effects []Effect, e Evaluation) (count int) {
	t.Helper()
	for _, effect := range effects {
		if d, ok := effect.(Dispatch); ok && d.Evaluation == e.Number {
			if !slices.Equal(d.X, space.Point(e.X)) { // the unit cube is the space
				t.Errorf("evaluation %d at %v is dispatched at %v", e.Number, e.X, d.X)
			}
			count++
		}
	}
	return count
}

// row says what the model knows of the evaluation at the next ask.
func (s stage) row(how feedback.Imputation) string {
	s.l.model.Sync()
	m := lookAt(s.l)
	i := slices.Index(m.rows, s.number)
	switch {
	case i < 0:
		return "none"
	case slices.Contains(m.Unanswered, i) && m.Targets[i] == m.Units.Censored:
		return "imputed"
	case m.Targets[i] == m.Units.Failed && slices.Contains(m.Hopeless, i) && slices.Contains(m.Failed, i):
		return "never"
	case m.Targets[i] == m.Units.Failed && slices.Contains(m.Failed, i):
		return "bad"
	case m.Targets[i] == m.Units.To(s.evaluation().Value):
		return "value"
	}
	return fmt.Sprintf("target %v in units %+v", m.Targets[i], m.Units)
}
