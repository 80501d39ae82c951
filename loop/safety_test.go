package loop

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/safety"
	"github.com/tarry-bo/tarry/space"
)

// safeConfig is a study of 20 queries of which 5 may violate, with seeds at 0.25 and 0.5.
func safeConfig(t *testing.T, spec string, change ...func(*Config)) Config {
	t.Helper()
	c := Config{
		Space: must.Get(space.New(space.Float("x", 0, 1)))(t), Traits: must.Get(policies.Parse(spec))(t).Traits(), Budget: 20, Pending: 20,
		Constraints: []outcome.Constraint{outcome.AtMost("heat", 1)}, Seeds: []space.Point{{0.25}, {0.5}},
	}
	for _, f := range change {
		f(&c)
	}
	return c
}

const sparing = "d-safe-bocp:alpha=0.3:eta=0.001"

// newSafe is such a study whose seeds are under way.
func newSafe(t *testing.T, spec string, slots int, change ...func(*Config)) constrained {
	t.Helper()
	l, err := New(safeConfig(t, spec, change...))
	if err != nil {
		t.Fatal(err)
	}
	s := constrained{t, l}
	s.step(WorkerJoined{1, slots})
	return s
}

// propose answers the open ask.
func (s constrained) propose(x float64) {
	s.t.Helper()
	if f, open := s.model.Fitting(); open {
		s.step(FitFailed{f.ID, "no time"})
	}
	s.step(Proposed{Ask: s.plan.ask.ID, Proposals: []policies.Proposal{{X: space.Unit{x}}}})
}

func (s constrained) wantsAccount(want safety.Account) {
	s.t.Helper()
	if got := s.Safety().Account; got != want {
		s.t.Errorf("the account is %+v, want %+v", got, want)
	}
}

func TestASafeStudyBeginsWithItsSeedsAndNoOtherPoint(t *testing.T) {
	s := newSafe(t, sparing, 2)
	if got := s.Evaluations(); len(got) != 2 || got[0].Given[0] != 0.25 || got[1].Given[0] != 0.5 || s.Config().Initial != 2 {
		t.Errorf("%+v", got)
	}
	s.wantsAccount(safety.Account{Started: 2})
	if p := s.Safety(); !p.Promises || p.Terms.Allowed != 5 || p.Left != 5 || p.Terms.Why == "" || p.Why == "" {
		t.Errorf("%+v", p)
	}
}

func TestAQueryCountsUntilItsAnswerComes(t *testing.T) {
	s := newSafe(t, sparing, 9, func(c *Config) { c.Lease = time.Minute })
	s.tell(1, 1, 0.5)
	s.tell(2, 1, 0.5)
	for i := range 3 {
		s.propose(0.7 + float64(i)/10)
	}
	s.wantsAccount(safety.Account{Started: 5, Pending: 3})
	s.tell(3, 1, 0.5)
	s.tell(4, 1, 1.5)
	s.wantsAccount(safety.Account{Started: 5, Pending: 1, Violations: 1})
	s.step(EvaluationFailed{Evaluation: 5, Attempt: 1, Failure: outcome.Failure{Reason: "gone"}})
	s.wantsAccount(safety.Account{Started: 5, Pending: 1, Lost: 1, Violations: 1})
	s.tell(5, 1, 0.9) // it has come after all
	s.wantsAccount(safety.Account{Started: 5, Violations: 1})
	s.propose(0.65)
	s.step(EvaluationFailed{Evaluation: 6, Attempt: 1, Failure: outcome.Failure{Reason: "no such point", Verdict: outcome.Infeasible}})
	s.wantsAccount(safety.Account{Started: 6, Violations: 2})
}

// That an answer says of its point what it says of those that were lost there is what makes it worth asking again.
func TestAnAnswerAtTheSamePointSettlesWhatWasLostThere(t *testing.T) {
	s := newSafe(t, sparing, 3)
	s.tell(1, 1, 0.5)
	s.tell(2, 1, 0.5)
	s.propose(0.75)
	s.step(EvaluationFailed{Evaluation: 3, Attempt: 1, Failure: outcome.Failure{Reason: "gone"}})
	s.propose(0.75)
	s.wantsAccount(safety.Account{Started: 4, Pending: 2, Lost: 1})
	s.tell(4, 1, 0.5)
	s.wantsAccount(safety.Account{Started: 4})
}

// The promise is kept by the loop: a policy that proposes what it has no room for gets a seed, and so does one that fails.
func TestNoProposalBreaksAPromise(t *testing.T) {
	s := newSafe(t, sparing, 9)
	s.tell(1, 1, 0.5)
	s.tell(2, 1, 0.5)
	for i := range 8 {
		s.propose(0.6 + float64(i)/25)
	}
	s.step(ProposeFailed{Ask: s.plan.ask.ID, Reason: "no idea"})
	for _, e := range s.Evaluations()[7:] {
		if s.seed(e.X) < 0 {
			t.Errorf("evaluation %d is at %v", e.Number, e.X)
		}
	}
	if p := s.Safety(); p.Left != 0 || !p.Beta.Infinite || !p.Kept || s.Counters().Fallbacks != 4 {
		t.Errorf("%+v, %d fallbacks", p, s.Counters().Fallbacks)
	}
}

// What the user enqueues counts like the queries of the policy, and waits where the promise has no room.
func TestEnqueuedPointsCountAndWait(t *testing.T) {
	s := newSafe(t, "d-safe-bocp:alpha=0.2:eta=10", 4)
	s.tell(1, 1, 0.5)
	s.tell(2, 1, 0.5)
	s.propose(0.75) // and no other as long as it pends
	s.step(QueryEnqueued{space.Point{0.9}})
	s.step(QueryEnqueued{space.Point{0.25}}) // behind it
	s.propose(0.25)
	for _, e := range s.Evaluations() {
		if e.X[0] == 0.9 {
			t.Error("a query that the promise has no room for was started")
		}
	}
	s.tell(3, 1, 0.5)
	s.propose(0.5)
	all := s.Evaluations()
	at := slices.IndexFunc(all, func(e Evaluation) bool { return e.X[0] == 0.9 })
	if at < 0 {
		t.Fatal("the point was never queried")
	}
	s.wantsAccount(safety.Account{Started: len(all), Pending: 1})
}

func TestACancelledQueryCountsIfItWasStarted(t *testing.T) {
	s := newSafe(t, sparing, 3)
	s.tell(1, 1, 0.5)
	s.tell(2, 1, 0.5)
	s.propose(0.75)
	s.step(CancelRequested{Evaluation: 3})
	s.wantsAccount(safety.Account{Started: 3, Pending: 1, Lost: 1})
}

func TestAStudyEndsWhoseSeedIsNotSafe(t *testing.T) {
	s := newSafe(t, sparing, 2)
	s.tell(1, 1, 0.5)
	s.tell(2, 7, 1.25)
	if want := "a seed is not safe: 2 of 2, x=0.5: heat is 1.25: want at most 1"; !s.Finished() || s.Reason() != want {
		t.Errorf("%q, want %q", s.Reason(), want)
	}
	if e := s.Evaluations()[1]; e.Value != 7 || e.Constraints[0] != 1.25 {
		t.Errorf("the answer was lost: %+v", e)
	}
	if p := s.Safety(); p.Account.Violations != 1 {
		t.Errorf("%+v", p)
	}
	if s.step(BudgetSet{Budget: 20}); !s.Finished() {
		t.Error("it goes on")
	}
	s = newSafe(t, sparing, 2)
	s.step(ObservationArrived{X: space.Point{0.25}, Value: 1, Constraints: []float64{2}})
	if !s.Finished() || !strings.HasPrefix(s.Reason(), ReasonSeed+": 1 of 2, x=0.25") {
		t.Errorf("told of elsewhere: %q", s.Reason())
	}
}

// With noise a seed may seem unsafe, and counts for nothing; that little can be learned there is said.
func TestANoisySeedRaisesADoubtAtMost(t *testing.T) {
	s := newSafe(t, "p-safe-bocp:alpha=0.3:sd=0.2", 2)
	s.tell(1, 1, 1.1)
	if p := s.Safety(); s.Finished() || p.Account.Violations != 0 || !strings.Contains(p.Why, "heat is 1.1 at a point that is known to be safe, and answers above 0.488273 count as violations: want at most 0.0882727 there") || p.Confidence != 0.9 {
		t.Errorf("%v, finished: %v", p, s.Finished())
	}
	s.tell(2, 1, -9)
	if p := s.Safety(); strings.Contains(p.Why, "heat") {
		t.Errorf("%v", p)
	}
	s.propose(0.75)
	s.tell(3, 1, 0.99) // on the safe side, and not by the guard band
	s.wantsAccount(safety.Account{Started: 3, Violations: 1})
}

// A noisy seed is not safe where the guard band, 0.2 * 2.5583 of 20 answers, does not explain what is beyond the bound.
func TestAStudyEndsWhoseNoisySeedIsNotSafe(t *testing.T) {
	const noisy = "p-safe-bocp:alpha=0.3:sd=0.2"
	infeasible := func(s constrained) {
		s.step(EvaluationFailed{Evaluation: 1, Attempt: 1, Failure: outcome.Failure{Reason: "tripped", Verdict: outcome.Infeasible}})
	}
	for want, tell := range map[string]func(s constrained){
		"heat is 1.52: want at most 1": func(s constrained) { s.tell(1, 1, 1.52) },
		"tripped":                      infeasible,
		"infeasible": func(s constrained) {
			s.step(FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Outcome{Value: 1, Constraints: []float64{0.9}, Infeasible: true}})
		},
	} {
		s := newSafe(t, noisy, 2)
		tell(s)
		if want = "a seed is not safe: 1 of 2, x=0.25: " + want; !s.Finished() || s.Reason() != want {
			t.Errorf("%q, want %q", s.Reason(), want)
		}
		s.wantsAccount(safety.Account{Started: 2, Violations: 1})
	}
	s := newSafe(t, noisy, 2)
	s.tell(1, 1, 1.51)
	if s.Finished() {
		t.Errorf("noise explains it: %q", s.Reason())
	}
	s.wantsAccount(safety.Account{Started: 2})
}

// Four answers say together what one does with half of the noise: 0.256 beyond the bound is explained then, and 0.27 is not.
func TestManyAnswersFindOutASeedThatIsUnsafeByLittle(t *testing.T) {
	for _, c := range []struct {
		beyond float64
		reason string
	}{{0.25, ""}, {0.27, "a seed is not safe: 2 of 2, x=0.5: the mean of 4 answers of heat is 1.27: want at most 1"}} {
		s := newSafe(t, "p-safe-bocp:alpha=0.3:sd=0.2", 5)
		s.step(ObservationArrived{X: space.Point{0.5}, Value: 1, Constraints: []float64{1.4}}) // of no query here
		s.tell(1, 1, -9)
		for len(s.Evaluations()) < 6 {
			s.propose(0.5)
		}
		for n := 2; n <= 6; n++ {
			if s.Evaluations()[n-1].Status == Pending {
				s.tell(n, 1, 1+c.beyond)
			}
		}
		violations := 0
		if c.reason != "" {
			violations = 4 // with what is known now each of its answers counts
		}
		if got := s.Safety().Account; s.Reason() != c.reason || got.Violations != violations {
			t.Errorf("%v: %q, %+v", c.beyond, s.Reason(), got)
		}
	}
}

func TestTheBudgetOfAPromiseIsFixed(t *testing.T) {
	s := newSafe(t, sparing, 2)
	if r := s.step(BudgetSet{Budget: 30}); r.Fate != FateRefused || s.Config().Budget != 20 || !strings.Contains(s.Fixed(), "exactly 20 queries") {
		t.Errorf("%v, budget %d", r.Fate, s.Config().Budget)
	}
	if r := s.step(BudgetSet{Budget: 20}); r.Fate != FateTaken {
		t.Errorf("the same budget: %v", r.Fate)
	}
	s = newSafe(t, "safe-opt", 2)
	if r := s.step(BudgetSet{Budget: 30}); r.Fate != FateTaken || s.Fixed() != "" {
		t.Errorf("safe-opt: %v", r.Fate)
	}
}

func TestAnAnswerWithoutItsConstraintsIsNoneAndCounts(t *testing.T) {
	s := newSafe(t, sparing, 3)
	s.tell(1, 1, 0.5)
	s.tell(2, 1, 0.5)
	s.propose(0.75)
	s.tell(3, 1)
	s.propose(0.76)
	s.tell(4, 1, math.NaN())
	s.wantsAccount(safety.Account{Started: 4, Pending: 2, Lost: 2})
	for i, want := range []string{"constraints.heat = missing: want a finite number, with every value", "constraints are [NaN]"} {
		if got := s.Evaluations()[2+i].Reason; !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWhatASafeStudyLacksIsNamed(t *testing.T) {
	for want, c := range map[string]Config{
		"Config.Seeds = []: want at least one point that is known to be safe: policy d-safe-bocp begins there": safeConfig(t, "d-safe-bocp", func(c *Config) { c.Seeds = nil }),
		"Config.Seeds[1] = [1.5]: want a point of the space":                                                   safeConfig(t, "d-safe-bocp", func(c *Config) { c.Seeds[1] = space.Point{1.5} }),
		"Config.Seeds[0] = [NaN]: want a point of the space":                                                   safeConfig(t, "safe-opt", func(c *Config) { c.Seeds[0] = space.Point{math.NaN()} }),
		"Config.Budget = 0: want 1 ≤ Budget":                                                                   safeConfig(t, "d-safe-bocp", func(c *Config) { c.Budget = 0 }),
		"Config.Constraints = none: want at least one with a name and a bound: policy safe-opt keeps them":     safeConfig(t, "safe-opt", func(c *Config) { c.Constraints = nil }),
		"want none with policy gp-ucb, which does not keep to them":                                            safeConfig(t, "gp-ucb"),
		"Config.Initial = 5: want 0 with policy safe-opt: the study begins with its seeds":                     safeConfig(t, "safe-opt", func(c *Config) { c.Initial = 5 }),
		"want no more than Budget = 1":                                                                         safeConfig(t, "safe-opt", func(c *Config) { c.Budget = 1 }),
		"want what is known of the noise of the constraints: sd=":                                              safeConfig(t, "p-safe-bocp"),
		"want one sd for all constraints, or 1":                                                                safeConfig(t, "p-safe-bocp:sd=1,2"),
		"3 samples of the noise bound its tail to 0.71 at best, wanted is 0.0053: every answer counts":         safeConfig(t, "p-safe-bocp:noise=0.1,-0.1,0"),
		"want a single constraint with samples of noise, not 2: want sd":                                       safeConfig(t, "p-safe-bocp:noise=0.1", func(c *Config) { c.Constraints = append(c.Constraints, outcome.AtLeast("b", 0)) }),
		"Config.Space = 1 contexts: want no contexts with policy safe-opt: what is safe at one need not be at a": safeConfig(t, "safe-opt", func(c *Config) {
			c.Space = must.Get(space.New(space.Float("x", 0, 1), space.Float("z", 0, 1).AsContext()))(t)
		}),
	} {
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// Samples make a guard band where a study asks for little.
func TestSamplesOfNoiseServeWhereTheyAreEnough(t *testing.T) {
	var samples []string
	for i := range 40 {
		samples = append(samples, fmt.Sprint(float64(i-20)/10))
	}
	c := safeConfig(t, "p-safe-bocp:alpha=0.9:delta=0.9:tail=0.5:noise="+strings.Join(samples, ","), func(c *Config) { c.Budget = 3; c.Seeds = c.Seeds[:1] })
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	p := l.Safety()
	if len(p.Omega) != 1 || !(p.Omega[0] > 0 && p.Omega[0] < 2) || math.Abs(p.Confidence-0.05) > 1e-12 || p.Terms.Allowed != 2 {
		t.Errorf("%+v", p)
	}
}

// seeded reports whether an evaluation is at a seed: if that were declared infeasible the study would end.
func (s *saga) seeded(n int) bool {
	e := s.loop.ledger.get(n)
	return e != nil && s.loop.seed(e.X) >= 0
}

// broken is a failure of an evaluation of a saga.
func (s *saga) broken(n int) outcome.Failure {
	why := outcome.Failure{Reason: "broken", Verdict: outcome.Verdict(s.stream.IntN(3))}
	if why.Verdict == outcome.Infeasible && s.seeded(n) {
		why.Verdict = outcome.Failed
	}
	return why
}

// A study without a promise that stays at its seeds says so, as long as it does.
func TestStayingAtTheSeedsIsSaid(t *testing.T) {
	s := newSafe(t, "safe-opt", 1)
	feedback := func() {
		n := len(s.Evaluations())
		s.step(FeedbackArrived{Evaluation: n, Attempt: 1, Outcome: outcome.Outcome{Value: float64(n % 2), Constraints: []float64{0.5}}})
	}
	query := func(x float64) {
		for f, open := s.model.Fitting(); open; f, open = s.model.Fitting() {
			s.step(FitFailed{f.ID, "no time"})
		}
		s.propose(x)
	}
	feedback()
	feedback()
	for n := 3; n <= 6; n++ {
		said := s.Safety().Why
		if (said != "") != (n > 5) || said != "" && !strings.HasSuffix(s.Safety().String(), "; "+said) {
			t.Errorf("before query %d: %q, %v", n, said, s.Safety())
		}
		query(0.25)
		feedback()
	}
	query(0.3)
	if said := s.Safety().Why; said != "" {
		t.Errorf("with a query elsewhere: %q", said)
	}
}
