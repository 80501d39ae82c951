package policies

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// valueWarp turns a value u into the target Shift − Scale·T(y) of its loss y = (Origin − u)/Unit + Offset. It increases.
type valueWarp struct {
	of                   monotone
	origin, unit, offset float64
	shift, scale         float64
}

// monotone is an increasing function.
type monotone interface {
	At(y float64) float64
	Slope(y float64) float64
}

// lossOffset is the loss of the greatest value where losses must be positive, in standard deviations of the values. The
// smaller it is, the farther the logarithm takes the best few answers from all others.
const lossOffset = 0.1

func (w valueWarp) loss(u float64) float64 { return (w.origin-u)/w.unit + w.offset }

func (w valueWarp) at(u float64) float64 { return w.shift - w.scale*w.of.At(w.loss(u)) }

func (w valueWarp) all(u []float64) []float64 {
	out := make([]float64, len(u))
	for i, v := range u {
		out[i] = w.at(v)
	}
	return out
}

// logSlopes is the logarithm of the Jacobian of the warp at the values, of which equal ones count once: see buffer.LogJacobian.
func (w valueWarp) logSlopes(u []float64) float64 {
	u = stat.Different(u)
	sum := float64(len(u)) * math.Log(w.scale/w.unit)
	for _, v := range u {
		sum += math.Log(w.of.Slope(w.loss(v)))
	}
	return sum
}

// through returns the warp with T, whose targets have the mean and variance of the values: what is believed about the one
// holds for the other. It reports whether that is possible.
func (w valueWarp) through(of monotone, u []float64) (valueWarp, bool) {
	w.of, w.shift, w.scale = of, 0, 1
	mean, variance := meanVariance(u)
	warpedMean, warpedVariance := meanVariance(w.all(u))
	w.scale = math.Sqrt(variance / warpedVariance)
	w.shift = mean - w.scale*warpedMean
	return w, warpedVariance > 0 && w.scale > 0 && !math.IsNaN(w.shift) && !math.IsInf(w.scale+w.shift, 0)
}

// fitValues learns the warp of the values, which differ; it reports whether there is one. For the tanh the evidence counts,
// at the hyperparameters of the prior.
func fitValues(kind Warp, prior surrogate.Prior, x []space.Unit, u []float64) (valueWarp, bool) {
	mean, variance := meanVariance(u)
	w := valueWarp{origin: slices.Max(u), unit: math.Sqrt(variance), offset: lossOffset}
	switch kind {
	case WarpLog:
		w.offset = 0
		return w.through(calibration.LogWarp{Eps: lossOffset}, u)
	case WarpBoxCox:
		losses := make([]float64, len(u))
		for i, v := range u {
			losses[i] = w.loss(v)
		}
		of, err := calibration.FitBoxCox(losses)
		if err != nil {
			return w, false
		}
		return w.through(of, u)
	}
	w.origin, w.offset = mean, 0
	lookX, lookU := evenly(x, u)
	w, ok := fitTanh(w, prior, lookX, lookU)
	if !ok {
		return w, false
	}
	return w.through(w.of, u)
}

// evidence is the logarithm of the density of values under warps, at fixed hyperparameters. Cost O(n²) each.
type evidence struct {
	posterior *surrogate.Posterior
	u         []float64
}

// of returns -Inf for a warp that is impossible.
func (e evidence) of(w valueWarp, ok bool) float64 {
	if !ok {
		return math.Inf(-1)
	}
	value := e.posterior.Retarget(w.all(e.u)).LogEvidence() + w.logSlopes(e.u)
	if math.IsNaN(value) {
		return math.Inf(-1)
	}
	return value
}

// Where the search for a step of a tanh warp looks first, in standard deviations of the values.
var (
	stepHeights = []float64{0.5, 1, 2, 4}
	stepRates   = []float64{0.5, 1, 2, 5}
	stepOffsets = []float64{-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2}
	// Where it goes from there, in the logarithms of height and rate and in the offset: height and rate make up for each
	// other.
	stepDirections = [][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, -1, 0}}
)

const (
	stepsAtMost = 2
	stepPrice   = 1.5 // of a step in the log evidence, times log n
	stepSweeps  = 12  // of the search that refines a step
	stepFirst   = 0.4 // its first move: of the logarithms of height and rate
	stepLeast   = 0.02
	stepHighest = 20 // height and rate
)

// fitTanh adds steps to the identity, one after another, each from the best of a grid refined by a search along directions. A
// step stays if it raises the log evidence by more than 3/2·log n, the price of its three numbers (Schwarz 1978).
func fitTanh(w valueWarp, prior surrogate.Prior, x []space.Unit, u []float64) (valueWarp, bool) {
	best, ok := w.through(calibration.TanhWarp{}, u)
	p, err := prior.Condition(x, u, nil)
	if err != nil || !ok {
		return best, false
	}
	e := evidence{p, u}
	top := e.of(best, true)
	for range stepsAtMost {
		next, value := e.withStep(best)
		if !(value > top+stepPrice*math.Log(float64(len(u)))) {
			break
		}
		best, top = next, value
	}
	return best, true
}

// withStep returns the warp with the best further step that was found, and its evidence.
func (e evidence) withStep(w valueWarp) (valueWarp, float64) {
	old := w.of.(calibration.TanhWarp)
	try := func(s [3]float64) (valueWarp, float64) {
		next, ok := w.through(calibration.TanhWarp{
			A: append(slices.Clip(old.A), s[0]), B: append(slices.Clip(old.B), s[1]), C: append(slices.Clip(old.C), s[2]),
		}, e.u)
		return next, e.of(next, ok)
	}
	var at [3]float64
	best, top, size := w, math.Inf(-1), stepFirst
	for _, a := range stepHeights {
		for _, b := range stepRates {
			for _, c := range stepOffsets {
				if next, value := try([3]float64{a, b, c}); value > top {
					at, best, top = [3]float64{a, b, c}, next, value
				}
			}
		}
	}
	for range stepSweeps {
		before := top
		for _, d := range stepDirections {
			for _, sign := range []float64{size, -size} {
				moved := [3]float64{
					min(at[0]*math.Exp(sign*d[0]), stepHighest), min(at[1]*math.Exp(sign*d[1]), stepHighest), at[2] + sign*d[2],
				}
				if next, value := try(moved); value > top {
					at, best, top = moved, next, value
				}
			}
		}
		if top == before {
			size /= 2
		}
		if size < stepLeast {
			break
		}
	}
	return best, top
}
