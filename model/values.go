package model

import (
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
)

// What was measured reaches a belief in this file and nowhere else, on two steps: values in the maximization sense, as they came, and
// the belief's units, in which its prior mean is zero. The place for an increasing map of the values of an output, such as a fit may
// choose, is between the two: values and target apply it, Belief and Outlook tell it to whoever maps back, and it belongs to the
// state of the output (see fields.go), from the Sync on that adopts the hyperparameters which were learned with it.

// values returns the values that the belief has seen and does not take for penalties, in order of entry. Cost O(n).
func (m sight) values() []float64 { return m.withoutPenalties(m.buffer.Values(m.want.Pending)) }

// target returns the target of a query in the belief's units, and whether that is settled; of a report for the number −k.
func (m sight) target(number int) (target float64, answered bool) {
	if number < 0 {
		in, _ := m.interim(-number)
		return m.near(-number, m.units.To(in.Value)), true
	}
	if m.penalized(number) || m.foretold(number) {
		return m.units.Failed, true
	}
	target, answered = m.buffer.Target(number, m.want.Pending, m.units)
	return m.near(number, target), answered
}

// measure returns the belief's units for the values seen so far, see measured. One that censors measures from the worst value, where its
// prior mean must lie; the others centre.
func (m sight) measure() feedback.Units {
	values := m.measured()
	switch {
	case m.spec.Known && m.spec.Floor != nil:
		return buffer.Identity(m.floor)
	case m.spec.Known:
		return buffer.Fails(buffer.Identity(0), values, true)
	case m.scale > 0:
		return buffer.Fails(feedback.Units{Shift: m.shift, Scale: m.scale}, values, false)
	case m.want.Pending != feedback.Censor && m.spec.Origin:
		return buffer.Fails(buffer.FromZero(values), values, false)
	case m.want.Pending != feedback.Censor:
		return buffer.Fails(buffer.Warped(values, buffer.WarpAt(values, m.bend())), values, false)
	}
	if m.spec.Floor == nil {
		if len(values) == 0 {
			return feedback.Units{Scale: 1}
		}
		m.floor = buffer.LowerBound(values, m.floor)
	}
	return buffer.Floored(values, m.floor, m.spec.Range)
}

// bend is the warp of the values: none where the noise of some is known, which would differ with every warp.
func (o *output) bend() feedback.Bend {
	if o.variances != nil {
		return feedback.Bend{}
	}
	return o.warp
}
