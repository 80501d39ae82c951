package tarry

import (
	"fmt"

	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/loop"
)

// Prediction is what the model says of the function at a point, in the objective's units: the mean of the function there, how
// sure the model is of it (one standard deviation), and the standard deviation of a measurement around the function: Mean, Stddev and Noise.
type Prediction = loop.Prediction

// Recommendation is a point, with typed values by name as a Query has them, and what the model says there.
type Recommendation struct {
	Query
	Prediction
	Feasible *Feasibility // what it says of the constraints; nil where the study names none
}

// String returns name=value pairs, the expected value with its standard deviation, and where the study names constraints how likely all of them hold.
func (r Recommendation) String() string {
	words := fmt.Sprintf("%v: %s", r.Query, expected(r.Prediction))
	if r.Feasible != nil {
		words += fmt.Sprintf(", feasible with %.3g %%", 100*r.Feasible.Probability)
	}
	return words
}

// expected is a prediction in words.
func expected(p Prediction) string { return fmt.Sprintf("%.6g ± %.2g", p.Mean, p.Stddev) }

// Predict returns what the model says at x in user units, contexts included, after everything that was told; a fidelity that is NaN,
// or has no coordinate, is the greatest. It changes nothing and costs no budget. The error wraps ErrOutsideSpace, or ErrNoModel where fewer than three values have come or the policy looks
// at no model. Cost O(n²) for n evaluations, and O(n³) where hyperparameters are new; what was learned is kept until there are other answers.
func (s *Study) Predict(x Point) (Prediction, error) {
	p := s.predict(actors.Predict{X: x})
	return p.Prediction, p.Err
}

// Recommend returns the point of the space of which the model expects the best, at the given context where the space has context
// parameters, and that it is more likely than not that each constraint holds, or where no such point is known one that lacks little of it: Feasible has
// the chance. It need not have been queried, but without noise and contexts it is where the best value came. It changes nothing and costs no budget. Errors are those of Predict, and its cost
// is that and a search's.
func (s *Study) Recommend(context ...float64) (Recommendation, error) {
	return recommendation(s.space, s.predict(actors.Recommend{Context: context}))
}

// Feasibility is what the model says of the constraints at a point, with the names of Options.Constraints.
type Feasibility = loop.Feasibility

// Margin is what the model says of one of them, in the units of what is measured: a prediction, and the probability that it holds.
type Margin = loop.Margin

// Safety is how a study stands that keeps its constraints while it searches: what is promised, what counts as a violation, and how many
// more the promise has room for.
type Safety = loop.Safety

// Feasible returns what the model says of the constraints at x in user units, contexts included; nil where the study names none. Errors
// and cost are those of Predict, for each constraint.
func (s *Study) Feasible(x Point) (*Feasibility, error) {
	p := s.predict(actors.Predict{X: x})
	return p.Feasible, p.Err
}

func (s *Study) predict(message any) actors.Predicted {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.driver.Predict(message)
}

// Predict is Study.Predict for a study that goes on by itself.
func (r *Run) Predict(x Point) (Prediction, error) {
	p := r.engine.Predict(actors.Predict{X: x})
	return p.Prediction, p.Err
}

// Feasible is Study.Feasible for a study that goes on by itself.
func (r *Run) Feasible(x Point) (*Feasibility, error) {
	p := r.engine.Predict(actors.Predict{X: x})
	return p.Feasible, p.Err
}

// Recommend is Study.Recommend for a study that goes on by itself.
func (r *Run) Recommend(context ...float64) (Recommendation, error) {
	return recommendation(r.space, r.engine.Predict(actors.Recommend{Context: context}))
}

func recommendation(s Space, p actors.Predicted) (Recommendation, error) {
	if p.Err != nil {
		return Recommendation{}, p.Err
	}
	return Recommendation{Query{X: p.X, space: s}, p.Prediction, p.Feasible}, nil
}
