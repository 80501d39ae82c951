package delay

import (
	"math"
	"math/rand/v2"
)

// LogNormal is the law lognormal:MU,SIGMA, the exponential of a normal variable. Its median is exp(MU).
type LogNormal struct {
	Mu    float64 // mean of the logarithm, in [-20, 20]
	Sigma float64 // standard deviation of the logarithm, in [0, 10]
}

var lognormalForm = form{
	"lognormal", []param{{"MU", -20, 20}, {"SIGMA", 0, 10}}, func(v []float64) Law { return LogNormal{v[0], v[1]} },
}

// Draw returns a number above 0.
func (l LogNormal) Draw(stream *rand.Rand, _ Case) (float64, bool) {
	return upTo(math.Exp(l.Mu + l.Sigma*stream.NormFloat64())), true
}

// Mean returns exp(MU + SIGMA²/2).
func (l LogNormal) Mean() float64 { return math.Exp(l.Mu + l.Sigma*l.Sigma/2) }

// String returns lognormal:MU,SIGMA.
func (l LogNormal) String() string { return lognormalForm.spell(l.Mu, l.Sigma) }

// Validate reports every parameter outside its range.
func (l LogNormal) Validate() error { return lognormalForm.validate(l.Mu, l.Sigma) }

// Pareto is the law pareto:SCALE,SHAPE: a delay exceeds d ≥ SCALE with probability (SCALE/d)^SHAPE. Moments of order
// SHAPE and above are infinite.
type Pareto struct {
	Scale float64 // the least delay, in [1e-9, MaxDelay]
	Shape float64 // the tail exponent, in [0.01, 1000]
}

var paretoForm = form{
	"pareto", []param{{"SCALE", minPositive, MaxDelay}, {"SHAPE", 0.01, 1000}},
	func(v []float64) Law { return Pareto{v[0], v[1]} },
}

// Draw returns a number of at least SCALE. The logarithm of a Pareto variable is exponential.
func (l Pareto) Draw(stream *rand.Rand, _ Case) (float64, bool) {
	return upTo(l.Scale * math.Exp(stream.ExpFloat64()/l.Shape)), true
}

// Mean returns SCALE·SHAPE/(SHAPE-1), or +Inf if SHAPE ≤ 1.
func (l Pareto) Mean() float64 {
	if l.Shape <= 1 {
		return math.Inf(1)
	}
	return l.Scale * l.Shape / (l.Shape - 1)
}

// String returns pareto:SCALE,SHAPE.
func (l Pareto) String() string { return paretoForm.spell(l.Scale, l.Shape) }

// Validate reports every parameter outside its range.
func (l Pareto) Validate() error { return paretoForm.validate(l.Scale, l.Shape) }
