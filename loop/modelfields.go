package loop

import (
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/state"
	"github.com/tarry-bo/tarry/surrogate"
)

func (m *model) visit(v *state.Visitor) {
	v.Rebuilt("from the configuration", "config")
	v.Rebuilt("from the evaluations", "buffer", "queries")
	v.Float("floor", &m.floor)
	state.Part(v, "prior", &m.prior, visitPrior)
	state.Optional(v, "next", &m.next, func(p *surrogate.Prior, v *state.Visitor) {
		if v.Reading() {
			*p = m.prior // for the kind of its kernel
		}
		visitPrior(p, v)
	})
	state.Part(v, "fits", &m.fits, (*fits).visit)
	state.Part(v, "greatest", &m.greatest, (*top).visit)
	v.Ints("changed", &m.changed)
	state.Part(v, "units", &m.units, visitUnits)
	state.Part(v, "best", &m.best, (*top).visit)
	state.Part(v, "rows", &m.rows, (*rows).visit)
	v.Floats("targets", &m.targets)
	v.Ints("unanswered", &m.unanswered)
	v.Ints("failed", &m.failed)
	v.Ints("hopeless", &m.hopeless)
	v.Ints("spared", &m.spared)
	state.Number(v, "suspects", &m.suspects)
	v.Flags("rebuildSoon", &m.rebuildSoon)
	v.Rebuilt("from the view of the last ask", "context")
	v.Anew("the algebra leaves no trace in its bits: whoever needs it first does it", "algebra", "last")
}

// visitPrior has the numbers of the kernel as they are: those of Params went through a logarithm, from which they do not come
// back to the bit.
func visitPrior(p *surrogate.Prior, v *state.Visitor) {
	values := p.Kernel.Values()
	v.Floats("Kernel", &values)
	if v.Reading() {
		if len(values) != len(p.Kernel.Hyper()) {
			v.Fail()
			return
		}
		p.Kernel = p.Kernel.WithValues(values)
	}
	v.Float("Noise", &p.Noise)
	v.Rebuilt("from the configuration: it never changes", "Mean")
}

// visit has the data of an open fit: what has come since belongs to the next one.
func (f *fits) visit(v *state.Visitor) {
	v.Numbers("started open size", &f.started, &f.open, &f.size)
	v.Flags("urged", &f.urged)
	if f.open == 0 {
		v.Anew("it was closed", "effect")
		return
	}
	v.Points("effect.X", &f.effect.X)
	v.Floats("effect.Y", &f.effect.Y)
	v.Rebuilt("from the prior, which none takes the place of while a fit is open, and the configuration",
		"effect.ID", "effect.Start", "effect.Options", "effect.Seed")
}

func (t *top) visit(v *state.Visitor) {
	v.Numbers("number seen", &t.number, &t.seen)
	v.Float("value", &t.value)
}

func visitUnits(u *feedback.Units, v *state.Visitor) {
	v.Float("Shift", &u.Shift)
	v.Float("Scale", &u.Scale)
	v.Float("Censored", &u.Censored)
	v.Float("Failed", &u.Failed)
}

func (r *rows) visit(v *state.Visitor) {
	state.Number(v, "generation", &r.generation)
	v.Ints("base", &r.base)
	state.List(v, "edits", &r.edits, func(e *edit, v *state.Visitor) { v.Numbers("number row", &e.number, &e.row) })
	state.Number(v, "filled", &r.filled)
	v.Rebuilt("from the rows of the last rebuild, and the edits since", "now", "in")
}
