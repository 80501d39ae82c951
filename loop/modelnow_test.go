package loop

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/surrogate"
)

// modelNow is what tests look at of the first belief: its state, and what follows from it.
type modelNow struct {
	model.BeliefState
	rows    []int
	how     feedback.Imputation
	prior   surrogate.Prior // as of the last ask
	next    *model.PriorState
	buffer  *buffer.Buffer
	queries []policies.Query
}

func lookAt(l *Loop) modelNow {
	s := l.model.State()
	o := s.Outputs[model.Objective]
	prior := l.config.model().Outputs[model.Objective].Prior
	prior.Kernel, prior.Noise = prior.Kernel.WithValues(o.Prior.Kernel), o.Prior.Noise
	b := s.Beliefs[0]
	return modelNow{b, b.Rows(), l.config.Traits.Pending, prior, o.Next, l.model.Answers(model.Objective), l.ledger.queries}
}

func (m modelNow) has(number int) bool { return slices.Contains(m.rows, number) }

// hyperOf returns the hyperparameters of a kernel, not their logarithms.
func hyperOf(k surrogate.Kernel) []float64 {
	hyper := k.Params()
	for i, v := range hyper {
		hyper[i] = math.Exp(v)
	}
	return hyper
}
