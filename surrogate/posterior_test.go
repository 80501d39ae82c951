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
	"gonum.org/v1/gonum/mat"
)

func TestPosteriorAndEvidenceByHand(t *testing.T) {
	for _, c := range []struct {
		family   Family
		moments  []float64 // means at xa and xb, variances, covariance, log evidence
		gradient []float64 // by log l_1, log l_2, log v0, log λ
	}{
		{SE, []float64{0.7090394953, -0.1861973993, 0.2689063076, 0.4398922007, -0.0457571100, -5.09661718735},
			[]float64{0.2702125027, -0.3382326509, -1.1096495630, -0.0061502701}},
		{Matern12, []float64{0.4044023226, -0.0092555454, 0.9969615389, 1.0679401517, 0.0962277753, -5.06117084948},
			[]float64{0.1441696322, -0.0622832210, -1.3158604104, -0.0090506592}},
		{Matern32, []float64{0.5465294385, -0.0944128455, 0.6552713494, 0.7632735868, 0.0142422931, -5.06398815694},
			[]float64{0.2013645221, -0.1294347850, -1.2473096533, -0.0083736857}},
		{Matern52, []float64{0.6014646599, -0.1254139205, 0.5214506926, 0.6501872488, -0.0148821705, -5.06931826623},
			[]float64{0.2175046790, -0.1726504828, -1.2133469705, -0.0079245744}},
	} {
		p := fixturePrior(c.family)
		post := condition(t, p, fixtureX, fixtureY, nil)
		ma, va := post.Predict(xa)
		mb, vb := post.Predict(xb)
		printedAll(t, c.family.String(), []float64{ma, mb, va, vb, post.Covariance(xa, xb), post.LogEvidence()}, c.moments)
		printed(t, "variance as covariance", post.Covariance(xa, xa), va)
		printed(t, "mean alone", post.Mean(xa), ma)
		grad := make([]float64, 4)
		value, err := Evidence(p, fixtureX, fixtureY, grad)
		if err != nil {
			t.Fatal(err)
		}
		printed(t, "evidence", value, c.moments[5])
		printedAll(t, c.family.String()+" gradient", grad, c.gradient)
	}
}

func TestAppendAndRetargetByHand(t *testing.T) {
	post := condition(t, fixturePrior(Matern52), fixtureX, fixtureY, nil).Append([]float64{0.25, 0.45}, 0)
	printedAll(t, "last row of L", post.factor.row(4), []float64{0.8575244129, 0.4509922486, 0.1137533979, -0.0586936784, 0.7448980397})
	printedAll(t, "alpha", post.Alpha(), []float64{0.6702879329, -0.2594743352, 1.1671616078, -0.4548309740, -0.6161320296})
	y := post.Targets()
	y[1] = 0.8
	after := post.Retarget(y)
	printedAll(t, "alpha", after.Alpha(), []float64{0.9546422145, 0.7965178017, 1.0807123604, -0.5254526904, -1.3175034804})
	printedAll(t, "alpha before", post.Alpha(), []float64{0.6702879329, -0.2594743352, 1.1671616078, -0.4548309740, -0.6161320296})
	if post.Clamped() != 0 || post.Jitter() != 0 || post.Len() != 5 || post.Dim() != 2 {
		t.Error("bookkeeping is wrong")
	}
}

func TestLeaveOneOutAndForwardChainByHand(t *testing.T) {
	logDensity := func(y, mean, variance []float64) (sum float64) {
		for i := range y {
			sum += -0.5*math.Log(2*math.Pi*variance[i]) - 0.5*(y[i]-mean[i])*(y[i]-mean[i])/variance[i]
		}
		return sum
	}
	post := condition(t, fixturePrior(SE), fixtureX, fixtureY, nil)
	mean, variance := post.LeaveOneOut()
	printedAll(t, "SE mean", mean, []float64{0.0813828266, 0.4217439317, 0.0398773090, 0.6854534512})
	printedAll(t, "SE variance", variance, []float64{1.4172342658, 1.3260488172, 0.9177610171, 0.9844956909})
	printed(t, "SE sum", logDensity(fixtureY, mean, variance), -5.10604868133)

	post = condition(t, fixturePrior(Matern52), fixtureX, fixtureY, nil)
	mean, variance = post.LeaveOneOut()
	printedAll(t, "M52 mean", mean, []float64{0.0781916185, 0.3501230908, 0.0406555791, 0.5715066737})
	printedAll(t, "M52 variance", variance, []float64{1.4305250127, 1.3616356705, 1.0629234092, 1.1208392097})
	printed(t, "M52 sum", logDensity(fixtureY, mean, variance), -5.04549050034)
	pit := func(mean, variance []float64) (out []float64) {
		for i, y := range fixtureY {
			out = append(out, 0.5*math.Erfc(-(y-mean[i])/math.Sqrt(2*variance[i])))
		}
		return out
	}
	printedAll(t, "M52 PIT", pit(mean, variance), []float64{0.6378317569, 0.2887155431, 0.8696006294, 0.3280279627})
	printedAll(t, "M52 forward PIT", pit(post.ForwardChain()), []float64{0.6579571628, 0.3685090079, 0.8507383240, 0.3280279627})
}

func TestLeaveOneOutAndForwardChainAreRefits(t *testing.T) {
	r := stream(4)
	x, y := randomPoints(r, 12, 2), randomTargets(r, 12)
	p := fixturePrior(Matern32)
	p.Mean = 0.7
	post := condition(t, p, x, y, nil)
	loo, looVariance := post.LeaveOneOut()
	chain, chainVariance := post.ForwardChain()
	for i := range x {
		others := condition(t, p, slices.Delete(slices.Clone(x), i, i+1), slices.Delete(slices.Clone(y), i, i+1), nil)
		mean, variance := others.Predict(x[i])
		near(t, "leave-one-out mean", loo[i], mean, 1e-11)
		near(t, "leave-one-out variance", looVariance[i], variance+p.Noise, 1e-11)
		mean, variance = condition(t, p, x[:i], y[:i], nil).Predict(x[i])
		near(t, "forward mean", chain[i], mean, 1e-11)
		near(t, "forward variance", chainVariance[i], variance+p.Noise, 1e-11)
	}
}

func TestLineFixtureMomentsAndInformationGain(t *testing.T) {
	// Five of the seven answers have been seen; the other two count as zero.
	y := []float64{0.62, 0.15, 0, 0.40, 0.97, 0, 0.58}
	post := condition(t, linePrior(), lineX, y, nil)
	for i, want := range []float64{0.2059458309, 0.1693068178, 0.1743026216, 0.1767129457} {
		printed(t, "sigma at an observed point", math.Sqrt(post.VarianceAt(3+i)), want)
	}
	for i, x := range []float64{0, 0.45, 0.9} {
		mean, variance := post.Predict([]float64{x})
		printed(t, "mean", mean, []float64{0.8215449524, 0.5254868963, 0.4144062797}[i])
		printed(t, "sigma", math.Sqrt(variance), []float64{0.4428263418, 0.1779939048, 0.2982790210}[i])
	}
	printed(t, "information gain", post.InformationGain(), 7.15972783074)
	nothing := condition(t, linePrior(), nil, nil, nil)
	if nothing.InformationGain() != 0 || nothing.LogEvidence() != 0 {
		t.Error("no data, but information")
	}
}

func TestPosteriorAgreesWithADenseInverse(t *testing.T) {
	r := stream(5)
	for _, n := range []int{1, 5, 31, 32, 60} { // both ways of factorizing
		for _, k := range everyKernel() {
			x, y := randomPoints(r, n, 2), randomTargets(r, n)
			p := Prior{Kernel: k, Noise: 0.1, Mean: -0.3}
			post := condition(t, p, x, y, nil)
			a := mat.NewDense(n, n, nil)
			for i := range n {
				for j := range n {
					a.Set(i, j, k.Eval(x[i], x[j]))
				}
				a.Set(i, i, a.At(i, i)+p.Noise)
			}
			var inverse mat.Dense
			if err := inverse.Inverse(a); err != nil {
				t.Fatal(err)
			}
			at := []float64{r.Float64(), r.Float64()}
			row, rest := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
			for i := range n {
				row.SetVec(i, k.Eval(at, x[i]))
				rest.SetVec(i, y[i]-p.Mean)
			}
			mean, variance := post.Predict(at)
			near(t, k.Name()+" mean", mean, p.Mean+mat.Inner(row, &inverse, rest), 1e-9)
			near(t, k.Name()+" variance", variance, k.Eval(at, at)-mat.Inner(row, &inverse, row), 1e-9)
			logDet, _ := mat.LogDet(a)
			near(t, k.Name()+" evidence", post.LogEvidence(),
				-0.5*mat.Inner(rest, &inverse, rest)-0.5*logDet-0.5*float64(n)*math.Log(2*math.Pi), 1e-8)
		}
	}
}

func TestGradientsOfPredictionAgreeWithDifferences(t *testing.T) {
	r := stream(6)
	central := &fd.Settings{Formula: fd.Central}
	for _, k := range everyKernel() {
		post := condition(t, Prior{Kernel: k, Noise: 0.05, Mean: 0.4}, randomPoints(r, 15, 2), randomTargets(r, 15), nil)
		for range 5 {
			x := randomPoints(r, 1, 2)[0]
			dmean, dvar, alone := make([]float64, 2), make([]float64, 2), make([]float64, 2)
			mean, variance := post.PredictGrad(x, dmean, dvar)
			wantMean, wantVariance := post.Predict(x)
			near(t, k.Name()+" mean", mean, wantMean, 1e-13)
			near(t, k.Name()+" variance", variance, wantVariance, 1e-13)
			near(t, k.Name()+" mean alone", post.MeanGrad(x, alone), wantMean, 1e-13)
			byMean := fd.Gradient(nil, func(v []float64) float64 { m, _ := post.Predict(v); return m }, x, central)
			byVariance := fd.Gradient(nil, func(v []float64) float64 { _, s := post.Predict(v); return s }, x, central)
			if !floats.EqualApprox(dmean, byMean, 1e-6) || !floats.EqualApprox(dvar, byVariance, 1e-6) || !floats.EqualApprox(dmean, alone, 1e-12) {
				t.Errorf("%s: %v %v %v, differences say %v %v", k.Name(), dmean, dvar, alone, byMean, byVariance)
			}
		}
	}
}

func TestVarianceThatIsCutOffHasNoSlope(t *testing.T) {
	p := Prior{Kernel: Stationary{Family: SE, Lengthscales: []float64{5}, Outputscale: 1}}
	post := condition(t, p, []space.Unit{{0}, {0.5}, {1}}, []float64{0, 0, 0}, nil)
	cut := 0
	for i := range 200 {
		var dmean, dvar [1]float64
		_, variance := post.PredictGrad([]float64{float64(i) / 199}, dmean[:], dvar[:])
		if variance < 0 {
			t.Fatalf("variance %v", variance)
		}
		if variance == 0 {
			cut++
			if dvar[0] != 0 {
				t.Errorf("slope %v where the variance is cut off", dvar[0])
			}
		}
	}
	if cut == 0 {
		t.Log("on this machine round-off never went below zero: nothing was cut off")
	}
}

func TestNoDataIsThePrior(t *testing.T) {
	p := fixturePrior(SE)
	p.Mean = 2.5
	pool := NewPool(p.Kernel, fixtureX, true)
	post := condition(t, p, nil, nil, pool)
	mean, variance := post.Predict(xa)
	if mean != 2.5 || variance != 1.5 || post.Len() != 0 || post.Dim() != 2 || post.Covariance(xa, xb) != p.Kernel.Eval(xa, xb) {
		t.Errorf("mean %v, variance %v", mean, variance)
	}
	if !slices.Equal(post.PoolMean(), filled(4, 2.5)) || !slices.Equal(post.PoolVariance(), filled(4, 1.5)) {
		t.Error("the pool does not hold the prior")
	}
	if got := post.Retarget(nil).Hallucinate(nil, nil); got.Len() != 0 || got.Prior().Mean != 2.5 {
		t.Error("retargeting nothing changed something")
	}
	one := post.Append(xa, 1)
	mean, variance = one.Predict(xa)
	near(t, "mean after one", mean, 2.5-1.5*1.5/1.51, 1e-14)
	near(t, "variance after one", variance, 1.5-1.5*1.5/1.51, 1e-14)
}

func TestAccessorsReturnCopiesOfWhatMayChange(t *testing.T) {
	x, y := clonePoints(fixtureX), slices.Clone(fixtureY)
	post := condition(t, fixturePrior(SE), x, y, nil)
	mean, _ := post.Predict(xa)
	x[0][0], y[0] = 99, 99
	post.Targets()[1], post.Alpha()[1] = 99, 99
	if after, _ := post.Predict(xa); after != mean {
		t.Error("a caller could change the posterior")
	}
	if !slices.Equal(post.X(2), fixtureX[2]) || post.Targets()[0] != 0.5 {
		t.Error("wrong point or target")
	}
	if post.Pool() != nil || post.PoolMean() != nil || post.PoolVariance() != nil || post.DrawPool(stream(7)) != nil {
		t.Error("a pool from nowhere")
	}
}

func TestConditionReportsWhatIsWrongWithTheData(t *testing.T) {
	p := fixturePrior(SE)
	nan := math.NaN()
	for want, call := range map[string]func() error{
		"X[1][0] = NaN": func() error {
			_, err := p.Condition([]space.Unit{{0, 0}, {nan, 0}}, []float64{1, 2}, nil)
			return err
		},
		"Y[0] = +Inf": func() error {
			_, err := Evidence(p, []space.Unit{{0, 0}}, []float64{math.Inf(1)}, nil)
			return err
		},
		"Prior.Noise = -1": func() error {
			_, err := Prior{Kernel: p.Kernel, Noise: -1}.Condition(nil, nil, nil)
			return err
		},
		"Prior.Kernel = <nil>": func() error { _, err := Evidence(Prior{}, nil, nil, nil); return err },
		"Prior.Mean = NaN":     func() error { return Prior{Kernel: p.Kernel, Mean: nan}.Validate() },
		"Pool.Kernel = se": func() error {
			_, err := p.Condition(nil, nil, NewPool(fixturePrior(SE).Kernel.WithParams([]float64{0, 0, 0}), fixtureX, false))
			return err
		},
	} {
		if err := call(); !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestShapesThatAreBugsPanic(t *testing.T) {
	post := condition(t, fixturePrior(SE), fixtureX, fixtureY, nil)
	nan := math.NaN()
	for name, f := range map[string]func(){
		"lengths":          func() { post.Prior().Condition(fixtureX, fixtureY[:2], nil) },
		"dimension":        func() { post.Prior().Condition([]space.Unit{{1}}, []float64{1}, nil) },
		"append dimension": func() { post.Append([]float64{1}, 1) },
		"append nan":       func() { post.Append([]float64{1, nan}, 1) },
		"append target":    func() { post.Append(xa, math.Inf(-1)) },
		"retarget length":  func() { post.Retarget([]float64{1}) },
		"retarget nan":     func() { post.Retarget([]float64{1, 2, nan, 4}) },
		"predict":          func() { post.Predict([]float64{1}) },
		"gradient":         func() { post.PredictGrad(xa, make([]float64, 1), make([]float64, 2)) },
		"evidence":         func() { Evidence(post.Prior(), fixtureX, fixtureY, make([]float64, 3)) },
		"pending":          func() { post.Hallucinate(fixtureY, []int{4}) },
		"pending length":   func() { post.Hallucinate(fixtureY[:1], nil) },
		"pool":             func() { NewPool(post.Prior().Kernel, []space.Unit{{1}}, false) },
	} {
		mustPanic(t, name, f)
	}
}
