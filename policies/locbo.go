package policies

import (
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/space"
)

// LocalizedConfig holds the constants of a threshold that is learned online, globally and near each point (Kim et al.
// 2025): Alpha, the share of values that may be missed; Kappa and Length, the height and the length of the local part;
// Decay, the rate at which the local part is forgotten; and the step Rate·t^-Power after the t-th answer.
type LocalizedConfig = calibration.LocalizedConfig

// LOCBO is localized online conformal Bayesian optimization: a threshold that is learned from the earlier forecasts,
// globally and near x, corrects the error bars of the model, and the acquisition is computed under the corrected
// posterior in closed form. Forecasts are judged as they were issued, in the order in which rounds first saw their
// answers. Late answers count; imputed values never do. Before the first answer it chooses uniformly.
type LOCBO struct {
	// Local are the constants of the threshold; Length is in the unit cube. The zero value means the defaults.
	Local LocalizedConfig
	// Quantile is the level of the corrected posterior to maximize; 0 means expected improvement.
	Quantile float64
	Pending  feedback.Imputation
}

var _ = Register(Entry{
	Name:    "locbo",
	Summary: "expected improvement with error bars calibrated online, in the whole and near x; pending queries hallucinated",
	Source:  "Kim et al. 2025 (LOCBO), with closed forms in place of samples",
}, LOCBO{Pending: feedback.Hallucinate})

// Settings are the options.
func (p *LOCBO) Settings() Settings {
	alpha := Exact("alpha", &p.Local.Alpha, defaultLocal.Alpha, Range{Low: 0.001, High: 0.999}, "share of the values that the sets may miss")
	of := Text("of", "ei", p.of, p.readOf, "what is maximized under the corrected model").Bind(&p.Quantile)
	of.Form = "ei | quantile"
	level := Exact("p", &p.Quantile, defaultQuantile, Range{Low: 0.5, High: 0.999}, "level of the quantile")
	return append(Settings{alpha}, append(localSettings(&p.Local, defaultLocal, 0, "step; 0: nothing is learned"), of,
		level.When(func() bool { return p.Quantile != 0 }, "with of=quantile"), Pending(&p.Pending))...)
}

func (p *LOCBO) of() string {
	if p.Quantile != 0 {
		return "quantile"
	}
	return "ei"
}

func (p *LOCBO) readOf(text string) string {
	switch text {
	case "ei":
		p.Quantile = 0
	case "quantile":
		p.Quantile = defaultQuantile
	default:
		return "one of ei, quantile"
	}
	return ""
}

// defaultLocal are the constants of the experiments of Kim et al. 2025 on [-10, 10]², where l is 5, but for the step: theirs
// of 0.005 hardly moves the threshold in fifty answers, and leaves error bars that are far too short as they are.
var defaultLocal = LocalizedConfig{Alpha: 0.2, Kappa: 4, Length: 0.25, Decay: 0.004, Rate: 0.05, Power: 0.05}

// localSettings are the constants of a localized threshold but for its level. Where none is set all are the defaults d.
func localSettings(c *LocalizedConfig, d LocalizedConfig, leastStep float64, step string) Settings {
	*c = orDefault(*c, d)
	return Settings{
		Exact("kappa", &c.Kappa, d.Kappa, Range{High: 1000}, "weight of the local part"),
		Exact("l", &c.Length, d.Length, Range{Low: 1e-3, High: math.Inf(1)}, "lengthscale of the local part in the unit cube; inf: not localized"),
		Exact("eta", &c.Rate, d.Rate, Range{Low: leastStep, High: 10}, step),
		Exact("power", &c.Power, d.Power, Range{High: 1}, "with which the step falls"),
		Exact("forget", &c.Decay, d.Decay, Range{High: 10}, "rate at which the local part is forgotten; forget · eta < 1"),
	}
}

// orDefault are the constants, with the defaults for none.
func orDefault(c, d LocalizedConfig) LocalizedConfig {
	if c == (LocalizedConfig{}) {
		return d
	}
	return c
}

// Traits asks for a posterior with pending queries as Pending says.
func (p LOCBO) Traits() Traits {
	return Traits{Name: NameOf("locbo", p.Settings()), Model: true, Pending: p.Pending}
}

// Propose maximizes the utility under the corrected posterior. The forecast of each query holds its set.
func (p LOCBO) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	if err := Validate(p); err != nil {
		return nil, err
	}
	config := orDefault(p.Local, defaultLocal)
	local, err := view.localized(config)
	if err != nil {
		return nil, err
	}
	proposals := Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			return v.Random(stream, avoid)
		}
		if p.Quantile > 0 {
			return v.Maximize(p.function(v, local), avoid, stream)
		}
		return v.MaximizeGain(p.function(v, local), avoid, stream)
	})
	for i := range proposals {
		if f := proposals[i].Forecast; f != nil {
			f.Target, f.Threshold = 1-config.Alpha, local.At(proposals[i].X)
		}
	}
	return proposals, nil
}

// function is the utility under the corrected posterior.
func (p LOCBO) function(v View, local *calibration.Localized) acquisition.There {
	noise, alpha := v.Posterior.Noise(), orDefault(p.Local, defaultLocal).Alpha
	f := acquisition.There{Posterior: v.Posterior}
	if p.Quantile > 0 {
		f.Utility = acquisition.CalibratedQuantile{Local: local, Alpha: alpha, Noise: noise, P: p.Quantile}
		f.Rough = acquisition.Quantile{P: p.Quantile}
	} else {
		f.Utility = acquisition.CalibratedLogExpectedImprovement{Local: local, Alpha: alpha, Noise: noise, Best: v.Target()}
		f.Rough = acquisition.LogExpectedImprovement{Best: v.Target()}
	}
	return f
}

// Explain returns the utility under the corrected posterior, with the threshold at each point.
func (p LOCBO) Explain(v View, _ *rand.Rand) (Explanation, error) {
	config := orDefault(p.Local, defaultLocal)
	local, err := v.localized(config)
	if err != nil || !v.Informed() {
		return uninformed(), err
	}
	f := p.function(v, local)
	e := v.conformal(v.IfFeasible(f), local, config.Alpha)
	if p.Quantile > 0 {
		e.Acquisition, e.Of = "{upper|lower} quantile under calibrated error bars", Level
		e.Function = f
		e.Numbers = []Figure{{"probability of the quantile{|, of values with the other sign}", Plain, p.Quantile}, e.Numbers[1]}
	}
	return e, nil
}

// conformal explains expected improvement under error bars that a threshold corrects.
func (v View) conformal(f acquisition.Function, local acquisition.Threshold, alpha float64) Explanation {
	return Explanation{
		Acquisition: "log expected improvement under calibrated error bars", Of: LogGain,
		Why:     "the error bars of the model are corrected by how often values left their sets before the utility is computed",
		Numbers: []Figure{target(v.Target()), {"share of values that the sets may miss", Plain, alpha}}, Function: f,
		At: func(x space.Unit) []Figure {
			return []Figure{{"threshold of the conformity score", Plain, local.At(x)}}
		},
	}
}

// localized is the threshold after all answers so far. Cost O(t).
func (v View) localized(config LocalizedConfig) (*calibration.Localized, error) {
	local, err := calibration.NewLocalized(config)
	if err != nil {
		return nil, err
	}
	for _, a := range v.History {
		if a.Judgeable() && a.Forecast.Target > 0 {
			local.Judge(a.Query.X, a.Forecast.Threshold, a.Forecast.Conformity(a.Value))
		}
	}
	return local, nil
}
