package loop

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/internal/survival"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// silent is a study with a model, in which every answer takes a second or a little more but that of query 3, which does not come. So many
// of the others have been answered.
func silent(t *testing.T, answers int, change func(*Config)) *modest {
	t.Helper()
	m := modestly(t, func(c *Config) {
		c.Traits = policies.Traits{Name: "none", Model: true, Pending: feedback.Hallucinate}
		c.Budget, c.Initial, c.Pending, c.FitBeside = 60, 4, 60, true
		change(c)
	})
	m.say(WorkerJoined{1, 2})
	for n := 1; answers > 0; n++ {
		if n == 3 {
			m.now += 200 * time.Millisecond
			continue
		}
		m.now += time.Second + time.Duration(n%5)*20*time.Millisecond
		m.say(FeedbackArrived{Evaluation: n, Attempt: 1, Outcome: outcome.Of(float64(n % 7))})
		answers--
	}
	return m
}

func (m *modest) evaluation(number int) Evaluation { return m.l.Evaluations()[number-1] }

// seen are the queries of which the model has a row, in the view of a policy.
func (m *modest) rows() []int { return m.l.View().Rows }

func TestASilentQueryIsForgottenAndItsValueIsLateAndCounts(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"by what is learned": func(c *Config) { c.Forget = 0.05 },
		"after a time":       func(c *Config) { c.ForgetAfter = 8 * time.Second },
	} {
		t.Run(name, func(t *testing.T) {
			m := silent(t, 20, change)
			if e := m.evaluation(3); !e.Forgotten || e.Status != Pending || m.l.Counters().Forgotten != 1 {
				t.Fatalf("after 20 answers: %+v, %+v", e, m.l.Counters())
			}
			if view := m.l.View(); slices.Contains(view.Pending, 3) || slices.Contains(view.Rows, 3) {
				t.Errorf("the policy sees pending %v and rows %v, want no 3", view.Pending, view.Rows)
			}
			if m.l.Spent() != len(m.l.Evaluations()) {
				t.Errorf("%d spent of %d: what is forgotten still counts", m.l.Spent(), len(m.l.Evaluations()))
			}
			m.say(FeedbackArrived{Evaluation: 3, Attempt: 1, Outcome: outcome.Of(9)})
			m.say(FeedbackArrived{Evaluation: 22, Attempt: 1, Outcome: outcome.Of(1)}) // another ask
			if e := m.evaluation(3); e.Forgotten || e.Status != Late || m.l.Result().Best.Number != 3 || !slices.Contains(m.rows(), 3) {
				t.Errorf("its value came: %+v, best %d, rows %v", e, m.l.Result().Best.Number, m.rows())
			}
		})
	}
}

func TestFourAnswersForgetAndGiveUpNothing(t *testing.T) {
	m := silent(t, survival.Least-1, func(c *Config) { c.Forget, c.GiveUp, c.Window.Share = 0.5, 0.5, 0.9 })
	m.now += 1000 * time.Hour
	m.say(Woke{})
	if e, c := m.evaluation(3), m.l.Counters(); e.Status != Pending || c.Forgotten+c.GivenUp > 0 || m.l.View().Window.Limited() {
		t.Errorf("%+v, %+v, window %+v", e, c, m.l.View().Window)
	}
}

// What is given up is lost: its slot is free, its budget comes back, and a value that comes all the same counts.
func TestASilentQueryIsGivenUp(t *testing.T) {
	m := silent(t, 20, func(c *Config) { c.GiveUp = 0.05 })
	e := m.evaluation(3)
	if e.Status != Lost || m.l.Counters().GivenUp != 1 || !strings.Contains(e.Reason, "silent") || e.Holds {
		t.Fatalf("%+v, %+v", e, m.l.Counters())
	}
	if want := len(m.l.Evaluations()) - 1; m.l.Spent() != want {
		t.Errorf("%d spent, want %d", m.l.Spent(), want)
	}
	if pending := m.l.Pending(); pending != 2 {
		t.Errorf("%d pend, want as many as there are slots", pending)
	}
	m.say(FeedbackArrived{Evaluation: 3, Attempt: 1, Outcome: outcome.Of(9)})
	if e := m.evaluation(3); e.Status != Late || m.l.Result().Best.Number != 3 {
		t.Errorf("its value came: %+v", e)
	}
}

// Nobody says anything, and the study wakes by itself when a query has been silent for long enough.
func TestAStudyWakesToGiveUp(t *testing.T) {
	m := silent(t, 20, func(c *Config) { c.GiveUp, c.Budget = 0.05, 24 })
	woken := 0
	for m.l.Pending() > 0 && woken < 50 {
		woken++
		m.now = m.l.plan.wake
		m.say(Woke{})
	}
	if m.l.Pending() > 0 || m.l.Counters().GivenUp < 3 || m.now > time.Hour {
		t.Errorf("after %d times at %v: %d pend, %+v", woken, m.now, m.l.Pending(), m.l.Counters())
	}
	if c := m.l.Counters(); !m.finished && m.l.Spent() > 0 && c.GivenUp > 2*m.l.Config().Budget {
		t.Errorf("the study goes on for ever: %+v", c)
	}
}

// An evaluation that is tried again is awaited again.
func TestWhatIsTriedAgainIsRememberedAgain(t *testing.T) {
	m := silent(t, 20, func(c *Config) { c.Forget, c.Retries = 0.05, 3 })
	m.say(EvaluationFailed{Evaluation: 3, Attempt: 1})
	m.say(FeedbackArrived{Evaluation: 22, Attempt: 1, Outcome: outcome.Of(1)})
	m.say(FeedbackArrived{Evaluation: 23, Attempt: 1, Outcome: outcome.Of(1)})
	if e := m.evaluation(3); e.Forgotten || e.Status != Pending || e.Attempt != 2 || !slices.Contains(m.rows(), 3) {
		t.Errorf("%+v, rows %v", e, m.rows())
	}
}

// Forgotten queries take no place among those that may pend: a study whose answers are lost goes on.
func TestForgottenQueriesTakeNoPlace(t *testing.T) {
	m := modestly(t, func(c *Config) {
		c.Traits = policies.Traits{Name: "none", Model: true, Pending: feedback.Hallucinate}
		c.Budget, c.Initial, c.Pending, c.ForgetAfter = 30, 1, 3, 5*time.Second
	})
	m.say(WorkerJoined{1, 1})
	for range 200 {
		if m.l.Pending() == 30 {
			break
		}
		for len(m.running) > 0 {
			d := m.take(0)
			m.say(AnswerFollows{Evaluation: d.Evaluation, Attempt: d.Attempt})
		}
		if m.l.plan.wake > m.now {
			m.now = m.l.plan.wake
			m.say(Woke{})
		}
	}
	if n := len(m.l.Evaluations()); n != 30 || m.l.Counters().Forgotten < 27 {
		t.Errorf("%d queries were chosen, want 30; %+v, held by %v", n, m.l.Counters(), m.l.Held())
	}
}

func TestTheWindowThatIsLearnedHoldsItsShare(t *testing.T) {
	m := silent(t, 40, func(c *Config) {
		c.Traits.Pending, c.Window.Share = feedback.Censor, 0.9
	})
	w := m.l.View().Window
	if w.Duration < 1060*time.Millisecond || w.Duration > 4*time.Second {
		t.Errorf("window %v, want one that holds delays of 1 to 2.1 s, 9 of 10", w.Duration)
	}
	if m.l.Counters().LateValues > 0 {
		t.Error("a value was late for it")
	}
}

// Answers take ten times as long at one end of x as at the other. Then a query there is given up later, and one at the other end sooner.
func TestSlowPointsAreAwaitedLonger(t *testing.T) {
	s := must.Get(space.New(space.Float("x", 0, 1), space.Categorical("kind", "a", "b", "c")))(t)
	d := drive(t, Config{Space: s, Traits: policies.Traits{Name: "none"}, Budget: 200, Initial: 200, GiveUp: 0.05})
	stream := rng.New(1, rng.Test, 0)
	d.step(0, WorkerJoined{1, 200})
	due := map[int]time.Duration{}
	for _, e := range d.l.Evaluations() {
		kind := map[int]float64{0: 0, 1: 0, 2: math.Log(2)}[int(s.Value(e.X)[1])]
		due[e.Number] = time.Duration(float64(time.Second) * math.Exp(math.Log(10)*e.X[0]+kind+.1*stream.NormFloat64()))
		if e.Number%10 == 0 {
			due[e.Number] = math.MaxInt64
		}
	}
	numbers := slices.SortedFunc(func(yield func(int) bool) {
		for n := 1; n <= 200; n++ {
			if !yield(n) {
				return
			}
		}
	}, func(a, b int) int { return int(min(max(due[a]-due[b], -1), 1)) })
	for _, n := range numbers {
		if due[n] < math.MaxInt64 {
			d.step(due[n], FeedbackArrived{Evaluation: n, Attempt: 1, Outcome: outcome.Of(stream.NormFloat64())})
		}
	}
	early, late := time.Duration(0), time.Duration(0)
	for _, e := range d.l.Evaluations() {
		switch {
		case e.Status != Lost:
		case e.X[0] < .3:
			early = max(early, e.Ended)
		case e.X[0] > .7:
			late = max(late, e.Ended)
		}
	}
	report := d.l.DelayReport()
	if late > 0 && late < 2*early || len(report.Slow) != 2 || report.Slow[0].Factor < 7 || report.Slow[0].Factor > 14 || report.Slow[1].Factor < 1.6 || report.Slow[1].Factor > 2.5 || !report.Slow[1].Words {
		t.Errorf("given up at %v where answers are quick, at %v where they are slow; %+v", early, late, report.Slow)
	}
	if report.Chance < 1e-3 {
		t.Errorf("delays and values go together: %v, %v", report.Rho, report.Chance)
	}
}

func TestTheReportSaysWhatIsExpectedOfEachQuery(t *testing.T) {
	m := silent(t, 20, func(c *Config) {})
	r := m.l.DelayReport()
	if !r.Law.Known() || len(r.Silent) != 2 || r.Silent[0].Number != 3 || len(r.Families) != 3 || len(r.Curve) == 0 {
		t.Fatalf("%+v", r)
	}
	if old, young := r.Silent[0], r.Silent[1]; !(old.Chance < 0.2 && young.Chance > 0.8) || young.Left <= 0 || young.Left > 3*time.Second || old.Age < 15*time.Second {
		t.Errorf("%+v and %+v", old, young)
	}
	few := silent(t, 2, func(c *Config) {}).l.DelayReport()
	if few.Law.Known() || len(few.Silent) == 0 || few.Silent[0].Chance != 1 || few.Silent[0].Left >= 0 || few.Families != nil || !math.IsNaN(few.Rho) {
		t.Errorf("after two answers: %+v", few)
	}
}

func TestWhatForgettingMayBeIsSaid(t *testing.T) {
	for text, change := range map[string]func(*Config){
		"Config.Forget = 0.6: want":                 func(c *Config) { c.Forget = 0.6 },
		"Config.GiveUp = NaN: want":                 func(c *Config) { c.GiveUp = math.NaN() },
		"Config.ForgetAfter = -1s: want":            func(c *Config) { c.ForgetAfter = -time.Second },
		"want false with a strict window":           func(c *Config) { c.WeighPending, c.Window = true, feedback.Window{Rounds: 3, Strict: true} },
		"want 0 with a strict window":               func(c *Config) { c.Forget, c.Window = 0.1, feedback.Window{Rounds: 3, Strict: true} },
		"Config.Window.Share = 1: want":             func(c *Config) { c.Window.Share = 1 },
		"want 0 with Rounds or Duration, which say": func(c *Config) { c.Window = feedback.Window{Rounds: 3, Share: 0.5} },
	} {
		c := Config{Space: must.Get(space.New(space.Float("x", 0, 1)))(t), Traits: policies.Traits{Name: "none"}, Budget: 5}
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v, want %q", err, text)
		}
	}
}
