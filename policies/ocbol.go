package policies

import (
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/space"
)

// LocalOCBO is OCBO with levels that depend on the point: a localized tracker follows each of them (Kim et al. 2025,
// OCBO-L). Before the first answer it chooses uniformly.
type LocalOCBO struct {
	Levels int // quantiles that are followed; 0 means 9
	// Local are the constants of every level; Alpha is not looked at. The zero value means the defaults.
	Local   LocalizedConfig
	Pending feedback.Imputation
}

var _ = Register(Entry{
	Name:    "ocbo-l",
	Summary: "expected improvement under quantiles recalibrated online, in the whole and near x; pending queries hallucinated",
	Source:  "Kim et al. 2025 (OCBO-L), with the sign of eq. 21 corrected",
}, LocalOCBO{Pending: feedback.Hallucinate})

// defaultTrackers are the constants of the same experiments for the trackers of the levels.
var defaultTrackers = LocalizedConfig{Kappa: 5, Length: 0.25, Decay: 0.004, Rate: 0.05, Power: 0.05}

// Settings are the options.
func (p *LocalOCBO) Settings() Settings {
	p.Local.Alpha = 0
	return append(Settings{levelsSetting(&p.Levels)}, append(localSettings(&p.Local, defaultTrackers, 1e-6, "step"), Pending(&p.Pending))...)
}

func levelsSetting(n *int) Setting {
	return Whole("levels", n, defaultLevels, 1, maxLevels, "quantiles that are followed")
}

// Traits asks for a posterior with pending queries as Pending says.
func (p LocalOCBO) Traits() Traits {
	return Traits{Name: NameOf("ocbo-l", p.Settings()), Model: true, Pending: p.Pending}
}

// Propose maximizes expected improvement. The forecast of each query holds the deployed levels.
func (p LocalOCBO) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	if err := Validate(p); err != nil {
		return nil, err
	}
	if !view.Informed() {
		return Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit { return v.Random(stream, avoid) }), nil
	}
	t, err := p.trackers(view)
	if err != nil {
		return nil, err
	}
	proposals := Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit {
		return v.MaximizeGain(t.function(v), avoid, stream)
	})
	for i := range proposals {
		if f := proposals[i].Forecast; f != nil {
			f.Levels = t.issue(proposals[i].X)
		}
	}
	return proposals, nil
}

// function is expected improvement under the map at each point.
func (t localTrackers) function(v View) acquisition.There {
	f := acquisition.LocallyRecalibrated{At: t.at, RecalibratedCriterion: acquisition.RecalibratedCriterion{Best: v.Target(), Noise: v.Posterior.Noise()}}
	rough := f.RecalibratedCriterion
	rough.Map = calibration.IdentityMap()
	return acquisition.There{Posterior: v.Posterior, Utility: f, Rough: rough}
}

// Explain returns expected improvement under the map at each point.
func (p LocalOCBO) Explain(v View, _ *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	t, err := p.trackers(v)
	if err != nil {
		return Explanation{}, err
	}
	e := v.recalibrated(v.IfFeasible(t.function(v)))
	e.At = func(x space.Unit) []Figure { return outermost(t.issue(x)) }
	return e, nil
}

// localTrackers follow one level each.
type localTrackers struct {
	levels   []float64
	trackers []*calibration.LocalTracker
}

// trackers are those after all answers so far.
func (p LocalOCBO) trackers(v View) (localTrackers, error) {
	p.Local.Alpha = 0
	count, config := p.Levels, orDefault(p.Local, defaultTrackers)
	if count == 0 {
		count = defaultLevels
	}
	t := localTrackers{levels: calibration.EvenLevels(count)}
	for _, level := range t.levels {
		config.Alpha = level
		tracker, err := calibration.NewLocalTracker(config)
		if err != nil {
			return t, err
		}
		t.trackers = append(t.trackers, tracker)
	}
	for _, a := range v.History {
		if !a.Judgeable() || len(a.Forecast.Levels) != count {
			continue
		}
		pit := a.Forecast.PIT(a.Value)
		for i, tracker := range t.trackers {
			tracker.Judge(a.Query.X, a.Forecast.Levels[i], pit)
		}
	}
	return t, nil
}

// issue are the monotone positions at x.
func (t localTrackers) issue(x space.Unit) []float64 {
	q := make([]float64, len(t.trackers))
	for i, tracker := range t.trackers {
		q[i] = tracker.At(x)
	}
	return calibration.Isotonic(q, q)
}

// at is the map at x.
func (t localTrackers) at(x space.Unit) calibration.Map {
	m := calibration.Map{P: []float64{0}, Q: []float64{0}}
	for i, q := range t.issue(x) {
		m.P, m.Q = append(m.P, t.levels[i]), append(m.Q, min(max(q, 0), 1))
	}
	m.P, m.Q = append(m.P, 1), append(m.Q, 1)
	return m
}
