package actors

import (
	"testing"
	"time"

	"go.uber.org/zap/zapcore"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// Log and metrics say with every event how a promise about the constraints stands.
func TestLogAndMetricsSayHowAPromiseStands(t *testing.T) {
	m := newCollector()
	c := metricConfig(t, "d-safe-bocp:alpha=0.2:eta=0.01", "oven", m, loop.Config{
		Budget: 20, Pending: 20, Constraints: []outcome.Constraint{outcome.AtMost("heat", 1)}, Seeds: []space.Point{{0.5}},
	})
	var latest Notice
	c.OnEvent = func(n Notice) { latest = n }
	d, err := NewDriver(c)
	if err != nil {
		t.Fatal(err)
	}
	step := func(e loop.Event) {
		t.Helper()
		if _, err := d.Step(time.Second, e); err != nil {
			t.Fatal(err)
		}
	}
	tell := func(number int, heat float64) {
		step(loop.FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Outcome{Value: 1, Constraints: []float64{heat}}})
	}
	propose := func(x float64) {
		step(loop.Proposed{Ask: d.Loop().View().Round - 1, Proposals: []policies.Proposal{{X: space.Unit{x}}}})
	}
	step(loop.WorkerJoined{Worker: 1, Slots: 9})
	tell(1, 0.5)
	propose(0.6)
	propose(0.7)
	tell(2, 1.5)
	step(loop.EvaluationFailed{Evaluation: 3, Attempt: 1, Failure: outcome.Failure{Reason: "gone"}})
	m.expect(t, "after a violation and a loss", map[string]float64{
		"tarry.constraint.violations{state=known,study=oven}": 1, "tarry.constraint.violations{state=pending,study=oven}": 0,
		"tarry.constraint.violations{state=lost,study=oven}": 1, "tarry.constraint.allowed{study=oven}": 1,
	})
	_, _, fields := Describe(latest)
	encoder := zapcore.NewMapObjectEncoder()
	for _, f := range fields {
		f.AddTo(encoder)
	}
	for key, want := range map[string]any{
		"violations": int64(1), "unanswered": int64(1), "counted": int64(2), "allowed": int64(3), "left": int64(1), "beta": latest.Safety.Beta.String(), "caution": latest.Safety.Why,
	} {
		if got := encoder.Fields[key]; got != want {
			t.Errorf("%s = %v, want %v", key, got, want)
		}
	}
	if latest.Safety.Why == "" {
		t.Error("that eta was raised is not said")
	}
	d.Close()
	m.silent(t, "after the end")
}
