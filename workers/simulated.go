package workers

import (
	"context"
	"time"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/space"
)

// Simulated adds the delays and faults of Chances to an objective, on the wall clock.
type Simulated struct {
	delay.Chances
	Unit time.Duration // the delay law draws delays as multiples of it

	// Case returns what the delay of a query may depend on. Nil means that delays depend on nothing.
	Case func(x space.Point, value float64) delay.Case
	// Again delivers the value of an attempt a second time, one Unit after the first, when the fault is Duplicate. Nil
	// means that no value is delivered twice.
	Again func(t Task, value float64)
	// Reports returns what an attempt reports on its way, by ascending share of its delay, and Report brings one; an error ends the attempt.
	// Nil means that nothing is reported. Where the context has ended nobody hears of it.
	Reports func(t Task) []delay.Interim
	Report  func(t Task, step, value float64) error
	// IgnoreContext lets an attempt go on after its context has ended, as a job on a remote machine may; its value comes
	// late. Otherwise an attempt returns as soon as its context ends.
	IgnoreContext bool
}

// Around returns the objective f with delays and faults: f computes the value, and the delay passes after that.
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
		if err := s.wait(ctx, t, x, delay.Staggered(c.Delay, s.Unit, t.Evaluation, t.Attempt), c.Fault != delay.Drop); err != nil {
			return 0, err
		}
		switch c.Fault {
		case delay.Fail:
			return 0, delay.ErrInjected
		case delay.Drop:
			return 0, ErrAnswerFollows // but no answer ever comes
		case delay.Duplicate:
			if s.Again != nil {
				time.AfterFunc(s.Unit, func() { s.Again(t, value+c.Noise) })
			}
		}
		return value + c.Noise, nil
	}
}

// wait lets the delay pass, and reports on the way. After a report that is answered by an error it returns when its context has ended.
func (s Simulated) wait(ctx context.Context, t Task, x space.Point, wait time.Duration, reports bool) error {
	passed := time.Duration(0)
	if s.Reports != nil && reports {
		t.X = x
		for _, i := range s.Reports(t) {
			at := i.After(wait, t.Evaluation, t.Attempt)
			if err := s.sleep(ctx, at-passed); err != nil {
				return err
			}
			passed = max(passed, at)
			if ctx.Err() != nil {
				continue
			}
			if err := s.Report(t, i.Step, i.Value); err != nil {
				<-ctx.Done()
				return err
			}
		}
	}
	return s.sleep(ctx, wait-passed)
}

func (s Simulated) sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	if s.IgnoreContext {
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
