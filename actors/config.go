package actors

import (
	"errors"
	"fmt"
	"math"
	"time"

	"go.opentelemetry.io/otel/metric"
	"go.uber.org/zap"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/workers"
)

// The errors that an answer to an event or an ending may wrap.
var (
	// ErrUnknownEvaluation: no evaluation, or no attempt of it, has this number.
	ErrUnknownEvaluation = errors.New("unknown evaluation")
	// ErrContradiction: the evaluation has another answer, which stands: another value, other constraints, or it is not infeasible.
	ErrContradiction = errors.New("the evaluation has another answer")
	// ErrEnded: the study has ended, or is paused (ErrPaused): nothing happens here any more.
	ErrEnded = errors.New("the study has ended")
	// ErrPaused: nothing happens here any more, but the study has not ended: it was paused, or broke down, and its journal.Store can be
	// resumed. It wraps ErrEnded.
	ErrPaused error = paused{}
	// ErrStalled: the study waits for something that nobody is about to bring, which is a bug. From its journal it can be
	// resumed.
	ErrStalled = errors.New("the study stands still")
	// ErrBroken: the coordinator came upon a bug, its own or one in OnEvent. The error carries the stack.
	ErrBroken = errors.New("the study broke down")
)

// Why a study stopped that has not ended, and can be resumed from its journal.
const (
	ReasonPaused = "paused"
	ReasonTime   = "the time is over" // Config.MaxTime; without a journal from which it can be resumed the study ends for it
)

// DefaultGrace is how long a study that ended waits for objectives to return.
const DefaultGrace = 5 * time.Second

// Config says what a coordinator does. Zero values mean what is written beside them.
type Config struct {
	Study  loop.Config     // its Traits are those of Policy; none: they are taken from there
	Policy policies.Policy // chooses the queries

	// Objective is evaluated by Workers workers of the coordinator's own, one evaluation each at a time:
	// 0 … loop.MaxWorkers. Without any, workers join from outside.
	Objective workers.Objective
	Outcomes  workers.OutcomeFunc // in place of Objective, where an outcome is more than a value
	Workers   int

	Name    string           // of the study, in logs and metrics; empty: "study"
	Journal journal.Appender // keeps every event before it is acted upon; nil: none
	// Resumable leaves the study as it is when ctx ends or its actor is stopped: somebody will resume it from its journal.
	// Otherwise it comes to its end, and what is pending is cancelled.
	Resumable  bool
	Resume     bool // the Journal is a journal.Store with a study to go on with: Study is taken from there
	AnyProgram bool // with Resume: also when another program wrote the journal
	Budget     int  // with Resume: evaluations in all from now on, also where the study had ended; 0: as it was
	// BudgetCost is, with Resume, what they may cost together from now on; 0: as it was.
	BudgetCost float64
	// Target is a value that suffices, in the user's units: the study ends when one as good comes. Resumed with another one it goes
	// on. nil: none.
	Target *float64
	// MaxTime is how long queries are started, counted from the start of this coordinator; what is under way then is waited for.
	// 0: without end.
	MaxTime time.Duration
	// Known was measured elsewhere, and First is to be queried first: where the study begins, not with Resume.
	Known   []Observation
	First   []space.Point
	Logger  *zap.Logger               // nil: silent
	OnEvent func(Notice)              // called after each event, in order; must not block, change nothing; nil: none
	Meter   metric.MeterProvider      // where metrics go; nil: none
	Grace   time.Duration             // how long an ended study waits for objectives to return; 0: DefaultGrace
	Fit     func(loop.Fit) loop.Event // computes a fit; nil: loop.Fit.Run
}

// Validate reports every violation at once, those of the study among them.
func (c Config) Validate() error {
	var l check.List
	l.Require(c.Policy != nil, "Config.Policy", nil, "a policy")
	if c.Policy != nil {
		if c.Study.Traits.Equal(policies.Traits{}) {
			c.Study.Traits = c.Policy.Traits()
		}
		if now := c.Policy.Traits(); !now.Equal(c.Study.Traits) {
			l.Add("Config.Traits", c.Study.Traits, fmt.Sprintf("those of the policy, %v", now))
		}
		l.Join(policies.Validate(c.Policy))
	}
	l.Join(c.Study.Validate())
	_, readable := c.Journal.(journal.Store)
	l.Require(!c.Resume || readable, "Config.Journal", fmt.Sprintf("%T", c.Journal), "a journal.Store, to resume from")
	l.Between("Config.Workers", c.Workers, 0, loop.MaxWorkers)
	l.Between("Config.Budget", c.Budget, 0, loop.MaxBudget)
	l.Require(c.Resume || c.Budget == 0, "Config.Budget", c.Budget, "0 without Resume; Config.Study has the budget of a study that begins")
	l.Require(c.BudgetCost >= 0 && !math.IsInf(c.BudgetCost, 1), "Config.BudgetCost", c.BudgetCost, "a finite number ≥ 0")
	l.Require(c.Resume || c.BudgetCost == 0, "Config.BudgetCost", c.BudgetCost, "0 without Resume; Config.Study has the budget of a study that begins")
	evaluates := c.Objective != nil || c.Outcomes != nil
	l.Require(c.Objective == nil || c.Outcomes == nil, "Config.Outcomes", "a function", "nil beside an Objective")
	l.Require(evaluates || c.Workers == 0, "Config.Workers", c.Workers, "0 without an Objective")
	l.Require(!evaluates || c.Workers != 0, "Config.Workers", c.Workers, fmt.Sprintf("1 ≤ Workers ≤ %d with an Objective", loop.MaxWorkers))
	if c.Target != nil {
		l.Finite("Config.Target", *c.Target)
	}
	l.Require(c.MaxTime >= 0, "Config.MaxTime", c.MaxTime, "a duration ≥ 0; 0 means without end")
	if c.Study.Space.Dim() > 0 {
		l.Join(c.validateBeginning())
	}
	l.Require(c.Grace >= 0, "Config.Grace", c.Grace, fmt.Sprintf("a duration ≥ 0; 0 means %v", DefaultGrace))
	return l.Err()
}

// validateBeginning reports what of that with which a study begins cannot be taken.
func (c Config) validateBeginning() error {
	var l check.List
	l.Require(len(c.Known) <= loop.MaxForeign, "Config.Known", fmt.Sprintf("%d values", len(c.Known)), fmt.Sprintf("at most %d", loop.MaxForeign))
	budget := c.Study.Budget
	if budget == 0 && c.Study.BudgetCost > 0 {
		budget = c.Study.Affordable()
	}
	l.Require(len(c.First) == 0 || len(c.First) <= min(budget, loop.MaxEnqueued), "Config.First", fmt.Sprintf("%d points", len(c.First)),
		fmt.Sprintf("at most %d, and no more than the budget of %d", loop.MaxEnqueued, budget))
	where := c.Study.Space
	for i, k := range c.Known {
		if err := observable(c.Study, Observation{X: where.Meant(k.X), Value: k.Value, Constraints: k.Constraints}); err != nil {
			l.Add(fmt.Sprintf("Config.Known[%d]", i), fmt.Sprintf("%v: %v", k.X, k.Value), "a point of the space and a finite value: "+err.Error())
		}
	}
	for i, x := range c.First {
		if err := where.Admits(where.Meant(x)); err != nil {
			l.Add(fmt.Sprintf("Config.First[%d]", i), x, "a point of the space: "+err.Error())
		}
	}
	return l.Err()
}

func (c Config) withDefaults() Config {
	c.Study.Traits = c.Policy.Traits()
	if c.Outcomes == nil && c.Objective != nil {
		c.Outcomes = c.Objective.Outcomes()
	}
	if c.Name == "" {
		c.Name = "study"
	}
	if c.Logger == nil {
		c.Logger = zap.NewNop()
	}
	if c.Grace == 0 {
		c.Grace = DefaultGrace
	}
	if c.Fit == nil {
		c.Fit = loop.Fit.Run
	}
	return c
}
