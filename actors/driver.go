package actors

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// Driver is what every live driver of a loop does besides performing effects: it stamps each event, keeps it, steps the
// loop, and tells the readers of its notices what became of it. It is for one goroutine at a time. Build it with
// NewDriver.
type Driver struct {
	config    Config
	loop      *loop.Loop
	recorder  *journal.Recorder
	readers   []func(Notice)
	metrics   *metrics // nil: none
	chronicle chronicle
}

// NewDriver returns a driver of a study in which nothing has happened, or every violation of its configuration.
func NewDriver(config Config) (*Driver, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	config = config.withDefaults()
	l, err := loop.New(config.Study)
	if err != nil {
		return nil, err
	}
	d := &Driver{config: config, loop: l}
	if err := d.addReaders(); err != nil {
		return nil, err
	}
	if d.recorder, err = journal.NewRecorder(l, config.Journal); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// Loop returns the loop, to be read.
func (d *Driver) Loop() *loop.Loop { return d.loop }

// At returns when the last event happened, since the study started.
func (d *Driver) At() time.Duration { return d.chronicle.at }

// Step takes an event and returns what the loop wants done. After an error the study cannot go on.
func (d *Driver) Step(at time.Duration, e loop.Event) ([]loop.Effect, error) {
	before := d.loop.Counters()
	stamped, effects, err := d.recorder.Step(at, e)
	if err != nil {
		return nil, err
	}
	d.narrate(stamped, effects, before)
	return effects, nil
}

// Answer takes a Tell, a Fail or an Offer by way of take, and returns nil when it was taken or said what was known.
// Otherwise nothing was changed, and the error says why.
func (d *Driver) Answer(message any, take func(loop.Event) error) error {
	before := d.loop.Counters()
	switch m := message.(type) {
	case Tell:
		if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) {
			return &check.FieldError{Field: "value", Value: m.Value, Want: "a finite number; an attempt without a value has failed"}
		}
		if err := take(loop.FeedbackArrived(m)); err != nil {
			if d.has(m) {
				return nil
			}
			return err
		}
		if d.loop.Counters().Contradictory > before.Contradictory {
			return fmt.Errorf("%w: %v, now %v", ErrContradiction, d.loop.Evaluations()[m.Evaluation-1].Value, m.Value)
		}
		return d.known(before, m.Evaluation, m.Attempt)
	case Fail:
		if err := take(loop.EvaluationFailed(m)); err != nil {
			return err
		}
		return d.known(before, m.Evaluation, m.Attempt)
	case Offer:
		return d.offer(m, before, take)
	}
	return fmt.Errorf("actors: %T is no answer: want Tell, Fail or Offer", message)
}

// has reports whether a value is known already.
func (d *Driver) has(m Tell) bool {
	all := d.loop.Evaluations()
	if m.Evaluation < 1 || m.Evaluation > len(all) {
		return false
	}
	e := all[m.Evaluation-1]
	return e.Status.Valued() && e.Value == m.Value
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
	if err := d.config.Study.Space.ContainsContext(m.Context); err != nil {
		return err
	}
	m.Context = slices.Clone(m.Context) // the event is kept, and the caller may use the slice again
	if err := take(loop.ContextArrived(m)); err != nil {
		return err
	}
	if d.loop.Counters().Dropped > before.Dropped {
		return fmt.Errorf("actors: %d contexts wait for their queries: want no more for now", loop.MaxContexts)
	}
	return nil
}
