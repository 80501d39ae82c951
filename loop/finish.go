package loop

import (
	"math"
	"slices"
	"time"
)

// Result is what a study found.
type Result struct {
	Best        *Evaluation  // best value that came, late ones included, the first of equals; nil without any
	Recommended *Evaluation  // valued evaluation with the greatest posterior mean; Best without a model, and where there is no noise
	Expected    *Prediction  // what the model says at Recommended; nil without a model
	Feasible    *Feasibility // the same of the constraints; nil without a model, and where none have names
	Safety      *Safety      // how the promise about the constraints stands; nil where the policy makes none and begins at no seeds
	Evaluations []Evaluation
	Budget      int     // evaluations in all
	Spent       int     // of them those that count, pending ones included
	Cost        float64 // of these, as answers say and as fidelities do; 0 where nobody says
	BudgetCost  float64 // what they may cost together; 0: no matter what
	Reason      string  // why the study ended
	Counters    Counters
	Coverage    Coverage
	Lesson      *Lesson // what the next task may learn from this one; nil where the policy learns nothing over tasks
}

// Reasons for which a study ends by itself. The noise that they speak of is that of values: margins may have some, which then leaves no better point in doubt.
const (
	ReasonTarget   = "target reached"
	ReasonBudget   = "budget spent"
	ReasonPatience = "budget spent, patience for the last answers spent"
	ReasonPoints   = "every point of the space was queried, and without noise a second value would tell nothing"
	ReasonFunds    = "every point that the rest of the budget pays for was queried, and without noise a second value would tell nothing"
	ReasonNone     = "every point of the space is infeasible"
	ReasonSeed     = "a seed is not safe" // how the reason begins
)

// wakeNext asks to be woken at the earliest deadline, or when patience ends.
func (l *Loop) wakeNext() {
	if l.plan.stopped {
		return
	}
	next := time.Duration(math.MaxInt64)
	if d, some := l.ledger.nextDeadline(); some {
		next = d.at
	}
	if d, some := l.ledger.nextLease(); some {
		next = min(next, d.at)
	}
	next = min(next, l.nextSilent())
	if l.config.Patience > 0 && l.spent() && len(l.ledger.pending) > 0 {
		next = min(next, after(l.plan.last, l.config.Patience))
	}
	if next == math.MaxInt64 || (next == l.plan.wake && next > l.now) {
		return
	}
	l.plan.wake = next
	l.emit(WakeAt{next})
}

func (l *Loop) spent() bool {
	return l.used() && l.plan.ask.ID == 0
}

// finish ends the study when it was asked to, or when the budget is spent and nothing is awaited any more.
func (l *Loop) finish() {
	if l.Unbegun() {
		return // what is known may contradict what came of it so far, and must not be lost
	}
	if !l.plan.stopped && len(l.ledger.pending) == 0 && l.plan.ask.ID == 0 && !l.wished() && l.exhausted() {
		l.plan.stop(l.whyExhausted())
	}
	if !l.plan.stopped && l.spent() {
		switch {
		case len(l.ledger.pending) == 0:
			l.plan.stop(ReasonBudget)
		case l.config.Patience > 0 && l.now >= after(l.plan.last, l.config.Patience):
			l.plan.stop(ReasonPatience)
		}
	}
	if !l.plan.stopped {
		return
	}
	l.plan.finished = true
	l.model.Sync() // while every row is still there: nothing has to be factorized anew
	for _, number := range slices.Clone(l.ledger.pending) {
		e := l.ledger.get(number)
		if e.Holds {
			l.emit(Cancel{Evaluation: e.Number, Attempt: e.Attempt, Worker: e.Worker})
		}
		l.settle(e, Cancelled)
		l.model.Remove(number)
	}
	l.emit(Finish{l.Result()})
}

// Result is what is known now. Cost O(n), and that of Predict where a model is kept and nobody has asked since the last event.
func (l *Loop) Result() Result {
	r := Result{
		Evaluations: slices.Clone(l.ledger.evaluations), Budget: l.config.Budget, Spent: l.Spent(), Cost: l.Cost(), BudgetCost: l.config.BudgetCost, Reason: l.plan.reason, Counters: l.counts, Coverage: l.Coverage(),
		Safety: l.Safety(),
	}
	if lesson, ok := l.lesson(); ok {
		r.Lesson = &lesson
	}
	best := l.Best()
	if best == nil {
		return r
	}
	r.Best = &r.Evaluations[best.Number-1]
	r.Recommended = r.Best
	if a := l.advise(); a.number > 0 {
		r.Recommended, r.Expected, r.Feasible = &r.Evaluations[a.number-1], &a.expected, a.feasibility
	}
	return r
}

// Best returns the evaluation with the best value that came, late ones included, the first of equals; nil without any. Read only; the next Step may change it.
// It asks no model: Result.Best is the same. Cost O(n).
func (l *Loop) Best() *Evaluation { return l.bestOf(admissible{}) }

// bestOf is Best of those that are admissible.
func (l *Loop) bestOf(a admissible) (best *Evaluation) {
	for i := range l.ledger.evaluations {
		if e := &l.ledger.evaluations[i]; e.Counts() && (best == nil || l.config.Better(e, best)) && a.may(e) {
			best = e
		}
	}
	return best
}

// Unbegun reports whether not everything is in with which the study begins (Config.Opening).
func (l *Loop) Unbegun() bool { return l.seq < uint64(l.config.Opening) }

// Finished reports whether the study has ended.
func (l *Loop) Finished() bool { return l.plan.finished }

// Evaluations returns every evaluation so far, by number. Read only; the next Step may change it.
func (l *Loop) Evaluations() []Evaluation { return l.ledger.evaluations }

// Counters returns what was answered and dropped, or replaced, so far.
func (l *Loop) Counters() Counters { return l.counts }

// Spent returns how much of the budget is used, pending evaluations included.
func (l *Loop) Spent() int { return l.ledger.spent(l.config.Budget) }

// LeastBudget returns the smallest budget that what was spent fits in: at least 1.
func (l *Loop) LeastBudget() int {
	own := len(l.ledger.evaluations) - l.ledger.foreign
	return max(1, own-l.ledger.freed, (own+1)/2) // what was given up comes back only up to as much as the budget
}

// Reason says why the study ended; empty while it has not.
func (l *Loop) Reason() string { return l.plan.reason }

// Overdue reports whether an attempt was cancelled and has not returned: with Config.Exclusive it keeps its slot until then.
func (l *Loop) Overdue(evaluation, attempt int) bool { return l.ledger.kept(evaluation, attempt) >= 0 }

// Asks reports whether an ask is the open one.
func (l *Loop) Asks(a Ask) bool { return a.ID != 0 && a.ID == l.plan.ask.ID }

// Due reports whether a deadline or a lease ends at a time or before, or a silence has then lasted too long: whoever wants to know how things stand then says Woke
// first.
func (l *Loop) Due(at time.Duration) bool {
	d, deadline := l.ledger.nextDeadline()
	e, lease := l.ledger.nextLease()
	return deadline && d.at <= at || lease && e.at <= at || l.nextSilent() <= at
}

// Pending returns how many evaluations have no outcome.
func (l *Loop) Pending() int { return len(l.ledger.pending) }
