package loop

import (
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// halfway is a study of two numbers with some answers, a failure, and queries that pend; a known model where hyper is given.
func halfway(t *testing.T, how feedback.Imputation, hyper []float64) *driver {
	t.Helper()
	s, err := space.New(space.Float("x", -1, 3), space.LogFloat("y", 0.01, 1))
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Space: s, Budget: 60, Minimize: true, Initial: 6, Traits: policies.Traits{Name: "of my own", Model: true, Pending: how}}
	if hyper != nil {
		c.Model = Model{Hyper: hyper, Noise: 1e-3}
	}
	d := drive(t, c)
	d.step(0, WorkerJoined{1, 8})
	for l := d.l; len(l.Evaluations()) < 24; {
		for _, effect := range l.Outstanding() {
			switch effect := effect.(type) {
			case Ask:
				d.step(0, Propose(effect, l.View(), named(t, "random"), 1))
			case Fit:
				d.step(0, effect.Run())
			}
		}
		if pending := l.ledger.pending; len(pending) > 7 {
			e := l.ledger.get(pending[3])
			x := l.config.Space.Value(e.X)
			if e.Number == 9 {
				d.step(0, EvaluationFailed{Evaluation: e.Number, Attempt: e.Attempt, Failure: outcome.Failure{Reason: "broken", Verdict: outcome.Infeasible}})
			} else {
				d.step(0, FeedbackArrived{Evaluation: e.Number, Attempt: e.Attempt, Outcome: outcome.Of(5 + math.Sin(3*x[0]) + math.Log(x[1]))})
			}
		}
	}
	return d
}

// A policy that widens its forecasts by how they did widens predictions too, and never makes them narrower than the model does.
func TestPredictionsAreNoSurerThanForecastsHaveEarned(t *testing.T) {
	at := space.Point{0.5, 0.2}
	plain := halfway(t, feedback.Hallucinate, []float64{0.3, 0.5, 2}).l
	before := must.Get(plain.Predict(at))(t)
	for _, missed := range []bool{true, false} {
		l := halfway(t, feedback.Hallucinate, []float64{0.3, 0.5, 2}).l
		l.config.Traits.Widens = true
		for i := range l.ledger.history {
			a := &l.ledger.history[i]
			a.Forecast = &policies.Forecast{Mean: a.Value, Stddev: 1, Scale: 1}
			if missed {
				a.Forecast.Mean += 1e3
			}
		}
		factor := policies.Overconfidence(l.ledger.history, l.config.Space.Varying())
		if missed != (factor > 1) {
			t.Fatalf("missed %t: deviations are too small by %v", missed, factor)
		}
		after := must.Get(l.Predict(at))(t)
		if want := before.Stddev * max(1, factor); math.Abs(after.Stddev-want) > 1e-12*want || after.Mean != before.Mean || after.Noise != before.Noise {
			t.Errorf("missed %t: %+v, want that of %+v widened by %v", missed, after, before, max(1, factor))
		}
	}
}

// What is predicted is what a posterior made from nothing but the answers says, whatever failed.
func TestAPredictionIsThatOfTheAnswers(t *testing.T) {
	for _, how := range []feedback.Imputation{feedback.Ignore, feedback.Hallucinate, feedback.Censor} {
		for name, hyper := range map[string][]float64{"learned": nil, "known": {0.3, 0.5, 2}} {
			l := halfway(t, how, hyper).l
			other := halfway(t, how, hyper).l
			other.model.Sync()
			m := lookAt(other)
			var x []space.Unit
			var targets []float64
			for _, e := range l.ledger.evaluations {
				if !e.Status.Valued() {
					continue
				}
				target, _ := m.buffer.Target(e.Number, how, m.Units)
				x, targets = append(x, e.X), append(targets, target)
			}
			dumb, err := m.prior.Condition(x, targets, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range []space.Point{{-1, 0.01}, {0.5, 0.2}, {3, 1}} {
				u, _ := l.config.Space.Unit(at)
				mean, variance := dumb.Predict(u)
				got, err := l.Predict(at)
				scale := m.Units.Scale
				if err != nil || math.Abs(got.Mean+m.Units.From(mean)) > 1e-6*scale || math.Abs(got.Stddev-scale*math.Sqrt(variance)) > 1e-6*scale || math.Abs(got.Noise-scale*math.Sqrt(m.prior.Noise)) > 1e-12*scale {
					t.Errorf("%v, %s, at %v: %+v, want %v ± %v (%v)", how, name, at, got, -m.Units.From(mean), scale*math.Sqrt(variance), err)
				}
			}
			x0, p, err := l.Recommend(nil)
			if err != nil {
				t.Fatal(err)
			}
			if again, _ := l.Predict(x0); again != p {
				t.Errorf("recommended with %+v, predicted with %+v", p, again)
			}
			if best := l.Best(); l.prefers(must.Get(l.believe())(t), best, p) {
				if !slices.Equal(x0, l.config.Space.Value(best.X)) {
					t.Errorf("%v, %s: %v is recommended, and %v is the best that came", how, name, x0, best)
				}
				continue
			}
			for _, e := range l.ledger.evaluations {
				if other, _ := l.Predict(l.config.Space.Value(e.X)); other.Mean < p.Mean {
					t.Errorf("%v, %s: %+v is recommended, and evaluation %d has %+v", how, name, p, e.Number, other)
				}
			}
		}
	}
}

// Asking the model changes nothing: a study that is asked at every turn goes on as one that never was, to the bit.
func TestPredictionsLeaveNoTrace(t *testing.T) {
	silent, asked := halfway(t, feedback.Hallucinate, nil), halfway(t, feedback.Hallucinate, nil)
	for !silent.l.Finished() {
		if _, err := asked.l.Predict([]float64{0, 0.1}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := asked.l.Recommend(nil); err != nil {
			t.Fatal(err)
		}
		var event Event
		if pending := silent.l.ledger.pending; len(pending) > 0 {
			event = FeedbackArrived{Evaluation: pending[0], Attempt: 1, Outcome: outcome.Of(float64(pending[0] % 7))}
		}
		for _, effect := range silent.l.Outstanding() {
			switch effect := effect.(type) {
			case Ask:
				event = Propose(effect, silent.l.View(), named(t, "log-ei"), 1)
				if other := Propose(effect, asked.l.View(), named(t, "log-ei"), 1); !sameProposal(event, other) {
					t.Fatalf("proposals %+v and %+v", event, other)
				}
			case Fit:
				event = effect.Run()
			}
		}
		silent.step(0, event)
		asked.step(0, event)
		if silent.l.Digest() != asked.l.Digest() {
			t.Fatalf("after %+v the digests differ", event)
		}
	}
}

func sameProposal(a, b Event) bool {
	p, isP := a.(Proposed)
	q, isQ := b.(Proposed)
	return isP && isQ && slices.Equal(p.Proposals[0].X, q.Proposals[0].X)
}

// The task of an ask is at work elsewhere while the model is asked, or the study ends.
func TestTheModelIsAskedWhileAPolicyThinks(t *testing.T) {
	d := halfway(t, feedback.Hallucinate, nil)
	for d.l.plan.ask.ID == 0 {
		e := d.l.ledger.pending[0]
		d.step(0, FeedbackArrived{Evaluation: e, Attempt: 1, Outcome: outcome.Of(1)})
		for _, effect := range d.l.Outstanding() {
			if fit, is := effect.(Fit); is {
				d.step(0, fit.Run())
			}
		}
	}
	task := d.l.Task()
	var both sync.WaitGroup
	both.Go(func() { task.Run(named(t, "log-ei")) })
	for range 3 {
		if _, err := d.l.Predict([]float64{0, 0.1}); err != nil {
			t.Error(err)
		}
	}
	d.step(0, StopRequested{"enough"})
	both.Wait()
}

func TestWhereThereIsNoModel(t *testing.T) {
	c := valid(t)
	d := drive(t, c)
	if _, err := d.l.Predict([]float64{0.5, 1}); !errors.Is(err, ErrNoModel) {
		t.Errorf("without values: %v", err)
	}
	if _, err := d.l.Predict([]float64{2, 1}); !errors.Is(err, space.ErrOutsideSpace) {
		t.Errorf("outside: %v", err)
	}
	if _, _, err := d.l.Recommend([]float64{1}); !errors.Is(err, space.ErrOutsideSpace) {
		t.Errorf("a context where there is none: %v", err)
	}
	c.Traits = named(t, "random").Traits()
	d = drive(t, c)
	for i := range 5 {
		d.step(0, ObservationArrived{X: []float64{float64(i) / 8, 1}, Value: 1})
	}
	if _, _, err := d.l.Recommend(nil); !errors.Is(err, ErrNoModel) {
		t.Errorf("without a model: %v", err)
	}
	if r := d.l.Result(); r.Expected != nil || r.Recommended == nil {
		t.Errorf("%+v", r)
	}
}

func named(t *testing.T, name string) policies.Policy {
	t.Helper()
	p, err := policies.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A predictor says what Predict said when it was made, whatever happens afterwards.
func TestAPredictorStaysAsItIs(t *testing.T) {
	d := halfway(t, feedback.Hallucinate, []float64{0.3, 0.5, 2})
	at := space.Point{0.5, 0.2}
	predict := must.Get(d.l.Predictor())(t)
	before := must.Get(d.l.Predict(at))(t)
	e := d.l.ledger.get(d.l.ledger.pending[0])
	d.step(0, FeedbackArrived{Evaluation: e.Number, Attempt: e.Attempt, Outcome: outcome.Of(-50)})
	if now := must.Get(predict(at))(t); now != before || must.Get(d.l.Predict(at))(t) == before {
		t.Error(now, before)
	}
	if _, err := predict(space.Point{9, 9}); !errors.Is(err, space.ErrOutsideSpace) {
		t.Error(err)
	}
}
