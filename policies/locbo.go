package policies

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/calibration"
	"github.com/tarry-bo/tarry/feedback"
)

// Locbo is localized online conformal Bayesian optimization: the error bars of the model are corrected by a threshold that
// is learned from how its forecasts did, in the whole and near x, and the acquisition is computed under the corrected
// posterior in closed form. Forecasts are judged as they were issued, in the order in which rounds first saw their
// answers; late answers count, imputed values never do. Before the first answer it chooses uniformly.
type Locbo struct {
	// Local are the constants of the threshold; Length is in the unit cube. The zero value means the defaults.
	Local calibration.LocalizedConfig
	// Quantile is the level of the corrected posterior to maximize; 0 means expected improvement.
	Quantile float64
	Pending  feedback.Imputation
	name     string
}

const locboOptions = "alpha=0.2, kappa=2, l=0.25 (of the unit cube; l=inf: not localized), eta=0.05, power=0.05, forget=0.004, of=ei | quantile, p=0.9 with of=quantile, " + pendingOptions

var _ = Register(Entry{
	Name:    "locbo",
	Summary: "expected improvement with error bars calibrated online, in the whole and near x; pending queries hallucinated",
	Source:  "Kim et al. 2025 (LOCBO), with closed forms in place of samples",
	Options: locboOptions,
	New: func(o *Options) Policy {
		p := Locbo{Local: parseLocal(o, defaultLocal), Pending: parsePending(o)}
		p.Local.Alpha = o.Float("alpha", defaultLocal.Alpha, 0.001, 0.999)
		if o.Choice("of", "ei", "quantile") == "quantile" {
			p.Quantile = o.Float("p", defaultQuantile, 0.5, 0.999)
		}
		p.name = o.Spec()
		return p
	},
})

// defaultLocal are the constants of the experiments of Kim et al. 2025 on [-10, 10]², where l is 5, but for the step: theirs
// of 0.005 hardly moves the threshold in fifty answers, and leaves error bars that are far too short as they are.
var defaultLocal = calibration.LocalizedConfig{Alpha: 0.2, Kappa: 2, Length: 0.25, Decay: 0.004, Rate: 0.05, Power: 0.05}

// parseLocal reads the constants of a localized threshold; d are their defaults.
func parseLocal(o *Options, d calibration.LocalizedConfig) calibration.LocalizedConfig {
	c := calibration.LocalizedConfig{
		Alpha: d.Alpha, Kappa: o.Float("kappa", d.Kappa, 0, 1000), Length: math.Inf(1),
		Decay: o.Float("forget", d.Decay, 0, 10), Rate: o.Float("eta", d.Rate, 1e-6, 10), Power: o.Float("power", d.Power, 0, 1),
	}
	if o.Text("l", "") != "inf" {
		c.Length = o.Float("l", d.Length, 1e-3, 1e3)
	}
	if err := c.Validate(); err != nil {
		o.Fail("forget", c.Decay, fmt.Sprintf("forget · eta < 1; eta is %v", c.Rate))
		return d
	}
	return c
}

// settings are the constants with the defaults for none.
func (p Locbo) settings() calibration.LocalizedConfig {
	if p.Local == (calibration.LocalizedConfig{}) {
		return defaultLocal
	}
	return p.Local
}

// Traits asks for a posterior with pending queries as Pending says.
func (p Locbo) Traits() Traits {
	return Traits{Name: nameOf(p.name, withPendingOption("locbo", p.Pending), p.Local, p.Quantile), Model: true, Pending: p.Pending}
}

// Propose maximizes the utility under the corrected posterior, and issues the set of each query.
func (p Locbo) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	config := p.settings()
	local, err := view.localized(config)
	if err != nil {
		return nil, err
	}
	proposals := sequentially(view, count, p.Pending, func(v View, avoid [][]float64) []float64 {
		if !v.Informed() {
			return v.Random(stream, avoid)
		}
		noise := v.Posterior.Noise()
		f := acquisition.There{Posterior: v.Posterior}
		if p.Quantile > 0 {
			f.Utility = acquisition.CalibratedQuantile{Local: local, Alpha: config.Alpha, Noise: noise, P: p.Quantile}
			f.Rough = acquisition.Quantile{P: p.Quantile}
		} else {
			f.Utility = acquisition.CalibratedLogEI{Local: local, Alpha: config.Alpha, Noise: noise, Best: v.Target()}
			f.Rough = acquisition.LogEI{Best: v.Target()}
		}
		return v.argmaxThere(f, avoid, stream)
	})
	for i := range proposals {
		if f := proposals[i].Forecast; f != nil {
			f.Target, f.Threshold = 1-config.Alpha, local.At(proposals[i].X)
		}
	}
	return proposals, nil
}

// localized is the threshold after all answers so far. Cost O(t).
func (v View) localized(config calibration.LocalizedConfig) (*calibration.Localized, error) {
	local, err := calibration.NewLocalized(config)
	if err != nil {
		return nil, err
	}
	for _, a := range v.History {
		if a.judgeable() && a.Forecast.Target > 0 {
			local.Judge(a.Query.X, a.Forecast.Threshold, a.Forecast.Conformity(a.Value))
		}
	}
	return local, nil
}

// closeLook is how many points of a list are looked at in full, those that are best roughly.
const closeLook = 512

// argmaxThere is argmax for a utility that depends on the point too; of a long list it looks at the 512 points that are best
// roughly.
func (v View) argmaxThere(f acquisition.There, avoid [][]float64, stream *rand.Rand) []float64 {
	if !v.listed() {
		return v.search(f, avoid, stream)
	}
	mean, variance := v.Posterior.PoolMean(), v.Posterior.PoolVariance()
	utility := make([]float64, len(mean))
	for i := range utility {
		utility[i] = f.Rough.Of(mean[i], variance[i])
	}
	least := math.Inf(-1)
	if len(utility) > closeLook {
		sorted := slices.Clone(utility)
		slices.Sort(sorted)
		least = sorted[len(sorted)-closeLook]
	}
	for i, rough := range utility {
		if utility[i] = math.Inf(-1); rough >= least {
			utility[i] = f.Utility.OfAt(v.Posterior.Pool().Point(i), mean[i], variance[i])
		}
	}
	return v.poolBest(utility, avoid, stream)
}
