package actors

import (
	"fmt"
	"math"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/loop"
)

// Snapshot is how a study stands.
type Snapshot struct {
	At     time.Duration // since it started
	Result loop.Result   // so far
	Open   int           // attempts of the coordinator's own workers that have not returned
	Ended  bool
}

// reply handles a message that wants an answer.
func (c *coordinator) reply(message any) any {
	switch m := message.(type) {
	case Tell:
		return Told{c.told(m)}
	case Fail:
		return Told{c.failed(m)}
	case Offer:
		return Told{c.offered(m)}
	case Inspect:
		return Inspected{c.snapshot()}
	}
	return nil
}

func (c *coordinator) told(m Tell) error {
	if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) {
		return &check.FieldError{Field: "Tell.Value", Value: m.Value, Want: "a finite number; an attempt without a value has failed"}
	}
	before := c.loop.Counters()
	if err := c.take(loop.FeedbackArrived(m)); err != nil {
		return err
	}
	after := c.loop.Counters()
	switch {
	case after.Unknown > before.Unknown:
		return c.unknown(m.Evaluation, m.Attempt)
	case after.Contradictory > before.Contradictory:
		return fmt.Errorf("evaluation %d: value %v: %w: %v", m.Evaluation, m.Value, ErrContradiction, c.loop.Evaluations()[m.Evaluation-1].Value)
	}
	return nil
}

func (c *coordinator) failed(m Fail) error {
	before := c.loop.Counters()
	if err := c.take(loop.EvaluationFailed(m)); err != nil {
		return err
	}
	if c.loop.Counters().Unknown > before.Unknown {
		return c.unknown(m.Evaluation, m.Attempt)
	}
	return nil
}

func (c *coordinator) unknown(evaluation, attempt int) error {
	n := len(c.loop.Evaluations())
	if evaluation < 1 || evaluation > n {
		return fmt.Errorf("evaluation %d: %w: want 1 … %d", evaluation, ErrUnknownEvaluation, n)
	}
	return fmt.Errorf("evaluation %d, attempt %d: %w: want attempt 1 … %d", evaluation, attempt, ErrUnknownEvaluation, c.loop.Evaluations()[evaluation-1].Attempt)
}

func (c *coordinator) offered(m Offer) error {
	if err := c.loop.Config().Space.ContainsContext(m.Context); err != nil {
		return err
	}
	before := c.loop.Counters()
	if err := c.take(loop.ContextArrived(m)); err != nil {
		return err
	}
	if c.loop.Counters().Dropped > before.Dropped {
		return fmt.Errorf("actors: %d contexts wait for a query, and no more can", loop.MaxContexts)
	}
	return nil
}

func (c *coordinator) snapshot() Snapshot {
	if c.ending != nil {
		return Snapshot{At: c.ending.At, Result: c.ending.Result, Open: c.attempts.Running(), Ended: true}
	}
	return Snapshot{At: time.Since(c.start), Result: c.loop.Result(), Open: c.attempts.Running()}
}
