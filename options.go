package tarry

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"runtime"
	"time"

	"go.opentelemetry.io/otel/metric"
	"go.uber.org/zap"

	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/bandit"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/workers"
)

// DefaultPolicy is the policy of a study that names none.
const DefaultPolicy = policies.Default

// The limits of a study.
const (
	MaxBudget  = loop.MaxBudget  // evaluations
	MaxWorkers = loop.MaxWorkers // evaluations at once
)

// Options say how a study goes. Only Budget must be set, or BudgetCost where the space has a fidelity; every other zero value means what is written beside it.
type Options struct {
	Budget int // evaluations, initial ones included: 1 … MaxBudget
	// BudgetCost is what all evaluations may cost together, in units of the user's; 0: no matter what. An evaluation costs what its
	// Outcome says, and what its fidelity does until then, or where the outcome says nothing. What nobody knows before the answer can make it more than that.
	BudgetCost float64

	Minimize bool          // the smallest value is the best; Minimize sets it, and Maximize refuses it
	Policy   Policy        // which point to query next; nil: DefaultPolicy, with Earlier as auto:earlier=2
	Workers  int           // evaluations at once: 1 … MaxWorkers; 0: runtime.GOMAXPROCS(0). A Study has none
	Initial  int           // points of the initial design, at most Budget; 0: 2·d+1 for d that vary, at most 18 and half the budget; with auto and mf-mes 5, at most a third of the budget and a tenth of a finite space, but with a fidelity at least 10 or a quarter of the budget
	Design   Design        // how they are spread; zero: uniformly at random
	Barrier  int           // queries of a batch: none of the next starts before the last has an outcome, and the initial design is the first batch; 0: the policy's
	Timeout  time.Duration // of one attempt; 0: none
	// Pending is how many queries may be unanswered at once: 1 … MaxBudget. Where answers follow later it decides how much each
	// query is chosen by: with as many as the budget a study is no better than random search. 0: 20, or half of the budget where
	// that is less, and one more for every four answers; always as many as there are workers, or initial points; and no limit
	// where contexts set the pace. An answer that never comes keeps its place until its Lease ends, or until Cancel or Fail.
	Pending int
	// Exclusive keeps a worker for its objective until that has returned, also after a timeout. Without it the worker goes on
	// beside an objective that ignores its context.
	Exclusive bool
	Retries   int           // attempts after a failed or timed-out one: 0 … 100
	Lease     time.Duration // how long an answer that follows is awaited without a sign of life; 0: as long as it takes
	// Forget is a chance in (0, .5]: a query of which nothing is ever heard with no more than that, as the delays so far say, is left out of
	// the model until its answer comes, so that what is lost keeps no part of the space to itself. 0: never.
	Forget      float64
	ForgetAfter time.Duration // how long a query may pend before it is left out, whatever is known of the delays; 0: for ever
	// WeighPending lets a query without an answer count in the model by the chance that one ever comes, as the delays so far say.
	WeighPending bool
	// GiveUp is a chance in (0, .5] too: a query of which nothing is ever heard with no more than that is lost. Its worker is free, its
	// budget comes back, and a value that comes after all counts. 0: never.
	GiveUp   float64
	Patience time.Duration // how long to wait for answers once the budget is spent; 0: for all of them

	// Target is a value that suffices, in the user's units and sense: the study ends when one as good comes, and what is pending then
	// is cancelled. nil: none. A study that ended for its target goes on when it is resumed with another one.
	Target *float64
	// MaxTime is how long queries are started, from Start or Resume on; what is under way then is waited for, and counts. With a
	// store on disk the study has not ended, and Resume goes on with it; otherwise answers that follow and have not come are given
	// up. 0: without end. A Study takes none.
	MaxTime time.Duration

	Known []Observation // measured elsewhere before, at no cost to the budget; where the study begins, which has no end before all of it is in
	First []Point       // points to query first, as Enqueue takes them; where the study begins, and within the budget

	// Seed decides every random choice; zero is a seed like any other. With one worker, or in a Study that is asked and
	// told in turn, the seed and the values decide everything. With several workers the order of the answers does too,
	// and a fit of the hyperparameters takes effect when it is ready; the journal of such a study repeats it to the bit.
	Seed uint64

	// Constraints are what is measured besides the value, with a bound each. Then every outcome must bring a value of each of them, in this
	// order: StartOutcomes, TellOutcome and Observation have a place for them. Each has a model of its own, policies look for points that
	// are feasible, and the best and the recommended evaluation are. Nil: there are none with a name; see Outcome.
	Constraints []Constraint
	// Seeds are points that are known to hold the constraints, in user units: where the policies safe-opt, d-safe-bocp and p-safe-bocp
	// begin, in place of an initial design. They keep constraints also while they search: see docs/safety.md. Nil for the others.
	Seeds []Point
	// IgnoreInfeasible says that a value means nothing where a constraint is violated, so that the model of the values does not learn it.
	IgnoreInfeasible bool
	// IgnoreReports says that what evaluations report on their way (Query.Report, Study.Report) is kept and decides nothing.
	IgnoreReports bool
	// StopEarly ends an evaluation that reports as soon as the probability that its value will be better than the best so far is less
	// than this, at most ½; 0: never. See docs/maturing.md.
	StopEarly float64

	Window  Window            // when feedback is late, for policies that censor; zero: never
	Floor   *float64          // the worst possible value, in the user's units and sense; nil: a stand-in below what was seen
	Range   float64           // the known range of the values, with Floor; 0: learned
	Learned *Learned          // what studies of earlier tasks learned, for the policies continual-mf-mes and mft-mes; nil: this task is the first. See Result.Learn
	Taught  *bandit.Knowledge // what earlier tasks taught a bandit, for the policy meta-mab; nil: nothing. See bandit.Learn
	Earlier *Earlier          // studies that were made before, for the policies auto:earlier=2 and rgpe, which begin where they were good; nil: none. See LearnFrom
	Prior   *Prior            // what many studies taught of functions of this kind, for policies with a model that do not censor, but for rgpe, auto:earlier, mft-mes and continual-mf-mes; nil: nothing. See LearnPrior
	Model   loop.Model        // kernel, hyperparameters where they are known, most rows; zero: the policy's, learned, 2500

	Name    string       // of the study, in logs and metrics; empty: "study"
	Logger  *zap.Logger  // nil: silent
	Handler slog.Handler // in place of Logger, for programs that log with log/slog

	// OnEvent is called after each event, in order; nil: none. The study does nothing else meanwhile: it must be quick,
	// change nothing in what it is given, and call no method of the Run or the Study, which would wait for it, but Run.Stop and
	// Run.Pause, after which nothing more is started. The first events come before Start has returned; to end the study already
	// there, cancel its context.
	OnEvent func(Event)

	Meter metric.MeterProvider // where metrics go, under the study's name; nil: none. docs/observing.md lists them

	// Remote takes the study to workers of other processes: package remote has one. Without an objective they are the only ones, and
	// Workers is 0; beside an objective there are Workers workers in this process too. nil: none. A Study has none.
	Remote Remote

	// Journal keeps every event before it is acted upon; nil: none. With one on disk the end of ctx leaves the study as it
	// is, for Resume; Run.Stop ends it.
	Journal    journal.Appender
	AnyProgram bool          // Resume only: go on also with the journal of another version or architecture
	Grace      time.Duration // how long an ended study waits for objectives that ignore their context; 0: 5 s
}

// Validate returns nil or every violation at once, also those that depend on the space. Each names the field, its value
// and what is allowed, and wraps ErrInvalidOption.
func (o Options) Validate(s Space) error {
	c, err := o.config(s)
	if err != nil {
		return err
	}
	c.Objective = func(context.Context, workers.Task) (float64, error) { return 0, nil }
	return renamed(c.Validate())
}

// config is the engine's configuration, but for the objective. What both have under the same name is the same, and so is what the
// configuration of the study has.
func (o Options) config(s Space) (actors.Config, error) {
	policy := o.Policy
	if policy == nil {
		var err error
		name := DefaultPolicy
		if o.Earlier != nil {
			name = policies.EarlierDefault
		}
		if policy, err = policies.Parse(name); err != nil {
			return actors.Config{}, err
		}
	}
	traits, err := traitsOf(policy)
	if err != nil {
		return actors.Config{}, err
	}
	logger := o.Logger
	switch {
	case o.Journal != nil && absent(o.Journal):
		return actors.Config{}, &check.FieldError{Field: "Options.Journal", Value: "a nil " + fmt.Sprintf("%T", o.Journal), Want: "one that was opened without an error, or nothing"}
	case o.Logger != nil && o.Handler != nil:
		return actors.Config{}, &check.FieldError{Field: "Options.Handler", Value: fmt.Sprintf("%T", o.Handler), Want: "nil beside Options.Logger"}
	case o.Handler != nil:
		logger = actors.ZapLogger(o.Handler)
	}
	n := o.Workers
	if n == 0 {
		n = min(runtime.GOMAXPROCS(0), MaxWorkers)
	}
	var c actors.Config
	option.Copy(&c, &o)
	c.Budget, c.BudgetCost, c.Study.Space, c.Study.Traits = 0, 0, s, traits // those budgets are of a study that is resumed
	option.Copy(&c.Study, &o)
	c.Policy, c.Workers, c.Logger = policy, n, logger
	c.Study.FitBeside = n > 1 || o.Remote != nil // with one worker there is nothing that could go on meanwhile
	c.Study.FitAbreast, c.Study.FitOnce = c.Study.FitBeside, true
	c.Resumable = onDisk(o.Journal)
	return c, nil
}

// traitsOf returns the traits of a policy. One that panics, as the nil pointer of a type does, is no policy.
func traitsOf(p Policy) (t policies.Traits, err error) {
	defer func() {
		if r := recover(); r != nil {
			kind := fmt.Sprintf("%T", p)
			if absent(p) {
				kind = "a nil " + kind
			}
			err = &check.FieldError{Field: "Options.Policy", Value: kind, Want: fmt.Sprintf("a policy with traits; its Traits panicked: %v", r)}
		}
	}()
	return p.Traits(), nil
}

// absent reports whether a store, a journal or a context is nil, or the nil pointer that comes beside an error.
func absent(v any) bool {
	r := reflect.ValueOf(v)
	return !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil()
}

// onDisk reports whether a journal outlives the process.
func onDisk(j journal.Appender) bool {
	_, readable := j.(journal.Store)
	_, memory := j.(*journal.Memory)
	return readable && !memory
}

// renamed speaks of options where the engine speaks of its configuration.
func renamed(err error) error {
	return check.Renamed(err, "Config.Space", "Space", "Config.Traits", "Options.Policy", "Config.", "Options.")
}
