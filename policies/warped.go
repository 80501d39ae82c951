package policies

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
)

// Warp is what a warped model bends before it looks at the data.
type Warp int

// The warps.
const (
	WarpBoxCox Warp = iota // losses, by the power that makes them most like a Gaussian sample (Box and Cox 1964)
	WarpLog                // losses, by the logarithm
	WarpTanh               // losses, by a line and up to two steps (Snelson et al. 2004)
	WarpInput              // each coordinate, by the Kumaraswamy distribution (Snoek et al. 2014 use the beta distribution)
)

var warpNames = []string{"boxcox", "log", "tanh", "input"}

// Warped maximizes the logarithm of expected improvement under a Gaussian process on warped values or inputs. The model is
// made anew for each query, from the rows of the loop's: it begins with the loop's kernel and hyperparameters, learns the
// warp from the answers, then fits the hyperparameters to what was warped. Values are warped as losses, below the greatest
// answer and in their standard deviations, so that their units do not matter and what is bent most is the neighborhood of
// the maximum; the power and the logarithm add a tenth to keep them positive. Imputed values are never learned from; bad
// values of queries that failed are warped like the rest. With Pending = Hallucinate a pending query counts as answered with
// the warped model's mean; Censor is not supported.
//
// Where the warp cannot be learned, with fewer than four answers, equal answers, numbers out of range, or a prior that earlier tasks taught, it is LogEI on the
// model of the loop. Forecasts of warped values have no mean and standard deviation in the user's units: none are issued.
// Before the first answer it chooses uniformly. Cost O(n³) a query, and O(n²) for each
// point of a list; learning looks at 200 answers at most.
type Warped struct {
	Warp    Warp
	Pending feedback.Imputation
}

var _ = Register(Entry{
	Name:    "warped",
	Summary: "expected improvement under a model on warped values or inputs; pending queries hallucinated",
	Source:  "the baselines of Deshpande et al. 2024: Box and Cox 1964, Snelson et al. 2004, Snoek et al. 2014 (with Kumaraswamy's law)",
}, Warped{Pending: feedback.Hallucinate})

// Settings are the options.
func (p *Warped) Settings() Settings {
	uncensored := feedback.Imputations()
	uncensored[feedback.Censor] = ""
	return Settings{
		Choice("warp", &p.Warp, WarpBoxCox, warpNames, "what is bent, and how"),
		Choice("pending", &p.Pending, feedback.Hallucinate, uncensored, "what a pending query contributes to the model"),
	}
}

// Traits asks for a posterior with pending queries as Pending says.
func (p Warped) Traits() Traits {
	return Traits{Name: NameOf("warped", p.Settings()), Model: true, Pending: p.Pending}
}

// Propose maximizes log EI under the warped model.
func (p Warped) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	if p.Pending == feedback.Censor {
		return nil, fmt.Errorf("%w: warped with censored values", ErrUnsupported)
	}
	if err := Validate(p); err != nil {
		return nil, err
	}
	var models []*warpedModel
	proposals := Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			models = append(models, nil)
			return v.Random(stream, avoid)
		}
		m := v.warped(p.Warp)
		models = append(models, m)
		if m == nil {
			return v.MaximizeGain(acquisition.At{Posterior: v.Posterior, Utility: acquisition.LogExpectedImprovement{Best: v.Target()}}, avoid, stream)
		}
		return v.MaximizeGain(m.function(v), avoid, stream)
	})
	for i, m := range models {
		if m != nil {
			proposals[i].Forecast = m.forecast(view, proposals[i].X)
		}
	}
	return proposals, nil
}

// Explain returns log EI under the warped model.
func (p Warped) Explain(v View, _ *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	m := v.warped(p.Warp)
	if m == nil {
		e := v.improvement()
		e.Why = "the warp cannot be learned yet: " + e.Why
		return e, nil
	}
	e := Explanation{
		Acquisition: "log expected improvement under warped values", Why: "values are bent until they look Gaussian, which says most near the {maximum|minimum}",
		Function: v.IfFeasible(m.function(v)),
	}
	if m.inputs == nil {
		e.At = func(x space.Unit) []Figure {
			mean, variance := m.posterior.Predict(x)
			return []Figure{{"mean of the warped value", Plain, mean}, {"standard deviation of the warped value", Plain, math.Sqrt(variance)}}
		}
		return e, nil
	}
	e.Acquisition, e.Of, e.Why = "log expected improvement under warped inputs", LogGain, "coordinates are bent until the values vary evenly along them"
	e.Numbers = []Figure{target(m.best(v))}
	e.Moments = func(x space.Unit) (mean, variance float64) { return m.posterior.Predict(m.inputs.at(x)) }
	return e, nil
}
