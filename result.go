package tarry

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// Result is what a study found, now or at its end.
type Result struct {
	Best        *Evaluation   // the best value that came, late ones included, the first of equals; nil without any
	Recommended *Evaluation   // the evaluation with a value where the model expects the best; Best without a model
	Expected    *Prediction   // what the model says at Recommended, by all values; nil without a model
	Feasible    *Feasibility  // the same of the constraints; nil without a model or Options.Constraints
	Safety      *Safety       // how the promise about the constraints stands; nil unless the policy is one that begins at Options.Seeds
	Evaluations []Evaluation  // every evaluation, by number
	Budget      int           // evaluations in all
	Spent       int           // of them those that count, pending ones included; observed ones do not, nor lost and cancelled ones, up to as many as Budget
	Cost        float64       // of those that count: what answers say, otherwise what their fidelity does; 0 where neither does
	BudgetCost  float64       // what all may cost together; 0: no limit
	Reason      string        // why the study ended, or stopped to be resumed; empty while it goes on
	Counters    Counters      // what was answered and dropped, or replaced
	Coverage    Coverage      // how the forecasts of the policy did, judged by the values that came
	Elapsed     time.Duration // since the study started
	Policy      string        // as ParsePolicy reads it
	Seed        uint64
	Minimize    bool

	lesson *loop.Lesson
}

// Learn returns what the study of the next task may begin with (Options.Learned): what was learned of all tasks so far, of which this study's has the
// given name. An error wraps ErrUnsupported where the policy learns nothing over tasks; only continual-mf-mes and mft-mes do. Cost some
// seconds with hundreds of answers; the same result gives the same bits.
func (r *Result) Learn(task string) (*Learned, error) {
	if r.lesson == nil {
		return nil, fmt.Errorf("tarry: nothing to learn: %w %s, or nothing was answered", ErrUnsupported, r.Policy)
	}
	learned, err := r.lesson.Learn(task)
	if err != nil {
		return nil, fmt.Errorf("tarry: %w", err)
	}
	return &learned, nil
}

// counted is so many of a thing.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// were is so many queries that were somewhere.
func were(n int) string {
	if n == 1 {
		return "1 query was"
	}
	return fmt.Sprintf("%d queries were", n)
}

// Evaluation is the life of one query. Times count from the start of the study.
type Evaluation struct {
	Query
	Status   Status
	Outcome                // as the objective said; zero without a value: see Status.Valued
	Measured bool          // whether there is a value: also where the point is infeasible, and it does not count
	Running  bool          // whether the latest attempt may still answer
	Foreign  bool          // measured elsewhere, and told by Study.Observe
	Worker   int           // that the last attempt ran on
	Chosen   time.Duration // when the query was chosen
	Began    time.Duration // when its first attempt was dispatched
	Ended    time.Duration // when Status became what it is; 0 while pending
	Reason   string        // of the last failure
	Below    bool          // whether its fidelity is not the greatest: its value teaches, and is never the best
	Reports  []Report      // what it brought on its way, by ascending step; of many every second is kept
}

// Counts reports whether the evaluation has a value that may be the best.
func (e Evaluation) Counts() bool { return e.Status.Valued() && !e.Below }

// String returns number, query and outcome in one line.
func (e Evaluation) String() string {
	outcome := e.Status.String()
	switch {
	case e.Status.Valued():
		outcome = fmt.Sprintf("%.6g", e.Value)
	case e.Reason != "":
		outcome += " (" + firstLine(e.Reason) + ")"
	}
	return fmt.Sprintf("#%d %v: %s", e.ID.Evaluation, e.Query, outcome)
}

// Incumbents returns the evaluations that were the best when their values came, in the order of time: what a plot of
// progress needs.
func (r *Result) Incumbents() []Evaluation {
	var valued []Evaluation
	for _, e := range r.Evaluations {
		if e.Counts() {
			valued = append(valued, e)
		}
	}
	slices.SortStableFunc(valued, func(a, b Evaluation) int { return cmp.Compare(a.Ended, b.Ended) })
	var out []Evaluation
	for _, e := range valued {
		if len(out) == 0 || outcome.Sense(r.Minimize).Better(e.Value, out[len(out)-1].Value) {
			out = append(out, e)
		}
	}
	return out
}

// Count returns how many evaluations have the status.
func (r *Result) Count(s Status) int {
	n := 0
	for _, e := range r.Evaluations {
		if e.Status == s {
			n++
		}
	}
	return n
}

// foreign is how many evaluations were measured elsewhere.
func (r *Result) foreign() int {
	n := 0
	for _, e := range r.Evaluations {
		if e.Foreign {
			n++
		}
	}
	return n
}

// String returns a few lines: what was found, how the evaluations ended, and what was out of the ordinary.
func (r *Result) String() string {
	var b strings.Builder
	if r.Best == nil {
		b.WriteString("no value yet\n")
	} else {
		fmt.Fprintf(&b, "best %v\n%s\n", r.Best, r.recommendation())
	}
	var parts []string
	for _, s := range loop.Statuses() {
		if n := r.Count(s); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %v", n, s))
		}
	}
	fmt.Fprintf(&b, "%s in %v by %s", counted(len(r.Evaluations), "evaluation"), r.Elapsed.Round(time.Millisecond), r.Policy)
	if len(parts) > 0 {
		fmt.Fprintf(&b, ": %s", strings.Join(parts, ", "))
	}
	if n := r.foreign(); n > 0 {
		fmt.Fprintf(&b, "; %d of them measured elsewhere", n)
	}
	if r.BudgetCost > 0 {
		fmt.Fprintf(&b, "\ncost: %s of %.6g", r.cost(), r.BudgetCost)
		if r.Budget < MaxBudget {
			fmt.Fprintf(&b, ", with %d of %d evaluations", r.Spent, r.Budget)
		}
	}
	if r.Safety != nil {
		fmt.Fprintf(&b, "\nsafety: %v", r.Safety)
	}
	if r.Coverage.Judged > 0 {
		fmt.Fprintf(&b, "\nforecasts: %v", r.Coverage)
	}
	if r.Counters.Revisits > 0 {
		fmt.Fprintf(&b, "\n%s at points that had a value", were(r.Counters.Revisits))
	}
	if r.Counters.Fallbacks > 0 {
		fmt.Fprintf(&b, "\n%d queries fill the space, since the policy failed", r.Counters.Fallbacks)
	}
	if c := r.Counters; c.Jittered+c.Lifted+c.Merged+c.Raised > 0 {
		fmt.Fprintf(&b, "\nround-off: %d queries with jitter in the model, %d with lifted pivots, %d with merged points, %d with more noise",
			c.Jittered, c.Lifted, c.Merged, c.Raised)
	}
	switch {
	case r.Reason == "":
	case r.Reason == ReasonPaused, r.Reason == ReasonTime, r.Count(Pending) > 0: // it can be resumed
		fmt.Fprintf(&b, "\nstopped: %s", r.Reason)
	default:
		fmt.Fprintf(&b, "\nended: %s", r.Reason)
	}
	return b.String()
}

// extent is how much of the budget was used, pending evaluations left out. What was given up and replaced, and came late all
// the same, makes that more than the budget.
func (r *Result) extent() string {
	done := r.Spent - r.Count(Pending)
	if done > r.Budget {
		return fmt.Sprintf("%d evaluations, with a budget of %d", done, r.Budget)
	}
	if r.BudgetCost > 0 {
		return fmt.Sprintf("%d evaluations at a cost of %s of %.6g", done, r.cost(), r.BudgetCost)
	}
	return fmt.Sprintf("%d of %d evaluations", done, r.Budget)
}

// cost is what all evaluations cost, whose sum may be beyond all numbers.
func (r *Result) cost() string {
	if math.IsInf(r.Cost, 1) {
		return fmt.Sprintf("more than %.6g", math.MaxFloat64)
	}
	return fmt.Sprintf("%.6g", r.Cost)
}

// recommendation says what is recommended, and on what ground.
func (r *Result) recommendation() string {
	switch {
	case r.Expected == nil:
		return "recommended: the same, as measured; there is no model that says what to expect"
	case r.Recommended.ID.Evaluation == r.Best.ID.Evaluation:
		return "recommended: the same; the model expects " + expected(*r.Expected) + r.chance()
	}
	return fmt.Sprintf("recommended %v measured, %s expected%s", r.Recommended, expected(*r.Expected), r.chance())
}

// chance says how likely the recommended point is feasible, where the study names constraints.
func (r *Result) chance() string {
	if r.Feasible == nil {
		return ""
	}
	return fmt.Sprintf("; feasible with probability %.3g", r.Feasible.Probability)
}

// newResult turns a result of the loop into user units.
func newResult(s Space, o Options, policy string, from loop.Result, elapsed time.Duration) *Result {
	r := &Result{
		Evaluations: make([]Evaluation, len(from.Evaluations)), Expected: from.Expected, Feasible: from.Feasible, Safety: from.Safety, Budget: from.Budget, Spent: from.Spent, Cost: from.Cost, BudgetCost: from.BudgetCost, Reason: from.Reason, Counters: from.Counters, Coverage: from.Coverage,
		Elapsed: elapsed, Policy: policy, Seed: o.Seed, Minimize: o.Minimize, lesson: from.Lesson,
	}
	for i, e := range from.Evaluations {
		r.Evaluations[i] = newEvaluation(s, e)
	}
	if from.Best != nil {
		r.Best = &r.Evaluations[from.Best.Number-1]
	}
	if from.Recommended != nil {
		r.Recommended = &r.Evaluations[from.Recommended.Number-1]
	}
	return r
}

func newEvaluation(s Space, e loop.Evaluation) Evaluation {
	e.Constraints = slices.Clone(e.Constraints)
	return Evaluation{
		Query:  Query{ID: EvaluationID{e.Number, e.Attempt}, X: e.Point(s), space: s},
		Status: e.Status, Outcome: e.Outcome, Measured: e.Measured, Running: e.Running, Foreign: e.Foreign, Worker: e.Worker,
		Chosen: e.At, Began: e.Dispatched, Ended: e.Ended, Reason: e.Reason, Below: e.Below, Reports: slices.Clone(e.Reports),
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
