package surrogate

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
)

func TestCorrelationsAtDistanceOne(t *testing.T) {
	for f, want := range []float64{0.606530659713, 0.367879441171, 0.483357724597, 0.523994108832, 2.0 / 3} {
		k := Stationary{Family: Family(f), Lengthscales: []float64{1}, Outputscale: 1}
		if got := k.Eval([]float64{0}, []float64{1}); math.Abs(got-want) > 6e-13 {
			t.Errorf("%v: %.12f, want %.12f", Family(f), got, want)
		}
	}
}

// r is the root of the sum of squares: an offset of (0.3, 0.4) is a distance of 0.5.
func TestDistanceIsTheRootOfTheSumOfSquares(t *testing.T) {
	k := Stationary{Family: Matern52, Lengthscales: []float64{1, 1}, Outputscale: 1}
	near(t, "k", k.Eval([]float64{0, 0}, []float64{0.3, 0.4}), 0.828649, 6e-7)
}

func TestPeriodicLinearAndDotByHand(t *testing.T) {
	a, b := []float64{0.1, 0.2}, []float64{0.4, 0.9}
	p := Periodic{Lengthscales: []float64{0.9, 1.4}, Period: 1.7, Outputscale: 2}
	near(t, "periodic", p.Eval(a, b), 0.392540803642, 6e-13)
	grad := make([]float64, 4)
	p.GradParams(grad, a, b)
	near(t, "d/d log l_1", grad[0], 0.5372106451, 6e-11)
	near(t, "d/d log p", grad[2], 0.7537823851, 6e-11)
	near(t, "linear", Linear{[]float64{0.5, 0.5}, 2}.Eval(a, b), -0.16, 1e-15)
	near(t, "dot", DotProduct{1, 2}.Eval(a, b), 1.22, 1e-15)
}

func TestRowsDiagonalsAndSymmetryAgreeWithEval(t *testing.T) {
	r := stream(1)
	xs := append(randomPoints(r, 40, 2), []float64{0.5, 0.5}, []float64{0.5, 0.5})
	for _, k := range everyKernel() {
		row := make([]float64, len(xs))
		for _, x := range xs {
			k.Row(row, x, xs)
			for i, b := range xs {
				if got, want := row[i], k.Eval(x, b); got != want {
					t.Fatalf("%s: row %v, scalar %v", k.Name(), got, want)
				}
				near(t, k.Name()+" symmetry", k.Eval(b, x), row[i], 1e-15)
			}
			near(t, k.Name()+" diagonal", k.Diag(x), k.Eval(x, x), 1e-15)
		}
		if k.Dim() != 2 {
			t.Errorf("%s: dimension %d", k.Name(), k.Dim())
		}
	}
	one := Stationary{Family: Matern32, Lengthscales: []float64{0.2}, Outputscale: 1}
	line := randomPoints(r, 50, 1)
	row := make([]float64, len(line))
	one.Row(row, line[0], line)
	for i, b := range line {
		if row[i] != one.Eval(line[0], b) {
			t.Fatalf("one dimension: row %v, scalar %v", row[i], one.Eval(line[0], b))
		}
	}
}

func TestKernelGradientsAgreeWithDifferences(t *testing.T) {
	r := stream(2)
	central := &fd.Settings{Formula: fd.Central}
	for _, k := range everyKernel() {
		for range 20 {
			x := randomPoints(r, 2, 2)
			a, b := x[0], x[1]
			got := make([]float64, 2)
			value := k.GradX(got, a, b)
			near(t, k.Name()+" value", value, k.Eval(a, b), 1e-15)
			want := fd.Gradient(nil, func(v []float64) float64 { return k.Eval(v, b) }, a, central)
			if !floats.EqualApprox(got, want, 1e-7) {
				t.Errorf("%s: dk/da = %v, differences say %v", k.Name(), got, want)
			}
			theta := k.Params()
			got = make([]float64, len(theta))
			value = k.GradParams(got, a, b)
			near(t, k.Name()+" value", value, k.Eval(a, b), 1e-15)
			want = fd.Gradient(nil, func(v []float64) float64 { return k.WithParams(v).Eval(a, b) }, theta, central)
			if !floats.EqualApprox(got, want, 1e-7) {
				t.Errorf("%s: dk/dθ = %v, differences say %v", k.Name(), got, want)
			}
		}
	}
}

func TestGradientsAreFiniteWherePointsCoincide(t *testing.T) {
	a := []float64{0.3, 0.6}
	for _, k := range everyKernel() {
		dst := make([]float64, len(k.Params()))
		k.GradParams(dst, a, a)
		gx := make([]float64, 2)
		k.GradX(gx, a, a)
		if floats.HasNaN(dst) || floats.HasNaN(gx) {
			t.Errorf("%s: %v %v", k.Name(), dst, gx)
		}
		if s, ok := k.(Stationary); ok && (gx[0] != 0 || dst[0] != 0 || dst[2] != s.Diag(a)) {
			t.Errorf("%s: gradients %v %v at distance zero", k.Name(), gx, dst)
		}
	}
}

func TestTinyLengthscalesGiveZeroCovarianceNotNaN(t *testing.T) {
	for f := range families {
		k := Stationary{Family: f, Lengthscales: []float64{1e-9}, Outputscale: 1}
		grad, gx := make([]float64, 2), make([]float64, 1)
		if k.GradParams(grad, []float64{0}, []float64{1}) > 1e-15 || k.GradX(gx, []float64{0}, []float64{1}) > 1e-15 || floats.HasNaN(grad) || floats.HasNaN(gx) {
			t.Errorf("%v: %v %v", f, grad, gx)
		}
	}
}

func TestCategoricalCoordinatesAreEqualOrNot(t *testing.T) {
	k := Stationary{Family: SE, Lengthscales: []float64{0.5, 2}, Outputscale: 1, Categorical: []bool{false, true}}
	want := math.Exp(-0.5 * (0.04/0.25 + 0.16/4))
	for _, other := range []float64{0.1, 0.9} { // the distance between categories does not matter
		near(t, "k", k.Eval([]float64{0.1, 0.5}, []float64{0.3, other}), want, 1e-15)
	}
	near(t, "same category", k.Eval([]float64{0.1, 0.5}, []float64{0.3, 0.5}), math.Exp(-0.08), 1e-15)
	g := []float64{7, 7}
	k.GradX(g, []float64{0.1, 0.5}, []float64{0.3, 0.9})
	if g[1] != 0 || g[0] == 0 {
		t.Errorf("gradient %v", g)
	}
	single := Stationary{Family: SE, Lengthscales: []float64{2}, Outputscale: 1, Categorical: []bool{true}}
	row := make([]float64, 2)
	single.Row(row, []float64{0.2}, []space.Unit{{0.2}, {0.7}})
	near(t, "row", row[0], 1, 0)
	near(t, "row", row[1], math.Exp(-0.16/8), 1e-15)
}

func TestParametersGoThereAndBack(t *testing.T) {
	for _, k := range everyKernel() {
		theta := k.Params()
		if len(theta) != len(k.Hyper()) {
			t.Errorf("%s: %d parameters, %d names", k.Name(), len(theta), len(k.Hyper()))
		}
		before := slices.Clone(theta)
		for i := range theta {
			theta[i] += 0.1 * float64(i+1)
		}
		other := k.WithParams(theta)
		if !floats.EqualApprox(other.Params(), theta, 1e-14) {
			t.Errorf("%s: %v became %v", k.Name(), theta, other.Params())
		}
		if !slices.Equal(k.Params(), before) {
			t.Errorf("%s: WithParams changed the receiver", k.Name())
		}
		if err := other.Validate(); err != nil {
			t.Errorf("%s: %v", k.Name(), err)
		}
		mustPanic(t, "parameters", func() { k.WithParams(theta[:len(theta)-1]) })
	}
}

func TestNewKernelKnowsItsNames(t *testing.T) {
	for _, name := range KernelNames() {
		k, err := NewKernel(name, 3)
		if err != nil || k.Name() != name || k.Dim() != 3 || k.Validate() != nil {
			t.Errorf("%s: %v %v", name, k, err)
		}
	}
	_, err := NewKernel("rbf", 3)
	if !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), "se, matern12, matern32, matern52, periodic, linear, dot") {
		t.Errorf("unknown name: %v", err)
	}
	if _, err = NewKernel("se", 0); err == nil || strings.Contains(err.Error(), "Kernel") {
		t.Errorf("dimension 0: %v", err)
	}
	if Family(9).String() != "unknown" {
		t.Error("unknown family has a name")
	}
}

func TestValidationNamesFieldValueAndRange(t *testing.T) {
	good := Stationary{SE, []float64{1}, 1, nil, 0, 0}
	for want, k := range map[string]Kernel{
		"Stationary.Lengthscales[1] = 0: want 1e-09 ≤ ":                Stationary{SE, []float64{1, 0}, 1, nil, 0, 0},
		"Stationary.Lengthscales = []: want at least one entry":        Stationary{SE, nil, 1, nil, 0, 0},
		"Stationary.Family = 7: want SE":                               Stationary{7, []float64{1}, 1, nil, 0, 0},
		"Stationary.Outputscale = NaN: want 1e-100 ≤ Outputscale":      Stationary{SE, []float64{1}, math.NaN(), nil, 0, 0},
		"Stationary.Categorical = [true]: want nil or one mark":        Stationary{SE, []float64{1, 1}, 1, []bool{true}, 0, 0},
		"Periodic.Period = -1: want 1e-09 ≤ Period ≤ 1e+09":            Periodic{[]float64{1}, -1, 1},
		"Periodic.Outputscale = 0":                                     Periodic{[]float64{1}, 1, 0},
		"Linear.Center[0] = +Inf: want a finite number":                Linear{[]float64{math.Inf(1)}, 1},
		"Linear.Center = []":                                           Linear{nil, 1},
		"DotProduct.Offset = 0":                                        DotProduct{0, 1},
		"DotProduct.D = 0: want at least 1":                            DotProduct{1, 0},
		"ICM.Base = <nil>: want a kernel":                              ICM{},
		"ICM.At = 2: want 0 ≤ At ≤ 1":                                  NewICM(good, 2, 3),
		"ICM.Levels = 1: want at least 2":                              NewICM(good, 1, 1),
		"ICM.Decay = 0: want 1e-09 ≤ Decay ≤ 1e+09":                    NewICM(good, 1, 2).WithValues([]float64{1, 1, 0}),
		"Features.Radius = 0: want 1e-09 ≤ Radius ≤ 1e+09":             testFeatures(nil).WithValues([]float64{0, 1}),
		"Features = <nil>: want a kernel that NewFeatures made":        Features{},
		"Sum.Left = <nil>: want a kernel":                              Sum{nil, good},
		"Product.Right.Dim = 2: want the dimension of Left":            Product{good, DotProduct{1, 2}},
		"Stationary.Outputscale = 0: want 1e-100 ≤ Outputscale ≤ 1e+1": Sum{good, Stationary{SE, []float64{1}, 0, nil, 0, 0}},
	} {
		err := k.Validate()
		if err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("got %q, want %q", err, want)
		}
	}
}

func TestPointsOfTheWrongShapePanic(t *testing.T) {
	for _, k := range everyKernel() {
		mustPanic(t, k.Name(), func() { k.Eval([]float64{1}, []float64{1, 2}) })
		mustPanic(t, k.Name(), func() { k.Row(make([]float64, 1), []float64{1}, []space.Unit{{1, 2}}) })
		mustPanic(t, k.Name(), func() { k.Row(make([]float64, 2), []float64{1, 2}, []space.Unit{{1, 2}}) })
	}
}

func BenchmarkRow(b *testing.B) {
	r := stream(3)
	for _, d := range []int{1, 6} {
		xs := randomPoints(r, 1000, d)
		dst := make([]float64, len(xs))
		for f := range families {
			k := Stationary{Family: f, Lengthscales: defaultLengthscales(d), Outputscale: 1}
			b.Run(f.String()+"/d="+string(rune('0'+d)), func(b *testing.B) {
				for b.Loop() {
					k.Row(dst, xs[0], xs)
				}
			})
		}
	}
}
