package policies

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

var _ = Register(Entry{
	Name:    "auto",
	Summary: "confidence bounds and pure exploration in turn, on a kernel and a warp of the values that the evidence chooses",
	Source:  "Desautels et al. 2014; Contal et al. 2013; Snelson et al. 2004",
}, Auto{})

// Auto chooses two queries of three by GP-BUCB, with pending queries hallucinated, and the third by pure exploration, as UCBPE does
// between values: where the deviation, given what pends, is greatest among the points that may be the best by the answers alone. The
// bound is fast where the model is right, and exploration visits the other peaks that it has not ruled out. Where queries are
// chosen one at a time and values are noisy every second one is by a bound three times as wide instead: pending queries draw bounds apart, and
// without any they stay at one peak, of which noise leaves something to be learned for long. Fits choose the kernel and the warp of the values
// besides the hyperparameters (Traits.Adapts). With a fidelity the point is chosen so at the greatest, and queried
// at the fidelity that tells most of it for its cost, see View.atWorth.
type Auto struct {
	Beta Beta
}

// Settings are the options.
func (p *Auto) Settings() Settings { return p.Beta.Settings() }

// Traits asks for a model that adapts, with pending queries hallucinated.
func (p Auto) Traits() Traits {
	return Traits{
		Name: NameOf("auto", p.Settings()), Model: true, Pending: feedback.Hallucinate, Adapts: true, Widens: true, Fidelities: true,
	}
}

const (
	autoTurns    = 3     // every third query explores, unless it is alone
	autoExplores = 12    // in more dimensions none does: there is too much where the best may be
	autoWide     = 3     // times β is a wide bound
	autoAlone    = 2     // every second query is by one where queries are chosen one at a time and values are noisy
	autoNoisy    = 1e-4  // variance of the noise, of that of the values, from which on they are
	autoExact    = 1e-10 // variance, of that of the values, below which a point is as good as known, as exact as the model is
	autoMixed    = 1e-4  // the same where parameters are discrete: another choice is worth more than a digit
	autoApart    = 1e-3  // a query differs from those before by more, in some coordinate, in a quiet view without constraints: at a bound the best points are close together
	autoYoung    = 64    // as long as there are no more queries
)

// Propose maximizes the bound, or explores. Forecasts are those of the answers alone: a value is not the nearer to its forecast because
// others pend beside it.
func (p Auto) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	var forecasts []*Forecast
	view = view.settledAs(autoExact, autoMixed)
	proposals := Sequential(view, count, feedback.Hallucinate, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			forecasts = append(forecasts, nil)
			return v.unguided(avoid, stream)
		}
		x := p.choose(v, avoid, stream)
		if v.keepsApart() && v.near(x, autoApart) {
			x = v.elsewhere(autoApart, avoid, stream)
		}
		x = v.atWorth(x, avoid, stream)
		v.Posterior = v.Posterior.WithPool(nil)
		forecasts = append(forecasts, v.Ignoring().Forecast(x))
		return x
	})
	widen := Overconfidence(view.History, view.Space.Varying())
	for i, f := range forecasts {
		if f != nil {
			f.Stddev = widened(*f, widen)
		}
		proposals[i].Forecast = f
	}
	return proposals, nil
}

// Explain returns the bound or, when it is its turn, the deviation.
func (p Auto) Explain(v View, _ *rand.Rand) (e Explanation, err error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	if v.last() {
		return v.lastly(), nil
	}
	defer func() { e.Why, e.Target, e.Apart = e.Why+v.moves(), true, v.distance() }()
	v = v.settledAs(autoExact, autoMixed)
	turn := p.turn(v)
	if turn == exploration {
		return UCBPE{}.explored(v, turn.why()), nil
	}
	f := p.bound(v, turn)
	e = v.bound("{upper|lower} confidence bound", f, Figure{"β, standard deviations {above|below} the mean", Plain, f.Beta})
	e.Why = turn.why() + ": " + e.Why
	return e, nil
}

// autoTurn is what a query of Auto is chosen by.
type autoTurn int

const (
	oneBound    autoTurn = iota // of two in three queries
	exploration                 // the third
	onlyBound                   // of all, in many dimensions
	wideBound                   // of every second query, alone
	narrowBound                 // of the others
)

// why says it in words.
func (t autoTurn) why() string {
	return [...]string{
		oneBound:    "two queries of three maximize a bound",
		exploration: "every third query explores",
		onlyBound:   "in so many dimensions all queries maximize a bound",
		wideBound:   "nothing pends and values are noisy, so that every second query maximizes a bound three times as wide, as this one does",
		narrowBound: "nothing pends and values are noisy, so that every second query maximizes a bound three times as wide, but not this one",
	}[t]
}

// turn is whose turn it is. A bound by the theory is wide in every query.
func (p Auto) turn(v View) autoTurn {
	switch {
	case v.Space.Varying() > autoExplores:
		return onlyBound
	case !p.Beta.Theory && v.alone():
		if v.Round%autoAlone == 0 {
			return wideBound
		}
		return narrowBound
	case v.Round%autoTurns == 0:
		return exploration
	}
	return oneBound
}

// moves says what becomes of the point that was chosen first.
func (v View) moves() (words string) {
	if _, has := v.Space.Fidelity(); has {
		words += "; the point is chosen at the greatest fidelity, and queried at the one that tells most of it for its cost"
	}
	return words
}

// distance is how far a query keeps from those before.
func (v View) distance() float64 {
	if v.keepsApart() {
		return autoApart
	}
	return 0
}

// keepsApart reports whether a query must differ from those before.
func (v View) keepsApart() bool {
	return v.Quiet && len(v.Constraints) == 0 && v.Round <= autoYoung && !v.listed()
}

// choose maximizes the bound or, when it is its turn, the deviation among the points that may be the best.
func (p Auto) choose(v View, avoid []space.Unit, stream *rand.Rand) space.Unit {
	turn := p.turn(v)
	if turn == exploration {
		f, _ := UCBPE{}.exploration(v)
		return v.Maximize(f, avoid, stream)
	}
	return v.Maximize(acquisition.At{Posterior: v.Posterior, Utility: p.bound(v, turn)}, avoid, stream)
}

// bound is the bound, or the wide one when it is its turn.
func (p Auto) bound(v View, turn autoTurn) acquisition.UpperConfidenceBound {
	beta := p.Beta.At(v, srinivasFailures, 0)
	if turn == wideBound {
		beta *= autoWide
	}
	return acquisition.UpperConfidenceBound{Beta: beta}
}

// alone reports whether bounds would stay at one peak: queries are chosen one at a time, values are noisy, and the model is of any function, as
// sums and surfaces are not, which say what is far from the queries too. In a list it costs at first what it gains later. With contexts a query
// is a play that should earn something, and with a fidelity it looks elsewhere than where it asks.
func (v View) alone() bool {
	_, general := v.Posterior.Prior().Kernel.(surrogate.Stationary)
	return general && len(v.Context) == 0 && !v.listed() && v.oneAtATime() && v.noisy()
}

// oneAtATime reports whether nothing pends, nor did when the last query was chosen: of a batch the first finds nothing that pends either.
func (v View) oneAtATime() bool {
	if len(v.Pending) > 0 || len(v.Queries) == 0 {
		return false
	}
	last := v.Queries[len(v.Queries)-1]
	return !slices.ContainsFunc(v.History, func(a Answer) bool { return a.Seen > last.Round && a.Query.Number != last.Number })
}

// noisy reports whether values have noise, by what the model has learned, or expects before it is fitted, and by what came with half of them.
func (v View) noisy() bool {
	known := make([]float64, v.Posterior.Len())
	for i := range known {
		known[i] = v.Posterior.Known(i)
	}
	slices.Sort(known)
	return len(known) > 0 && v.Posterior.Noise()+known[len(known)/2] >= autoNoisy
}

// settledAs returns the view with the variance below which a point is as good as known, in a continuous space or another.
func (v View) settledAs(continuous, mixed float64) View {
	if v.settled = mixed; v.Space.Continuous() {
		v.settled = continuous
	}
	return v
}

// elsewhere returns the point with the greatest expected improvement, of those where a query succeeds, that is farther than the distance,
// in some coordinate, from every query.
func (v View) elsewhere(distance float64, avoid []space.Unit, stream *rand.Rand) space.Unit {
	return acquisition.Maximize(v.improvable(), acquisition.Search{
		Space: v.Space, Context: v.Context, Avoid: append(v.Known(), avoid...), Apart: distance, Stream: stream, Near: v.Promising(), Within: v.succeeds(),
	})
}

// near reports whether some query differs from x by at most the distance in every coordinate. Cost O(n·d).
func (v View) near(x space.Unit, distance float64) bool {
	return slices.ContainsFunc(v.Queries, func(q Query) bool { return floats.Distance(q.X, x, math.Inf(1)) <= distance })
}
