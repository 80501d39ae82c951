package policies

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// Explainer is a policy that says what it maximizes.
type Explainer interface {
	Policy
	// Explain returns what the first proposal at a view maximizes. The stream is one as Propose would get it: with the same
	// numbers a draw is the same draw. Errors and cost are those of Propose without its search, but where what is maximized depends on what a
	// search finds.
	Explain(view View, stream *rand.Rand) (Explanation, error)
}

// Explanation says what a policy maximizes at a view, for people. Its numbers are in the model's units; Unit.In turns them into
// those of the user.
type Explanation struct {
	Acquisition string               // what is maximized, by the name of the field, in words that Worded reads; empty where nothing is
	Of          Unit                 // of the values of Function
	Why         string               // one sentence, in such words
	Numbers     []Figure             // on which Function depends
	Function    acquisition.Function // nil where nothing is maximized
	At          func(x space.Unit) []Figure
	Target      bool    // Function looks at the greatest fidelity, wherever a point is queried then
	Apart       float64 // where the greatest is no farther than this from another query, in every coordinate, another choice takes its place; 0: never
	// Settled reports where a quiet view leaves nothing to learn, so that expected improvement chooses another point; nil where that is as View.Settled says.
	Settled func(x space.Unit) bool
	// Moments are mean and latent variance of a model of the policy's own, in the model's units; nil where it looks at the
	// posterior of the view.
	Moments func(x space.Unit) (mean, variance float64)
}

// Worded returns words in the sense of a study: of {a|b} those for the one whose greatest value is the best, or those for the one whose
// smallest is.
func Worded(words string, sense outcome.Sense) string {
	which := "$1"
	if sense.Sign() < 0 {
		which = "$2"
	}
	return eitherWay.ReplaceAllString(words, which)
}

var eitherWay = regexp.MustCompile(`\{([^{}|]*)\|([^{}|]*)\}`)

// Figure is a number with a name, in words that Worded reads.
type Figure struct {
	Name  string
	Of    Unit
	Value float64
}

// Unit says what a number in the model's units is.
type Unit int

// The units of numbers.
const (
	Plain          Unit = iota // a number without a unit
	Level                      // a value
	Spread                     // a distance of two values
	LogGain                    // the logarithm of a distance of values
	LogChance                  // the logarithm of a probability
	LogInformation             // the logarithm of information in nats
)

// In returns a number in the user's units: a value in the user's sense, a distance of values, the probability or the information itself. Plain
// numbers stay.
func (u Unit) In(units feedback.Units, sense outcome.Sense, v float64) float64 {
	switch u {
	case Level:
		return sense.Sign()*units.From(v) + 0 // not -0
	case Spread:
		return units.Scale * v
	case LogGain:
		return units.Scale * math.Exp(v)
	case LogChance, LogInformation:
		return math.Exp(v)
	}
	return v
}

// Explain asks a policy what it maximizes. What is no Explainer is not known. A policy of another package gets a copy of the view.
func Explain(p Policy, view View, stream *rand.Rand) (Explanation, error) {
	view = view.lent(p).Avoiding()
	if view.seeks() && !p.Traits().Safety.Seeds {
		return view.constrained(view.seeking()), nil
	}
	if p.Traits().Adapts && (view.covers() || view.level()) {
		return view.unguidedly(), nil
	}
	e, err := explained(p, view, stream)
	return view.constrained(e), err
}

// explained is Explain without what constraints say.
func explained(p Policy, view View, stream *rand.Rand) (Explanation, error) {
	if e, ok := p.(Explainer); ok {
		return e.Explain(view, stream)
	}
	return Explanation{Why: "the policy does not say what it maximizes"}, nil
}

// atRandom explains a point that no acquisition was maximized for.
func atRandom(why string) Explanation { return Explanation{Why: why} }

// uninformed explains the uniform point before the first answer.
func uninformed() Explanation {
	return atRandom("no value has come yet: the policy draws a uniform point")
}

// unguidedly explains what a policy that adapts queries while nothing says where values are good.
func (v View) unguidedly() Explanation {
	const scattered = "the policy draws a point that is uniform along random scales, since what %s may lie in a small part of a range"
	why := "no value has come yet"
	if v.level() {
		why = "all values are the same"
	}
	switch {
	case v.covers():
		return atRandom(why + ": the policy covers the space, by the point that leaves the least of it far from a query")
	case v.level():
		return atRandom(why + ": " + fmt.Sprintf(scattered, "differs"))
	case v.inVain():
		return atRandom(why + ", and queries have ended without one: " + fmt.Sprintf(scattered, "succeeds"))
	}
	return uninformed()
}

// target is the value to improve on, as a figure.
func target(v float64) Figure { return Figure{"value to improve on", Level, v} }

// bound explains an upper confidence bound with these standard deviations above the mean.
func (v View) bound(name string, f acquisition.UpperConfidenceBound, numbers ...Figure) Explanation {
	e := Explanation{
		Acquisition: name, Of: Level, Function: acquisition.At{Posterior: v.Posterior, Utility: f},
		Why: "the mean and some standard deviations: a point is worth as much as it may well be worth", Numbers: numbers,
	}
	if f.Noise > 0 {
		e.Numbers = append(e.Numbers, Figure{"noise counted in the standard deviation", Spread, math.Sqrt(f.Noise)})
	}
	return e
}

// improvement explains log EI on the posterior of the view.
func (v View) improvement() Explanation {
	best := v.Target()
	return Explanation{
		Acquisition: "log expected improvement", Of: LogGain, Why: "how much the point is expected to {add to|take off} the {greatest|least} mean at a query",
		Numbers: []Figure{target(best)}, Function: v.improvable(),
	}
}

// draw explains Thompson sampling with a draw stretched by nu.
func (v View) draw(nu float64, features int, stream *rand.Rand) Explanation {
	return Explanation{
		Acquisition: "posterior draw", Of: Level, Why: "the {greatest|least} value of one function drawn from the posterior: chance chooses among what may be best",
		Numbers: []Figure{{"stretch of the draw around the mean", Plain, nu}}, Function: v.Draw(nu, features, stream),
	}
}
