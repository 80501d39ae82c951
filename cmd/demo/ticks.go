package main

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// tidyTicks marks multiples of 1, 2 or 5 times a power of ten, about six of them.
type tidyTicks struct{}

// Ticks returns the marks between low and high.
func (tidyTicks) Ticks(low, high float64) []plot.Tick {
	step := tidyStep((high - low) / 6)
	var out []plot.Tick
	for k := math.Ceil(low/step - 1e-9); k*step <= high+1e-9*step; k++ {
		v := k*step + 0 // no negative zero
		digits := max(int(math.Ceil(-math.Log10(step)-1e-9)), 0)
		out = append(out, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', digits, 64)})
	}
	return out
}

// tidyStep is the least of 1, 2 and 5 times a power of ten that is at least v.
func tidyStep(v float64) float64 {
	scale := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*scale >= v*(1-1e-9) {
			return m * scale
		}
	}
	return 10 * scale
}

// powerTicks marks the powers of ten, and with few of them also twice and five times each.
type powerTicks struct{}

// Ticks returns the marks between low and high, both positive.
func (powerTicks) Ticks(low, high float64) []plot.Tick {
	first, last := math.Floor(math.Log10(low)+1e-9), math.Floor(math.Log10(high)+1e-9)
	every := math.Ceil((last - first + 1) / 8)
	var out []plot.Tick
	for e := first; e <= last; e++ {
		for m := 1.; m <= 9; m++ {
			v := m * math.Pow(10, e)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			label := ""
			switch {
			case m == 1 && math.Mod(last-e, every) == 0:
				label = power(v)
			case (m == 2 || m == 5) && last-first < 2:
				label = strconv.FormatFloat(v, 'g', 1, 64)
			}
			out = append(out, plot.Tick{Value: v, Label: label})
		}
	}
	return out
}

// power writes a power of ten: 100, 0.01, 1e-3.
func power(v float64) string {
	e := int(math.Round(math.Log10(v)))
	if e >= -2 && e <= 3 {
		return strconv.FormatFloat(math.Pow(10, float64(e)), 'g', -1, 64)
	}
	return "1e" + strconv.Itoa(e)
}
