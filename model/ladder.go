package model

import (
	"errors"
	"math"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Trouble says what it took to compute the posterior for a query. No data can stop a study: what round-off makes
// impossible is climbed around on a ladder, whose steps are counted.
//
//  1. Noise is added to the diagonal until the covariance matrix can be factorized (Jittered), and a pivot that round-off
//     took away is lifted (Lifted).
//  2. Where even the greatest jitter does not help, points that coincide become one, with the mean of their targets
//     (Merged).
//  3. After that, and where weights are not finite, the noise is raised by factors of ten until they are (Raised), and
//     hyperparameters are fitted anew.
//  4. A policy that fails all the same is replaced by a point that fills the space.
type Trouble struct {
	Jittered int // 1 when noise was added
	Lifted   int // rows with a lifted pivot
	Merged   int // rows left out because they coincide with others
	Raised   int // times that the noise was multiplied by ten
}

// with is the greater of each.
func (t Trouble) with(other Trouble) Trouble {
	return Trouble{
		Jittered: max(t.Jittered, other.Jittered), Lifted: max(t.Lifted, other.Lifted),
		Merged: max(t.Merged, other.Merged), Raised: max(t.Raised, other.Raised),
	}
}

// Troubled draws the consequences of what the posteriors of an ask needed: a factor with many lifted rows is made anew, and
// raised noise asks for one fit beyond the schedule.
func (m *Model) Troubled(t Trouble) {
	for i := range m.beliefs {
		m.beliefs[i].rebuildSoon = t.Lifted > LiftedBeforeRebuild+len(m.beliefs[i].rows.now)/20
	}
	for i := range m.outputs {
		o := &m.outputs[i]
		if t.Raised > 0 && !o.urged {
			o.size = 0
		}
		o.urged = t.Raised > 0
	}
}

// Startle asks for one fit of an output beyond the schedule: a value came that its hyperparameters rule out. Cost O(1).
func (m *Model) Startle(o Output) { m.outputs[o].size, m.outputs[o].startled = 0, true }

// Knew reports whether a query was chosen by what an output has learned since the last value that startled it, or before any did.
func (m *Model) Knew(o Output, number int) bool {
	return !m.outputs[o].startled && number > m.outputs[o].since
}

// LiftedBeforeRebuild is how many rows may be lifted, besides a twentieth of all, before the factor is made anew.
const LiftedBeforeRebuild = 10

// condition factorizes the points, raising the noise as often as needed; the targets follow. It reports
// ErrNotPositiveDefinite when merging should be tried first.
func condition(prior surrogate.Prior, x []space.Unit, known []float64, pool *surrogate.Pool) (*surrogate.Posterior, int, error) {
	post, err := prior.ConditionKnown(x, make([]float64, len(x)), known, pool)
	if err == nil {
		return post, 0, nil
	}
	if !errors.Is(err, surrogate.ErrNotPositiveDefinite) {
		panic("model: " + err.Error()) // nothing that data can cause
	}
	if len(distinct(x)) < len(x) {
		return nil, 0, err
	}
	for raised := 1; ; raised++ {
		prior.Noise = max(10*prior.Noise, 1e-6)
		post, err := prior.ConditionKnown(x, make([]float64, len(x)), known, pool)
		if err == nil {
			return post, raised, nil
		}
		if prior.Noise > maxRaisedNoise {
			panic("model: " + err.Error())
		}
	}
}

// jittered is 1 where noise was added.
func jittered(post *surrogate.Posterior) int {
	if post.Jitter() > 0 {
		return 1
	}
	return 0
}

const maxRaisedNoise = 1e12

// calmed is the posterior of all rows from the beginning, with as much more noise as it takes to make its weights finite:
// lifted pivots can make them grow from row to row.
func (a *algebra) calmed(plan plan, rows []int) (*surrogate.Posterior, []int, Trouble) {
	x := plan.pointsOf(rows)
	a.post = nil // the next plan begins anew
	prior := plan.prior
	for raised := 1; ; raised++ {
		prior.Noise = max(10*prior.Noise, 1e-6)
		if post, _, err := condition(prior, x, plan.known, a.poolFor(plan)); err == nil {
			if post = post.Revise(nil, plan.targets, plan.pending(rows)); post.Usable() {
				return post, rows, Trouble{Jittered: jittered(post), Raised: raised}
			}
		}
		if prior.Noise > maxRaisedNoise {
			panic("model: weights are not finite under any noise")
		}
	}
}

// merged is the posterior of the rows that are left when those that coincide become one. It is computed from the
// beginning each time, since the edits of the plan count other rows.
func (a *algebra) merged(plan plan, rows []int) (*surrogate.Posterior, []int, Trouble) {
	x := plan.pointsOf(rows)
	groups := distinct(x)
	imputed, hallucinated := make([]bool, len(rows)), make([]bool, len(rows))
	for _, i := range plan.unanswered {
		imputed[i] = true
	}
	for _, i := range plan.pending(rows) {
		imputed[i], hallucinated[i] = true, true
	}
	var kept []int
	var points []space.Unit
	var targets []float64
	var pending []int
	var known []float64
	for k, group := range groups {
		if plan.known != nil {
			variance, _ := unite(group, plan.known, imputed)
			known = append(known, variance)
		}
		target, isPending := unite(group, plan.targets, imputed)
		if isPending && hallucinated[group[0]] {
			pending = append(pending, k)
		}
		kept, points, targets = append(kept, rows[group[0]]), append(points, x[group[0]]), append(targets, target)
	}
	post, raised, err := condition(plan.prior, points, known, a.poolFor(plan))
	if err != nil {
		panic("model: " + err.Error())
	}
	a.post = nil // it has other rows than the next plan will edit
	post = post.Revise(nil, targets, pending)
	return post, kept, Trouble{Jittered: jittered(post), Merged: len(rows) - len(kept), Raised: raised}
}

// unite returns the mean of the answered targets of a group, or the first target of a group without an answer; of known noise the
// same.
func unite(group []int, targets []float64, imputed []bool) (target float64, pending bool) {
	sum, n := 0.0, 0
	for _, i := range group {
		if !imputed[i] {
			sum += targets[i]
			n++
		}
	}
	if n == 0 {
		return targets[group[0]], true
	}
	return sum / float64(n), false
}

// coincide is the distance in every coordinate of the unit cube below which two points count as one.
const coincide = 1e-9

// distinct groups the indices of points that coincide with the first of their group. Cost O(n² d).
func distinct(x []space.Unit) [][]int {
	var groups [][]int
	for i, p := range x {
		found := false
		for g := range groups {
			if same(p, x[groups[g][0]]) {
				groups[g] = append(groups[g], i)
				found = true
				break
			}
		}
		if !found {
			groups = append(groups, []int{i})
		}
	}
	return groups
}

func same(a, b space.Unit) bool {
	for j := range a {
		if math.Abs(a[j]-b[j]) > coincide {
			return false
		}
	}
	return true
}
