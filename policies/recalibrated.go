package policies

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/space"
)

// CalibrationSet says from which forecasts a recalibrator learns.
type CalibrationSet int

// The calibration sets.
const (
	Forward     CalibrationSet = iota // each answer with its prediction from the answers of earlier queries; hyperparameters are not refitted
	LeaveOneOut                       // each answer with its prediction from all other answers; hyperparameters are not refitted
	Issued                            // the forecasts that were issued with the queries, judged as their answers come
	Nothing                           // none: the predictive distribution is not corrected; for comparisons
)

// Recalibrated maximizes an acquisition under a model whose quantiles are corrected by how often answers exceeded them
// (Deshpande et al. 2024). With the set Issued the correction is learned online, level by level, from forecasts that were
// made before their answers; that is OCBO of Kim et al. 2025. Imputed values are never judged. Before the first answer it
// chooses uniformly.
type Recalibrated struct {
	Criterion acquisition.Criterion
	Set       CalibrationSet
	Levels    int     // quantiles that are followed; 0 means 9
	Rate      float64 // step of the online correction; 0 means 0.05
	Xi        float64 // improvement that counts for Probability, in the model's units; 0 means 0.01
	P         float64 // level of UpperBound; 0 means 0.9
	// Utility makes any other acquisition, in place of Criterion: it sees the mean and the variance of the corrected
	// predictive distribution (acquisition.MomentMatched). Nil means Criterion.
	Utility    func(View) acquisition.Utility
	Pending    feedback.Imputation
	registered string // empty means calibrated; see name
}

const (
	defaultLevels = 9
	defaultRate   = 0.05
	shrinkage     = 5 // PITs without error that a batch of PITs is mixed with
)

var (
	_ = Register(Entry{
		Name:    "calibrated",
		Summary: "expected or probable improvement or upper quantile under recalibrated quantiles; pending queries hallucinated",
		Source:  "Deshpande et al. 2024, in closed form, with the sign of eq. 9",
	}, Recalibrated{Pending: feedback.Hallucinate})
	_ = Register(Entry{
		Name:    "ocbo",
		Summary: "expected improvement under quantiles recalibrated online by the forecasts that were issued; pending queries hallucinated",
		Source:  "Kim et al. 2025 (OCBO), with the sign of eq. 21 corrected; Deshpande et al. 2024",
	}, Recalibrated{Set: Issued, Pending: feedback.Hallucinate, registered: online})
)

// online is the registered name of the policy whose set is Issued and cannot be chosen.
const online = "ocbo"

// name is the registered name. The online policy with another set, as code may make it, is one no more.
func (p Recalibrated) name() string {
	if p.registered == online && p.Set == Issued {
		return online
	}
	return "calibrated"
}

// Settings are the options.
func (p *Recalibrated) Settings() Settings {
	own := func() bool { return p.Utility == nil }
	is := func(c acquisition.Criterion) func() bool { return func() bool { return own() && p.Criterion == c } }
	all := Settings{
		Choice("of", &p.Criterion, acquisition.Improvement, []string{acquisition.Improvement: "ei", acquisition.Probability: "pi", acquisition.UpperBound: "ucb"},
			"what is maximized under the recalibrated model").When(own, ""),
		levelsSetting(&p.Levels),
		Number("eta", &p.Rate, defaultRate, Range{Low: 1e-4, High: 10}, "step of the online correction").When(func() bool { return p.Set == Issued }, "with set=issued"),
		xiSetting(&p.Xi).When(is(acquisition.Probability), "with of=pi"),
		Number("p", &p.P, defaultQuantile, Range{Low: 0.5, High: 0.999}, "level of the bound").When(is(acquisition.UpperBound), "with of=ucb"),
		Pending(&p.Pending),
	}
	if p.name() == online {
		return all
	}
	set := Choice("set", &p.Set, Forward, []string{Forward: "forward", LeaveOneOut: "loo", Issued: "issued", Nothing: "none"}, "what is learned from")
	return append(Settings{set}, all...)
}

// Traits asks for a posterior with pending queries as Pending says.
func (p Recalibrated) Traits() Traits {
	name := NameOf(p.name(), p.Settings())
	if p.Utility != nil {
		name += ":utility=code" // which no name can make again
	}
	return Traits{Name: name, Model: true, Pending: p.Pending}
}

// Propose maximizes the criterion. The forecast of each query holds the deployed levels.
func (p Recalibrated) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	if err := Validate(p); err != nil {
		return nil, err
	}
	if !view.Informed() {
		return Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit { return v.Random(stream, avoid) }), nil
	}
	deployed, err := p.learned(view)
	if err != nil {
		return nil, err
	}
	proposals := Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit {
		f := acquisition.At{Posterior: v.Posterior, Utility: p.utility(v, deployed.Map)}
		if p.gains() {
			return v.MaximizeGain(f, avoid, stream)
		}
		return v.Maximize(f, avoid, stream)
	})
	for i := range proposals {
		if f := proposals[i].Forecast; f != nil {
			f.Levels = deployed.levels
		}
	}
	return proposals, nil
}

// Explain returns the criterion under the map that is deployed.
func (p Recalibrated) Explain(v View, _ *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	deployed, err := p.learned(v)
	if err != nil {
		return Explanation{}, err
	}
	e := v.recalibrated(acquisition.At{Posterior: v.Posterior, Utility: p.utility(v, deployed.Map)})
	if p.gains() {
		e.Function = v.IfFeasible(e.Function)
	}
	switch {
	case p.Utility != nil:
		e.Acquisition, e.Of, e.Numbers = "utility of the program under recalibrated quantiles", Plain, nil
	case p.Criterion == acquisition.Probability:
		e.Acquisition, e.Of = "log probability of improvement under recalibrated quantiles", LogChance
	case p.Criterion == acquisition.UpperBound:
		e.Acquisition, e.Of, e.Numbers = "{upper|lower} quantile under recalibrated quantiles", Level, []Figure{{"level of the bound{|, of values with the other sign}", Plain, cmp.Or(p.P, defaultQuantile)}}
	}
	e.Numbers = append(e.Numbers, outermost(deployed.levels)...)
	return e, nil
}

// gains reports whether the utility is the logarithm of a gain or of a chance.
func (p Recalibrated) gains() bool { return p.Utility == nil && p.Criterion != acquisition.UpperBound }

// recalibrated explains expected improvement under recalibrated quantiles.
func (v View) recalibrated(f acquisition.Function) Explanation {
	return Explanation{
		Acquisition: "log expected improvement under recalibrated quantiles", Of: LogGain, Function: f,
		Why:     "the quantiles of the model are corrected by how often values exceeded them before the utility is computed",
		Numbers: []Figure{target(v.Target())},
	}
}

// outermost are the levels that replace the lowest and the highest of those that are followed; none where none are.
func outermost(levels []float64) []Figure {
	m := len(levels)
	if m == 0 {
		return nil
	}
	low, high := 1/float64(m+1), float64(m)/float64(m+1)
	return []Figure{{fmt.Sprintf("level of the model for the quantile of %.3g{|, of values with the other sign}", low), Plain, levels[0]}, {fmt.Sprintf("level of the model for the quantile of %.3g{|, of values with the other sign}", high), Plain, levels[m-1]}}
}

// utility is the acquisition under a map.
func (p Recalibrated) utility(v View, m calibration.Map) acquisition.Utility {
	if p.Utility != nil {
		f := acquisition.MomentMatched{Utility: p.Utility(v), Noise: v.Posterior.Noise()}
		f.Mean, f.Variance = m.Moments()
		return f
	}
	f := acquisition.RecalibratedCriterion{Map: m, Criterion: p.Criterion, Best: v.Target(), P: p.P, Noise: v.Posterior.Noise()}
	if f.P == 0 {
		f.P = defaultQuantile
	}
	if p.Criterion == acquisition.Probability {
		xi := p.Xi
		if xi == 0 {
			xi = defaultXi
		}
		f.Best += xi
	}
	return f
}

// deployment is a map with its positions at the levels.
type deployment struct {
	calibration.Map
	levels []float64
}

// learned is the map after all answers so far.
func (p Recalibrated) learned(v View) (deployment, error) {
	levels := calibration.EvenLevels(p.count())
	if p.Set == Issued {
		rate := p.Rate
		if rate == 0 {
			rate = defaultRate
		}
		r, err := calibration.NewRecalibrator(calibration.RecalibratorConfig{Levels: levels, Rate: rate})
		if err != nil {
			return deployment{}, err
		}
		for _, a := range v.History {
			if a.Judgeable() && len(a.Forecast.Levels) == len(levels) {
				r.Judge(a.Forecast.Levels, a.Forecast.PIT(a.Value))
			}
		}
		return deployment{r.Map(), r.Issue()}, nil
	}
	if p.Set == Nothing {
		return deployment{Map: calibration.IdentityMap()}, nil
	}
	m, err := calibration.Batch(v.pits(p.Set, p.Pending), levels, shrinkage)
	d := deployment{Map: m, levels: make([]float64, len(levels))}
	for i, level := range levels {
		d.levels[i] = m.At(level)
	}
	return d, err
}

func (p Recalibrated) count() int {
	if p.Levels == 0 {
		return defaultLevels
	}
	return p.Levels
}
