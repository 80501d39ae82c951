package loop

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// Query 3 says nothing but its reports, each a sign of life: as long as they come it is neither forgotten nor given up, whatever its age, and counts in full;
// when they end it is silent like another.
func TestAReportIsASignOfLife(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"forgotten":       func(c *Config) { c.Forget = 0.05 },
		"forgotten after": func(c *Config) { c.ForgetAfter = 8 * time.Second },
		"weighed":         func(c *Config) { c.WeighPending = true },
		"given up":        func(c *Config) { c.GiveUp = 0.05 },
	} {
		gone := func(m *modest) bool { e := m.evaluation(3); return e.Forgotten || e.Status == Lost }
		quiet := silent(t, 20, change)
		if !gone(quiet) {
			t.Fatalf("%s: without reports it is still awaited", name)
		}
		m := silent(t, 0, change)
		answer := func(n int) {
			m.now += time.Second + time.Duration(n%5)*20*time.Millisecond
			m.say(FeedbackArrived{Evaluation: n, Attempt: 1, Outcome: outcome.Of(float64(n % 7))})
		}
		for n := 1; n <= 20; n++ {
			if n == 3 {
				continue
			}
			answer(n)
			if n > 3 {
				m.say(Reported{Evaluation: 3, Attempt: 1, Step: float64(n), Value: 1})
			}
			if gone(m) {
				t.Fatalf("%s: %+v after %d answers, though it reports", name, m.evaluation(3), n)
			}
		}
		if w := m.weightOf(3); name == "weighed" && w < eighths-1 {
			t.Errorf("%s: it counts %d eighths while it reports", name, w)
		}
		for n := 21; n <= 40; n++ {
			answer(n)
		}
		if !gone(m) {
			t.Errorf("%s: %+v is awaited long after its last report", name, m.evaluation(3))
		}
		m.say(Reported{Evaluation: 3, Attempt: 1, Step: 100, Value: 1}) // it lives after all
		answer(41)
		if e := m.evaluation(3); name != "given up" && (e.Forgotten || !slices.Contains(m.rows(), 3)) {
			t.Errorf("%s: %+v reported again, rows %v", name, e, m.rows())
		} else if name == "given up" && m.l.Counters().Overdue != 1 {
			t.Errorf("%s: %+v", name, m.l.Counters())
		}
	}
}

// An objective that is told to stop returns with an error, perhaps before the message that cancels it is there. It said nothing twice.
func TestWhoReturnsAfterItWasEndedEarlyRepeatsNothing(t *testing.T) {
	d := matured(t, Config{StopEarly: 0.2})
	d.step(0, Reported{10, 1, 1, -0.3})
	before := d.l.Counters()
	r, err := d.l.Step(Stamped{Seq: d.seq + 1, Event: EvaluationFailed{Evaluation: 10, Attempt: 1, Failure: outcome.Failure{Reason: "told to stop"}}})
	if d.seq++; err != nil || r.Fate != FateEnded || r.Status != Stopped || d.l.Counters() != before {
		t.Errorf("%+v, %v, counted %+v, before %+v", r, err, d.l.Counters(), before)
	}
	d.step(0, EvaluationFailed{Evaluation: 10, Attempt: 1, Told: true, Failure: outcome.Failure{Reason: "said by somebody else"}})
	if got := d.l.Counters().Repeated; got != before.Repeated+1 {
		t.Errorf("%d repeated, want one more than %d: nobody told the one who said it", got, before.Repeated)
	}
}

// What was ended early is known nearly as if its value had come, and is no temptation, also where the model was sure of another value, for whoever chooses the next point, however little its last report says, and whether reports of
// what still runs are ignored: a policy that found much uncertainty there would choose the point again, and see it ended again.
func TestWhereAnEvaluationWasEndedEarlyNothingIsLeftToLearn(t *testing.T) {
	for _, how := range imputations {
		for _, ignore := range []bool{false, true} {
			d := matured(t, Config{StopEarly: 0.2, IgnoreReports: ignore, Traits: policies.Traits{Name: "of my own", Model: true, Pending: how}})
			x := d.l.ledger.get(10).X
			d.step(0, Reported{10, 1, 1, -0.3})
			if d.l.ledger.get(10).Status != Stopped {
				t.Fatal("it goes on")
			}
			fit, _ := d.l.model.Fitting()
			d.step(0, FitFailed{Fit: fit.ID})
			v := d.l.View()
			row := slices.Index(v.Rows, -10)
			if row < 0 {
				t.Fatalf("%v: rows %v", how, v.Rows)
			}
			mean, variance := v.Posterior.Predict(x)
			_, answered := v.Posterior.Predict(d.l.ledger.get(9).X)
			best := v.Units.To(d.l.Best().Value)
			if math.Sqrt(variance) > 2*math.Sqrt(answered)+1e-3 || mean+3*math.Sqrt(variance) > best {
				t.Errorf("%v, reports ignored %v: %v ± %v there, the best is %v; where an answer is ± %v", how, ignore, mean, math.Sqrt(variance), best, math.Sqrt(answered))
			}
		}
	}
}
