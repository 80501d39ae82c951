package model

import (
	"math"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/space"
)

// Model keeps the beliefs a function of what happened. What belongs to the state of a study is brought up to date by Sync,
// once for each ask; the algebra follows where the ask is thought about, so that it holds no event up, and a replay does it
// once, at the end. Build it with New. It is not safe for concurrent use; a Task is, beside it.
type Model struct {
	config  Config
	points  []space.Unit // of every query, by number: unit cube; entries never change
	outputs []output
	beliefs []belief
	weights []Weight // of queries that may never be answered, ascending by number
	fits    fits
	lessons []lesson // what outlooks have learned, by output
}

// output is something that is measured: its values, and what is believed of it however pending queries are seen.
type output struct {
	spec    Spec
	buffer  buffer.Buffer
	floor   float64  // the worst value known or assumed so far, in the maximization sense; +Inf before any
	learned          // as of the last Sync
	next    *learned // adopted since; nil when none was
	size    int      // answers that the last fit saw
	urged   bool     // the noise had to be raised: one fit beyond the schedule was asked for

	startled bool // a value came that what was learned rules out, and nothing has been learned since
	since    int  // queries that were chosen before what was learned of the last such value held

	variances []float64 // what is known of the noise of each value, by number less one; nil where nothing is known of any
	interims  []Interim // what reports say of values that are to come, ascending by number
}

// Top is the greatest value so far.
type Top struct {
	Number int // of its query, the first of equals; 0 before the first
	Seen   int // first round that sees it
	Value  float64
}

// New returns the model of a study in which nothing has happened.
func New(c Config) *Model {
	m := &Model{config: c, outputs: make([]output, len(c.Outputs)), beliefs: make([]belief, len(c.Beliefs)), lessons: make([]lesson, len(c.Outputs))}
	for i, spec := range c.Outputs {
		spec = spec.over().withMembers(c)
		first := spec.first(c)
		m.outputs[i] = output{spec: spec, buffer: buffer.Buffer{Window: c.Window}, floor: math.Inf(1), learned: first, next: &first}
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
func (m *Model) Open(number, round int, at time.Duration, x space.Unit) {
	if len(m.points) == cap(m.points) {
		m.points = slices.Grow(m.points, len(m.points)+1) // append would let it grow by a quarter, and copy each four times
	}
	m.points = append(m.points, x)
	for i := range m.outputs {
		o := &m.outputs[i]
		o.buffer.Open(number, round, at)
		if o.variances != nil {
			o.variances = append(o.variances, 0)
		}
		m.touch(Output(i), number)
	}
}

// touch notes that the row or the target of a query may have changed in the beliefs about an output.
func (m *Model) touch(of Output, number int) {
	if m.config.Blind {
		return
	}
	for i := range m.beliefs {
		if b := &m.beliefs[i]; b.want.Output == of {
			b.changed = append(b.changed, number)
		}
	}
}

// Remove takes a query out of the beliefs about the outputs that have no value of it, at the next Sync: it was lost or cancelled,
// or not all outputs were measured.
func (m *Model) Remove(number int) {
	for i := range m.outputs {
		if b := &m.outputs[i].buffer; !b.Revealed(number) {
			b.Remove(number)
			m.touch(Output(i), number)
		}
	}
}

// Return takes a query that was removed and has no value back into the beliefs at the next Sync: its answer is awaited after all.
func (m *Model) Return(number int) {
	for i := range m.outputs {
		if b := &m.outputs[i].buffer; !b.Revealed(number) {
			b.Return(number)
			m.touch(Output(i), number)
		}
	}
}

// Fail gives a query a bad value from the next Sync on in every output that has none of it, so that what crashes is not proposed
// again and again, or none where Config.Blank is set; one that is hopeless is never forgiven.
func (m *Model) Fail(number int, hopeless bool) {
	for i := range m.outputs {
		b := &m.outputs[i].buffer
		if b.Revealed(number) {
			continue
		}
		if hopeless {
			b.Forbid(number)
		} else {
			b.Fail(number)
		}
		m.touch(Output(i), number)
	}
}

// Measurement is a value of an output.
type Measurement struct {
	Value    float64 // in the maximization sense
	Variance float64 // of its noise as far as that is known of this value, besides that which is learned; 0 where nothing is known
	Barred   bool    // it is never the greatest, since its point violates a constraint
}

// Reveal records the value of an output at a query, which the selection of a round can see, and reports whether it is late. A
// variance that is none is a bug and panics, as a value that is not finite does.
func (m *Model) Reveal(of Output, number int, what Measurement, round int, at time.Duration) (late bool) {
	if !(what.Variance >= 0) || math.IsInf(what.Variance, 0) {
		panic("model: Reveal: variance is none")
	}
	o, b := &m.outputs[of], &m.outputs[of].buffer
	value := what.Value
	late = b.Reveal(number, value, round, at)
	if what.Variance > 0 {
		if o.variances == nil {
			o.variances = make([]float64, len(m.points))
		}
		o.variances[number-1] = what.Variance
	}
	m.touch(of, number)
	for i := range m.beliefs {
		if belief := &m.beliefs[i]; belief.want.Output == of && !what.Barred && b.Usable(number, belief.want.Pending) {
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
func (m *Model) Noise(of Output) float64 { return m.outputs[of].latest().prior.Noise }

// NoiseDoubtful reports whether an output may have no noise, although some was learned; see Hyper.Doubtful.
func (m *Model) NoiseDoubtful(of Output) bool { return m.outputs[of].latest().doubtful }

// latest is what was learned and holds from the next Sync on.
func (o *output) latest() learned {
	if o.next != nil {
		return *o.next
	}
	return o.learned
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
		renewed := o.next != nil
		if renewed {
			o.learned, o.next = *o.next, nil
			if o.startled {
				o.startled, o.since = false, len(m.points)
			}
		}
		for k := range m.beliefs {
			if int(m.beliefs[k].want.Output) == i {
				m.of(k).sync(renewed)
			}
		}
	}
}
