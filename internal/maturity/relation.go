package maturity

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Pair is what an evaluation had reported at a step, and its value at the end.
type Pair struct{ Interim, Final float64 }

// MinPairs is how many pairs it takes to say anything.
const MinPairs = 5

const (
	shrinkage  = 1    // pairs at the mean by which the slope is drawn to zero: a report says nothing until it is seen that it does
	mostUnsure = 0.95 // share of the spread of finals which a report must leave less of to be a measurement
)

// Relation is final = a + b·interim with a residual variance, at one step. The zero Relation knows nothing.
type Relation struct {
	n            float64 // pairs
	x, y         float64 // means of the pairs, in units of the scales
	slope        float64
	residual     float64 // variance
	sum          float64 // of squares of the interims around their mean, with that of the shrinkage
	middle, wide float64 // mean and variance of the finals to expect of all interims, those without a final too
	scaleX       float64
	scaleY       float64
}

// Learn returns the relation of pairs by least squares, with the slope shrunk towards zero. Interims are those of all evaluations
// that were at the step, also of those that have not come to their end or never will: from the pairs alone the spread of the finals would
// be too narrow where the worst are stopped. With fewer than MinPairs pairs, or where all interims are alike, it knows nothing. Cost O(n).
func Learn(pairs []Pair, interims []float64) Relation {
	n := len(pairs)
	if n < MinPairs {
		return Relation{}
	}
	r := Relation{n: float64(n), scaleX: 1, scaleY: 1}
	r.scale(pairs, interims)
	xx := r.fit(pairs, func(Pair) float64 { return 1 })
	if xx == 0 {
		return Relation{}
	}
	r.spread(interims, xx/float64(n-1))
	return r
}

// scale sets the units: the greatest magnitudes, so that no square overflows.
func (r *Relation) scale(pairs []Pair, interims []float64) {
	greatestX, greatestY := 0.0, 0.0
	for _, p := range pairs {
		greatestX, greatestY = max(greatestX, math.Abs(p.Interim)), max(greatestY, math.Abs(p.Final))
	}
	for _, x := range interims {
		greatestX = max(greatestX, math.Abs(x))
	}
	if greatestX > 0 {
		r.scaleX = greatestX
	}
	if greatestY > 0 {
		r.scaleY = greatestY
	}
}

// fit does weighted least squares with n, the number of pairs that the weights are worth, and returns the sum of squares of the interims around
// their mean, 0 where they are all alike.
func (r *Relation) fit(pairs []Pair, weight func(Pair) float64) (xx float64) {
	total := 0.0
	for _, p := range pairs {
		total += weight(p)
	}
	share := func(p Pair) float64 { return r.n * weight(p) / total }
	for _, p := range pairs {
		r.x += share(p) * (p.Interim / r.scaleX / r.n)
		r.y += share(p) * (p.Final / r.scaleY / r.n)
	}
	var xy float64
	for _, p := range pairs {
		dx, dy := p.Interim/r.scaleX-r.x, p.Final/r.scaleY-r.y
		xx += share(p) * dx * dx
		xy += share(p) * dx * dy
	}
	const alike = 1e-24 // squares of twelve digits
	if r.sum = xx * (1 + shrinkage/r.n); xx <= alike*r.n {
		xx, r.sum = 0, math.Inf(1)
	}
	r.slope = xy / r.sum
	for _, p := range pairs {
		d := p.Final/r.scaleY - r.y - r.slope*(p.Interim/r.scaleX-r.x)
		r.residual += share(p) * d * d / (r.n - 2)
	}
	return xx
}

// spread says where finals are to be expected before anything is reported, given the variance of the interims of the pairs.
func (r *Relation) spread(interims []float64, variance float64) {
	middle := r.x
	if m := float64(len(interims)); m > 1 {
		middle, variance = 0, 0
		for _, x := range interims {
			middle += x / r.scaleX / m
		}
		for _, x := range interims {
			d := x/r.scaleX - middle
			variance += d * d / (m - 1)
		}
	}
	r.middle = r.y + r.slope*(middle-r.x)
	r.wide = r.slope*r.slope*variance + r.residual
}

// Known reports whether the relation says anything.
func (r Relation) Known() bool { return r.n > 0 }

// Prediction is the law of the value at the end: Student's, with a place, a scale and degrees of freedom.
type Prediction struct{ Mean, Scale, Freedom float64 }

// Final returns what to expect at the end of an evaluation that reported an interim value; false where the relation knows nothing, or
// numbers would not be finite.
func (r Relation) Final(interim float64) (Prediction, bool) {
	if !r.Known() {
		return Prediction{}, false
	}
	mean, variance := r.at(interim)
	p := Prediction{Mean: mean * r.scaleY, Scale: math.Sqrt(variance) * r.scaleY, Freedom: r.n - 2}
	return p, finite(p.Mean) && finite(p.Scale)
}

// at returns mean and squared scale of the final, in units of the scales.
func (r Relation) at(interim float64) (mean, variance float64) {
	d := interim/r.scaleX - r.x
	return r.y + r.slope*d, r.residual * (1 + 1/r.n + d*d/r.sum)
}

// Exceeds returns the probability that the value at the end is greater than another.
func (p Prediction) Exceeds(other float64) float64 {
	if p.Scale == 0 {
		switch {
		case p.Mean > other:
			return 1
		case p.Mean < other:
			return 0
		}
		return 0.5
	}
	t := other/p.Scale - p.Mean/p.Scale
	tail := mathext.RegIncBeta(p.Freedom/2, 0.5, p.Freedom/(p.Freedom+t*t)) / 2
	if t < 0 {
		return 1 - tail
	}
	return tail
}

// Measurement is a value with the variance of its noise.
type Measurement struct{ Value, Variance float64 }

// Measurement returns what a report alone says of the value at the end. Final is a belief about it, in which the values of the other
// evaluations have their part; a model that knows these itself must not hear of them twice. So they are taken out again: of two normal
// laws whose product is the belief one is that of the finals, and the other is this. It returns false where the relation knows
// nothing, or the report leaves nearly all of the spread of the finals.
func (r Relation) Measurement(interim float64) (Measurement, bool) {
	if !r.Known() {
		return Measurement{}, false
	}
	mean, variance := r.at(interim)
	freedom := r.n - 2
	variance *= freedom / (freedom - 2) // of Student's law
	if !(variance < mostUnsure*r.wide) {
		return Measurement{}, false
	}
	variance = max(variance, 1e-12*r.wide)
	precision := 1/variance - 1/r.wide
	m := Measurement{Value: (mean/variance - r.middle/r.wide) / precision * r.scaleY, Variance: 1 / precision * r.scaleY * r.scaleY}
	return m, finite(m.Value) && finite(m.Variance) && m.Variance > 0
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
