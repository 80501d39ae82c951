package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/particles"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// fits is the schedule of hyperparameter fits, of which one is open at a time. For each output it is geometric in the number of
// answers, so that their cost stays a fixed share of the whole.
type fits struct {
	started int // fits so far
	open    int // ID of the one under way; 0 means none
	effect  Fit // the one under way
}

const (
	FitFirst  = 3   // answers before the first fit
	fitGrowth = 1.2 // answers per answer of the last fit
	// leastNoise is the least noise, of the variance of the values, that a fit finds which chooses in a continuous space: the best point is known to
	// its root, of their spread.
	leastNoise = 1e-10
	fitRows    = 2000 // answers that a fit looks at, evenly spread over all; fewer where Config.Active is
)

// Fit is the work of learning the hyperparameters of an output. Nothing in it changes any more: it may run anywhere.
type Fit struct {
	ID        int // 1, 2, 3, …
	Output    Output
	X         []space.Unit // n×d, unit cube
	Y         []float64    // n, in the units of the output's first belief; as the values came where there are Kernels, and so is Known
	Known     []float64    // n, variance of the noise of each as far as it is known; nil where nothing is known
	Numbers   []int        // n, of their queries
	Aside     []float64    // n, variance of the noise that outliers among them have besides, in the units of the model; nil where there are none
	Start     surrogate.Prior
	Options   surrogate.FitOptions
	Seed      uint64
	Kernels   []surrogate.Kernel // to choose from; see Spec
	Sums      []surrogate.Kernel // of functions of one coordinate, to choose from besides
	Warped    []surrogate.Kernel // of warped coordinates, to choose from besides
	Meta      *Meta              // priors that earlier tasks taught, to choose from besides; nil: none
	Straight  bool               // whether no warp may be chosen
	Penalties bool               // whether values beyond a gap may be penalties
	Target    float64            // the greatest fidelity, a unit coordinate; 0 without one
	Doubts    bool               // whether it is asked if noise is needed to explain the values; see Hyper.Doubtful

	Members   *particles.Settings // of the particles that are learned; nil: there are none
	Particles [][]float64         // from which they move
	Steps     int                 // how often
}

// Hyper are learned hyperparameters.
type Hyper struct {
	Kernel      []float64     // in the order of the kernel, not logarithms
	Noise       float64       // variance, in the units of the fit
	LogEvidence float64       // nats
	Name        string        // of the kernel that was chosen; empty: the one that there was
	Warp        feedback.Bend // of the values, in their units
	Shift       float64       // of the units of a prior that earlier tasks taught
	Scale       float64       // and their length; 0 for any other prior
	Outliers    []int         // numbers of the queries whose values are far from what all others say of them, ascending
	Penal       bool          // whether some values are taken for penalties
	Penalty     float64       // then those up to this one are, in the maximization sense; otherwise 0
	Particles   [][]float64   // of members, the best first, which the others are then of; nil without
	Doubtful    bool          // whether there may be no noise, since a rougher kernel explains the values nearly as well without any
}

// Learn computes the fit; one that panics has failed. Cost O(n³) for each evaluation of the evidence.
func (f Fit) Learn() (h Hyper, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("fit panicked: %v", r)
		}
	}()
	h, _, err = f.Report()
	return h, err
}

// Report is Learn with what it took, where a panic is one. The evaluations are those of all candidates where there is a choice.
func (f Fit) Report() (Hyper, surrogate.FitReport, error) {
	switch {
	case f.Members != nil:
		return f.swarm()
	case len(f.Kernels) > 0 || f.Meta != nil:
		return f.choose()
	}
	prior, report, err := surrogate.FitKnown(f.Start, f.X, f.Y, f.Known, f.Options, rng.New(f.Seed, rng.Fit, uint64(f.ID)))
	if err != nil {
		return Hyper{}, report, err
	}
	return Hyper{Kernel: hyperOf(prior.Kernel), Noise: prior.Noise, LogEvidence: report.LogEvidence}, report, nil
}

// WithHyper returns the prior with other hyperparameters, which are not logarithms.
func WithHyper(p surrogate.Prior, hyper []float64, noise float64) surrogate.Prior {
	logs := make([]float64, len(hyper))
	for i, v := range hyper {
		logs[i] = math.Log(v)
	}
	p.Kernel, p.Noise = p.Kernel.WithParams(logs), noise
	return p
}

// hyperOf returns the hyperparameters of a kernel, not their logarithms.
func hyperOf(k surrogate.Kernel) []float64 {
	hyper := k.Params()
	for i, v := range hyper {
		hyper[i] = math.Exp(v)
	}
	return hyper
}

// Fitting returns the fit that is open, and whether there is one.
func (m *Model) Fitting() (Fit, bool) { return m.fits.effect, m.fits.open != 0 }

// Fits returns how many fits were begun.
func (m *Model) Fits() int { return m.fits.started }

// FitsLag reports whether a fit is open while already another one is due: answers come faster than hyperparameters are learned.
func (m *Model) FitsLag() bool { return m.fits.open != 0 && m.dueFit() >= 0 }

// dueFit returns the first belief of the first output of which enough answers came since its last fit began, −1 where there is none.
func (m *Model) dueFit() int {
	if m.config.Blind {
		return -1
	}
	for i := range m.outputs {
		o := &m.outputs[i]
		k := m.firstOf(Output(i))
		if o.spec.Known || k < 0 {
			continue
		}
		due := int(math.Ceil(fitGrowth * float64(o.size)))
		if n := o.buffer.Count(m.beliefs[k].want.Pending); n >= max(FitFirst, o.size+1, due) {
			return k
		}
	}
	return -1
}

// firstOf returns the first belief about an output, −1 without one. It says which values are those of the output, and in which
// units hyperparameters are learned.
func (m *Model) firstOf(o Output) int {
	for k := range m.beliefs {
		if m.beliefs[k].want.Output == o {
			return k
		}
	}
	return -1
}

// BeginFit returns the work of a fit where enough answers came, and false otherwise. Only values that came are looked at, never
// imputed ones: those would be taken for noise and short lengthscales.
func (m *Model) BeginFit() (Fit, bool) {
	if m.fits.open != 0 {
		return Fit{}, false
	}
	k := m.dueFit()
	if k < 0 {
		return Fit{}, false
	}
	m.fits.started++
	m.fits.open = m.fits.started
	f := m.of(k).fit()
	f.ID = m.fits.open
	m.outputs[f.Output].size = m.outputs[f.Output].buffer.Count(m.beliefs[k].want.Pending)
	m.fits.effect = f
	return f, true
}

// fit is the work of a fit to the answers that have come.
func (m sight) fit() Fit {
	numbers, values := m.buffer.Answered(m.want.Pending), m.buffer.Values(m.want.Pending)
	to, scale := m.fitUnits()
	f := Fit{Output: m.want.Output}
	m.prepare(&f)
	count := f.Output.rows(min(len(values), fitRows, m.config.Active))
	for k := range count {
		i := k * len(values) / count
		f.X, f.Numbers = append(f.X, m.points[numbers[i]-1]), append(f.Numbers, numbers[i])
		f.Y = append(f.Y, to(values[i]))
		if m.variances != nil {
			f.Known = append(f.Known, m.variances[numbers[i]-1]/scale/scale)
		}
	}
	return f
}

// prepare says of a fit what follows from the configuration, and from the hyperparameters that there are.
func (m sight) prepare(f *Fit) {
	f.Start, f.Seed, f.Options, f.Straight = m.spec.plain(m.latest().prior), m.config.Seed, fitOptions(m.config.Space, m.spec.Fidelity), m.config.straight()
	if f.Kernels, f.Sums, f.Warped = m.choices(); len(f.Kernels) > 0 && m.config.Space.Continuous() {
		f.Options.MinNoise = leastNoise
	}
	if f.Meta = m.spec.Meta; f.Meta != nil && len(f.Kernels) == 0 {
		f.Straight = true
	}
	f.Doubts, f.Penalties = f.Output.doubts(m.config.Space), m.mayPenalize()
	if m.spec.Fidelity != nil {
		f.Target = m.config.Space.Target()
	}
	f.Members, f.Particles, f.Steps = m.spec.particles, m.latest().particles, fitSteps
}

// choices are the kernels that a fit of the belief's output chooses from, those of sums, and those of warped coordinates. One that
// censors measures values from the worst, where its prior mean must lie, and chooses nothing.
func (m sight) choices() (kernels, sums []surrogate.Kernel, warped []surrogate.Kernel) {
	if m.want.Pending == feedback.Censor {
		return nil, nil, nil
	}
	return m.spec.Kernels, m.spec.Sums, m.spec.Warped
}

// chooses reports whether a fit of the belief's output chooses.
func (m sight) chooses() bool {
	kernels, _, _ := m.choices()
	return len(kernels) > 0 || m.spec.Meta != nil
}

// straight reports whether values are never warped: at each context another value is the best, and a warp draws apart only what is
// near the greatest of all.
func (c Config) straight() bool { return len(c.Space.Contexts()) > 0 }

// fitUnits are the units in which a fit is given values, and how long one is: those of the belief, or of the values themselves
// where it chooses, however great those are.
func (m sight) fitUnits() (to func(y float64) float64, scale float64) {
	if m.chooses() {
		return func(y float64) float64 { return y }, 1
	}
	units := m.measure()
	return units.To, units.Scale
}

// fitOptions are what is believed about hyperparameters, for standardized values on the unit cube. Lengthscales grow with
// √d, as distances do, to which the d parameters add that vary (Hvarfner et al. 2024), but are narrower than there, and noise may be as good as none: on the test
// functions of the guide to benchmarks both are worth more than half a decade of regret without noise, and nothing is lost
// under noise. A fidelity has a decay and no lengthscale.
func fitOptions(s space.Space, fidelity *surrogate.FidelityAxis) surrogate.FitOptions {
	dim := s.Varying()
	if fidelity != nil {
		dim--
	}
	dim = max(dim, 1)
	return surrogate.FitOptions{
		Lengthscale:     surrogate.Hyperprior{Mu: -0.5 + 0.5*math.Log(float64(dim)), Sigma: 1},
		Noise:           surrogate.Hyperprior{Mu: -6, Sigma: 2},
		MinNoise:        1e-8,
		FreeOutputscale: true,
		MinOutputscale:  1e-3,
		MaxOutputscale:  1e3,
	}
}

// errOutliers says that what a fit takes for outliers are no queries.
var errOutliers = errors.New("outliers that are no queries")

// errHyper says that hyperparameters are not those of the kernel.
var errHyper = errors.New("hyperparameters of another kernel")

// Adopt closes the open fit with hyperparameters that hold from the next Sync on. An error says that the output cannot use them;
// then it keeps those that it has.
func (m *Model) Adopt(h Hyper) error {
	m.fits.open = 0
	o := &m.outputs[m.fits.effect.Output]
	if !m.among(h.Outliers...) || !ascends(h.Outliers) {
		return errOutliers
	}
	next, err := o.spec.with(o.learned, h)
	if err != nil {
		return err
	}
	o.next = &next
	return nil
}

// Forgo closes the open fit without a result; the hyperparameters stay.
func (m *Model) Forgo() { m.fits.open = 0 }
