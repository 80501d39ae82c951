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
	Summary: "confidence bounds and pure exploration in turn, on a kernel, scales of the parameters and a warp of the values that the evidence chooses",
	Source:  "Desautels et al. 2014; Contal et al. 2013; Snelson et al. 2004",
}, Auto{})

// Auto chooses two queries of three by GP-BUCB, with pending queries hallucinated, and the third by pure exploration, as UCBPE does
// between values: where the deviation, given what pends, is greatest among the points that may be the best by the answers alone. The
// bound is fast where the model is right, and exploration visits the other peaks that it has not ruled out. Both stay at one peak where
// none other seems to reach it, which a model may say of a function with many: where values are noisy, and a query's turn finds a point that is
// known better than by one value, every second query is by a bound three times as wide instead; without noise every third, once there are some values, where it finds one that is known well, while the last values were no better than those before. In more than twelve dimensions
// none explores without noise, but where the point of a turn is known well every third query is by expected improvement under a plain model, which expects more
// elsewhere, see View.plain; with noise every third explores, and none is by a wide bound. So is what would explore without noise in fewer dimensions where parameters depend on others. Fits choose the kernel, scales of the parameters and the warp of the values besides the hyperparameters (Traits.Adapts). With a fidelity the
// point is chosen so at the greatest, and queried at the fidelity that tells most of it for its cost, see View.atWorth. At contexts, where a query is a play that should earn something, all
// maximize the bound. While the values are no likelier under the model than as noise around their mean every second query covers the space, see View.foretellsNothing. Where the model sees noise, in more than six dimensions, and where no value of a finite space tells of another, the best point is queried once more, to see whether values have any, see View.again.
// With earlier studies (Earlier) some queries are where those are for it, see View.lesson.
type Auto struct {
	Beta    Beta
	Earlier int // every so many queries look at earlier studies too, as those of RGPE do, and all before three answers; 0: none does, and there are none
}

// EarlierDefault is the policy of a study that names none and is given earlier ones, as Parse reads it.
const EarlierDefault = Default + ":earlier=2"

// Settings are the options.
func (p *Auto) Settings() Settings {
	return append(p.Beta.Settings(), Whole("earlier", &p.Earlier, 0, 0, mostTurns, "every so many queries look at earlier studies; 0: none, and there are none"))
}

const mostTurns = 100

// Traits asks for a model that adapts, with pending queries hallucinated.
func (p Auto) Traits() Traits {
	return Traits{
		Name: NameOf("auto", p.Settings()), Model: true, Pending: feedback.Hallucinate, Adapts: true, Widens: true, Fidelities: true, Earlier: p.Earlier > 0,
	}
}

const (
	autoTurns    = 3     // every third query explores
	autoCovers   = 2     // every second query covers the space while the model foretells nothing
	autoExplores = 12    // in more dimensions none does without noise: there is too much where the best may be
	autoWide     = 3     // times β is a wide bound
	autoFarther  = 2     // every second query is by one, where values are noisy and its turn finds nothing to be told
	autoLast     = 3     // values, the last ones, that are no better: then every third query is by one without noise too
	autoFew      = 24    // values up to which that says nothing: scales are found by then
	autoBetter   = 1e-4  // by which the best value is better at least, of the spread as the model sees it
	autoClear    = 0.1   // a deviation below which a point is known well, of the same
	autoGlance   = 0.25  // share of the variance up to which a point is known well enough, where a search for it sets out: then it is spared
	autoSettled  = 1e-2  // of the spread of the values: a deviation below which there is nothing new at a point
	autoBranches = 1e-3  // the same where exploration chose it and parameters depend on others
	autoNoisy    = 1e-4  // variance of the noise, of that of the values, from which on they are
	autoExact    = 1e-10 // variance, of that of the values, below which a point is as good as known, as exact as the model is
	autoMixed    = 1e-4  // the same where parameters are discrete: another choice is worth more than a digit
	autoApart    = 1e-3  // a query differs from those before by more, in some coordinate as the model sees it, in a quiet view without constraints: at a bound the best points are close together
	autoYoung    = 50    // as long as there are no more queries
)

// Propose maximizes the bound, or explores. Forecasts are those of the answers alone: a value is not the nearer to its forecast because
// others pend beside it.
func (p Auto) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	var forecasts []*Forecast
	var again space.Unit
	view = view.settledAs(autoExact, autoMixed)
	shares := p.shares(view, stream)
	proposals := Sequential(view, count, feedback.Hallucinate, func(v View, avoid []space.Unit) space.Unit {
		if v.Informed() {
			v = v.withAlone()
		}
		x, repeats := p.query(v, shares, avoid, stream)
		if repeats {
			again = x
		}
		var forecast *Forecast
		if v.Informed() {
			forecast = v.alone().forecast(x)
		}
		forecasts = append(forecasts, forecast)
		return x
	})
	widen := Overconfidence(view.History, view.Space.Varying())
	for i, f := range forecasts {
		if f != nil {
			f.Stddev = widened(*f, widen)
		}
		proposals[i].Forecast, proposals[i].Again = f, again != nil && slices.Equal(proposals[i].X, again)
	}
	return proposals, nil
}

// query returns the point of one query, and whether it was queried before and is measured again.
func (p Auto) query(v View, shares []float64, avoid []space.Unit, stream *rand.Rand) (x space.Unit, repeats bool) {
	switch {
	case p.learns(v, shares):
		if x = v.lesson(shares, avoid, stream); !v.Informed() {
			return x, false
		}
	case !v.Informed():
		return v.unguided(avoid, stream), false
	default:
		if x = v.again(avoid); x != nil {
			return x, true
		}
		x, _, _ = p.choose(v, avoid, stream)
	}
	if v.keepsApart() && v.near(x, autoApart) {
		x = v.elsewhere(autoApart, avoid, stream)
	}
	return v.atWorth(x, avoid, stream), false
}

// Explain returns the bound or, when it is its turn, the deviation. Where the query may have looked farther, or elsewhere, it is chosen once more.
func (p Auto) Explain(v View, stream *rand.Rand) (e Explanation, err error) {
	shares := p.shares(v, stream)
	if p.learns(v, shares) {
		e = v.lessons(shares)
		e.Why = p.lessonsWhy() + ": " + e.Why
		return e, nil
	}
	if !v.Informed() {
		return v.unguidedly(), nil
	}
	if v.last() {
		return v.lastly(), nil
	}
	v = v.settledAs(autoExact, autoMixed)
	seen := v
	defer func() { e.Why, e.Target, e.Apart, e.Settled = e.Why+v.moves(), true, v.distance(), seen.Settled }()
	if v.again(nil) != nil {
		return atRandom(v.againWhy()), nil
	}
	turn := p.turn(v)
	if p.mayLookFarther(v, turn) || p.mayLookElsewhere(v, turn) || v.uncertainMargins() {
		_, turn, seen = p.choose(v, nil, stream)
	}
	switch turn {
	case elsewhere:
		return seen.plainImprovement(v.Units), nil
	case doubtfulBest:
		e = v.improvement()
		e.Why = turn.why() + ": " + e.Why
		return e, nil
	case covering:
		return atRandom(turn.why()), nil
	case exploration:
		return UCBPE{}.explored(v, turn.why()), nil
	}
	f := p.bound(v, turn)
	e = v.bound("{upper|lower} confidence bound", f, Figure{"β, standard deviations {above|below} the mean", Plain, f.Beta})
	e.Why = turn.why() + ": " + e.Why
	return e, nil
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
		Inputs: v.inputs(),
	})
}

// near reports whether some query differs from x by at most the distance in every coordinate. Cost O(n·d).
func (v View) near(x space.Unit, distance float64) bool {
	w := v.inputs()
	at := w.To(x)
	return slices.ContainsFunc(v.Queries, func(q Query) bool { return floats.Distance(w.To(q.X), at, math.Inf(1)) <= distance })
}
