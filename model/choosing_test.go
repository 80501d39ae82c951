package model

import (
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// choosing is a model that fits choose, after answers of f at so many points.
func choosing(t *testing.T, n int, f func(x []float64) float64) *Model {
	t.Helper()
	c := configOf(square(t), Want{Pending: feedback.Hallucinate})
	c.Outputs[0].Kernels = adaptive(t, 3, 0, smooth).Kernels
	m, stream := New(c), rng.New(uint64(n), rng.Test, 7)
	for number := 1; number <= n; number++ {
		answer(m, number, square(t).Random(stream), f)
	}
	return m
}

func answer(m *Model, number int, x []float64, f func(x []float64) float64) {
	m.Open(number, number, 0, x)
	m.Reveal(Objective, number, Measurement{Value: f(x)}, number+1, 0)
	m.Sync()
}

func fitted(t *testing.T, m *Model) Hyper {
	t.Helper()
	f, ok := m.BeginFit()
	if !ok {
		t.Fatal("no fit is due")
	}
	h := learn(t, f)
	if err := m.Adopt(h); err != nil {
		t.Fatal(err)
	}
	m.Sync()
	return h
}

// However great values are, what is chosen is the same; squares of these have no number.
func TestHugeValuesAreFittedLikeOthers(t *testing.T) {
	const huge = 0x1p+990
	a := fitted(t, choosing(t, 30, func(x []float64) float64 { return valley(x) }))
	b := fitted(t, choosing(t, 30, func(x []float64) float64 { return huge * valley(x) }))
	if a.Warp.Straight() || a.Name != b.Name || b.Warp.Scale/huge != a.Warp.Scale || a.Noise != b.Noise || !slices.Equal(a.Kernel, b.Kernel) {
		t.Errorf("%+v, and of huge values %+v", a, b)
	}
}

// At each context another value is the best: a warp around the greatest of all would hide what differs at the others.
func TestNothingIsWarpedWhereThereAreContexts(t *testing.T) {
	for _, context := range []bool{false, true} {
		y := space.Float("y", 0, 1)
		if context {
			y = y.AsContext()
		}
		c := configOf(must.Get(space.New(space.Float("x", 0, 1), y))(t), Want{Pending: feedback.Hallucinate})
		c.Outputs[0].Kernels = adaptive(t, 3, 0, smooth).Kernels
		m, stream := New(c), rng.New(30, rng.Test, 7)
		for number := 1; number <= 30; number++ {
			answer(m, number, c.Space.Random(stream), func(x []float64) float64 { return valley(x) })
		}
		if h := fitted(t, m); h.Warp.Straight() != context {
			t.Errorf("contexts %t: %+v", context, h)
		}
	}
}
