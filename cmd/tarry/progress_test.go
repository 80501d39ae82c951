package main

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vbauerster/mpb/v8"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// screen is what was drawn so far.
type screen struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (s *screen) Write(b []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.text.Write(b)
}

// line returns the last line drawn that contains a text.
func (s *screen) line(part string) string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	last := ""
	for line := range strings.Lines(s.text.String()) {
		if strings.Contains(line, part) {
			last = line
		}
	}
	return last
}

func TestTheBarIsAsFullAsTheBudgetIsSpent(t *testing.T) {
	var s screen
	p := newProgress(nil, 0, true)
	p.draw(&s, mpb.WithAutoRefresh())
	defer p.end()
	for _, c := range []struct {
		done  int
		part  string
		least float64
		most  float64
	}{{1, "1 of 20 ", 0, 0.15}, {10, "10 of 20 ", 0.4, 0.6}, {19, "19 of 20 ", 0.85, 0.99}} {
		p.event(tarry.Event{Chosen: c.done + 5, Spent: c.done + 2, Pending: 2, Budget: 20})
		drawn := ""
		for drawn == "" {
			drawn = s.line(c.part)
		}
		from, to := strings.LastIndex(drawn, "["), strings.LastIndex(drawn, "]")
		if from < 0 || to < from {
			t.Fatalf("no bar in %q", drawn)
		}
		bar := drawn[from+1 : to]
		full := float64(strings.Count(bar, "=")+strings.Count(bar, ">")) / float64(len(bar))
		if full < c.least || full > c.most {
			t.Errorf("%d of 20: %q", c.done, bar)
		}
	}
}

// Evaluations that were lost or cancelled give their budget back. What of them comes late all the same is beyond the budget.
func TestPlainLinesCountWhatTheBudgetCounts(t *testing.T) {
	var out bytes.Buffer
	p := newProgress(&out, time.Minute, false)
	p.event(tarry.Event{
		Event: loop.FeedbackArrived{Evaluation: 5, Outcome: outcome.Of(2)}, Evaluation: loop.Evaluation{Status: loop.Observed},
		Chosen: 5, Spent: 3, Pending: 0, Budget: 3,
	})
	if got := out.String(); got != "3/3  #5 2\n" {
		t.Errorf("%q", got)
	}
	if got := p.extent(); got != "3 of 3 evaluations" {
		t.Error(got)
	}
	p.event(tarry.Event{Event: loop.FeedbackArrived{Evaluation: 4, Outcome: outcome.Of(2)}, Chosen: 5, Spent: 4, Pending: 0, Budget: 3})
	if got := p.extent(); got != "4 evaluations, with a budget of 3" {
		t.Error(got)
	}
}

// linesOf are the lines about an event.
func linesOf(e tarry.Event) string {
	var out bytes.Buffer
	p := newProgress(&out, 90*time.Second, false)
	e.Chosen, e.Spent, e.Pending, e.Budget = 5, 5, 3, 9
	p.event(e)
	return out.String()
}

// An attempt whose time was up has a line with what comes of it, also where the event is about something else.
func TestAnAttemptThatTookTooLongSaysHowLongAndWhatComesOfIt(t *testing.T) {
	expired := []loop.Expiry{
		{Evaluation: 1, Attempt: 1, Again: true}, {Evaluation: 2, Attempt: 2}, {Evaluation: 3, Attempt: 1, Limit: loop.LimitSilence}, {Evaluation: 4, Attempt: 1, Limit: loop.LimitLease},
	}
	const want = `2/9  #1 attempt 1 took longer than 1m30s, tried again
2/9  #2 attempt 2 took longer than 1m30s, given up
2/9  #3 attempt 1 is silent, and hardly any answer is expected by now: given up
2/9  #4 attempt 1 gave no sign of life: lost
`
	for _, c := range []struct {
		event  loop.Event
		fate   loop.Fate
		status loop.Status
		after  string
	}{
		{loop.Woke{}, loop.FateTimedOut, loop.Pending, ""},
		{loop.Proposed{Ask: 1}, loop.FateTaken, loop.Pending, ""},
		{loop.FeedbackArrived{Evaluation: 5, Outcome: outcome.Of(2)}, loop.FateTaken, loop.Observed, "2/9  #5 2\n"},
		{loop.FeedbackArrived{Evaluation: 5, Outcome: outcome.Of(2)}, loop.FateLate, loop.Late, "2/9  #5 2\n"},
		{loop.EvaluationFailed{Evaluation: 5, Attempt: 1, Failure: outcome.Failure{Reason: "burnt"}}, loop.FateTriedAgain, loop.Pending, "2/9  #5 attempt 1: burnt, tried again\n"},
	} {
		e := tarry.Event{Event: c.event, Evaluation: loop.Evaluation{Query: policies.Query{Number: 5}, Status: c.status}, Reaction: loop.Reaction{Fate: c.fate, Expired: expired}}
		if got := linesOf(e); got != want+c.after {
			t.Errorf("%T, %v:\n%s", c.event, c.fate, got)
		}
	}
	own := tarry.Event{
		Event: loop.FeedbackArrived{Evaluation: 2, Attempt: 2, Outcome: outcome.Of(2)}, Evaluation: loop.Evaluation{Query: policies.Query{Number: 2}, Status: loop.Late},
		Reaction: loop.Reaction{Fate: loop.FateLate, Expired: expired[1:2]},
	}
	if got := linesOf(own); got != "2/9  #2 attempt 2 took longer than 1m30s\n2/9  #2 2\n" {
		t.Errorf("with its own value: %q", got)
	}
}

// What is ended early, or cancelled, has its line, and so has what was under way when the study ended.
func TestWhatEndsWithoutAnOutcomeHasALine(t *testing.T) {
	third := func(s loop.Status, reason string) loop.Evaluation {
		return loop.Evaluation{Query: policies.Query{Number: 3}, Status: s, Reason: reason}
	}
	end := []loop.Effect{loop.Cancel{Evaluation: 1, Attempt: 1}, loop.Cancel{Evaluation: 4, Attempt: 1}, loop.Cancel{Evaluation: 5, Attempt: 2}, loop.Finish{Result: loop.Result{Reason: "enough"}}}
	for _, c := range []struct {
		event loop.Event
		about loop.Evaluation
		fate  loop.Fate
		end   []loop.Effect
		want  string
	}{
		{loop.Reported{Evaluation: 3}, third(loop.Pending, ""), loop.FateTaken, nil, ""},
		{loop.Reported{Evaluation: 3}, third(loop.Stopped, "hopeless"), loop.FateTaken, nil, "2/9  #3 ended early: hopeless\n"},
		{loop.Reported{Evaluation: 3}, third(loop.Stopped, "hopeless"), loop.FateEnded, nil, ""},
		{loop.CancelRequested{Evaluation: 3}, third(loop.Cancelled, ""), loop.FateTaken, nil, "2/9  #3 cancelled\n"},
		{loop.CancelRequested{Evaluation: 3, Reason: "not needed\nany more"}, third(loop.Cancelled, "not needed\nany more"), loop.FateTimedOut, nil, "2/9  #3 cancelled: not needed\n"},
		{loop.CancelRequested{Evaluation: 3}, third(loop.Cancelled, ""), loop.FateRepeated, nil, ""},
		{loop.StopRequested{Reason: "enough"}, loop.Evaluation{}, loop.FateTaken, end, "2/9  #1 cancelled: enough\n2/9  #4 cancelled: enough\n2/9  #5 cancelled: enough\n"},
		{loop.FeedbackArrived{Evaluation: 3}, third(loop.Observed, ""), loop.FateTaken, end[:2], "2/9  #3 0\n"},
	} {
		r := loop.Reaction{Evaluation: c.about.Number, Fate: c.fate, Settled: 1, Effects: c.end}
		if got := linesOf(tarry.Event{Event: c.event, Evaluation: c.about, Reaction: r}); got != c.want {
			t.Errorf("%T, %v: %q, want %q", c.event, c.fate, got, c.want)
		}
	}
}
