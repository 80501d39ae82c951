package policies

import (
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
)

// Thompson maximizes one draw from the posterior. With Pending = Ignore it is asynchronous Thompson sampling, which
// looks at the answers alone and keeps parallel queries apart by chance; with Pending = Hallucinate it is GP-BTS, which
// draws with the variance that remains when pending queries count as answered. Before the first answer both choose
// uniformly.
type Thompson struct {
	Pending  feedback.Imputation // Ignore or Hallucinate
	Features int                 // random features of a draw in a continuous space; 0 means 512
}

const (
	defaultFeatures = 512
	minFeatures     = 16
	maxFeatures     = 1 << 16
)

func featuresSetting(n *int) Setting {
	return Whole("features", n, defaultFeatures, minFeatures, maxFeatures, "random features of a draw in a continuous space")
}

// Settings are the options.
func (p *Thompson) Settings() Settings { return Settings{featuresSetting(&p.Features)} }

// Traits asks for a posterior that can be drawn from.
func (p Thompson) Traits() Traits {
	name := map[feedback.Imputation]string{feedback.Ignore: "asy-ts", feedback.Hallucinate: "gp-bts"}[p.Pending]
	return Traits{Name: NameOf(name, p.Settings()), Model: true, Pending: p.Pending, Draws: true}
}

// Propose maximizes a draw for each point.
func (p Thompson) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return sequentially(view, count, p.Pending, func(v View, avoid [][]float64) []float64 {
		if !v.Informed() {
			return v.Random(stream, avoid)
		}
		return v.thompson(1, p.Features, avoid, stream)
	}), nil
}

// JointDraw is the most actions over which a draw at a context is exact: the cost of one grows with their square. A study
// of more of them needs no pool for a policy that draws.
const JointDraw = 512

// joint returns an exact joint draw over a listed view, nil where that would cost too much. At a context the pool does not
// hold what was observed at others.
func (v View) joint(stream *rand.Rand) []float64 {
	if draw := v.Posterior.DrawPool(stream); draw != nil || len(v.Space.Contexts()) == 0 || v.Posterior.Pool().Len() > JointDraw {
		return draw
	}
	return v.Posterior.DrawJoint(stream)
}

// thompson returns the maximizer of one draw whose spread around the mean is stretched by nu: an exact joint draw over a
// finite list that can be drawn from, otherwise a pathwise draw that is searched like any other utility.
func (v View) thompson(nu float64, features int, avoid [][]float64, stream *rand.Rand) []float64 {
	if v.listed() {
		if draw := v.joint(stream); draw != nil {
			for i, mean := range v.Posterior.PoolMean() {
				draw[i] = mean + nu*(draw[i]-mean)
			}
			return v.poolBest(draw, avoid, stream)
		}
	}
	if features == 0 {
		features = defaultFeatures
	}
	f := acquisition.Thompson{Posterior: v.Posterior, Path: v.Posterior.Draw(stream, features), Nu: nu}
	return v.search(f, avoid, stream)
}
