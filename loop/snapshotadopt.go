package loop

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// adopt fills in what a snapshot leaves out. First it looks at every number that could lead outside of something, so that
// bytes from elsewhere make an error of Restore instead of a panic of a later Step; what is left to be consistent is the
// business of Check.
func (l *Loop) adopt() error {
	for _, part := range [...]func() error{
		l.adoptEvaluations, l.adoptQueues, l.adoptWorkers, l.adoptView, l.adoptModel, l.adoptWaiting,
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// among reports whether every number is that of an evaluation.
func (l *Loop) among(numbers []int) bool {
	return !slices.ContainsFunc(numbers, func(number int) bool { return l.ledger.get(number) == nil })
}

// ascends reports whether no number comes twice and each is greater than the one before.
func ascends(numbers []int) bool {
	for i := 1; i < len(numbers); i++ {
		if numbers[i] <= numbers[i-1] {
			return false
		}
	}
	return true
}

func (l *Loop) adoptEvaluations() error {
	if l.config.Budget < 1 || l.config.Budget > MaxBudget || !(l.config.BudgetCost >= 0) || math.IsInf(l.config.BudgetCost, 1) {
		return fmt.Errorf("a budget of %d evaluations that cost %v", l.config.Budget, l.config.BudgetCost)
	}
	n, pace := len(l.ledger.evaluations), l.ledger.pace
	if features := len(l.config.describe(l.config.Space.Canonical(make(space.Unit, l.config.Space.Dim())))); len(pace.Slope) != len(pace.Mean) || pace.Known() && len(pace.Slope) != features || !outcome.Finite(pace.Slope...) || !outcome.Finite(pace.Mean...) {
		return fmt.Errorf("pace %+v of %d features, want as many of them, and finite", pace, features)
	}
	l.ledger.queries = slices.Grow(l.ledger.queries, n)
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		e.Number, e.Round = i+1, i+1
		switch {
		case e.Status < 0 || int(e.Status) >= len(rules):
			return fmt.Errorf("evaluation %d: status %d", e.Number, int(e.Status))
		case l.config.Space.ContainsUnit(e.X) != nil:
			return fmt.Errorf("evaluation %d is at %v", e.Number, e.X)
		case e.AgainOf < 0 || e.AgainOf >= e.Number || e.AgainOf > 0 && l.ledger.evaluations[e.AgainOf-1].AgainOf > 0:
			return fmt.Errorf("evaluation %d asks again for the point of %d", e.Number, e.AgainOf)
		case e.Given != nil && len(e.Given) != len(e.X):
			return fmt.Errorf("evaluation %d: %d coordinates were given, want %d", e.Number, len(e.Given), len(e.X))
		case !outcome.Finite(e.Value):
			return fmt.Errorf("evaluation %d: value %v", e.Number, e.Value)
		case e.Seen > 0 && outcome.Complete(l.config.Constraints, e.Constraints) != nil:
			return fmt.Errorf("evaluation %d: constraints %v of %d", e.Number, e.Constraints, len(l.config.Constraints))
		case e.Tried < 0:
			return fmt.Errorf("evaluation %d: %v in attempts that were tried again", e.Number, e.Tried)
		case e.Forgotten && e.Status != Pending:
			return fmt.Errorf("evaluation %d is %v and forgotten", e.Number, e.Status)
		case !soundReports(e):
			return fmt.Errorf("evaluation %d: reports %v of attempt %d", e.Number, e.Reports, e.Reporter)
		case e.Seen < 0 || e.Seen > n+2:
			return fmt.Errorf("evaluation %d: seen in round %d of %d", e.Number, e.Seen, n)
		}
		e.Infeasible = e.Measured && e.Status == Infeasible
		e.Below = !l.config.Space.OnTarget(e.X)
		if e.Status == Pending {
			l.ledger.pending = append(l.ledger.pending, e.Number)
		}
		l.ledger.foreign += bit(e.Foreign)
		l.ledger.forgotten += bit(e.Forgotten)
		l.note(e)
		l.ledger.freed += bit(free(e))
		l.ledger.reporting += bit(len(e.Reports) > 0)
		l.ledger.queries = append(l.ledger.queries, e.Query)
		l.ledger.enter(e.X)
		if l.learned(e) {
			l.compare(e)
		}
	}
	return nil
}

func (l *Loop) adoptQueues() error {
	waiting := 0
	for _, number := range l.ledger.pending {
		waiting += bit(!l.ledger.get(number).Running)
	}
	if !l.among(l.ledger.ready) || len(l.ledger.ready) != waiting {
		return fmt.Errorf("%v wait for a slot, want %d evaluations", l.ledger.ready, waiting)
	}
	for _, queue := range [...][]expiry{l.ledger.deadlines, l.ledger.leases} {
		for i, d := range queue {
			if l.ledger.get(d.evaluation) == nil || i > 0 && d.at < queue[i-1].at {
				return fmt.Errorf("deadline or lease %+v, want ascending ones of evaluations", d)
			}
		}
	}
	return nil
}

func (l *Loop) adoptWorkers() error {
	workers := l.ledger.workers
	for i, w := range workers {
		if w.slots < 0 || w.slots > MaxSlots || i > 0 && w.id <= workers[i-1].id || i == MaxWorkers {
			return fmt.Errorf("worker %d with %d slots, want ascending numbers and 0 … %d", w.id, w.slots, MaxSlots)
		}
	}
	for _, t := range l.ledger.overdue {
		if err := l.occupied(t.worker, t.evaluation); err != nil {
			return err
		}
	}
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if !e.Holds {
			continue
		}
		if err := l.occupied(e.Worker, e.Number); err != nil {
			return err
		}
	}
	for _, w := range workers {
		l.ledger.idle += w.idle()
	}
	return nil
}

// occupied takes a slot of a worker for an attempt at an evaluation.
func (l *Loop) occupied(id, evaluation int) error {
	w := l.ledger.worker(id)
	if w == nil {
		return fmt.Errorf("evaluation %d has a slot of worker %d, which is none", evaluation, id)
	}
	w.busy++
	return nil
}

// adoptModel builds the history, and lets the model see what became of the queries.
func (l *Loop) adoptModel() error {
	seen := model.New(l.config.model())
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		seen.Open(e.Number, e.Round, e.At, e.X)
		switch {
		case e.outlived && e.Status != Late && !(e.Status == Infeasible && e.Seen > 0):
			return fmt.Errorf("evaluation %d was given up before its value came, but is %v", e.Number, e.Status)
		case e.Seen > 0 && !e.outlived:
		case rules[e.Status].free, e.outlived, e.Forgotten:
			seen.Remove(e.Number)
		case rules[e.Status].fails:
			seen.Fail(e.Number, e.Status == Infeasible)
		}
	}
	for i, a := range l.ledger.history {
		number := a.Query.Number
		e := l.ledger.get(number)
		if e == nil || !l.remembers(e) || e.Seen < 1 || seen.Answers(model.Objective).Revealed(number) {
			return fmt.Errorf("answer %d has no value, or comes twice", number)
		}
		a = l.answered(number)
		if late := l.reveal(seen, e, e.Ended); late != a.Late {
			return fmt.Errorf("answer %d is late: %v, want %v", number, a.Late, late)
		}
		l.ledger.history[i] = a
		if j, judged := l.judgment(e); judged && e.AgainOf > 0 {
			l.repeats.addAny(j)
		}
	}
	for i := range l.ledger.evaluations {
		if e := &l.ledger.evaluations[i]; e.Seen > 0 && !l.remembers(e) {
			l.reveal(seen, e, e.Ended)
		}
	}
	return l.model.Complete(seen, l.plan.view.Context)
}

// answered is the answer of an evaluation with a value, as the history has it.
func (l *Loop) answered(number int) policies.Answer {
	e := l.ledger.get(number)
	late := e.Status == Late || e.Status == Infeasible && (e.outlived || l.config.Window.Late(e.Seen-e.Round, e.Ended-e.At))
	value := l.config.Sense().Sign() * e.Value
	return policies.Answer{Query: e.Query, AgainOf: e.AgainOf, Forecast: l.Foretold(e), Seen: e.Seen, Value: value, Late: late, Infeasible: e.Infeasible, Below: e.Below}
}
