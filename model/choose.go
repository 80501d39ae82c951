package model

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Where the kernels to choose from are given, a fit chooses more than hyperparameters: the kernel, and where values are drawn apart or
// in (feedback.Warp). What is chosen has the greatest density of the values themselves: the log evidence of the targets, plus the
// log densities of the hyperparameters, of which all candidates have the same, plus the log Jacobian of the units (Snelson et al.
// 2004, "Warped Gaussian processes"). The warps first, under the kernel of before, then the kernels under the best warp. Candidates
// are compared after short fits, from where the last fit ended, to a subset; then the one that was chosen is fitted in full.
//
// A warp may make much of small differences near the top, which noise makes too: no scale of one that does is less than ten standard
// deviations of the noise that the model without a warp finds, or the best model with one where that is far better. Kernels of sums and
// of surfaces come next, each from a beginning of its own: what the last fit ended with means something else to them. Kernels of warped
// coordinates follow, see Fit.warped, and in many dimensions the belief that few matter, see Fit.few.
const (
	chooseRows        = 100 // answers by which candidates are compared, evenly spread over all, at most
	chooseEvaluations = 30  // of the evidence of each, at most
	asWarp            = 5   // nats that a warp must be worth: a few values of any function may look skewed, the more so under uneven noise
	drawnInEach       = 1.5 // nats for each dimension, where that is more, that one must be worth which draws in the best values: it hides which of two peaks is the higher
	asSum             = 5   // nats that a kernel of sums or surfaces must be worth: few values look like a sum, and such a model is sure of itself
	sumEvaluations    = 40  // of the evidence of each of them, at most: they begin farther off
)

// beginning are hyperparameters before a fit; the length is that of one dimension, and grows with the root of their number.
type beginning struct{ length, outputscale, noise float64 }

// How kernels begin of sums, whose functions of one coordinate are hardly curved then, and of surfaces.
var (
	sumStart     = beginning{1, 3, 1e-3}
	surfaceStart = beginning{0.3, 0.3, 1e-6}
)

// choice is a model that may be chosen.
type choice struct {
	prior surrogate.Prior
	bend  feedback.Bend
	units float64 // how long one unit of the model is, in those of the warped values
	value float64 // log density of the values that were looked at
	meta  bool    // whether earlier tasks taught the prior; then its units are no measure of the values, and their shift is
	shift float64

	evaluations int     // of the evidence
	irrelevant  float64 // the chance of a lengthscale to make no difference, by which it is fitted
}

var errNoChoice = errors.New("no model can be fitted")

// choose returns the hyperparameters with the kernel and the warp. Y are values as they came, and Known is in their units.
// Where noise is known of values nothing is warped: it would differ with every warp.
func (f Fit) choose() (Hyper, surrogate.FitReport, error) {
	all, best, evaluations := f.together().best()
	divided := all.withoutPenalties(best)
	all, best, evaluations = divided.fit, divided.best, evaluations+divided.evaluations
	alone, apart := all.alone()
	if apart {
		own, chosen, more := alone.best()
		evaluations += more
		if apart = all.misled(best, own, chosen); apart {
			all, best = own, chosen
		}
	}
	if math.IsInf(best.value, -1) {
		return Hyper{}, surrogate.FitReport{}, errNoChoice
	}
	h, report, err := all.chosen(best, evaluations)
	h.Penal, h.Penalty = divided.found, divided.penalty
	if apart && err == nil {
		h.Kernel[len(h.Kernel)-1] = surrogate.ApartDecay
	}
	return h, report, err
}

// best returns the best of the candidates, and the fit without the outliers by which it is the best.
func (f Fit) best() (Fit, choice, int) {
	best, straight, evaluations := f.compare()
	models := []choice{straight}
	if best.value > straight.value {
		models = append(models, best)
	}
	if cleaned, found := f.withOutliers(best.value, models...); found {
		f = cleaned
		again, _, more := f.compare()
		best, evaluations = again, evaluations+more
	}
	return f, best, evaluations
}

// compare returns the best of the candidates, and the one without a warp under the kernel of before, or the one behind warped
// coordinates that the last fit chose; each was fitted to some of the
// answers.
func (f Fit) compare() (best, straight choice, evaluations int) {
	some := f.some(f.Output.compared())
	best.value = math.Inf(-1)
	last := f.Start
	if of, warped := surrogate.Unwarped(last.Kernel); warped && len(f.Warped) > 0 { // otherwise it is the kernel that was asked for
		f.Start.Kernel = of
	}
	try := func(prior surrogate.Prior, bend feedback.Bend) choice {
		c := some.most(f.evaluations(prior.Kernel)).short(prior, bend)
		evaluations += c.evaluations
		c.value -= f.handicap(prior.Kernel, bend)
		if c.value > best.value {
			best = c
		}
		return c
	}
	straight = try(f.Start, feedback.Bend{})
	if f.Known == nil && !f.Straight && slices.Max(some.Y) > slices.Min(some.Y) {
		tryWarps(some.Y, straight, func(b feedback.Bend) choice { return try(f.Start, b) })
	}
	if !math.IsInf(best.value, -1) {
		bent := best
		f.families(bent, try)
		general := best
		f.sums(bent, try)
		f.warped(general, last, try)
		if c, may := f.few(general, some); may {
			if evaluations += c.evaluations; c.value > best.value {
				best = c
			}
		}
	}
	for _, prior := range f.Meta.priors() {
		c := some.asMeta(prior)
		evaluations += c.evaluations
		if c.value > best.value {
			best = c
		}
	}
	return best, straight, evaluations
}

// chosen fits the model that was chosen to all answers.
func (f Fit) chosen(best choice, evaluations int) (Hyper, surrogate.FitReport, error) {
	units := buffer.Warped(f.Y, buffer.WarpAt(f.Y, best.bend))
	if best.meta {
		units = feedback.Units{Shift: best.shift, Scale: best.units}
		f.Options.Near = metaNear
	}
	f.Options.Irrelevant = best.irrelevant
	prior, report, err := f.in(units, best.prior, rng.New(f.Seed, rng.Fit, uint64(f.ID)))
	report.Evaluations += evaluations
	if err != nil {
		return Hyper{}, report, err
	}
	h := Hyper{Kernel: hyperOf(prior.Kernel), Noise: prior.Noise, LogEvidence: report.LogEvidence, Name: prior.Kernel.Name(), Warp: best.bend, Outliers: f.outlierNumbers()}
	if best.meta {
		h.Shift, h.Scale = units.Shift, units.Scale
	}
	h.Doubtful = f.Doubts && f.doubtful(units, prior)
	return h, report, nil
}

// families tries the other kernels of any function under the warp that was chosen.
func (f Fit) families(chosen choice, try func(surrogate.Prior, feedback.Bend) choice) {
	for _, k := range f.Kernels {
		if k.Name() != f.Start.Kernel.Name() {
			prior := chosen.prior
			prior.Kernel = k.WithValues(prior.Kernel.Values())
			try(prior, chosen.bend)
		}
	}
}

// sums tries kernels of sums and surfaces under the warp that was chosen, and without it.
func (f Fit) sums(chosen choice, try func(surrogate.Prior, feedback.Bend) choice) {
	for _, k := range f.Sums {
		start := chosen.prior
		start.Kernel, start.Noise = atStart(k)
		try(start, chosen.bend)
		if !chosen.bend.Straight() {
			try(start, feedback.Bend{})
		}
	}
}

// evaluations is how often the evidence of a candidate is looked at.
func (f Fit) evaluations(k surrogate.Kernel) int {
	if _, warped := surrogate.Unwarped(k); warped || named(f.Sums, k.Name()) != nil {
		return sumEvaluations
	}
	return chooseEvaluations
}

// most is the fit with so many evaluations at most.
func (f Fit) most(evaluations int) Fit {
	f.Options.MaxEvaluations = evaluations
	return f
}

// handicap is how many nats a candidate must be worth.
func (f Fit) handicap(kernel surrogate.Kernel, bend feedback.Bend) (nats float64) {
	if !bend.Straight() {
		nats += asWarp
	}
	if bend.Shape != feedback.Below {
		nats = max(nats, drawnInEach*float64(len(f.X[0])))
	}
	switch _, warped := surrogate.Unwarped(kernel); {
	case warped && len(f.Warped) > 0:
		nats += asWarped + float64(warps(kernel))*(inEach+surrogate.RatioPrior().LogDensity(1)) // the law takes nothing of a ratio of 1
	case named(f.Sums, kernel.Name()) != nil:
		nats += asSum
	}
	return nats
}

// atStart returns a kernel of sums or surfaces as it begins, and its noise.
func atStart(k surrogate.Kernel) (surrogate.Kernel, float64) {
	values, base, start := k.Values(), k, sumStart
	if icm, ok := k.(surrogate.ICM); ok {
		base = icm.Base()
	}
	if _, surface := base.(surrogate.Surface); surface {
		start = surfaceStart
	}
	for i, h := range k.Hyper() {
		switch h.Kind {
		case surrogate.Lengthscale:
			values[i] = start.length * math.Sqrt(float64(base.Dim()))
		case surrogate.Outputscale:
			values[i] = start.outputscale
		}
	}
	return k.WithValues(values), start.noise
}

// named returns the kernel of that name, nil if there is none.
func named(kernels []surrogate.Kernel, name string) surrogate.Kernel {
	for _, k := range kernels {
		if k.Name() == name {
			return k
		}
	}
	return nil
}

// in fits to the values in the given units.
func (f Fit) in(units feedback.Units, prior surrogate.Prior, stream *rand.Rand) (surrogate.Prior, surrogate.FitReport, error) {
	y := make([]float64, len(f.Y))
	for i, v := range f.Y {
		y[i] = units.To(v)
	}
	return surrogate.FitKnown(prior, f.X, y, f.noise(units), f.Options, stream)
}

// noise returns what is known of the noise of each value in the given units, that of outliers among it; nil where nothing is known.
func (f Fit) noise(units feedback.Units) []float64 {
	if f.Known == nil {
		return f.Aside
	}
	all := make([]float64, len(f.Known))
	for i, variance := range f.Known {
		if all[i] = variance / units.Scale / units.Scale; f.Aside != nil {
			all[i] += f.Aside[i]
		}
	}
	return all
}

// some is the fit of at most so many of the answers.
func (f Fit) some(most int) Fit {
	n := min(len(f.Y), most)
	x, y, numbers := make([]space.Unit, n), make([]float64, n), make([]int, n)
	var known, aside []float64
	for k := range n {
		i := k * len(f.Y) / n
		x[k], y[k], numbers[k] = f.X[i], f.Y[i], f.Numbers[i]
		if f.Known != nil {
			known = append(known, f.Known[i])
		}
		if f.Aside != nil {
			aside = append(aside, f.Aside[i])
		}
	}
	f.X, f.Y, f.Numbers, f.Known, f.Aside = x, y, numbers, known, aside
	f.Options.MaxEvaluations, f.Options.Rows, f.Options.Warm = chooseEvaluations, -1, true
	return f
}

// short fits a candidate and says what it is worth, −Inf where it cannot be fitted.
func (f Fit) short(prior surrogate.Prior, bend feedback.Bend) choice {
	units := buffer.Warped(f.Y, buffer.WarpAt(f.Y, bend))
	fitted, report, err := f.in(units, prior, nil)
	c := choice{prior: prior, bend: bend, units: units.Scale, value: math.Inf(-1), evaluations: report.Evaluations}
	if value := report.LogPosterior + buffer.LogJacobian(f.Y, units); err == nil && !math.IsNaN(value) {
		c.prior, c.value = fitted, value
	}
	return c
}
