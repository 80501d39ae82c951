package loop

import (
	"math"

	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/space"
)

// What is recommended must be feasible. A margin without noise says by itself whether it is. Under noise the margin that was measured where the best
// value came is luck as much as that value, and the model decides: each constraint is expected to hold, which is with a probability of at least a half,
// as where the policy searches. Where the noise of a margin is in doubt, as that of a value may be, the model decides where it contradicts what was measured.

// admissible are the evaluations that may be recommended: those that count and lack nothing.
type admissible struct {
	noisy []noisyMargin
	only  int // the one that lacks least, where all lack something; 0: all that lack nothing
}

// noisyMargin is what is believed of a margin that is measured with noise.
type noisyMargin struct {
	model.Belief
	means map[int]float64 // by number, of the queries that the model has a row for
	least float64         // which the mean must reach, in the units of the model
}

// meansOf are the means of a belief by number. Cost O(n).
func meansOf(b model.Belief) map[int]float64 {
	means := make(map[int]float64, len(b.Rows))
	for row, mean := range b.Posterior.RowMeans() {
		means[b.Rows[row]] = mean
	}
	return means
}

// admissible judges the evaluations that count, by what is believed of each constraint. Cost O(n) for each, O(n²) where every evaluation lacks something, and that of
// Outlook.NoiseWorth where the noise of a margin is in doubt.
func (l *Loop) admissible(constraints []model.Outlook) (a admissible) {
	for _, o := range constraints {
		if slack := l.slack(o); !math.IsInf(slack, 1) {
			a.noisy = append(a.noisy, noisyMargin{o.Belief, meansOf(o.Belief), o.Belief.Units.To(0) - slack})
		}
	}
	return l.orLeastLacking(a)
}

// orLeastLacking finds the evaluation that lacks least where all lack something.
func (l *Loop) orLeastLacking(a admissible) admissible {
	least, lacking := 0, math.Inf(1)
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if !e.Counts() {
			continue
		}
		switch lack := a.lack(e.Number, e.X); {
		case lack == 0:
			return a
		case lack < lacking:
			least, lacking = e.Number, lack
		}
	}
	a.only = least
	return a
}

// slack is by how much the expected margin of a constraint may be too small, in the units of the model: +Inf where margins are measured without noise.
func (l *Loop) slack(o model.Outlook) float64 {
	switch noise := o.Belief.Posterior.Noise(); {
	case noise < littleNoise:
		return math.Inf(1)
	case noise < l.leastNoise(), noise < doubtfulNoise && o.NoiseWorth() < believedNoise:
		return contradicting * math.Sqrt(noise)
	}
	return 0
}

// lack is what the expected margins lack most at a query, of those with noise and in the units of their models. Cost O(1) where the models have a row for it,
// otherwise O(n).
func (a admissible) lack(number int, x space.Unit) (lack float64) {
	for _, m := range a.noisy {
		mean, there := m.means[number]
		if !there {
			mean = m.Posterior.Mean(x)
		}
		lack = max(lack, m.least-mean)
	}
	return lack
}

// may reports whether an evaluation may be recommended: one that counts. Cost that of lack.
func (a admissible) may(e *Evaluation) bool {
	switch {
	case !e.Counts():
		return false
	case a.only > 0:
		return e.Number == a.only
	}
	return a.lack(e.Number, e.X) == 0
}
