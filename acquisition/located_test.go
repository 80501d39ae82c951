package acquisition

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// tilted is a threshold that changes over the square.
type tilted struct{}

func (tilted) At(x space.Unit) float64 { return .1 + .2*x[0] - .05*x[1] }

func (f tilted) Gradient(x space.Unit, grad []float64) float64 {
	grad[0], grad[1] = .2, -.05
	return f.At(x)
}

// located are the utilities that depend on the point, and those of recalibrated models.
func located() map[string]Located {
	bent := func(q float64) LevelMap { return LevelMap{P: []float64{0, .3, .7, 1}, Q: []float64{0, q, .6, 1}} }
	local := LocallyRecalibrated{At: func(x space.Unit) LevelMap { return bent(.2 + .1*x[0]*x[1]) }}
	local.Best, local.Noise = .7, .02
	return map[string]Located{
		"calibrated log EI":     CalibratedLogExpectedImprovement{Local: tilted{}, Alpha: .2, Noise: .02, Best: .7},
		"calibrated quantile":   CalibratedQuantile{Local: tilted{}, Alpha: .2, Noise: .02, P: .9},
		"locally recalibrated":  local,
		"anywhere":              Anywhere{Utility: UpperConfidenceBound{Beta: 2}},
		"recalibrated EI":       Anywhere{Utility: RecalibratedCriterion{Map: bent(.2), Best: .7, Noise: .02}},
		"recalibrated PI":       Anywhere{Utility: RecalibratedCriterion{Map: bent(.2), Criterion: Probability, Best: .7, Noise: .02}},
		"recalibrated quantile": Anywhere{Utility: RecalibratedCriterion{Map: bent(.2), Criterion: UpperBound, P: .9, Noise: .02}},
	}
}

func TestGradientsOfLocatedUtilitiesAgreeWithDifferences(t *testing.T) {
	p := fitted(t)
	for name, u := range located() {
		f := There{Posterior: p, Utility: u}
		for _, x := range []space.Unit{{.5, .5}, {.21, .83}, {.9, .1}} {
			got := make([]float64, 2)
			must.Near(t, name+": value", f.Gradient(x, got), f.Value(x), 1e-9)
			want := fd.Gradient(nil, func(u []float64) float64 { return f.Value(u) }, x, &fd.Settings{Formula: fd.Central, Step: 1e-5})
			for j := range got {
				must.Near(t, name, got[j], want[j], 1e-4*max(1, math.Abs(want[j])))
			}
		}
	}
}

// What a pool gives at once is what its points give one after another.
func TestPoolsGiveTheValuesOfTheirPoints(t *testing.T) {
	p := landscape(t, 2, 12, true, 3)
	pool := p.Pool()
	functions := map[string]Function{
		"utility":  At{p, LogExpectedImprovement{Best: 1}},
		"function": plain{f: func(x space.Unit) float64 { return x[0] - x[1] }},
	}
	for name, u := range located() {
		functions[name] = There{Posterior: p, Utility: u}
	}
	for name, f := range functions {
		values := PoolValues(f, pool)
		for i := range pool.Len() {
			must.Near(t, name, values[i], f.Value(pool.Point(i)), 1e-8*max(1, math.Abs(values[i])))
		}
	}
	other := surrogate.NewPool(p.Prior().Kernel, space.HaltonPoints(5, 2, rng.New(1, rng.Test, 0)), false)
	if v := (At{p, Quantile{P: .9}}).PoolValues(other); v != nil {
		t.Errorf("%v of another posterior's pool", v)
	}
}
