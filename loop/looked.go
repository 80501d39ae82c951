package loop

import (
	"slices"

	"github.com/tarry-bo/tarry/model"
)

// looked is what was worked out since the last event for whoever wants to know how things stand, so that who asks twice pays once. It is no part of the
// state: the same events lead to the same whether anybody looks or not.
type looked struct {
	outlooks []look  // by belief, as far as they were asked for
	advice   *advice // nil where nobody has asked
}

// look is an outlook, or why there is none.
type look struct {
	model.Outlook
	err  error
	done bool
}

// advice is what is recommended, with what is expected there.
type advice struct {
	number      int // of the evaluation; 0 without one
	expected    Prediction
	feasibility *Feasibility
}

// outlook is model.Model.Outlook of a belief after the last event. Cost that of Predict for the first who asks, O(1) for others.
func (l *Loop) outlook(k int) (model.Outlook, error) {
	for len(l.looked.outlooks) <= k {
		l.looked.outlooks = append(l.looked.outlooks, look{})
	}
	of := &l.looked.outlooks[k]
	if !of.done {
		of.Outlook, of.err = l.model.Outlook(k, l.plan.ask.ID != 0, l.counts.Fits == 0, l.foreseen(Stopped))
		of.done = true
	}
	return of.Outlook, of.err
}

// advise recommends one of the evaluations. Cost that of Predict for the first who asks, O(1) for others.
func (l *Loop) advise() (a advice) {
	if l.looked.advice == nil {
		if b, err := l.believe(); err == nil {
			constraints, _ := l.outlooks() // none without a model of them
			a.number, a.expected = l.recommended(b, l.admissible(constraints))
			if a.number > 0 && len(constraints) > 0 {
				a.feasibility = feasibility(l.constraintsOf(constraints), l.ledger.get(a.number).X)
			}
		}
		l.looked.advice = &a
	}
	a = *l.looked.advice
	if f := a.feasibility; f != nil { // who gets it may change it
		a.feasibility = &Feasibility{f.Probability, slices.Clone(f.Constraints)}
	}
	return a
}
