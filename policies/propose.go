package policies

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/surrogate"
)

// one chooses a single point of the view; avoid lists points that must not come back if there are others.
type one func(view View, avoid [][]float64) []float64

// sequentially chooses count points one after another. Each chosen point enters the view as pending, the way the
// policy wants pending queries seen, before the next is chosen.
func sequentially(view View, count int, how feedback.Imputation, choose one) []Proposal {
	proposals := make([]Proposal, 0, count)
	var avoid [][]float64
	for k := range count {
		x := choose(view, avoid)
		proposals = append(proposals, Proposal{X: x, Forecast: view.forecast(x)})
		if k+1 == count {
			break
		}
		avoid = append(avoid, x)
		view = view.withPending(x, how)
	}
	return proposals
}

// withPending is the view after one more query was chosen at x. The view it is made from stays as it is.
func (v View) withPending(x []float64, how feedback.Imputation) View {
	number := len(v.Queries) + 1
	v.Queries = append(slices.Clip(v.Queries), Query{Number: number, Round: v.Round, At: v.At, X: x})
	v.Pending = append(slices.Clip(v.Pending), number)
	v.Round++
	if v.Posterior == nil || how == feedback.Ignore {
		return v
	}
	target := v.Units.Censored
	if how == feedback.Hallucinate {
		target = v.Posterior.Mean(x)
	}
	v.Posterior = v.Posterior.Append(x, target)
	v.Rows = append(slices.Clip(v.Rows), number)
	return v
}

// forecast is what the model predicts for the noisy value at x; nil without a model that has seen a value.
func (v View) forecast(x []float64) *Forecast {
	if v.Posterior == nil || !v.Informed() {
		return nil
	}
	mean, variance := v.moments(x)
	sd := math.Sqrt(variance + v.Posterior.Noise())
	return &Forecast{Mean: mean, Stddev: sd, Shift: v.Units.Shift, Scale: v.Units.Scale}
}

// moments returns posterior mean and variance at x, from the pool where x belongs to it.
func (v View) moments(x []float64) (mean, variance float64) {
	if pool := v.Posterior.Pool(); pool != nil {
		if i := pool.Index(x); i >= 0 {
			return v.Posterior.PoolMean()[i], v.Posterior.PoolVariance()[i]
		}
	}
	return v.Posterior.Predict(x)
}

// Informed reports whether the model has seen a value.
func (v View) Informed() bool { return v.Incumbent != nil }

// Random returns a uniform point of the view's space at its context, not among avoid, nor one that was queried if the view is
// quiet, where that can be had. Where points are many a uniform one was hardly queried before, and looking would cost O(n); the
// loop looks itself, by their hashes.
func (v View) Random(stream *rand.Rand, avoid [][]float64) []float64 {
	quiet := v.Quiet && (v.Space.Size() > 0 || v.Space.Combinations() > 0)
	var x []float64
	for range 64 {
		x = v.Space.Random(stream)
		for j, i := range v.Space.Contexts() {
			x[i] = v.Context[j]
		}
		same := func(a []float64) bool { return slices.Equal(a, x) }
		if !slices.ContainsFunc(avoid, same) && !(quiet && slices.ContainsFunc(v.Queries, func(q Query) bool { return same(q.X) })) {
			break
		}
	}
	return x
}

// known are the points that need no second value: those that were queried, if the view is quiet.
func (v View) known() [][]float64 {
	if !v.Quiet {
		return nil
	}
	out := make([][]float64, len(v.Queries))
	for i, q := range v.Queries {
		out[i] = q.X
	}
	return out
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
	if len(v.Space.Contexts()) == 0 {
		return v.Space.Size() > 0 || all > 0 && pool.Len() == all
	}
	return pool.Len() > 0 && pool.Len() == max(v.Space.Size(), all) && v.faces(pool)
}

// faces reports whether every point of the pool has the coordinates of the context.
func (v View) faces(pool *surrogate.Pool) bool {
	for i := range pool.Len() {
		x := pool.Point(i)
		for j, k := range v.Space.Contexts() {
			if x[k] != v.Context[j] {
				return false
			}
		}
	}
	return true
}

// argmax returns the point with the greatest utility: exactly over a finite list, otherwise by searching the space.
func (v View) argmax(u acquisition.Utility, avoid [][]float64, stream *rand.Rand) []float64 {
	if !v.listed() {
		return v.search(acquisition.At{Posterior: v.Posterior, Utility: u}, avoid, stream)
	}
	mean, variance := v.Posterior.PoolMean(), v.Posterior.PoolVariance()
	utility := make([]float64, len(mean))
	for i := range utility {
		utility[i] = u.Of(mean[i], variance[i])
	}
	return v.poolBest(utility, avoid, stream)
}

// MostExpected returns the point with the greatest posterior mean at the context of the view.
func (v View) MostExpected(stream *rand.Rand) []float64 {
	v.Quiet = false
	return v.argmax(acquisition.UCB{}, nil, stream)
}

// Utilities are equal up to round-off when they differ by less than this share of their spread, plus this share of
// their size.
const (
	tieOfSpread = 1e-12
	tieOfSize   = 1e-15
)

// poolBest returns the point of a listed view with the greatest utility that is not to be avoided, unless nothing else is left.
// Where the greatest of all is known the utility has nothing to find: then expected improvement chooses among the others, as in
// search. Among points that are equal up to round-off, as all points far from the data are, the stream chooses: the first
// of them would lie on the rim of what is known again and again, and the search would creep. Cost O(N + n).
func (v View) poolBest(utility []float64, avoid [][]float64, stream *rand.Rand) []float64 {
	pool := v.Posterior.Pool()
	taken := make([]bool, pool.Len())
	for _, points := range [][][]float64{v.known(), avoid} {
		for _, x := range points {
			if i := pool.Index(x); i >= 0 {
				taken[i] = true
			}
		}
	}
	free := false
	for i := range taken {
		free = free || !taken[pool.First(i)]
	}
	if best := greatest(utility); free && v.Quiet && best >= 0 && taken[pool.First(best)] {
		f := acquisition.LogEI{Best: v.Target()}
		for i, mean := range v.Posterior.PoolMean() {
			utility[i] = f.Of(mean, v.Posterior.PoolVariance()[i])
		}
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

// asKnown is a variance, of that of the values, below which a point of a quiet view is as good as known: its value can be told
// to a ten-thousandth of their spread.
const asKnown = 1e-8

// search returns the maximizer of f over the space. One that is known already, or as good as known, says that f has nothing to
// find: an upper bound has its greatest value where the best was found, if nothing else may be better by so much, and the best
// would be polished for ever. Then what is most worth finding out takes its place, by expected improvement.
func (v View) search(f acquisition.Function, avoid [][]float64, stream *rand.Rand) []float64 {
	s := acquisition.Search{Space: v.Space, Context: v.Context, Avoid: avoid, Stream: stream, Near: v.promising()}
	if _, drawn := f.(acquisition.Thompson); drawn {
		s.Candidates, s.Steps = drawCandidates, drawSteps
	}
	x := acquisition.Maximize(f, s)
	known := v.known()
	if known == nil {
		return x
	}
	if _, variance := v.Posterior.Predict(x); variance >= asKnown && !acquisition.Among(x, known) {
		return x
	}
	s.Avoid, s.Candidates, s.Steps = append(known, avoid...), 0, 0
	return acquisition.Maximize(acquisition.At{Posterior: v.Posterior, Utility: acquisition.LogEI{Best: v.Target()}}, s)
}
