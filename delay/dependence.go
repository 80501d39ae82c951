package delay

import (
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/internal/check"
)

// InputPoisson is the law input:LO,HI, a Poisson law whose mean moves in a straight line from LO where the first unit
// coordinate of the query is 0 to HI where it is 1. LO may be the larger one.
type InputPoisson struct {
	Lo, Hi float64 // in [0, MaxDelay]
}

var inputForm = form{
	"input", []param{{"LO", 0, MaxDelay}, {"HI", 0, MaxDelay}},
	func(v []float64) Law { return InputPoisson{v[0], v[1]} },
}

// Draw returns a whole number. The query must have a first coordinate; outside [0,1] it counts as the nearer end.
func (l InputPoisson) Draw(stream *rand.Rand, c Case) (float64, bool) {
	if len(c.X) == 0 {
		panic("delay: a law that depends on the query needs its coordinates")
	}
	return Poisson{between(l.Lo, l.Hi, c.X[0])}.Draw(stream, c)
}

// Mean returns NaN unless LO equals HI, because it depends on the query.
func (l InputPoisson) Mean() float64 { return common(l.Lo, l.Hi) }

// String returns input:LO,HI.
func (l InputPoisson) String() string { return inputForm.spell(l.Lo, l.Hi) }

// Validate reports every parameter outside its range.
func (l InputPoisson) Validate() error { return inputForm.validate(l.Lo, l.Hi) }

// ValuePoisson is the law value:LO,HI, a Poisson law whose mean moves in a straight line from LO at Level 0, the worst
// value attainable, to HI at Level 1, the best. LO may be the larger one.
type ValuePoisson struct {
	Lo, Hi float64 // in [0, MaxDelay]
}

var valueForm = form{
	"value", []param{{"LO", 0, MaxDelay}, {"HI", 0, MaxDelay}},
	func(v []float64) Law { return ValuePoisson{v[0], v[1]} },
}

// Draw returns a whole number. A Level outside [0,1] counts as the nearer end, and NaN as the worst value.
func (l ValuePoisson) Draw(stream *rand.Rand, c Case) (float64, bool) {
	return Poisson{between(l.Lo, l.Hi, c.Level)}.Draw(stream, c)
}

// Mean returns NaN unless LO equals HI, because it depends on the value.
func (l ValuePoisson) Mean() float64 { return common(l.Lo, l.Hi) }

// String returns value:LO,HI.
func (l ValuePoisson) String() string { return valueForm.spell(l.Lo, l.Hi) }

// Validate reports every parameter outside its range.
func (l ValuePoisson) Validate() error { return valueForm.validate(l.Lo, l.Hi) }

// Never is the law never:P+LAW: with probability P the answer never arrives, otherwise its delay follows LAW.
type Never struct {
	P   float64 // in [0, 1]
	Law Law
}

var neverForm = form{"never", []param{{"P", 0, 1}}, nil} // ParseLaw builds it, because it contains a law

// Draw returns 0 and false with probability P, and a draw of LAW otherwise.
func (l Never) Draw(stream *rand.Rand, c Case) (float64, bool) {
	if stream.Float64() < l.P {
		return 0, false
	}
	return l.Law.Draw(stream, c)
}

// Mean returns +Inf if P > 0, otherwise the mean of LAW, or NaN if LAW does not know it.
func (l Never) Mean() float64 {
	if l.P > 0 {
		return math.Inf(1)
	}
	if inner, ok := l.Law.(Meaner); ok {
		return inner.Mean()
	}
	return math.NaN()
}

// String returns never:P+LAW.
func (l Never) String() string { return neverForm.spell(l.P) + "+" + l.Law.String() }

// Validate reports a P outside its range, a missing LAW, and every violation of LAW.
func (l Never) Validate() error {
	var list check.List
	list.Join(neverForm.validate(l.P))
	list.Require(l.Law != nil, "never.LAW", l.Law, "a delay law")
	if inner, ok := l.Law.(validator); ok {
		list.Join(inner.Validate())
	}
	return list.Err()
}

// between returns lo at share 0 and hi at share 1, exactly, and nothing outside them.
func between(lo, hi, share float64) float64 {
	if !(share > 0) { // NaN too
		return lo
	}
	share = min(share, 1)
	return (1-share)*lo + share*hi
}

// common returns the value of two equal numbers.
func common(a, b float64) float64 {
	if a != b {
		return math.NaN()
	}
	return a
}
