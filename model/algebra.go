package model

import (
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// algebra is the posterior that was computed last, and its pool.
type algebra struct {
	generation int // of the rows of the posterior; 0 before any
	done       int // edits that it has seen
	raised     int // times that the noise was raised
	post       *surrogate.Posterior
	filled     int // edits that it had seen when its pool was filled

	pool   *surrogate.Pool  // the latest, of this posterior or the next
	named  string           // its kernel
	pooled []float64        // and the parameters of that
	at     space.Unit       // its context
	even   surrogate.Inputs // the warps of the coordinates in which it fills the space
}

// posterior does the algebra that is still missing. It returns the rows as well: fewer than those of the plan only where
// duplicates had to be merged.
func (a *algebra) posterior(plan plan, rows []int) (*surrogate.Posterior, []int, Trouble) {
	pool := a.poolFor(plan)
	if !a.leadsTo(plan, pool) {
		first := pool
		if plan.filled > 0 {
			first = nil
		}
		post, raised, err := condition(plan.prior, plan.pointsOf(plan.base), plan.baseKnown, first)
		if err != nil {
			return a.merged(plan, rows)
		}
		*a = algebra{generation: plan.generation, raised: raised, post: post, pool: a.pool, named: a.named, pooled: a.pooled, at: a.at, even: a.even}
	}
	a.carry(plan, pool)
	a.post = a.post.Revise(plan.changes(a.done, len(plan.edits)), plan.targets, plan.pending(rows))
	a.done = len(plan.edits)
	if !a.post.Usable() {
		return a.calmed(plan, rows)
	}
	return a.post, rows, Trouble{Jittered: jittered(a.post), Lifted: a.post.Clamped(), Raised: a.raised}
}

// leadsTo reports whether the plan goes on from the posterior that is there.
func (a *algebra) leadsTo(plan plan, pool *surrogate.Pool) bool {
	if a.generation != plan.generation || a.post == nil || a.done > len(plan.edits) {
		return false
	}
	return a.done <= plan.filled || pool == nil || a.carries(plan, pool)
}
