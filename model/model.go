package model

import (
	"math"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/surrogate"
)

// Model keeps the beliefs a function of what happened. What belongs to the state of a study is brought up to date by Sync,
// once for each ask; the algebra follows where the ask is thought about, so that it holds no event up, and a replay does it
// once, at the end. Build it with New. It is not safe for concurrent use; a Task is, beside it.
type Model struct {
	config  Config
	points  [][]float64 // of every query, by number: unit cube; entries never change
	outputs []output
	beliefs []belief
	fits    fits
}

// output is something that is measured: its values, and what is believed of it however pending queries are seen.
type output struct {
	spec   Spec
	buffer buffer.Buffer
	floor  float64          // the worst value known or assumed so far, in the maximization sense; +Inf before any
	prior  surrogate.Prior  // as of the last Sync
	next   *surrogate.Prior // adopted since; nil when none was
	size   int              // answers that the last fit saw
	urged  bool             // the noise had to be raised: one fit beyond the schedule was asked for
}

// Top is the greatest value so far.
type Top struct {
	Number int // of its query, the first of equals; 0 before the first
	Seen   int // first round that sees it
	Value  float64
}

// New returns the model of a study in which nothing has happened.
func New(c Config) *Model {
	m := &Model{config: c, outputs: make([]output, len(c.Outputs)), beliefs: make([]belief, len(c.Beliefs))}
	for i, spec := range c.Outputs {
		m.outputs[i] = output{spec: spec, buffer: buffer.Buffer{Window: c.Window}, floor: math.Inf(1), prior: spec.Prior, next: &spec.Prior}
		if spec.Floor != nil {
			m.outputs[i].floor = *spec.Floor
		}
	}
	for i, want := range c.Beliefs {
		m.beliefs[i] = newBelief(want)
	}
	return m
}

// Len returns the number of queries.
func (m *Model) Len() int { return len(m.points) }

// Open adds a query at x, which must not change, chosen in a round at a time: it enters the beliefs at the next Sync. Numbers
// are consecutive from 1.
func (m *Model) Open(number, round int, at time.Duration, x []float64) {
	if len(m.points) == cap(m.points) {
		m.points = slices.Grow(m.points, len(m.points)+1) // append would let it grow by a quarter, and copy each four times
	}
	m.points = append(m.points, x)
	for i := range m.outputs {
		m.outputs[i].buffer.Open(number, round, at)
	}
	m.touch(number)
}

// touch notes that the row or a target of a query may have changed.
func (m *Model) touch(number int) {
	if m.config.Blind {
		return
	}
	for i := range m.beliefs {
		m.beliefs[i].changed = append(m.beliefs[i].changed, number)
	}
}

// Remove takes a query without an answer out of the beliefs at the next Sync: it was lost or cancelled.
func (m *Model) Remove(number int) {
	for i := range m.outputs {
		if b := &m.outputs[i].buffer; !b.Revealed(number) {
			b.Remove(number)
		}
	}
	m.touch(number)
}

// Fail gives a query a bad value from the next Sync on, so that what crashes is not proposed again and again; one that is
// hopeless is never forgiven.
func (m *Model) Fail(number int, hopeless bool) {
	for i := range m.outputs {
		switch b := &m.outputs[i].buffer; {
		case b.Revealed(number):
		case hopeless:
			b.Forbid(number)
		default:
			b.Fail(number)
		}
	}
	m.touch(number)
}

// Reveal records the value of an output at a query, in the maximization sense, which the selection of a round can see, and
// reports whether it is late.
func (m *Model) Reveal(of Output, number int, value float64, round int, at time.Duration) (late bool) {
	b := &m.outputs[of].buffer
	late = b.Reveal(number, value, round, at)
	m.touch(number)
	for i := range m.beliefs {
		if belief := &m.beliefs[i]; belief.want.Output == of && b.Usable(number, belief.want.Pending) {
			belief.greatest.meet(Top{number, round, value})
		}
	}
	return late
}

// meet keeps the greater of two values, the earlier of equals.
func (t *Top) meet(other Top) {
	earlier := other.Seen < t.Seen || other.Seen == t.Seen && other.Number < t.Number
	if t.Number == 0 || other.Value > t.Value || other.Value == t.Value && earlier {
		*t = other
	}
}

// Answers returns what has come of an output, and what has not. Read only.
func (m *Model) Answers(of Output) *buffer.Buffer { return &m.outputs[of].buffer }

// Noise returns the variance of the noise of an output, in its units, as of the latest hyperparameters.
func (m *Model) Noise(of Output) float64 { return m.outputs[of].latest().Noise }

// latest is the prior that holds from the next Sync on.
func (o *output) latest() surrogate.Prior {
	if o.next != nil {
		return *o.next
	}
	return o.prior
}

// Sync brings rows, targets and units of every belief up to what has happened. Cost for each O(n), that of members where the
// rows are chosen anew, or O(1) for a policy that looks at no model.
func (m *Model) Sync() {
	for i := range m.beliefs {
		m.beliefs[i].best = m.beliefs[i].greatest
	}
	if m.config.Blind {
		return
	}
	for i := range m.outputs {
		o := &m.outputs[i]
		learned := o.next != nil
		if learned {
			o.prior, o.next = *o.next, nil
		}
		for k := range m.beliefs {
			if int(m.beliefs[k].want.Output) == i {
				m.of(k).sync(learned)
			}
		}
	}
}
