package policies

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
)

var _ = Register(Entry{
	Name:    "auto",
	Summary: "confidence bounds and posterior draws in turn, on a kernel and a warp of the values that the evidence chooses",
	Source:  "Desautels et al. 2014; Kandasamy et al. 2018; Snelson et al. 2004",
}, Auto{})

// Auto chooses two queries of three by GP-BUCB, with pending queries hallucinated, and the third by a draw from the posterior of
// the answers alone, as asynchronous Thompson sampling does: the bound is fast where the model is right, and the draw finds what
// a model that is too sure of itself does not look at. Fits choose the kernel and the warp of the values besides the
// hyperparameters (Traits.Adapts). With a fidelity the point is chosen so at the greatest, and queried at the fidelity that tells most of
// it for its cost, see View.atWorth.
type Auto struct {
	Beta     Beta
	Features int // random features of a draw in a continuous space; 0 means 512
}

// Settings are the options.
func (p *Auto) Settings() Settings { return append(p.Beta.Settings(), featuresSetting(&p.Features)) }

// Traits asks for a model that adapts, with pending queries hallucinated; for the draw they are taken out of it.
func (p Auto) Traits() Traits {
	return Traits{
		Name: NameOf("auto", p.Settings()), Model: true, Pending: feedback.Hallucinate, Draws: true, Adapts: true, Widens: true, Fidelities: true,
	}
}

const (
	autoTurns = 3     // every third query is drawn
	autoDrawn = 12    // in more dimensions none is: the maximum of a draw is hardly better than a point at random there
	autoExact = 1e-10 // variance, of that of the values, below which a point is as good as known, as exact as the model is
	autoMixed = 1e-4  // the same where parameters are discrete: another choice is worth more than a digit
	autoApart = 1e-3  // a query differs from those before by more, in some coordinate, in a quiet view without constraints: at a bound the best points are close together
	autoYoung = 64    // as long as there are no more queries
)

// Propose maximizes the bound, or a draw. Forecasts are those of the answers alone: a value is not the nearer to its forecast because
// others pend beside it.
func (p Auto) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	var forecasts []*Forecast
	view = view.settledAs(autoExact, autoMixed)
	proposals := Sequential(view, count, feedback.Hallucinate, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			forecasts = append(forecasts, nil)
			return v.Random(stream, avoid)
		}
		x := p.choose(v, avoid, stream)
		if v.Quiet && len(v.Constraints) == 0 && v.Round <= autoYoung && !v.listed() && v.near(x, autoApart) {
			x = v.elsewhere(autoApart, avoid, stream)
		}
		x = v.atWorth(x, avoid, stream)
		v.Posterior = v.Posterior.WithPool(nil)
		forecasts = append(forecasts, v.Ignoring().Forecast(x))
		return x
	})
	widen := Overconfidence(view.History)
	for i, f := range forecasts {
		if f != nil {
			f.Stddev *= widen
		}
		proposals[i].Forecast = f
	}
	return proposals, nil
}

// Explain returns the bound or, when it is its turn, the draw.
func (p Auto) Explain(v View, stream *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	v = v.settledAs(autoExact, autoMixed)
	if v.drawsNow() {
		v = v.Ignoring()
		e := v.draw(1, p.Features, stream)
		e.Belief = &v.Belief
		e.Why = "every third query is drawn from the posterior of the answers alone: " + e.Why
		return e, nil
	}
	f := acquisition.UpperConfidenceBound{Beta: p.Beta.At(v, srinivasFailures, 0)}
	e := v.bound("upper confidence bound", f, Figure{"β, standard deviations above the mean", Plain, f.Beta})
	e.Why = "two queries of three maximize a bound: " + e.Why
	return e, nil
}

// choose maximizes the bound or, when it is its turn, a draw from the posterior of the answers alone.
func (p Auto) choose(v View, avoid []space.Unit, stream *rand.Rand) space.Unit {
	if v.drawsNow() {
		v = v.Ignoring()
		return v.Maximize(v.Draw(1, p.Features, stream), avoid, stream)
	}
	bound := acquisition.UpperConfidenceBound{Beta: p.Beta.At(v, srinivasFailures, 0)}
	return v.Maximize(acquisition.At{Posterior: v.Posterior, Utility: bound}, avoid, stream)
}

// drawsNow reports whether it is the turn of a draw.
func (v View) drawsNow() bool { return v.Round%autoTurns == 0 && v.Space.Varying() <= autoDrawn }

// settledAs returns the view with the variance below which a point is as good as known, in a continuous space or another.
func (v View) settledAs(continuous, mixed float64) View {
	if v.settled = mixed; v.Space.Continuous() {
		v.settled = continuous
	}
	return v
}

// elsewhere returns the point with the greatest expected improvement that is farther than the distance, in some coordinate, from
// every query.
func (v View) elsewhere(distance float64, avoid []space.Unit, stream *rand.Rand) space.Unit {
	return acquisition.Maximize(v.improvable(), acquisition.Search{
		Space: v.Space, Context: v.Context, Avoid: append(v.Known(), avoid...), Apart: distance, Stream: stream, Near: v.Promising(),
	})
}

// near reports whether some query differs from x by at most the distance in every coordinate. Cost O(n·d).
func (v View) near(x space.Unit, distance float64) bool {
	return slices.ContainsFunc(v.Queries, func(q Query) bool { return floats.Distance(q.X, x, math.Inf(1)) <= distance })
}
