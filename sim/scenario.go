package sim

import (
	"fmt"
	"time"

	"github.com/tarry-bo/tarry/bandit"
	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// Tick is the virtual time of one round, and the unit in which delay laws are read.
const Tick = time.Second

// Scenario is a simulated study, in which all chances follow from Seed. The comments of the optional fields say what
// their zero values mean.
type Scenario struct {
	Problem Problem
	Policy  policies.Policy
	Delay   delay.Law
	Rounds  int          // queries after the initial ones
	Initial int          // initial queries; 0: those of the problem, or 5. A policy that relies on seeds begins with those of the problem
	Design  space.Design // how the initial queries are spread
	Seed    uint64       // of every stream
	Noise   float64
	Window  feedback.Window
	Faults  delay.Faults

	// Workers is the number of workers, each with one slot that is busy for the delay of an evaluation. 0: rounds. One
	// query starts every tick whatever is pending, delays count in ticks (rounded up, at least 1), and the answer of
	// query s can be used for query t iff d ≤ t − s. Behind a barrier a whole batch starts in one tick, and the next at
	// the tick at which every query of the last one has an outcome.
	Workers int
	Barrier int           // queries of a batch; 0 or 1 means none
	Timeout time.Duration // of one evaluation; 0 means none
	Retries int
	// Exclusive keeps the slot of an attempt that took too long until its answer would have come; that of one that never
	// answers is free at once. For the pace of workers. See loop.Config.
	Exclusive bool

	// Forget, ForgetAfter, WeighPending and GiveUp: see loop.Config.
	Forget       float64
	ForgetAfter  time.Duration
	WeighPending bool
	GiveUp       float64

	// AskTime and FitTime are how long the policy takes for the query of round n, and the fitter for the n-th fit, in
	// virtual time; nil: no time. For the pace of workers.
	AskTime, FitTime func(n int) time.Duration

	// Contextual takes the choice of the first parameter away from the policy: it is drawn uniformly for each query.
	Contextual bool
	// FitBeside and FitAbreast: see loop.Config.
	FitBeside, FitAbreast bool
	// BudgetCost is what all evaluations may cost together, by their fidelity; 0: no matter what. See loop.Config.
	BudgetCost float64
	// Learned is what studies of earlier tasks learned, for a policy that learns over tasks; nil: this task is the first. See loop.Config.
	Learned *loop.Learned
	// Earlier are studies that were made before, for a policy that looks at their models. See loop.Config.
	Earlier *loop.Earlier
	// Prior is what many studies taught, for a policy that looks at a model; nil: nothing. See loop.Config.
	Prior *loop.Prior
	// Taught is what earlier tasks taught a bandit, for meta-mab; nil: nothing. See loop.Config.
	Taught *bandit.Knowledge
	// IgnoreReports and StopEarly: see loop.Config. An evaluation that is ended early brings no value any more.
	IgnoreReports bool
	StopEarly     float64
	// Low is the value that counts as level 0 for delays that depend on the value; the maximum is level 1. It is also the worst value
	// where a query has none, or violates a constraint, and the problem has no Floor; for that, 0 means the least of many points unless values are trained.
	Low float64
}

const defaultInitial = 5

// Validate reports every violation that the loop's own configuration does not.
func (s Scenario) Validate() error {
	var l check.List
	l.Require(s.Problem.Value != nil, "Scenario.Problem", s.Problem.Name, "a problem with a Value")
	l.Require(s.Policy != nil, "Scenario.Policy", nil, "a policy")
	l.Join(policies.Validate(s.Policy))
	l.Require(s.Delay != nil, "Scenario.Delay", nil, "a delay law")
	if law, ok := s.Delay.(interface{ Validate() error }); ok {
		l.Join(law.Validate())
	}
	l.Between("Scenario.Rounds", s.Rounds, 1, loop.MaxBudget-s.initial())
	l.Between("Scenario.Workers", s.Workers, 0, loop.MaxWorkers)
	l.Between("Scenario.Initial", s.Initial, 0, loop.MaxBudget/2)
	l.NotNegative("Scenario.Noise", s.Noise)
	if s.Problem.Observe != nil && s.Noise != 0 {
		l.Add("Scenario.Noise", s.Noise, fmt.Sprintf("0, since %s has noise of its own", s.Problem.Name))
	}
	l.Require(s.Problem.Measure != nil || s.Problem.Constraints == nil, "Scenario.Problem.Measure", nil, "what is measured of the constraints")
	l.Join(s.Faults.Validate())
	if s.Contextual && len(s.Problem.Space.Actions())+len(s.Problem.Space.Contexts()) < 2 {
		l.Add("Scenario.Contextual", true, fmt.Sprintf("false, since %s has one parameter and none would be left to choose", s.Problem.Name))
	}
	if s.Contextual && s.Problem.Space.Size() > 0 {
		l.Add("Scenario.Contextual", true, fmt.Sprintf("false, since %s is a list of points", s.Problem.Name))
	}
	if s.Workers == 0 && (s.AskTime != nil || s.FitTime != nil) {
		l.Add("Scenario.Workers", 0, "at least 1 where AskTime or FitTime is given: in rounds suggestions take no time")
	}
	if s.Workers == 0 && s.Exclusive {
		l.Add("Scenario.Exclusive", true, "false in the pace of rounds, which has no workers")
	}
	if s.Workers == 0 && s.Timeout != 0 && s.Timeout < Tick {
		l.Add("Scenario.Timeout", s.Timeout, fmt.Sprintf("0 or at least %v, one tick: a query starts only every tick", Tick))
	}
	if s.Timeout == 0 && s.mayStall() && (s.Workers > 0 || s.barrier() > 1) {
		l.Add("Scenario.Timeout", s.Timeout, "a duration > 0, since answers that never come would hold workers and batches for ever")
	}
	return l.Err()
}

// mayStall reports whether some answer may never come.
func (s Scenario) mayStall() bool {
	for law := s.Delay; ; {
		never, ok := law.(delay.Never)
		if !ok {
			return s.Faults.Drop > 0 || s.Faults.Stall > 0
		}
		if never.P > 0 {
			return true
		}
		law = never.Law
	}
}

// Chances returns the delays, faults and noise of the scenario. Delays are in ticks.
func (s Scenario) Chances() delay.Chances {
	return delay.Chances{Seed: s.Seed, Delay: s.Delay, Faults: s.Faults, Noise: s.Noise}
}

// Level returns the place of a value between Low (0) and the maximum (1), for delays that depend on it.
func (s Scenario) Level(value float64) float64 {
	low, high := s.Low, s.Problem.Maximum
	if !(high > low) {
		return 0
	}
	return min(max((value-low)/(high-low), 0), 1)
}

func (s Scenario) barrier() int {
	if s.Barrier == 0 && s.Policy != nil {
		return s.Policy.Traits().Barrier
	}
	return s.Barrier
}

func (s Scenario) initial() int {
	switch {
	case s.Policy != nil && s.Policy.Traits().Safety.Seeds:
		return len(s.Problem.Seeds)
	case s.Initial > 0:
		return s.Initial
	case s.Earlier != nil || s.Prior != nil: // earlier studies know better where to begin
		return 0
	case s.Problem.Initial > 0:
		return s.Problem.Initial
	}
	return defaultInitial
}

// Config returns the configuration of the loop that Run drives: what the problem and the scenario have under the names of its fields,
// and what follows from them.
func (s Scenario) Config() loop.Config {
	where := s.Problem.Space
	if s.Contextual {
		if p, err := s.Problem.contextual(); err == nil {
			where = p.Space
		}
	}
	var c loop.Config
	option.Copy(&c, &s.Problem)
	option.Copy(&c, &s)
	if !s.Policy.Traits().Safety.Seeds {
		c.Seeds = nil // of the problem, and of no use to the policy
	}
	c.Space, c.Traits, c.Initial, c.Budget = where, s.Policy.Traits(), s.initial(), s.initial()+s.Rounds
	c.FitOnce = true     // as of every study that begins now
	c.Pending = c.Budget // no limit: in rounds a query starts every tick, and workers are a limit themselves
	return c
}
