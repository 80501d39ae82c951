package policies

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
)

// UCBPE turns between an upper confidence bound and pure exploration. Where a value has come since the last query was chosen it
// maximizes μ + Beta·σ, with σ conditioned on what pends, as gp-bucb does. Otherwise there is nothing new to exploit: it looks for the
// greatest σ, conditioned on what pends, among the points that may still be the best by the answers alone,
//
//	R = {x : μ(x) + Region·σ(x) ≥ max μ − Beta·σ}        (Contal et al. 2013, sec. 3)
//
// The best lower bound is that of the list, elsewhere of the queries that were answered; ten times what a point lacks of it is taken off
// its σ, so that a search finds the way (Song et al. 2024). For batches of K Contal et al. prove that delays within a batch cost a constant,
// with the Beta of the theory and a Region of twice that; the defaults are those of Vizier, which are far narrower. Different from Vizier:
// its threshold is the mean at the query with the greatest bound, it takes the other turn now and then by chance, and it stays near what was
// queried at first. Before the first answer the choice is uniform. Cost: that of gp-bucb, and O(n²) for each query that pends, O(n) for each at every point that is looked at.
type UCBPE struct {
	Beta   float64 // of the bound, and of the best lower bound; 0 means 1.8
	Region float64 // of the bound that must reach it; 0 means 0.5
}

const (
	vizierBeta   = 1.8
	vizierRegion = 0.5
	vizierSlope  = 10 // by which a lack is worse than a deviation is good
)

var _ = Register(Entry{
	Name:    "ucb-pe",
	Summary: "upper confidence bound when a value has come since the last query, pure exploration of what may be the best otherwise",
	Source:  "Contal et al. 2013 (GP-UCB-PE), asynchronously as in Song et al. 2024 (Vizier)",
}, UCBPE{})

// Settings are the options.
func (p *UCBPE) Settings() Settings {
	above := Range{High: 1e6, OpenLow: true}
	return Settings{
		Number("beta", &p.Beta, vizierBeta, above, "standard deviations above the mean, and below it for what is sure"),
		Number("region", &p.Region, vizierRegion, above, "standard deviations above the mean of what may be the best"),
	}
}

// Traits asks for a posterior with pending queries hallucinated.
func (p UCBPE) Traits() Traits {
	return Traits{Name: NameOf("ucb-pe", p.Settings()), Model: true, Pending: feedback.Hallucinate}
}

// Propose maximizes the bound, or explores.
func (p UCBPE) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return Sequential(view, count, feedback.Hallucinate, func(v View, avoid []space.Unit) space.Unit {
		switch {
		case !v.Informed():
			return v.Random(stream, avoid)
		case v.news():
			return v.Maximize(acquisition.At{Posterior: v.Posterior, Utility: p.bound()}, avoid, stream)
		}
		f, _ := p.exploration(v)
		return v.Maximize(f, avoid, stream)
	}), nil
}

func (p UCBPE) bound() acquisition.UpperConfidenceBound {
	return acquisition.UpperConfidenceBound{Beta: cmp.Or(p.Beta, vizierBeta)}
}

// news reports whether a value has come that the choice of the last query could not see.
func (v View) news() bool {
	if len(v.Queries) == 0 || len(v.History) == 0 {
		return true
	}
	last := v.Queries[len(v.Queries)-1].Round
	return slices.ContainsFunc(v.History, func(a Answer) bool { return a.Seen > last })
}

// exploration is the deviation given what pends, less what a point lacks of the best lower bound.
func (p UCBPE) exploration(v View) (f acquisition.Function, threshold float64) {
	rest := v.aloneOnList()
	threshold = rest.bestLower(cmp.Or(p.Beta, vizierBeta))
	lack := lacking{acquisition.UpperConfidenceBound{Beta: cmp.Or(p.Region, vizierRegion)}, threshold}
	if rest.left != nil {
		return acquisition.LeftOut{Rows: rest.left, All: deviation{}, Rest: lack, Pool: rest.pool}, threshold
	}
	return acquisition.Sum{
		acquisition.At{Posterior: v.Posterior, Utility: deviation{}}, acquisition.At{Posterior: rest.Posterior, Utility: lack},
	}, threshold
}

// descending are the places of numbers, that of the greatest first and equal ones as they are.
func descending(of []float64) []int {
	order := make([]int, len(of))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(of[b], of[a]) })
	return order
}

// deviation is σ.
type deviation struct{}

func (deviation) Of(_, variance float64) float64 { return math.Sqrt(variance) }

func (deviation) Slopes(_, variance float64) (value, dmean, dvariance float64) {
	value = math.Sqrt(variance)
	if value > 0 {
		dvariance = 1 / (2 * value)
	}
	return value, 0, dvariance
}

// lacking is what a bound lacks of the least that is wanted, as a loss.
type lacking struct {
	bound acquisition.UpperConfidenceBound
	least float64
}

func (f lacking) Of(mean, variance float64) float64 {
	return vizierSlope * min(f.bound.Of(mean, variance)-f.least, 0)
}

func (f lacking) Slopes(mean, variance float64) (value, dmean, dvariance float64) {
	value, dmean, dvariance = f.bound.Slopes(mean, variance)
	if value >= f.least {
		return 0, 0, 0
	}
	return vizierSlope * (value - f.least), vizierSlope * dmean, vizierSlope * dvariance
}

// Explain returns the bound or, when it is its turn, the deviation.
func (p UCBPE) Explain(v View, _ *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	if v.news() {
		f := p.bound()
		e := v.bound("{upper|lower} confidence bound", f, Figure{"β, standard deviations {above|below} the mean", Plain, f.Beta})
		e.Why = "a value has come since the last query was chosen: " + e.Why
		return e, nil
	}
	return p.explored(v, "no value has come since the last query was chosen"), nil
}

// explored explains pure exploration, and why it is its turn.
func (p UCBPE) explored(v View, turn string) Explanation {
	v = v.withAlone()
	f, threshold := p.exploration(v)
	region, rest := acquisition.UpperConfidenceBound{Beta: cmp.Or(p.Region, vizierRegion)}, v.alone()
	came := "best {lower|upper} bound of a value that came"
	if v.hinted() && !v.apart() {
		came += ", at whatever fidelity"
	}
	return Explanation{
		Acquisition: "standard deviation where the {maximum|minimum} may be", Function: f,
		Why:     turn + ": what is least known, given what pends, among the points that may be the best; ten times what a point lacks of that is taken off",
		Numbers: []Figure{{came, Level, threshold}, {"standard deviations {above|below} the mean that must reach it", Plain, region.Beta}},
		At: func(x space.Unit) []Figure {
			return []Figure{{"the bound that must reach it", Level, region.Of(rest.moments(x))}}
		},
	}
}
