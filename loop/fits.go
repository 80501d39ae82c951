package loop

import (
	"math"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/surrogate"
)

// fits is the schedule of hyperparameter fits: geometric in the number of answers, so that their cost stays a fixed
// share of the whole.
type fits struct {
	started int // fits so far
	open    int // ID of the one under way; 0 means none
	effect  Fit // the one under way
	size    int // answers that the last one saw
}

const (
	fitFirst  = 3   // answers before the first fit
	fitGrowth = 1.2 // answers per answer of the last fit
	fitRows   = 400 // answers that a fit looks at, evenly spread over all
)

func (m *model) fitting() bool { return m.fits.open != 0 }

// wantsFit reports whether enough answers came since the last fit.
func (m *model) wantsFit() bool {
	if !m.config.Traits.Model || m.config.Model.Known() || m.fitting() {
		return false
	}
	n := len(m.buffer.Answered(m.config.Traits.Pending))
	next := max(fitFirst, m.fits.size+1, int(math.Ceil(fitGrowth*float64(m.fits.size))))
	return n >= next
}

// beginFit returns the work of a fit. Only values that came are looked at, never imputed ones: those would be taken
// for noise and short lengthscales.
func (m *model) beginFit(seed uint64) Fit {
	how := m.config.Traits.Pending
	numbers, values := m.buffer.Answered(how), m.buffer.Values(how)
	units := m.measure(values)
	m.fits.started++
	m.fits.open, m.fits.size = m.fits.started, len(values)
	f := Fit{ID: m.fits.open, Start: m.latest(), Seed: seed}
	// Centred values have unit variance by construction; values measured from the floor have not.
	f.Options.FreeOutputscale = how == feedback.Censor
	stride := max(float64(len(values))/fitRows, 1)
	for k := 0.0; int(k) < len(values); k += stride {
		i := int(k)
		f.X = append(f.X, m.queries[numbers[i]-1].X)
		f.Y = append(f.Y, units.To(values[i]))
	}
	m.fits.effect = f
	return f
}

// latest is the prior that holds from the next Ask on.
func (m *model) latest() surrogate.Prior {
	if m.next != nil {
		return *m.next
	}
	return m.prior
}

func (l *Loop) fitted(e Fitted) {
	if !l.closeFit(e.Fit) {
		return
	}
	prior := l.model.prior
	if len(e.Hyper) == len(prior.Kernel.Params()) {
		if prior = withHyper(prior, e.Hyper, e.Noise); prior.Validate() == nil {
			l.counts.Fits++
			l.model.next = &prior
			return
		}
	}
	l.counts.FitFailures++
}

func (l *Loop) fitFailed(id int) {
	if l.closeFit(id) {
		l.counts.FitFailures++
	}
}

// closeFit reports whether the answer belongs to the open fit.
func (l *Loop) closeFit(id int) bool {
	switch {
	case id < 1 || id > l.model.fits.started:
		l.counts.Unknown++
		return false
	case id != l.model.fits.open:
		l.counts.Repeated++
		return false
	}
	l.model.fits.open = 0
	return true
}
