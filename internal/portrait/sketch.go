package portrait

import (
	"cmp"
	"regexp"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/loop"
)

// Sketch is what is remembered of a study between two portraits, so that one which goes on is not read from its beginning each time: 32
// bytes for each evaluation, and the sums. It is for one goroutine at a time; the zero value is not one.
type Sketch struct {
	seq        uint64  // of the last event that was followed
	marks      []mark  // by number
	pending    []int   // numbers, ascending
	spent      float64 // what the answers said that they cost, in all
	touched    map[int]bool
	counts     []int // by status
	foreign    int   // measured elsewhere
	incumbents []Step
	reasons    []reason
	known      map[string]int32 // index of each reason, from 1
	workers    map[int]*Worker
}

// mark is what an evaluation was when it was last read.
type mark struct {
	changed  uint64 // the event after which it was read as it is
	status   loop.Status
	worker   int32
	reason   int32 // index, from 1; 0 without one
	running  bool
	measured bool
}

// reason is why attempts failed.
type reason struct {
	text string
	n    int
}

// Bounds of what is remembered.
const (
	maxReasons = 1000 // different ones; further ones are others
	maxWorkers = 1000
)

// others is the reason of failures with more reasons than are told apart.
const others = "other reasons"

// NewSketch returns a sketch of nothing.
func NewSketch() *Sketch {
	return &Sketch{touched: map[int]bool{}, counts: make([]int, len(loop.Statuses())), known: map[string]int32{}, workers: map[int]*Worker{}}
}

// Touch says that an event was about an evaluation, which may have an outcome already. Evaluations that are new or pend are looked
// at in any case.
func (k *Sketch) Touch(number int) { k.touched[number] = true }

// Follow reads what has changed since it was called before: cost O(p) for the pending evaluations and those that are new or touched, and
// O(n log n) the first time.
func (k *Sketch) Follow(l *loop.Loop) {
	seq, _ := l.Now()
	if seq == k.seq && len(k.touched) == 0 {
		return
	}
	all := l.Evaluations()
	numbers := slices.Clone(k.pending)
	for number := range k.touched {
		if number >= 1 && number <= len(k.marks) {
			numbers = append(numbers, number)
		}
	}
	clear(k.touched)
	for number := len(k.marks) + 1; number <= len(all); number++ {
		numbers = append(numbers, number)
	}
	k.marks = append(k.marks, make([]mark, len(all)-len(k.marks))...)
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	k.pending = k.pending[:0]
	k.seq = seq
	var came []*loop.Evaluation
	for _, number := range numbers {
		e := &all[number-1]
		if e.Status == loop.Pending {
			k.pending = append(k.pending, number)
		}
		if k.read(e) && e.Counts() {
			came = append(came, e)
		}
	}
	k.improve(l, came)
}

// read takes an evaluation as it is, in place of what it was, and reports whether its outcome is new.
func (k *Sketch) read(e *loop.Evaluation) bool {
	m := &k.marks[e.Number-1]
	first, was := m.changed == 0, *m
	if !first {
		k.counts[was.status]--
	} else if e.Foreign {
		k.foreign++
	}
	k.counts[e.Status]++
	if e.Measured && !was.measured { // a point may have been infeasible before
		k.spent += e.Cost
	}
	*m = mark{k.seq, e.Status, int32(e.Worker), k.failed(e, was.reason), e.Running, e.Measured}
	k.worked(e, first, was)
	return first || was.status != e.Status
}

// violated is the reason of an evaluation that violates a constraint: with another number each time, and one reason all the same.
var violated = regexp.MustCompile(`^(.+) is \S+: want `)

// failed counts the reason of an evaluation that has no value, and returns its index.
func (k *Sketch) failed(e *loop.Evaluation, was int32) int32 {
	if was > 0 {
		k.reasons[was-1].n--
	}
	text := Short(firstLine(e.Reason), maxReason)
	if text == "" || e.Status.Valued() || e.Status == loop.Stopped { // it ended early, and has not failed
		return 0
	}
	if e.Status == loop.Infeasible {
		text = violated.ReplaceAllString(text, "$1: want ")
	}
	index, there := k.known[text]
	if !there {
		if len(k.reasons) >= maxReasons {
			text = others
			index = k.known[text]
		}
		if index == 0 {
			k.reasons = append(k.reasons, reason{text: text})
			index = int32(len(k.reasons))
			k.known[text] = index
		}
	}
	k.reasons[index-1].n++
	return index
}

// worked counts an evaluation for the worker of its latest attempt.
func (k *Sketch) worked(e *loop.Evaluation, first bool, was mark) {
	if e.Attempt == 0 {
		return
	}
	if !first && was.worker > 0 {
		if w := k.workers[int(was.worker)]; w != nil {
			w.Evaluations--
		}
	}
	w := k.workers[e.Worker]
	if w == nil {
		if len(k.workers) >= maxWorkers {
			return
		}
		w = &Worker{ID: e.Worker}
		k.workers[e.Worker] = w
	}
	w.Evaluations++
	w.LastSeen = max(w.LastSeen, seconds(e.Dispatched), seconds(e.Ended))
}

// maxRunning bounds how many evaluations of a worker are named.
const maxRunning = 20

// improve appends the evaluations that were the best when their values came.
func (k *Sketch) improve(l *loop.Loop, came []*loop.Evaluation) {
	slices.SortStableFunc(came, func(a, b *loop.Evaluation) int { return cmp.Compare(a.Ended, b.Ended) })
	sense := l.Config().Sense()
	for _, e := range came {
		if n := len(k.incumbents); n == 0 || sense.Better(e.Value, k.incumbents[n-1].Value) {
			k.incumbents = append(k.incumbents, Step{e.Number, seconds(e.Ended), e.Value})
		}
	}
}

// cost is what all evaluations cost, as CostOfAll says. Cost O(n) with a fidelity or a budget in cost, and O(1) elsewhere.
func (k *Sketch) cost(l *loop.Loop) float64 {
	c := l.Config()
	if _, has := c.Space.Fidelity(); has || c.BudgetCost > 0 {
		return l.Cost()
	}
	return k.spent
}

// best returns the number of the best evaluation, 0 before the first value.
func (k *Sketch) best() int {
	if len(k.incumbents) == 0 {
		return 0
	}
	return k.incumbents[len(k.incumbents)-1].Evaluation
}

// elapsed is the time of the study for ages: not before its last event.
func (s Study) elapsed() time.Duration {
	_, last := s.Loop.Now()
	return max(s.Elapsed, last)
}
