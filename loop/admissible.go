package loop

import "github.com/tarry-bo/tarry/model"

// What is recommended must be feasible. A margin without noise says by itself whether it is. Under noise the margin that was measured where the best
// value came is luck as much as that value, and the model decides: each constraint is expected to hold, which is with a probability of at least a half,
// as where the policy searches.

// admissible are the evaluations that may be recommended.
type admissible struct {
	lacks []float64 // by number less one: what the expected margins lack most, of the constraints with noise and in the units of the model; nil: nothing
	only  int       // the one that lacks least, where all lack something; 0: all that lack nothing
}

// admissible judges the evaluations that count, by what is believed of each constraint. Cost O(n) for each, and that of Outlook.NoiseWorth where the noise
// of a margin is in doubt.
func (l *Loop) admissible(constraints []model.Outlook) admissible {
	if len(constraints) == 0 {
		return admissible{}
	}
	lacks := make([]float64, len(l.ledger.evaluations))
	for _, o := range constraints {
		if l.exact(o) {
			continue
		}
		least, means := o.Belief.Units.To(0), o.Belief.Posterior.RowMeans()
		for row, number := range o.Belief.Rows {
			lacks[number-1] = max(lacks[number-1], least-means[row])
		}
	}
	return l.lacking(lacks)
}

// lacking are the admissible evaluations by what their margins lack. Cost O(n).
func (l *Loop) lacking(lacks []float64) admissible {
	a := admissible{lacks: lacks}
	for i, lack := range lacks {
		switch {
		case !l.ledger.evaluations[i].Counts():
		case lack == 0:
			return admissible{lacks: lacks}
		case a.only == 0 || lack < lacks[a.only-1]:
			a.only = i + 1
		}
	}
	return a
}

// may reports whether an evaluation may be recommended: one that counts.
func (a admissible) may(e *Evaluation) bool {
	switch {
	case !e.Counts():
		return false
	case a.only > 0:
		return e.Number == a.only
	}
	return a.lacks == nil || a.lacks[e.Number-1] == 0
}

// exact reports whether the margins of a constraint are measured without noise, as takenForBest does of values.
func (l *Loop) exact(o model.Outlook) bool {
	noise := o.Belief.Posterior.Noise()
	switch least := l.leastNoise(); {
	case noise < least:
		return true
	case noise >= doubtfulNoise:
		return false
	}
	return o.NoiseWorth() < believedNoise
}
