package policies

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// RGPE is a ranking-weighted ensemble of Gaussian processes (Feurer, Letham and Bakshy 2018): the models of earlier studies
// (loop.Config.Earlier) and of this one count by how well they rank the answers that have come, see View.EarlierShares, so that
// studies that mislead lose their weight. The mean of the ensemble is the weighted sum of the means, its variance that of the
// variances by the squares of the weights, times what an answer nearby has left of the variance of the study's own model: where a query
// pends or was answered nothing more is to be learned, whatever earlier studies say. It maximizes log expected improvement, with pending
// queries hallucinated by the study's own model. Before three answers each query goes where the earlier studies together expect the most
// improvement over the points that were queried, pending ones included (as portfolios do, Wistuba et al. 2015). Where no earlier study
// has a weight while answers are few, queries fill a continuous space, as an initial design would have. Without earlier studies it is LogEI. Cost O(n² + Σ n_k²) for each point that is looked at, over at most twelve earlier studies of n_k values; over a list O(N) in all.
type RGPE struct {
	Draws int // of each model, for the weights; 0 means 100
}

const defaultDraws, maxDraws = 100, 10_000

var _ = Register(Entry{
	Name:    "rgpe",
	Summary: "expected improvement under the models of earlier studies and the own one, weighted by how they rank the answers; pending queries hallucinated",
	Source:  "Feurer et al. 2018; Wistuba et al. 2015",
}, RGPE{})

// Settings are the options.
func (p *RGPE) Settings() Settings {
	return Settings{Whole("draws", &p.Draws, defaultDraws, 10, maxDraws, "draws of each model, for the weights")}
}

// Traits asks for a posterior with pending queries at their mean, and for the models of earlier studies.
func (p RGPE) Traits() Traits {
	return Traits{Name: NameOf("rgpe", p.Settings()), Model: true, Pending: feedback.Hallucinate, Earlier: true}
}

// Propose maximizes log EI under the ensemble.
func (p RGPE) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	if err := Validate(p); err != nil {
		return nil, err
	}
	if len(view.Earlier) == 0 {
		return LogEI{}.Propose(view, count, stream)
	}
	weights := view.EarlierShares(cmp.Or(p.Draws, defaultDraws), stream)
	return Sequential(view, count, feedback.Hallucinate, func(v View, avoid []space.Unit) space.Unit {
		return v.lesson(weights, avoid, stream)
	}), nil
}

// lesson is the point that earlier studies and this one are for, with these weights.
func (v View) lesson(weights []float64, avoid []space.Unit, stream *rand.Rand) space.Unit {
	switch {
	case weights[len(v.Earlier)] == 0 && !v.compared():
		return v.Maximize(v.portfolio(), avoid, stream)
	case v.misled(weights):
		return v.uncovered(avoid, stream)
	}
	return v.MaximizeGain(v.ensemble(weights), avoid, stream)
}

// compared reports whether there are as many answers as weights by ranking need.
func (v View) compared() bool {
	_, _, values := v.ranked()
	return len(values) >= rankedFirst
}

// Explain returns log EI under the ensemble, with the weights of the models.
func (p RGPE) Explain(v View, stream *rand.Rand) (Explanation, error) {
	if len(v.Earlier) == 0 {
		return LogEI{}.Explain(v, stream)
	}
	return v.lessons(v.EarlierShares(cmp.Or(p.Draws, defaultDraws), stream)), nil
}

// lessons explains the point that earlier studies and this one are for, with these weights.
func (v View) lessons(weights []float64) Explanation {
	if !v.compared() {
		f := v.portfolio()
		return Explanation{
			Acquisition: "improvement that earlier studies expect", Of: Level, Function: f,
			Why:     "there are too few answers to tell which of the earlier studies are like this one, and all count the same",
			Numbers: []Figure{{"earlier studies", Plain, float64(len(v.Earlier))}},
		}
	}
	if v.misled(weights) {
		return Explanation{Why: "no earlier study ranks the answers of this one, and there are too few of them for a model of their own: the point is far from all that were queried"}
	}
	e := v.ensemble(weights)
	out := Explanation{
		Acquisition: "log expected improvement under earlier studies and this one", Of: LogGain, Function: v.IfFeasible(e), At: e.standardized,
		Why:     "earlier studies count by how well their models rank the answers of this one, and each has its values in units of its own: from their mean, by their standard deviation",
		Numbers: []Figure{{"value to improve on, standardized", Plain, e.utility.Best}, {"weight of this study", Plain, weights[len(v.Earlier)]}},
	}
	order := make([]int, len(v.Earlier))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weights[b], weights[a]) })
	for _, k := range order[:min(len(order), 5)] {
		out.Numbers = append(out.Numbers, Figure{fmt.Sprintf("weight of %s", v.Earlier[k].Name), Plain, weights[k]})
	}
	return out
}

// standardized is what all studies together expect at x, where no unit is that of the values.
func (e *weighted) standardized(x space.Unit) []Figure {
	mean, variance := e.moments(x)
	return []Figure{{"mean of all studies, standardized", Plain, mean}, {"standard deviation of that", Plain, math.Sqrt(max(variance, 0))}}
}

// portfolio is what earlier studies, all alike, expect a point to improve on those that were queried; on nothing before the first query.
func (v View) portfolio() portfolio {
	f := portfolio{tops: make([]float64, len(v.Earlier))}
	for k, e := range v.Earlier {
		f.models = append(f.models, e.Posterior)
		f.tops[k] = math.Inf(-1)
		for _, q := range v.Queries {
			f.tops[k] = max(f.tops[k], e.Posterior.Mean(q.X))
		}
	}
	return f
}

// portfolio is an acquisition.Function: the sum of the improvements of the means over tops, and a thousandth of the means, which
// decides where no study expects any.
type portfolio struct {
	models expected
	tops   []float64
}

const portfolioMean = 1e-3

// Value is the sum at x. Cost O(Σ n_k).
func (f portfolio) Value(x space.Unit) float64 {
	sum := 0.0
	for k, p := range f.models {
		sum += f.of(k, p.Mean(x))
	}
	return sum
}

// of is what one model adds that expects a value.
func (f portfolio) of(k int, mean float64) float64 {
	if math.IsInf(f.tops[k], -1) {
		return mean
	}
	return max(mean-f.tops[k], 0) + portfolioMean*mean
}

// Gradient is the sum at x, and its slope.
func (f portfolio) Gradient(x space.Unit, grad []float64) float64 {
	sum, slope, variance := 0.0, make([]float64, len(x)), make([]float64, len(x))
	clear(grad)
	for k, p := range f.models {
		mean, _ := p.PredictGrad(x, slope, variance)
		sum += f.of(k, mean)
		rise := 1.0
		if !math.IsInf(f.tops[k], -1) {
			if rise = portfolioMean; mean > f.tops[k] {
				rise++
			}
		}
		for j := range grad {
			grad[j] += rise * slope[j]
		}
	}
	return sum
}

// PoolValues are those at the points of a list, of which each model knows its mean.
func (f portfolio) PoolValues(pool *surrogate.Pool) []float64 {
	out := make([]float64, pool.Len())
	for k, p := range f.models {
		if !sameList(p, pool) {
			return nil
		}
		for i, mean := range p.PoolMean() {
			out[i] += f.of(k, mean)
		}
	}
	return out
}

// sameList reports whether a posterior knows its moments at the points of a list.
func sameList(p *surrogate.Posterior, pool *surrogate.Pool) bool {
	own := p.Pool()
	return own != nil && own.Len() == pool.Len() && pool.Len() > 0 && slices.Equal(own.Point(0), pool.Point(0)) && slices.Equal(own.Point(own.Len()-1), pool.Point(pool.Len()-1))
}
