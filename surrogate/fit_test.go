package surrogate

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
)

func TestModesAndDensitiesOfTheLawsByHand(t *testing.T) {
	for d, want := range map[int]float64{1: 0.2047866778, 2: 0.2896120972, 6: 0.5016228668, 20: 0.9158338650, 100: 2.0478667782} {
		printed(t, "mode", LengthscalePrior(d).Mode(), want)
		p, err := DefaultPrior("matern52", d)
		if err != nil {
			t.Fatal(err)
		}
		k := p.Kernel.(Stationary)
		printed(t, "default lengthscale", k.Lengthscales[d-1], want)
		if k.Outputscale != 1 || p.Mean != 0 {
			t.Errorf("default prior %+v", p)
		}
		printed(t, "default noise", p.Noise, 0.00673794699909)
	}
	printed(t, "log density, d = 1", LengthscalePrior(1).LogDensity(0.5), -1.5152590471)
	printed(t, "log density, d = 6", LengthscalePrior(6).LogDensity(0.5), -2.2783397246)
	printed(t, "noise mode", NoisePrior().Mode(), 0.00673794699909)
	law := LengthscalePrior(3)
	for _, v := range []float64{0.03, 0.5, 20} {
		slope := fd.Derivative(func(u float64) float64 { return law.LogDensity(math.Exp(u)) }, math.Log(v), &fd.Settings{Formula: fd.Central})
		near(t, "slope", law.slope(v), slope, 1e-7)
	}
	if _, err := DefaultPrior("nonsense", 1); !errors.Is(err, check.ErrInvalidOption) {
		t.Errorf("unknown kernel: %v", err)
	}
}

func TestEvidenceGradientAgreesWithDifferences(t *testing.T) {
	r := stream(400)
	for _, n := range []int{1, 2, 20, 45} {
		for _, k := range everyKernel() {
			x, y := randomPoints(r, n, 2), randomTargets(r, n)
			p := Prior{Kernel: k, Noise: 0.05, Mean: 0.2}
			theta := append(k.Params(), math.Log(p.Noise))
			at := func(v []float64) float64 {
				last := len(v) - 1
				value, err := Evidence(Prior{Kernel: k.WithParams(v[:last]), Noise: math.Exp(v[last]), Mean: p.Mean}, x, y, nil)
				if err != nil {
					t.Fatal(err)
				}
				return value
			}
			got := make([]float64, len(theta))
			value, err := Evidence(p, x, y, got)
			if err != nil {
				t.Fatal(err)
			}
			want := fd.Gradient(nil, at, theta, &fd.Settings{Formula: fd.Central})
			if !floats.EqualApprox(got, want, 1e-6*(1+math.Abs(value))) {
				t.Errorf("%s, n = %d: %v, differences say %v", k.Name(), n, got, want)
			}
			near(t, "value", value, condition(t, p, x, y, nil).LogEvidence(), 1e-9*(1+math.Abs(value)))
		}
	}
}

func TestEvidenceOfNothingIsZero(t *testing.T) {
	grad := []float64{1, 2, 3, 4}
	value, err := Evidence(fixturePrior(SE), nil, nil, grad)
	if value != 0 || err != nil || floats.Norm(grad, 1) != 0 {
		t.Errorf("%v %v %v", value, grad, err)
	}
}

// wiggle is a function of the first coordinate only.
func wiggle(n int, noise float64) (x []space.Unit, y []float64) {
	r := stream(401)
	x = randomPoints(r, n, 2)
	for _, p := range x {
		y = append(y, math.Sqrt2*math.Sin(9*p[0])+noise*r.NormFloat64())
	}
	return x, y
}

func TestFitFindsWhichCoordinateMatters(t *testing.T) {
	x, y := wiggle(40, 0.1)
	start, _ := DefaultPrior("se", 2)
	got, report, err := Fit(start, x, y, FitOptions{Starts: 3}, stream(402))
	if err != nil {
		t.Fatal(err)
	}
	l := got.Kernel.(Stationary).Lengthscales
	if !(l[0] > 0.1 && l[0] < 0.5 && l[1] > 4*l[0]) {
		t.Errorf("lengthscales %v", l)
	}
	if !(got.Noise > 0.003 && got.Noise < 0.03) {
		t.Errorf("noise %v, true variance 0.01", got.Noise)
	}
	if got.Kernel.(Stationary).Outputscale != 1 {
		t.Error("the outputscale moved")
	}
	if !report.Converged || report.Starts != 2 || report.Evaluations < 10 {
		t.Errorf("report %+v: the incoming prior is the mode, so two of three starts are left", report)
	}
	evidence, _ := Evidence(got, x, y, nil)
	near(t, "reported evidence", report.LogEvidence, evidence, 1e-9)
	posterior := evidence + NoisePrior().LogDensity(got.Noise)
	for _, v := range l {
		posterior += LengthscalePrior(2).LogDensity(v)
	}
	near(t, "reported posterior", report.LogPosterior, posterior, 1e-9)
}

func TestFitIsAMaximum(t *testing.T) {
	x, y := wiggle(25, 0.3)
	start, _ := DefaultPrior("matern52", 2)
	got, report, err := Fit(start, x, y, FitOptions{FreeOutputscale: true}, stream(403))
	if err != nil {
		t.Fatal(err)
	}
	theta := append(got.Kernel.Params(), math.Log(got.Noise))
	for i := range theta {
		for _, step := range []float64{-0.05, 0.05} {
			v := append([]float64(nil), theta...)
			v[i] += step
			value, _ := Evidence(Prior{Kernel: got.Kernel.WithParams(v[:3]), Noise: math.Exp(v[3])}, x, y, nil)
			value += LengthscalePrior(2).LogDensity(math.Exp(v[0])) + LengthscalePrior(2).LogDensity(math.Exp(v[1])) +
				Hyperprior{0, 1}.LogDensity(math.Exp(v[2])) + NoisePrior().LogDensity(math.Exp(v[3]))
			if value > report.LogPosterior {
				t.Errorf("moving parameter %d by %v gains %g", i, step, value-report.LogPosterior)
			}
		}
	}
}

func TestFitWithoutDataGivesTheModes(t *testing.T) {
	start := Prior{Kernel: Stationary{SE, []float64{0.9, 0.1}, 2, nil, 0, 0}, Noise: 0.3, Mean: 1}
	got, report, err := Fit(start, nil, nil, FitOptions{}, nil)
	if err != nil || report.LogEvidence != 0 {
		t.Fatal(report, err)
	}
	k := got.Kernel.(Stationary)
	near(t, "lengthscale", k.Lengthscales[0], 0.2896120972, 1e-3)
	near(t, "lengthscale", k.Lengthscales[1], 0.2896120972, 1e-3)
	near(t, "noise", got.Noise, 0.00673794699909, 1e-5)
	if k.Outputscale != 2 || got.Mean != 1 {
		t.Errorf("outputscale %v, mean %v", k.Outputscale, got.Mean)
	}
}

func TestFitKeepsWhatItMustNotTouch(t *testing.T) {
	x, y := wiggle(15, 0.1)
	start := Prior{Kernel: Stationary{SE, []float64{0.9, 0.1}, 2, nil, 0, 0}, Noise: 1e-7}
	got, _, err := Fit(start, x, y, FitOptions{FixNoise: true, Starts: 1}, nil)
	if err != nil || got.Noise != 1e-7 || got.Kernel.(Stationary).Outputscale != 2 {
		t.Errorf("%+v %v", got, err)
	}
	got, report, err := Fit(Prior{Kernel: Linear{[]float64{0, 0}, 3}, Noise: 0.5}, x, y, FitOptions{FixNoise: true}, nil)
	want, _ := Evidence(got, x, y, nil)
	if err != nil || got.Noise != 0.5 || report.LogEvidence != want || report.Evaluations != 1 {
		t.Errorf("nothing was free: %+v %+v %v", got, report, err)
	}
}

func TestFitRespectsItsBounds(t *testing.T) {
	x, y := wiggle(30, 0)
	start, _ := DefaultPrior("se", 2)
	o := FitOptions{MinLengthscale: 0.4, MaxLengthscale: 0.5, MinNoise: 0.2, MaxNoise: 0.3, FreeOutputscale: true, MinOutputscale: 0.9, MaxOutputscale: 1.1}
	got, _, err := Fit(start, x, y, o, stream(404))
	if err != nil {
		t.Fatal(err)
	}
	k := got.Kernel.(Stationary)
	for name, c := range map[string][3]float64{
		"lengthscale": {k.Lengthscales[0], 0.4, 0.5}, "other": {k.Lengthscales[1], 0.4, 0.5},
		"noise": {got.Noise, 0.2, 0.3}, "outputscale": {k.Outputscale, 0.9, 1.1},
	} {
		if c[0] < c[1]*(1-1e-12) || c[0] > c[2]*(1+1e-12) {
			t.Errorf("%s = %v outside [%v, %v]", name, c[0], c[1], c[2])
		}
	}
	near(t, "noise at its floor", got.Noise, 0.2, 1e-12)
}

func TestFitWorksForEveryKernelAndForLittleOrOddData(t *testing.T) {
	r := stream(405)
	line := []space.Unit{{0, 0}, {0.25, 0.25}, {0.5, 0.5}, {0.75, 0.75}, {1, 1}}
	for name, data := range map[string]struct {
		x []space.Unit
		y []float64
	}{
		"one":        {line[:1], []float64{0}},
		"two":        {line[:2], []float64{-0.7, 0.7}},
		"same point": {[]space.Unit{xa, xa, xa, xa}, []float64{-1, 0, 1, 0}},
		"constant":   {randomPoints(r, 12, 2), make([]float64, 12)},
		"collinear":  {line, []float64{-1, -0.5, 0, 0.5, 1}},
		"outlier":    {randomPoints(r, 6, 2), []float64{0, 0, 0, 0, 0, 1e6}},
	} {
		kernels := everyKernel()
		for _, n := range KernelNames() {
			k, _ := NewKernel(n, 2)
			kernels = append(kernels, k)
		}
		for _, k := range kernels {
			got, report, err := Fit(Prior{Kernel: k, Noise: 0.01}, data.x, data.y, FitOptions{FreeOutputscale: true, MaxEvaluations: 30}, stream(406))
			if err != nil {
				t.Errorf("%s, %s: %v", name, k.Name(), err)
				continue
			}
			if err := got.Validate(); err != nil || math.IsNaN(report.LogPosterior) || math.IsInf(report.LogPosterior, 0) {
				t.Errorf("%s, %s: %v %+v", name, k.Name(), err, report)
			}
		}
	}
}

func TestFitIsRepeatable(t *testing.T) {
	x, y := wiggle(20, 0.2)
	start, _ := DefaultPrior("matern32", 2)
	o := FitOptions{Starts: 5}
	a, ra, _ := Fit(start, x, y, o, stream(407))
	b, rb, _ := Fit(start, x, y, o, stream(407))
	if !floats.Equal(a.Kernel.Params(), b.Kernel.Params()) || a.Noise != b.Noise || ra != rb || ra.Starts != 4 {
		t.Errorf("%+v %+v", ra, rb)
	}
}

func TestFitReportsWhatIsWrong(t *testing.T) {
	good, _ := DefaultPrior("se", 2)
	x, y := wiggle(5, 0)
	try := func(p Prior, y []float64, o FitOptions) error {
		kept, _, err := Fit(p, x, y, o, nil)
		if kept.Noise != p.Noise {
			t.Errorf("the prior changed on %v", err)
		}
		return err
	}
	for want, err := range map[string]error{
		"FitOptions.Starts = -1: want 1 ≤ Starts ≤ 1000":     try(good, y, FitOptions{Starts: -1}),
		"FitOptions.MinNoise = -1":                           try(good, y, FitOptions{MinNoise: -1}),
		"FitOptions.MaxLengthscale = 0.01":                   try(good, y, FitOptions{MaxLengthscale: 0.01}),
		"FitOptions.Noise.Sigma = 0":                         try(good, y, FitOptions{Noise: Hyperprior{Mu: 1}}),
		"FitOptions.Irrelevant = 1: want 0 ≤ Irrelevant < 1": try(good, y, FitOptions{Irrelevant: 1}),
		"Prior.Noise = -1":                                   try(Prior{Kernel: good.Kernel, Noise: -1}, y, FitOptions{}),
		"Y[4] = NaN":                                         try(good, append(append([]float64(nil), y[:4]...), math.NaN()), FitOptions{}),
	} {
		if !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if err := try(good, filled(5, 1e200), FitOptions{}); err == nil || !strings.Contains(err.Error(), "overflows") {
		t.Errorf("targets of 1e200: %v", err)
	}
	broken := Prior{Kernel: stubborn{indefinite{good.Kernel.(Stationary)}}, Noise: 0.01}
	if err := try(broken, y, FitOptions{}); !errors.Is(err, ErrNotPositiveDefinite) {
		t.Errorf("indefinite kernel: %v", err)
	}
}

// stubborn stays indefinite under other hyperparameters.
type stubborn struct{ indefinite }

func (k stubborn) WithParams([]float64) Kernel { return k }
