package loop

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// foreseen is a study whose policy issues forecasts.
type foreseen struct {
	*driver
	sign float64 // of its values
	at   time.Duration
}

func foresee(t *testing.T, c Config) *foreseen {
	t.Helper()
	s, err := space.New(space.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	c.Space, c.Traits, c.Budget, c.Initial = s, policies.Traits{Name: "prophet"}, 50, 1
	f := &foreseen{driver: drive(t, c), sign: c.Sense().Sign()}
	f.step(0, WorkerJoined{Worker: 1, Slots: 50})
	return f
}

// ask returns the number of the next query, which has the forecast.
func (s *foreseen) ask(f *policies.Forecast) int {
	s.t.Helper()
	n := len(s.l.Evaluations())
	s.step(s.at, Proposed{Ask: s.l.plan.ask.ID, Proposals: []policies.Proposal{{X: []float64{float64(n) / 50}, Forecast: f}}})
	if got := s.l.Evaluations()[n].Forecast; (got == nil) != (f == nil) {
		s.t.Fatalf("query %d has forecast %v, want %v", n+1, got, f)
	}
	return n + 1
}

// tell answers, in the maximization sense.
func (s *foreseen) tell(number int, value float64) {
	s.t.Helper()
	s.step(s.at, FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Of(s.sign * value)})
}

// covers compares the coverage, and that of the result.
func (s *foreseen) covers(when string, want Coverage) {
	s.t.Helper()
	if got, found := s.l.Coverage(), s.l.Result().Coverage; got != want || found != want {
		s.t.Fatalf("%s: %d of %d central, %d of %d held, want %d of %d, %d of %d; targets %v, %v; in the result: %v", when,
			got.Central, got.Judged, got.Held, got.Issued, want.Central, want.Judged, want.Held, want.Issued, got.Target, want.Target, found)
	}
}

// forecastOf is N(1, 0.5²) in units of 2 from 10 on: the value is N(12, 1), the central 80 % are 12 ± 1.2816, and the set has
// the values up to 1.0364 from 12 for threshold 0.3, up to 1.9600 for 0.05.
func forecastOf(target, threshold float64) *policies.Forecast {
	return &policies.Forecast{Mean: 1, Stddev: 0.5, Shift: 10, Scale: 2, Target: target, Threshold: threshold}
}

func TestEveryValueJudgesItsForecastOnce(t *testing.T) {
	for _, minimize := range []bool{false, true} {
		s := foresee(t, Config{Minimize: minimize})
		s.tell(1, 12)
		s.covers("after a value without a forecast", Coverage{})
		first, second, third, fourth := s.ask(forecastOf(0.8, 0.3)), s.ask(forecastOf(0.8, 0.3)), s.ask(forecastOf(0.9, 0.05)), s.ask(forecastOf(0, 0.3))
		s.tell(second, 13.1)
		s.covers("13.1 is central and not in the set", Coverage{Judged: 1, Central: 1, Issued: 1, Target: 0.8})
		s.tell(first, 12.9)
		s.covers("12.9 is both", Coverage{Judged: 2, Central: 2, Issued: 2, Held: 1, Target: 0.8})
		s.tell(third, 13.4)
		s.covers("13.4 is in its wide set only", Coverage{Judged: 3, Central: 2, Issued: 3, Held: 2, Target: 0.9})
		s.tell(fourth, 10.71)
		now := Coverage{Judged: 4, Central: 2, Issued: 3, Held: 2, Target: 0.9}
		s.covers("10.71 is not central, and had no set", now)
		s.tell(fourth, 10.71)
		s.tell(fourth, 12)
		s.tell(99, 12)
		s.step(0, ObservationArrived{X: []float64{0.5}, Value: 12})
		s.covers("answers that repeat, contradict, or belong to nothing, and values from elsewhere", now)
		if c := s.l.Counters(); c.Repeated != 1 || c.Contradictory != 1 || c.Unknown != 1 {
			t.Errorf("%+v", c)
		}
		none := s.ask(forecastOf(0.8, 0.3))
		s.step(0, FeedbackArrived{Evaluation: none, Attempt: 1, Outcome: outcome.Of(math.NaN())})
		forbidden := s.ask(forecastOf(0.8, 0.3))
		s.step(0, FeedbackArrived{Evaluation: forbidden, Attempt: 1, Outcome: outcome.Outcome{Value: s.sign * 12, Constraints: []float64{1}}})
		s.ask(forecastOf(0.8, 0.3))
		s.step(0, StopRequested{"enough"})
		s.covers("values that are none, or do not count, or never come", now)
	}
}

func TestWhatWasGivenUpIsJudgedWhenItsValueComes(t *testing.T) {
	s := foresee(t, Config{Lease: time.Minute})
	failed, cancelled, lost, never := s.ask(forecastOf(0.8, 0.3)), s.ask(forecastOf(0.8, 0.3)), s.ask(forecastOf(0.8, 0.3)), s.ask(forecastOf(0.8, 0.3))
	s.step(0, EvaluationFailed{Evaluation: failed, Attempt: 1})
	s.step(0, CancelRequested{Evaluation: cancelled})
	s.step(0, AnswerFollows{Evaluation: lost, Attempt: 1})
	s.step(0, CancelRequested{Evaluation: never})
	s.at = time.Hour
	s.step(s.at, Woke{})
	s.ask(nil) // the ask was open; then the point that was lost comes again
	again := len(s.l.Evaluations())
	if e := s.l.Evaluations()[again-1]; e.X[0] != s.l.Evaluations()[lost-1].X[0] || e.Forecast != nil {
		t.Fatalf("the last query is %+v", e)
	}
	s.covers("before any value", Coverage{})
	s.tell(failed, 12)
	s.tell(cancelled, 14)
	s.step(s.at, StopRequested{"enough"})
	s.tell(lost, 12)
	s.tell(again, 12)
	s.covers("when three have come late, and the repeat of one of them", Coverage{Judged: 4, Central: 3, Issued: 4, Held: 3, Target: 0.8})
	if j, judged := s.l.Judgment(again); !judged || s.l.Foretold(s.l.ledger.get(again)) != s.l.Evaluations()[lost-1].Forecast {
		t.Errorf("the repeat is judged %v, %+v, want by the forecast of the query that was lost", judged, j)
	}
	if restored := cut(t, s.l.config, s.l); restored.Coverage() != s.l.Coverage() {
		t.Errorf("restored %v, want %v", restored.Coverage(), s.l.Coverage())
	}
	if n := s.l.Counters().LateValues; n < 3 {
		t.Errorf("%d values were late", n)
	}
}

func TestForecastsThatAreNoNumbersAreNotJudged(t *testing.T) {
	s := foresee(t, Config{})
	for _, spoil := range []func(f *policies.Forecast){
		func(f *policies.Forecast) { f.Mean = math.Inf(1) },
		func(f *policies.Forecast) { f.Stddev = math.NaN() },
		func(f *policies.Forecast) { f.Stddev = -1 },
		func(f *policies.Forecast) { f.Stddev = math.Inf(1) },
		func(f *policies.Forecast) { f.Shift = math.NaN() },
		func(f *policies.Forecast) { f.Scale = 0 },
		func(f *policies.Forecast) { f.Target = math.NaN() },
		func(f *policies.Forecast) { f.Threshold = math.Inf(-1) },
	} {
		f := forecastOf(0.8, 0.3)
		spoil(f)
		s.tell(s.ask(f), 12)
		s.covers("a forecast that is none", Coverage{})
	}
	sure := forecastOf(0.8, -1) // every value is in the set
	sure.Stddev = 0
	s.tell(s.ask(sure), -math.MaxFloat64)
	s.tell(s.ask(sure), 12)
	s.covers("a forecast without doubt", Coverage{Judged: 2, Central: 1, Issued: 2, Held: 2, Target: 0.8})
	if _, judged := s.l.Judgment(0); judged {
		t.Error("an evaluation that does not exist was judged")
	}
}

// The coverage of a study to which everything happens is that of its evaluations, counted by hand, and every prefix of
// it that is restored has the coverage of the one that was cut.
func TestTheCoverageFollowsFromTheEvaluations(t *testing.T) {
	sagas(t, 2, 1, func(t *testing.T, s *saga) {
		var want Coverage
		late := 0
		for _, e := range s.loop.Evaluations() {
			f := e.Forecast
			if e.AgainOf > 0 {
				f = s.loop.Evaluations()[e.AgainOf-1].Forecast
			}
			if f == nil || e.Seen == 0 || e.Status == Infeasible && s.config.IgnoreInfeasible || math.IsNaN(f.Stddev) || s.loop.penalized(&e) {
				continue
			}
			y := e.Value
			if s.config.Minimize {
				y = -y
			}
			z := ((f.Warp.At(y)-1)/2 - f.Mean) / f.Stddev
			want.Judged++
			want.Central += bit(math.Abs(z) <= 1.2815515655446004)
			below := math.Erfc(-z/math.Sqrt2) / 2
			switch {
			case f.Target > 0:
				want.Issued++
				want.Held += bit(math.Erfc(math.Abs(z)/math.Sqrt2) >= f.Threshold)
			case len(f.Levels) > 1:
				want.Issued++
				want.Held += bit(f.Levels[0] < below && below <= f.Levels[len(f.Levels)-1])
			}
			late += bit(e.Status == Late)
		}
		got := s.loop.Coverage()
		if got.Target = 0; got != want || s.loop.allJudged().Judged == 0 {
			t.Fatalf("%v of %d values, want %v of %d", got, got.Judged, want, want.Judged)
		}
		if restored := cut(t, s.config, s.loop); restored.Coverage() != s.loop.Coverage() {
			t.Errorf("restored %v, want %v", restored.Coverage(), s.loop.Coverage())
		}
		t.Logf("%d judged, %d of them late: %v", want.Judged, late, s.loop.Coverage())
	})
}

// A value that is taken for a penalty was never forecast as one, and counts again once a fit takes it for a value.
func TestPenaltiesAreLeftOutOfTheCoverage(t *testing.T) {
	answer := func(x space.Point) float64 {
		if math.Abs(x[0]-0.3) > 0.15 {
			return -1e6 * (1 + x[0] + x[1])
		}
		return -(x[1] - 0.6) * (x[1] - 0.6)
	}
	l := told(t, "auto", 2, 40, false, answer)
	var values, penalties Coverage
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		j, judged := l.judgment(e)
		if _, said := l.Judgment(e.Number); said != (judged && !l.penalized(e)) {
			t.Errorf("query %d with value %v is judged: %v", e.Number, e.Value, said)
		}
		switch {
		case judged && e.Value < -1e5:
			penalties.add(j)
		case judged:
			values.add(j)
		}
	}
	if penalties.Judged == 0 || values.Judged == 0 {
		t.Fatalf("%v of penalties, %v of values", penalties, values)
	}
	if got := l.Coverage(); got != values || l.Result().Coverage != got || l.allJudged() != values.plus(penalties, 1) {
		t.Errorf("%v, want %v beside %v", got, values, penalties)
	}
	restored := cut(t, l.config, l)
	if restored.Coverage() != l.Coverage() {
		t.Errorf("restored %v, want %v", restored.Coverage(), l.Coverage())
	}
}

func TestACoverageThatDoesNotFitItsEvaluationsIsNotRestored(t *testing.T) {
	s := foresee(t, Config{})
	s.tell(s.ask(forecastOf(0.8, 0.3)), 12.9)
	s.tell(s.ask(forecastOf(0.9, 0.3)), 13.9)
	good := s.l.coverage
	cut(t, s.l.config, s.l)
	for _, spoil := range []func(c *Coverage){
		func(c *Coverage) { c.Judged++ },
		func(c *Coverage) { c.Central = 0 },
		func(c *Coverage) { c.Issued-- },
		func(c *Coverage) { c.Held++ },
		func(c *Coverage) { c.Target = 0.85 },
		func(c *Coverage) { c.Target = math.NaN() },
		func(c *Coverage) { *c = Coverage{} },
	} {
		s.l.coverage = good
		spoil(&s.l.coverage)
		state, err := s.l.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Restore(s.l.config, state); !errors.Is(err, ErrBadSnapshot) {
			t.Errorf("%d of %d: %v", s.l.coverage.Central, s.l.coverage.Judged, err)
		}
	}
}

func TestCoverageInWords(t *testing.T) {
	if c := (Coverage{}); !math.IsNaN(c.CentralShare()) || !math.IsNaN(c.HeldShare()) {
		t.Errorf("shares %v, %v of none", c.CentralShare(), c.HeldShare())
	}
	for want, c := range map[string]Coverage{
		"no forecast judged yet":                {},
		"100 % of 1 value in the central 80 %":  {Judged: 1, Central: 1},
		"82 % of 92 values in the central 80 %": {Judged: 92, Central: 75},
		"82 % of 92 values in the central 80 %; calibrated sets held 88 % of 80, want 87.5 %": {Judged: 92, Central: 75, Issued: 80, Held: 70, Target: 0.875},
	} {
		if got := c.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
