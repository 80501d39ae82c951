package delay

import (
	"errors"
	"time"

	"github.com/tarry-bo/tarry/internal/rng"
)

// ErrInjected is how an attempt with the fault Fail ends.
var ErrInjected = errors.New("injected fault")

// Chances decides what happens to each attempt at an evaluation: its delay, its fault and its noise. All of it follows
// from the seed and the numbers of the evaluation and the attempt, so a simulation and a live study with equal Chances
// draw the same.
type Chances struct {
	Seed   uint64
	Delay  Law // nil: answers come at once
	Faults Faults
	Noise  float64 // standard deviation, in the units of the value
}

// Chance is what happens to one attempt.
type Chance struct {
	Delay   float64 // in the units of the law; 0 unless Arrives
	Arrives bool
	Fault   Fault
	Noise   float64 // to be added to the value
}

// Draw returns what happens to an attempt. Evaluations and attempts count from 1; another attempt at an evaluation has
// other chances.
func (c Chances) Draw(evaluation, attempt int, at Case) Chance {
	key := uint64(evaluation) + uint64(attempt-1)<<32
	out := Chance{Arrives: true, Fault: c.Faults.Draw(rng.New(c.Seed, rng.Fault, key))}
	if c.Noise > 0 {
		out.Noise = c.Noise * rng.New(c.Seed, rng.Noise, key).NormFloat64()
	}
	if c.Delay != nil {
		out.Delay, out.Arrives = c.Delay.Draw(rng.New(c.Seed, rng.Delay, key), at)
	}
	return out
}

// Staggered returns a delay as a duration, longer by one nanosecond for each evaluation and by one microsecond for each
// attempt after the first. So answers that would come at the same time, because equal delays started together or a
// timeout apart, come in a fixed order. A delay of more than a century is cut to 146 years.
func Staggered(delay float64, unit time.Duration, evaluation, attempt int) time.Duration {
	return time.Duration(min(delay*float64(unit), 1<<62)) + time.Duration(evaluation) + time.Duration(attempt-1)*time.Microsecond
}
