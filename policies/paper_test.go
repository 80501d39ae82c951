package policies

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// The worked example: seven queries on a line, delays by rounds, selection of query 8 with a window of 4.
var (
	exampleX = []float64{.10, .35, .60, .85, .50, .20, .72}
	exampleY = []float64{.62, .15, .81, .40, .97, .33, .58}
	exampleD = []int{0, 3, 5, 1, 2, 4, 1}
)

const exampleT, exampleM = 8, 4

func examplePrior() surrogate.Prior {
	k := surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{.2}, Outputscale: 1}
	return surrogate.Prior{Kernel: k, Noise: .05}
}

func line(t *testing.T) space.Space {
	t.Helper()
	s, err := space.New(space.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// example is the view of selection 8 for a policy with the given imputation.
func example(t *testing.T, how feedback.Imputation) View {
	t.Helper()
	b := buffer.Buffer{Window: feedback.Window{Rounds: exampleM, Strict: true}}
	v := View{Belief: model.Belief{Units: buffer.Identity(0)}, Round: exampleT, Space: line(t), Window: b.Window}
	for i, x := range exampleX {
		s := i + 1
		b.Open(s, s, 0)
		v.Queries = append(v.Queries, Query{Number: s, Round: s, X: []float64{x}})
	}
	for i := range exampleX {
		if s := i + 1; s+exampleD[i] <= exampleT {
			b.Reveal(s, exampleY[i], s+exampleD[i], 0)
		} else {
			v.Pending = append(v.Pending, s)
		}
	}
	set := b.View(how, v.Units)
	var x []space.Unit
	for _, s := range set.Numbers {
		x = append(x, []float64{exampleX[s-1]})
	}
	p, err := examplePrior().Condition(x, set.Targets, nil)
	if err != nil {
		t.Fatal(err)
	}
	v.Posterior, v.Rows, v.Incumbent = p, set.Numbers, []float64{.5}
	return v
}

// Verma et al. 2022, eq. 2: ν_t = B_y Σ_{s=t−m}^{t−1} σ(x_s) + β_t.
func TestNuSumsTheWindowAsPrinted(t *testing.T) {
	v := example(t, feedback.Censor)
	for i, want := range []float64{.2059458309, .1693068178, .1743026216, .1767129457} {
		must.Near(t, "σ", math.Sqrt(v.Posterior.VarianceAt(3+i)), want, 1e-9)
	}
	must.Near(t, "ν with s = 4…7", Width{}.At(v, vermaUCBFailures), 1.72626821599, 1e-10)
	v.Window.Rounds = 3
	must.Near(t, "ν with s = 5…7", Width{}.At(v, vermaUCBFailures), 1.52032238509, 1e-10)
	v.Window, v.Pending = feedback.Window{}, []int{4, 6}
	must.Near(t, "ν over pending queries", Width{}.At(v, vermaUCBFailures), 1.38024845251, 1e-10)
	must.Near(t, "constant ν", Width{Nu: 2}.At(v, vermaUCBFailures), 2, 0)
	must.Near(t, "B_y and β", Width{Bound: 2, Beta: Beta{Constant: 3}}.At(v, vermaUCBFailures), 2*.38024845251+3, 1e-10)
	v.Pending = nil
	must.Near(t, "nothing pending", Width{}.At(v, vermaUCBFailures), 1, 0)
	v.Pending = []int{6}
	wide := math.Sqrt(v.Posterior.VarianceAt(5) + .05)
	must.Near(t, "predictive σ", Width{Sigma: Predictive}.At(v, vermaUCBFailures), wide+1, 1e-12)
}

// The censored posterior and the bound of GP-UCB-SDF at three points.
func TestBoundOfUCBSDF(t *testing.T) {
	v := example(t, feedback.Censor)
	f := acquisition.At{Posterior: v.Posterior, Utility: acquisition.UpperConfidenceBound{Beta: Width{}.At(v, vermaUCBFailures)}}
	for i, x := range []float64{0, .45, .9} {
		mean, variance := v.Posterior.Predict([]float64{x})
		must.Near(t, "μ", mean, []float64{.8215449524, .5254868963, .4144062797}[i], 1e-9)
		must.Near(t, "σ", math.Sqrt(variance), []float64{.4428263418, .1779939048, .2982790210}[i], 1e-9)
		must.Near(t, "UCB", f.Value([]float64{x}), []float64{1.5859819914, .8327521168, .9293158733}[i], 1e-9)
	}
	must.Near(t, "information gain of the points", v.Posterior.InformationGain(), 7.15972783074, 1e-10)
}

// Srinivas et al. 2010: the greedy gain is within a factor 1 − 1/e of the greatest one.
func TestGreedyInformationGain(t *testing.T) {
	var grid []space.Unit
	for i := range 21 {
		grid = append(grid, []float64{float64(i) / 20})
	}
	gain, picks := InformationGain(examplePrior(), grid, 7)
	must.Near(t, "gain", gain, 8.12536024847, 1e-10)
	must.Near(t, "upper bound", gain/(1-1/math.E), 12.8541306480, 1e-10)
	if want := []int{0, 20, 10, 5, 15, 2, 18}; !slices.Equal(picks, want) {
		t.Errorf("picks %v, want %v", picks, want)
	}
}

// Verma et al. 2022, Thm. 1, and Chowdhury and Gopalan 2017, Thm. 2.
func TestTheoreticalBeta(t *testing.T) {
	must.Near(t, "GP-UCB-SDF", Theory{Norm: 1, Factor: 1.1, Failures: 2, Delta: .1}.Of(8.12536024847), 6.41599888324, 1e-11)
	want := 1 + 1.1*math.Sqrt(2*(8.12536024847+1+math.Log(40)))
	must.Near(t, "GP-TS-SDF", Theory{Norm: 1, Factor: 1.1, Failures: 4, Delta: .1}.Of(8.12536024847), want, 1e-12)
	v := example(t, feedback.Censor)
	b := Beta{Theory: true}
	gain, _ := InformationGain(examplePrior(), v.gainPoints(), exampleT-1)
	must.Near(t, "β_8 of the schedule", b.At(v, vermaUCBFailures, 1), Theory{1, 1.1, 2, .1}.Of(gain/(1-1/math.E)), 1e-12)
	if gain < 8.12 {
		t.Errorf("gain %v over points that fill the line is below that of a coarse grid", gain)
	}
}

// Desautels et al. 2014: hallucination leaves the mean of the answers and shrinks the variance.
func TestHallucinationKeepsTheMean(t *testing.T) {
	ignoring := example(t, feedback.Ignore)
	full := example(t, feedback.Hallucinate)
	// Selection 8 of a policy that uses every answer sees queries 1, 2, 3, 4, 5 and 7; the example of the text has 1, 4
	// and 7 only.
	x := []space.Unit{{.10}, {.85}, {.72}}
	answers, err := examplePrior().Condition(x, []float64{.62, .40, .58}, nil)
	if err != nil {
		t.Fatal(err)
	}
	y := []float64{.62, 9, 9, .40, 9, 9, .58}
	hallucinated := full.Posterior.Hallucinate(y, []int{1, 2, 4, 5})
	for i, at := range []float64{0, .45, .9} {
		want := []float64{.5178015557, .3649428615, .3185477000}[i]
		must.Near(t, "mean of the answers", answers.Mean([]float64{at}), want, 1e-9)
		must.Near(t, "mean with hallucinations", hallucinated.Mean([]float64{at}), want, 1e-9)
		_, v1 := answers.Predict([]float64{at})
		if _, v2 := hallucinated.Predict([]float64{at}); v2 > v1+1e-12 {
			t.Errorf("hallucinating raised the variance at %v from %v to %v", at, v1, v2)
		}
	}
	if ignoring.Posterior.Len() != 6 {
		t.Errorf("ignoring sees %d answers", ignoring.Posterior.Len())
	}
}

// Before the first answer these policies choose uniformly, whatever pending queries are to them: two streams, two points.
func TestWithoutAnswersTheChoiceIsUniform(t *testing.T) {
	v := View{Belief: model.Belief{Best: math.Inf(-1)}, Round: 1, Space: line(t)}
	for _, spec := range []string{"gp-ucb", "gp-bucb", "asy-ts", "gp-bts", "log-ei", "log-ei:pending=censor", "pi", "gp-qucb"} {
		p, err := Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		prior, err := examplePrior().Condition(nil, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		v.Posterior = prior
		a, _ := p.Propose(v, 1, rng.New(1, rng.Policy, 1))
		b, _ := p.Propose(v, 1, rng.New(2, rng.Policy, 1))
		if slices.Equal(a[0].X, b[0].X) || a[0].Forecast != nil {
			t.Errorf("%s: %+v and %+v", spec, a[0], b[0])
		}
	}
}
