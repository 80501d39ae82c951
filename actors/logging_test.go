package actors

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/workers"
)

// spoken is how a notice is logged, on one line: level, message, and the fields that are not in every line.
func spoken(n Notice) string {
	level, message, fields := Describe(n)
	encoder := zapcore.NewMapObjectEncoder()
	var own []string
	for _, f := range fields {
		before := len(encoder.Fields)
		f.AddTo(encoder)
		if len(encoder.Fields) == before {
			own = append(own, "TWICE:"+f.Key)
		}
		if slices.Contains([]string{"study", "seq", "at", "round", "pending", "outcome"}, f.Key) {
			continue
		}
		own = append(own, fmt.Sprintf("%s=%v", f.Key, encoder.Fields[f.Key]))
	}
	slices.Sort(own)
	return fmt.Sprintf("%v %s: %s", level, message, strings.Join(own, " "))
}

func TestEveryNoticeHasItsLine(t *testing.T) {
	second := loop.Evaluation{Query: policies.Query{Number: 2}, Attempt: 3, Worker: 5, Dispatched: time.Second}
	best := loop.Evaluation{Query: policies.Query{Number: 1}, Outcome: outcome.Of(8)}
	for _, c := range []struct {
		event loop.Event
		fate  loop.Fate
		about loop.Evaluation
		want  string
	}{
		{loop.WorkerJoined{Worker: 5, Slots: 2}, loop.FateTaken, loop.Evaluation{}, "debug worker joined: incumbent=8 slots=2 worker=5"},
		{loop.WorkerJoined{Worker: 5}, loop.FateRefused, loop.Evaluation{}, "warn worker joined: incumbent=8 slots=0 worker=5"},
		{loop.WorkerLeft{Worker: 5, Reason: "night falls"}, loop.FateTaken, loop.Evaluation{}, "warn worker left: incumbent=8 reason=night falls worker=5"},
		{loop.WorkerLeft{Worker: 6}, loop.FateUnknown, loop.Evaluation{}, "warn worker left: incumbent=8 reason= worker=6"},
		{loop.Proposed{Ask: 4}, loop.FateTaken, second, "debug policy answered: ask=4 attempt=3 evaluation=2 incumbent=8 worker=5 x=[10 20]"},
		{loop.Proposed{Ask: 4}, loop.FateFellBack, second, "warn policy answered: ask=4 attempt=3 evaluation=2 incumbent=8 worker=5 x=[10 20]"},
		{loop.Proposed{Ask: 4}, loop.FateRepeated, second, "warn policy answered: ask=4 attempt=3 evaluation=2 incumbent=8 worker=5 x=[10 20]"},
		{loop.ProposeFailed{Ask: 4, Reason: "singular"}, loop.FateFellBack, second, "warn policy failed: ask=4 attempt=3 evaluation=2 incumbent=8 reason=singular worker=5 x=[10 20]"},
		{loop.Fitted{Fit: 2, Hyper: []float64{1, 2}, Noise: .5, LogEvidence: -3}, loop.FateTaken, loop.Evaluation{}, "info fitted: fit=2 hyper=[1 2] incumbent=8 logEvidence=-3 noise=0.5"},
		{loop.Fitted{Fit: 3, Hyper: []float64{1}, Noise: 2, Outliers: []int{4, 9}}, loop.FateTaken, loop.Evaluation{}, "info fitted: fit=3 hyper=[1] incumbent=8 logEvidence=0 noise=2 outliers=[4 9]"},
		{loop.Fitted{Fit: 2}, loop.FateRefused, loop.Evaluation{}, "warn fitted: fit=2 hyper=[] incumbent=8 logEvidence=0 noise=0"},
		{loop.FitFailed{Fit: 2, Reason: "singular"}, loop.FateTaken, loop.Evaluation{}, "warn fit failed: fit=2 incumbent=8 reason=singular"},
		{loop.FeedbackArrived{Evaluation: 2, Attempt: 3, Outcome: outcome.Of(7)}, loop.FateTaken, second, "debug feedback arrived: attempt=3 delay=9s evaluation=2 incumbent=8 worker=5 x=[10 20] y=7"},
		{loop.FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(7)}, loop.FateLate, second, "warn feedback arrived: attempt=1 delay=9s evaluation=2 incumbent=8 x=[10 20] y=7"},
		{loop.FeedbackArrived{Evaluation: 2, Attempt: 3, Outcome: outcome.Of(7)}, loop.FateContradictory, second, "warn feedback arrived: attempt=3 delay=9s evaluation=2 incumbent=8 worker=5 x=[10 20] y=7"},
		{loop.FeedbackArrived{Evaluation: 9, Attempt: 1, Outcome: outcome.Of(7)}, loop.FateUnknown, loop.Evaluation{}, "warn feedback arrived: attempt=1 evaluation=9 incumbent=8 y=7"},
		{loop.ObservationArrived{X: []float64{1, 2}, Value: 7}, loop.FateTaken, loop.Evaluation{}, "debug observation arrived: incumbent=8 x=[1 2] y=7"},
		{loop.AnswerFollows{Evaluation: 2, Attempt: 3}, loop.FateTaken, second, "debug answer follows: attempt=3 evaluation=2 incumbent=8 worker=5 x=[10 20]"},
		{loop.AnswerFollows{Evaluation: -1, Attempt: 3}, loop.FateUnknown, loop.Evaluation{}, "warn answer follows: attempt=3 evaluation=-1 incumbent=8"},
		{loop.EvaluationFailed{Evaluation: 2, Attempt: 2, Failure: outcome.Failure{Reason: "burnt"}}, loop.FateTriedAgain, second, "warn attempt failed: attempt=2 evaluation=2 incumbent=8 reason=burnt x=[10 20]"},
		{loop.EvaluationFailed{Evaluation: 2, Attempt: 3, Failure: outcome.Failure{Reason: "burnt"}}, loop.FateGivenUp, second, "warn attempt failed: attempt=3 evaluation=2 incumbent=8 reason=burnt worker=5 x=[10 20]"},
		{loop.EvaluationFailed{Evaluation: 0, Attempt: 1, Failure: outcome.Failure{Reason: "burnt"}}, loop.FateUnknown, loop.Evaluation{}, "warn attempt failed: attempt=1 evaluation=0 incumbent=8 reason=burnt"},
		{loop.ContextArrived{Context: []float64{3}}, loop.FateTaken, loop.Evaluation{}, "debug context arrived: context=[3] incumbent=8"},
		{loop.ContextArrived{Context: []float64{9}}, loop.FateRefused, loop.Evaluation{}, "warn context arrived: context=[9] incumbent=8"},
		{loop.Woke{}, loop.FateTaken, loop.Evaluation{}, "debug time passed: incumbent=8"},
		{loop.Woke{}, loop.FateTimedOut, loop.Evaluation{}, "warn time passed: cancelled=[2 7] incumbent=8"},
		{loop.StopRequested{Reason: "enough"}, loop.FateTaken, loop.Evaluation{}, "info stop requested: incumbent=8 reason=enough"},
	} {
		n := Notice{Study: "rye", Seq: 3, At: 10 * time.Second, Event: c.event, Evaluation: c.about, Incumbent: best, Chosen: 4, Pending: 2}
		n.Reaction.Fate = c.fate
		if c.fate == loop.FateTimedOut {
			n.Reaction.Expired = []loop.Expiry{{Evaluation: 2, Attempt: 3}, {Evaluation: 7, Attempt: 1}}
		}
		n.Reaction.Evaluation, n.Reaction.Attempt, _ = loop.About(c.event)
		if c.about.Number > 0 {
			n.X, n.Reaction.Evaluation = []float64{10, 20}, c.about.Number
			n.Reaction.Attempt = cmp.Or(n.Reaction.Attempt, c.about.Attempt)
		}
		n.Reaction.Effects = []loop.Effect{loop.Cancel{Evaluation: 2, Attempt: 3}, loop.WakeAt{At: time.Hour}, loop.Cancel{Evaluation: 7, Attempt: 1}}
		if got := spoken(n); got != c.want {
			t.Errorf("%T, %v:\ngot  %s\nwant %s", c.event, c.fate, got, c.want)
		}
	}
}

// Whatever brings a value that is better than all before, the log says so.
func TestEveryIncumbentIsLogged(t *testing.T) {
	best := loop.Evaluation{Query: policies.Query{Number: 1}, Outcome: outcome.Of(8)}
	answered := loop.Reaction{Evaluation: 2, Attempt: 1}
	for _, c := range []struct {
		n    Notice
		want string
	}{
		{Notice{Event: loop.FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(8)}}, "info new incumbent: incumbent=8 y=8"},
		{Notice{Event: loop.ObservationArrived{X: []float64{10, 20}, Value: 8}}, "info new incumbent: incumbent=8 x=[10 20] y=8"},
		{Notice{Event: loop.ObservationArrived{X: []float64{10, 20}, Value: 8}, Costs: true, Cost: 3}, "info new incumbent: incumbent=8 totalCost=3 x=[10 20] y=8"},
		{Notice{Event: loop.Proposed{Ask: 4}, Reaction: answered}, "info new incumbent: ask=4 attempt=1 best=1 evaluation=2 incumbent=8 y=8"}, // observed before
		{Notice{Event: loop.ProposeFailed{Ask: 4, Reason: "singular"}, Reaction: answered}, "warn policy failed: ask=4 attempt=1 evaluation=2 incumbent=8 reason=singular"},
	} {
		c.n.Incumbent, c.n.Improved = best, true
		if got := spoken(c.n); got != c.want {
			t.Errorf("%T:\ngot  %s\nwant %s", c.n.Event, got, c.want)
		}
	}
}

func TestEveryLineSaysWhereTheStudyStands(t *testing.T) {
	n := Notice{Study: "rye", Seq: 3, At: time.Minute, Event: loop.Woke{}, Chosen: 4, Pending: 2}
	_, _, fields := Describe(n)
	encoder := zapcore.NewMapObjectEncoder()
	for _, f := range fields {
		f.AddTo(encoder)
	}
	want := map[string]any{"study": "rye", "seq": uint64(3), "at": time.Minute, "round": int64(4), "pending": int64(2), "outcome": "taken"}
	for key, value := range want {
		if encoder.Fields[key] != value {
			t.Errorf("%s = %v, want %v", key, encoder.Fields[key], value)
		}
	}
	if len(encoder.Fields) != len(want) {
		t.Errorf("the fields are %v", encoder.Fields)
	}
}

// The log of a study begins and ends with the study; what the actor system says is there too, under its own name.
func TestTheLogTellsTheStory(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 2)
		c.Name, c.Objective = "rye", lasting(time.Minute)
		s := begin(t, c)
		end := s.ends()
		var told, system []string
		for _, line := range s.logs.All() {
			if line.LoggerName == "actor" {
				system = append(system, line.Message)
				continue
			}
			told = append(told, line.Message)
			if line.ContextMap()["study"] != "rye" {
				t.Errorf("%s: the study is called %v", line.Message, line.ContextMap()["study"])
			}
		}
		first, last := "feedback arrived", "new incumbent"
		if end.Result.Evaluations[1].Value <= end.Result.Evaluations[0].Value {
			first, last = last, first
		} else {
			first = "new incumbent"
		}
		want := []string{"study started", "worker joined", first, "policy answered", last, "study ended"}
		if !slices.Equal(told, want) {
			t.Errorf("the log says %q, want %q", told, want)
		}
		if len(system) == 0 || system[0] != "actor system started" {
			t.Errorf("the actor system says %q", system)
		}
		ended := s.logs.FilterMessage("study ended").All()[0].ContextMap()
		if ended["reason"] != loop.ReasonBudget || ended["evaluations"] != int64(2) || ended["at"] != 2*time.Minute || ended["incumbent"] != end.Result.Best.Value {
			t.Errorf("the last line has %v", ended)
		}
	})
}

// A logger that wants errors only hears of nothing else, and a silent one of nothing.
func TestTheLevelOfTheLoggerHolds(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		core, logs := observer.New(zapcore.ErrorLevel)
		c := plot(t, 2)
		c.Objective = func(context.Context, workers.Task) (float64, error) { panic("burnt") }
		for _, logger := range []*zap.Logger{zap.New(core), zap.NewNop(), nil} {
			c.Logger = logger
			e, err := Start(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			e.Wait()
		}
		if logs.Len() > 0 {
			t.Errorf("the log says %v", logs.All())
		}
	})
}

// A value that comes in the same instant in which another evaluation times out is a new incumbent like any other.
func TestATimeoutElsewhereDoesNotHideAnIncumbent(t *testing.T) {
	var notices []Notice
	c := plot(t, 3)
	c.Study.Initial, c.Study.Timeout = 3, 10*time.Second
	c.OnEvent = func(n Notice) { notices = append(notices, n) }
	d, err := NewDriver(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		at    time.Duration
		event loop.Event
	}{
		{0, loop.WorkerJoined{Worker: 1, Slots: 2}},
		{3 * time.Second, loop.FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(2)}},
		{10 * time.Second, loop.FeedbackArrived{Evaluation: 3, Attempt: 1, Outcome: outcome.Of(3)}},
	} {
		if _, err := d.Step(step.at, step.event); err != nil {
			t.Fatal(err)
		}
	}
	last := notices[len(notices)-1]
	if got := spoken(last); !strings.HasPrefix(got, "warn new incumbent: ") || !strings.Contains(got, "cancelled=[1]") {
		t.Errorf("what timed out is not in the line of the value: %s", got)
	}
	if last.Reaction.Fate != loop.FateTaken || !last.Improved || last.Incumbent.Number != 3 || last.Counters.Timeouts != 1 {
		t.Errorf("the last notice is %v, improved %v, incumbent %d, counters %+v", last.Reaction.Fate, last.Improved, last.Incumbent.Number, last.Counters)
	}
	if got := d.Loop().Result().Best.Number; got != 3 || d.At() != 10*time.Second {
		t.Errorf("the best is %d at %v", got, d.At())
	}
}

// With Minimize the incumbent is the least value, and equals do not replace it.
func TestIncumbentsOfAMinimization(t *testing.T) {
	var improved []bool
	c := plot(t, 4)
	c.Study.Initial, c.Study.Minimize = 4, true
	c.OnEvent = func(n Notice) { improved = append(improved, n.Improved) }
	d, err := NewDriver(c)
	if err != nil {
		t.Fatal(err)
	}
	events := []loop.Event{loop.WorkerJoined{Worker: 1, Slots: 4}}
	for i, v := range []float64{3, 5, 3, -1} {
		events = append(events, loop.FeedbackArrived{Evaluation: i + 1, Attempt: 1, Outcome: outcome.Of(v)})
	}
	for _, e := range events {
		if _, err := d.Step(0, e); err != nil {
			t.Fatal(err)
		}
	}
	if want := []bool{false, true, false, false, true}; !slices.Equal(improved, want) {
		t.Errorf("improved %v, want %v", improved, want)
	}
}
