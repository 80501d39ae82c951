package loop

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// Without noise the best value that came is what it is, whatever a model makes of it: on values that differ by orders of magnitude the greatest
// mean can be far from the best point. Under noise the best value is partly luck. A model learns some noise where there is none too, the more so
// the steeper a function is and the more kinks it has; where fits choose the model it learns less, and errs less. Then the mean knows better from the lesser
// of these variances on, unless there is a reason to doubt the noise: a rougher function explains the answers nearly as well, good values are the same at several points, as shares of
// a count are, or the best contradicts the model, as a narrow peak does, and a gross error where there are several. docs/policies.md has what that is worth.
const (
	littleNoise    = 3e-5 // variance, of that of the values, below which there is none where fits choose the model, and no fidelity
	doubtfulNoise  = 2e-3 // and below which there is none otherwise: then luck costs no more than the errors of the model
	believedNoise  = 20   // nats of evidence that noise must be worth, between the two
	contradicting  = 4    // standard deviations of the noise by which the best value is better than the mean, and contradicts it
	grossErrors    = 3    // outliers from which on a best value that is one of them is an error, and not a narrow peak
	sureDeviations = 3    // by which a mean elsewhere must be better than the best value
)

// noiseless reports whether values are what the function is, nearly: by the variance of the noise that was learned, unless two values at one point
// differed, or because those at one point were the same. Hyperparameters that the user knows are left to the model.
func (l *Loop) noiseless(noise float64) bool { return l.noiseBelow(l.leastNoise(), noise) }

// learnedNoise is the variance of the noise that was learned last, or for an outlook alone.
func (l *Loop) learnedNoise(o model.Outlook) float64 {
	if o.Learned || l.counts.Fits == 0 {
		return o.Belief.Posterior.Prior().Noise
	}
	return l.noise()
}

// leastNoise is the variance, of that of the values, below which there is none.
func (l *Loop) leastNoise() float64 {
	if _, has := l.config.Space.Fidelity(); l.config.Traits.Adapts && !has {
		return littleNoise
	}
	return doubtfulNoise
}

// noiseBelow is noiseless by another variance.
func (l *Loop) noiseBelow(least, noise float64) bool {
	if l.ledger.differ || l.config.Model.Known() {
		return false
	}
	return noise < least || l.agrees()
}

// takenForBest reports whether the point of the best value is taken for the best point, whatever the model expects elsewhere. Cost O(n²), and
// that of Outlook.NoiseWorth where the noise is in doubt.
func (l *Loop) takenForBest(o model.Outlook, best *Evaluation) bool {
	switch noise := l.learnedNoise(o); {
	case l.noiseless(noise):
		return true
	case !l.noiseBelow(doubtfulNoise, noise), l.error(o.Belief, best):
		return false
	}
	b := o.Belief
	mean, _ := b.Posterior.Predict(best.X)
	contradicts := b.Units.To(l.config.Sense().Sign()*best.Value)-mean > contradicting*math.Sqrt(b.Posterior.Noise())
	return contradicts || l.ties() || o.NoiseWorth() < believedNoise
}

// error reports whether the best value is one of several that are far from what all others say. Cost O(n) where there are such.
func (l *Loop) error(b model.Belief, best *Evaluation) bool {
	return len(b.Outliers) >= grossErrors && slices.Contains(l.lucky(b), best.Number)
}

// ties reports whether two of the better half of the values are the same, as under noise they hardly ever are. Cost O(n log n).
func (l *Loop) ties() bool {
	var values []float64
	for i := range l.ledger.evaluations {
		if e := &l.ledger.evaluations[i]; e.Counts() && !l.penalized(e) {
			values = append(values, l.config.Sense().Sign()*e.Value)
		}
	}
	slices.Sort(values)
	better := values[len(values)/2:]
	return len(slices.Compact(better)) < len(better)
}

// recommended returns the number of the admissible evaluation to recommend, and what the model says there; 0 without one, or where that
// cannot be said.
func (l *Loop) recommended(o model.Outlook, a admissible) (number int, p Prediction) {
	best := l.bestOf(a)
	if best == nil {
		return 0, Prediction{}
	}
	if !l.takenForBest(o, best) {
		if number, p = l.mostExpected(o, a); number > 0 {
			return number, p
		}
	}
	mean, variance := o.Belief.Posterior.Predict(best.X)
	p, err := l.prediction(o.Belief, mean, variance)
	if err != nil {
		return 0, p
	}
	return best.Number, p
}

// mostExpected returns the number of the evaluation with a value that the model sees whose mean is greatest, the first of equals,
// and what the model says there; 0 without one, or where that cannot be said. It is an admissible one: where a constraint is violated a value does not
// count, nor one that is set aside as far too good.
func (l *Loop) mostExpected(o model.Outlook, a admissible) (number int, p Prediction) {
	b, lucky := o.Belief, l.lucky(o.Belief)
	row := o.Best(func(number int) bool { return a.may(l.ledger.get(number)) && !slices.Contains(lucky, number) })
	if row < 0 {
		return 0, Prediction{}
	}
	p, err := l.prediction(b, b.Posterior.RowMeans()[row], b.Posterior.VarianceAt(row))
	if err != nil {
		return 0, p
	}
	return l.firstOf(b.Rows[row], a, lucky), p
}

// firstOf is the first of the admissible evaluations with values at the point of one, but for the lucky: all are expected alike there, whatever round-off says.
func (l *Loop) firstOf(number int, a admissible, lucky []int) int {
	for e := range l.ledger.at(l.ledger.get(number).X) {
		if e.Number < number && e.Status.Valued() && a.may(e) && !slices.Contains(lucky, e.Number) {
			number = e.Number
		}
	}
	return number
}

// lucky are the numbers of the outliers of a model whose values are better than what it expects there. Cost O(n) where there are outliers.
func (l *Loop) lucky(b model.Belief) (numbers []int) {
	if len(b.Outliers) == 0 {
		return nil
	}
	sign, means := l.config.Sense().Sign(), b.Posterior.RowMeans()
	for i, number := range b.Rows {
		if slices.Contains(b.Outliers, number) && b.Units.To(sign*l.ledger.get(number).Value) > means[i] {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// Recommend returns the point, in user units, where the model expects the best of the function, given the context in user units
// where the space has context parameters; under noise it need not have been queried, unless so much less is known there that a query is the safer choice, by
// the mean less one standard deviation. Where queries fail it is one that is nearly sure to
// succeed. Where there is no context, and hardly any noise, it is where the best value came, unless the model is sure of more; without any
// noise always, but for a fidelity: then where more came than is expected. Nothing changes, and no budget is spent. Errors and cost
// are those of Predict, and a search's besides.
func (l *Loop) Recommend(context space.Point) (space.Point, Prediction, error) {
	where := l.config.Space
	if err := where.ContainsContext(context); err != nil {
		return nil, Prediction{}, err
	}
	b, err := l.believe()
	if err != nil {
		return nil, Prediction{}, err
	}
	outlooks, err := l.outlooks()
	if err != nil {
		return nil, Prediction{}, err
	}
	view := policies.View{Belief: b.Search, Space: where, Earlier: l.earlier, Queries: l.ledger.queries, History: l.ledger.history, Constraints: l.soughtBy(outlooks)}
	var at space.Unit
	for j, i := range where.Contexts() {
		at = append(at, where.Parameter(i).Unit(context[j]))
	}
	view.Context = where.Hold(at, where.Target())
	stream := rng.New(l.config.Seed, rng.Recommend, uint64(len(l.ledger.evaluations)))
	choose := view.MostExpected
	if l.showCaution(&view); l.cautious() {
		choose = view.SafeAnswer
	}
	u := choose(stream)
	mean, variance := b.Belief.Posterior.Predict(u)
	p, err := l.prediction(b.Belief, mean, variance)
	a := l.admissible(outlooks)
	if best := l.bestOf(a); best != nil && len(context) == 0 && a.only == 0 {
		if l.prefers(b, best, p) {
			mean, variance = b.Belief.Posterior.Predict(best.X)
			u = best.X
			p, err = l.prediction(b.Belief, mean, variance)
		} else if number, q := l.mostExpected(b, a); number > 0 && err == nil && l.surer(q, p) {
			u, p = l.ledger.get(number).X, q
		}
	}
	if number := l.ledger.first(u); number > 0 {
		return l.ledger.get(number).Point(where), p, err
	}
	return where.Value(u), p, err
}

// surer reports whether what is expected at a point that was queried is better than elsewhere, each less one standard deviation: the greatest
// mean of all may be where nothing is known.
func (l *Loop) surer(queried, elsewhere Prediction) bool {
	sense := l.config.Sense()
	least := func(p Prediction) float64 { return p.Mean - sense.Sign()*p.Stddev }
	return !l.cautious() && sense.Better(least(queried), least(elsewhere))
}

// prefers reports whether the best value that came is to be recommended, and not what is expected elsewhere: a model that errs may be sure of
// itself, and a value that has no noise is what it is.
func (l *Loop) prefers(o model.Outlook, best *Evaluation, p Prediction) bool {
	if !l.takenForBest(o, best) {
		return false
	}
	sense := l.config.Sense()
	if _, has := l.config.Space.Fidelity(); has {
		return sense.Compare(best.Value, p.Mean) < 0
	}
	exact := l.silent() || l.learnedNoise(o) < quietNoise
	return exact || sense.Compare(best.Value, p.Mean-sense.Sign()*sureDeviations*p.Stddev) < 0
}
