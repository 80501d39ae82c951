package loop

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/policies"
)

// Status is where an evaluation stands.
type Status int

// The statuses of an evaluation.
const (
	Pending   Status = iota // chosen, no outcome yet
	Observed                // its value came within the window
	Late                    // its value came after the window, or after it was given up
	Failed                  // its last attempt ended without a value
	TimedOut                // its last attempt took too long
	Lost                    // its attempts vanished with their workers
	Cancelled               // given up because the study ended
)

// String returns the name of the status.
func (s Status) String() string {
	names := [...]string{"pending", "observed", "late", "failed", "timed out", "lost", "cancelled"}
	if s < 0 || int(s) >= len(names) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return names[s]
}

// Valued reports whether an evaluation with this status has a value.
func (s Status) Valued() bool { return s == Observed || s == Late }

// Evaluation is the life of one query.
type Evaluation struct {
	policies.Query
	Forecast   *policies.Forecast
	Status     Status
	Attempt    int           // of the latest dispatch, from 1; 0 before the first
	Failures   int           // attempts that failed or timed out
	Vanished   int           // attempts lost with their workers
	Worker     int           // of the latest dispatch
	Running    bool          // whether the latest attempt may still answer
	Holds      bool          // whether it occupies a slot of Worker
	Deadline   time.Duration // of the running attempt; 0 means none
	Dispatched time.Duration // first dispatch
	Ended      time.Duration // when the status became what it is, unless Pending
	Seen       int           // first round whose selection can see the value; 0 without one
	Value      float64       // in the user's units and sense; 0 without one
	Reason     string        // of the last failure
}

// legal lists the statuses that may follow each status.
var legal = [...][]Status{
	Pending:   {Observed, Late, Failed, TimedOut, Lost, Cancelled},
	Observed:  {},
	Late:      {},
	Failed:    {Late},
	TimedOut:  {Late},
	Lost:      {Late},
	Cancelled: {Late},
}

// become changes the status; an illegal change is a bug.
func (e *Evaluation) become(s Status, at time.Duration) {
	if !slices.Contains(legal[e.Status], s) {
		panic(fmt.Sprintf("loop: evaluation %d cannot go from %v to %v", e.Number, e.Status, s))
	}
	e.Status, e.Ended = s, at
}

// worker is a source of slots.
type worker struct {
	id, slots, busy int
}

// ledger is every evaluation and every worker.
type ledger struct {
	evaluations []Evaluation
	history     []policies.Answer // in order of (first round that sees it, number)
	shown       int               // leading entries of the history that a view shares
	pending     []int             // numbers, ascending
	lent        bool              // whether a view shares them: then they are only appended to
	ready       []int             // numbers of pending evaluations that wait for a slot, first in, first out
	deadlines   []expiry          // of attempts, ascending; those that are over already are skipped
	workers     []worker          // ascending id
	idle        int               // free slots of all workers
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

func (l *ledger) get(number int) *Evaluation {
	if number < 1 || number > len(l.evaluations) {
		return nil
	}
	return &l.evaluations[number-1]
}

// open adds an evaluation and queues it for a slot.
func (l *ledger) open(q policies.Query, f *policies.Forecast) {
	l.evaluations = append(l.evaluations, Evaluation{Query: q, Forecast: f})
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
	e.Running, e.Deadline = false, 0
	e.become(s, at)
}

// record appends an answer to the history. Answers between the same two selections are kept by number, and what an
// older view of the history sees never changes: an insertion among what is shown makes a new slice.
func (l *ledger) record(a policies.Answer) {
	at := len(l.history)
	for at > 0 && l.history[at-1].Seen == a.Seen && l.history[at-1].Query.Number > a.Query.Number {
		at--
	}
	if at == len(l.history) {
		l.history = append(l.history, a)
		return
	}
	if at < l.shown {
		l.history = slices.Clip(l.history)
	}
	l.history = slices.Insert(l.history, at, a)
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
	slots = min(slots, MaxSlots-w.slots)
	w.slots += slots
	l.idle += slots
}

// leave removes a worker.
func (l *ledger) leave(id int) {
	if i, ok := slices.BinarySearchFunc(l.workers, id, byID); ok {
		l.idle -= l.workers[i].slots - l.workers[i].busy
		l.workers = slices.Delete(l.workers, i, i+1)
	}
}

// retire takes a free slot away from a worker, and the worker with its last one.
func (l *ledger) retire(id int) {
	w := l.worker(id)
	if w == nil || w.busy == w.slots {
		return
	}
	w.slots--
	l.idle--
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
		if w := &l.workers[i]; w.busy < w.slots {
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

// release gives the slot of e back, if it holds one.
func (l *ledger) release(e *Evaluation) {
	if !e.Holds {
		return
	}
	e.Holds = false
	if w := l.worker(e.Worker); w != nil {
		w.busy--
		l.idle++
	}
}
