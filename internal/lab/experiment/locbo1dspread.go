package experiment

import (
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// spread issues the sets of locbo for queries that are uniform.
type spread struct{ policies.LOCBO }

// Propose chooses uniformly, and issues the set of each query once there is a model.
func (p spread) Propose(view policies.View, count int, stream *rand.Rand) ([]policies.Proposal, error) {
	threshold, err := relearned(p.Local, view.History)
	if err != nil {
		return nil, err
	}
	out := make([]policies.Proposal, count)
	for i := range out {
		out[i].X = view.Random(stream, nil)
		if view.Informed() {
			out[i].Forecast = p.forecast(view, threshold, out[i].X)
		}
	}
	return out, nil
}

// forecast is that of locbo at x.
func (p spread) forecast(view policies.View, threshold *calibration.Localized, x space.Unit) *policies.Forecast {
	mean, variance := view.Posterior.Predict(x)
	return &policies.Forecast{
		Mean: mean, Stddev: math.Sqrt(variance + view.Posterior.Prior().Noise), Shift: view.Units.Shift, Scale: view.Units.Scale,
		Target: 1 - p.Local.Alpha, Threshold: threshold.At(x),
	}
}

// relearned is the localized threshold after a history.
func relearned(c calibration.LocalizedConfig, history []policies.Answer) (*calibration.Localized, error) {
	threshold, err := calibration.NewLocalized(c)
	if err != nil {
		return nil, err
	}
	for _, a := range history {
		if f := a.Forecast; f != nil && f.Target > 0 {
			threshold.Judge(a.Query.X, f.Threshold, f.Conformity(a.Value))
		}
	}
	return threshold, nil
}
