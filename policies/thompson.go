package policies

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Thompson maximizes one draw from the posterior. With Pending = Ignore it is asynchronous Thompson sampling, whose model
// has the answers only and whose parallel queries differ by chance. With Pending = Hallucinate it is GP-BTS, which draws
// with the variance that remains when pending queries count as answered. Before the first answer both choose uniformly.
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
	return Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			return v.Random(stream, avoid)
		}
		return v.Maximize(v.Draw(1, p.Features, stream), avoid, stream)
	}), nil
}

// Explain returns the draw.
func (p Thompson) Explain(v View, stream *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	return v.draw(1, p.Features, stream), nil
}

// JointDraw is the greatest number of actions over which a draw at a context is exact; the cost of a draw grows with
// their square. With more actions a policy that draws needs no pool.
const JointDraw = model.JointDraw

// joint returns an exact joint draw over a listed view, nil where that would cost too much. At a context the pool does not
// hold what was observed at others.
func (v View) joint(stream *rand.Rand) []float64 {
	if draw := v.Posterior.DrawPool(stream); draw != nil || len(v.Space.Held()) == 0 || v.Posterior.Pool().Len() > JointDraw {
		return draw
	}
	return v.Posterior.DrawJoint(stream)
}

// Draw returns a function drawn from the posterior, for Maximize: its spread around the mean is stretched by nu. Over a list
// that can be drawn from it is an exact joint draw; elsewhere it is a path with that many random features, 0 for 512, which is
// searched like any other function. Cost O(n² + n·features·d); of a joint draw at a context O(N³).
func (v View) Draw(nu float64, features int, stream *rand.Rand) acquisition.Function {
	if v.listed() {
		if values := v.joint(stream); values != nil {
			for i, mean := range v.Posterior.PoolMean() {
				values[i] = mean + nu*(values[i]-mean)
			}
			return drawn{v.Posterior.Pool(), values}
		}
	}
	if features == 0 {
		features = defaultFeatures
	}
	return acquisition.SamplePath{Posterior: v.Posterior, Path: v.Posterior.Draw(stream, features), Nu: nu}
}

// drawn is a draw over a pool, which is all that is known of it: an acquisition.Pooled.
type drawn struct {
	pool   *surrogate.Pool
	values []float64
}

// PoolValues returns the draw at the points of its pool.
func (d drawn) PoolValues(pool *surrogate.Pool) []float64 {
	if pool != d.pool {
		return nil
	}
	return slices.Clone(d.values)
}

// Value returns the draw at a point of the pool, and −Inf at others.
func (d drawn) Value(x space.Unit) float64 {
	if i := d.pool.Index(x); i >= 0 {
		return d.values[i]
	}
	return math.Inf(-1)
}

// Gradient returns Value and no direction.
func (d drawn) Gradient(x space.Unit, grad []float64) float64 {
	clear(grad)
	return d.Value(x)
}
