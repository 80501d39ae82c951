package actors

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// metered is a driver, the clock of its study, and what the loop wants of it.
type metered struct {
	*Driver
	collector collector
	callbacks *registered
	began     time.Time
	ask       loop.Ask // the latest
	attempts  []loop.Dispatch
	finished  bool
}

func newMetered(t *testing.T, study loop.Config) *metered {
	t.Helper()
	m := &metered{collector: newCollector(), began: time.Now()}
	m.callbacks = &registered{MeterProvider: m.collector}
	var err error
	if m.Driver, err = NewDriver(metricConfig(t, "random", "s", m.callbacks, study)); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *metered) step(t *testing.T, e loop.Event) {
	t.Helper()
	reaction, err := m.Step(time.Since(m.began), e)
	if err != nil {
		t.Fatal(err)
	}
	for _, effect := range reaction.Effects {
		switch e := effect.(type) {
		case loop.Ask:
			m.ask = e
		case loop.Dispatch:
			m.attempts = append(m.attempts, e)
		case loop.Finish:
			m.finished = true
		}
	}
}

// check compares what is reported with the evaluations themselves.
func (m *metered) check(t *testing.T, when string) {
	t.Helper()
	counts := make([]int, loop.Stopped+1)
	ages, oldest, measured := []float64{}, 0.0, 0.0
	for _, e := range m.Loop().Evaluations() {
		counts[e.Status]++
		if e.Measured {
			measured++
		}
		if e.Status == loop.Pending && e.Attempt > 0 {
			age := (time.Since(m.began) - e.Dispatched).Seconds()
			ages, oldest = append(ages, age), max(oldest, age)
		}
	}
	mean := 0.0
	for _, age := range ages {
		mean += age / float64(len(ages))
	}
	if measured == 0 {
		measured = math.NaN() // it is absent
	}
	incumbent := math.NaN()
	if best := m.Loop().Result().Best; best != nil {
		incumbent = best.Value
	}
	queries := float64(m.Loop().Counters().Fallbacks) // every ask is answered so
	if queries == 0 {
		queries = math.NaN()
	}
	m.collector.expect(t, when, together(byState("s", counts...), map[string]float64{
		"tarry.pending.age.oldest{study=s}":   oldest,
		"tarry.pending.age.mean{study=s}":     mean,
		"tarry.incumbent{study=s}":            incumbent,
		"tarry.query.duration.count{study=s}": queries,
		"tarry.feedback.delay.count{study=s}": measured,
	}))
}

// Whatever happens in whatever order, what is reported after each event is what the ledger says.
func TestMetricsAgreeWithTheLedger(t *testing.T) {
	seen := map[loop.Status]int{}
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			r := rng.New(seed, rng.World, 0)
			m := newMetered(t, loop.Config{Budget: 30, Initial: 3, Timeout: 7 * time.Second, Retries: r.IntN(3), Patience: 20 * time.Second})
			for k := 0; k < 1000 && !m.finished && !t.Failed(); k++ {
				time.Sleep(time.Duration(r.ExpFloat64() * float64(time.Second)))
				e := m.anything(r)
				m.step(t, e)
				m.check(t, fmt.Sprintf("seed %d, event %d: %T%+v", seed, k+1, e, e))
				time.Sleep(time.Duration(r.ExpFloat64() * float64(time.Second)))
				m.check(t, fmt.Sprintf("seed %d, a while after event %d", seed, k+1))
			}
			for _, e := range m.Loop().Evaluations() {
				seen[e.Status]++
			}
		})
	}
	for _, s := range []loop.Status{loop.Observed, loop.Late, loop.Failed, loop.TimedOut, loop.Cancelled, loop.Infeasible} {
		if seen[s] == 0 {
			t.Errorf("no evaluation was %v: the test is too easy", s)
		}
	}
}

// anything is an event that may come next.
func (m *metered) anything(r *rand.Rand) loop.Event {
	d := loop.Dispatch{Evaluation: 1, Attempt: 1}
	if n := len(m.attempts); n > 0 {
		d = m.attempts[max(0, n-1-r.IntN(6), r.IntN(n)-r.IntN(n))] // mostly a late one
	}
	switch k := r.IntN(200); {
	case k < 30:
		return loop.WorkerJoined{Worker: 1 + r.IntN(4), Slots: 1}
	case k < 40:
		return loop.WorkerLeft{Worker: 1 + r.IntN(4), Reason: "left"}
	case k < 110:
		return loop.ProposeFailed{Ask: m.ask.ID, Reason: "a uniform point will do"}
	case k < 135:
		return loop.FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Outcome{Value: float64(r.IntN(20)), Infeasible: r.IntN(4) == 0}}
	case k < 140:
		return loop.FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(math.NaN())}
	case k < 160:
		return loop.AnswerFollows{Evaluation: d.Evaluation, Attempt: d.Attempt}
	case k < 170:
		return loop.EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "broken"}}
	case k < 175:
		return loop.EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "too hot", Verdict: outcome.Infeasible}}
	case k < 196:
		return loop.Woke{}
	}
	return loop.StopRequested{Reason: "enough"}
}

func TestMetricsCountTheLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMetered(t, loop.Config{Budget: 3, Initial: 3})
		for k := range loop.MaxLost + 1 {
			m.collector.expect(t, "before it is lost", map[string]float64{"tarry.evaluations{state=lost,study=s}": 0})
			m.step(t, loop.WorkerJoined{Worker: k + 1, Slots: 1})
			m.step(t, loop.WorkerLeft{Worker: k + 1, Reason: "left"})
			time.Sleep(time.Second)
		}
		m.collector.expect(t, "lost", byState("s", 0, 0, 0, 0, 0, 1, 0))
		m.step(t, loop.FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(4)})
		m.check(t, "found")
		m.collector.expect(t, "found", together(byState("s", 0, 0, 1, 0, 0, 0, 0), map[string]float64{
			"tarry.feedback.delay.sum{study=s}":           loop.MaxLost + 1,
			"tarry.mailbox.length{actor=workers,study=s}": math.NaN(),
			"tarry.mailbox.length{actor=policy,study=s}":  math.NaN(),
			"tarry.answers{outcome=late,study=s}":         1,
		}))
	})
}

func TestMetricsCountWhatTheEndCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMetered(t, loop.Config{Budget: 3, Initial: 3})
		m.step(t, loop.WorkerJoined{Worker: 1, Slots: 1})
		m.step(t, loop.AnswerFollows{Evaluation: 1, Attempt: 1})
		m.step(t, loop.WorkerLeft{Worker: 1, Reason: "left"}) // 1 is awaited from elsewhere, 2 waits for a worker
		m.check(t, "pending")
		m.step(t, loop.StopRequested{Reason: "enough"})
		m.collector.expect(t, "stopped", byState("s", 0, 0, 0, 0, 0, 0, 2))
	})
}

func TestMetricsOfAClosedDriverAreSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMetered(t, loop.Config{Budget: 1})
		m.step(t, loop.WorkerJoined{Worker: 1, Slots: 1})
		m.check(t, "open")
		m.Close()
		m.collector.silent(t, "at once")
		m.Close()
		synctest.Wait()
		if n := m.callbacks.callbacks.Load(); n != 0 {
			t.Errorf("%d callbacks after Close", n)
		}
		m.step(t, loop.FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(4)})
		m.collector.silent(t, "closed")
	})
}
