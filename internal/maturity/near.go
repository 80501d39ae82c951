package maturity

import (
	"math"
	"slices"
)

// MinNear is how many pairs Near wants.
const MinNear = 8

const (
	nearShare  = 0.5 // of the pairs that Near looks at, and at least MinNear
	leastWorth = 4   // pairs that their weights are worth, or else all of the half count alike
)

// Near returns what to expect at the end of an evaluation that reported an interim value, by the pairs whose interims are nearest to it: the
// better half of some trainings goes on otherwise than those that never learn anything. Each counts by its distance, 1 at the interim and 0
// beyond the half (the weights of Cleveland 1979). It returns false where fewer than MinNear pairs are there, or where the evaluation is
// not behind that of the greatest final: where nothing like it came to its end, nothing is known of it. Cost O(n log n).
func Near(pairs []Pair, interim float64) (Prediction, bool) {
	n := len(pairs)
	if n < MinNear || !behind(pairs, interim) {
		return Prediction{}, false
	}
	r := Relation{scaleX: 1, scaleY: 1}
	r.scale(pairs, []float64{interim})
	away := func(p Pair) float64 { return math.Abs(p.Interim/r.scaleX - interim/r.scaleX) }
	distances := make([]float64, n)
	for i, p := range pairs {
		distances[i] = away(p)
	}
	slices.Sort(distances)
	reach := distances[max(MinNear, int(math.Ceil(nearShare*float64(n))))-1]
	weight := func(p Pair) float64 {
		switch d := away(p); {
		case d > reach:
			return 0
		case d == 0:
			return 1
		default:
			u := d / (reach * (1 + 1e-4)) // the farthest has a little
			return math.Pow(1-u*u*u, 3)
		}
	}
	var total, squares float64
	for _, p := range pairs {
		w := weight(p)
		total += w
		squares += w * w
	}
	if r.n = total * total / squares; !(r.n >= leastWorth) { // the interim is far from all
		inside := func(p Pair) float64 {
			if away(p) > reach {
				return 0
			}
			return 1
		}
		r.n = 0
		for _, p := range pairs {
			r.n += inside(p)
		}
		weight = inside
	}
	r.fit(pairs, weight)
	return r.Final(interim)
}

// behind reports whether an interim value is worse than that of the greatest final: lower where those who report more end with more, and
// higher otherwise.
func behind(pairs []Pair, interim float64) bool {
	best := pairs[0]
	var x, y, xy float64
	for _, p := range pairs {
		if p.Final > best.Final {
			best = p
		}
		x, y = max(x, math.Abs(p.Interim)), max(y, math.Abs(p.Final))
	}
	if x == 0 || y == 0 {
		return false
	}
	var meanX, meanY float64
	for _, p := range pairs {
		meanX, meanY = meanX+p.Interim/x/float64(len(pairs)), meanY+p.Final/y/float64(len(pairs))
	}
	for _, p := range pairs {
		xy += (p.Interim/x - meanX) * (p.Final/y - meanY)
	}
	if xy < 0 {
		return interim > best.Interim
	}
	return interim < best.Interim
}
