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

func TestAnAttemptThatTookTooLongSaysHowLongAndWhatComesOfIt(t *testing.T) {
	for _, c := range []struct {
		pending int // of 3 before
		want    string
	}{{3, ", tried again\n"}, {1, ", given up\n"}, {2, "\n"}} {
		var out bytes.Buffer
		p := newProgress(&out, 90*time.Second, false)
		p.event(tarry.Event{Event: loop.Woke{}, Chosen: 3, Spent: 3, Pending: 3, Budget: 4})
		p.event(tarry.Event{
			Event: loop.Woke{}, Chosen: 3, Spent: 3, Pending: c.pending, Budget: 4,
			Reaction: loop.Reaction{
				Fate: loop.FateTimedOut, Settled: 3 - c.pending,
				Effects: []loop.Effect{loop.Cancel{Evaluation: 1, Attempt: 1}, loop.Cancel{Evaluation: 2, Attempt: 2}},
			},
		})
		if got := out.String(); strings.Count(got, c.want) != 2 || !strings.Contains(got, "/4  #2 attempt 2 took longer than 1m30s"+c.want) {
			t.Errorf("%d pending: %q", c.pending, got)
		}
	}
}
