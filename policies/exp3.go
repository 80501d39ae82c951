package policies

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/bandit"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Exp3 is a bandit: exponential weights over the points of a finite space, where the reward of a point counts for those near by (package
// bandit). It draws each query from its probabilities, which the study keeps with it (Query.Probability); so a reward that comes late counts as it
// would have at once, what was not drawn by the policy, such as an enqueued or an observed point, counts for nothing, and so does a query
// that failed or was lost. What is drawn may have been queried before, whatever the noise: it maximizes what the queries earn in sum. Its first
// queries are drawn too, uniformly, and take the place of the initial design.
//
// Rewards are values on the scale from Worst to Best, or, where these are equal, from the worst to the best value so far. In that
// case the scale goes with what was drawn, and rewards are unbiased given the scale only; while all values are the same, nothing counts.
// An infeasible point earns 0. Of several points that are wanted at once all are different: each is drawn from those that are left, with the
// probability of that.
//
// Cost of a query with n answers over N points of d dimensions: O(n N d).
type Exp3 struct {
	Explore     float64 // share of uniform draws; 0 means 0.3
	Bandwidth   float64 // standard deviation of the Gaussian kernel, in shares of the ranges of the parameters; 0 means 0.1
	Eta         float64 // by which sums of rewards over their probabilities are multiplied; 0 means Explore over the number of points
	Worst, Best float64 // values that earn 0 and 1, in the user's units; where Worst is greater, as in a study that minimizes, the smaller is better
}

const (
	defaultExplore   = 0.3
	defaultBandwidth = 0.1
	leastExplore     = 0.001
	leastProbability = 1e-12 // far below that of any draw
)

// MaxArms is how many points a space may have for a bandit.
const MaxArms = 10_000

var _ = Register(Entry{
	Name:     "exp3",
	Summary:  "a bandit over a finite space: exponential weights of what points near by have earned, for the sum of all values",
	Source:   "Auer et al. 2002; with a kernel Zhang 2024, eq. 4.11, weighted by the point that was drawn",
	Baseline: true,
}, Exp3{})

// Settings are the options.
func (p *Exp3) Settings() Settings {
	above := Range{High: 1e6, OpenLow: true}
	return append(Settings{
		Number("explore", &p.Explore, defaultExplore, Range{Low: leastExplore, High: 1}, "share of uniform draws"),
		Number("bandwidth", &p.Bandwidth, defaultBandwidth, above, "of the kernel, in shares of the ranges of the parameters"),
		Number("eta", &p.Eta, 0, above, "factor of what was earned; 0: explore over the number of points"),
	}, rewardSettings(&p.Worst, &p.Best)...)
}

// rewardSettings are the options of the scale of rewards.
func rewardSettings(worst, best *float64) Settings {
	finite := Range{Low: math.Inf(-1), High: math.Inf(1), OpenLow: true, OpenHigh: true}
	return Settings{
		Exact("worst", worst, 0, finite, "value that earns 0; with worst=best the worst so far"),
		Exact("best", best, 0, finite, "value that earns 1; with worst=best the best so far"),
	}
}

// Traits says that queries are plays of a bandit.
func (p Exp3) Traits() Traits { return Traits{Name: NameOf("exp3", p.Settings()), Bandit: true} }

// Propose draws points from the probabilities.
func (p Exp3) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	arms, err := view.arms()
	if err != nil {
		return nil, err
	}
	return plays(arms, p.probabilities(view, arms), count, stream), nil
}

// plays are count different arms.
func plays(arms []space.Unit, chances []float64, count int, stream *rand.Rand) []Proposal {
	proposals, left := make([]Proposal, count), 1.0
	for k := range proposals {
		i := bandit.Draw(chances, stream)
		proposals[k] = Proposal{X: arms[i], Probability: min(chances[i]/left, 1)}
		if k < len(arms)-1 {
			left -= chances[i]
			chances[i] = 0
		}
	}
	return proposals
}

// probabilities are those of all arms.
func (p Exp3) probabilities(view View, arms []space.Unit) []float64 {
	explore := cmp.Or(p.Explore, defaultExplore)
	eta := cmp.Or(p.Eta, explore/float64(len(arms)))
	lengths := make([]float64, view.Space.Dim())
	for j := range lengths {
		lengths[j] = cmp.Or(p.Bandwidth, defaultBandwidth)
	}
	kernel := surrogate.Stationary{Family: surrogate.SE, Lengthscales: lengths, Outputscale: 1}.WithCategories(view.Space.Categorical())
	score, row := make([]float64, len(arms)), make([]float64, len(arms))
	for _, e := range view.earned(p.Worst, p.Best) {
		kernel.Row(row, e.x, arms)
		for i, k := range row {
			score[i] += eta * e.weight * k
		}
	}
	bandit.Probabilities(row, score, explore)
	return row
}

// arms are the points of a finite space, at what is held.
func (v View) arms() ([]space.Unit, error) {
	n := v.Space.Distinct(MaxArms)
	if n == 0 || n > MaxArms || len(v.Space.Contexts()) > 0 || len(v.Constraints) > 0 {
		return nil, fmt.Errorf("%w: a bandit needs %s", ErrUnsupported, BanditWants)
	}
	arms := make([]space.Unit, 0, n)
	if list := v.Space.UnitPoints(); list != nil {
		for k, action := range list {
			if len(list) == n || !slices.ContainsFunc(list[:k], func(o space.Unit) bool { return slices.Equal(o, action) }) {
				arms = append(arms, v.Space.Join(action, v.Context))
			}
		}
		return arms, nil
	}
	for k := range n {
		arms = append(arms, v.Space.Join(v.Space.Combination(k), v.Context))
	}
	return arms, nil
}

// BanditWants says which studies a bandit serves.
const BanditWants = "a space of at most 10000 points, without contexts, and no constraints with names"

// earning is what a point has earned: the sum of its rewards, each over the probability with which it was drawn.
type earning struct {
	x      space.Unit
	weight float64
}

// earned has an entry for each point that has earned something, in the order of their first answers. A query that was lost and its repeats are one
// play: what comes of it first counts.
func (v View) earned(worst, best float64) []earning {
	reward := v.rewards(worst, best)
	var out []earning
	at, played := map[uint64][]int{}, map[int]bool{} // by the hash of a point, and by the number of a query
	for _, a := range v.History {
		drawn := v.First(a)
		if played[drawn.Number] {
			continue
		}
		played[drawn.Number] = true
		chance := drawn.Probability
		weight := reward(a) / chance
		if !(chance >= leastProbability && chance <= 1) || !(weight > 0) {
			continue
		}
		h := space.Hash(a.Query.X)
		if i := slices.IndexFunc(at[h], func(k int) bool { return slices.Equal(out[k].x, a.Query.X) }); i >= 0 {
			out[at[h][i]].weight += weight
			continue
		}
		at[h] = append(at[h], len(out))
		out = append(out, earning{a.Query.X, weight})
	}
	return out
}

// rewards returns what an answer earns, from 0 to 1.
func (v View) rewards(worst, best float64) func(Answer) float64 {
	if worst > best { // the study minimizes, and its values have the other sign
		worst, best = -worst, -best
	}
	if worst == best {
		worst, best = math.Inf(1), math.Inf(-1)
		for _, a := range v.History {
			if a.counts() {
				worst, best = min(worst, a.Value), max(best, a.Value)
			}
		}
	}
	return func(a Answer) float64 {
		if !a.counts() || !(worst < best) {
			return 0
		}
		return min(max((a.Value/2-worst/2)/(best/2-worst/2), 0), 1)
	}
}

// counts reports whether the value is one of the objective at a point that is allowed.
func (a Answer) counts() bool { return !a.Infeasible && !a.Below }

// Explain returns the probabilities, which are drawn from.
func (p Exp3) Explain(view View, _ *rand.Rand) (Explanation, error) {
	arms, err := view.arms()
	if err != nil {
		return Explanation{}, err
	}
	return explainedDraw(arms, p.probabilities(view, arms)), nil
}

// explainedDraw explains a draw from probabilities.
func explainedDraw(arms []space.Unit, chances []float64) Explanation {
	e := atRandom("the policy draws a point, the likelier the more it and points near by have earned")
	e.At = func(x space.Unit) []Figure {
		i := slices.IndexFunc(arms, func(o space.Unit) bool { return slices.Equal(o, x) })
		if i < 0 {
			return nil
		}
		return []Figure{{"probability", Plain, chances[i]}, {"greatest probability of a point", Plain, slices.Max(chances)}, {"points", Plain, float64(len(arms))}}
	}
	return e
}
