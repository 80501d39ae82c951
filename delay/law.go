package delay

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"
)

// Fixed is the law fixed:D. Every answer takes D, the case of a textbook batch.
type Fixed struct {
	Delay float64 // D, in [0, MaxDelay]
}

var fixedForm = form{"fixed", []param{{"D", 0, MaxDelay}}, func(v []float64) Law { return Fixed{v[0]} }}

// Draw returns D and uses no random number.
func (l Fixed) Draw(*rand.Rand, Case) (float64, bool) { return upTo(l.Delay), true }

// Mean returns D.
func (l Fixed) Mean() float64 { return l.Delay }

// String returns fixed:D.
func (l Fixed) String() string { return fixedForm.spell(l.Delay) }

// Validate reports a D outside its range.
func (l Fixed) Validate() error { return fixedForm.validate(l.Delay) }

// Poisson is the law poisson:MEAN on 0, 1, 2, ...
type Poisson struct {
	Lambda float64 // MEAN, in [0, MaxDelay]; 0 means no delay
}

var poissonForm = form{"poisson", []param{{"MEAN", 0, MaxDelay}}, func(v []float64) Law { return Poisson{v[0]} }}

// Draw returns a whole number. It counts exponential gaps below a mean of 10 and uses Hörmann's transformed rejection
// (1993) above, so the cost does not grow with the mean.
func (l Poisson) Draw(stream *rand.Rand, _ Case) (float64, bool) {
	if l.Lambda == 0 {
		return 0, true
	}
	return upTo(distuv.Poisson{Lambda: l.Lambda, Src: stream}.Rand()), true
}

// Mean returns MEAN.
func (l Poisson) Mean() float64 { return l.Lambda }

// String returns poisson:MEAN.
func (l Poisson) String() string { return poissonForm.spell(l.Lambda) }

// Validate reports a MEAN outside its range.
func (l Poisson) Validate() error { return poissonForm.validate(l.Lambda) }

// Geometric is the law geometric:P, the number of trials up to and including the first success: 1, 2, 3, ... An answer
// that is ready in any round with probability P, whatever its age.
type Geometric struct {
	P float64 // probability of success of one trial, in [1e-9, 1]
}

var geometricForm = form{"geometric", []param{{"P", minPositive, 1}}, func(v []float64) Law { return Geometric{v[0]} }}

// Draw returns a whole number of at least 1. An exponential variable of rate -log(1-P), rounded down, is at least k
// with probability (1-P)^k.
func (l Geometric) Draw(stream *rand.Rand, _ Case) (float64, bool) {
	failures := math.Floor(stream.ExpFloat64() / -math.Log1p(-l.P))
	return upTo(1 + failures), true
}

// Mean returns 1/P.
func (l Geometric) Mean() float64 { return 1 / l.P }

// String returns geometric:P.
func (l Geometric) String() string { return geometricForm.spell(l.P) }

// Validate reports a P outside its range.
func (l Geometric) Validate() error { return geometricForm.validate(l.P) }

// Exponential is the law exponential:MEAN.
type Exponential struct {
	Scale float64 // MEAN, in [1e-9, MaxDelay]
}

var exponentialForm = form{
	"exponential", []param{{"MEAN", minPositive, MaxDelay}}, func(v []float64) Law { return Exponential{v[0]} },
}

// Draw returns any number of at least 0.
func (l Exponential) Draw(stream *rand.Rand, _ Case) (float64, bool) {
	return upTo(l.Scale * stream.ExpFloat64()), true
}

// Mean returns MEAN.
func (l Exponential) Mean() float64 { return l.Scale }

// String returns exponential:MEAN.
func (l Exponential) String() string { return exponentialForm.spell(l.Scale) }

// Validate reports a MEAN outside its range.
func (l Exponential) Validate() error { return exponentialForm.validate(l.Scale) }
