package loop

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// adopt fills in what a snapshot leaves out. First it looks at every number that could lead outside of something, so that
// bytes from elsewhere make an error of Restore instead of a panic of a later Step; what is left to be consistent is the
// business of Check.
func (l *Loop) adopt(x *extract) error {
	for _, part := range [...]func(*extract) error{
		l.adoptEvaluations, l.adoptQueues, l.adoptWorkers, l.adoptAnswers, l.adoptPriors, l.adoptRows, l.adoptMarks, l.adoptFits, l.adoptView,
		l.adoptWaiting,
	} {
		if err := part(x); err != nil {
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

func (l *Loop) adoptEvaluations(*extract) error {
	if l.config.Budget < 1 || l.config.Budget > MaxBudget {
		return fmt.Errorf("a budget of %d evaluations", l.config.Budget)
	}
	n := len(l.ledger.evaluations)
	l.model.queries = slices.Grow(l.model.queries, n)
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		e.Number, e.Round = i+1, i+1
		switch {
		case e.Status < 0 || int(e.Status) >= len(rules):
			return fmt.Errorf("evaluation %d: status %d", e.Number, int(e.Status))
		case l.config.Space.ContainsUnit(e.X) != nil:
			return fmt.Errorf("evaluation %d is at %v", e.Number, e.X)
		case e.Given != nil && len(e.Given) != len(e.X):
			return fmt.Errorf("evaluation %d: %d coordinates were given, want %d", e.Number, len(e.Given), len(e.X))
		case !outcome.Finite(e.Value):
			return fmt.Errorf("evaluation %d: value %v", e.Number, e.Value)
		case e.Seen < 0 || e.Seen > n+2:
			return fmt.Errorf("evaluation %d: seen in round %d of %d", e.Number, e.Seen, n)
		}
		e.Infeasible = e.Measured && e.Status == Infeasible
		if e.Status == Pending {
			l.ledger.pending = append(l.ledger.pending, e.Number)
		}
		l.ledger.foreign += bit(e.Foreign)
		l.ledger.freed += bit(free(e))
		l.model.queries = append(l.model.queries, e.Query)
		l.ledger.enter(e.X)
		if e.Status.Valued() {
			l.ledger.compare(e)
		}
	}
	return nil
}

func (l *Loop) adoptQueues(*extract) error {
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

func (l *Loop) adoptWorkers(*extract) error {
	workers := l.ledger.workers
	for i, w := range workers {
		if w.slots < 1 || w.slots > MaxSlots || i > 0 && w.id <= workers[i-1].id || i == MaxWorkers {
			return fmt.Errorf("worker %d with %d slots, want ascending numbers and 1 … %d", w.id, w.slots, MaxSlots)
		}
		l.ledger.idle += w.slots
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
	return nil
}

// occupied takes a slot of a worker for an attempt at an evaluation.
func (l *Loop) occupied(id, evaluation int) error {
	w := l.ledger.worker(id)
	if w == nil || w.busy == w.slots {
		return fmt.Errorf("evaluation %d has a slot that worker %d does not have", evaluation, id)
	}
	w.busy++
	l.ledger.idle--
	return nil
}

// adoptAnswers builds the history and the buffer. A buffer has nothing that its evaluations do not tell, but for one thing:
// whether a late answer had been given up before.
func (l *Loop) adoptAnswers(x *extract) error {
	b := &l.model.buffer
	barred := make([]bool, len(l.ledger.evaluations))
	for _, number := range x.barred {
		e := l.ledger.get(number)
		if e == nil || e.Status != Late || !b.Window.Strict {
			return fmt.Errorf("answer %d cannot be barred", number)
		}
		barred[number-1] = true
	}
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		b.Open(e.Number, e.Round, e.At)
		switch {
		case rules[e.Status].fails:
			if b.Fail(e.Number); e.Status == Infeasible {
				b.Forbid(e.Number)
			}
		case rules[e.Status].free, e.Status == Late && (barred[i] || !b.Window.Strict):
			b.Remove(e.Number)
		}
	}
	l.ledger.history = slices.Grow(l.ledger.history, len(x.history))
	for _, number := range x.history {
		e := l.ledger.get(number)
		if e == nil || !e.Status.Valued() || e.Seen < 1 || b.Usable(number, feedback.Ignore) {
			return fmt.Errorf("answer %d has no value, or comes twice", number)
		}
		a := l.answered(number)
		if late := b.Reveal(number, a.Value, e.Seen, e.Ended); late != a.Late {
			return fmt.Errorf("answer %d is late: %v, want %v", number, a.Late, late)
		}
		l.ledger.history = append(l.ledger.history, a)
	}
	return nil
}

// answered is the answer of an evaluation with a value, as the history has it.
func (l *Loop) answered(number int) policies.Answer {
	e := l.ledger.get(number)
	return policies.Answer{Query: e.Query, Forecast: e.Forecast, Seen: e.Seen, Value: l.config.Sense().Sign() * e.Value, Late: e.Status == Late}
}

func (l *Loop) adoptPriors(x *extract) error {
	m := &l.model
	initial := m.prior
	m.next = nil
	var err error
	if m.learned, err = x.prior.in(l.config, initial); err != nil {
		return err
	}
	if x.next != nil {
		next, err := x.next.in(l.config, initial)
		if err != nil {
			return err
		}
		m.next = &next
	}
	u := m.units
	if !outcome.Finite(u.Warp.Top, u.Warp.Scale, u.Shift, u.Scale, u.Censored, u.Failed) || u.Scale <= 0 || u.Warp.Scale < 0 || !(m.floor > math.Inf(-1)) {
		return fmt.Errorf("units %+v, floor %v", u, m.floor)
	}
	return nil
}

func (l *Loop) adoptRows(*extract) error {
	m := &l.model
	for _, t := range [...]top{m.greatest, m.best} {
		if t.number != 0 && l.ledger.get(t.number) == nil || !outcome.Finite(t.value) {
			return fmt.Errorf("greatest value %+v of %d evaluations", t, len(l.ledger.evaluations))
		}
	}
	r := &m.rows
	if !l.among(m.changed) || !l.among(r.base) || !ascends(r.base) || r.generation < 0 {
		return fmt.Errorf("rows %v, changed %v, want evaluations", r.base, m.changed)
	}
	r.now = slices.Clone(r.base)
	for _, number := range r.base {
		r.mark(number, true)
	}
	for _, e := range r.edits {
		switch {
		case e.number == 0 && e.row >= 0 && e.row < len(r.now):
			r.mark(r.now[e.row], false)
			r.now = slices.Delete(r.now, e.row, e.row+1)
		case l.ledger.get(e.number) != nil && e.row == 0 && !r.has(e.number):
			r.now = append(r.now, e.number)
			r.mark(e.number, true)
		default:
			return fmt.Errorf("edit %+v of %d rows", e, len(r.now))
		}
	}
	if least := -bit(l.config.Traits.Draws && l.config.poolsContext()); r.filled < least || r.filled > len(r.edits) {
		return fmt.Errorf("pool filled after %d of %d edits", r.filled, len(r.edits))
	}
	return nil
}

// adoptMarks looks at what is said of the rows, and of failures without one.
func (l *Loop) adoptMarks(*extract) error {
	m := &l.model
	r := &m.rows
	for _, marked := range [...][]int{m.unanswered, m.failed, m.hopeless} {
		if !ascends(marked) || len(marked) > 0 && (marked[0] < 0 || marked[len(marked)-1] >= len(r.now)) {
			return fmt.Errorf("marked rows %v of %d, want ascending ones", marked, len(r.now))
		}
	}
	odd := func(number int) bool { return r.has(number) || l.ledger.get(number).Status == Pending }
	if !l.among(m.spared) || !ascends(m.spared) || len(m.spared) > maxSpared || slices.ContainsFunc(m.spared, odd) ||
		m.suspects < 0 || m.suspects > len(l.ledger.evaluations) {
		return fmt.Errorf("failures %v without a row, %d with one", m.spared, m.suspects)
	}
	for _, row := range m.failed {
		if _, both := slices.BinarySearch(m.unanswered, row); both {
			return fmt.Errorf("row %d failed and has no answer yet", row)
		}
	}
	for _, row := range m.hopeless {
		if _, some := slices.BinarySearch(m.failed, row); !some {
			return fmt.Errorf("row %d is hopeless and did not fail", row)
		}
	}
	return nil
}

// adoptFits builds the effect of an open fit. The hyperparameters that it starts from are the latest: none are adopted
// while it is open.
func (l *Loop) adoptFits(*extract) error {
	f := &l.model.fits
	if f.open != 0 && (f.open != f.started || f.open < 0) {
		return fmt.Errorf("fit %d of %d is open", f.open, f.started)
	}
	if f.open == 0 {
		return nil
	}
	if len(f.effect.X) != len(f.effect.Y) || !outcome.Finite(f.effect.Y...) {
		return fmt.Errorf("fit of %d points and %d values, want as many of them, and finite", len(f.effect.X), len(f.effect.Y))
	}
	for _, x := range f.effect.X {
		if err := l.config.Space.ContainsUnit(x); err != nil {
			return err
		}
	}
	f.effect.ID, f.effect.Start, f.effect.Seed = f.open, l.model.latest().prior, l.config.Seed
	f.effect.Options, f.effect.Kernels = fitOptions(l.config.Space), l.config.kernels()
	return nil
}
