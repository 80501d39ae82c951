package policies

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// BPE is batch pure exploration under delays. It goes in phases. In a phase it queries the point with the greatest posterior deviation,
// which no value changes, among the points that may be the best: so it need not wait for anything. At the end of the phase a point is
// eliminated where μ + Beta·σ is below the greatest μ − Beta·σ of all, with what has come by then of the answers of the phase. Answers that
// come later decide nothing, unless Answers says so; what a study recommends follows from all of them.
//
// For a function of RKHS norm B with R-sub-Gaussian noise, posterior noise λ, N points and Beta = B + R/√λ·√(2 log(2N/δ)) the cumulative
// regret is Õ(√(Γ_T T) + E[τ]), where the bounds of every phase hold with probability 1 − δ: delays τ cost an additive term, without the
// information gain Γ_T that multiplies it in the bound of ucb-sdf (Vakili et al. 2023). That is proved for a given kernel and delays that
// do not depend on values. With a Horizon T a phase is planned for n' = ⌈√(T n)⌉ answers after one of n, the first for ⌈√T⌉, and has n' + Extra
// queries; without one phases double, whose number and so the cost of delays is of order log T. In the code of the authors Extra is
// E[τ] + min(√(2 ξ² log(3t/2δ)), 2 b log(3t/2δ)) for delays that are sub-exponential with (ξ, b), t the queries up to the end of the answers that are planned and
// δ = .01: then all of these are there but with the chance δ. Here it is a number, 0 unless set, so that a phase ends without its late answers. Theirs has a
// Beta of √6; the default here, 2, is narrower than both that and what the theory wants.
//
// It has no memory: which points were eliminated is computed anew from queries and answers for each query, with the hyperparameters of
// now. Lists and spaces of few combinations are exact. In other spaces the points are low-discrepancy ones, the same in every study of the
// space; where fewer than half are left at the end of a phase, points around those fill them up, the closer the fewer were left. At a
// context, which the theory does not have, the elimination is that of the points at the context. With constraints the points are those
// where each holds with a probability of at least a half. Before the first answer it chooses uniformly.
//
// Cost of a query: O(Σ m³ + N m²) over phases of m queries.
type BPE struct {
	Beta       float64 // standard deviations to both sides of the mean; 0 means 2
	Horizon    int     // queries for which phases are planned; 0 means that they double
	Extra      int     // queries by which each phase is longer than the answers that it is planned for, with a Horizon: about E[τ], and a margin
	First      int     // queries of the first phase of those that double; 0 means 8
	Candidates int     // points that stand for a space that is not finite; 0 means 1024
	Answers    PhaseAnswers
}

// PhaseAnswers says which answers eliminate points at the end of a phase.
type PhaseAnswers int

// The answers that count.
const (
	OfPhase PhaseAnswers = iota // those to its own queries, as in the theory
	OfAll                       // those to all queries so far, which the theory does not have: queries were chosen by what came before
)

const (
	defaultBPEBeta       = 2
	defaultFirstPhase    = 8
	defaultBPECandidates = 1024
)

var _ = Register(Entry{
	Name:     "bpe-delay",
	Summary:  "explores what may be the best, and eliminates points at the end of phases; delays cost an additive term of regret",
	Source:   "Vakili et al. 2023 (BPE-Delay); Li & Scarlett 2022 (BPE)",
	Baseline: true,
}, BPE{})

// Settings are the options.
func (p *BPE) Settings() Settings {
	doubled := func() bool { return p.Horizon == 0 }
	return Settings{
		Number("beta", &p.Beta, defaultBPEBeta, Range{High: 1e6, OpenLow: true}, "standard deviations to both sides of the mean"),
		Whole("horizon", &p.Horizon, 0, 1, 1_000_000, "queries for which the phases are planned; 0: they double"),
		Whole("extra", &p.Extra, 0, 0, 10_000, "queries by which each phase is longer, for answers that are late").When(func() bool { return p.Horizon > 0 }, "with a horizon"),
		Whole("first", &p.First, defaultFirstPhase, 1, 10_000, "queries of the first phase").When(doubled, "without horizon"),
		Choice("answers", &p.Answers, OfPhase, []string{OfPhase: "phase", OfAll: "all"}, "which of them eliminate points: those of the phase, or all"),
		Whole("candidates", &p.Candidates, defaultBPECandidates, 16, 1<<16, "points that stand for a space that is not finite"),
	}
}

// Traits asks for a model of the answers alone.
func (p BPE) Traits() Traits {
	return Traits{Name: NameOf("bpe-delay", p.Settings()), Model: true, Pending: feedback.Ignore}
}

// phase is the state of the search: what is left of the points, and the queries before the phase.
type phase struct {
	number, begun, length int
	planned               int // answers of the phase
	points                []space.Unit
	spacing               float64 // about that of the points, in the unit cube
}

// Propose returns the points with the greatest deviation among those that are left.
func (p BPE) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return Sequential(view, count, feedback.Ignore, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			return v.Random(stream, avoid)
		}
		v, deviations := p.deviations(v, p.phase(v), avoid)
		if deviations == nil {
			return v.Random(stream, avoid)
		}
		return v.poolBest(deviations, false, avoid, stream)
	}), nil
}

// planned is the number of answers that the phase after one of so many is planned for.
func (p BPE) planned(before int) int {
	switch {
	case p.Horizon > 0:
		return max(int(math.Ceil(math.Sqrt(float64(p.Horizon)*float64(max(before, 1))))), 1)
	case before == 0:
		return cmp.Or(p.First, defaultFirstPhase)
	}
	return 2 * before
}

// extra is by how many queries a phase is longer than what it is planned for.
func (p BPE) extra() int {
	if p.Horizon == 0 {
		return 0
	}
	return p.Extra
}

// phase is the one of the query to be chosen.
func (p BPE) phase(v View) phase {
	now := phase{number: 1, planned: p.planned(0), points: p.points(v)}
	now.length = now.planned + p.extra()
	now.spacing = math.Pow(float64(len(now.points)), -1/float64(max(v.Space.Varying(), 1)))
	for now.begun+now.length <= len(v.Queries) {
		end := now.begun + now.length
		left := p.left(v, now, end)
		now = phase{number: now.number + 1, begun: end, planned: p.planned(now.planned), points: left, spacing: now.spacing}
		now.length = now.planned + p.extra()
		if !v.finite() {
			now = p.refined(v, now)
		}
	}
	return now
}

// finite reports whether the points are all that there are.
func (v View) finite() bool { return v.Space.Size() > 0 || v.Space.Combinations() > 0 }

// points are those among which the maximum is looked for, at what is held.
func (p BPE) points(v View) (out []space.Unit) {
	switch {
	case v.Space.Size() > 0:
		for _, action := range v.Space.UnitPoints() {
			out = append(out, v.Space.Join(action, v.Context))
		}
	case v.Space.Combinations() > 0:
		for k := range v.Space.Combinations() {
			out = append(out, v.Space.Join(v.Space.Combination(k), v.Context))
		}
	default:
		for _, x := range v.Space.Sample(space.Halton, cmp.Or(p.Candidates, defaultBPECandidates), rng.New(0, rng.Design, 0)) {
			out = append(out, v.Space.SnapAt(x, v.Context))
		}
	}
	return out
}

// left are the points of a phase that may be the best after it has ended with that many queries.
func (p BPE) left(v View, now phase, end int) []space.Unit {
	from := now.begun
	if p.Answers == OfAll {
		from = 0
	}
	x, u := v.decided(from, end)
	prior := v.Posterior.Prior()
	post, err := prior.Condition(x, u, surrogate.NewPool(prior.Kernel, now.points, false))
	if err != nil || !post.Usable() {
		return now.points
	}
	beta, region := cmp.Or(p.Beta, defaultBPEBeta), v.Region()
	mean, variance := post.PoolMean(), post.PoolVariance()
	most := math.Inf(-1)
	for i, x := range now.points {
		if len(region) == 0 || region.Has(x) {
			most = max(most, mean[i]-beta*math.Sqrt(variance[i]))
		}
	}
	var out []space.Unit
	for i, x := range now.points {
		if mean[i]+beta*math.Sqrt(variance[i]) >= most {
			out = append(out, x)
		}
	}
	return out
}

// decided are the points and targets of the rows of queries from+1 to end that an elimination after the last of them could see: values
// that had come by then, and the bad values of queries that failed, whenever they did.
func (v View) decided(from, end int) (x []space.Unit, u []float64) {
	by := v.Round
	if end < len(v.Queries) {
		by = v.Queries[end].Round
	}
	later := make([]bool, len(v.Queries)+1)
	for _, number := range v.Pending {
		later[number] = true
	}
	for _, a := range v.History {
		later[a.Query.Number] = a.Seen > by
	}
	targets := v.Posterior.Targets()
	for i, number := range v.Rows {
		if number > from && number <= end && !later[number] {
			x, u = append(x, v.Posterior.X(i)), append(u, targets[i])
		}
	}
	return x, u
}

// refined is a phase with as many points again where fewer than half are left: around those, within the spacing that they have.
func (p BPE) refined(v View, now phase) phase {
	most := cmp.Or(p.Candidates, defaultBPECandidates)
	share := float64(len(now.points)) / float64(most)
	if share >= 0.5 {
		return now
	}
	stream, kept := rng.New(0, rng.Design, uint64(now.number)), len(now.points)
	choices := v.Space.Categorical()
	now.points = slices.Clip(now.points)
	for len(now.points) < most {
		x := slices.Clone(now.points[stream.IntN(kept)])
		for _, k := range v.Space.Actions() {
			if !choices[k] {
				x[k] = min(max(x[k]+now.spacing*(2*stream.Float64()-1), 0), 1)
			}
		}
		now.points = append(now.points, v.Space.SnapAt(x, v.Context))
	}
	now.spacing *= math.Pow(share, 1/float64(max(v.Space.Varying(), 1)))
	return now
}

// deviations are those at the points of the pool of the view that is returned, given every query of the phase; NaN where constraints do
// not hold. Where a second value tells nothing and every point that is left is known, or constraints leave none, the points are those of
// the beginning, with their upper bounds or the probability that they are feasible. Nil: they cannot be computed.
func (p BPE) deviations(v View, now phase, avoid []space.Unit) (View, []float64) {
	from := now.begun
	if p.Answers == OfAll {
		from = 0
	}
	var x []space.Unit
	for _, q := range v.Queries[from:] {
		x = append(x, q.X)
	}
	prior := v.Posterior.Prior()
	post, err := prior.Condition(x, make([]float64, len(x)), surrogate.NewPool(prior.Kernel, now.points, false))
	if err != nil {
		return v, nil
	}
	all := v
	v.Posterior = post
	out := make([]float64, len(now.points))
	for i, variance := range post.PoolVariance() {
		out[i] = math.Sqrt(variance)
	}
	if v.bar(out, v.Region(), avoid) {
		return v, out
	}
	all.Posterior = all.Posterior.WithPool(surrogate.NewPool(prior.Kernel, p.points(v), false))
	var f acquisition.Function = acquisition.At{Posterior: all.Posterior, Utility: acquisition.UpperConfidenceBound{Beta: cmp.Or(p.Beta, defaultBPEBeta)}}
	if len(v.Constraints) > 0 {
		f = v.Region().LogProbability()
	}
	return all, acquisition.PoolValues(f, all.Posterior.Pool())
}

// Explain returns the deviations at the points that are left, and the phase.
func (p BPE) Explain(v View, _ *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	now := p.phase(v)
	at, deviations := p.deviations(v, now, nil)
	if deviations == nil {
		return atRandom("the deviations cannot be computed: the policy draws a uniform point"), nil
	}
	taken := at.taken(nil)
	for i := range deviations {
		if math.IsNaN(deviations[i]) || taken[at.Posterior.Pool().First(i)] {
			deviations[i] = math.Inf(-1)
		}
	}
	return Explanation{
		Acquisition: "standard deviation where the {maximum|minimum} may be", Of: Spread, Function: drawn{at.Posterior.Pool(), deviations},
		Why: "what is least known of the points that may be the best, given all queries of the phase; values count at its end",
		Numbers: []Figure{
			{"phase", Plain, float64(now.number)}, {"queries until it ends", Plain, float64(now.begun + now.length - len(v.Queries))},
			{"points that may be the best", Plain, float64(len(now.points))},
			{"β, standard deviations to both sides of the mean", Plain, cmp.Or(p.Beta, defaultBPEBeta)},
		},
	}, nil
}
