package policies

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Maximize returns the point with the greatest value of f at the context of the view: exactly over a list, or a space of few
// combinations, that the posterior carries as its pool, otherwise by searching the space, around Promising points among
// others. A point of avoid, and in a quiet view a point that is known, is not chosen unless nothing else is left. Among points
// of a list that are equal up to round-off the stream chooses. With constraints the point is one where each of them holds with a
// probability of at least a half, as far as such a point is found; see MaximizeGain. It wants a view with a posterior.
func (v View) Maximize(f acquisition.Function, avoid []space.Unit, stream *rand.Rand) space.Unit {
	return v.maximize(f, v.Region(), avoid, stream)
}

func (v View) maximize(f acquisition.Function, within acquisition.Region, avoid []space.Unit, stream *rand.Rand) space.Unit {
	if v.seeks() {
		return v.seek(avoid, stream)
	}
	if _, path := f.(acquisition.SamplePath); path || !v.listed() {
		return v.search(f, within, avoid, stream)
	}
	pool := v.Posterior.Pool()
	utility := acquisition.PoolValues(f, pool)
	if len(within) > 0 && !v.bar(utility, within, avoid) {
		utility = acquisition.PoolValues(v.Region().LogProbability(), pool)
	}
	return v.poolBest(utility, true, avoid, stream)
}

// bar takes the points of a list out that are not within a region, and reports whether a point is left that may be chosen.
func (v View) bar(utility []float64, within acquisition.Region, avoid []space.Unit) (left bool) {
	taken := v.taken(avoid)
	for i := range utility {
		if !within.Has(v.Posterior.Pool().Point(i)) {
			utility[i] = math.NaN()
		} else if !taken[v.Posterior.Pool().First(i)] {
			left = true
		}
	}
	return left
}

// taken says which points of a listed view are known or to be avoided, by the first of equals.
func (v View) taken(avoid []space.Unit) []bool {
	pool := v.Posterior.Pool()
	taken := make([]bool, pool.Len())
	for _, points := range [][]space.Unit{v.Known(), avoid} {
		for _, x := range points {
			if i := pool.Index(x); i >= 0 {
				taken[i] = true
			}
		}
	}
	return taken
}

// listed reports whether the posterior carries every point that may be chosen as its pool: a list, or a space of few
// combinations, at the context where there is one. In other spaces a pool holds some candidates among infinitely many
// points, or there is none. Cost O(N) with contexts.
func (v View) listed() bool {
	pool := v.Posterior.Pool()
	if pool == nil {
		return false
	}
	all := v.Space.Combinations()
	if len(v.Space.Held()) == 0 {
		return v.Space.Size() > 0 || all > 0 && pool.Len() == all
	}
	return pool.Len() > 0 && pool.Len() == max(v.Space.Size(), all) && v.faces(pool)
}

// faces reports whether every point of the pool has the coordinates of the context.
func (v View) faces(pool *surrogate.Pool) bool {
	for i := range pool.Len() {
		x := pool.Point(i)
		for j, k := range v.Space.Held() {
			if x[k] != v.Context[j] {
				return false
			}
		}
	}
	return true
}

// Utilities are equal up to round-off when they differ by less than this share of their spread, plus this share of
// their size.
const (
	tieOfSpread = 1e-12
	tieOfSize   = 1e-15
)

// poolBest returns the point of a listed view with the greatest utility that is not to be avoided, unless nothing else is left.
// Where the greatest of all is known the utility has nothing to find: then expected improvement chooses among the others, as in
// search, unless otherwise is false. Among points that are equal up to round-off, as all points far from the data are, the stream chooses: the first
// of them would lie on the rim of what is known again and again, and the search would creep. Cost O(N + n).
func (v View) poolBest(utility []float64, otherwise bool, avoid []space.Unit, stream *rand.Rand) space.Unit {
	pool := v.Posterior.Pool()
	taken := v.taken(avoid)
	free := false
	for i := range taken {
		free = free || !taken[pool.First(i)]
	}
	if best := greatest(utility); free && otherwise && v.Quiet && best >= 0 && taken[pool.First(best)] {
		utility = v.improvableInPool(avoid)
	}
	allowed := func(i int) bool { return !math.IsNaN(utility[i]) && !(free && taken[pool.First(i)]) }
	best, worst := math.Inf(-1), math.Inf(1)
	for i, u := range utility {
		if worst = min(worst, u); u > best && allowed(i) {
			best = u
		}
	}
	tolerance := tieOfSize * math.Abs(best)
	if spread := best - worst; spread < math.Inf(1) {
		tolerance += tieOfSpread * spread
	}
	var ties []int
	for i, u := range utility {
		if u >= best-tolerance && allowed(i) {
			ties = append(ties, i)
		}
	}
	switch len(ties) {
	case 0:
		return slices.Clone(pool.Point(0))
	case 1:
		return slices.Clone(pool.Point(ties[0]))
	}
	return slices.Clone(pool.Point(ties[stream.IntN(len(ties))]))
}

// everyBeyond is how often a query that looks for an improvement where the best is known may lie where constraints hold with less than a half: there may be
// another region, of which one model of one region knows nothing. All others stay where a query is likely to be feasible.
const everyBeyond = 4

// improvableWithin is where an improvement is looked for where the best is known.
func (v View) improvableWithin() acquisition.Region {
	if v.Round%everyBeyond == 0 {
		return v.succeeds()
	}
	return v.Region()
}

// improvableInPool is what each point of a listed view is expected to improve, of those where it is looked for, or else of those where a query succeeds,
// as long as one is free.
func (v View) improvableInPool(avoid []space.Unit) []float64 {
	utility := acquisition.PoolValues(v.improvable(), v.Posterior.Pool())
	for _, region := range []acquisition.Region{v.improvableWithin(), v.succeeds()} {
		if within := slices.Clone(utility); len(region) > 0 && v.bar(within, region, avoid) {
			return within
		}
	}
	return utility
}

// greatest is where the greatest of some numbers is, the first of equals; −1 without any that is one.
func greatest(of []float64) int {
	best := -1
	for i, v := range of {
		if !math.IsNaN(v) && (best < 0 || v > of[best]) {
			best = i
		}
	}
	return best
}

// A draw has more maxima than its mean and is evaluated in O(n), so it is searched harder.
const drawCandidates, drawSteps = 512, 120

// asKnown is, unless the policy says otherwise, a variance, of that of the values, below which a point of a quiet view is as good as known: its value can be told
// to a ten-thousandth of their spread.
const asKnown = 1e-8

// settledBelow is the variance below which a point of a quiet view is as good as known.
func (v View) settledBelow() float64 { return cmp.Or(v.settled, asKnown) }

// Settled reports whether nothing is left to learn at a point: it is known, or as good as known, and no query there is likely to fail. False unless the
// view is quiet.
func (v View) Settled(x space.Unit) bool {
	if !v.Quiet {
		return false
	}
	_, variance := v.Posterior.Predict(x)
	return variance < v.settledBelow() && !v.mayFail(x) || v.oneOf(x, v.Known())
}

// setOut is a search of the space, around promising points among others.
func (v View) setOut(within acquisition.Region, avoid []space.Unit, stream *rand.Rand) acquisition.Search {
	return acquisition.Search{Space: v.Space, Context: v.Context, Avoid: avoid, Stream: stream, Near: v.Promising(), Within: within, Inputs: v.inputs()}
}

// search returns the maximizer of f over the space. One that is known already, or as good as known, says that f has nothing to
// find: an upper bound has its greatest value where the best was found, if nothing else may be better by so much, and the best
// would be polished for ever, unless a query there may fail. Then what is most worth finding out, of what is likely to be feasible but for every fourth query, takes its place, by expected improvement; where what is known is that
// the point is just not feasible, the best point a little farther inside comes first.
func (v View) search(f acquisition.Function, within acquisition.Region, avoid []space.Unit, stream *rand.Rand) space.Unit {
	s := v.setOut(within, avoid, stream)
	if _, drawn := f.(acquisition.SamplePath); drawn {
		s.Candidates, s.Steps = drawCandidates, drawSteps
	}
	x := acquisition.Maximize(f, s)
	known := v.Known()
	if known == nil || !v.Settled(x) {
		return x
	}
	if lifted := v.lifted(within, x); lifted != nil {
		s.Within = lifted
		if inner := acquisition.Maximize(f, s); !v.oneOf(inner, known) && !v.oneOf(inner, avoid) {
			return inner
		}
	}
	if v.bounded() {
		s.Near = append(s.Near, x)
	}
	s.Avoid, s.Candidates, s.Steps, s.Within = append(known, avoid...), 0, 0, v.improvableWithin()
	return acquisition.Maximize(v.improvable(), s)
}
