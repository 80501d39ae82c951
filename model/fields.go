package model

import (
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/state"
	"github.com/tarry-bo/tarry/surrogate"
)

// Visit names every field of the state once. Outputs and beliefs are as many as the configuration says. What is left out follows
// from what became of the queries, and Complete makes it.
func (m *Model) Visit(v *state.Visitor) {
	v.Rebuilt("from the configuration", "config")
	v.Rebuilt("from the evaluations", "points")
	state.Each(v, "outputs", m.outputs, (*output).visit)
	state.Each(v, "beliefs", m.beliefs, (*belief).visit)
	state.List(v, "weights", &m.weights, func(w *Weight, v *state.Visitor) {
		v.Numbers("Number Eighths", &w.Number, &w.Eighths)
	})
	state.Part(v, "fits", &m.fits, (*fits).visit)
	v.Anew("who looks next learns the same", "lessons")
}

func (o *output) visit(v *state.Visitor) {
	v.Rebuilt("from the configuration", "spec")
	v.Rebuilt("from the evaluations", "buffer")
	v.Float("floor", &o.floor)
	state.Part(v, "learned", &o.learned, o.spec.visit)
	state.Optional(v, "next", &o.next, func(l *learned, v *state.Visitor) {
		if v.Reading() {
			*l = o.learned // for the rest of its prior
		}
		o.spec.visit(l, v)
	})
	state.Number(v, "size", &o.size)
	v.Flags("urged", &o.urged)
	v.Unhashed("the digests of older journals do not know it, and what follows from it is hashed").Flags("startled", &o.startled)
	state.Number(v.Unhashed("the digests of older journals do not know it, and what follows from it is hashed"), "since", &o.since)
	v.Floats("variances", &o.variances)
	state.List(v, "interims", &o.interims, func(in *Interim, v *state.Visitor) {
		state.Number(v, "Number", &in.Number)
		v.Float("Value", &in.Value)
		v.Float("Variance", &in.Variance)
	})
}

// visit names the fields of what was learned of an output. A kernel that was chosen is one of those to choose from, by its name.
func (s Spec) visit(l *learned, v *state.Visitor) {
	if s.Members != nil {
		s.visitMembers(l, v)
		return
	}
	v.Rebuilt("there are none", "particles", "members")
	visitBend("warp", &l.warp, v)
	v.Float("shift", &l.shift)
	v.Float("scale", &l.scale)
	v.Ints("outliers", &l.outliers)
	unhashed := v.Unhashed("it is what the event of the fit says")
	unhashed.Flags("doubtful", &l.doubtful)
	unhashed.Flags("penal", &l.penal)
	unhashed.Float("penalty", &l.penalty)
	state.Part(v, "prior", &l.prior, func(p *surrogate.Prior, v *state.Visitor) { s.visitPrior(p, v) })
}

// visitMembers has the particles, of which the kernels are made.
func (s Spec) visitMembers(l *learned, v *state.Visitor) {
	state.Points(v, "particles", &l.particles)
	v.Rebuilt("from the particles", "members", "prior")
	v.Rebuilt("there are none", "warp", "shift", "scale", "outliers", "penal", "penalty", "doubtful")
	if !v.Reading() {
		return
	}
	read, err := s.members(l.particles)
	if err != nil {
		v.Fail()
		return
	}
	*l = read
}

// visitPrior has the numbers of the kernel as they are: those of Params went through a logarithm, from which they do not come
// back to the bit.
func (s Spec) visitPrior(p *surrogate.Prior, v *state.Visitor) {
	name, values := p.Kernel.Name(), p.Kernel.Values()
	v.Text("Kernel.Name", &name)
	v.Floats("Kernel", &values)
	if v.Reading() {
		chosen, err := s.learn(*p, name, feedback.Bend{})
		if err != nil || len(values) != len(chosen.prior.Kernel.Hyper()) {
			v.Fail()
			return
		}
		*p = chosen.prior
		p.Kernel = p.Kernel.WithValues(values)
	}
	v.Float("Noise", &p.Noise)
	v.Rebuilt("from the configuration, by the name of the kernel", "Mean", "Trend")
}

func (b *belief) visit(v *state.Visitor) {
	v.Rebuilt("from the configuration", "want")
	state.Part(v, "greatest", &b.greatest, (*Top).visit)
	v.Ints("changed", &b.changed)
	state.Part(v, "units", &b.units, visitUnits)
	state.Part(v, "best", &b.best, (*Top).visit)
	state.Part(v, "rows", &b.rows, (*rows).visit)
	v.Floats("targets", &b.targets)
	v.Ints("unanswered", &b.unanswered)
	v.Ints("failed", &b.failed)
	v.Ints("hopeless", &b.hopeless)
	v.Ints("spared", &b.spared)
	state.Number(v, "suspects", &b.suspects)
	v.Flags("rebuildSoon", &b.rebuildSoon)
	v.Rebuilt("from the view of the last ask", "context")
	v.Anew("the next Sync works it out", "doubts", "tolerance")
	v.Anew("the algebra leaves no trace in its bits: whoever needs it first does it", "algebra", "last")
}

// visit has the data of an open fit: what has come since belongs to the next one.
func (f *fits) visit(v *state.Visitor) {
	v.Numbers("started open", &f.started, &f.open)
	if f.open == 0 {
		v.Anew("it was closed", "effect")
		return
	}
	state.Number(v, "effect.Output", &f.effect.Output)
	state.Points(v, "effect.X", &f.effect.X)
	v.Floats("effect.Y", &f.effect.Y)
	v.Floats("effect.Known", &f.effect.Known)
	v.Ints("effect.Numbers", &f.effect.Numbers)
	v.Rebuilt("from the prior, which none takes the place of while a fit is open, and the configuration",
		"effect.ID", "effect.Start", "effect.Options", "effect.Seed", "effect.Kernels", "effect.Sums", "effect.Warped", "effect.Meta", "effect.Straight", "effect.Target", "effect.Doubts", "effect.Penalties",
		"effect.Members", "effect.Particles", "effect.Steps")
	v.Anew("a fit finds them", "effect.Aside")
}

func (t *Top) visit(v *state.Visitor) {
	v.Numbers("Number Seen", &t.Number, &t.Seen)
	v.Float("Value", &t.Value)
}

func visitUnits(u *feedback.Units, v *state.Visitor) {
	visitBend("Warp.Bend", &u.Warp.Bend, v)
	v.Float("Warp.Anchor", &u.Warp.Anchor)
	v.Float("Shift", &u.Shift)
	v.Float("Scale", &u.Scale)
	v.Float("Censored", &u.Censored)
	v.Float("Failed", &u.Failed)
}

func visitBend(name string, b *feedback.Bend, v *state.Visitor) {
	state.Number(v, name+".Shape", &b.Shape)
	v.Float(name+".Scale", &b.Scale)
}

func (r *rows) visit(v *state.Visitor) {
	state.Number(v, "generation", &r.generation)
	v.Ints("base", &r.base)
	v.Floats("baseKnown", &r.baseKnown)
	v.Float("noiseScale", &r.noiseScale)
	state.List(v, "edits", &r.edits, func(e *Edit, v *state.Visitor) {
		v.Numbers("Number Row", &e.Number, &e.Row)
		v.Float("Known", &e.Known)
	})
	state.Number(v, "filled", &r.filled)
	v.Rebuilt("from the rows of the last rebuild, and the edits since", "now", "known")
	v.Anew("it says again what the rows are, and may be longer", "in", "reports")
}
