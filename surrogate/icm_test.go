package surrogate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/tarry-bo/tarry/space"
)

// The fixture of fidelities: three points on a line, of which the middle one was measured at the second of two levels.
var (
	levelX = []space.Unit{{0.1, 0}, {0.5, 1}, {0.9, 0}}
	levelY = []float64{0.3, 0.8, -0.1}
)

func levelKernel() ICM {
	return NewICM(Stationary{SE, []float64{0.4}, 1, nil, 0, 0}, 1, 2).WithValues([]float64{0.4, 1, 0.3}).(ICM)
}

func TestFidelitiesByHand(t *testing.T) {
	k := levelKernel()
	matrix := mat.NewSymDense(3, nil)
	for i, a := range levelX {
		for j, b := range levelX {
			matrix.SetSym(i, j, k.Eval(a, b))
		}
	}
	printedAll(t, "covariance", []float64{matrix.At(0, 1), matrix.At(0, 2), matrix.At(1, 2)}, []float64{0.4493289641, 0.1353352832, 0.4493289641})
	var eigen mat.EigenSym
	if !eigen.Factorize(matrix, false) {
		t.Fatal("no eigenvalues")
	}
	printedAll(t, "eigenvalues", eigen.Values(nil), []float64{0.4286277792, 0.8646647168, 1.7067075040})
	mean, variance := condition(t, Prior{Kernel: k, Noise: 0.01}, levelX, levelY, nil).Predict(space.Unit{0.6, 1})
	printedAll(t, "prediction", []float64{mean, variance}, []float64{0.7050464724, 0.0413449190})
}

// Over a squared-exponential base the fidelity is one more coordinate, with the lengthscale 1/((levels-1) √(2g)).
func TestAFidelityOverASmoothKernelIsALengthscale(t *testing.T) {
	r := stream(610)
	one := NewICM(Stationary{SE, []float64{0.4, 0.7}, 1.5, nil, 0, 0}, 1, 4).WithValues([]float64{0.4, 0.7, 1.5, 0.3})
	other := Stationary{SE, []float64{0.4, 1 / (3 * math.Sqrt(0.6)), 0.7}, 1.5, nil, 0, 0}
	xs := randomPoints(r, 30, 3)
	row := make([]float64, len(xs))
	one.Row(row, xs[0], xs)
	for i, x := range xs {
		near(t, "covariance", row[i], other.Eval(xs[0], x), 1e-14)
	}
}

// Categories of the other coordinates keep their marks wherever the fidelity is among them; its own is none.
func TestCategoriesStepAsideForAFidelity(t *testing.T) {
	k := NewICM(Stationary{SE, []float64{0.4, 0.7}, 1, nil, 0, 0}, 1, 3).WithCategories([]bool{false, true, true}).(ICM)
	if marks := k.Base().(Stationary).Categorical; len(marks) != 2 || marks[0] || !marks[1] {
		t.Errorf("marks %v", marks)
	}
	if k.Eval(space.Unit{0, 0, 0}, space.Unit{0, 0.5, 0}) <= k.Eval(space.Unit{0, 0, 0}, space.Unit{0, 1, 0}) {
		t.Error("levels have no order")
	}
}

// A fit finds out whether levels have much in common.
func TestAFitLearnsWhatLevelsHaveInCommon(t *testing.T) {
	r := stream(611)
	learn := func(low func(x float64) float64) float64 {
		var xs []space.Unit
		var y []float64
		for i := range 40 {
			x, level := r.Float64(), float64(i%2)
			f := math.Sin(7 * x)
			if level == 0 {
				f = low(x)
			}
			xs, y = append(xs, space.Unit{level, x}), append(y, f)
		}
		base := Stationary{Matern52, []float64{0.3}, 1, nil, 0, 0}
		prior, report, err := Fit(Prior{Kernel: NewICM(base, 0, 2), Noise: 1e-3}, xs, y, FitOptions{}, nil)
		if err != nil || !report.Converged {
			t.Fatal(err, report)
		}
		return math.Exp(-prior.Kernel.(ICM).Decay())
	}
	alike := learn(func(x float64) float64 { return math.Sin(7*x) + 0.02*x })
	strange := learn(func(x float64) float64 { return math.Cos(19*x + 2) })
	if alike < 0.99 || strange > 0.3 {
		t.Errorf("neighbours correlate as %.3f and %.3f", alike, strange)
	}
}

// Whatever the base and wherever the fidelity is, a row that is computed at once is that of single pairs, and so is what is made of one.
func TestRowsOverAFidelityAreThoseOfSinglePairs(t *testing.T) {
	r := stream(612)
	xs := randomPoints(r, rowPart+9, 3)
	w, v := randomTargets(r, len(xs)), randomTargets(r, len(xs))
	l := []float64{0.3, 0.7}
	for _, base := range []Kernel{
		Stationary{Matern52, l, 2, []bool{false, true}, 0, 0}, Additive{SE, l, 1.5, nil, 0, 0}, Additive{Matern52, l, 1.5, []bool{true, false}, 0, 0}, Linear{l, 2},
		Warped{Stationary{Matern52, l, 2, nil, 0, 0}, Inputs{30, 0.1}}, Warped{Stationary{SE, l, 1.5, []bool{false, true}, 0, 0}, Inputs{1, 5}},
	} {
		for at := range 3 {
			k := NewICM(base, at, 3).WithValues(append(base.Values(), 0.4)).(ICM)
			x, n, p := xs[5], len(xs), len(k.Params())
			var sum float64
			du, dv, params, g, h := make([]float64, 3), make([]float64, 3), make([]float64, p), make([]float64, 3), make([]float64, p)
			for i, b := range xs {
				sum += w[i] * k.GradX(g, x, b)
				for j := range g {
					du[j] += w[i] * g[j]
					dv[j] += v[i] * g[j]
				}
				last := k.base.GradParams(h[:p-1], blind{at: at}.rest(x), blind{at: at}.rest(b)) * k.factor(x, b)
				for j := range p - 1 {
					params[j] += w[i] * k.factor(x, b) * h[j]
				}
				params[p-1] -= w[i] * k.decay * k.apart(x, b) * k.apart(x, b) * last
			}
			same := func(what string, got, want []float64) {
				for j := range want {
					near(t, what, got[j], want[j], 1e-9*(1+math.Abs(want[j])))
				}
			}
			row, slopes, a, b := make([]float64, n), make([]float64, icmNumbers*n), make([]float64, 3), make([]float64, 3)
			near(t, "weighted sum", k.addWeighted(a, x, xs, w, row, slopes), sum, 1e-9)
			same("weighted slopes", a, du)
			clear(a)
			k.rowSlopes(row, slopes, x, xs)
			near(t, "row", row[7], k.Eval(x, xs[7]), 1e-15)
			k.addSlopes(a, w, b, v, slopes, x, xs)
			same("slopes", a, du)
			same("other slopes", b, dv)
			got := make([]float64, p)
			k.addGradParams(got, w, x, xs)
			same("by the hyperparameters", got, params)
		}
	}
}
