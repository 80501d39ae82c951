package actors

import (
	"sync"
	"time"

	"github.com/tarry-bo/tarry/loop"
)

// tally is how a study stands, kept from its notices for whoever asks, from any goroutine.
type tally struct {
	mutex   sync.Mutex
	closed  bool
	at      time.Duration // of the last event
	read    time.Time     // when it was read
	counted []counted     // by number
	stands  standing      // but for the ages
}

// counted is an evaluation as it was counted last.
type counted struct {
	status     loop.Status
	measured   bool
	dispatched time.Duration // first dispatch; negative before
}

// standing is what is asked for.
type standing struct {
	states       [loop.Stopped + 1]int
	best         float64 // in the user's units
	valued       bool    // whether there is a best value
	costs        bool    // whether anything says what evaluations cost
	cost         float64
	budgetCost   float64 // 0: none
	safety       *loop.Safety
	oldest, mean float64 // time since pending evaluations were first dispatched, in seconds; 0 without any
}

// take counts what a notice changed, given the evaluations as they are after it, and reports whether its own evaluation
// got a value. Others change by effects of the event, when attempts vanish, and when the study ends.
func (t *tally) take(n Notice, evaluations []loop.Evaluation) (valued bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.at, t.read = n.At, time.Now()
	t.stands.safety = n.Safety
	t.stands.costs, t.stands.cost, t.stands.budgetCost = n.Costs, n.Cost, n.BudgetCost
	for range evaluations[len(t.counted):] {
		t.counted = append(t.counted, counted{loop.Pending, false, -1})
		t.stands.states[loop.Pending]++
		t.count(&evaluations[len(t.counted)-1]) // it may come from elsewhere, or with the journal of a study that is resumed
	}
	if k := n.Evaluation.Number; k > 0 {
		valued = !t.counted[k-1].measured && n.Evaluation.Measured // also of a point that is infeasible
		t.count(&n.Evaluation)
	}
	all := n.Reaction.Vanished > 0
	for _, effect := range n.Reaction.Effects {
		switch e := effect.(type) {
		case loop.Dispatch:
			t.count(&evaluations[e.Evaluation-1])
		case loop.Cancel:
			t.count(&evaluations[e.Evaluation-1])
		case loop.Finish:
			all = true
		}
	}
	if all {
		for k := range evaluations {
			t.count(&evaluations[k])
		}
	}
	if n.Incumbent.Number > 0 {
		t.stands.best, t.stands.valued = n.Incumbent.Value, true
	}
	return valued
}

func (t *tally) count(e *loop.Evaluation) {
	c := &t.counted[e.Number-1]
	t.stands.states[c.status]--
	t.stands.states[e.Status]++
	c.status, c.measured = e.Status, e.Measured
	if e.Attempt > 0 {
		c.dispatched = e.Dispatched
	}
}

// standing returns how the study stands, or false after close. Cost O(n) for n evaluations.
func (t *tally) standing() (s standing, open bool) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	s = t.stands
	now, n := t.at+time.Since(t.read), 0
	for _, c := range t.counted {
		if c.status == loop.Pending && c.dispatched >= 0 {
			age := (now - c.dispatched).Seconds()
			n++
			s.mean += age
			s.oldest = max(s.oldest, age)
		}
	}
	s.mean /= float64(max(n, 1))
	return s, !t.closed
}

// close reports whether the tally was open.
func (t *tally) close() bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	open := !t.closed
	t.closed = true
	return open
}
