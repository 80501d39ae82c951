package chart

import "math"

// span is the ends of an axis.
type span struct{ low, high float64 }

// nothing is a span that holds no number.
func nothing() span { return span{math.Inf(1), math.Inf(-1)} }

func (s span) empty() bool { return s.low > s.high }

// hugest is the greatest number, of either sign, that an axis reaches: differences of numbers on it do not overflow.
const hugest = 1e300

// with extends the span to a number, unless it is none.
func (s span) with(v float64) span {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return s
	}
	v = min(max(v, -hugest), hugest)
	return span{min(s.low, v), max(s.high, v)}
}

// usable reports whether the span can be the ends of an axis: numbers, in order, neither too large nor too close.
func (s span) usable() bool {
	size := max(math.Abs(s.low), math.Abs(s.high))
	return size >= 1/hugest && size <= hugest && s.high-s.low >= 1e-12*size // false for NaN
}

// clip keeps a number on the axis.
func (s span) clip(v float64) float64 { return min(max(v, s.low), s.high) }

// Padded returns the ends of an axis with some room around the numbers on it, also where they are a single one.
func Padded(low, high float64) (from, to float64) {
	s := span{low, high}.padded()
	return s.low, s.high
}

// padded has some room around the numbers, also where they are a single one.
func (s span) padded() span {
	size, half := max(math.Abs(s.low), math.Abs(s.high)), s.high/2-s.low/2 // the difference of two huge numbers overflows
	pad := 0.08 * half
	if half <= 5e-10*size {
		pad = 0.1 * size
	}
	if size < 1/hugest {
		pad = 1
	}
	return span{s.low - pad, s.high + pad}
}

// linear are the ends of a linear axis for some numbers: 0 is one of them unless it is far away.
func (s span) linear() span {
	switch p := s.padded(); {
	case s.empty():
		return span{0, 1}
	case s.low == 0 && s.high == 0:
		return span{0, 1}
	case s.low >= 0 && s.low <= s.high/3:
		return span{0, p.high}
	case s.high <= 0 && s.high >= s.low/3:
		return span{p.low, 0}
	default:
		return p
	}
}
