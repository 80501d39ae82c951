package surrogate

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// UnitsLaw is what is believed of the units of a task's values y = shift + scale·u before any of them, where u are the targets of a prior that does
// not standardize: the shift is normal, and so is the logarithm of the scale.
type UnitsLaw struct {
	Shift, ShiftDeviation       float64
	LogScale, LogScaleDeviation float64
}

// Units returns the shift and the scale in which values y (length n, at least one) at the points x have the greatest posterior density, and the log density of
// the values themselves in these units under the prior. Errors are those of Condition. Cost O(n³).
func (p Prior) Units(law UnitsLaw, x []space.Unit, y []float64) (shift, scale, logDensity float64, err error) {
	post, err := p.Condition(x, filled(len(x), 0), nil)
	if err != nil {
		return 0, 0, 0, err
	}
	n := len(x)
	ones, means := filled(n, 1), make([]float64, n)
	for i := range means {
		means[i] = post.rowMean(i)
	}
	values, pivot := append([]float64(nil), y...), y[0] // products of values far from 0 would have no digits of their spread
	for _, v := range y {
		pivot += (v - y[0]) / float64(n)
	}
	floats.AddConst(-pivot, values)
	law.Shift -= pivot
	post.factor.forward(0, 0, ones, values, means)
	q := unitsQuest{
		law: law, n: float64(n), ones: floats.Dot(ones, ones), values: floats.Dot(values, values), means: floats.Dot(means, means),
		onesValues: floats.Dot(ones, values), onesMeans: floats.Dot(ones, means), valuesMeans: floats.Dot(values, means),
	}
	logScale := q.best()
	shift, scale = q.shift(logScale), math.Exp(logScale)
	logDensity = q.fit(logScale, shift) - 0.5*q.n*logTwoPi
	for i := range n {
		logDensity -= math.Log(post.factor.diag(i))
	}
	return shift + pivot, scale, logDensity, nil
}

// unitsQuest are the inner products of L⁻¹1, L⁻¹y and L⁻¹m, on which alone the density of the values depends.
type unitsQuest struct {
	law                                UnitsLaw
	n, ones, values, means             float64
	onesValues, onesMeans, valuesMeans float64
}

// shift returns the best one at a scale.
func (q *unitsQuest) shift(logScale float64) float64 {
	c := math.Exp(logScale)
	precision := 1 / (q.law.ShiftDeviation * q.law.ShiftDeviation)
	return ((q.onesValues-c*q.onesMeans)/(c*c) + q.law.Shift*precision) / (q.ones/(c*c) + precision)
}

// fit is the log density of the values but for what does not depend on the units.
func (q *unitsQuest) fit(logScale, shift float64) float64 {
	c := math.Exp(logScale)
	squares := q.values + shift*shift*q.ones + c*c*q.means - 2*shift*q.onesValues - 2*c*q.valuesMeans + 2*shift*c*q.onesMeans
	return -0.5*max(squares, 0)/(c*c) - q.n*logScale
}

// posterior is the log posterior density of a scale with its best shift.
func (q *unitsQuest) posterior(logScale float64) float64 {
	shift := q.shift(logScale)
	a, b := (shift-q.law.Shift)/q.law.ShiftDeviation, (logScale-q.law.LogScale)/q.law.LogScaleDeviation
	return q.fit(logScale, shift) - 0.5*(a*a+b*b)
}

const (
	unitsSpread = 6  // deviations of the logarithm of a scale that are searched, to both sides
	unitsGrid   = 96 // points that are looked at first
	unitsSteps  = 40 // of the golden section after that
)

// best returns the logarithm of the best scale.
func (q *unitsQuest) best() float64 {
	low, step := q.law.LogScale-unitsSpread*q.law.LogScaleDeviation, 2*unitsSpread*q.law.LogScaleDeviation/unitsGrid
	at, most := 0, math.Inf(-1)
	for i := range unitsGrid + 1 {
		if v := q.posterior(low + float64(i)*step); v > most {
			at, most = i, v
		}
	}
	a, b := low+float64(at-1)*step, low+float64(at+1)*step
	golden := (math.Sqrt(5) - 1) / 2
	for range unitsSteps {
		c, d := b-golden*(b-a), a+golden*(b-a)
		if q.posterior(c) > q.posterior(d) {
			b = d
		} else {
			a = c
		}
	}
	return (a + b) / 2
}
