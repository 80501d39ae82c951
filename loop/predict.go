package loop

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// ErrNoModel says that there is no model to ask: the policy looks at none, or fewer than three values have come.
var ErrNoModel = model.ErrNone

// Prediction is what the answers that have come say of the function at a point, in the user's units and sense; the last reports of
// evaluations that were ended early are among them, those of others are not. Where fits choose
// a warp of the values (policies.Traits.Adapts) the law of the function is not symmetric: then Mean is its median, and deviations
// are half the width of the interval that holds the share of one deviation to either side, 68.3 %.
type Prediction struct {
	Mean   float64 // of the function
	Stddev float64 // of the function: how sure the model is of its mean, and no surer than its forecasts have earned (Traits.Widens)
	Noise  float64 // standard deviation of a measurement around the function
}

// believe is what the model is after everything that has happened. Where no hyperparameters were learned yet, or values came since that
// contradict them, they are learned for it. Cost O(n²) for each row that is new since the last ask or pends, O(n³) after new hyperparameters, and O(n·d) for each
// failure.
func (l *Loop) believe() (model.Outlook, error) { return l.believes(0) }

// believes is believe for any belief, in the order of the configuration of the model.
func (l *Loop) believes(k int) (model.Outlook, error) {
	if !l.config.Traits.Model && l.model.Answers(model.Objective).Count(l.config.Traits.Pending) >= model.FitFirst {
		return model.Outlook{}, fmt.Errorf("%w: policy %s looks at none", ErrNoModel, l.config.Traits.Name)
	}
	return l.outlook(k)
}

// prediction turns moments of the model into the user's units; an error where these are too large for them.
func (l *Loop) prediction(b model.Belief, mean, variance float64) (Prediction, error) {
	return scale{l.config.Sense(), b, l.widening()}.prediction(mean, variance)
}

// widening is by how much deviations are widened by how the forecasts before did, where forecasts are; never below 1: what is left over
// where intervals were too wide may be the noise.
func (l *Loop) widening() float64 {
	if !l.config.Traits.Widens {
		return 1
	}
	return max(1, policies.Overconfidence(l.withoutPenalties(l.ledger.history), l.config.Space.Varying()))
}

// scale leads from moments of a belief to the user's units.
type scale struct {
	sense  outcome.Sense
	belief model.Belief
	wider  float64
}

func (s scale) prediction(mean, variance float64) (Prediction, error) {
	units := s.belief.Units
	p := Prediction{
		Mean:   s.sense.Sign() * units.From(mean),
		Stddev: s.wider * units.Deviation(mean, math.Sqrt(max(variance, 0))), Noise: units.Deviation(mean, math.Sqrt(s.belief.Posterior.Noise())),
	}
	if !outcome.Finite(p.Mean, p.Stddev, p.Noise) {
		return Prediction{}, fmt.Errorf("%w: its numbers are not finite in the units of the values", ErrNoModel)
	}
	return p, nil
}

// Predict returns what the model says at a point in user units, contexts included, after everything that has happened. Nothing
// changes, and no budget is spent. An error wraps space.ErrOutsideSpace or ErrNoModel. Cost O(n²), and more where answers or
// hyperparameters are new and nobody has asked since the last event; what was learned is kept until there are other answers.
func (l *Loop) Predict(x space.Point) (Prediction, error) {
	if err := l.config.Space.Contains(x); err != nil {
		return Prediction{}, err
	}
	predict, err := l.Predictor()
	if err != nil {
		return Prediction{}, err
	}
	return predict(x)
}

// Predictor returns Predict as it is now, for many points: the function knows what has happened so far, whatever happens to the loop
// afterwards, and any number of goroutines may call it. An error wraps ErrNoModel. Cost that of Predict, and then O(n²) for each point.
func (l *Loop) Predictor() (func(x space.Point) (Prediction, error), error) {
	b, err := l.believe()
	if err != nil {
		return nil, err
	}
	where, units := l.config.Space, scale{l.config.Sense(), b.Belief, l.widening()}
	return func(x space.Point) (Prediction, error) {
		u, err := where.Unit(x)
		if err != nil {
			return Prediction{}, err
		}
		mean, variance := units.belief.Posterior.Predict(u)
		return units.prediction(mean, variance)
	}, nil
}

// Beyond so many of its standard deviations, and so much of the spread of the values, a value tells the model that it errs.
const (
	startlingDeviations = 8
	startlingSpread     = 0.05
)

// startle lets the model learn anew before its time where a value contradicts its forecast: until then it would bend the function to go
// through what its hyperparameters rule out. Only where fits choose the model, which are as sure of themselves as that. Of many queries
// that pend each may contradict the model by which it was chosen: one is reason enough, until queries are chosen by what it has taught.
func (l *Loop) startle(e *Evaluation) {
	if !l.config.Traits.Adapts || l.penalized(e) || l.config.FitOnce && !l.model.Knew(model.Objective, e.Number) {
		return
	}
	deviations, spreads := e.Forecast.Surprise(l.config.Sense().Sign() * e.Value)
	if deviations > startlingDeviations && spreads > startlingSpread {
		l.model.Startle(model.Objective)
	}
}
