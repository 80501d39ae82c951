package space

import (
	"math"
	"slices"
)

// Levels returns the number of values of a discrete parameter, 0 for a float that has neither a step nor a single value.
func (p Parameter) Levels() int {
	switch p.Kind {
	case KindInt:
		return int(p.last()) + 1
	case KindCategorical:
		return len(p.Choices)
	case KindBool:
		return len(truths)
	case KindOrdered:
		return len(p.Values)
	}
	switch {
	case p.Low == p.High:
		return 1
	case p.Step != 0:
		return int(p.stepped().count)
	}
	return 0
}

// last is the number of the last level of an int.
func (p Parameter) last() float64 {
	if p.Step == 0 {
		return p.High - p.Low
	}
	return math.Floor((p.High - p.Low - math.Mod(p.High-p.Low, p.Step)) / p.Step)
}

// Level returns the unit coordinate of level k of a discrete parameter, k = 0 … Levels-1.
func (p Parameter) Level(k int) float64 {
	if p.Kind == KindInt {
		return p.Unit(p.Low + float64(k)*p.stride())
	}
	return middle(float64(k), float64(p.Levels()))
}

// Rank returns the number of the level that the unit coordinate u belongs to, the inverse of Level. It is 0 for a
// parameter that is not discrete, and for NaN.
func (p Parameter) Rank(u float64) int {
	n := p.Levels()
	if n < 2 || math.IsNaN(u) {
		return 0
	}
	if p.Kind == KindInt {
		return int((p.Value(u) - p.Low) / p.stride())
	}
	return int(owner(min(max(u, 0), 1), float64(n)))
}

// stride is the distance between neighbouring values of an int.
func (p Parameter) stride() float64 {
	if p.Step == 0 {
		return 1
	}
	return p.Step
}

// owner is which of n equal shares of [0, 1] u lies in, the last one at 1.
func owner(u, n float64) float64 { return min(math.Floor(u*n), n-1) }

// middle is the middle of share k of n.
func middle(k, n float64) float64 { return (k + 0.5) / n }

// nearestOf returns the index of the value that is nearest to v, the first of two; 0 for NaN. The values increase.
func nearestOf(values []float64, v float64) int {
	k, _ := slices.BinarySearch(values, v)
	if k == len(values) || k > 0 && v-values[k-1] <= values[k]-v {
		k--
	}
	return k
}

const (
	stepTolerance  = 1e-6 // of a step: how far a number may be from a value of a float with a step and still mean it
	valueTolerance = 1e-9 // of the value: the same for the numbers of an ordered parameter and for a single value
)

// Exact returns the value of the parameter that a rounded v stands for, after a conversion to text or a sum of steps: 0.3
// for 0.30000000000000004. For a float with a step it is the nearest value if that is within a millionth of a step; for
// an ordered parameter and for a float with a single value, if it is within a billionth of its own size. Any other v is
// returned unchanged, NaN included; Contains says whether it is a value.
func (p Parameter) Exact(v float64) float64 {
	level, tolerance := v, 0.0
	switch {
	case p.Kind == KindOrdered:
		level = p.Values[nearestOf(p.Values, v)]
		tolerance = valueTolerance * math.Abs(level)
	case p.Kind == KindFloat && p.Low == p.High:
		level = p.Low
		tolerance = valueTolerance * math.Abs(level)
	case p.Kind == KindFloat && p.Step != 0:
		s := p.stepped()
		level = s.at(s.rank(v))
		tolerance = stepTolerance * p.Step
	}
	if math.Abs(v-level) <= tolerance {
		return level
	}
	return v
}

// Contains reports whether v (user units) is exactly a value of the parameter. NaN is not.
func (p Parameter) Contains(v float64) bool {
	switch p.Kind {
	case KindInt:
		return v >= p.Low && v <= p.High && v == math.Trunc(v) && (p.Step == 0 || math.Mod(v-p.Low, p.Step) == 0)
	case KindCategorical, KindBool:
		return v >= 0 && v < float64(p.Levels()) && v == math.Trunc(v)
	case KindOrdered:
		_, found := slices.BinarySearch(p.Values, v)
		return found && !math.IsNaN(v)
	}
	if p.Step != 0 && p.Low < p.High {
		s := p.stepped()
		return v == s.at(s.rank(v))
	}
	return v >= p.Low && v <= p.High
}
