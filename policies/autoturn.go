package policies

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// autoTurn is what a query of Auto is chosen by.
type autoTurn int

const (
	oneBound     autoTurn = iota // of two in three queries
	exploration                  // the third
	onlyBound                    // of all, in many dimensions, but for the third where values are noisy
	playedBound                  // of all, at contexts
	elsewhere                    // in place of every third of these, or of exploration where parameters depend on others, where that finds nothing new
	fartherBound                 // three times as wide, in place of one of the first two where that finds nothing to be told
	covering                     // of the space, in place of every second query while the model foretells nothing
	doubtfulBest                 // that may be feasible after all, where its turn finds a point that has a value, and values have no noise but margins
	stalledBound                 // as wide, without noise, where that finds what is known well and the last values were no better
)

// why says it in words.
func (t autoTurn) why() string {
	return [...]string{
		oneBound:     "two queries of three maximize a bound",
		exploration:  "every third query explores",
		onlyBound:    "in so many dimensions queries maximize a bound, and every third one explores only where values are noisy",
		playedBound:  "at contexts every query maximizes a bound, since it is a play that should earn something",
		elsewhere:    "there is nothing new at the point of its turn, and then every third query looks elsewhere, under a plain model",
		fartherBound: "the point of its turn is known better than by one value, and then every second query maximizes a bound three times as wide",
		covering:     "the values are no likelier under the model than as noise around their mean, and then every second query covers the space, by the point that leaves the least of it far from a query",
		doubtfulBest: "the point of its turn has a value, which has no noise; margins have, and a better point may be feasible after all",
		stalledBound: "the last values were no better than those before and the point of its turn is known well, and then every third query maximizes a bound three times as wide",
	}[t]
}

// turn is whose turn it is.
func (p Auto) turn(v View) autoTurn {
	many := v.Space.Varying() > autoExplores
	switch {
	case len(v.Space.Contexts()) > 0:
		return playedBound
	case v.Round%autoCovers == 1 && !p.Beta.Theory && v.foretellsNothing():
		return covering
	case v.Round%autoTurns == 0 && (!many || v.noise() >= autoNoisy):
		return exploration
	case many:
		return onlyBound
	}
	return oneBound
}

// choose returns the point of the turn, the turn, and the view that it looked at: where a value at that point would tell little, every
// second query looks farther, without noise every third, and in many dimensions every third looks elsewhere where there is nothing new.
func (p Auto) choose(v View, avoid []space.Unit, stream *rand.Rand) (x space.Unit, turn autoTurn, seen View) {
	if turn = p.turn(v); turn == covering {
		return v.cover(avoid, stream), turn, v
	}
	may := p.mayLookFarther(v, turn)
	if may && turn == oneBound && !v.bounded() {
		// Where a search sets out is near where it ends: what is known so much better there is not climbed for nothing.
		at := acquisition.Glance(acquisition.At{Posterior: v.Posterior, Utility: p.bound(v, turn)}, v.setOut(nil, avoid, rng.New(0, rng.Glance, uint64(v.Round))))
		if wide := v.farther(turn, at, autoGlance); wide != turn {
			return p.search(v, wide, avoid, stream), wide, v
		}
	}
	x = p.search(v, turn, avoid, stream)
	if may {
		if wide := v.farther(turn, x, 1); wide != turn {
			return p.search(v, wide, avoid, stream), wide, v
		}
	}
	if v.tellsOnlyMargins(x) {
		avoid = append(slices.Clip(avoid), v.clear()...)
		return v.MaximizeGain(acquisition.At{Posterior: v.Posterior, Utility: acquisition.LogExpectedImprovement{Best: v.Target()}}, avoid, stream), doubtfulBest, v
	}
	if far, ok := p.lookElsewhere(v, turn, x); ok {
		return far.MaximizeGain(acquisition.At{Posterior: far.Posterior, Utility: acquisition.LogExpectedImprovement{Best: far.Target()}}, avoid, stream), elsewhere, far
	}
	return x, turn, v
}

// search maximizes the bound of a turn or, when it is its turn, the deviation among the points that may be the best.
func (p Auto) search(v View, turn autoTurn, avoid []space.Unit, stream *rand.Rand) space.Unit {
	if turn == exploration {
		f, _ := UCBPE{}.exploration(v)
		return v.Maximize(f, avoid, stream)
	}
	return v.Maximize(acquisition.At{Posterior: v.Posterior, Utility: p.bound(v, turn)}, avoid, stream)
}

// bound is the bound of a turn.
func (p Auto) bound(v View, turn autoTurn) acquisition.UpperConfidenceBound {
	beta := p.Beta.At(v, srinivasFailures, 0)
	if turn == fartherBound || turn == stalledBound {
		beta *= autoWide
	}
	return acquisition.UpperConfidenceBound{Beta: beta}
}

// mayLookFarther reports whether this query does so where its turn finds nothing to be told. Where parameters depend on others one without noise looks
// elsewhere instead, and at the bound of what is feasible the next digits count. In a list a wide bound costs at first what it gains later. With contexts a
// query is a play that should earn something, and with a fidelity it looks elsewhere than where it asks. A bound by the theory is wide in every query.
func (p Auto) mayLookFarther(v View, turn autoTurn) bool {
	if turn == onlyBound || p.Beta.Theory || len(v.Context) > 0 || v.listed() {
		return false
	}
	if v.noise() >= autoNoisy {
		return v.Round%autoFarther == 0 && v.ofAnyFunction()
	}
	return v.Round%autoTurns == 1 && v.stalled() && !v.Space.Conditional() && !v.bounded()
}

// farther is what a query whose turn found x is chosen by: a wide bound where less of the function is unknown there, given what pends, than one value has of noise
// or, without noise, where it is known well and the best has not become better. The turn itself otherwise. What may be unknown is a share of that, 1 for all.
func (v View) farther(turn autoTurn, x space.Unit, share float64) autoTurn {
	_, variance := v.Posterior.Predict(x)
	variance /= share
	switch noise := v.noise(); {
	case noise >= autoNoisy && variance < noise:
		return fartherBound
	case noise < autoNoisy && variance < autoClear*autoClear:
		return stalledBound
	}
	return turn
}

// stalled reports whether the last values made the best no better that is seen, as the model sees it: what a bound still finds there are digits. Cost O(n).
func (v View) stalled() bool {
	before, now := math.Inf(-1), math.Inf(-1)
	for i, a := range v.History {
		if !a.counts() {
			continue
		}
		if now = max(now, a.Value); i < len(v.History)-autoLast {
			before = max(before, a.Value)
		}
	}
	return len(v.History) > autoFew && v.Units.To(now)-v.Units.To(before) < autoBetter
}

// mayLookElsewhere reports whether this query does so where its turn finds nothing new: in many dimensions, where without noise no query explores,
// nothing else leaves a peak, nor does exploration where parameters depend on others. Of those that few queries had, the evidence says that they do not matter.
func (p Auto) mayLookElsewhere(v View, turn autoTurn) bool {
	branches := turn == exploration && v.Space.Conditional() && v.noise() < autoNoisy
	return (turn == onlyBound || branches) && v.Round%autoTurns == 0 && !p.Beta.Theory && v.ofAnyFunction()
}

// lookElsewhere returns the view under a plain model where the query looks elsewhere: its turn found x, where the function is known to a small share of
// the spread of the values.
func (p Auto) lookElsewhere(v View, turn autoTurn, x space.Unit) (View, bool) {
	if !p.mayLookElsewhere(v, turn) {
		return v, false
	}
	plain, ok := v.plainly()
	settled := autoSettled
	if turn == exploration {
		settled = autoBranches
	}
	if mean, variance := v.Posterior.Predict(x); !ok || v.Units.Deviation(mean, math.Sqrt(variance)) >= settled*plain.stddev {
		return v, false
	}
	return v.plain(plain)
}

// ofAnyFunction reports whether the model is of any function, as sums and surfaces are not, which say what is far from the queries too.
func (v View) ofAnyFunction() bool {
	_, general := stationary(v.Posterior.Prior().Kernel)
	return general && len(v.Context) == 0 && !v.listed()
}

// noise is the variance of that of a value: what the model has learned, or expects before it is fitted, and what came with half of the values.
// Without a value it is 0. Cost O(n log n).
func (v View) noise() float64 {
	known := make([]float64, v.Posterior.Len())
	if len(known) == 0 {
		return 0
	}
	for i := range known {
		known[i] = v.Posterior.Known(i)
	}
	slices.Sort(known)
	return v.Posterior.Noise() + known[len(known)/2]
}

// uncertainMargins reports whether values have no noise, while a second query at a point tells of its constraints. Cost O(n log n).
func (v View) uncertainMargins() bool {
	return !v.Quiet && len(v.Constraints) > 0 && len(v.Context) == 0 && v.noise() < autoNoisy
}

// tellsOnlyMargins reports whether a query at a point would tell no more of the value there, which is known, but of constraints, whose margins have noise. Cost O(n·(d + log n)).
func (v View) tellsOnlyMargins(x space.Unit) bool {
	if !v.uncertainMargins() {
		return false
	}
	if _, variance := v.Posterior.Predict(x); variance >= autoMixed {
		return false
	}
	return slices.ContainsFunc(v.History, func(a Answer) bool { return slices.Equal(a.Query.X, x) })
}

// ClearMargin is by how many standard errors a mean margin is clear of what it must be, where its noise is well known; by twice as many more, over how many were
// measured again, where it is not.
const ClearMargin = 3

// clear are the points that have a value and are feasible beyond doubt, of which another query would tell nothing where values have no noise. Cost O(n²) for n answers.
func (v View) clear() (out []space.Unit) {
	measured, again := map[uint64]float64{}, 0.0 // by the hash of a point
	for _, number := range v.Constraints[0].Rows {
		if _, pends := slices.BinarySearch(v.Pending, number); number > 0 && !pends {
			h := space.Hash(v.Queries[number-1].X)
			again += min(measured[h], 1)
			measured[h]++
		}
	}
	for _, a := range v.History {
		h := space.Hash(a.Query.X)
		errors := ClearMargin * (1 + 2/again) / math.Sqrt(measured[h])
		measured[h] = 0
		if !slices.ContainsFunc(v.Constraints, func(c Constraint) bool {
			return !(c.Posterior.Mean(a.Query.X)-c.Units.To(0) > errors*math.Sqrt(c.Posterior.Noise()))
		}) {
			out = append(out, a.Query.X)
		}
	}
	return out
}
