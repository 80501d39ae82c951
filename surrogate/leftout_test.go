package surrogate

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/space"
)

// Beside a prediction stand the variance and its derivatives of a posterior whose rows were removed one by one, by every kernel, with noise and with next to none.
func TestWhatRowsThatAreLeftOutKnewIsThatOfTheirRemoval(t *testing.T) {
	for _, k := range everyKernel() {
		for _, noise := range []float64{1e-3, 1e-7} {
			for _, left := range [][]int{nil, {69}, {3, 40, 64, 66, 67, 69}} {
				r := stream(93)
				x, y := randomPoints(r, 70, 2), randomTargets(r, 70)
				post := condition(t, Prior{Kernel: k, Noise: noise, Mean: -.2}, x, y, nil).Hallucinate(y, left)
				var rest []float64
				for i := range y {
					if !slices.Contains(left, i) {
						rest = append(rest, y[i])
					}
				}
				without := post.Without(left, rest)
				checkLeftOut(t, post, left, without, append(randomPoints(r, 3, 2), slices.Clone(x[40]), slices.Clone(x[10])))
				checkRowsLeftOut(t, post, left, without)
			}
		}
	}
}

// checkLeftOut compares what is told beside the predictions of a posterior with what the posterior without the rows predicts. Round-off counts by how
// much noise the posterior can tell from none.
func checkLeftOut(t *testing.T, post *Posterior, left []int, without *Posterior, xs []space.Unit) {
	t.Helper()
	l, ok := post.LeaveOut(left)
	if !ok {
		t.Fatalf("%s: rows %v cannot be left out", post.Prior().Kernel.Name(), left)
	}
	n := len(xs)
	mean, variance, rest := make([]float64, n), make([]float64, n), make([]float64, n)
	dmean, dvar, drest := vectors(n, 2), vectors(n, 2), vectors(n, 2)
	q := NewPredictor(post, n)
	tolerance := 1e-13 / post.Noise()
	for _, slopes := range []bool{false, true} {
		if slopes {
			q.PredictGradLeftOut(l, xs, mean, variance, rest, dmean, dvar, drest)
		} else {
			q.PredictLeftOut(l, xs, mean, variance, rest)
		}
		for i, x := range xs {
			m, v := post.Predict(x)
			near(t, "mean", mean[i], m, 1e-9)
			near(t, "variance", variance[i], v, 1e-11)
			hallucinated, want := without.Predict(x)
			near(t, "mean without", mean[i], hallucinated, 1e-4)
			near(t, "variance without", rest[i], want, tolerance)
			if rest[i] < variance[i]-1e-12 {
				t.Errorf("less is known with more rows: %v and %v", rest[i], variance[i])
			}
			if !slopes {
				continue
			}
			dm, dv := make([]float64, 2), make([]float64, 2)
			post.PredictGrad(x, dm, dv)
			closeTo(t, "dmean", dmean[i], dm, 1e-9)
			closeTo(t, "dvar", dvar[i], dv, 1e-9)
			without.PredictGrad(x, dm, dv)
			closeTo(t, "dvar without", drest[i], dv, 100*tolerance)
		}
	}
}

// checkRowsLeftOut compares what is told of the rows that stay, and of all of them, with the posterior that has no others.
func checkRowsLeftOut(t *testing.T, post *Posterior, left []int, without *Posterior) {
	t.Helper()
	l, _ := post.LeaveOut(left)
	evidence := without.LogEvidence()
	near(t, "evidence without", l.LogEvidence(), evidence, 1e-9/post.Noise()*max(1, math.Abs(evidence)/1000))
	row := 0
	for i := range post.Len() {
		if !slices.Contains(left, i) {
			near(t, "variance at a row without", l.VarianceAt(i), without.VarianceAt(row), 1e-13/post.Noise())
			row++
		}
	}
}

// Over a pool stand the variances of the posterior without the rows.
func TestWhatRowsKnewOfAPool(t *testing.T) {
	points, x, y := study(200)
	p, r := fixturePrior(Matern52), stream(96)
	post := condition(t, p, x, y, NewPool(p.Kernel, points, false))
	for _, rows := range [][]int{nil, {0}, {199}, {63, 64, 65}, some(r.Perm(200)[:90])} {
		l, _ := post.LeaveOut(rows)
		closeTo(t, "variance over the pool", l.PoolVariance(), post.Without(rows, except(y, rows)).PoolVariance(), 1e-9)
	}
	if l, _ := post.WithPool(nil).LeaveOut([]int{3}); l.PoolVariance() != nil {
		t.Error("variances over no pool")
	}
}

// The one row that stays has the evidence and the variance of a single value: noise 1, kernel 1, so that k(x, x) + λ = 2 and the variance is ½.
func TestWhatIsLeftOfOneValue(t *testing.T) {
	p := fixturePrior(SE)
	k := p.Kernel.(Stationary)
	k.Outputscale, k.Constant = 1, 0
	p.Kernel, p.Noise, p.Mean = k, 1, 0
	post := condition(t, p, []space.Unit{xa, xb, xa}, []float64{5, 2, -7}, nil).Hallucinate([]float64{5, 2, -7}, []int{0, 2})
	l, _ := post.LeaveOut([]int{0, 2})
	near(t, "evidence", l.LogEvidence(), -.5*4/2-.5*math.Log(2*math.Pi*2), 1e-12)
	near(t, "variance", l.VarianceAt(1), .5, 1e-12)
	mean, variance := l.Predict(xb)
	near(t, "mean", mean, 1, 1e-12)
	near(t, "variance", variance, .5, 1e-12)
}

func closeTo(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for j := range want {
		near(t, what, got[j], want[j], tolerance*max(1, math.Abs(want[j])))
	}
}

func TestRowsThatCannotBeLeftOut(t *testing.T) {
	r := stream(94)
	p := fixturePrior(SE)
	other := condition(t, p, fixtureX, fixtureY, nil)
	post := condition(t, p, randomPoints(r, manyPending+20, 2), randomTargets(r, manyPending+20), nil)
	rows := make([]int, manyPending+1)
	for i := range rows {
		rows[i] = i
	}
	if _, ok := post.LeaveOut(rows); ok {
		t.Error("more than are allowed")
	}
	l, _ := post.LeaveOut([]int{5})
	mustPanic(t, "rows of another posterior", func() {
		NewPredictor(other, 1).PredictLeftOut(l, []space.Unit{xa}, make([]float64, 1), make([]float64, 1), make([]float64, 1))
	})
	mustPanic(t, "a row that does not exist", func() { post.LeaveOut([]int{post.Len()}) })
}

func TestALeftOutPredictionAllocatesNothing(t *testing.T) {
	r := stream(95)
	post := condition(t, fixturePrior(Matern52), randomPoints(r, 100, 2), randomTargets(r, 100), nil)
	l, _ := post.LeaveOut([]int{80, 95, 99})
	xs, q := randomPoints(r, 16, 2), NewPredictor(post, 16)
	mean, variance, rest := make([]float64, 16), make([]float64, 16), make([]float64, 16)
	dmean, dvar, drest := vectors(16, 2), vectors(16, 2), vectors(16, 2)
	if n := testing.AllocsPerRun(10, func() {
		q.PredictLeftOut(l, xs, mean, variance, rest)
		q.PredictGradLeftOut(l, xs, mean, variance, rest, dmean, dvar, drest)
	}); n > 0 && !raced {
		t.Errorf("%v allocations", n)
	}
}
