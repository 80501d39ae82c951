package loop

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/alike"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// interrupted is a study with an evaluation that a worker holds (1), one whose answer follows (2), one that waits for a slot
// (3) and an enqueued point, when the process that drives it ends.
func interrupted(t *testing.T, change func(*Config)) *modest {
	t.Helper()
	m := modestly(t, func(c *Config) {
		c.Budget, c.Initial, c.Timeout, c.Retries = 20, 20, 10*time.Second, 3
		change(c)
	})
	m.say(WorkerJoined{1, 2})
	m.say(WorkerJoined{2, 1})
	m.say(AnswerFollows{Evaluation: 2, Attempt: 1, Retire: true})
	m.say(WorkerLeft{2, "gone"})
	m.say(QueryEnqueued{[]float64{0.5, 0.5}})
	return m
}

func TestWhatWorkersWereDoingStartsAgainFirst(t *testing.T) {
	m := interrupted(t, plain)
	before := slices.Clone(m.l.Evaluations())
	if got, want := m.at(4, Resumed{}), []Effect{WakeAt{10 * time.Second}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v is to be done, want %+v", got, want)
	}
	if got, want := m.l.Outstanding(), []Effect{WakeAt{10 * time.Second}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v is outstanding, want %+v", got, want)
	}
	if e := m.l.Evaluations()[0]; e.Running || e.Holds || e.Deadline != 0 || e.Attempt != 1 || e.Status != Pending {
		t.Errorf("the one that was held: %+v", e)
	}
	var again []Dispatch
	for _, e := range m.at(5, WorkerJoined{7, 3}) {
		if d, ok := e.(Dispatch); ok {
			again = append(again, d)
		}
	}
	want := []Dispatch{
		{1, 2, 7, space.Point(before[0].X), 15 * time.Second}, // held when the process ended
		{3, 2, 7, space.Point(before[2].X), 15 * time.Second}, // waited before that
		{4, 1, 7, []float64{0.5, 0.5}, 15 * time.Second},
	}
	if !reflect.DeepEqual(again, want) {
		t.Errorf("dispatched %+v, want %+v", again, want)
	}
	if e := m.l.Evaluations()[1]; e.Status != Pending || !e.Running || e.Attempt != 1 || e.Deadline != 10*time.Second {
		t.Errorf("the one whose answer follows: %+v", e)
	}
	if c := m.l.Counters(); c.Restarts != 1 || c.Vanished != 1 || m.l.Evaluations()[0].Vanished != 0 {
		t.Errorf("%+v; nobody is to blame but worker 2", c)
	}
}

// Whoever survived the process may answer: the value is taken, and the repeat is not needed.
func TestAnswersToTheProcessBeforeAreTaken(t *testing.T) {
	m := interrupted(t, plain)
	m.at(1, Resumed{})
	m.at(2, FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(5)})
	m.at(2, FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(6)})
	effects := m.at(3, WorkerJoined{7, 1})
	if d, ok := effects[0].(Dispatch); !ok || d.Evaluation != 3 {
		t.Errorf("%+v, want the dispatch of 3", effects)
	}
	effects = m.at(4, FeedbackArrived{Evaluation: 3, Attempt: 1, Outcome: outcome.Of(7)})
	if effects[0] != (Cancel{Evaluation: 3, Attempt: 2, Worker: 7}) {
		t.Errorf("%+v, want the repeat of 3 cancelled", effects)
	}
	for _, e := range m.l.Evaluations()[:3] {
		if e.Status != Observed {
			t.Errorf("%+v", e)
		}
	}
}

// However long nobody drove the study: what a worker held is not to blame for it.
func TestAPauseTimesNothingOutThatIsRepeated(t *testing.T) {
	m := interrupted(t, func(c *Config) { c.Retries = 0 })
	m.at(1000, Resumed{})
	for i, want := range []Status{Pending, TimedOut, Pending} {
		if e := m.l.Evaluations()[i]; e.Status != want {
			t.Errorf("evaluation %d is %v, want %v", e.Number, e.Status, want)
		}
	}
	if c := m.l.Counters(); c.Timeouts != 1 {
		t.Errorf("%+v, want one timeout: of the answer that did not follow", c)
	}
}

// An open ask and a fit under way are done again by whoever goes on.
func TestAskAndFitStayOpen(t *testing.T) {
	m := modestly(t, func(c *Config) {
		c.Budget, c.Initial, c.FitBeside = 20, 4, true
		c.Traits = policies.Traits{Name: "none", Model: true, Pending: feedback.Hallucinate}
	})
	m.at(0, WorkerJoined{1, 4})
	for n := 1; n <= 4; n++ {
		m.at(0, FeedbackArrived{Evaluation: n, Attempt: 1, Outcome: outcome.Of(float64(n))})
	}
	m.at(0, ProposeFailed{Ask: 1})
	before := m.l.Outstanding() // a fit, the dispatch of 5 and an ask
	if len(before) != 3 {
		t.Fatalf("%+v", before)
	}
	view := m.l.View()
	m.at(1, Resumed{})
	if got, want := m.l.Outstanding(), []Effect{before[0], before[2]}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if what := alike.Posteriors(m.l.config.Space, view.Posterior, m.l.View().Posterior); what != "" {
		t.Errorf("another posterior: %s", what)
	}
	m.at(2, before[0].(Fit).Run())
	m.at(2, Proposed{Ask: 2, Proposals: []policies.Proposal{{X: []float64{0.5, 0.5}}}})
	m.at(3, WorkerJoined{1, 2})
	if c, all := m.l.Counters(), m.l.Evaluations(); c.Fits != 1 || c.Repeated+c.Unknown > 0 || len(all) != 6 || all[4].Attempt != 2 || all[5].Attempt != 1 {
		t.Errorf("%+v, %+v", c, all)
	}
}

// A study whose process ends five times before each answer is the study that nobody interrupted.
func TestAThousandInterruptionsLoseNothing(t *testing.T) {
	play := func(interruptions int) Result {
		m := modestly(t, func(c *Config) { c.Budget, c.Initial, c.Timeout = 200, 20, time.Hour })
		m.say(WorkerJoined{1, 1})
		for !m.finished {
			for range interruptions {
				m.running = nil
				m.say(Resumed{})
				m.say(WorkerJoined{1, 1})
			}
			m.now += time.Second
			d := m.take(0)
			m.say(FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(d.X[0] + d.X[1])})
		}
		return m.l.Result()
	}
	once, often := play(0), play(5)
	if c := often.Counters; c.Restarts != 1000 || c.Vanished+c.Timeouts > 0 || len(often.Evaluations) != 200 || often.Best.Number != once.Best.Number {
		t.Errorf("%d evaluations, best %+v, %+v", len(often.Evaluations), often.Best, c)
	}
	for i, e := range often.Evaluations {
		if want := once.Evaluations[i]; !slices.Equal(e.X, want.X) || e.Value != want.Value || e.Status != Observed || e.Seen != want.Seen || e.Attempt != 6 {
			t.Fatalf("%+v, without interruptions %+v", e, want)
		}
	}
}
