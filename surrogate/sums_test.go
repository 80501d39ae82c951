package surrogate

import (
	"fmt"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/space"
)

func TestAdditiveKernelsByHand(t *testing.T) {
	k := Additive{SE, []float64{0.5, 2}, 3, nil, 0, 0}
	a, b := space.Unit{0.1, 0.5}, space.Unit{0.3, 0.9}
	near(t, "k", k.Eval(a, b), 1.5*(math.Exp(-0.16)+math.Exp(-0.04)), 1e-15) // ½·2·(0.2/0.5)² and ½·2·(0.4/2)²
	k.Categorical = []bool{false, true}
	near(t, "with a category", k.Eval(a, b), 1.5*(math.Exp(-0.16)+math.Exp(-0.04)), 1e-15) // categories are 0.4 apart
	near(t, "with the same category", k.Eval(a, space.Unit{0.3, 0.5}), 1.5*(math.Exp(-0.16)+1), 1e-15)
	one, other := Additive{Matern52, []float64{0.3}, 2, nil, 0, 0}, Stationary{Matern52, []float64{0.3}, 2, nil, 0, 0}
	near(t, "one coordinate", one.Eval(space.Unit{0.1}, space.Unit{0.6}), other.Eval(space.Unit{0.1}, space.Unit{0.6}), 1e-15)
}

// Rows are computed in parts, of which the last is shorter.
func TestLongRowsOfAdditiveKernelsAgreeWithSinglePairs(t *testing.T) {
	r := stream(4)
	xs, w, v := randomPoints(r, 2*rowPart+7, 3), randomTargets(r, 2*rowPart+7), randomTargets(r, 2*rowPart+7)
	k := Additive{Matern52, []float64{0.3, 0.7, 0.4}, 2, []bool{false, false, true}, 0, 0}
	x := xs[5]
	row := make([]float64, len(xs))
	k.Row(row, x, xs)
	var sum float64
	var du, dv, params, got [4]float64
	g := make([]float64, 3)
	for i, b := range xs {
		near(t, "row", row[i], k.Eval(x, b), 0)
		sum += w[i] * k.GradX(g, x, b)
		for j := range g {
			du[j] += w[i] * g[j]
			dv[j] += v[i] * g[j]
		}
		k.GradParams(got[:], x, b)
		for j := range got {
			params[j] += w[i] * got[j]
		}
	}
	same := func(what string, got, want []float64) {
		for j := range got {
			near(t, what, got[j], want[j], 1e-9*(1+math.Abs(want[j])))
		}
	}
	var a, b [3]float64
	near(t, "weighted sum", k.addWeighted(a[:], x, xs, w, make([]float64, len(xs)), nil), sum, 1e-9)
	same("weighted slopes", a[:], du[:3])
	clear(a[:])
	k.addSlopes(a[:], w, b[:], v, make([]float64, len(xs)), x, xs)
	same("slopes", a[:], du[:3])
	same("other slopes", b[:], dv[:3])
	clear(got[:])
	k.addGradParams(got[:], w, x, xs)
	same("by the hyperparameters", got[:], params[:])
}

// Values along two edges of a square tell those inside, which no product of correlations knows.
func TestASumIsKnownWhereverItsPartsAre(t *testing.T) {
	f := func(x space.Unit) float64 { return math.Sin(6*x[0]) + 2*math.Cos(5*x[1]) }
	var xs []space.Unit
	var y []float64
	for i := range 9 {
		v := float64(i) / 8
		xs = append(xs, space.Unit{v, 0}, space.Unit{0, v})
		y = append(y, f(space.Unit{v, 0}), f(space.Unit{0, v}))
	}
	inside := space.Unit{0.4, 0.8}
	miss := func(k Kernel) (off, sd float64) {
		mean, variance := condition(t, Prior{Kernel: k, Noise: 1e-6}, xs, y, nil).Predict(inside)
		return math.Abs(mean - f(inside)), math.Sqrt(variance)
	}
	off, sd := miss(Additive{SE, []float64{0.5, 0.5}, 4, nil, 0, 0})
	if off > 0.02 || sd > 0.02 {
		t.Errorf("off by %v ± %v", off, sd)
	}
	if _, sd := miss(Stationary{SE, []float64{0.35, 0.35}, 4, nil, 0, 0}); sd < 0.5 {
		t.Errorf("± %v without sums", sd)
	}
}

// BenchmarkAdditive is a row of an additive kernel in many dimensions, and its derivatives by the hyperparameters.
func BenchmarkAdditive(b *testing.B) {
	r := stream(6)
	for _, d := range []int{6, 30, 100} {
		k := Additive{Matern52, defaultLengthscales(d), 1, nil, 0, 0}
		xs, w := randomPoints(r, 100, d), randomTargets(r, 100)
		dst, grad := make([]float64, len(xs)), make([]float64, d+1)
		b.Run(fmt.Sprintf("row/d=%d", d), func(b *testing.B) {
			for b.Loop() {
				k.Row(dst, xs[0], xs)
			}
		})
		b.Run(fmt.Sprintf("gradient/d=%d", d), func(b *testing.B) {
			for b.Loop() {
				k.addGradParams(grad, w, xs[0], xs)
			}
		})
	}
}
