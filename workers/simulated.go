package workers

import (
	"context"
	"time"

	"github.com/tarry-bo/tarry/delay"
)

// Simulated adds the delays and faults of Chances to an objective, on the wall clock.
type Simulated struct {
	delay.Chances
	Unit time.Duration // of the delays of the law

	// Case returns what delays may depend on; nil: nothing is known of the query.
	Case func(x []float64, value float64) delay.Case
	// Again delivers the value of an attempt once more, one Unit after the first time: the fault Duplicate; nil: it is
	// not delivered again.
	Again func(t Task, value float64)
	// Deaf attempts go on when nobody waits for them any longer, as a job on a remote machine may: their values come
	// late. Others end at once.
	Deaf bool
}

// Around returns the objective with delays and faults. The value is computed first; then its delay passes.
func (s Simulated) Around(f Objective) Objective {
	return func(ctx context.Context, t Task) (float64, error) {
		x := append([]float64(nil), t.X...)
		value, err := f(ctx, t)
		if err != nil {
			return 0, err
		}
		var at delay.Case
		if s.Case != nil {
			at = s.Case(x, value)
		}
		c := s.Draw(t.Evaluation, t.Attempt, at)
		if c.Fault == delay.Stall || !c.Arrives {
			<-ctx.Done()
			time.Sleep(delay.Staggered(0, s.Unit, t.Evaluation, t.Attempt))
			return 0, context.Cause(ctx)
		}
		if err := s.sleep(ctx, delay.Staggered(c.Delay, s.Unit, t.Evaluation, t.Attempt)); err != nil {
			return 0, err
		}
		switch c.Fault {
		case delay.Fail:
			return 0, delay.ErrInjected
		case delay.Drop:
			return 0, ErrAnswerFollows // and it never does
		case delay.Duplicate:
			if s.Again != nil {
				time.AfterFunc(s.Unit, func() { s.Again(t, value+c.Noise) })
			}
		}
		return value + c.Noise, nil
	}
}

func (s Simulated) sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	if s.Deaf {
		<-timer.C
		return nil
	}
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
