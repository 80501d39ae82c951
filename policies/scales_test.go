package policies

import (
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// scaled is a view under a model that has learned a scale of four decades of the first of two parameters.
func scaled(t *testing.T) View {
	t.Helper()
	kernel := surrogate.Warped{Of: surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{0.5, 0.5}, Outputscale: 1}, Ratios: surrogate.Inputs{1e4, 1}}
	points := []space.Unit{{5e-5, 0.5}, {0.3, 0.5}}
	post := must.Get(surrogate.Prior{Kernel: kernel, Noise: 1e-6}.Condition(points, []float64{1, 0}, nil))(t)
	s := must.Get(space.New(space.Float("a", 0, 1), space.Float("b", 0, 1)))(t)
	v := View{Space: s, Quiet: true, Belief: model.Belief{Posterior: post, Rows: []int{1, 2}}}
	for i, x := range points {
		v.Queries = append(v.Queries, Query{Number: i + 1, X: x})
	}
	return v
}

// What is far near the low end is close at the other one, and a millionth of the range is not always nothing.
func TestPointsAreApartAsTheModelSeesThem(t *testing.T) {
	v := scaled(t)
	must.Near(t, "near the low end", v.Apart(space.Unit{2e-5, 0.5}, space.Unit{5e-5, 0.5}), 0.0242256936, 1e-9)
	must.Near(t, "at the other end", v.Apart(space.Unit{0.300, 0.5}, space.Unit{0.302, 0.5}), 0.0007211824, 1e-9)
	must.Near(t, "along an even parameter", v.Apart(space.Unit{0.3, 0.1}, space.Unit{0.3, 0.4}), 0.3, 1e-15)
	if v.near(space.Unit{2e-5, 0.5}, 0.01) || !v.near(space.Unit{0.302, 0.5}, 0.001) {
		t.Error("queries are near in the range, and not along the scale")
	}
	if known := v.Known(); v.oneOf(space.Unit{5.09e-5, 0.5}, known) || !v.oneOf(space.Unit{5e-5 + 1e-12, 0.5}, known) || !v.oneOf(space.Unit{0.3000005, 0.5}, known) {
		t.Error("points are one in the range, and not along the scale")
	}
	v.Posterior = must.Get(surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{0.5, 0.5}, Outputscale: 1}, Noise: 1e-6}.Condition(nil, nil, nil))(t)
	must.Near(t, "without a scale", v.Apart(space.Unit{0.300, 0.5}, space.Unit{0.302, 0.5}), 0.002, 1e-15)
}

// Points to look around are those that differ along the scale: all of them may be in a hundredth of the range.
func TestPromisingPointsDifferAlongTheScale(t *testing.T) {
	v := scaled(t)
	v.Incumbent = space.Unit{1e-4, 0.5}
	if got := v.promising([]space.Unit{v.Incumbent}, space.Unit{0.01, 0.5}); len(got) != 2 {
		t.Errorf("%v", got)
	}
	if got := v.promising([]space.Unit{v.Incumbent}, space.Unit{1.1e-4, 0.5}); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

// A trust region has its sides along the scale.
func TestATrustRegionIsABoxAlongTheScale(t *testing.T) {
	v := scaled(t)
	center := space.Unit{1e-3, 0.5}
	b := v.boxAround(center, 0.1)
	w := v.inputs()
	low, high, at := w.To(b.lower), w.To(b.upper), w.To(center)
	for j := range center {
		must.Near(t, "below", at[j]-low[j], 0.05, 1e-12)
		must.Near(t, "above", high[j]-at[j], 0.05, 1e-12)
	}
}

// An expectation of more elsewhere keeps the scales.
func TestAPlainModelKeepsTheScales(t *testing.T) {
	v := scaled(t)
	v.History = []Answer{{Query: v.Queries[0], Value: 3}, {Query: v.Queries[1], Value: 1}}
	plain, ok := v.plain(plainModel{rows: []int{0, 1}, values: []float64{3, 1}, mean: 2, stddev: 1})
	if !ok {
		t.Fatal("no plain model")
	}
	kernel, warped := plain.Posterior.Prior().Kernel.(surrogate.Warped)
	if !warped || kernel.Ratios[0] != 1e4 || kernel.Of.Family != surrogate.Matern52 {
		t.Errorf("%+v", plain.Posterior.Prior().Kernel)
	}
}
