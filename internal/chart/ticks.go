package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// tidyTicks marks multiples of 1, 2 or 5 times a power of ten.
type tidyTicks struct {
	about int     // how many
	least float64 // step
}

// TidyTicks marks a linear axis with about so many numbers.
func TidyTicks(about int) plot.Ticker { return tidyTicks{about: about} }

// WholeTicks marks it with whole numbers only.
func WholeTicks(about int) plot.Ticker { return tidyTicks{about, 1} }

// Ticks returns the marks between low and high.
func (t tidyTicks) Ticks(low, high float64) []plot.Tick {
	step := max(TidyStep((high-low)/float64(t.about)), t.least)
	var out []plot.Tick
	first := math.Ceil(low/step - 1e-9)
	for i := range 4 * t.about { // bounded also where the step is too small to be added
		v := (first+float64(i))*step + 0 // no negative zero
		if v > high+1e-9*step {
			break
		}
		out = append(out, plot.Tick{Value: span{low, high}.clip(v), Label: tidy(v, step, max(math.Abs(low), math.Abs(high)))})
	}
	return out
}

// tidy writes a multiple of a step on an axis of numbers up to a size, with an exponent where they are very large or small.
func tidy(v, step, size float64) string {
	digits := -decade(step)
	switch {
	case size < 1e7 && digits <= 6:
		return strconv.FormatFloat(v, 'f', max(digits, 0), 64)
	case v == 0:
		return "0"
	}
	return Exponential(v, min(max(decade(v)+digits, 0), 15))
}

// decade is the place of the first digit: 0 for 1 … 9.99, -1 for 0.1 … 0.999.
func decade(v float64) int { return int(math.Floor(math.Log10(math.Abs(v)) + 1e-9)) }

// Exponential writes a number like 1.5e-7, with so many digits behind the point; -1: as many as it has.
func Exponential(v float64, digits int) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', digits, 64), "e")
	n, err := strconv.Atoi(exponent)
	if err != nil {
		return mantissa // Inf or NaN
	}
	return fmt.Sprintf("%se%d", mantissa, n)
}

// TidyStep returns the least of 1, 2 and 5 times a power of ten that is at least v, which is positive.
func TidyStep(v float64) float64 {
	scale := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*scale >= v*(1-1e-9) {
			return m * scale
		}
	}
	return 10 * scale
}

// powerTicks marks the powers of ten, and with few of them also twice and five times each. Between ends so close that there
// are hardly any of those, the marks are those of a linear axis.
type powerTicks struct{ about int } // how many

// AboutPowers is how many numbers there are on a logarithmic axis with room for them.
const AboutPowers = 8

// PowerTicks marks a logarithmic axis with about so many numbers.
func PowerTicks(about int) plot.Ticker { return powerTicks{about} }

// ExponentTicks marks a linear axis of decimal logarithms as a logarithmic one of the numbers. Such an axis is in place of a
// logarithmic x axis, since gonum/plot v0.17 makes room for its name in the wrong place.
func ExponentTicks(about int) plot.Ticker { return exponentTicks{powerTicks{about}} }

// Ticks returns the marks between low and high, both positive.
func (t powerTicks) Ticks(low, high float64) []plot.Tick {
	first, last := math.Floor(math.Log10(low)+1e-9), math.Floor(math.Log10(high)+1e-9)
	every := max(TidyStep((last-first+1)/float64(t.about)), 1)
	var out []plot.Tick
	labels := 0
	for e := first; e <= last; e++ {
		if every > 10 && math.Mod(e, every) != 0 {
			continue
		}
		for m := 1.; m <= 9; m++ {
			v := m * math.Pow(10, e)
			if v < low*(1-1e-9) || v > high*(1+1e-9) || m > 1 && every > 4 {
				continue
			}
			label := ""
			switch {
			case m == 1 && math.Mod(e, every) == 0:
				label = power(v)
			case (m == 2 || m == 5) && 3*(last-first) < float64(t.about):
				label = short(v, 1)
			}
			if label != "" {
				labels++
			}
			out = append(out, plot.Tick{Value: v, Label: label})
		}
	}
	if labels < 2 || labels < 3 && high < 10*low {
		return tidyTicks{about: min(t.about, 5)}.Ticks(low, high)
	}
	return out
}

// exponentTicks marks a linear axis of exponents of 10 like a logarithmic one of the powers.
type exponentTicks struct{ powerTicks }

// Ticks returns the marks between low and high.
func (t exponentTicks) Ticks(low, high float64) []plot.Tick {
	const most = 307 // whose power is still a number
	out := t.powerTicks.Ticks(math.Pow(10, max(low, -most)), math.Pow(10, min(high, most)))
	for i := range out {
		out[i].Value = math.Log10(out[i].Value)
	}
	return out
}

// power writes a power of ten: 100, 0.01, 1e-3. Other numbers have two digits.
func power(v float64) string {
	e := int(math.Round(math.Log10(v)))
	if math.Abs(v-math.Pow(10, float64(e))) > 1e-9*v {
		return short(v, 2)
	}
	if e >= -2 && e <= 3 {
		return strconv.FormatFloat(math.Pow(10, float64(e)), 'g', -1, 64)
	}
	return "1e" + strconv.Itoa(e)
}

// short writes a number with so many significant digits, with an exponent where it is very large or small.
func short(v float64, digits int) string {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	switch size := math.Abs(rounded); {
	case size == 0:
		return "0"
	case err != nil: // rounded up beyond the greatest number
		return Exponential(v, digits-1)
	case size >= 1e5 || size < 1e-4:
		return Exponential(rounded, -1)
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// Thinned returns the marks of the greatest count up to a limit for which the labels, of a size, fit side by side on an axis of a
// width that is linear in their values. Where even two are too many, labels are left out.
func Thinned(marker func(about int) plot.Ticker, limit int, low, high float64, size, width vg.Length) plot.ConstantTicks {
	for about := limit; about > 2; about-- {
		if ticks := marker(about).Ticks(low, high); len(crowded(ticks, low, high, size, width)) == 0 {
			return ticks
		}
	}
	ticks := marker(2).Ticks(low, high)
	for crowd := crowded(ticks, low, high, size, width); len(crowd) > 0; crowd = crowded(ticks, low, high, size, width) {
		ticks[crowd[0]].Label = ""
	}
	return ticks
}

// crowded are the places of labels that are too close to those before them.
func crowded(ticks []plot.Tick, low, high float64, size, width vg.Length) []int {
	const gap = 9 // points
	style := Text(size, Gray)
	var out []int
	end := vg.Length(math.Inf(-1))
	for i, t := range ticks {
		if t.Label == "" {
			continue
		}
		half, at := style.Width(t.Label)/2, width*vg.Length((t.Value-low)/(high-low))
		if at-half < end+gap {
			out = append(out, i)
		}
		end = at + half
	}
	return out
}
