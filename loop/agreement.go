package loop

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Two values at one point that are the same say that there is no noise, unless they may well be the same by chance: a click is 0 or 1, a rating one of five
// numbers, a share of ten cases one of eleven. So how likely that is decides how many such pairs it takes. Under noise values at one point are the same at least as
// often as those of different points; and those that are told in steps at least as often as one in how many there are, but for steps that are small beside any noise
// that matters. How often is not the same at all points, but beta distributed around that mean: the third equal value at a point tells less than the second.
const (
	byChance       = 0.005 // below which pairs are not the same by chance
	matteringNoise = 0.1   // standard deviation, of that of the values
	alikePoints    = 2     // of the beta distribution the first parameter
)

// agrees reports whether values at one point were always the same, and that is no chance. Cost O(n·d) for each point that has several, and O(n log n) where values are
// told in few digits.
func (l *Loop) agrees() bool {
	if len(l.ledger.agreed) == 0 || l.ledger.differ {
		return false
	}
	chance, step := 1.0, l.chanceOfSteps()
	before, pairs, mean := 0, 0.0, 0.0
	for _, number := range l.ledger.agreed {
		if number != before {
			before, pairs, mean = number, 0, max(l.sameElsewhere(l.ledger.get(number)), step)
		}
		if chance *= mean * (alikePoints + pairs) / (alikePoints + mean*pairs); chance <= byChance {
			return true
		}
		pairs++
	}
	return false
}

// sameElsewhere returns which share of the values at other points, whatever their fidelity, is that of an evaluation; 0 without any. Cost O(n·d).
func (l *Loop) sameElsewhere(of *Evaluation) float64 {
	same, others := 0, 0
	actions := l.config.Space.Actions()
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if e.Status.Valued() && slices.ContainsFunc(actions, func(j int) bool { return e.X[j] != of.X[j] }) {
			others++
			same += bit(e.Value == of.Value)
		}
	}
	return float64(same) / float64(max(others, 1))
}

// chanceOfSteps is how often values under noise that matters are the same since they are told in steps, the decimal unit that all of them are told in: the density of
// the difference of two normal values around 0 times that unit, and at most one in how many different values there are.
func (l *Loop) chanceOfSteps() float64 {
	var values []float64
	for i := range l.ledger.evaluations {
		if e := &l.ledger.evaluations[i]; e.Status.Valued() {
			values = append(values, e.Value)
		}
	}
	if len(values) == 0 {
		return 1
	}
	spread := stat.PopStdDev(values, nil)
	if spread == 0 {
		spread = math.Abs(values[0])
	}
	step := math.Inf(1)
	for _, v := range values {
		if step = min(step, resolution(v)); step <= byChance*2*math.SqrtPi*matteringNoise*spread {
			return 0
		}
	}
	slices.Sort(values)
	return min(step/(2*math.SqrtPi*matteringNoise*spread), 1/float64(len(slices.Compact(values))))
}

// resolution is the unit of the last digit that a value needs, such as 0.01 for 0.25; infinite for 0, which has none.
func resolution(value float64) float64 {
	if value == 0 {
		return math.Inf(1)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(value, 'e', -1, 64), "e")
	power, _ := strconv.Atoi(exponent)
	_, digits, _ := strings.Cut(mantissa, ".")
	return math.Pow10(power - len(digits))
}
