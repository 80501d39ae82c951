package loop

import (
	"cmp"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/internal/survival"
	"github.com/tarry-bo/tarry/policies"
)

// worker is a source of slots. It may be busy with more than it has, where it had more before.
type worker struct{ id, slots, busy int }

// idle is how many slots are free.
func (w worker) idle() int { return max(w.slots-w.busy, 0) }

// tenure is an attempt that keeps a slot of its worker though nobody waits for it: it has not returned.
type tenure struct{ worker, evaluation, attempt int }

// ledger is every evaluation and every worker.
type ledger struct {
	evaluations []Evaluation
	queries     []policies.Query // of the evaluations; entries never change
	sites       sites
	history     []policies.Answer // in order of (first round that sees it, number)
	shown       int               // leading entries of the history that a view shares
	pending     []int             // numbers, ascending
	lent        bool              // whether a view shares them: then they are only appended to
	ready       []int             // numbers of pending evaluations that wait for a slot, first in, first out
	deadlines   []expiry          // of attempts, ascending; those that are over already are skipped
	leases      []expiry          // the same for leases
	foreign     int               // evaluations that were measured elsewhere
	freed       int               // evaluations whose budget came back
	reporting   int               // evaluations that reported anything
	workers     []worker          // ascending id
	overdue     []tenure          // in the order in which they were cancelled
	idle        int               // free slots of all workers
	delays      survival.History  // how long answers took, and how long those were awaited that did not come, as at the mean of all points
	pace        survival.Pace     // how that depends on the point
	paced       int               // waits that had ended when the pace was looked for last
	forgotten   int               // pending evaluations that the model has left out
	agreed      []int             // ascending: for each value at a point that had one, the number of the first evaluation there
	differ      bool              // whether some point has two values that differ
	pairs       int               // measured evaluations at points that had one
	scatter     bool              // whether some point has two margins of a constraint with a name that differ
}

// expiry is when an attempt is given up.
type expiry struct {
	at                  time.Duration
	evaluation, attempt int
}

// nextDeadline returns the earliest deadline of an attempt that may still answer, false without any. Deadlines come in
// order, since time does not go back and every attempt has the same time.
func (l *ledger) nextDeadline() (expiry, bool) {
	for len(l.deadlines) > 0 {
		d := l.deadlines[0]
		if e := l.get(d.evaluation); e.Running && e.Attempt == d.attempt {
			return d, true
		}
		l.deadlines = l.deadlines[1:]
	}
	return expiry{}, false
}

// nextLease returns the earliest end of a lease that was not renewed. They come in order, since each begins now and lasts
// as long as the others.
func (l *ledger) nextLease() (expiry, bool) {
	for len(l.leases) > 0 {
		d := l.leases[0]
		if e := l.get(d.evaluation); e.Running && e.Attempt == d.attempt && e.Lease == d.at {
			return d, true
		}
		l.leases = l.leases[1:]
	}
	return expiry{}, false
}

// lease gives the answer of an attempt until then.
func (l *ledger) lease(e *Evaluation, until time.Duration) {
	e.Lease = until
	l.leases = append(l.leases, expiry{until, e.Number, e.Attempt})
}

// spent is how much of the budget is used: evaluations that were lost or cancelled cost nothing, up to as many as the
// budget, and those measured elsewhere neither.
func (l *ledger) spent(budget int) int {
	return len(l.evaluations) - l.foreign - min(l.freed, budget)
}

func (l *ledger) get(number int) *Evaluation {
	if number < 1 || number > len(l.evaluations) {
		return nil
	}
	return &l.evaluations[number-1]
}

// open adds an evaluation and queues it for a slot.
func (l *ledger) open(q policies.Query, f *policies.Forecast) {
	l.evaluations = append(roomy(l.evaluations), Evaluation{Query: q, Forecast: f})
	l.queries = append(roomy(l.queries), q)
	l.enter(q.X)
	l.pending = append(l.pending, q.Number)
	l.ready = append(l.ready, q.Number)
}

// settle ends an evaluation with a status and takes it off the lists of the pending.
func (l *ledger) settle(e *Evaluation, s Status, at time.Duration) {
	if e.Status == Pending {
		if i, ok := slices.BinarySearch(l.pending, e.Number); ok {
			if l.lent {
				l.pending, l.lent = slices.Clone(l.pending), false
			}
			l.pending = slices.Delete(l.pending, i, i+1)
		}
		if i := slices.Index(l.ready, e.Number); i >= 0 {
			l.ready = slices.Delete(l.ready, i, i+1)
		}
	}
	l.release(e)
	if free(e) {
		l.freed--
	}
	l.forgotten -= bit(e.Forgotten)
	e.Running, e.Deadline, e.Lease = false, 0, 0
	e.become(s, at)
	if free(e) {
		l.freed++
	}
}

// free reports whether an evaluation gives its budget back.
func free(e *Evaluation) bool { return !e.Foreign && rules[e.Status].free }

// level reports whether the value is the first that differs, of several that were the same: what was learned of these is of no use. Cost O(k) for k
// values that were the same at first.
func (l *ledger) level(value float64) bool {
	if len(l.history) < 2 || l.history[0].Value == value {
		return false
	}
	return !slices.ContainsFunc(l.history, func(a policies.Answer) bool { return a.Value != l.history[0].Value })
}

// record appends an answer to the history. Answers between the same two selections are kept by number, and what an
// older view of the history sees never changes: an insertion among what is shown makes a new slice.
func (l *ledger) record(a policies.Answer) {
	at := len(l.history)
	for at > 0 && l.history[at-1].Seen == a.Seen && l.history[at-1].Query.Number > a.Query.Number {
		at--
	}
	if at == len(l.history) {
		l.history = append(roomy(l.history), a)
		return
	}
	if at < l.shown {
		l.history = slices.Clip(l.history)
	}
	l.history = slices.Insert(l.history, at, a)
}

// roomy returns a slice with room for one more. It doubles where there is none: append lets a long slice grow by a quarter, and
// so copies each element four times.
func roomy[T any](s []T) []T {
	if len(s) == cap(s) {
		return slices.Grow(s, len(s)+1)
	}
	return s
}

// lend returns the pending evaluations for a view.
func (l *ledger) lend() []int {
	l.lent = true
	return l.pending[:len(l.pending):len(l.pending)]
}

// show returns the history for a view.
func (l *ledger) show() []policies.Answer {
	l.shown = len(l.history)
	return l.history[:l.shown:l.shown]
}

func byID(w worker, id int) int { return cmp.Compare(w.id, id) }

func (l *ledger) worker(id int) *worker {
	i, ok := slices.BinarySearchFunc(l.workers, id, byID)
	if !ok {
		return nil
	}
	return &l.workers[i]
}

// join adds a worker, or slots to one that is there.
func (l *ledger) join(id, slots int) {
	i, ok := slices.BinarySearchFunc(l.workers, id, byID)
	if !ok {
		l.workers = slices.Insert(l.workers, i, worker{id: id})
	}
	w := &l.workers[i]
	l.resize(w, w.slots+min(slots, MaxSlots-w.slots))
}

// resize gives a worker so many slots.
func (l *ledger) resize(w *worker, slots int) {
	l.idle -= w.idle()
	w.slots = slots
	l.idle += w.idle()
}

// vacate frees a slot of a worker, or brings it nearer to what it may be busy with.
func (l *ledger) vacate(w *worker) {
	l.idle -= w.idle()
	w.busy--
	l.idle += w.idle()
}

// slots is how many all workers have.
func (l *ledger) slots() (n int) {
	for _, w := range l.workers {
		n += w.slots
	}
	return n
}

// leave removes a worker.
func (l *ledger) leave(id int) {
	if i, ok := slices.BinarySearchFunc(l.workers, id, byID); ok {
		l.idle -= l.workers[i].idle()
		l.workers = slices.Delete(l.workers, i, i+1)
		l.overdue = slices.DeleteFunc(l.overdue, func(t tenure) bool { return t.worker == id })
	}
}

// retire takes a free slot away from a worker, and the worker with its last one.
func (l *ledger) retire(id int) {
	w := l.worker(id)
	if w == nil || w.idle() == 0 {
		return
	}
	l.resize(w, w.slots-1)
	if w.slots == 0 {
		l.leave(id)
	}
}

// free returns the worker with a free slot and the smallest id, nil when all are busy.
func (l *ledger) free() *worker {
	if l.idle == 0 {
		return nil
	}
	for i := range l.workers {
		if w := &l.workers[i]; w.idle() > 0 {
			return w
		}
	}
	return nil
}

// occupy gives e a slot of w.
func (l *ledger) occupy(e *Evaluation, w *worker) {
	e.Worker, e.Running, e.Holds = w.id, true, true
	w.busy++
	l.idle--
}

// keep takes the slot of e away from it, and leaves it busy until the attempt has returned.
func (l *ledger) keep(e *Evaluation) {
	if l.worker(e.Worker) != nil && e.Holds {
		e.Holds = false
		l.overdue = append(l.overdue, tenure{e.Worker, e.Number, e.Attempt})
	}
}

// kept returns where an attempt is among those that are overdue, −1 where it is not.
func (l *ledger) kept(evaluation, attempt int) int {
	return slices.IndexFunc(l.overdue, func(t tenure) bool { return t.evaluation == evaluation && t.attempt == attempt })
}

// returned frees the slot of an attempt that is overdue, and reports whether it was.
func (l *ledger) returned(evaluation, attempt int) bool {
	i := l.kept(evaluation, attempt)
	if i < 0 {
		return false
	}
	l.vacate(l.worker(l.overdue[i].worker))
	l.overdue = slices.Delete(l.overdue, i, i+1)
	return true
}

// release gives the slot of e back, if it holds one.
func (l *ledger) release(e *Evaluation) {
	if !e.Holds {
		return
	}
	e.Holds = false
	if w := l.worker(e.Worker); w != nil {
		l.vacate(w)
	}
}
