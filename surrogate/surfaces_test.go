package surrogate

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/space"
)

func TestQuarticKernelsByHand(t *testing.T) {
	k := Quartic{[]float64{0.5, 2}, 3}
	a, b := space.Unit{0.1, 0.5}, space.Unit{0.3, 0.9}
	near(t, "k", k.Eval(a, b), 3*math.Pow(1+(-0.4)*(-0.2)/0.25, 4), 1e-14) // the second coordinate of a is in the middle
	near(t, "in the middle", k.Diag(space.Unit{0.5, 0.5}), 3, 0)
	near(t, "in a corner", k.Diag(space.Unit{0, 1}), 3*math.Pow(1+1+1./16, 4), 1e-13)
}

func TestOrdersOfFourFactors(t *testing.T) {
	for _, c := range []struct {
		at   [4]int
		want float64
	}{{[4]int{0, 0, 0, 0}, 1}, {[4]int{0, 0, 0, 1}, 4}, {[4]int{0, 0, 1, 1}, 6}, {[4]int{0, 0, 1, 2}, 12}, {[4]int{0, 1, 1, 2}, 12}, {[4]int{0, 1, 2, 3}, 24}, {[4]int{1, 2, 2, 2}, 4}} {
		near(t, "orders", orders(c.at[0], c.at[1], c.at[2], c.at[3]), c.want, 0)
	}
}

// The fourth power of a sum has every term as often as it has orders: Σ orders Π u = (Σ u)⁴.
func TestAPolynomialHasEveryTermOnce(t *testing.T) {
	f := &polynomial{lengths: []float64{0.5, 0.25, 2}}
	f.terms(func(i, j, l, m int) { f.coefficients = append(f.coefficients, orders(i, j, l, m)) })
	if len(f.coefficients) != 35 {
		t.Fatalf("%d terms, want 7 choose 4", len(f.coefficients))
	}
	x := space.Unit{0.9, 0.2, 0.4}
	sum := 1 + 0.4/0.5 - 0.3/0.25 - 0.1/2
	near(t, "value", f.at(x), math.Pow(sum, 4), 1e-14)
	var grad [3]float64
	near(t, "value", f.addGrad(x, grad[:]), math.Pow(sum, 4), 1e-14)
	for j, l := range f.lengths {
		near(t, "derivative", grad[j], 4*math.Pow(sum, 3)/l, 1e-13)
	}
}

func TestWeightedRowsOfQuarticKernelsAgreeWithSinglePairs(t *testing.T) {
	r := stream(6)
	xs, w := randomPoints(r, 30, 3), randomTargets(r, 30)
	k := Quartic{[]float64{0.3, 0.7, 0.4}, 2}
	x := xs[5]
	var sum float64
	var want [3]float64
	g, row := make([]float64, 3), make([]float64, len(xs))
	for i, b := range xs {
		sum += w[i] * k.GradX(g, x, b)
		for j := range g {
			want[j] += w[i] * g[j]
		}
	}
	var got [3]float64
	near(t, "weighted sum", k.addWeighted(got[:], x, xs, w, row, nil), sum, 1e-10*(1+math.Abs(sum)))
	for j := range got {
		near(t, "weighted slope", got[j], want[j], 1e-10*(1+math.Abs(want[j])))
	}
	for i, b := range xs {
		near(t, "row", row[i], k.Eval(x, b), 0)
	}
}

// As many values as there are terms tell a polynomial everywhere, far from the points too.
func TestAPolynomialIsKnownFromAsManyValuesAsItHasTerms(t *testing.T) {
	f := func(x space.Unit) float64 {
		a, b := 4*x[0]-2, 4*x[1]-2
		return 10*(b-a*a)*(b-a*a) + (1-a)*(1-a)
	}
	var xs []space.Unit
	var y []float64
	for i := range 5 {
		for j := range 5 - i { // 15 points of a corner
			x := space.Unit{float64(i) / 8, float64(j) / 8}
			xs, y = append(xs, x), append(y, f(x))
		}
	}
	far := space.Unit{1, 1}
	mean, variance := condition(t, Prior{Kernel: Quartic{[]float64{0.5, 0.5}, 100}, Noise: 1e-9}, xs, y, nil).Predict(far)
	if math.Abs(mean-f(far)) > 0.5 || math.Sqrt(variance) > 0.5 {
		t.Errorf("%v ± %v, want %v", mean, math.Sqrt(variance), f(far))
	}
	other, variance := condition(t, Prior{Kernel: Stationary{SE, []float64{0.5, 0.5}, 1e4, nil}, Noise: 1e-9}, xs, y, nil).Predict(far)
	if math.Abs(other-f(far)) < 5 || math.Sqrt(variance) < 5 {
		t.Errorf("%v ± %v without knowing that it is a polynomial", other, math.Sqrt(variance))
	}
}
