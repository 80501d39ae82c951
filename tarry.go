package tarry

import (
	"context"
	"errors"

	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/workers"
)

// Objective returns the value of a query. It is called from many goroutines at once. An error, a panic, NaN and ±Inf are
// a failed attempt; ErrAnswerFollows is none. The context ends when nobody waits for the attempt any longer: an objective
// should return then, and if it has a value all the same, the value counts.
type Objective = func(ctx context.Context, q Query) (float64, error)

// Outcome is what an evaluation found, where that is more than a value: its cost, and constraints that hold where they are
// ≤ 0, unless Options.Constraints name them and their bounds. An outcome that is infeasible, by word or by a constraint, keeps its
// value in the record and is never the best. Its fields are Value, Cost, Constraints (numbers, in the order of Options.Constraints) and Infeasible.
type Outcome = outcome.Outcome

// Constraint is a bound of something that is measured with each value, in the user's units: AtMost or AtLeast.
type Constraint = outcome.Constraint

// AtMost is a constraint that holds where what is measured is at most the bound.
func AtMost(name string, bound float64) Constraint { return outcome.AtMost(name, bound) }

// AtLeast is a constraint that holds where what is measured is at least the bound.
func AtLeast(name string, bound float64) Constraint { return outcome.AtLeast(name, bound) }

// OutcomeFunc is an Objective with outcomes.
type OutcomeFunc = func(ctx context.Context, q Query) (Outcome, error)

// What a program needs of the rooms below.
type (
	// Space is where queries live. Build one with NewSpace or NewList.
	Space = space.Space
	// Point is a query in the user's units, with a number for each parameter, in their order. A []float64 can be given as one.
	Point = space.Point
	// Parameter is one coordinate of a query: Float, LogFloat, Int, LogInt, Categorical, Bool or Ordered. A float or an int
	// may be Stepped, and one that has a single value is fixed. When and WhenAtLeast say for which values of another parameter
	// it is active.
	Parameter = space.Parameter
	// Policy chooses queries. Build one with ParsePolicy, or write your own: package policies says how.
	Policy = policies.Policy
	// Window says when feedback is late.
	Window = feedback.Window
	// Store is a journal on disk from which a study can be resumed: package journal/sqlite has one.
	Store = journal.Store
	// Status is where an evaluation stands.
	Status = loop.Status
	// Counters count what was answered and dropped, or replaced.
	Counters = loop.Counters
	// Coverage is how the forecasts that were issued with queries did, judged by the values that came.
	Coverage = loop.Coverage
	// Observation is a value that was measured elsewhere: its fields are X in user units, contexts included, Value and Constraints. What is inactive there is not
	// looked at, and a fidelity that is NaN, or has no coordinate, is the greatest.
	Observation = actors.Observation
	// Design is how the points of an initial design are spread.
	Design = space.Design
	// Learned is what studies of tasks that are alike, one after another, learned for the next one: Options.Learned, Result.Learn. Its JSON is
	// what the tool reads and writes.
	Learned = loop.Learned

	// Earlier are studies that were made before, for a study whose policy looks at them (Options.Earlier): LearnFrom makes them. Their JSON is a file format.
	Earlier = loop.Earlier
	// Prior is what many studies taught of functions of one kind, for the next one (Options.Prior): LearnPrior makes it. Its JSON is a file format.
	Prior = loop.Prior
	// PriorBelief is what a Prior expects, in numbers that a person understands: Prior.Belief.
	PriorBelief = loop.PriorBelief
	// Report is a value that an evaluation brought on its way to the end, at a step: an epoch, an age, whatever grows.
	Report = loop.Report
	// Event is one event of a study with what became of it, as OnEvent gets it.
	Event = actors.Notice
	// FieldError says which Field has which Value and what would be allowed (Want). Several may be joined; it wraps ErrInvalidOption, and
	// errors.As finds a *FieldError.
	FieldError = check.FieldError
)

// The statuses of an evaluation.
const (
	Pending    = loop.Pending    // chosen, no outcome yet
	Observed   = loop.Observed   // its value came within the window
	Late       = loop.Late       // its value came after the window, or after it was given up
	Failed     = loop.Failed     // its last attempt ended without a value
	TimedOut   = loop.TimedOut   // its last attempt took too long
	Lost       = loop.Lost       // its attempts vanished with their workers, or its lease ended
	Cancelled  = loop.Cancelled  // given up by the caller, or because the study ended
	Infeasible = loop.Infeasible // its point cannot be evaluated, or violates a constraint
	Stopped    = loop.Stopped    // ended early, by what it reported: Options.StopEarly
)

// Why a study ended by itself, or stopped because somebody wanted it to: Result.Reason. None of it is an error.
const (
	ReasonBudget   = loop.ReasonBudget   // the budget is spent, and nothing is awaited any more
	ReasonPatience = loop.ReasonPatience // the budget is spent, and Options.Patience as well
	ReasonPoints   = loop.ReasonPoints   // every point of the space was queried: values have no noise, and that of constraints leaves no better point in doubt
	ReasonFunds    = loop.ReasonFunds    // every point that the rest of Options.BudgetCost pays for was queried
	ReasonNone     = loop.ReasonNone     // every point of the space is infeasible
	ReasonSeed     = loop.ReasonSeed     // how the reason begins where a seed of a safe study turned out not to be safe
	ReasonTarget   = loop.ReasonTarget   // a value as good as Options.Target has come
	ReasonTime     = actors.ReasonTime   // Options.MaxTime is over; with a store it has not ended, and can be resumed
	ReasonPaused   = actors.ReasonPaused // Run.Pause: it has not ended, and can be resumed from its store
)

// The errors a caller may test for.
var (
	// ErrAnswerFollows is the error that an objective returns when its value will come later, through Query.Tell or Run.Tell. The worker is
	// free at once.
	ErrAnswerFollows = workers.ErrAnswerFollows
	// ErrInfeasible is the error, possibly wrapped, that an objective returns when its point cannot be evaluated. The
	// evaluation is not repeated, and the policy avoids the point and its neighborhood.
	ErrInfeasible = outcome.ErrInfeasible
	// ErrLost is the error, possibly wrapped, that an objective returns when an attempt failed for a reason other than its
	// point, such as a machine that was taken away. It tells the model nothing. The attempt is repeated at once, a hundred times at most: an
	// objective that has to wait for a machine waits before it returns. What is lost in the end costs nothing of the budget, up to as many evaluations as that has.
	ErrLost = outcome.ErrLost
	// ErrCancelled is the cause with which the context of an attempt ends when its answer is no longer wanted.
	ErrCancelled = workers.ErrCancelled
	// ErrInvalidOption: a field of Options, a parameter or a value is outside what is allowed.
	ErrInvalidOption = check.ErrInvalidOption
	// ErrUnknownEvaluation: a Tell or a Fail names an evaluation or attempt that does not exist.
	ErrUnknownEvaluation = actors.ErrUnknownEvaluation
	// ErrContradiction: an answer contradicts the one that an evaluation has, which stands.
	ErrContradiction = actors.ErrContradiction
	// ErrEnded: the study has ended. A value that comes later still counts for a Study (Study.Tell, Study.Observe), which ResumeStudy makes of any store; a
	// Run of a study that had ended before takes none. Also wrapped by ErrPaused, which is not final.
	ErrEnded = actors.ErrEnded
	// ErrPaused: this Run is over, but its study has not ended: it was paused, by Run.Pause, Options.MaxTime or the end of its context, or
	// broke down, and has a store. The answer counts for the Run or the Study that resumes it, told by the query's ID (Run.Tell). It wraps
	// ErrEnded.
	ErrPaused = actors.ErrPaused
	// ErrStalled: the study waits for an event that cannot come, which is a bug of this package. It can be resumed from its
	// journal.
	ErrStalled = actors.ErrStalled
	// ErrBroken: Options.OnEvent, the journal, the logger (Options.Handler, Options.Logger) or this package panicked; the last is a bug of this
	// package. The study can be resumed from its journal. The error of a Run carries the stack; a Study lets the panic through to who called it,
	// unless it is the logger's, and has the error from then on.
	ErrBroken = actors.ErrBroken
	// ErrNotKept: the journal refused an event. The study cannot go on; what it acknowledged is in the journal. What it refused may be
	// in the Result, and is gone when the study is resumed.
	ErrNotKept = journal.ErrNotKept
	// ErrInUse: a study of this program writes to the store. Nothing was done: wait for its end (Run.Wait), or close it first (Study.Close).
	ErrInUse = journal.ErrInUse
	// ErrOtherProgram: a study cannot be resumed as it is, since another version or architecture wrote its journal.
	ErrOtherProgram = journal.ErrOtherProgram
	// ErrCorruptJournal: what a store holds is no journal any more.
	ErrCorruptJournal = journal.ErrCorruptJournal
	// ErrDiverged: replaying a journal did not lead to the states that it recorded.
	ErrDiverged = journal.ErrDiverged
	// ErrUnsupported: a policy cannot do what is asked of it, such as to learn over tasks (Result.Learn). Where its Propose returns it, as
	// after any other error, a point that fills the space takes the place of the query: see Counters.Fallbacks.
	ErrUnsupported = policies.ErrUnsupported
	// ErrNoModel: there is no model to ask, since the policy looks at none or fewer than three values have come.
	ErrNoModel = loop.ErrNoModel
	// ErrNothingEarlier: an earlier study has fewer than two different values, so that LearnFrom learns nothing of it.
	ErrNothingEarlier = loop.ErrNothingEarlier
	// ErrOutsideSpace: a point or a context is not one of the space.
	ErrOutsideSpace = space.ErrOutsideSpace
	// ErrNoValue: the budget is spent and no evaluation has a value.
	ErrNoValue = errors.New("tarry: no evaluation has a value")
	// ErrUnsafeSeed: a seed of a safe study violates a constraint, so that nothing can be promised. Its answers are kept.
	ErrUnsafeSeed = errors.New("tarry: the study has ended")
	// ErrBudgetSpent: Study.Ask has no query to give now. Answers may still be told; where Options.Retries allows, one
	// that fails makes its query available again.
	ErrBudgetSpent = errors.New("tarry: the budget is spent")
	// ErrAwaiting: Study.Ask has no query before some answer has come: as many are unanswered as Options.Pending allows, a
	// batch must be complete, or no point of the space is left.
	ErrAwaiting = errors.New("tarry: no query before an answer has come")
)

// NewSpace returns the space of all combinations of the parameters, or every violation.
func NewSpace(parameters ...Parameter) (Space, error) { return space.New(parameters...) }

// NewList returns the space of the given points, in user units: queries are chosen among them.
func NewList(points []Point, parameters ...Parameter) (Space, error) {
	return space.List(points, parameters...)
}

// Float is a real parameter in [low, high].
func Float(name string, low, high float64) Parameter { return space.Float(name, low, high) }

// LogFloat is a real parameter in [low, high] whose logarithm is searched evenly; low > 0, and high is the same or greater by a millionth of it.
func LogFloat(name string, low, high float64) Parameter { return space.LogFloat(name, low, high) }

// Int is a whole-number parameter in low … high, both included.
func Int(name string, low, high int) Parameter { return space.Int(name, low, high) }

// LogInt is Int with its logarithm searched evenly; low ≥ 1, high ≤ 2^44.
func LogInt(name string, low, high int) Parameter { return space.LogInt(name, low, high) }

// Categorical is a parameter without order.
func Categorical(name string, choices ...string) Parameter {
	return space.Categorical(name, choices...)
}

// Bool is a parameter that is false or true.
func Bool(name string) Parameter { return space.Bool(name) }

// Ordered is a parameter that takes one of the numbers, given in any order, and is searched by rank: between 16, 32, 64 and
// 128 all steps are alike.
func Ordered(name string, values ...float64) Parameter { return space.Ordered(name, values...) }

// ParsePolicy makes a policy from its name and options, as in "ts-sdf", "ucb-sdf:nu=1" or "batch:q=5:of=gp-bucb": each option
// follows a colon. An error names what exists.
func ParsePolicy(spec string) (Policy, error) { return policies.Parse(spec) }
