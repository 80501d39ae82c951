package loop

import (
	"math"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// fits is the schedule of hyperparameter fits: geometric in the number of answers, so that their cost stays a fixed
// share of the whole.
type fits struct {
	started int  // fits so far
	open    int  // ID of the one under way; 0 means none
	effect  Fit  // the one under way
	size    int  // answers that the last one saw
	urged   bool // the noise had to be raised: one fit beyond the schedule was asked for
}

const (
	fitFirst  = 3    // answers before the first fit
	fitGrowth = 1.2  // answers per answer of the last fit
	fitRows   = 2000 // answers that a fit looks at, evenly spread over all; fewer where Model.Active is
)

func (m *model) fitting() bool { return m.fits.open != 0 }

// wantsFit reports whether enough answers came since the last fit.
func (m *model) wantsFit() bool {
	if !m.config.Traits.Model || m.config.Model.Known() || m.fitting() {
		return false
	}
	n := m.buffer.Count(m.config.Traits.Pending)
	next := max(fitFirst, m.fits.size+1, int(math.Ceil(fitGrowth*float64(m.fits.size))))
	return n >= next
}

// urge asks for one more fit when the noise had to be raised.
func (m *model) urge(raised bool) {
	if raised && !m.fits.urged {
		m.fits.size = 0
	}
	m.fits.urged = raised
}

// beginFit returns the work of a fit. Only values that came are looked at, never imputed ones: those would be taken
// for noise and short lengthscales.
func (m *model) beginFit(seed uint64) Fit {
	how := m.config.Traits.Pending
	numbers, values := m.buffer.Answered(how), m.buffer.Values(how)
	units := m.measure(how)
	m.fits.started++
	m.fits.open, m.fits.size = m.fits.started, len(values)
	f := Fit{ID: m.fits.open, Start: m.latest().prior, Seed: seed, Options: fitOptions(m.config.Space), Kernels: m.config.kernels()}
	count := min(len(values), fitRows, m.config.Model.Active)
	for k := range count {
		i := k * len(values) / count
		f.X = append(f.X, m.queries[numbers[i]-1].X)
		if len(f.Kernels) > 0 {
			f.Y = append(f.Y, values[i])
		} else {
			f.Y = append(f.Y, units.To(values[i]))
		}
	}
	m.fits.effect = f
	return f
}

// fitOptions are what is believed about hyperparameters, for standardized values on the unit cube. Lengthscales grow with
// √d, as distances do, to which the d parameters add that vary (Hvarfner et al. 2024), but are narrower than there, and noise may be as good as none: on the test
// functions of the guide to benchmarks both are worth more than half a decade of regret without noise, and nothing is lost
// under noise.
func fitOptions(s space.Space) surrogate.FitOptions {
	dim := max(s.Varying(), 1)
	return surrogate.FitOptions{
		Lengthscale:     surrogate.Hyperprior{Mu: -0.5 + 0.5*math.Log(float64(dim)), Sigma: 1},
		Noise:           surrogate.Hyperprior{Mu: -6, Sigma: 2},
		MinNoise:        1e-8,
		FreeOutputscale: true,
		MinOutputscale:  1e-3,
		MaxOutputscale:  1e3,
	}
}

// latest is what was learned and holds from the next Ask on.
func (m *model) latest() learned {
	if m.next != nil {
		return *m.next
	}
	return m.learned
}

// apply adopts the hyperparameters, if the model can use them.
func (e Fitted) apply(l *Loop) {
	if !l.closeFit(e.Fit) {
		return
	}
	if next, ok := l.config.adopt(l.model.learned, e); ok {
		l.reaction.Fate = FateTaken
		l.counts.Fits++
		l.model.next = &next
		return
	}
	l.reaction.Fate = FateRefused
	l.counts.FitFailures++
}

// adopt returns what was learned with the result of a fit in its place, and false where the model cannot use that.
func (c Config) adopt(old learned, e Fitted) (learned, bool) {
	next, ok := c.with(old.prior, e.Kernel)
	if !ok || len(e.Hyper) != len(next.Kernel.Params()) || !(e.Warp >= 0) || math.IsInf(e.Warp, 1) || e.Warp > 0 && !c.adapts() {
		return old, false
	}
	next = withHyper(next, e.Hyper, e.Noise)
	return learned{next, e.Warp}, next.Validate() == nil
}

// apply leaves the hyperparameters as they are.
func (e FitFailed) apply(l *Loop) {
	if l.closeFit(e.Fit) {
		l.counts.FitFailures++
	}
}

// closeFit reports whether the answer belongs to the open fit.
func (l *Loop) closeFit(id int) bool {
	l.reaction.Fit = id
	switch {
	case id < 1 || id > l.model.fits.started:
		l.became(FateUnknown)
		return false
	case id != l.model.fits.open:
		l.became(FateRepeated)
		return false
	}
	l.model.fits.open = 0
	return true
}
