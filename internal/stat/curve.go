package stat

import "math"

// Curve returns the estimate at each place of curves of one length or several; the shortest decides. A place where some
// curve has NaN is unknown. It is nil without curves.
func Curve(curves [][]float64) []Estimate {
	if len(curves) == 0 {
		return nil
	}
	length := len(curves[0])
	for _, c := range curves {
		length = min(length, len(c))
	}
	out := make([]Estimate, length)
	column := make([]float64, len(curves))
	for k := range out {
		for i, c := range curves {
			column[i] = c[k]
		}
		out[k] = Of(column)
	}
	return out
}

// Checkpoints returns up to four places between 1 and rounds at which a table shows a curve: the last, and round numbers
// near a sixth, a third and two thirds of it.
func Checkpoints(rounds int) []int {
	var out []int
	for _, share := range []float64{1. / 6, 1. / 3, 2. / 3} {
		k := roundNumber(share * float64(rounds))
		if k >= 1 && k < rounds && (len(out) == 0 || k > out[len(out)-1]) {
			out = append(out, k)
		}
	}
	return append(out, rounds)
}

// roundNumber returns the nearest number with one digit other than zero.
func roundNumber(v float64) int {
	if v < 1 {
		return 0
	}
	scale := math.Pow(10, math.Floor(math.Log10(v)))
	return int(math.Round(v/scale) * scale)
}
