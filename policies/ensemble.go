package policies

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Ensemble maximizes the logarithm of expected improvement under the moments of a mixture of Gaussian processes with the
// kernel and the hyperparameters of the loop's model. Each member sees a resample of the answers, drawn with replacement
// by the stream. In every member a pending query counts as answered with the mean of the mixture, and a failed query has
// its bad value. Where a member cannot be computed, Ensemble is LogEI on the model of the loop. Its forecasts are those
// of the mixture. Before the first answer it chooses uniformly. Cost O(n³) for each member, a query.
type Ensemble struct {
	Members int // 0 means 5
}

const defaultMembers, maxMembers = 5, 100

var _ = Register(Entry{
	Name:    "ensemble",
	Summary: "expected improvement under a mixture of models of resampled answers; pending queries hallucinated",
	Source:  "Lakshminarayanan et al. 2017 and Breiman 1996 (bagging), as a baseline of Deshpande et al. 2024",
}, Ensemble{})

// Settings are the options.
func (p *Ensemble) Settings() Settings {
	return Settings{Whole("members", &p.Members, defaultMembers, 1, maxMembers, "models of resampled answers")}
}

// Traits asks for a posterior with pending queries at their mean.
func (p Ensemble) Traits() Traits {
	return Traits{Name: NameOf("ensemble", p.Settings()), Model: true, Pending: feedback.Hallucinate}
}

// Propose maximizes log EI under the mixture.
func (p Ensemble) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	if err := Validate(p); err != nil {
		return nil, err
	}
	members := cmp.Or(p.Members, defaultMembers)
	var models []*mixture
	proposals := Sequential(view, count, feedback.Hallucinate, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			models = append(models, nil)
			return v.Random(stream, avoid)
		}
		m := v.bagged(members, stream)
		models = append(models, m)
		if m == nil {
			return v.MaximizeGain(acquisition.At{Posterior: v.Posterior, Utility: acquisition.LogExpectedImprovement{Best: v.Target()}}, avoid, stream)
		}
		return v.MaximizeGain(m, avoid, stream)
	})
	for i, m := range models {
		if m != nil {
			mean, variance := m.moments(proposals[i].X)
			sd := math.Sqrt(variance + view.Posterior.Noise())
			proposals[i].Forecast = &Forecast{Mean: mean, Stddev: sd, Warp: view.Units.Warp, Shift: view.Units.Shift, Scale: view.Units.Scale}
		}
	}
	return proposals, nil
}

// Explain returns log EI under the mixture, with what each member says at a point.
func (p Ensemble) Explain(v View, stream *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	m := v.bagged(cmp.Or(p.Members, defaultMembers), stream)
	if m == nil {
		e := v.improvement()
		e.Why = "a member cannot be computed, so the model of the study takes their place: " + e.Why
		return e, nil
	}
	return Explanation{
		Acquisition: "log expected improvement under a mixture", Of: LogGain, Why: "the spread of models of resampled answers is part of the error bars",
		Numbers: []Figure{target(m.utility.Best), {"members", Plain, float64(len(m.members))}}, Function: v.IfFeasible(m), Moments: m.moments, At: m.each,
	}, nil
}

// each is what the members expect at x.
func (m *mixture) each(x space.Unit) []Figure {
	out := make([]Figure, len(m.members))
	for k, p := range m.members {
		out[k] = Figure{fmt.Sprintf("mean of member %d", k+1), Level, p.Mean(x)}
	}
	return out
}

// mixture is log EI under the moments of some posteriors: an acquisition.Function.
type mixture struct {
	members []*surrogate.Posterior
	utility acquisition.LogExpectedImprovement
}

// bagged is the mixture of a view; nil where a member cannot be computed.
func (v View) bagged(members int, stream *rand.Rand) *mixture {
	s := v.Sample()
	m := &mixture{}
	for range members {
		x, u := s.resampled(stream)
		p, err := v.Posterior.Prior().Condition(x, u, nil)
		if err != nil {
			return nil
		}
		m.members = append(m.members, p)
	}
	for _, i := range s.Pending {
		mean := m.mean(s.X[i])
		for k, p := range m.members {
			m.members[k] = p.Append(s.X[i], mean)
		}
	}
	means := make([]float64, len(s.X))
	for i, x := range s.X {
		means[i] = m.mean(x)
	}
	m.utility.Best = v.greatestFeasible(means, v.Best)
	for _, p := range m.members {
		if !p.Usable() {
			return nil
		}
	}
	return m
}

// resampled returns answers drawn with replacement, as many as there are, and every row of a query that failed.
func (s Sample) resampled(stream *rand.Rand) (x []space.Unit, u []float64) {
	answers, values := s.Answers()
	for range answers {
		i := stream.IntN(len(answers))
		x, u = append(x, answers[i]), append(u, values[i])
	}
	pending := s.Pending
	for i, came := range s.Came {
		switch {
		case len(pending) > 0 && pending[0] == i:
			pending = pending[1:]
		case !came:
			x, u = append(x, s.X[i]), append(u, s.U[i])
		}
	}
	return x, u
}

func (m *mixture) mean(x space.Unit) float64 { return expected(m.members).Value(x) }

// moments returns mean and latent variance of the mixture at x.
func (m *mixture) moments(x space.Unit) (mean, variance float64) {
	means, variances := make([]float64, len(m.members)), make([]float64, len(m.members))
	for k, p := range m.members {
		means[k], variances[k] = p.Predict(x)
	}
	return calibration.Mixture(means, variances)
}

// Value returns log EI at x. Cost O(n²) for each member.
func (m *mixture) Value(x space.Unit) float64 { return m.utility.Of(m.moments(x)) }

// Gradient returns log EI at x and writes its derivatives to grad. The mean of the mixture itself does not count in that of
// its variance, since the deviations of the members from it sum to zero.
func (m *mixture) Gradient(x space.Unit, grad []float64) float64 {
	count, d := len(m.members), len(x)
	means, variances := make([]float64, count), make([]float64, count)
	slopes := make([]float64, 2*count*d) // of the mean, then of the variance, of each member
	for k, p := range m.members {
		at := slopes[2*k*d : 2*(k+1)*d]
		means[k], variances[k] = p.PredictGrad(x, at[:d], at[d:])
	}
	mean, variance := calibration.Mixture(means, variances)
	value, byMean, byVariance := m.utility.Slopes(mean, variance)
	clear(grad)
	for k := range m.members {
		at := slopes[2*k*d : 2*(k+1)*d]
		for j := range grad {
			dvariance := at[d+j] + 2*(means[k]-mean)*at[j]
			grad[j] += (byMean*at[j] + byVariance*dvariance) / float64(count)
		}
	}
	return value
}
