package model

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/internal/particles"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/surrogate"
)

// Meta are priors that earlier tasks taught, and what these say of the units of the values. A study begins with the first of them; fits choose the one that
// explains its answers best, or none where the prior that knows nothing does by far: the choice is that of fits between kernels, by the density of the
// values. Such a prior has units of its own, which are learned with it, instead of standardized values, and no warp. Its hyperparameters stay near those that it was learned with.
type Meta struct {
	Priors []surrogate.Prior // at least one; their kernels have names of their own
	Units  surrogate.UnitsLaw
}

const (
	metaNear  = 0.5 // deviation of the logarithms of hyperparameters from those that were learned
	metaWorth = 2.  // nats that another model must be worth: few values fit many models
)

func (m *Meta) priors() []surrogate.Prior {
	if m == nil {
		return nil
	}
	return m.Priors
}

// named returns the prior whose kernel has that name, nil if there is none.
func (m *Meta) named(name string) *surrogate.Prior {
	for i, p := range m.priors() {
		if p.Kernel.Name() == name {
			return &m.Priors[i]
		}
	}
	return nil
}

// firstOfMeta is what is believed before any fit, without members.
func (s Spec) firstOfMeta() learned {
	if s.Meta == nil {
		return learned{prior: s.Prior}
	}
	return learned{prior: s.Meta.Priors[0], shift: s.Meta.Units.Shift, scale: math.Exp(s.Meta.Units.LogScale)}
}

// plain returns the prior, or the one that knows nothing where earlier tasks taught it.
func (s Spec) plain(p surrogate.Prior) surrogate.Prior {
	if s.Meta.named(p.Kernel.Name()) != nil {
		return s.Prior
	}
	return p
}

// checkUnits says what is wrong with the units of a prior that earlier tasks taught.
func (l learned) checkUnits() error {
	if !outcome.Finite(l.shift, l.scale) || l.scale < 0 {
		return fmt.Errorf("units of %v, from %v on", l.scale, l.shift)
	}
	return nil
}

// asMeta fits the units of a prior that earlier tasks taught, and its hyperparameters, and says what it is worth; −Inf where it cannot be fitted.
func (f Fit) asMeta(prior surrogate.Prior) choice {
	c := choice{prior: prior, meta: true, value: math.Inf(-1)}
	shift, scale, _, err := prior.Units(f.Meta.Units, f.X, f.Y)
	if err != nil || !outcome.Finite(shift, scale) {
		return c
	}
	c.shift, c.units = shift, scale
	f.Options.Near = metaNear
	units := feedback.Units{Shift: shift, Scale: scale}
	fitted, report, err := f.in(units, prior, nil)
	c.evaluations = report.Evaluations
	if value := report.LogPosterior + buffer.LogJacobian(f.Y, units); err == nil && !math.IsNaN(value) {
		c.prior, c.value = fitted, value+metaWorth
	}
	return c
}

// Believed reports whether the output of the first belief has one of the priors that earlier tasks taught, or particles that are as theirs, as of the latest fit.
func (m *Model) Believed() bool {
	o := m.of(0)
	if s := o.spec.particles; s != nil {
		return s.Prior != nil && !s.Left(m.config.Space.Dim(), o.latest().particles)
	}
	return o.spec.Meta.named(o.latest().prior.Kernel.Name()) != nil
}

// Summary is what the priors say of points of so many coordinates; see particles.Summarize.
func (m *Meta) Summary(dim int) Summary { return particles.Summarize(m.Priors, dim, nil) }
