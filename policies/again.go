package policies

import (
	"slices"

	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/space"
)

// autoFar is in how many dimensions points are far apart at most where a few dozen of them tell noise from a function that is rough.
const autoFar = 6

// again returns the point of the best value where it should be queried once more, to see whether values have noise; otherwise nil. Two values at one point tell
// for certain. That is so once, after the queries that keep apart, where no point was queried again. Where the model sees noise that may be kinks or levels of a function that it cannot follow, and what
// is taken for the best by its mean is then worse than a value that came. Where it sees none in a continuous space of more than autoFar
// dimensions points are too far apart to tell: it explains noise by a function that is rough, and takes what was luck for the best. With contexts
// or a fidelity never, nor where parameters depend on others, since no configuration is asked for twice there as far as values may have no noise. Nor is one where all are discrete, unless the model sees
// noise and expects more where another value came: then what is recommended depends on it. But where a
// model of a finite space is so rough that no value tells of another, noise is the likelier, and a query is lost at most. Before there are values enough for a
// fit a model has seen nothing of noise, whatever it begins with. Cost O(n·d).
func (v View) again(avoid []space.Unit) space.Unit {
	_, multifidelity := v.Space.Fidelity()
	far := v.Quiet && v.noise() < autoNoisy && v.Space.Continuous() && v.Space.Varying() > autoFar
	switch {
	case multifidelity || len(v.Context) > 0 || len(v.History) < model.FitFirst:
		return nil
	case v.Quiet && v.tellsNothing(): // early too, since nothing guides the search
	case v.Round <= autoYoung || v.Space.Conditional() || !far && !v.seesNoise():
		return nil
	case !v.Space.Endless() && !v.expectsMore():
		return nil
	}
	at := make(map[uint64]bool, len(v.Queries))
	for _, q := range v.Queries {
		hash := space.Hash(q.X)
		if at[hash] {
			return nil // was queried again
		}
		at[hash] = true
	}
	if best := v.bestAnswer(); best != nil && !v.mayFail(best.Query.X) && !slices.ContainsFunc(avoid, func(x space.Unit) bool { return slices.Equal(x, best.Query.X) }) {
		return best.Query.X
	}
	return nil
}

const (
	autoLevels = 12   // of a parameter, and values, from which on it shows that none of them tells of those beside it
	autoAlike  = 0.65 // the correlation of a value with that of the next level, below which it tells next to nothing of it
)

// tellsNothing reports whether the model of a finite space sees a function so rough that values along a parameter of many levels tell next to
// nothing of those beside them. Noise looks the same. Cost O(d²).
func (v View) tellsNothing() bool {
	of, general := stationary(v.Posterior.Prior().Kernel)
	if !general || v.Space.Combinations() == 0 || len(v.History) < autoLevels {
		return false
	}
	of.Constant = 0
	return slices.ContainsFunc(v.Space.Actions(), func(i int) bool {
		p := v.Space.Parameter(i)
		if p.Kind == space.KindCategorical || p.Levels() < autoLevels {
			return false
		}
		here, beside := make(space.Unit, v.Space.Dim()), make(space.Unit, v.Space.Dim())
		beside[i] = 1 / float64(p.Levels())
		return of.Eval(here, beside) < autoAlike*of.Diag(here)
	})
}

// expectsMore reports whether the model expects more at the point of another answer than where the best value came: what pends is hallucinated at its mean, and changes none. Cost O(n).
func (v View) expectsMore() bool {
	best := v.bestAnswer()
	if best == nil {
		return false
	}
	means, pending := v.Posterior.RowMeans(), v.pendingRows()
	at := slices.Index(v.Rows, best.Query.Number)
	if at < 0 {
		return false
	}
	for row, mean := range means {
		if _, pends := slices.BinarySearch(pending, row); !pends && mean > means[at] {
			return true
		}
	}
	return false
}

// seesNoise reports whether the model has learned of noise: more than what came with the values.
func (v View) seesNoise() bool { return v.Posterior.Noise() >= autoNoisy }

// againWhy says why the best is queried again.
func (v View) againWhy() string {
	if v.Quiet && v.tellsNothing() {
		return "the point of the best value is measured once more: the model sees a function so rough that no value tells of those beside it, which may be noise, and two values at one point tell"
	}
	if v.seesNoise() {
		return "the point of the best value is measured once more: the model sees noise, which may be a function that it cannot follow, and two values at one point tell"
	}
	return "the point of the best value is measured once more: in several dimensions the model may explain noise by a function that is rough, and two values at one point tell"
}

// bestAnswer is the one with the greatest value, of those that may be the best; nil without any. Cost O(n).
func (v View) bestAnswer() (best *Answer) {
	for i := range v.History {
		if a := &v.History[i]; a.counts() && (best == nil || a.Value > best.Value) {
			best = a
		}
	}
	return best
}
