package loop

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// stubborn plays a study of one worker whose policy proposes the same point again and again.
type stubborn struct {
	*driver
	point space.Unit
	ask   int
}

func insist(t *testing.T, c Config, point ...float64) *stubborn {
	t.Helper()
	c.Traits.Name, c.Initial = "stubborn", 1
	s := &stubborn{driver: drive(t, c), point: point}
	s.step(0, WorkerJoined{Worker: 1, Slots: 20})
	return s
}

// next is the evaluation of the next proposal.
func (s *stubborn) next() Evaluation {
	s.ask++
	s.step(0, Proposed{Ask: s.ask, Proposals: []policies.Proposal{{X: slices.Clone(s.point), Forecast: &policies.Forecast{}}}})
	return s.l.Evaluations()[len(s.l.Evaluations())-1]
}

func (s *stubborn) tell(e Evaluation, value float64) {
	s.step(0, FeedbackArrived{Evaluation: e.Number, Attempt: 1, Outcome: outcome.Of(value)})
}

// repeatable are the spaces of the tests: without end, a list, and a grid.
func repeatable(t *testing.T) map[string]space.Space {
	t.Helper()
	box, err := space.New(space.Float("x", 0, 1), space.LogFloat("y", 1e-3, 1))
	if err != nil {
		t.Fatal(err)
	}
	list, err := space.List([]space.Point{{0, 1}, {1, 1}, {1, 0.5}, {1, 1}}, space.Float("x", 0, 1), space.LogFloat("y", 1e-3, 1)) // one of them twice
	if err != nil {
		t.Fatal(err)
	}
	grid, err := space.New(space.Int("x", 1, 3), space.Int("y", 4, 4))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]space.Space{"box": box, "list": list, "grid": grid}
}

// A policy that insists on a corner gets it once: without noise a second value would tell nothing, and what pends or has failed
// is not asked again either. It gets another point near by, without the forecast, which was for the corner.
func TestNoPointIsQueriedTwiceWithoutNoise(t *testing.T) {
	for name, where := range repeatable(t) {
		corner := space.Unit{1, 1}
		if name == "grid" {
			corner = where.Grid()[2]
		}
		s := insist(t, Config{Space: where, Budget: 3, Pending: 3}, corner...)
		s.tell(s.l.Evaluations()[0], 1) // of the initial design
		seen := []space.Unit{s.l.Evaluations()[0].X}
		for range 2 {
			e := s.next()
			if slices.ContainsFunc(seen, func(x space.Unit) bool { return slices.Equal(x, e.X) }) {
				t.Errorf("%s: %v is queried again", name, e.X)
			}
			if at := slices.Equal(e.X, corner); at != (e.Forecast != nil) {
				t.Errorf("%s: query %d is at %v, its forecast %v", name, e.Number, e.X, e.Forecast)
			}
			if name == "box" && (e.X[0] < 0.9 || e.X[1] < 0.9) {
				t.Errorf("%s: query %d is at %v, far from what was proposed", name, e.Number, e.X)
			}
			if e.Number == 2 {
				s.tell(e, 2)
			}
			seen = append(seen, e.X)
		}
		if s.l.Counters().Revisits != 0 {
			t.Errorf("%s: %+v", name, s.l.Counters())
		}
	}
}

// Where two values at one point differ there is noise: what has a value may be measured again, and that is counted. In a space
// without end what pends or has failed is not queried again all the same.
func TestPointsAreQueriedAgainUnderNoise(t *testing.T) {
	for name, where := range repeatable(t) {
		corner := space.Unit{1, 1}
		if name == "grid" {
			corner = where.Grid()[2]
		}
		s := insist(t, Config{Space: where, Budget: 20, Pending: 20}, corner...)
		s.tell(s.l.Evaluations()[0], 0)
		for _, value := range []float64{1, 1.5} { // measured elsewhere, twice, at the corner
			s.step(0, ObservationArrived{X: where.Value(corner), Value: value})
		}
		s.step(0, ProposeFailed{Ask: s.ask + 1})
		s.ask++
		second := s.next()
		if !slices.Equal(second.X, corner) || s.l.Counters().Revisits == 0 {
			t.Errorf("%s: query %d is at %v, %+v", name, second.Number, second.X, s.l.Counters())
		}
		third := s.next() // while it pends
		if again := slices.Equal(third.X, corner); again != (name != "box") {
			t.Errorf("%s: query %d is at %v while the corner pends", name, third.Number, third.X)
		}
	}
}

// A policy that wants a second value at a point has it, but not while one pends there, and not where a query failed.
func TestAPolicyMayWantASecondValue(t *testing.T) {
	corner := space.Unit{1, 1}
	s := insist(t, Config{Space: repeatable(t)["box"], Budget: 20, Pending: 20}, corner...)
	s.tell(s.l.Evaluations()[0], 0)
	wanted := func(what string, at bool, revisits int) Evaluation {
		t.Helper()
		s.ask++
		s.step(0, Proposed{Ask: s.ask, Proposals: []policies.Proposal{{X: slices.Clone(s.point), Forecast: &policies.Forecast{}, Again: true}}})
		e := s.l.Evaluations()[len(s.l.Evaluations())-1]
		if slices.Equal(e.X, corner) != at || (e.Forecast != nil) != at || s.l.Counters().Revisits != revisits {
			t.Errorf("%s: query %d is at %v, its forecast %v, %d revisits", what, e.Number, e.X, e.Forecast, s.l.Counters().Revisits)
		}
		return e
	}
	first := wanted("new", true, 0)
	wanted("while it pends", false, 0)
	s.tell(first, 1)
	second := wanted("with a value", true, 1)
	s.step(0, EvaluationFailed{Evaluation: second.Number, Attempt: 1})
	wanted("once it has failed", false, 1)
}

// A finite space of which every point has a value is at its end as soon as it is certain that there is no noise; under noise it
// is measured on.
func TestAFiniteSpaceWithoutNoiseComesToItsEnd(t *testing.T) {
	for name, where := range repeatable(t) {
		if name == "box" {
			continue
		}
		for _, noise := range []float64{0, 0.25} {
			s := insist(t, Config{Space: where, Budget: 20}, where.Random(rng.New(1, rng.Test, 0))...)
			for k := 0; !s.l.Finished() && k < 20; k++ {
				all := s.l.Evaluations()
				for _, e := range all {
					if e.Status == Pending {
						s.tell(e, math.Exp(e.X[0]-e.X[1]/3)+noise*float64(k))
					}
				}
				if !s.l.Finished() {
					s.next()
				}
			}
			r := s.l.Result()
			want, why := 4, ReasonPoints // three points, and one of them again
			if noise > 0 {
				want, why = 20, ReasonBudget
			}
			if len(r.Evaluations) != want || r.Reason != why {
				t.Errorf("%s, noise %v: %d evaluations, ended: %q", name, noise, len(r.Evaluations), r.Reason)
			}
		}
	}
}

// A point of which a query said that it is infeasible is so forever: a finite space in which all are is at its end, whatever the policy. Where
// one is feasible, or a constraint was measured, it is not.
func TestASpaceInWhichNothingIsFeasibleComesToItsEnd(t *testing.T) {
	infeasible := outcome.Failure{Verdict: outcome.Infeasible}
	for name, where := range repeatable(t) {
		if name == "box" {
			continue
		}
		for _, c := range []struct {
			feasible, measured, valued, bandit bool
			want                               int
			why                                string
		}{{want: 3, why: ReasonNone}, {valued: true, want: 3, why: ReasonNone}, {bandit: true, want: 3, why: ReasonNone}, {feasible: true, want: 4, why: ReasonPoints}, {measured: true, want: 20, why: ReasonBudget}} {
			config := Config{Space: where, Budget: 20, Traits: policies.Traits{Bandit: c.bandit}}
			if c.measured {
				config.Constraints = []outcome.Constraint{{Name: "c", Bound: 0}}
			}
			s := insist(t, config, where.Random(rng.New(1, rng.Test, 0))...)
			for k := 0; !s.l.Finished() && k < 20; k++ {
				for _, e := range s.l.Evaluations() {
					switch {
					case e.Status != Pending:
					case c.feasible && slices.Equal(e.X, s.l.Evaluations()[0].X):
						s.tell(e, math.Pi)
					case c.valued:
						s.step(0, FeedbackArrived{Evaluation: e.Number, Attempt: 1, Outcome: outcome.Outcome{Value: float64(k), Infeasible: true}})
					case c.measured:
						s.step(0, FeedbackArrived{Evaluation: e.Number, Attempt: 1, Outcome: outcome.Outcome{Value: float64(k), Constraints: []float64{1}}})
					default:
						s.step(0, EvaluationFailed{Evaluation: e.Number, Attempt: 1, Failure: infeasible})
					}
				}
				if s.l.Finished() {
					break
				}
				if c.bandit {
					s.point = where.Random(rng.New(1, rng.Test, uint64(k)))
				}
				s.next()
			}
			if r := s.l.Result(); !c.bandit && len(r.Evaluations) != c.want || r.Reason != c.why {
				t.Errorf("%s, %+v: %d evaluations, ended: %q", name, c, len(r.Evaluations), r.Reason)
			}
		}
	}
}

// Who names points of such a space that have values gets them measured again, and the study ends after them.
func TestPointsThatAreWantedAreMeasuredAgainAtTheEnd(t *testing.T) {
	where, err := space.New(space.Categorical("side", "left", "right"))
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, Config{Space: where, Budget: 20, Initial: 1, Traits: policies.Traits{Name: "stubborn"}})
	for k := range 3 {
		d.step(0, QueryEnqueued{X: []float64{float64(k % 2)}})
	}
	for k := range 3 { // measured elsewhere, one of them twice
		d.step(0, ObservationArrived{X: []float64{float64(k % 2)}, Value: math.Exp(float64(k % 2))})
	}
	d.step(0, WorkerJoined{Worker: 1, Slots: 1})
	for number := 4; number <= 6; number++ {
		if why := d.l.idles(); why != "" || len(d.l.Evaluations()) != number {
			t.Fatalf("%d evaluations; %s", len(d.l.Evaluations()), why)
		}
		d.step(0, FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Of(math.Exp(float64(number % 2)))})
	}
	if r := d.l.Result(); r.Reason != ReasonPoints {
		t.Errorf("ended: %q", r.Reason)
	}
}

// At a context a query is an act besides: the same price is shown at noon again.
func TestActsAtAContextAreRepeated(t *testing.T) {
	where, err := space.New(space.Int("price", 1, 3), space.Int("hour", 0, 23).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	s := insist(t, Config{Space: where, Budget: 20}, 0.5, 0.5)
	for range 6 {
		s.step(0, ContextArrived{[]float64{12}})
	}
	for k := range 5 {
		s.tell(s.l.Evaluations()[k], 1)
		s.next()
	}
	if got := s.l.Counters().Revisits; got < 3 {
		t.Errorf("%d acts were repeated", got)
	}
}

// What a model that the evidence chose takes for noise between a ten-thousandth and a thousandth of the variance may be kinks, and more of it where a rougher
// kernel explains the values too: a point of a finite space is not measured again. Where two values at one point have differed it is noise, and the point may be.
func TestLittleNoiseIsNoKinkWhereTwoValuesDiffered(t *testing.T) {
	where, err := space.New(space.Int("x", 1, 40))
	if err != nil {
		t.Fatal(err)
	}
	for name, when := range map[string]struct {
		differ   bool
		noise    float64
		doubtful bool // by the fit
		again    bool
	}{
		"little": {false, 5e-4, false, false}, "values differed": {true, 5e-4, false, true}, "more": {false, 2e-3, false, true}, "more, but doubtful": {false, 2e-3, true, false},
		"doubtful, but values differed": {true, 2e-3, true, true},
	} {
		c := Config{Space: where, Budget: 60, Pending: 60, Traits: policies.Traits{Model: true, Adapts: true}}
		s := insist(t, c, where.Grid()[38]...)
		for k := range 12 {
			s.step(0, ObservationArrived{X: space.Point{float64(k + 28)}, Value: float64(k)})
		}
		if when.differ {
			s.step(0, ObservationArrived{X: space.Point{30}, Value: 2.05})
		}
		s.tell(s.l.Evaluations()[0], 3)
		s.next()
		fit, fitting := s.l.model.Fitting()
		if !fitting {
			t.Fatal("no fit")
		}
		s.step(0, Fitted{Fit: fit.ID, Hyper: hyperOf(fit.Start.Kernel), Noise: when.noise, Doubtful: when.doubtful})
		if e := s.next(); slices.Equal(e.X, s.point) != when.again {
			t.Errorf("%s: query %d is at %v, %v was wanted", name, e.Number, e.X, s.point)
		}
	}
}

// A noisy setting that is worth something is measured again, also where the noise is little; without noise none is, however many kinks a function has.
func TestWhetherSettingsAreMeasuredAgainIsLeftToTheirNoise(t *testing.T) {
	where := smallSpace(t, space.Int("x", 0, 19), space.Int("y", 0, 19))
	hill := func(x, y, width float64) float64 { return math.Exp(-(x*x + y*y) / width) }
	for name, c := range map[string]struct {
		f     func(x, y float64) float64
		noise float64
	}{
		"a hill":              {func(x, y float64) float64 { return hill(x-0.3, y-0.6, 0.2) }, 0},
		"a noisy hill":        {func(x, y float64) float64 { return hill(x-0.3, y-0.6, 0.2) }, 0.02},
		"kinks":               {func(x, y float64) float64 { return -math.Abs(x-0.31) - 2*math.Sqrt(math.Abs(y-0.62)) }, 0},
		"noisy kinks":         {func(x, y float64) float64 { return -math.Abs(x-0.31) - 2*math.Sqrt(math.Abs(y-0.62)) }, 0.02},
		"two that are narrow": {func(x, y float64) float64 { return hill(x-0.2, y-0.7, 0.02) + 0.9*hill(x-0.8, y-0.2, 0.02) }, 0},
	} {
		if raced && name != "a noisy hill" {
			continue
		}
		stream := rng.New(1, rng.Test, 4)
		l := toldIn(t, "auto", where, 70, false, func(x space.Point) float64 { return c.f(x[0]/19, x[1]/19) + c.noise*stream.NormFloat64() })
		if again := l.Counters().Revisits; (again > 0) != (c.noise > 0) {
			t.Errorf("%s: %d of 70 queries measure a point again, and noise of variance %v was learned", name, again, l.noise())
		}
	}
}

// forked is a space of two kinds, of which the second has no real number: one point, that no other is near to.
func forked(t *testing.T) space.Space {
	t.Helper()
	return smallSpace(t, space.Categorical("kind", "wide", "lone"), space.Float("x", 0, 1).When("kind", "wide"))
}

// A point that no other is near to is measured again where there is noise, and where two values told of it also while one pends there; what is near to others is not.
func TestAPointThatNoOtherIsNearToIsMeasuredAgain(t *testing.T) {
	where := forked(t)
	for kind, lone := range []bool{false, true} {
		x := space.Point{float64(kind), 0.5}
		if lone {
			x[1] = math.NaN()
		}
		s := insist(t, Config{Space: where, Budget: 20, Pending: 20}, where.Snap(space.Unit{0.25 + 0.5*float64(kind), 0.5})...)
		s.tell(s.l.Evaluations()[0], 0)
		for _, value := range []float64{1, 1.5} {
			s.step(0, ObservationArrived{X: x, Value: value})
		}
		s.step(0, ProposeFailed{Ask: s.ask + 1})
		s.ask++
		if e := s.next(); !slices.Equal(e.X, s.point) {
			t.Errorf("kind %d: query %d is at %v", kind, e.Number, e.X)
		}
		if e := s.next(); slices.Equal(e.X, s.point) != lone || (e.Forecast != nil) != lone {
			t.Errorf("kind %d: query %d is at %v while one pends there", kind, e.Number, e.X)
		}
	}
	for name, noise := range map[string]float64{"without noise": 0, "with noise": 0.3} {
		stream := rng.New(3, rng.Test, 8)
		l := toldIn(t, "auto", where, 40, false, func(x space.Point) float64 {
			value := 0.8 // of the lone kind
			if x[0] == 0 {
				value = 0.5 - (x[1]-0.4)*(x[1]-0.4)
			}
			return value + noise*stream.NormFloat64()
		})
		there := 0
		for _, e := range l.Evaluations() {
			there += int(math.Round(e.X[0])) // 1/4 and 3/4 are its levels
		}
		if best := l.Result().Recommended; there > 8 != (noise > 0) || there < 1 || where.Value(best.X)[0] != 1 {
			t.Errorf("%s: %d of 40 queries are of the lone kind, and %v is recommended", name, there, where.Value(best.X))
		}
		if noise == 0 && there > 1 {
			t.Errorf("%s: %d queries of the lone kind", name, there)
		}
	}
}

// Where no value tells of those beside it noise is found by one query more at the best, and the luckiest of many points is not recommended. A function that is as rough
// without noise costs that query.
func TestWhereNoValueTellsOfAnotherNoiseIsLookedFor(t *testing.T) {
	where := smallSpace(t, space.Categorical("kind", "wide", "lone"), space.Int("n", 1, 30).When("kind", "wide"))
	for name, noise := range map[string]float64{"without noise": 0, "with noise": 0.3} {
		stream := rng.New(5, rng.Test, 9)
		l := toldIn(t, "auto", where, 30, false, func(x space.Point) float64 {
			switch {
			case x[0] == 1:
				return 0.8 + noise*stream.NormFloat64()
			case noise == 0:
				return 0.02 * float64(int(x[1])*17%31) // of its neighbors it tells nothing
			}
			return 0.5 + noise*stream.NormFloat64()
		})
		again, best := l.Counters().Revisits, l.Result().Recommended
		if noise == 0 && again > 1 || noise > 0 && again < 2 || where.Value(best.X)[0] != 1 {
			t.Errorf("%s: %d of 30 queries measure a point again, and %v is recommended", name, again, where.Value(best.X))
		}
	}
}

// Rounded values have few levels, and the steps between them look like noise: that is what rounding leaves, as long as it is less than a sixth of the square
// of a step. More of it is noise, and so it is where values have fewer levels or more: a point of a finite space may be measured again.
func TestWhatRoundingLeavesIsNoNoise(t *testing.T) {
	where, err := space.New(space.Int("x", 1, 40))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		values, levels int
		share          float64 // of the noise, in squares of the step
		again          bool
	}{
		"rounded": {27, 7, 0.15, false}, "more than rounding leaves": {27, 7, 0.18, true}, "two levels": {27, 2, 0.1, true}, "nearly all differ": {11, 8, 0.15, true},
	} {
		s := insist(t, Config{Space: where, Budget: 60, Pending: 60, Traits: policies.Traits{Model: true, Adapts: true}}, where.Grid()[38]...)
		s.tell(s.l.Evaluations()[0], 0)
		values := []float64{0}
		for k := range c.values {
			values = append(values, 3*float64((k+1)%c.levels))
			s.step(0, ObservationArrived{X: space.Point{float64(k + 12)}, Value: values[k+1]})
		}
		s.tell(s.next(), 0)
		fit, fitting := s.l.model.Fitting()
		if !fitting {
			t.Fatal("no fit")
		}
		values = append(values, 0)
		s.step(0, Fitted{Fit: fit.ID, Hyper: hyperOf(fit.Start.Kernel), Noise: c.share * 9 / stat.PopVariance(values, nil)})
		if e := s.next(); slices.Equal(e.X, s.point) != c.again {
			t.Errorf("%s: query %d is at %v; that it is at %v again was to be %v", name, e.Number, e.X, s.point, c.again)
		}
	}
}

// What was learned of equal values says nothing of the first that differs: the next query waits for what is learned with it.
func TestTheFirstValueThatDiffersIsLearnedFromAtOnce(t *testing.T) {
	for _, last := range []float64{3, 4} {
		where := repeatable(t)["box"]
		s := insist(t, Config{Space: where, Budget: 60, Pending: 60, Traits: policies.Traits{Model: true, Adapts: true}}, 0.5, 0.5)
		for k := range 20 {
			s.step(0, ObservationArrived{X: where.Value(where.Random(rng.New(1, rng.Test, uint64(k)))), Value: 3})
		}
		s.tell(s.l.Evaluations()[0], 3)
		s.next()
		e := *s.l.ledger.get(s.l.ledger.pending[0])
		fit, fitting := s.l.model.Fitting()
		if !fitting {
			t.Fatal("no fit of the equal values")
		}
		s.step(0, Fitted{Fit: fit.ID, Hyper: hyperOf(fit.Start.Kernel), Noise: 1e-6})
		s.tell(e, last)
		s.next()
		if _, fitting := s.l.model.Fitting(); fitting != (last != 3) {
			t.Errorf("after %v a fit is begun: %v", last, fitting)
		}
	}
}
