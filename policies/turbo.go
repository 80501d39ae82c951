package policies

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/lbfgs"
	"github.com/tarry-bo/tarry/space"
)

// TuRBO searches a trust region, for many parameters: a box around the best point, whose sides are to each other as the lengthscales. So many
// successes in a row double it and so many failures halve it; where it is less than 1/128 wide it starts again with 2 d uniform points. In the
// region it maximizes a draw from the posterior, or expected improvement. It is TuRBO-1, with what late answers ask for:
//
//   - An answer counts when it comes, not when its query is chosen. What is awaited, failed or was lost is neither success nor failure.
//   - An answer to a query that was chosen before the side changed says nothing of the new side, and is not counted. Otherwise a row of
//     late failures would halve the region again and again.
//   - A success is better than the best by a thousandth of what lies between the best and the median. (The authors' code takes a thousandth
//     of the value itself, which depends on where zero is.)
//   - The center is the query of the region with the greatest mean, as the paper says for noisy values.
//   - The model is that of the study, from all answers; the paper fits one to those since the last start.
//   - Of 100 d candidates, at most 2000, that differ from the center in some 20 parameters the best is followed uphill in the box.
//
// The state is a fold over the history (trust). Parameters in steps are snapped, choices without an order are free. Of a list or a space of
// few combinations the points in the box are compared, which grows until it has a free one. At a context, where values do not compare, the
// side stays as it begins. There is no guarantee of regret. Before the first answer it chooses uniformly. Cost: O(n² + c n d) for c
// candidates.
type TuRBO struct {
	Of        TrustUtility
	Length    float64 // first side; 0 means 0.8
	Successes int     // in a row that double the side; 0 means 3
	Failures  int     // in a row that halve it; 0 means the number of parameters, at least 4
	Features  int     // random features of a draw in a continuous space; 0 means 512
	Pending   feedback.Imputation
}

// TrustUtility is what is maximized in a trust region.
type TrustUtility int

// The utilities.
const (
	TrustDraw        TrustUtility = iota // a draw from the posterior, as in the paper
	TrustImprovement                     // the logarithm of expected improvement
)

const (
	defaultTrustSide      = 0.8
	defaultTrustSuccesses = 3
	leastTrustFailures    = 4
	trustCandidates       = 100 // for each parameter,
	maxTrustCandidates    = 2000
	perturbed             = 20 // parameters in which a candidate differs from the center, about
	uphillSteps           = 60 // evaluations of the search from the best candidate
	defaultTrustFailures  = 0
	maxTrustCount         = 10_000
)

var _ = Register(Entry{
	Name:    "turbo",
	Summary: "a draw, or expected improvement, in a trust region that answers widen and narrow as they come; for many parameters",
	Source:  "Eriksson et al. 2019 (TuRBO-1), with late answers",
}, TuRBO{Pending: feedback.Hallucinate})

// Settings are the options.
func (p *TuRBO) Settings() Settings {
	drawn := func() bool { return p.Of == TrustDraw }
	return Settings{
		Choice("of", &p.Of, TrustDraw, []string{TrustDraw: "ts", TrustImprovement: "ei"}, "what is maximized in the region: a draw, or expected improvement"),
		Number("length", &p.Length, defaultTrustSide, Range{Low: leastSide, High: greatestSide}, "first side of the region"),
		Whole("succ", &p.Successes, defaultTrustSuccesses, 1, maxTrustCount, "successes in a row that double the side"),
		Whole("fail", &p.Failures, defaultTrustFailures, 1, maxTrustCount, "failures in a row that halve it; 0: as many as parameters, at least 4"),
		featuresSetting(&p.Features).When(drawn, "with of=ts"),
		Pending(&p.Pending),
	}
}

// Traits asks for a posterior with pending queries as Pending says.
func (p TuRBO) Traits() Traits {
	return Traits{Name: NameOf("turbo", p.Settings()), Model: true, Pending: p.Pending, Draws: p.Of == TrustDraw}
}

// Propose maximizes the utility in the region.
func (p TuRBO) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	var started []bool // by proposal: a uniform point of a new region, which is neither success nor failure
	proposals := Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit {
		region, center := p.locate(v)
		if started = append(started, center == nil); center == nil {
			return v.Random(stream, avoid)
		}
		f := p.function(v, stream)
		if v.listed() {
			return v.bestListed(f, center, region.side, avoid, stream)
		}
		return v.bestInBox(f, center, region.side, avoid, stream)
	})
	for i := range proposals {
		if started[i] {
			proposals[i].Forecast = nil
		}
	}
	return proposals, nil
}

// tolerances are those for the parameters of a view.
func (p TuRBO) tolerances(v View) tolerances {
	return tolerances{
		cmp.Or(p.Length, defaultTrustSide), cmp.Or(p.Successes, defaultTrustSuccesses), cmp.Or(p.Failures, max(v.Space.Varying(), leastTrustFailures)),
	}
}

// locate returns the region and its center, which is nil as long as it begins with uniform points: before the first answer, for the
// first 2 d queries after a new start, and until one of them has an answer.
func (p TuRBO) locate(v View) (r trustRegion, center space.Unit) {
	if r = p.tolerances(v).trust(v); !v.Informed() {
		return r, nil
	}
	chosen := 0
	for _, q := range v.Queries {
		if q.Round >= r.begun {
			chosen++
		}
	}
	if r.restarts > 0 && chosen < 2*v.Space.Varying() {
		return r, nil
	}
	came, feasible, means, most := v.answered(), v.feasible(), v.rowMeans(), math.Inf(-1)
	for i, number := range v.Rows {
		if !came[i] || v.Queries[number-1].Round < r.begun || feasible != nil && !feasible[i] {
			continue
		}
		x, mean := v.Space.SnapAt(v.Posterior.X(i), v.Context), means[i]
		if len(v.Space.Contexts()) > 0 {
			mean = v.Posterior.Mean(x)
		}
		if mean > most {
			center, most = x, mean
		}
	}
	return r, center
}

// function is the utility.
func (p TuRBO) function(v View, stream *rand.Rand) acquisition.Function {
	if p.Of == TrustImprovement {
		return v.improvable()
	}
	return v.Draw(1, p.Features, stream)
}

// bestListed returns the best point of a list in the box around the center, which is doubled while it holds none that may be chosen.
func (v View) bestListed(f acquisition.Function, center space.Unit, side float64, avoid []space.Unit, stream *rand.Rand) space.Unit {
	pool := v.Posterior.Pool()
	all := acquisition.PoolValues(f, pool)
	for b := v.boxAround(center, side); !b.whole(); b = v.boxAround(center, side) {
		values := slices.Clone(all)
		v.bar(values, v.Region(), avoid)
		for i := range values {
			if !b.has(pool.Point(i)) {
				values[i] = math.NaN()
			}
		}
		if v.free(values, avoid) {
			return v.poolBest(values, false, avoid, stream)
		}
		side *= 2
	}
	return v.Maximize(f, avoid, stream)
}

// free reports whether some point with a value may be chosen.
func (v View) free(values []float64, avoid []space.Unit) bool {
	taken := v.taken(avoid)
	for i, u := range values {
		if !math.IsNaN(u) && !taken[v.Posterior.Pool().First(i)] {
			return true
		}
	}
	return false
}

// bestInBox returns the best candidate of the box around the center, followed uphill; a uniform point where every candidate is known.
func (v View) bestInBox(f acquisition.Function, center space.Unit, side float64, avoid []space.Unit, stream *rand.Rand) space.Unit {
	b, barred := v.boxAround(center, side), append(v.Known(), avoid...)
	candidates, region := v.candidates(b, center, stream), v.Region()
	values := make([]float64, len(candidates))
	for i, x := range candidates {
		values[i] = f.Value(x)
	}
	allowed := func(x space.Unit) bool { return (len(region) == 0 || region.Has(x)) && !v.oneOf(x, barred) }
	order := descending(values)
	i := slices.IndexFunc(order, func(k int) bool { return allowed(candidates[k]) })
	if i < 0 && len(region) > 0 {
		region = nil
		i = slices.IndexFunc(order, func(k int) bool { return allowed(candidates[k]) })
	}
	if i < 0 {
		return v.Random(stream, avoid)
	}
	best := candidates[order[i]]
	if x := v.uphill(f, best, b); f.Value(x) > values[order[i]] && allowed(x) {
		return x
	}
	return best
}

// candidates are points of a box that differ from the center in some of the parameters that may be chosen.
func (v View) candidates(b box, center space.Unit, stream *rand.Rand) []space.Unit {
	actions := v.Space.Actions()
	points := space.HaltonPoints(min(trustCandidates*len(actions), maxTrustCandidates), v.Space.Dim(), stream)
	share := min(perturbed/float64(len(actions)), 1)
	for i, u := range points {
		x, one := slices.Clone(center), actions[stream.IntN(len(actions))]
		for _, k := range actions {
			if k == one || stream.Float64() < share {
				x[k] = b.lower[k] + u[k]*(b.upper[k]-b.lower[k])
			}
		}
		points[i] = v.Space.SnapAt(x, v.Context)
	}
	return points
}

// uphill follows a function from a point within a box, over the real parameters that are active there.
func (v View) uphill(f acquisition.Function, from space.Unit, b box) space.Unit {
	lower, upper, active := slices.Clone(from), slices.Clone(from), v.Space.Active(from)
	for _, k := range v.Space.Actions() {
		if v.Space.Parameter(k).Levels() == 0 && active.Has(k) {
			lower[k], upper[k] = min(b.lower[k], from[k]), max(b.upper[k], from[k])
		}
	}
	loss := func(x, grad []float64) float64 {
		value := f.Gradient(x, grad)
		for k := range grad {
			grad[k] = -grad[k]
		}
		return -value
	}
	return v.Space.SnapAt(lbfgs.Minimize(loss, from, lower, upper, lbfgs.Settings{MaxEvaluations: uphillSteps}).X, v.Context)
}

// boxed is a function in a box, and −Inf outside.
type boxed struct {
	acquisition.Function
	within box
}

func (f boxed) Value(x space.Unit) float64 {
	if !f.within.has(x) {
		return math.Inf(-1)
	}
	return f.Function.Value(x)
}

// Explain returns the utility in the region.
func (p TuRBO) Explain(v View, stream *rand.Rand) (Explanation, error) {
	r, center := p.locate(v)
	if center == nil {
		if !v.Informed() {
			return uninformed(), nil
		}
		return atRandom("the trust region starts again: the policy draws a uniform point"), nil
	}
	e := v.improvement()
	if p.Of == TrustDraw {
		e = v.draw(1, p.Features, stream)
	}
	e.Why = "in the trust region around the best point: " + e.Why
	e.Function = boxed{e.Function, v.boxAround(center, r.side)}
	t := p.tolerances(v)
	e.Numbers = append(e.Numbers, Figure{"side of the trust region", Plain, r.side},
		Figure{"successes in a row, which double it", Plain, float64(r.successes)}, Figure{"of", Plain, float64(t.successes)},
		Figure{"failures in a row, which halve it", Plain, float64(r.failures)}, Figure{"of", Plain, float64(t.failures)},
		Figure{"times that it started again", Plain, float64(r.restarts)})
	return e, nil
}
