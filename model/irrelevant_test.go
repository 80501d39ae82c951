package model

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// many is a fit of f at so many points of so many dimensions, which chooses.
func many(t *testing.T, n, dim int, f func(x space.Unit) float64) Fit {
	t.Helper()
	var axes []space.Parameter
	for j := range dim {
		axes = append(axes, space.Float(string(rune('a'+j)), 0, 1))
	}
	s, err := space.New(axes...)
	if err != nil {
		t.Fatal(err)
	}
	stream, fit := rng.New(uint64(n), rng.Test, 9), Fit{ID: 1, Seed: 3, Options: fitOptions(s, nil)}
	for range n {
		x := s.Random(stream)
		fit.X, fit.Y, fit.Numbers = append(fit.X, x), append(fit.Y, f(x)), append(fit.Numbers, len(fit.X)+1)
	}
	for _, name := range []string{"matern52", "se"} {
		k, err := surrogate.NewKernel(name, dim)
		if err != nil {
			t.Fatal(err)
		}
		fit.Kernels = append(fit.Kernels, k)
	}
	fit.Start = surrogate.Prior{Kernel: fit.Kernels[0], Noise: 1e-3}
	return fit
}

// long is how many lengthscales a fit has learned that make next to no difference.
func long(h Hyper, dim int) (n int) {
	for _, l := range h.Kernel[:dim] {
		if l > 15 {
			n++
		}
	}
	return n
}

func TestAFitFindsThatFewOfManyParametersMatter(t *testing.T) {
	two := func(x space.Unit) float64 { return math.Sin(5*x[2]) * math.Cos(4*x[9]) }
	one := func(x space.Unit) float64 { return math.Sin(5 * x[2]) }
	all := func(x space.Unit) (sum float64) {
		for _, v := range x {
			sum -= (v - 0.4) * (v - 0.4)
		}
		return math.Exp(sum)
	}
	for _, c := range []struct {
		name  string
		n     int
		dim   int
		f     func(space.Unit) float64
		least int
		most  int
	}{
		{"two of sixteen", 50, 16, two, 12, 14}, {"all of sixteen", 50, 16, all, 0, 0}, {"one of six, which are not many", 50, 6, one, 0, 5},
	} {
		f := many(t, c.n, c.dim, c.f)
		h := learn(t, f)
		if n := long(h, c.dim); n < c.least || n > c.most {
			t.Errorf("%s: %d lengthscales are long: %v", c.name, n, h.Kernel)
		}
		if c.least == 0 {
			continue
		}
		if h.Kernel[2] > 5 || h.Kernel[9] > 5 {
			t.Errorf("%s: %v", c.name, h.Kernel)
		}
		f.Start.Kernel, f.Start.Noise = f.Kernels[0], h.Noise
		for _, k := range f.Kernels {
			if k.Name() == h.Name {
				f.Start.Kernel = k.WithValues(h.Kernel)
			}
		}
		if again := long(learn(t, f), c.dim); again < c.least {
			t.Errorf("%s: fitted again %d lengthscales are long", c.name, again)
		}
		contexts, constraint := f, f
		contexts.Straight, constraint.Output = true, Constraint(0)
		for what, other := range map[string]Fit{"at contexts": contexts, "of a constraint": constraint} {
			if n := long(learn(t, other), c.dim); n > c.most/2 {
				t.Errorf("%s, %s: %d lengthscales are long", c.name, what, n)
			}
		}
	}
}
