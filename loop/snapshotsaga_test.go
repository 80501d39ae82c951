package loop

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// saga is a study to which everything happens that can: every event, at times that go on, sensible or not. It keeps the
// events.
type saga struct {
	t      *testing.T
	config Config
	loop   *Loop
	stream *rand.Rand
	now    time.Duration
	events []Stamped
	tried  []Dispatch // every dispatch so far
	ask    Ask        // the open one; ID 0 means none
	fit    *Fit       // the open one
	day    int        // the latest context
}

// sagaConfig is a study of a kind of space and imputation, with limits that chance sets or leaves away.
func sagaConfig(t *testing.T, where string, how feedback.Imputation, stream *rand.Rand) Config {
	t.Helper()
	c := storyConfig(t, where, how)
	chance := func() bool { return stream.IntN(2) == 0 }
	duration := func() time.Duration {
		return time.Duration(stream.IntN(2)*(50+stream.IntN(200))) * time.Millisecond
	}
	c.Budget, c.Initial, c.Seed = 90, 4, stream.Uint64()
	c.Model.Active = model.MinActive // so that rows are chosen
	c.Timeout, c.Lease, c.Patience = duration(), duration()/3, 20*duration()
	c.Retries, c.Barrier = stream.IntN(3), stream.IntN(2)*stream.IntN(5)
	c.Minimize, c.FitBeside, c.Exclusive, c.FitAbreast, c.FitOnce = chance(), chance(), chance(), c.Seed%2 == 0, c.Seed%3 > 0
	c.Design = space.Design(stream.IntN(3))
	if chance() {
		floor := -20.0
		c.Floor, c.Range = &floor, float64(stream.IntN(2)*30)
	}
	if chance() {
		c.Window = feedback.Window{Rounds: 1 + stream.IntN(9), Duration: duration(), Strict: chance()}
	}
	if where == "fidelity" {
		c.BudgetCost = float64(stream.IntN(2) * 200)
	}
	if chance() {
		c.Constraints = []outcome.Constraint{outcome.AtMost("latency", 1.2), outcome.AtLeast("recall", -1.2)}
		c.IgnoreInfeasible = chance()
		if len(c.Space.Contexts()) == 0 {
			c.keepsSafe(rng.New(c.Seed, rng.Test, 8))
		}
	}
	c.StopEarly = 0
	if c.IgnoreReports = stream.IntN(8) == 0; c.wantsStopEarly() == "" && chance() {
		if c.StopEarly = 0.3; c.wantsStopEarly() != "" {
			c.StopEarly = 0
		}
	}
	c.drawPrior(rng.New(c.Seed, rng.Test, 9))
	c.drawSilence(rng.New(c.Seed, rng.Test, 10))
	return c
}

// drawSilence lets a study forget what is silent, or give it up, by what it learns of the delays or after a while, where it may.
func (c *Config) drawSilence(stream *rand.Rand) {
	if !c.Window.Strict {
		c.Forget = float64(stream.IntN(2)) * 0.4
		c.WeighPending = stream.IntN(2) == 0
		c.ForgetAfter = time.Duration(stream.IntN(2)*(20+stream.IntN(200))) * time.Millisecond
	}
	c.GiveUp = float64(stream.IntN(2)) * 0.3
	if !c.Window.Limited() {
		c.Window.Share = float64(stream.IntN(2)) * 0.9
	}
}

// keepsSafe makes a study, with a chance of two thirds, one whose policy begins with seeds and promises something. It is told that answers are
// noise, as they are, so that it does not end with the first one at a seed that violates a constraint.
func (c *Config) keepsSafe(stream *rand.Rand) {
	if stream.IntN(3) == 0 {
		return
	}
	c.Traits.Safety = policies.Safety{Seeds: true, Promises: true, Alpha: 0.4, Eta: 0.01, Risk: 0.1, Sigma: []float64{1}}
	c.Seeds = []space.Point{c.Space.Value(c.Space.Random(stream)), c.Space.Value(c.Space.Random(stream))}
	c.Initial = 0
}

func newSaga(t *testing.T, c Config, stream *rand.Rand) *saga {
	t.Helper()
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	s := &saga{t: t, config: c, loop: l, stream: stream}
	s.step(WorkerJoined{Worker: 1, Slots: 4})
	return s
}

// play does so many things, then ends the study and lets its last answers come.
func (s *saga) play(turns int) *saga {
	s.t.Helper()
	for range turns {
		s.turn()
	}
	for s.stream.IntN(2) == 0 { // some wait for an ask that will have no answer
		s.step(ObservationArrived{X: s.config.Space.Value(s.config.Space.Random(s.stream)), Value: s.stream.NormFloat64(), Constraints: s.measured()})
	}
	s.step(StopRequested{"enough"})
	for range 20 {
		s.turn()
	}
	return s
}

func (s *saga) step(e Event) {
	s.t.Helper()
	s.now += time.Duration(s.stream.IntN(10)) * time.Millisecond
	stamped := Stamped{Seq: uint64(len(s.events) + 1), At: s.now, Event: e}
	s.events = append(s.events, stamped)
	before := standingOf(s.loop)
	reaction, err := s.loop.Step(stamped)
	if err != nil {
		s.t.Fatal(err)
	}
	agree(s.t, s.loop, e, reaction, before)
	for _, effect := range reaction.Effects {
		switch effect := effect.(type) {
		case Ask:
			s.ask = effect
		case Fit:
			s.fit = &effect
		case Dispatch:
			s.tried = append(s.tried, effect)
		}
	}
}

// turn does one thing.
func (s *saga) turn() {
	s.t.Helper()
	switch k := s.stream.IntN(40); {
	case k < 12:
		s.answer()
	case k < 22:
		s.value()
	case k < 25:
		s.finishFit()
	case k < 30:
		s.step(ContextArrived{s.context()})
	case k < 34:
		s.attempt()
	default:
		s.disturb()
	}
}

// answer answers the open ask: with any point, or one that was chosen before, or not.
func (s *saga) answer() {
	if s.ask.ID == 0 {
		return
	}
	ask := s.ask
	s.ask = Ask{}
	if s.stream.IntN(10) == 0 {
		s.step(ProposeFailed{ask.ID, "no idea"})
		return
	}
	_, trouble := s.loop.Task().View()
	if s.stream.IntN(6) == 0 {
		trouble = Trouble{Jittered: 1, Lifted: 100, Merged: 1, Raised: s.stream.IntN(2)}
	}
	p := policies.Proposal{X: s.config.Space.Random(s.stream)}
	if queries := s.loop.ledger.queries; s.stream.IntN(8) == 0 && len(queries) > 0 {
		p.X = queries[s.stream.IntN(len(queries))].X
	}
	if s.stream.IntN(2) == 0 {
		p.Forecast = s.forecast()
	}
	if s.stream.IntN(4) == 0 {
		p.Probability = s.stream.Float64()
	}
	s.step(Proposed{Ask: ask.ID, Proposals: []policies.Proposal{p}, Trouble: trouble})
}

// forecast is any one; some have no standard deviation, and some no set.
func (s *saga) forecast() *policies.Forecast {
	f := &policies.Forecast{Mean: s.stream.NormFloat64(), Warp: feedback.Warp{Bend: feedback.Bend{Scale: s.stream.Float64()}, Anchor: 1}, Shift: 1, Scale: 2, Threshold: s.stream.Float64(), Levels: []float64{0.1, s.stream.Float64()}}
	f.Stddev = math.Sqrt(0.9 - f.Threshold)
	if f.Levels[1] > 0.2 {
		f.Target = 0.7 + 0.1*math.Round(f.Levels[1])
	}
	return f
}

// any is an attempt that has no outcome, or one that may have.
func (s *saga) any() Dispatch {
	if pending := s.loop.ledger.pending; len(pending) > 0 && s.stream.IntN(5) > 0 {
		e := s.loop.ledger.get(pending[s.stream.IntN(len(pending))])
		return Dispatch{Evaluation: e.Number, Attempt: e.Attempt}
	}
	if len(s.tried) == 0 {
		return Dispatch{}
	}
	return s.tried[len(s.tried)-1-s.stream.IntN(min(len(s.tried), 12))]
}

// measured is a value of each constraint that has a name.
func (s *saga) measured() (all []float64) {
	for range s.config.Constraints {
		all = append(all, s.stream.NormFloat64())
	}
	return all
}

func (s *saga) value() {
	d := s.any()
	if s.config.Seed%3 == 0 {
		d = s.due(d)
	}
	e := FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Outcome{Value: s.stream.NormFloat64(), Cost: s.stream.Float64(), Constraints: s.measured()}}
	switch s.stream.IntN(12) {
	case 0:
		e.Infeasible = !s.seeded(d.Evaluation)
	case 1:
		e.Constraints = []float64{-1, s.stream.NormFloat64()}
	case 2:
		e.Constraints = []float64{}
	case 3:
		e.Value = math.NaN()
	case 4:
		e.Value = math.Copysign(0, -1)
	}
	if s.stream.IntN(2) == 0 {
		s.step(Reported{d.Evaluation, d.Attempt, 3, e.Value/2 + s.stream.NormFloat64()/5})
	}
	s.step(e)
}

// due is the attempt under way that a world in which some points take much longer answers first, and lets that time pass; otherwise one
// where none is.
func (s *saga) due(otherwise Dispatch) (first Dispatch) {
	first, least := otherwise, math.Inf(1)
	for _, d := range s.tried {
		e := s.loop.Evaluations()[d.Evaluation-1]
		if at := e.Sent.Seconds() + 0.01*math.Exp(4*e.X[0]); e.Running && e.Attempt == d.Attempt && at < least {
			first, least = d, at
		}
	}
	if !math.IsInf(least, 1) {
		s.now = max(s.now, time.Duration(least*1e9))
	}
	return first
}

func (s *saga) finishFit() {
	if s.fit == nil {
		return
	}
	id, kernels, numbers := s.fit.ID, s.fit.Kernels, s.fit.Numbers
	s.fit = nil
	hyper := make([]float64, s.config.Space.Dim()+1)
	for i := range hyper {
		hyper[i] = 0.1 + 2*s.stream.Float64()
	}
	if s.stream.IntN(5) == 0 {
		s.step(FitFailed{id, "no result"})
		return
	}
	fitted := Fitted{Fit: id, Hyper: hyper, Noise: 1e-6 + s.stream.Float64()/10}
	if len(kernels) > 0 && s.stream.IntN(3) > 0 {
		fitted.Kernel = kernels[s.stream.IntN(len(kernels))].Name()
		fitted.Warp = feedback.Bend{Shape: feedback.Shape(s.stream.IntN(3)), Scale: s.stream.Float64()}
		fitted.Outliers = outliers(numbers, rng.New(uint64(id), rng.Test, 3))
		fitted.Doubtful = id%2 == 0
		if fitted.Penal = id%3 == 0; fitted.Penal {
			fitted.Penalty = -float64(id%4) / 2
		}
	}
	s.step(fitted)
}

// outliers are some of the queries.
func outliers(numbers []int, stream *rand.Rand) (some []int) {
	for _, n := range slices.Sorted(slices.Values(numbers)) {
		if stream.IntN(8) == 0 {
			some = append(some, n)
		}
	}
	return some
}

// context is one of the space, or none.
func (s *saga) context() space.Point {
	if s.stream.IntN(20) == 0 {
		return []float64{math.Inf(1)}
	}
	if s.day == 0 || !s.config.poolsContext() || s.stream.IntN(4) == 0 {
		s.day = 1 + s.stream.IntN(7)
	}
	return []float64{float64(s.day)}
}

// attempt says something of an attempt that is no value.
func (s *saga) attempt() {
	d := s.any()
	switch s.stream.IntN(9) {
	case 6, 7, 8:
		s.report()
	case 0:
		s.step(EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: s.broken(d.Evaluation)})
	case 1, 2:
		s.step(AnswerFollows{d.Evaluation, d.Attempt, s.stream.IntN(5) == 0})
	case 3, 4:
		s.step(LeaseRenewed{d.Evaluation, d.Attempt})
	case 5:
		s.step(CancelRequested{d.Evaluation, "not needed"})
	}
}

// report says of everything that runs how far it is: mostly something of the value to come, sometimes nonsense.
func (s *saga) report() {
	for _, number := range slices.Clone(s.loop.ledger.pending) {
		e := s.loop.ledger.get(number)
		r := Reported{number, e.Attempt, float64(s.stream.IntN(4)), s.stream.NormFloat64()}
		switch s.stream.IntN(8) {
		case 0:
			r.Value = math.NaN()
		case 1:
			r.Attempt--
		case 2:
			r.Step = 3
		}
		s.step(r)
	}
	if d := s.any(); d.Evaluation > 0 {
		s.step(Reported{d.Evaluation, d.Attempt, 2, 0.5})
	}
}

// disturb does what no evaluation is to blame for.
func (s *saga) disturb() {
	x := s.config.Space.Value(s.config.Space.Random(s.stream))
	if late := s.loop.ledger.overdue; len(late) > 0 {
		t := late[s.stream.IntN(len(late))]
		s.step(WorkerFreed{t.evaluation, t.attempt})
	}
	switch s.stream.IntN(9) {
	case 0:
		s.step(ObservationArrived{X: x, Value: s.stream.NormFloat64(), Constraints: s.measured()})
	case 1:
		s.step(QueryEnqueued{x})
	case 2:
		s.step(QueryEnqueued{x[:2]}) // the actions alone
	case 3:
		s.now += time.Duration(s.stream.IntN(200)) * time.Millisecond
		s.step(Woke{})
	case 4:
		s.step(WorkerJoined{1 + s.stream.IntN(3), 1 + s.stream.IntN(3)})
	case 5:
		s.step(WorkerLeft{1 + s.stream.IntN(3), "gone"})
	case 6:
		s.step(Resumed{})
		s.step(WorkerJoined{Worker: 2, Slots: 3})
	case 7:
		s.step(FeedbackArrived{Evaluation: s.stream.IntN(40), Attempt: 1, Outcome: outcome.Of(s.stream.NormFloat64())})
	case 8:
		s.step(BudgetSet{Budget: s.stream.IntN(2 * s.config.Budget), Cost: float64(s.stream.IntN(3)) * s.config.BudgetCost})
	}
}

// sagas are studies of every kind of space and imputation, several of each; under the race
// detector one of each, with some of the three imputations in each space.
func sagas(t *testing.T, each, some int, test func(t *testing.T, s *saga)) {
	if raced {
		each = 1
	}
	for i, where := range places {
		for j, how := range imputations {
			if raced && (i+j+1)%3 >= some {
				continue
			}
			t.Run(where+"/"+how.String(), func(t *testing.T) {
				t.Parallel()
				for k := range each {
					stream := rng.New(uint64(1000*i+100*j+k+1), rng.Test, 0)
					test(t, newSaga(t, sagaConfig(t, where, how, stream), stream).play(350))
				}
			})
		}
	}
}
