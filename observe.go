package tarry

import (
	"slices"

	"github.com/tarry-bo/tarry/loop"
)

// Observe brings a value that was measured elsewhere, at x in user units, contexts included. It enters the model as an
// evaluation of its own, and costs no budget, also when the study has ended, which it does not open again. What was rounded on its way counts as the
// value that it means (package space, Parameter.Exact), and a fidelity that is NaN, or has no coordinate, is the greatest. Which evaluation it is, Answer says. While an Ask is under
// way it waits for its end; and where a process that is gone left one open, it ends that first, which costs as much as an Ask. Errors wrap ErrOutsideSpace where the point is not of the space, or ErrNotKept, see there; one more than the study
// takes is an error without a name.
func (s *Study) Observe(x Point, value float64) error {
	return said(s.Answer(Observation{X: x, Value: value}))
}

// ObserveOutcome is Observe for a study that names constraints.
func (s *Study) ObserveOutcome(x Point, o Outcome) error {
	return said(s.Answer(Observation{X: x, Value: o.Value, Constraints: o.Constraints}))
}

// observe is take for an observation, which is an evaluation at once: while no Ask is under way. The mutex is held.
func (s *Study) observe(e loop.Event) (loop.Reaction, error) {
	if err := s.closeAsk(); err != nil {
		return loop.Reaction{}, err
	}
	return s.take(e)
}

// closeAsk performs what a process that is gone left undone where an ask is among it, which would let observations wait for the next Ask: that gets
// the query. The mutex is held, but for the time that the policy thinks.
func (s *Study) closeAsk() error {
	asks := func(e loop.Effect) bool { _, is := e.(loop.Ask); return is }
	if s.driver.Loop().Finished() || !slices.ContainsFunc(s.left, asks) {
		return nil
	}
	s.seeks, s.todo, s.left = true, s.left, nil
	defer func() { s.seeks = false }()
	_, _, err := s.seek()
	return err
}
