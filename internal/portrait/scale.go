package portrait

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/internal/chart"
)

// linear is an axis from one number to another. It computes in a unit, a power of ten, lest numbers overflow and labels are long.
type linear struct {
	low, high float64 // in the unit
	power     int     // of ten: the unit
}

func newLinear(low, high float64) linear {
	low, high = finite(low), finite(high)
	a := linear{low, high, 0}
	if size := max(math.Abs(low), math.Abs(high)); size >= 1e5 || size > 0 && size < 1e-3 {
		a.power = max(int(math.Floor(math.Log10(size))), -300)
		a.low, a.high = low/a.unit(), high/a.unit()
	}
	if !(a.high > a.low) {
		a.low, a.high = chart.Padded(a.low, a.low)
	}
	return a
}

func (a linear) unit() float64 { return math.Pow(10, float64(a.power)) }

// at is where a value is on the axis, as a share of it.
func (a linear) at(v float64) float64 { return (finite(v)/a.unit() - a.low) / (a.high - a.low) }

// finite is the nearest number that is finite: two deviations beside a value may have overflowed.
func finite(v float64) float64 { return max(-math.MaxFloat64, min(v, math.MaxFloat64)) }

// ticks are about so many round numbers.
func (a linear) ticks(about int) (out []Tick) {
	for _, m := range chart.TidyTicks(about).Ticks(a.low, a.high) {
		if m.Label == "" || m.Value < a.low || m.Value > a.high {
			continue
		}
		if a.power != 0 && m.Value != 0 {
			m.Label += fmt.Sprintf("e%d", a.power)
		}
		out = append(out, Tick{(m.Value - a.low) / (a.high - a.low), m.Label})
	}
	return out
}

// clock is an axis of time in a unit that suits its length.
type clock struct {
	linear
	unit string
}

func newClock(seconds float64) clock {
	length, unit := 1., "s"
	for _, u := range []struct {
		name   string
		length float64
	}{{"min", 60}, {"h", 3600}, {"days", 86400}} {
		if seconds >= 3*u.length {
			length, unit = u.length, u.name
		}
	}
	if seconds < 0.5 {
		length, unit = 1e-3, "ms"
	}
	return clock{newLinear(0, max(seconds, 1e-6)/length), unit}
}

// when is where a time in seconds is on the axis.
func (c clock) when(s float64) float64 {
	return c.at(s / c.length())
}

func (c clock) length() float64 {
	return map[string]float64{"ms": 1e-3, "s": 1, "min": 60, "h": 3600, "days": 86400}[c.unit]
}

// number is a value for people.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.6g", v)
}

// lasting is a time in seconds for people.
func lasting(s float64) string {
	switch {
	case s >= 2*86400:
		return fmt.Sprintf("%.1f days", s/86400)
	case s >= 2*3600:
		return fmt.Sprintf("%.1f h", s/3600)
	case s >= 120:
		return fmt.Sprintf("%.1f min", s/60)
	case s >= 1:
		return fmt.Sprintf("%.3g s", s)
	case s == 0:
		return "0 s"
	}
	return fmt.Sprintf("%.3g ms", s*1e3)
}
