package loop

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/surrogate"
)

// ErrNoModel says that there is no model to ask: the policy looks at none, or fewer than three values have come.
var ErrNoModel = errors.New("no model to ask")

// Prediction is what the answers that have come say of the function at a point, in the user's units and sense. Where fits choose
// a warp of the values (policies.Traits.Adapts) the law of the function is not symmetric: then Mean is its median, and deviations
// are half the width of the interval that holds the share of one deviation to either side, 68.3 %.
type Prediction struct {
	Mean   float64 // of the function
	Stddev float64 // of the function: how sure the model is of its mean
	Noise  float64 // standard deviation of a measurement around the function
}

// outlook is a copy of the model as it is after everything that has happened. The state stays as it is.
type outlook struct {
	model   model
	post    *surrogate.Posterior
	numbers []int // of the evaluation of each row
}

// believe brings a copy of the model up to the last event. Where no hyperparameters were learned yet they are learned for the
// copy. Cost O(n²) for each row that is new since the last ask or pends, O(n³) after new hyperparameters, and O(n·d) for each failure.
func (l *Loop) believe() (outlook, error) {
	switch l.model.buffer.Count(l.config.Traits.Pending) {
	case 0, 1, 2:
		return outlook{}, fmt.Errorf("%w: fewer than %d values have come", ErrNoModel, fitFirst)
	}
	if !l.config.Traits.Model {
		return outlook{}, fmt.Errorf("%w: policy %s looks at none", ErrNoModel, l.config.Traits.Name)
	}
	m := l.model
	m.changed = slices.Clone(m.changed)
	m.rows.in, m.rows.now, m.rows.edits = slices.Clone(m.rows.in), slices.Clone(m.rows.now), slices.Clone(m.rows.edits)
	known := m.algebra
	if l.plan.ask.ID != 0 { // its task owns what it leads to, and may be at work on it
		known = &m.last
	}
	a := *known
	m.algebra = &a
	if l.counts.Fits == 0 && m.wantsFit() {
		if fitted, ok := m.beginFit(l.config.Seed).Run().(Fitted); ok {
			if next, ok := l.config.adopt(m.learned, fitted); ok {
				m.next = &next
			}
		}
	}
	m.sync()
	m.answersOnly()
	plan := m.plan()
	plan.context = nil // nobody asks for a pool at a context
	post, numbers, _ := a.posterior(plan, m.rows.now)
	if !post.Usable() {
		return outlook{}, fmt.Errorf("%w: its numbers are not finite", ErrNoModel)
	}
	return outlook{m, post, numbers}, nil
}

// answersOnly removes the rows of queries without an outcome: whatever stands in for an answer when queries are chosen is no
// knowledge. Cost O(n²) for each of them, at most that of a new factor.
func (m *model) answersOnly() {
	const fewRows = 8 // one in so many is removed by itself
	var gone, kept []int
	for i, number := range m.rows.now {
		if contains(m.unanswered, i) && !contains(m.failed, i) {
			gone = append(gone, number)
		} else {
			kept = append(kept, number)
		}
	}
	switch {
	case len(gone) == 0:
		return
	case len(gone) > len(kept)/fewRows:
		m.rows.rebuild(kept)
	default:
		for _, number := range gone {
			m.rows.remove(number)
		}
	}
	m.mark()
}

// contains looks for a row in an ascending list.
func contains(rows []int, row int) bool {
	_, found := slices.BinarySearch(rows, row)
	return found
}

// prediction turns moments of the model into the user's units; an error where these are too large for them.
func (b outlook) prediction(mean, variance float64) (Prediction, error) {
	units := b.model.units
	p := Prediction{
		Mean:   b.model.config.Sense().Sign() * units.From(mean),
		Stddev: units.Deviation(mean, math.Sqrt(max(variance, 0))), Noise: units.Deviation(mean, math.Sqrt(b.post.Noise())),
	}
	if !outcome.Finite(p.Mean, p.Stddev, p.Noise) {
		return Prediction{}, fmt.Errorf("%w: its numbers are not finite in the units of the values", ErrNoModel)
	}
	return p, nil
}

// best returns the number of the evaluation with a value that the model sees whose mean is greatest, the first of equals, and
// what the model says there; 0 without one, or where that cannot be said.
func (b outlook) best() (number int, p Prediction) {
	means, row := b.post.RowMeans(), -1
	for i, candidate := range b.numbers {
		if !b.model.buffer.Usable(candidate, b.model.config.Traits.Pending) {
			continue
		}
		if row < 0 || means[i] > means[row] || means[i] == means[row] && candidate < b.numbers[row] {
			row = i
		}
	}
	if row < 0 {
		return 0, Prediction{}
	}
	p, err := b.prediction(means[row], b.post.VarianceAt(row))
	if err != nil {
		return 0, p
	}
	return b.numbers[row], p
}

// Predict returns what the model says at a point in user units, contexts included, after everything that has happened. Nothing
// changes, and no budget is spent. An error wraps space.ErrOutsideSpace or ErrNoModel. Cost O(n²) and more where answers or
// hyperparameters are new.
func (l *Loop) Predict(x []float64) (Prediction, error) {
	u, err := l.config.Space.Unit(x)
	if err != nil {
		return Prediction{}, err
	}
	b, err := l.believe()
	if err != nil {
		return Prediction{}, err
	}
	return b.prediction(b.post.Predict(u))
}

// Recommend returns the point, in user units, where the model expects the best of the function, given the context in user units
// where the space has context parameters; it need not have been queried. Nothing changes, and no budget is spent. Errors and cost
// are those of Predict, and a search's besides.
func (l *Loop) Recommend(context []float64) ([]float64, Prediction, error) {
	where := l.config.Space
	if err := where.ContainsContext(context); err != nil {
		return nil, Prediction{}, err
	}
	b, err := l.believe()
	if err != nil {
		return nil, Prediction{}, err
	}
	view := policies.View{Space: where, Posterior: b.post, Queries: b.model.queries}
	for j, i := range where.Contexts() {
		view.Context = append(view.Context, where.Parameter(i).Unit(context[j]))
	}
	b.model.fill(&view)
	view.Rows = b.numbers
	u := view.MostExpected(rng.New(l.config.Seed, rng.Recommend, uint64(len(l.ledger.evaluations))))
	p, err := b.prediction(b.post.Predict(u))
	return where.Value(u), p, err
}
