package lbfgs_test

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/internal/lbfgs"
	"github.com/tarry-bo/tarry/internal/rng"
)

// problem is one minimization that can be run many times.
type problem struct {
	name             string
	function         func() lbfgs.Func // a fresh one each time, because some remember their calls
	x0, lower, upper []float64
	settings         lbfgs.Settings
}

// problems returns 900 problems with one to six coordinates, in boxes whose walls often hold the minimum, some of them
// fixed or infinite, and with budgets and tolerances from far too tight to ample.
func problems() []problem {
	families := []struct {
		name string
		make func(seed uint64) func() lbfgs.Func
	}{
		{"quadratic", quadratic}, {"valley", valley}, {"cliff", cliff},
		{"wild gradient", wildGradient}, {"kink", kink}, {"noise", noise},
	}
	var all []problem
	for _, family := range families {
		for seed := range uint64(150) {
			r := rng.New(seed, rng.Test, 1)
			d := 1 + r.IntN(6)
			p := problem{name: fmt.Sprintf("%s %d", family.name, seed), function: family.make(seed)}
			for range d {
				lower, upper := -2*r.Float64(), 2*r.Float64()
				switch r.IntN(12) {
				case 0:
					upper = lower
				case 1:
					upper = math.Inf(1)
				case 2:
					lower = math.Inf(-1)
				}
				p.lower, p.upper = append(p.lower, lower), append(p.upper, upper)
				p.x0 = append(p.x0, 2*r.NormFloat64())
			}
			p.settings = lbfgs.Settings{MaxEvaluations: 1 + r.IntN(80), Memory: 1 + r.IntN(8)}
			if r.IntN(2) == 0 {
				p.settings.MaxEvaluations, p.settings.GradTolerance, p.settings.ValueTolerance = 1000, 1e-300, 1e-300
			}
			all = append(all, p)
		}
	}
	return all
}

// pure makes a function without memory out of one.
func pure(f lbfgs.Func) func() lbfgs.Func { return func() lbfgs.Func { return f } }

// quadratic is separable, with weights of either sign now and then: then the minimum is in a corner or nowhere.
func quadratic(seed uint64) func() lbfgs.Func {
	r := rng.New(seed, rng.Test, 2)
	center, weight := make([]float64, 6), make([]float64, 6)
	for i := range center {
		center[i], weight[i] = 1.5*r.NormFloat64(), math.Exp(3*r.NormFloat64())
		if r.IntN(10) == 0 {
			weight[i] = -weight[i]
		}
	}
	return pure(bowl(center, weight))
}

// valley is the chained Rosenbrock function, with another steepness for each seed.
func valley(seed uint64) func() lbfgs.Func {
	steep := math.Exp(rng.New(seed, rng.Test, 3).NormFloat64() + 3)
	return pure(func(x, grad []float64) float64 {
		var v float64
		clear(grad)
		for i := range x {
			a := 1 - x[i]
			v += a * a
			grad[i] -= 2 * a
			if i > 0 {
				b := x[i] - x[i-1]*x[i-1]
				v += steep * b * b
				grad[i] += 2 * steep * b
				grad[i-1] -= 4 * steep * b * x[i-1]
			}
		}
		return v
	})
}

// cliff falls towards the edge of a half-space beyond which it is not finite.
func cliff(seed uint64) func() lbfgs.Func {
	r := rng.New(seed, rng.Test, 4)
	bad := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[seed%3]
	edge := 0.5 + r.Float64()
	return pure(func(x, grad []float64) float64 {
		room, v := edge, 0.0
		for i := range x {
			room -= x[i] / float64(len(x))
			grad[i] = x[i]
			v += 0.5 * x[i] * x[i]
		}
		for i := range x {
			grad[i] -= 1 / room / float64(len(x))
		}
		if v += math.Log(room); !(room > 1e-3) {
			return bad
		}
		return v
	})
}

// wildGradient has values everywhere but in parts of the box no gradient, or one of the wrong sign.
func wildGradient(seed uint64) func() lbfgs.Func {
	f := valley(seed)()
	return pure(func(x, grad []float64) float64 {
		v := f(x, grad)
		switch phase := math.Sin(9 * (x[0] + x[len(x)-1])); {
		case phase > 0.9:
			grad[0] = math.NaN()
		case phase < -0.8:
			grad[0] = -grad[0]
		}
		return v
	})
}

// kink is not differentiable where it is lowest.
func kink(seed uint64) func() lbfgs.Func {
	center := 0.8 * rng.New(seed, rng.Test, 5).NormFloat64()
	return pure(func(x, grad []float64) float64 {
		var v float64
		for i := range x {
			grad[i] = math.Copysign(float64(i+1), x[i]-center)
			v += grad[i] * (x[i] - center)
		}
		return v
	})
}

// noise has nothing to do with the point: each call has a new value and gradient, some of them not finite.
func noise(seed uint64) func() lbfgs.Func {
	return func() lbfgs.Func {
		r := rng.New(seed, rng.Test, 6)
		level := 0.0
		return func(x, grad []float64) float64 {
			for i := range grad {
				grad[i] = r.NormFloat64()
			}
			level -= r.Float64()
			if r.IntN(8) == 0 {
				return math.NaN()
			}
			return level + 2*r.NormFloat64()
		}
	}
}
