package loop

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// actionsOf are the actions of a finite space, one for each point of its pool.
func actionsOf(s space.Space) []space.Unit {
	if s.Combinations() > 0 {
		return s.Grid()
	}
	return s.UnitPoints()
}

// At every ask the pool holds all actions at its context, with the moments that the posterior predicts there, and what a
// policy chooses from the pool is what it would have found by looking at each action: through removals beyond Model.Active,
// failures, hallucinations and fits, while contexts stay, change and queue up.
func TestThePoolIsAtTheContextOfTheAsk(t *testing.T) {
	for i, where := range []string{"actions", "drawn"} {
		for j, how := range imputations {
			if raced && (i+j)%2 == 1 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%v", where, how), func(t *testing.T) {
				t.Parallel()
				c := storyConfig(t, where, how)
				c.Model.Active = model.MinActive
				s := newStory(t, c, uint64(60+10*i+j), 6)
				s.blind = true
				var looked poolLooks
				for asks := 1; asks <= 150; asks++ {
					s.until(asks)
					looked.at(t, s.loop)
				}
				m := lookAt(s.loop)
				if looked.without == 0 != (where == "actions") || looked.with < 80 || looked.moved < 5 || looked.grown < 15 || m.Generation < 5 ||
					looked.removed < 5 && how != feedback.Ignore {
					t.Errorf("too little happened: %+v, %d rebuilds", looked, m.Generation)
				}
			})
		}
	}
}

// poolLooks counts what was seen at some asks.
type poolLooks struct {
	with, without         int // asks with a pool
	moved, grown, removed int // of them with one that was filled between two rebuilds, that grew since, that lost rows since
	context               space.Unit
}

func (p *poolLooks) at(t *testing.T, l *Loop) {
	t.Helper()
	v := l.View()
	pool, actions := v.Posterior.Pool(), actionsOf(v.Space)
	changed := !slices.Equal(p.context, v.Context)
	p.context = v.Context
	if pool == nil {
		if p.without++; !changed || !l.config.Traits.Draws {
			t.Fatalf("ask %d has no pool", l.plan.ask.ID)
		}
		return
	}
	rows := lookAt(l)
	p.with++
	p.moved += bit(rows.Filled > 0)
	p.grown += bit(rows.Filled < len(rows.Edits))
	p.removed += bit(slices.ContainsFunc(rows.Edits[rows.Filled:], func(e model.Edit) bool { return e.Number == 0 }))
	if pool.Len() != len(actions) {
		t.Fatalf("%d points, %d actions", pool.Len(), len(actions))
	}
	bounds := make([]float64, len(actions))
	for i, action := range actions {
		x := v.Space.Join(action, v.Context)
		if !slices.Equal(pool.Point(i), x) {
			t.Fatalf("point %d is %v, want %v", i, pool.Point(i), x)
		}
		mean, variance := v.Posterior.Predict(x)
		if math.Abs(v.Posterior.PoolMean()[i]-mean) > 1e-9 || math.Abs(v.Posterior.PoolVariance()[i]-variance) > 1e-9 {
			t.Fatalf("point %d has mean %v and variance %v, predicted %v and %v (%d edits, filled after %d)",
				i, v.Posterior.PoolMean()[i], v.Posterior.PoolVariance()[i], mean, variance, len(rows.Edits), rows.Filled)
		}
		bounds[i] = mean + math.Sqrt(variance)
	}
	if !v.Informed() || l.config.Traits.Draws || len(v.Blamed) > 0 { // otherwise the policy keeps away from some
		return
	}
	event := Propose(l.plan.ask, v, policies.UCB{Pending: l.config.Traits.Pending}, 1).(Proposed)
	chosen := pool.Index(event.Proposals[0].X)
	if chosen < 0 || bounds[chosen] < slices.Max(bounds)-1e-6 {
		t.Fatalf("ask %d chose %v, number %d, whose bound is not the greatest", l.plan.ask.ID, event.Proposals[0].X, chosen)
	}
}

// Where there are too many actions, or no end of them, there is no pool with contexts, and nothing of one in the state.
func TestOnlyFewActionsHaveAPoolAtAContext(t *testing.T) {
	few := storyConfig(t, "actions", feedback.Ignore)
	many := few
	points := make([]space.Point, policies.JointDraw+1)
	for i := range points {
		points[i] = []float64{float64(i) / float64(len(points)), 0}
	}
	parameters := few.Space.Parameters()
	var err error
	if many.Space, err = space.List(points, parameters...); err != nil {
		t.Fatal(err)
	}
	drawn := many
	drawn.Traits.Draws = true
	long := many
	long.Budget, long.Model.Active = MaxBudget, model.MaxActive
	longer := long
	points = slices.Repeat(points, 1+model.MaxCells/8/model.MaxActive/len(points))
	if longer.Space, err = space.List(points, parameters...); err != nil {
		t.Fatal(err)
	}
	blind := few
	blind.Traits.Model = false
	for name, c := range map[string]struct {
		config Config
		want   bool
	}{
		"few": {few, true}, "many": {many, true}, "many for draws": {drawn, false}, "many, long": {long, true}, "more": {longer, false},
		"no model": {blind, false}, "box": {storyConfig(t, "context", feedback.Ignore), false}, "no context": {storyConfig(t, "list", feedback.Ignore), false},
	} {
		if got := c.config.withDefaults().poolsContext(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	s := newStory(t, drawn, 1, 3).until(20)
	if v := s.loop.View(); v.Posterior.Pool() != nil || lookAt(s.loop).Filled != 0 {
		t.Errorf("pool %v", v.Posterior.Pool())
	}
}
