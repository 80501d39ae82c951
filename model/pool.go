package model

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// The pool of a posterior are points whose mean and variance are kept up to date, O(nN) for each new row: a finite list,
// few combinations, or points that fill the space, evenly in the coordinates that the kernel has warped. With contexts they are all actions at the context of the ask, where these
// are few; when the context changes the pool is filled anew, O(n²N) at once. With a fidelity and no context points that fill the space are
// at the greatest. The bits of a pool that was filled differ from
// those of one that lost rows on its way: after how many edits it was filled belongs to the state.
const (
	// maxJointDraw bounds the points of a finite list over which exact joint draws are made; longer ones, and those whose values hardly depend on each other, use random features.
	maxJointDraw = 4096
	// poolPoints is how many points of a continuous space have their mean and variance kept up to date.
	poolPoints = 1024
	// NotFilled says of rows.filled that there is no pool at the context.
	NotFilled = -1
	// maxContextCells bounds the rows of a belief times the actions in a pool at a context: a new one is filled with each
	// context while the old one is still kept for results.
	maxContextCells = MaxCells / 8
)

// PoolsContext reports whether posteriors carry a pool at the context of the ask.
func (c Config) PoolsContext() bool {
	actions := max(c.Space.Size(), c.Space.Combinations())
	switch {
	case c.Blind || len(c.Space.Held()) == 0 || actions == 0:
		return false
	case c.Draws:
		return actions <= JointDraw
	}
	return actions <= maxContextCells/max(c.Most, 1)
}

// Face turns the pools to the context of the next ask, in the unit cube, after Sync. Where functions are drawn a belief gets one
// when a context comes for the second time in a row: to fill it for one draw costs more than a draw without.
func (m *Model) Face(context space.Unit) {
	if !m.config.PoolsContext() {
		return
	}
	for i := range m.beliefs {
		b := &m.beliefs[i]
		switch changes := !equalBits(b.context, context); {
		case changes && m.config.Draws:
			b.rows.filled = NotFilled
		case changes || b.rows.filled == NotFilled:
			b.rows.filled = len(b.rows.edits)
		}
		b.context = context
	}
}

// equalBits tells 0 from -0: which of them a pool has may show in a proposal.
func equalBits(a, b space.Unit) bool {
	return slices.EqualFunc(a, b, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
}

// poolFor is the pool of the plan, made anew when the context, the kernel or the warps of the coordinates changed; nil where it wants none.
func (a *algebra) poolFor(plan plan) *surrogate.Pool {
	where := plan.config.Space
	contextual := len(where.Held()) > 0
	if contextual && plan.context == nil && !plan.fillsTarget() {
		return nil
	}
	whole := where.Size() > 0 && where.Size() <= maxJointDraw || where.Combinations() > 0
	draws := plan.config.Draws && whole && !contextual // at a context the observed points are not all in the pool
	params, even := plan.prior.Kernel.Params(), plan.even()
	switch {
	case a.pool == nil || !equalBits(a.at, plan.context) || !slices.Equal(a.even, even):
		a.pool = surrogate.NewPool(plan.prior.Kernel, plan.pool(), draws)
	case !slices.Equal(a.pooled, params) || a.named != plan.prior.Kernel.Name():
		a.pool = a.pool.WithKernel(plan.prior.Kernel, draws)
	}
	a.named, a.pooled, a.at, a.even = plan.prior.Kernel.Name(), params, plan.context, even
	return a.pool
}

// fillsTarget reports whether the pool are points at the greatest fidelity that fill the space. Under a further member
// (Want.Member) few points are looked at.
func (p plan) fillsTarget() bool {
	where := p.config.Space
	return where.Size() == 0 && where.Combinations() == 0 && len(where.Contexts()) == 0 && p.want.Member == 0
}

// pool returns the points of the pool.
func (p plan) pool() []space.Unit {
	where := p.config.Space
	points := where.UnitPoints()
	if where.Combinations() > 0 {
		points = where.Grid()
	}
	switch {
	case p.context != nil:
		joined := make([]space.Unit, len(points))
		for i, action := range points {
			joined[i] = where.Join(action, p.context)
		}
		return joined
	case points == nil:
		return candidates(where, p.even(), rng.New(p.config.Seed, rng.Pool, 0))
	}
	return points
}

// even are the warps of the coordinates in which the points of the pool fill the space; nil where they are all that there are.
func (p plan) even() surrogate.Inputs {
	where := p.config.Space
	if where.Size() > 0 || where.Combinations() > 0 {
		return nil
	}
	return surrogate.InputsOf(p.prior.Kernel)
}

// candidates fill a space, at the greatest fidelity, evenly in warped coordinates. Half of them have each coordinate moved to the nearer side with the chance of a half, since
// what is useful often lies at a side, where low-discrepancy points never are.
func candidates(s space.Space, w surrogate.Inputs, stream *rand.Rand) []space.Unit {
	points := space.HaltonPoints(poolPoints, s.Dim(), stream)
	for i, x := range points {
		for j := range x {
			if i%2 == 1 && stream.IntN(2) == 1 {
				x[j] = math.Round(x[j])
			}
		}
		points[i] = s.AtTarget(s.Snap(w.From(x)))
	}
	return points
}

// carries reports whether the posterior has the pool, filled when the plan wants it.
func (a *algebra) carries(plan plan, pool *surrogate.Pool) bool {
	return a.post.Pool() == pool && (pool == nil || a.filled == plan.filled)
}

// carry fills the pool after as many edits as the plan says. Those before are done without any pool.
func (a *algebra) carry(plan plan, pool *surrogate.Pool) {
	if a.carries(plan, pool) {
		return
	}
	a.post = a.post.WithPool(nil)
	if pool == nil {
		return
	}
	if edits := plan.changes(a.done, plan.filled); len(edits) > 0 {
		n := a.post.Len()
		for _, e := range edits {
			if e.X == nil {
				n--
			} else {
				n++
			}
		}
		a.post = a.post.Revise(edits, make([]float64, n), nil) // the targets follow
	}
	a.post = a.post.WithPool(pool)
	a.done, a.filled = plan.filled, plan.filled
}
