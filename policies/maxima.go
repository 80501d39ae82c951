package policies

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Maxima says how the maximum f* of the function is sampled.
type Maxima int

// The ways to sample.
const (
	Joint  Maxima = iota // the greatest value of a joint draw at the few points that are most likely to be the best
	Gumbel               // the law of the maximum of many points, as if their values were independent (Wang & Jegelka 2017)
)

// Setting is the option: maxima=joint or maxima=gumbel.
func (m *Maxima) Setting() Setting {
	return Choice("maxima", m, Joint, []string{Joint: "joint", Gumbel: "gumbel"}, "draws at the best points together, or a law of independent values")
}

const (
	contenders     = 32  // points of a joint draw, besides those of View.Promising
	contenderBound = 2   // they are the greatest by this many standard deviations above the mean
	fewCandidates  = 256 // points where the posterior carries no pool
)

// Sample returns so many samples of the maximum, in the model's units and none below View.Target. They are taken among the points of
// the pool, or among 256 low-discrepancy points at the context where there is none; with constraints among those where each holds with
// a probability of at least a half. Gumbel samples are the quantiles (i − ½)/count of the law; the stream decides joint draws, and the
// points without a pool. Cost of joint draws O(n²) for each of some 36 points, of Gumbel samples some dozen distribution functions for
// each point of the pool; O(n²) for each point without one.
func (m Maxima) Sample(v View, count int, stream *rand.Rand) []float64 {
	points, mean, variance := v.contestants(stream)
	out := make([]float64, count)
	switch {
	case m == Joint:
		v.jointMaxima(out, v.foremost(points, mean, variance), stream)
	default:
		gumbelMaxima(out, mean, variance)
	}
	raise(out, v.Target())
	return out
}

// gumbelMaxima fills out with quantiles (i − ½)/count of the law of the maximum of values with these moments; −Inf where there is none.
func gumbelMaxima(out, mean, variance []float64) {
	law := acquisition.Gumbel{Location: math.Inf(-1)}
	if len(mean) > 0 {
		law = acquisition.MaximumOf(mean, variance)
	}
	for i := range out {
		out[i] = law.Quantile((float64(i) + 0.5) / float64(len(out)))
	}
}

// raise lifts numbers that are less than the least.
func raise(values []float64, least float64) {
	for i, y := range values {
		values[i] = max(y, least)
	}
}

// contestants returns the points among which the maximum is looked for, with their moments.
func (v View) contestants(stream *rand.Rand) (points []space.Unit, mean, variance []float64) {
	if pool := v.Posterior.Pool(); pool != nil {
		for i := range pool.Len() {
			points = append(points, pool.Point(i))
		}
		mean, variance = slices.Clone(v.Posterior.PoolMean()), slices.Clone(v.Posterior.PoolVariance())
	} else {
		points = space.HaltonPoints(fewCandidates, v.Space.Dim(), stream)
		for i, x := range points {
			points[i] = v.Space.SnapAt(v.inputs().From(x), v.Context)
		}
		mean, variance = make([]float64, len(points)), make([]float64, len(points))
		predictor := surrogate.NewPredictor(v.Posterior, len(points))
		predictor.Predict(points, mean, variance)
	}
	within := v.Region()
	if len(within) == 0 {
		return points, mean, variance
	}
	kept := 0
	for i, x := range points {
		if within.Has(x) {
			points[kept], mean[kept], variance[kept] = x, mean[i], variance[i]
			kept++
		}
	}
	return points[:kept], mean[:kept], variance[:kept]
}

// foremost returns the points that are most likely to be the best, and those to look around.
func (v View) foremost(points []space.Unit, mean, variance []float64) []space.Unit {
	return append(v.Promising(), likeliest(points, mean, variance, contenders)...)
}

// likeliest returns at most so many of the points: those with the greatest upper bounds.
func likeliest(points []space.Unit, mean, variance []float64, most int) (out []space.Unit) {
	bound, order := make([]float64, len(points)), make([]int, len(points))
	for i := range points {
		bound[i], order[i] = mean[i]+contenderBound*math.Sqrt(variance[i]), i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(bound[b], bound[a]), a-b) })
	for _, i := range order[:min(most, len(order))] {
		out = append(out, points[i])
	}
	return out
}

// jointMaxima fills out with the greatest values of joint draws at the points.
func (v View) jointMaxima(out []float64, points []space.Unit, stream *rand.Rand) {
	posterior := v.Posterior.WithPool(surrogate.NewPool(v.Posterior.Prior().Kernel, points, false))
	for i, draw := range posterior.DrawsJoint(len(out), stream) {
		out[i] = slices.Max(draw)
	}
}
