package loop

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/tarry-bo/tarry/model"
)

// Two values at one point that are the same say that there is no noise, unless they may well be the same by chance: a click is 0 or 1, a rating one of five
// numbers, a share of ten cases one of eleven. So how likely that is decides how many such pairs it takes. Under noise values at one point are the same at least as
// often as those of different points; and those that are told in steps at least as often as one in how many there are, but for steps that are small beside any noise
// that matters. How often is not the same at all points, but beta distributed around that mean: the third equal value at a point tells less than the second.
//
// Values at infeasible points, which are measured as well, tell of the noise like others, unless they mean nothing. Margins of constraints may be noisy where values are exact, as a measured dose is whose price
// is known: those that differ at one point say so, see feasibilityDoubtful, and none that did in a few pairs that they are as exact as the values. Flags that are exact agree at nearly all points, and would never be certain by the rule for values.
const (
	coarsePairs    = 3     // of evaluations at one point without any difference, from which on margins in few digits are exact
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
	chance, step := 1.0, l.chanceOfSteps((*Loop).valueOf)
	before, pairs, mean := 0, 0.0, 0.0
	for _, number := range l.ledger.agreed {
		if l.penalized(l.ledger.last(l.ledger.get(number).X, l.remembers)) {
			continue
		}
		if number != before {
			before, pairs, mean = number, 0, max(l.sameElsewhere(l.ledger.last(l.ledger.get(number).X, l.remembers)), step)
		}
		if chance *= mean * (alikePoints + pairs) / (alikePoints + mean*pairs); chance <= byChance {
			return true
		}
		pairs++
	}
	return false
}

// compare notes whether the value of an evaluation is that of another at the same point, and whether the margins of constraints are. If not all at a point are the
// same, that is noticed in whatever order they come.
func (l *Loop) compare(e *Evaluation) {
	paired := 0
	for other := range l.ledger.at(e.X) {
		if other.Number == e.Number || !l.learned(other) {
			continue
		}
		paired = 1
		l.ledger.scatter = l.ledger.scatter || len(l.config.Constraints) > 0 && !slices.Equal(other.Constraints, e.Constraints)
		if l.remembers(e) && l.remembers(other) {
			first := l.ledger.first(e.X)
			at, _ := slices.BinarySearch(l.ledger.agreed, first)
			l.ledger.agreed = slices.Insert(l.ledger.agreed, at, first)
			l.ledger.differ = l.ledger.differ || other.Value != e.Value
			break
		}
	}
	l.ledger.pairs += paired
}

// judgedMargins reports whether it is certain that margins have no noise, or that they have. Cost O(n log n) for each where they are told in few digits.
func (l *Loop) judgedMargins() bool {
	if l.ledger.scatter || len(l.config.Constraints) == 0 || l.ledger.pairs >= coarsePairs {
		return true
	}
	for k := range l.config.Constraints {
		coarse := l.chanceOfSteps(func(_ *Loop, e *Evaluation) (float64, bool) { return marginOf(e, k) }) > 0
		fitted := l.counts.Fits > 0 && l.model.Noise(model.Constraint(k)) < noNoise
		if coarse || l.ledger.pairs == 0 && !fitted {
			return false
		}
	}
	return true
}

// valueOf is the value of an evaluation, and whether it has one that means something.
func (l *Loop) valueOf(e *Evaluation) (float64, bool) {
	return e.Value, l.remembers(e) && !l.penalized(e)
}

// marginOf is what an evaluation says of a constraint, and whether it says anything.
func marginOf(e *Evaluation, k int) (float64, bool) {
	if !e.Measured || k >= len(e.Constraints) {
		return 0, false
	}
	return e.Constraints[k], true
}

// sameElsewhere returns at which share of the other points, whatever their fidelity, the value is that of an evaluation; 0 without any. Points count once: values of one point are
// what is to be judged, and two points that are equally good, measured again in turn, would tell against each other. Cost O(n·d) where the last query of a point is seldom without a value.
func (l *Loop) sameElsewhere(of *Evaluation) float64 {
	same, others := 0, 0
	actions := l.config.Space.Actions()
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if l.remembers(e) && slices.ContainsFunc(actions, func(j int) bool { return e.X[j] != of.X[j] }) && l.ledger.last(e.X, l.remembers) == e {
			others++
			same += bit(e.Value == of.Value)
		}
	}
	return float64(same) / float64(max(others, 1))
}

// chanceOfSteps is how often numbers under noise that matters are the same since they are told in steps, the decimal unit that all of them are told in: the density of
// the difference of two normal values around 0 times that unit, and at most one in how many different ones there are.
func (l *Loop) chanceOfSteps(number func(l *Loop, e *Evaluation) (float64, bool)) float64 {
	var values []float64
	for i := range l.ledger.evaluations {
		if v, has := number(l, &l.ledger.evaluations[i]); has {
			values = append(values, v)
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
