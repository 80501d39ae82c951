package actors

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// Answer takes a message that Told answers, by way of take, and returns nil when it was taken or said what was known.
// Otherwise nothing was changed, and the error says why. It is final when Sync has returned.
func (d *Driver) Answer(message any, take func(loop.Event) error) error {
	before := d.loop.Counters()
	switch m := message.(type) {
	case Tell:
		return d.tell(m, before, take)
	case Fail:
		if err := take(loop.EvaluationFailed{Evaluation: m.Evaluation, Attempt: m.Attempt, Failure: m.Failure, Told: true}); err != nil {
			return err
		}
		return d.known(before, m.Evaluation, m.Attempt)
	case GiveUp:
		if err := take(loop.CancelRequested(m)); err != nil {
			return err
		}
		return d.known(before, m.Evaluation, 1)
	case Renew:
		if err := take(loop.LeaseRenewed(m)); err != nil {
			return err
		}
		return d.known(before, m.Evaluation, m.Attempt)
	case Offer:
		return d.offer(m, before, take)
	case Observe:
		return d.observe(m, before, take)
	case Request:
		return d.request(m, before, take)
	}
	return fmt.Errorf("%T is no answer: want Tell, Fail, GiveUp, Renew, Observe, Request or Offer", message)
}

func (d *Driver) tell(m Tell, before loop.Counters, take func(loop.Event) error) error {
	if err := m.Validate(); err != nil {
		return err
	}
	m.Constraints = slices.Clone(m.Constraints) // the event is kept, and the caller may use the slice again
	event := loop.FeedbackArrived{Evaluation: m.Evaluation, Attempt: m.Attempt, Outcome: m.Outcome, Told: true}
	if err := take(event); err != nil {
		if d.has(m) {
			return nil
		}
		return err
	}
	if d.loop.Counters().Contradictory > before.Contradictory {
		return fmt.Errorf("%w: %v, now %v", ErrContradiction, d.loop.Evaluations()[m.Evaluation-1].Value, m.Value)
	}
	return d.known(before, m.Evaluation, m.Attempt)
}

// has reports whether a value is known already, and kept.
func (d *Driver) has(m Tell) bool {
	all := d.loop.Evaluations()
	if m.Evaluation < 1 || m.Evaluation > len(all) || slices.Contains(d.unsafe, m.Evaluation) {
		return false
	}
	e := all[m.Evaluation-1]
	return e.Measured && e.Value == m.Value
}

// known returns an error when an answer named what does not exist.
func (d *Driver) known(before loop.Counters, evaluation, attempt int) error {
	if d.loop.Counters().Unknown == before.Unknown {
		return nil
	}
	all := d.loop.Evaluations()
	if evaluation < 1 || evaluation > len(all) {
		return fmt.Errorf("%w: number %d: want 1 … %d", ErrUnknownEvaluation, evaluation, len(all))
	}
	return fmt.Errorf("%w: attempt %d: want 1 … %d", ErrUnknownEvaluation, attempt, all[evaluation-1].Attempt)
}

func (d *Driver) offer(m Offer, before loop.Counters, take func(loop.Event) error) error {
	m.Context = d.config.Study.Space.ExactContext(m.Context) // a copy: the event is kept, and the caller may use the slice again
	if err := d.config.Study.Space.ContainsContext(m.Context); err != nil {
		return err
	}
	if err := take(loop.ContextArrived(m)); err != nil {
		return err
	}
	if d.loop.Counters().Dropped > before.Dropped {
		return fmt.Errorf("%d contexts wait for their queries: want no more for now", loop.MaxContexts)
	}
	return nil
}

func (d *Driver) observe(m Observe, before loop.Counters, take func(loop.Event) error) error {
	m.X = d.config.Study.Space.Exact(m.X)
	if err := observable(d.config.Study.Space, m.X, m.Value); err != nil {
		return err
	}
	if d.loop.Finished() {
		return ErrEnded
	}
	if err := take(loop.ObservationArrived(m)); err != nil {
		return err
	}
	if d.loop.Counters().Dropped > before.Dropped {
		return fmt.Errorf("observations of this study: want at most %d, and %d while a query is being chosen", loop.MaxForeign, loop.MaxRequests)
	}
	return nil
}

func (d *Driver) request(m Request, before loop.Counters, take func(loop.Event) error) error {
	m.X = d.config.Study.Space.Exact(m.X)
	if err := requestable(d.config.Study.Space, m.X); err != nil {
		return err
	}
	if d.loop.Finished() {
		return ErrEnded
	}
	if err := take(loop.QueryRequested(m)); err != nil {
		return err
	}
	if d.loop.Counters().Dropped > before.Dropped {
		return fmt.Errorf("request of %v: want a point of the space, and at most %d that wait", m.X, loop.MaxRequests)
	}
	return nil
}

// observable returns nil when a value can have been measured at x.
func observable(s space.Space, x []float64, value float64) error {
	if !outcome.Finite(value) {
		return &check.FieldError{Field: "value", Value: value, Want: "a finite number"}
	}
	return s.Contains(x)
}

// requestable returns nil when x can be requested: every coordinate, or every action, is a value of its parameter or NaN, and
// where the space is a finite list a point of it has them.
func requestable(s space.Space, x []float64) error {
	which := s.Actions()
	if len(x) == s.Dim() {
		which = nil
		for i := range x {
			which = append(which, i)
		}
	}
	if len(x) != len(which) {
		return fmt.Errorf("%w: %d coordinates, want %d, or %d without contexts", space.ErrOutsideSpace, len(x), s.Dim(), len(s.Actions()))
	}
	for j, i := range which {
		if p := s.Parameter(i); !math.IsNaN(x[j]) && !p.Contains(x[j]) {
			return fmt.Errorf("%w: %s = %v, want %s", space.ErrOutsideSpace, p.Name, x[j], p.Range())
		}
	}
	if s.Size() == 0 {
		return nil
	}
	whole := make([]float64, s.Dim())
	for i := range whole {
		whole[i] = math.NaN()
	}
	for j, i := range which {
		whole[i] = x[j]
	}
	if len(s.Matching(whole)) == 0 {
		return fmt.Errorf("%w: none of the %d points that the space lists", space.ErrOutsideSpace, s.Size())
	}
	return nil
}
