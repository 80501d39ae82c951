package surrogate

import (
	"math"

	"github.com/tarry-bo/tarry/internal/check"
)

// FitOptions says what Fit may change and how hard it looks. The zero value of each field means its default.
type FitOptions struct {
	Starts          int  // local searches; zero means 2: the mode of the hyperpriors and the incoming prior
	Warm            bool // one local search, from the incoming prior, whatever Starts says
	MaxEvaluations  int  // evaluations of the evidence in each of them; zero means 100
	Rows            int  // most points that are looked at; zero means 2000, negative means all of them from the start
	FixNoise        bool // keep the noise of the incoming prior
	FreeOutputscale bool // fit outputscales too; by default they keep their values

	MinLengthscale, MaxLengthscale float64 // zero means 0.025 and 1000
	MinNoise, MaxNoise             float64 // variances; zero means 1e-4 and 10
	MinOutputscale, MaxOutputscale float64 // relative to the incoming value; zero means 1e-2 and 1e2

	Lengthscale Hyperprior // of each lengthscale; zero means LengthscalePrior
	Noise       Hyperprior // of the noise variance; zero means NoisePrior
	Decay       Hyperprior // of decays, which lie between 1e-4 and 10; zero means DecayPrior
	Ratio       Hyperprior // of the ratios of warped coordinates, which lie between 1e-6 and 1e6; zero means RatioPrior
	Outputscale Hyperprior // of outputscales, offsets and periods; zero means Hyperprior{0, 1}
	// Near says that the logarithms of all hyperparameters are normal around those of the incoming prior, with this standard deviation, in place of
	// the hyperpriors; 0: they are not.
	Near float64
	// Irrelevant is the chance of each lengthscale to be so long that its coordinate makes next to no difference, 0 ≤ Irrelevant < 1; otherwise it has its
	// hyperprior. Where it is above 0, what is maximized is the density of the logarithms of lengthscales.
	Irrelevant float64
}

// FitReport says how a fit went.
type FitReport struct {
	LogEvidence  float64 // of the targets (of the last level) under the prior returned
	LogPosterior float64 // LogEvidence plus the log densities of the hyperparameters that were free, see Irrelevant
	Evaluations  int     // of the evidence, over all starts
	Starts       int     // local searches made; a start equal to an earlier one is left out
	Rows         int     // points that the last evaluations looked at
	Converged    bool    // the best of them met a tolerance before the evaluations ran out
}

const (
	defaultFitStarts      = 2
	defaultFitEvaluations = 100
	defaultFitRows        = 2000
	// Derivatives of the log posterior by log θ below this, in nats, move no prediction that anyone could notice.
	fitGradTolerance  = 1e-3
	fitValueTolerance = 1e-8
	// Below the least decay even eight levels are one function; beyond the greatest no two levels have anything in common.
	minDecay, maxDecay = 1e-4, 10.
	// What is refined with more points need not be exact.
	coarseGradTolerance  = 1e-1
	coarseValueTolerance = 1e-4
)

func orDefault[T comparable](v *T, standard T) {
	var zero T
	if *v == zero {
		*v = standard
	}
}

func (o FitOptions) withDefaults(dim int) FitOptions {
	orDefault(&o.Starts, defaultFitStarts)
	orDefault(&o.MaxEvaluations, defaultFitEvaluations)
	orDefault(&o.Rows, defaultFitRows)
	orDefault(&o.MinLengthscale, 0.025)
	orDefault(&o.MaxLengthscale, 1000)
	orDefault(&o.MinNoise, 1e-4)
	orDefault(&o.MaxNoise, 10)
	orDefault(&o.MinOutputscale, 1e-2)
	orDefault(&o.MaxOutputscale, 1e2)
	orDefault(&o.Lengthscale, LengthscalePrior(dim))
	orDefault(&o.Noise, NoisePrior())
	orDefault(&o.Decay, DecayPrior())
	orDefault(&o.Ratio, RatioPrior())
	orDefault(&o.Outputscale, Hyperprior{0, 1})
	return o
}

// Validate reports every field out of range, as check.FieldError. Zeros are in range.
func (o FitOptions) Validate() error {
	o = o.withDefaults(1)
	var l check.List
	l.Between("FitOptions.Starts", o.Starts, 1, 1000)
	l.Between("FitOptions.MaxEvaluations", o.MaxEvaluations, 1, 1_000_000)
	bounds := func(name string, low, high float64) {
		l.Positive("FitOptions.Min"+name, low)
		l.Require(high >= low && !math.IsInf(high, 1), "FitOptions.Max"+name, high, "a finite number, at least Min"+name)
	}
	bounds("Lengthscale", o.MinLengthscale, o.MaxLengthscale)
	bounds("Noise", o.MinNoise, o.MaxNoise)
	bounds("Outputscale", o.MinOutputscale, o.MaxOutputscale)
	law := func(name string, p Hyperprior) {
		l.Finite("FitOptions."+name+".Mu", p.Mu)
		l.Positive("FitOptions."+name+".Sigma", p.Sigma)
	}
	law("Lengthscale", o.Lengthscale)
	law("Noise", o.Noise)
	law("Decay", o.Decay)
	law("Ratio", o.Ratio)
	law("Outputscale", o.Outputscale)
	l.NotNegative("FitOptions.Near", o.Near)
	l.Require(o.Irrelevant >= 0 && o.Irrelevant < 1, "FitOptions.Irrelevant", o.Irrelevant, "0 ≤ Irrelevant < 1")
	return l.Err()
}

// freedom describes one hyperparameter that a fit may change.
type freedom struct {
	slot         int // in (Params..., log noise)
	law          Hyperprior
	lower, upper float64 // of its logarithm
	center       float64 // of its logarithm, for starts that are drawn
	irrelevant   float64 // the chance that it is a lengthscale that makes no difference
}

// freedoms lists what may change, given the incoming logarithms in theta. o has its defaults.
func (o FitOptions) freedoms(k Kernel, theta []float64) []freedom {
	var free []freedom
	for i, h := range k.Hyper() {
		f := freedom{slot: i, law: o.Outputscale}
		switch {
		case h.Kind == Lengthscale:
			f.law, f.lower, f.upper, f.irrelevant = o.Lengthscale, math.Log(o.MinLengthscale), math.Log(o.MaxLengthscale), o.Irrelevant
		case h.Kind == Decay:
			f.law, f.lower, f.upper = o.Decay, math.Log(minDecay), math.Log(maxDecay)
		case h.Kind == Ratio:
			f.law, f.lower, f.upper = o.Ratio, math.Log(leastRatio), math.Log(greatestRatio)
		case h.Kind == Outputscale && !o.FreeOutputscale:
			continue
		default:
			f.lower, f.upper = theta[i]+math.Log(o.MinOutputscale), theta[i]+math.Log(o.MaxOutputscale)
		}
		if f.center = f.law.Mu; h.Kind == Ratio {
			f.center = math.Log(f.law.Mode())
		}
		free = append(free, f)
	}
	if !o.FixNoise {
		free = append(free, freedom{slot: len(theta) - 1, law: o.Noise, lower: math.Log(o.MinNoise), upper: math.Log(o.MaxNoise), center: o.Noise.Mu})
	}
	if o.Near > 0 {
		for i, f := range free {
			free[i].law, free[i].center, free[i].irrelevant = Hyperprior{Mu: theta[f.slot], Sigma: o.Near}, theta[f.slot], 0
		}
	}
	return free
}

// Logarithm is what is believed of the logarithm of a hyperparameter: normal, and within bounds. A fixed one is its mean.
type Logarithm struct {
	Mean, Deviation, Low, High float64
	Fixed                      bool
}

// wideDeviation is that of an outputscale, an offset or a period of which nothing is said.
const wideDeviation = 1.5

// Logarithms returns what the options say of the logarithms of k's hyperparameters, in the order of Params, and last of that of the noise, which is
// free. The bounds are those of a fit from k, and so is what is fixed. Lengthscales and noise are as their log-normal hyperpriors say; decays and
// ratios lie around the mode (see DecayPrior); outputscales, offsets and periods without a hyperprior lie around their value in k, with the deviation 1.5.
func (o FitOptions) Logarithms(k Kernel) []Logarithm {
	wide := o.Outputscale == Hyperprior{}
	o = o.withDefaults(k.Dim())
	o.FixNoise = false
	kinds := append(k.Hyper(), Hyperparameter{}) // the noise has a hyperprior as lengthscales do
	theta := append(k.Params(), o.Noise.Mu)
	all := make([]Logarithm, len(theta))
	for i, v := range theta {
		all[i] = Logarithm{Mean: v, Low: v, High: v, Fixed: true}
	}
	for _, f := range o.freedoms(k, theta) {
		l := Logarithm{Mean: f.law.Mu, Deviation: f.law.Sigma, Low: f.lower, High: f.upper}
		switch kind := kinds[f.slot].Kind; {
		case kind == Decay, kind == Ratio:
			l.Mean = math.Log(f.law.Mode())
		case kind != Lengthscale && wide:
			l.Mean, l.Deviation = theta[f.slot], wideDeviation
		}
		all[f.slot] = l
	}
	return all
}
