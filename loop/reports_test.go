package loop

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/maturity"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// reportRow is what a report is in the model, the dumb way.
type reportRow struct {
	number        int
	x             space.Unit
	target, known float64
}

// reportsOf are the rows of reports as they should be at an ask that was just opened.
func reportsOf(l *Loop, m modelNow) (all []reportRow) {
	for _, in := range l.foreseen(Pending, Stopped) {
		sd := math.Sqrt(in.Variance)
		width := max(1e-6, (m.Units.To(in.Value+sd)-m.Units.To(in.Value-sd))/2)
		step := 1e-6
		for step = math.Exp2(-20); step < width; {
			step *= math.Exp2(0.25)
		}
		step = math.Exp2(math.Round(4*math.Log2(step)) / 4)
		if step > 1000 {
			continue
		}
		all = append(all, reportRow{in.Number, m.queries[in.Number-1].X, m.Units.To(in.Value), step * step})
	}
	return all
}

// matured is a study on a line whose first evaluations have reported 0.1 of their values and come to their end, and whose next ones pend.
func matured(t *testing.T, c Config) *driver {
	t.Helper()
	c.Space = must.Get(space.New(space.Float("x", 0, 1)))(t)
	c.Budget, c.Initial, c.Seed = 40, 12, 3
	if c.Traits.Name == "" {
		c.Traits = policies.Traits{Name: "of my own", Model: true, Pending: feedback.Hallucinate}
	}
	d := drive(t, c)
	d.step(0, WorkerJoined{1, 3})
	for number := 1; number <= 9; number++ {
		value := matureValue(d.l, number)
		d.step(0, Reported{number, 1, 1, 0.1*value + 0.01*float64(number%3)})
		d.step(0, FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Of(value)})
	}
	return d
}

func matureValue(l *Loop, number int) float64 { return math.Sin(6 * l.ledger.get(number).X[0]) }

// A report moves what the policy is shown towards what it says, more where more is known of what reports are worth; what a user is
// told are the answers alone.
func TestAReportIsARowOfTheModelUntilTheValueComes(t *testing.T) {
	for _, how := range imputations {
		l := matured(t, Config{Traits: policies.Traits{Name: "of my own", Model: true, Pending: how}})
		at := l.l.Config().Space.Value(l.l.ledger.get(10).X)
		plain := must.Get(l.l.Predict(at))(t)
		l.step(0, Reported{10, 1, 1, 0.3}) // beyond all values that came
		if after := must.Get(l.l.Predict(at))(t); after != plain {
			t.Errorf("%v: a report changed a prediction from %+v to %+v", how, plain, after)
		}
		l.step(0, Reported{11, 1, 1, 0.05})
		l.step(0, FeedbackArrived{Evaluation: 12, Attempt: 1, Outcome: outcome.Of(0)}) // a slot is free: an ask
		fit, _ := l.l.model.Fitting()
		l.step(0, FitFailed{Fit: fit.ID})
		v := l.l.View()
		for _, number := range []int{10, 11} {
			row := slices.Index(v.Rows, -number)
			if row < 0 || (slices.Index(v.Rows, number) >= 0) != (how == feedback.Hallucinate) || v.Posterior.Known(row) <= 0 {
				t.Fatalf("%v: rows %v", how, v.Rows)
			}
		}
		if mean := v.Units.From(v.Posterior.RowMeans()[slices.Index(v.Rows, -10)]); mean < plain.Mean {
			t.Errorf("%v: the mean is %v where %v was expected before a great report", how, mean, plain.Mean)
		}
		compareWithScratch(t, l.l)
		l.step(0, ProposeFailed{Ask: l.l.plan.ask.ID})
		l.step(0, FeedbackArrived{Evaluation: 10, Attempt: 1, Outcome: outcome.Of(2)})
		l.step(0, ProposeFailed{Ask: l.l.plan.ask.ID})
		l.step(0, CancelRequested{Evaluation: 11})
		if v = l.l.View(); slices.Contains(v.Rows, -10) || !slices.Contains(v.Rows, 10) || slices.Contains(v.Rows, -11) {
			t.Errorf("%v: rows %v after the value of 10 came and 11 was cancelled", how, v.Rows)
		}
		compareWithScratch(t, l.l)
	}
}

func TestReportsThatAreIgnoredDecideNothing(t *testing.T) {
	a, b := matured(t, Config{IgnoreReports: true}), matured(t, Config{IgnoreReports: true})
	a.step(0, Reported{10, 1, 1, 7})
	for _, d := range []*driver{a, b} {
		d.step(0, FeedbackArrived{Evaluation: 12, Attempt: 1, Outcome: outcome.Of(0)})
	}
	if len(a.l.foreseen(Pending, Stopped)) > 0 || len(a.l.ledger.get(10).Reports) != 1 {
		t.Error("reports that are ignored are kept, and nothing more")
	}
	if x, y := a.l.View(), b.l.View(); !slices.Equal(x.Rows, y.Rows) {
		t.Errorf("rows %v and %v", x.Rows, y.Rows)
	}
}

// What was ended early stays in the model with what it reported last, also in predictions: nothing else will come of it.
func TestAnEvaluationThatIsEndedEarlyKeepsItsLastReport(t *testing.T) {
	d := matured(t, Config{StopEarly: 0.2})
	at := d.l.Config().Space.Value(d.l.ledger.get(10).X)
	before := must.Get(d.l.Predict(at))(t)
	spent, stopped := d.l.Spent(), d.l.Counters().Stopped
	r, err := d.l.Step(Stamped{Seq: d.seq + 1, Event: Reported{10, 1, 1, -0.3}})
	if d.seq++; err != nil || r.Fate != FateTaken || r.Status != Stopped {
		t.Fatalf("%+v, %v", r, err)
	}
	if d.l.Spent() != spent || d.l.Counters().Stopped != stopped+1 {
		t.Errorf("%d spent, before %d", d.l.Spent(), spent)
	}
	if after := must.Get(d.l.Predict(at))(t); after.Mean >= before.Mean {
		t.Errorf("predicted %+v after a report that it is bad, %+v before", after, before)
	}
	if best := d.l.Result().Best; best.Number == 10 {
		t.Error("what was ended early has no value, and is not the best")
	}
}

// What an evaluation that was ended early leaves open tempts no policy to query near by: one that hallucinates sees the value that is expected there besides,
// one that does not a guess that is more certain than it is. A value that comes all the same takes the place of both, and is late.
func TestWhatWasEndedEarlyLeavesNothingToFindOut(t *testing.T) {
	for _, how := range imputations {
		d := matured(t, Config{StopEarly: 0.2, Traits: policies.Traits{Name: "of my own", Model: true, Pending: how}})
		d.step(0, Reported{10, 1, 1, -0.3})
		if fit, fitting := d.l.model.Fitting(); fitting {
			d.step(0, FitFailed{Fit: fit.ID})
		}
		v := d.l.View()
		both := slices.Contains(v.Rows, 10)
		row := slices.Index(v.Rows, -10)
		if row < 0 || both != (how == feedback.Hallucinate) {
			t.Fatalf("%v: rows %v", how, v.Rows)
		}
		guess := d.l.foreseen(Stopped)[0]
		if gap := d.l.Best().Value - guess.Value; (guess.Variance <= 1.001*gap*gap/900) == both {
			t.Errorf("%v: a guess %v below the best has the variance %v", how, gap, guess.Variance)
		}
		if both {
			_, variance := v.Posterior.Predict(v.Posterior.X(row))
			if noise := v.Posterior.Noise(); variance > 1.01*noise {
				t.Errorf("a variance of %v is left, and the noise has %v", variance, noise)
			}
			compareWithScratch(t, d.l)
		}
		d.step(0, FeedbackArrived{Evaluation: 10, Attempt: 1, Outcome: outcome.Of(-0.5)})
		d.step(0, ProposeFailed{Ask: d.l.plan.ask.ID})
		d.step(0, WorkerJoined{2, 1})
		if v = d.l.View(); d.l.ledger.get(10).Status != Late || slices.Contains(v.Rows, -10) || !slices.Contains(v.Rows, 10) {
			t.Errorf("%v: %v, rows %v after the value came", how, d.l.ledger.get(10).Status, v.Rows)
		}
	}
}

// Values of a lower fidelity teach, and are not ended because they would not be the best; and reports of one fidelity say nothing of
// another.
func TestReportsOfOneFidelityAreComparedWithItsOwn(t *testing.T) {
	s := must.Get(space.New(space.Float("x", 0, 1), space.Ordered("part", 1, 4).AsFidelity(1, 4)))(t)
	c := Config{Space: s, Budget: 40, Initial: 1, StopEarly: 0.5, Traits: policies.Traits{Name: "of my own", Model: true, Pending: feedback.Ignore, Fidelities: true}}
	d := drive(t, c)
	for number := 1; number <= 8; number++ {
		d.step(0, QueryEnqueued{[]float64{float64(number) / 10, 4}})
	}
	d.step(0, QueryEnqueued{[]float64{0.95, 1}})
	d.step(0, WorkerJoined{1, 1})
	for number := 1; number <= 8; number++ {
		d.step(0, Reported{number, 1, 1, float64(number)})
		d.step(0, FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Of(float64(number))})
	}
	low := d.l.ledger.get(9)
	if !low.Below {
		t.Fatalf("evaluation 9 is at %v", low.X)
	}
	d.step(0, Reported{9, 1, 1, -50})
	if low.Status != Pending || maturity.Learn(d.l.matured(1, d.l.level(low))).Known() || !maturity.Learn(d.l.matured(1, d.l.level(d.l.ledger.get(1)))).Known() {
		t.Errorf("status %v", low.Status)
	}
}

// StopEarly has no meaning where the best is another one at each context, or every value is wanted.
func TestEarlyStoppingIsRefusedWhereItMeansNothing(t *testing.T) {
	for _, stop := range []float64{-0.1, 0.6, math.NaN(), math.Inf(1)} {
		c := storyConfig(t, "box", feedback.Ignore)
		c.StopEarly = stop
		if c.Validate() == nil {
			t.Errorf("%v is accepted", stop)
		}
	}
	c := storyConfig(t, "context", feedback.Ignore)
	c.StopEarly = 0.1
	if c.Validate() == nil {
		t.Error("it is accepted with contexts")
	}
}
