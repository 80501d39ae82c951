package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// A query without a value that may never come counts by the chance p that it does: the mean and the variance of the function are then what
// they are expected to be, with its row with the chance p and without it otherwise. At a point of the variance v, by all that came, a row of noise λ takes
// k²/(v+λ) off the variance elsewhere, where k is the covariance, and moves the mean by as large a share of what the row says besides. A row of noise
// (v+λ)/p − v does p times as much of both. So a weight is noise that is known besides λ: (v+λ)(1/p − 1). Several rows that pend are weighed
// each for itself.
//
// The variance is that by the rows which are nearest in the kernel, as good as that by all of them (Vecchia 1988). It changes with every value that comes, and a row with
// other noise is another row: so p is in eighths, and noise is rounded to octaves.
const (
	weights     = 8  // a weight is a share of so many
	nearestRows = 24 // of which the variance at a pending query is made
)

// Weight says how much a query without a value counts: in eighths, 1 … 7.
type Weight struct{ Number, Eighths int }

// Weigh says of queries without a value, ascending by number, how much they count now, in place of what was said before; from the next Sync on. All
// others count in full. Numbers beyond their ranges are a bug and panic. Cost O(w) for w weights.
func (m *Model) Weigh(now []Weight) {
	if m.config.Blind {
		return
	}
	if !m.weighs(now) {
		panic(fmt.Sprintf("model: Weigh: %v of %d queries", now, len(m.points)))
	}
	for _, list := range [...][]Weight{m.weights, now} {
		for _, w := range list {
			for i := range m.outputs {
				m.touch(Output(i), w.Number)
			}
		}
	}
	m.weights = now
}

// weighs reports whether these are weights of queries.
func (m *Model) weighs(list []Weight) bool {
	for i, w := range list {
		if !m.among(w.Number) || i > 0 && w.Number <= list[i-1].Number || w.Eighths < 1 || w.Eighths >= weights {
			return false
		}
	}
	return true
}

// weigh works out the noise that the weights of the belief's rows are. Cost O(n·d) for each weight.
func (m sight) weigh() {
	m.doubts = nil
	if len(m.weights) == 0 || m.want.Pending == feedback.Ignore {
		return
	}
	near := m.surroundings()
	for _, w := range m.weights {
		m.changed = append(m.changed, w.Number)
		m.doubts = append(m.doubts, near.doubt(m.point(w.Number), float64(w.Eighths)/weights))
	}
}

// weighed returns the noise of the row of a query by its weight; 0 where it counts in full.
func (m sight) weighed(number int) float64 {
	i, found := slices.BinarySearchFunc(m.weights, number, func(w Weight, number int) int { return cmp.Compare(w.Number, number) })
	if failed, _ := m.failure(number); !found || failed || len(m.doubts) != len(m.weights) {
		return 0
	}
	return m.doubts[i]
}

// surroundings are what came to something, as a belief sees it.
type surroundings struct {
	prior surrogate.Prior
	x     []space.Unit // as the kernel keeps them
	bare  []space.Unit
	known []float64
}

func (m sight) surroundings() surroundings {
	s := surroundings{prior: m.prior()}
	take := func(number int) {
		if _, settled := m.target(number); settled && m.belongs(number) {
			s.bare, s.known = append(s.bare, m.point(number)), append(s.known, m.known(number))
		}
	}
	for number := range m.points {
		take(number + 1)
	}
	for _, in := range m.interims {
		if m.reported(in.Number) {
			take(-in.Number)
		}
	}
	s.x = surrogate.Keep(s.prior.Kernel, s.bare)
	return s
}

// doubt returns the noise which makes a row at x count so much.
func (s surroundings) doubt(x space.Unit, share float64) float64 {
	noise := (s.variance(x) + s.prior.Noise) * (1/share - 1)
	return math.Exp2(math.Round(math.Log2(max(noise, leastDoubt*leastDoubt))))
}

// variance returns that at x by the nearest rows, the first of equals.
func (s surroundings) variance(x space.Unit) float64 {
	row := make([]float64, len(s.x))
	s.prior.Kernel.Row(row, surrogate.Keep(s.prior.Kernel, []space.Unit{x})[0], s.x)
	order := greatest(row, nearestRows)
	points, known := make([]space.Unit, len(order)), make([]float64, len(order))
	for i, k := range order {
		points[i], known[i] = s.bare[k], s.known[k]
	}
	post, err := s.prior.ConditionKnown(points, make([]float64, len(points)), known, nil)
	if err != nil { // points that are one, without noise
		return 0
	}
	_, v := post.Predict(x)
	return v
}

// greatest returns where the greatest of the values are, at most so many, the greatest first and of equals the first.
func greatest(values []float64, most int) []int {
	at := make([]int, 0, most+1)
	for i, v := range values {
		if len(at) == most && !(v > values[at[most-1]]) {
			continue
		}
		k := len(at)
		for ; k > 0 && v > values[at[k-1]]; k-- {
		}
		at = slices.Insert(at, k, i)
		at = at[:min(len(at), most)]
	}
	return at
}
