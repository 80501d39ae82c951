package delay

import (
	"errors"
	"time"

	"github.com/tarry-bo/tarry/internal/rng"
)

// ErrInjected is how an attempt with the fault Fail ends.
var ErrInjected = errors.New("injected fault")

// Chances decide what happens to each attempt at an evaluation: how long its answer takes, what goes wrong, how much
// noise it has. Everything follows from the seed and the numbers of evaluation and attempt, so that the simulator and
// a live study with the same chances meet the same world.
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

// Draw returns what happens to an attempt, both counted from 1. A repeated evaluation meets new chances.
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

// Staggered is a delay as a duration, longer by one nanosecond for each evaluation and one microsecond for each attempt
// after the first: equal delays that start at once, or a timeout apart, are kept apart, and so is the order of their
// answers. A delay of more than a century is cut to 146 years.
func Staggered(delay float64, unit time.Duration, evaluation, attempt int) time.Duration {
	return time.Duration(min(delay*float64(unit), 1<<62)) + time.Duration(evaluation) + time.Duration(attempt-1)*time.Microsecond
}
