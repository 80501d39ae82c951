package chart

import (
	"fmt"
	"math"
)

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

// padded has some room around the numbers, also where they are a single one.
func (s span) padded() span {
	size := max(math.Abs(s.low), math.Abs(s.high))
	pad := 0.04 * (s.high - s.low)
	if s.high-s.low <= 1e-9*size {
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
	case s.low >= 0 && s.low <= s.high/2:
		return span{0, p.high}
	case s.high <= 0 && s.high >= s.low/2:
		return span{p.low, 0}
	default:
		return p
	}
}

// yNumbers are the numbers that the bands and the points cover.
func (p Panel) yNumbers() span {
	out := nothing()
	for _, c := range p.Curves {
		for _, e := range c.Y {
			if e.Known() {
				low, high := e.Ends()
				out = out.with(low).with(e.Mean).with(high)
			}
		}
	}
	for _, at := range p.Points {
		out = out.with(at.Y)
	}
	return out
}

// yAxis are the ends of the y axis, and what is to be added to its name.
func (p Panel) yAxis() (span, string) {
	given := span{p.Low, p.High}
	switch usable := given.usable(); {
	case p.LogY && !(usable && p.Low > 0):
		given = p.logRange()
	case p.LogY:
		given.low = max(given.low, math.Pow(10, math.Floor(math.Log10(given.high))-logDecades))
	case !usable:
		given = p.yNumbers().linear()
	}
	if p.LogY && p.anyBelow(given.low) {
		return given, fmt.Sprintf(" (0 is drawn at %s)", power(given.low))
	}
	return given, ""
}

// logDecades is the most that a logarithmic axis shows.
const logDecades = 9

// logRange returns the ends of a logarithmic y axis: a power of ten at or below the least positive mean, but no more than
// logDecades below the top.
func (p Panel) logRange() span {
	high, low := p.yNumbers().high, math.Inf(1)
	for _, v := range p.means() {
		if v > 0 {
			low = min(low, v)
		}
	}
	if high < 10/hugest || math.IsInf(high, 0) || low > high {
		return span{0.1, 1} // nothing but zeros, or nothing
	}
	lowest := max(math.Floor(math.Log10(low)), math.Floor(math.Log10(high))-logDecades)
	return span{math.Pow(10, max(lowest, -300)), high * 1.2}
}

// anyBelow reports whether any mean is lower than the axis.
func (p Panel) anyBelow(low float64) bool {
	for _, v := range p.means() {
		if v < low {
			return true
		}
	}
	return false
}

// means are the known means and the points.
func (p Panel) means() []float64 {
	var out []float64
	for _, c := range p.Curves {
		for _, e := range c.Y {
			if e.Known() {
				out = append(out, e.Mean)
			}
		}
	}
	for _, at := range p.Points {
		if !math.IsNaN(at.Y) {
			out = append(out, at.Y)
		}
	}
	return out
}

// xAxis are the ends of the x axis.
func (p Panel) xAxis() span {
	numbers, given, sparse := nothing(), false, len(p.Points) > 0
	for _, c := range p.Curves {
		given, sparse = given || c.X != nil, sparse || c.dotted()
		for i := range c.Y {
			if x := c.place(i); p.drawable(x) {
				numbers = numbers.with(x)
			}
		}
	}
	for _, at := range p.Points {
		if p.drawable(at.X) {
			numbers = numbers.with(at.X)
		}
	}
	switch {
	case numbers.empty() && p.LogX:
		return span{0.1, 1}
	case p.LogX:
		pad := 0.02 * (math.Log(numbers.high) - math.Log(numbers.low))
		if pad < 1e-9 {
			pad = math.Ln2
		}
		return span{max(numbers.low*math.Exp(-pad), 1/(10*hugest)), min(numbers.high*math.Exp(pad), 10*hugest)}
	case !given && len(p.Points) == 0:
		return span{0, max(numbers.high, 1)} // 1, 2, …
	case sparse || !numbers.usable():
		return numbers.linear()
	case numbers.low > 0 && numbers.low <= numbers.high/2:
		return span{0, numbers.high}
	default: // lines go from end to end
		return numbers
	}
}

// drawable reports whether a place is one on the x axis.
func (p Panel) drawable(x float64) bool {
	return math.Abs(x) <= hugest && (!p.LogX || x >= 1/hugest)
}
