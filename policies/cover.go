package policies

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/space"
)

const (
	coverPoints = 512 // of the space, at random, which are to lie near to a query
	coverTried  = 128 // of them, of which one is chosen
)

// covers reports whether the next query of a policy that adapts covers the space: every second one while nothing says where values are good, since none
// has come, or all are the same. The others are uniform before the first value: by points that are close by chance a model learns how fast the function
// changes. Where some have failed, or all values are the same, they are uniform along random scales (scattered), but where points are few: there is no end
// of a range to look at. With hundreds of queries before the first value uniform ones leave no holes either.
func (v View) covers() bool {
	n := len(v.Queries)
	if v.level() {
		return n%2 == 1 || !v.scatters()
	}
	return !v.Informed() && n < coverPoints && n%2 == 1
}

// unguided returns the point that a policy which adapts queries while nothing says where values are good.
func (v View) unguided(avoid []space.Unit, stream *rand.Rand) space.Unit {
	if v.covers() {
		return v.cover(avoid, stream)
	}
	if v.inVain() || v.level() {
		return v.scattered(avoid, stream)
	}
	return v.Random(stream, avoid)
}

// inVain reports whether queries have come to their ends, all without a value.
func (v View) inVain() bool { return len(v.History) == 0 && len(v.Queries) > len(v.Pending) }

// widestScale is how many times as steep the scale of a scattered point is at one end as at the other, at most.
const widestScale = 1e5

// scatters reports whether there are numbers to scatter along scales.
func (v View) scatters() bool { return v.Space.Size() == 0 && v.Space.Combinations() == 0 }

// scattered returns a point that is uniform along a scale of its own for each number without a logarithm, from either end: what succeeds, or has other
// values, may do so in a thousandth of a range alone, which uniform points would not meet.
func (v View) scattered(avoid []space.Unit, stream *rand.Rand) space.Unit {
	x := v.Random(stream, avoid)
	if !v.scatters() {
		return x
	}
	scales := v.straight()
	for _, j := range v.Space.Actions() {
		if p := v.Space.Parameter(j); (p.Kind == space.KindFloat || p.Kind == space.KindInt) && !p.Log {
			scales[j] = math.Pow(widestScale, 2*stream.Float64()-1)
		}
	}
	return v.Space.SnapAt(scales.From(x), v.Context)
}

// cover returns the point that brings the points of the space nearest to a query, by their mean squared distance: so a small region
// where values differ is met sooner than by uniform points, and the rim is worth no more than it is to those near it. The points are 512 of the space, or all
// of a list that has no more, and one of 128 of them is chosen. Each coordinate counts alike, and two words are as far apart as the ends of
// a range. What is in avoid is not chosen, nor what was queried if the view is quiet, where that can be had. Cost O(512·d·(n + 128)).
func (v View) cover(avoid []space.Unit, stream *rand.Rand) space.Unit {
	points, squared := v.sample(stream), v.metric()
	queried := slices.Clone(avoid)
	for _, q := range v.Queries {
		queried = append(queried, q.X)
	}
	far := make([]float64, len(points))
	for i, x := range points {
		far[i] = math.Inf(1)
		for _, q := range queried {
			far[i] = min(far[i], squared(x, q))
		}
	}
	taken := v.Random(stream, avoid) // where all are
	best := math.Inf(1)
	tried := 0
	for _, x := range points {
		if v.among(x, avoid) {
			continue
		}
		if tried++; tried > coverTried {
			break
		}
		left := 0.0
		for i, y := range points {
			left += min(far[i], squared(x, y))
		}
		if left < best {
			taken, best = x, left
		}
	}
	return taken
}

// among reports whether x need not be queried: it is among avoid, or was queried and the view is quiet.
func (v View) among(x space.Unit, avoid []space.Unit) bool {
	same := func(a space.Unit) bool { return slices.Equal(a, x) }
	return slices.ContainsFunc(avoid, same) || v.Quiet && slices.ContainsFunc(v.Queries, func(q Query) bool { return same(q.X) })
}

// sample returns points of the space at the view's context, in random order.
func (v View) sample(stream *rand.Rand) (points []space.Unit) {
	if n := v.Space.Size(); n > 0 && n <= coverPoints {
		for _, k := range stream.Perm(n) {
			points = append(points, v.Space.Join(v.Space.UnitPoints()[k], v.Context))
		}
		return points
	}
	for range coverPoints {
		points = append(points, v.Space.RandomAt(v.Context, stream))
	}
	return points
}

// metric is the square of the distance of two points in what a policy chooses; two words are 1 apart.
func (v View) metric() func(x, y space.Unit) float64 {
	words, actions := v.Space.Categorical(), v.Space.Actions()
	return func(x, y space.Unit) (sum float64) {
		for _, i := range actions {
			switch d := x[i] - y[i]; {
			case d != 0 && words[i]:
				sum++
			default:
				sum += d * d
			}
		}
		return sum
	}
}
