package loop

import (
	"math"
	"reflect"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/surrogate"
)

// modelNow is what tests look at of the first belief, and of its output.
type modelNow struct {
	how                                feedback.Imputation
	rows, Unanswered, Failed, Hopeless []int
	Spared                             []int
	Targets                            []float64
	Units                              feedback.Units
	Best                               model.Top
	Generation, Filled                 int
	Edits                              []model.Edit
	prior                              surrogate.Prior // as of the last ask
	next                               *surrogate.Prior
	buffer                             *buffer.Buffer
	queries                            []policies.Query
	blank, known                       bool
}

func lookAt(l *Loop) modelNow {
	m := reflect.ValueOf(&l.model).Elem()
	b, o := m.FieldByName("beliefs").Index(0), m.FieldByName("outputs").Index(0)
	r := b.FieldByName("rows")
	return modelNow{
		how: l.config.Traits.Pending, rows: peek[[]int](r, "now"), Unanswered: peek[[]int](b, "unanswered"), Failed: peek[[]int](b, "failed"),
		Hopeless: peek[[]int](b, "hopeless"), Spared: peek[[]int](b, "spared"), Targets: peek[[]float64](b, "targets"),
		Units: peek[feedback.Units](b, "units"), Best: peek[model.Top](b, "best"), Generation: peek[int](r, "generation"),
		Filled: peek[int](r, "filled"), Edits: peek[[]model.Edit](r, "edits"), prior: peek[surrogate.Prior](o, "prior"),
		next: peek[*surrogate.Prior](o, "next"), buffer: l.model.Answers(model.Objective), queries: l.ledger.queries,
		blank: l.config.Traits.Adapts, known: l.config.Model.Known(),
	}
}

// peek returns a field of a structure of another room.
func peek[T any](of reflect.Value, name string) T {
	f := of.FieldByName(name)
	return *(*T)(f.Addr().UnsafePointer())
}

// poolsContext reports whether posteriors carry a pool at the context of the ask.
func (c Config) poolsContext() bool { return c.model().PoolsContext() }

func (m modelNow) has(number int) bool { return slices.Contains(m.rows, number) }

// hyperOf returns the hyperparameters of a kernel, not their logarithms.
func hyperOf(k surrogate.Kernel) []float64 {
	hyper := k.Params()
	for i, v := range hyper {
		hyper[i] = math.Exp(v)
	}
	return hyper
}
