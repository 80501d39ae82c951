package figures

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/tarry-bo/tarry/internal/chart"
)

// tidyTicks marks multiples of 1, 2 or 5 times a power of ten.
type tidyTicks struct {
	about int     // how many
	least float64 // smallest step
}

// Ticks returns the marks between low and high.
func (t tidyTicks) Ticks(low, high float64) []plot.Tick {
	step := max(chart.TidyStep((high-low)/float64(t.about)), t.least)
	var out []plot.Tick
	first := math.Ceil(low/step - 1e-9)
	for i := range 4 * t.about { // bounded also where the step is too small to be added
		v := (first+float64(i))*step + 0 // no negative zero
		if v > high+1e-9*step {
			break
		}
		digits := max(int(math.Ceil(-math.Log10(step)-1e-9)), 0)
		out = append(out, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', digits, 64)})
	}
	return out
}

// powerTicks marks the powers of ten, and with few of them also twice and five times each. Between ends so close that no
// two of those are there, the marks are those of a linear axis.
type powerTicks struct{ about int }

// Ticks returns the marks between low and high, both positive.
func (t powerTicks) Ticks(low, high float64) []plot.Tick {
	first, last := math.Floor(math.Log10(low)+1e-9), math.Floor(math.Log10(high)+1e-9)
	every := max(chart.TidyStep((last-first+1)/float64(t.about)), 1)
	var out []plot.Tick
	labels := 0
	for e := first; e <= last; e++ {
		if every > 10 && math.Mod(e, every) != 0 {
			continue
		}
		for m := 1.; m <= 9; m++ {
			v := m * math.Pow(10, e)
			if v < low*(1-1e-9) || v > high*(1+1e-9) || m > 1 && every > 1 {
				continue
			}
			label := ""
			switch {
			case m == 1 && math.Mod(e, every) == 0:
				label = power(v)
			case (m == 2 || m == 5) && 3*(last-first) < float64(t.about):
				label = multiple(m, e)
			}
			if label != "" {
				labels++
			}
			out = append(out, plot.Tick{Value: v, Label: label})
		}
	}
	if labels < 2 {
		return tidyTicks{about: t.about}.Ticks(low, high)
	}
	return out
}

// power writes a power of ten: 100, 0.01, 1e-3.
func power(v float64) string { return multiple(1, math.Round(math.Log10(v))) }

// multiple writes a digit times a power of ten: 200, 0.02, 2e-3.
func multiple(digit, exponent float64) string {
	if exponent >= -2 && exponent <= 3 {
		return strconv.FormatFloat(digit*math.Pow(10, exponent), 'g', -1, 64)
	}
	return fmt.Sprintf("%.0fe%.0f", digit, exponent)
}

// numeral writes a number to the bit, with an exponent where that is shorter: 128, 0.05, 1e6.
func numeral(v float64) string {
	plain := strconv.FormatFloat(v, 'f', -1, 64)
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	if short := fmt.Sprintf("%se%d", digits, power); len(short) < len(plain) {
		return short
	}
	return plain
}

// thinned returns the marks of the greatest count for which the labels fit side by side.
func thinned(marker func(about int) plot.Ticker, low, high float64, size, width vg.Length) plot.Ticker {
	const closest, narrow, gap = 2, 24, 9 // points
	style := chart.Text(size, chart.Gray)
	about := max(int(width/narrow), closest)
	for ; about > closest; about-- {
		labels, widest := 0, vg.Length(0)
		for _, t := range marker(about).Ticks(low, high) {
			if t.Label != "" {
				labels++
				widest = max(widest, style.Width(t.Label))
			}
		}
		if vg.Length(labels)*(widest+gap) <= width {
			break
		}
	}
	return marker(about)
}

// nameTicks names categories, as far as there is room.
type nameTicks struct {
	names []string
	width vg.Length // of the axis
	size  vg.Length // of the labels
}

// Ticks returns a mark for each category, or for every second, third … one.
func (t nameTicks) Ticks(_, _ float64) []plot.Tick {
	const narrow = 34 // points, less than which a name is not given
	style := chart.Text(t.size, chart.Gray)
	room := t.width / vg.Length(len(t.names))
	every := max(int(math.Ceil(narrow/float64(room))), 1)
	longest := vg.Length(0)
	for _, name := range t.names {
		longest = max(longest, style.Width(choice(name))+4)
	}
	if longest <= room {
		every = 1
	}
	var out []plot.Tick
	for i, name := range t.names {
		tick := plot.Tick{Value: float64(i)}
		if i%every == 0 {
			tick.Label = cut(style, choice(name), room*vg.Length(every)-4)
		}
		out = append(out, tick)
	}
	return out
}

// choice is the name of a category as it is drawn.
func choice(name string) string {
	if name == "" {
		return `""`
	}
	return printable(name)
}
