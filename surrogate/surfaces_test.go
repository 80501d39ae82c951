package surrogate

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/space"
)

func TestSurfacesByHand(t *testing.T) {
	k := Surface{4, []float64{0.5, 2}, 3}
	a, b := space.Unit{0.1, 0.5}, space.Unit{0.3, 0.9}
	near(t, "k", k.Eval(a, b), 3*math.Pow(1+(-0.4)*(-0.2)/0.25, 4), 1e-14) // the second coordinate of a is in the middle
	near(t, "in the middle", k.Diag(space.Unit{0.5, 0.5}), 3, 0)
	near(t, "of the second degree", Surface{2, []float64{0.5, 2}, 3}.Eval(a, b), 3*math.Pow(1+(-0.4)*(-0.2)/0.25, 2), 1e-14)
	near(t, "in a corner", k.Diag(space.Unit{0, 1}), 3*math.Pow(1+1+1./16, 4), 1e-13)
}

func TestOrdersOfFactors(t *testing.T) {
	for _, c := range []struct {
		at   []int
		want float64
	}{{[]int{0, 0, 0, 0}, 1}, {[]int{0, 0, 0, 1}, 4}, {[]int{0, 0, 1, 1}, 6}, {[]int{0, 0, 1, 2}, 12}, {[]int{0, 1, 1, 2}, 12}, {[]int{0, 1, 2, 3}, 24}, {[]int{1, 2, 2, 2}, 4}, {[]int{1, 1}, 1}, {[]int{0, 2}, 2}} {
		near(t, "orders", orders(c.at), c.want, 0)
	}
}

// A power of a sum has every term as often as it has orders: Σ orders Π u = (Σ u)^m.
func TestAPolynomialHasEveryTermOnce(t *testing.T) {
	for degree, count := range map[int]int{2: 10, 4: 35} { // 3 + m choose m
		f := &polynomial{degree: degree, lengths: []float64{0.5, 0.25, 2}}
		f.terms(func(at []int) { f.coefficients = append(f.coefficients, orders(at)) })
		if len(f.coefficients) != count {
			t.Fatalf("%d terms, want %d", len(f.coefficients), count)
		}
		x, power := space.Unit{0.9, 0.2, 0.4}, float64(degree)
		sum := 1 + 0.4/0.5 - 0.3/0.25 - 0.1/2
		near(t, "value", f.at(x), math.Pow(sum, power), 1e-14)
		var grad [3]float64
		near(t, "value", f.addGrad(x, grad[:]), math.Pow(sum, power), 1e-14)
		for j, l := range f.lengths {
			near(t, "derivative", grad[j], power*math.Pow(sum, power-1)/l, 1e-13)
		}
	}
}

func TestWeightedRowsOfSurfacesAgreeWithSinglePairs(t *testing.T) {
	r := stream(6)
	xs, w := randomPoints(r, 30, 3), randomTargets(r, 30)
	k := Surface{4, []float64{0.3, 0.7, 0.4}, 2}
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
	mean, variance := condition(t, Prior{Kernel: Surface{4, []float64{0.5, 0.5}, 100}, Noise: 1e-9}, xs, y, nil).Predict(far)
	if math.Abs(mean-f(far)) > 0.5 || math.Sqrt(variance) > 0.5 {
		t.Errorf("%v ± %v, want %v", mean, math.Sqrt(variance), f(far))
	}
	other, variance := condition(t, Prior{Kernel: Stationary{SE, []float64{0.5, 0.5}, 1e4, nil, 0, 0}, Noise: 1e-9}, xs, y, nil).Predict(far)
	if math.Abs(other-f(far)) < 5 || math.Sqrt(variance) < 5 {
		t.Errorf("%v ± %v without knowing that it is a polynomial", other, math.Sqrt(variance))
	}
}

// Noise hides a bowl from a model that does not know what it is, far longer than from one of its ten terms.
func TestABowlIsKnownUnderNoise(t *testing.T) {
	f := func(x space.Unit) float64 { return (x[0]-0.7)*(x[0]-0.4)*4 + (x[1]-0.2)*(x[0]+x[1])*9 - 5*x[2]*x[2] }
	r := stream(7)
	xs := randomPoints(r, 40, 3)
	y := make([]float64, len(xs))
	for i, x := range xs {
		y[i] = f(x) + 0.1*r.NormFloat64()
	}
	wrong := map[int]float64{}
	for _, degree := range []int{2, 4} {
		p := condition(t, Prior{Kernel: Surface{degree, []float64{0.5, 0.5, 0.5}, 5}, Noise: 0.01}, xs, y, nil)
		for _, x := range randomPoints(stream(8), 200, 3) {
			wrong[degree] += math.Pow(p.Mean(x)-f(x), 2) / 200
		}
	}
	if second, fourth := math.Sqrt(wrong[2]), math.Sqrt(wrong[4]); second > 0.08 || second > 0.8*fourth {
		t.Errorf("wrong by %v in the root mean square, and by %v with the fourth degree", second, fourth)
	}
}
