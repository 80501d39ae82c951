package workers

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
)

// prompt is an objective that answers at once.
func prompt(_ context.Context, t Task) (float64, error) { return t.X[0], nil }

// measured calls an objective once, and returns what it gave and how long it took.
func measured(ctx context.Context, f Objective, t Task) (value float64, took time.Duration, err error) {
	start := time.Now()
	value, err = f(ctx, t)
	return value, time.Since(start), err
}

// given is one fault for certain, and a delay of three units of a minute.
func given(f delay.Faults) Simulated {
	return Simulated{Chances: delay.Chances{Seed: 1, Delay: delay.Fixed{Delay: 3}, Faults: f}, Unit: time.Minute}
}

func TestADelayReallyPasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		value, took, err := measured(t.Context(), given(delay.Faults{}).Around(prompt), Task{Evaluation: 7, Attempt: 2, X: []float64{5}})
		if value != 5 || err != nil || took != delay.Staggered(3, time.Minute, 7, 2) {
			t.Errorf("%v, %v after %v", value, err, took)
		}
	})
}

func TestInjectedFaults(t *testing.T) {
	for name, c := range map[string]struct {
		faults delay.Faults
		want   error
		took   time.Duration
	}{
		"none": {delay.Faults{}, nil, delay.Staggered(3, time.Minute, 1, 1)},
		"fail": {delay.Faults{Fail: 1}, delay.ErrInjected, delay.Staggered(3, time.Minute, 1, 1)},
		"drop": {delay.Faults{Drop: 1}, ErrAnswerFollows, delay.Staggered(3, time.Minute, 1, 1)},
		// Until somebody gives the attempt up.
		"stall": {delay.Faults{Stall: 1}, ErrCancelled, time.Hour + delay.Staggered(0, time.Minute, 1, 1)},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Hour, func() { cancel(ErrCancelled) })
			value, took, err := measured(ctx, given(c.faults).Around(prompt), Task{Evaluation: 1, Attempt: 1, X: []float64{5}})
			if !errors.Is(err, c.want) || (err == nil) != (value == 5) || took != c.took {
				t.Errorf("%s: %v, %v after %v; want %v after %v", name, value, err, took, c.want, c.took)
			}
			time.Sleep(2 * time.Hour)
		})
	}
}

func TestADuplicateIsDeliveredOneUnitLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start, again := time.Now(), time.Duration(0)
		s := given(delay.Faults{Duplicate: 1})
		s.Noise = 1
		var twice float64
		s.Again = func(task Task, value float64) {
			again, twice = time.Since(start), value
			if task.Evaluation != 2 || task.Attempt != 1 {
				t.Errorf("delivered again: %+v", task)
			}
		}
		value, err := s.Around(prompt)(t.Context(), Task{Evaluation: 2, Attempt: 1, X: []float64{5}})
		first := time.Since(start)
		time.Sleep(time.Hour)
		synctest.Wait()
		if err != nil || value == 5 || twice != value || again != first+time.Minute {
			t.Errorf("%v after %v, and %v after %v; %v", value, first, twice, again, err)
		}
		s.Again = nil
		if _, err := s.Around(prompt)(t.Context(), Task{Evaluation: 2, Attempt: 1, X: []float64{5}}); err != nil {
			t.Error(err)
		}
	})
}

func TestAnAnswerThatNeverArrivesEndsWithItsAttempt(t *testing.T) {
	law := must.Get(delay.ParseLaw("never:1+fixed:3"))(t)
	for _, ignore := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			s := Simulated{Chances: delay.Chances{Seed: 1, Delay: law}, Unit: time.Minute, IgnoreContext: ignore}
			_, took, err := measured(ctx, s.Around(prompt), Task{Evaluation: 1, Attempt: 1, X: []float64{5}})
			if !errors.Is(err, context.DeadlineExceeded) || took != time.Hour+delay.Staggered(0, time.Minute, 1, 1) {
				t.Errorf("%v after %v", err, took)
			}
		})
	}
}

// Nobody waits any longer: most attempts end at once, and those that ignore their context bring their values late.
func TestAttemptsThatIgnoreTheirContextGoOn(t *testing.T) {
	for _, c := range []struct {
		ignore bool
		want   error
		took   time.Duration
	}{
		{false, ErrCancelled, time.Minute},
		{true, nil, 3*time.Minute + 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := given(delay.Faults{})
			s.IgnoreContext = c.ignore
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Minute, func() { cancel(ErrCancelled) })
			_, took, err := measured(ctx, s.Around(prompt), Task{Evaluation: 1, Attempt: 1, X: []float64{5}})
			if err != c.want || took != c.took {
				t.Errorf("ignore %v: %v after %v, want %v after %v", c.ignore, err, took, c.want, c.took)
			}
		})
	}
}

// A simulated objective meets the chances that Draw names: for every attempt the same delay, fault and noise.
func TestASimulatedObjectiveMeetsTheChancesOfItsNumbers(t *testing.T) {
	law := must.Get(delay.ParseLaw("value:1,9"))(t)
	s := Simulated{Chances: delay.Chances{Seed: 9, Delay: law, Faults: delay.Faults{Fail: .2, Drop: .2}, Noise: .5}, Unit: time.Second}
	s.Case = func(x space.Point, value float64) delay.Case {
		if value != x[0] {
			t.Errorf("the case of %v is asked for with value %v", x, value)
		}
		return delay.Case{Level: value}
	}
	f := s.Around(func(_ context.Context, task Task) (float64, error) {
		value := task.X[0]
		task.X[0] = -1 // it may do so
		return value, nil
	})
	synctest.Test(t, func(t *testing.T) {
		for evaluation := 1; evaluation <= 30; evaluation++ {
			for attempt := 1; attempt <= 2; attempt++ {
				x := float64(evaluation) / 30
				want := s.Draw(evaluation, attempt, delay.Case{Level: x})
				value, took, err := measured(t.Context(), f, Task{Evaluation: evaluation, Attempt: attempt, X: []float64{x}})
				wantErr := map[delay.Fault]error{delay.Fail: delay.ErrInjected, delay.Drop: ErrAnswerFollows}[want.Fault]
				if took != delay.Staggered(want.Delay, time.Second, evaluation, attempt) || !errors.Is(err, wantErr) {
					t.Errorf("evaluation %d, attempt %d: %v after %v, want %+v", evaluation, attempt, err, took, want)
				}
				if err == nil && value != x+want.Noise {
					t.Errorf("evaluation %d, attempt %d: value %v, want %v", evaluation, attempt, value, x+want.Noise)
				}
			}
		}
	})
}

// What the objective itself says comes first: an error has no delay, and no chance is drawn for it.
func TestAnErrorOfTheObjectiveComesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		burnt := errors.New("burnt")
		s := given(delay.Faults{Stall: 1})
		s.Case = func(space.Point, float64) delay.Case { t.Error("a case was asked for"); return delay.Case{} }
		value, took, err := measured(t.Context(), s.Around(func(context.Context, Task) (float64, error) { return 3, burnt }), Task{Evaluation: 1, Attempt: 1})
		if value != 0 || err != burnt || took != 0 {
			t.Errorf("%v, %v after %v", value, err, took)
		}
	})
}

func TestNoChancesLeaveTheObjectiveAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		value, took, err := measured(t.Context(), Simulated{}.Around(prompt), Task{Evaluation: 3, Attempt: 1, X: []float64{math.Pi}})
		if value != math.Pi || err != nil || took != 3 {
			t.Errorf("%v, %v after %v", value, err, took)
		}
	})
}
