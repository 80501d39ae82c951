package experiment

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/sim"
)

func init() {
	add(Experiment{
		Name: "calibrated", Title: "Recalibrated quantiles in Bayesian optimization", Source: "Deshpande et al. 2024, tables 1 and 2",
		About: "Each acquisition with the model's own quantiles and with quantiles that are corrected by how often the answers so far exceeded them. " +
			"Forrester with the upper quantile, Ackley, Alpine and Six-hump camel with expected improvement and leave-one-out calibration; seven more functions " +
			"with the probability of improvement and forward-chaining calibration. The first four also with expected improvement under other remedies for a model " +
			"that does not fit: warped values, warped inputs, an ensemble. One query after the other, no delay, no noise.",
		Rounds: 25,
		Plan:   planCalibrated,
	})
}

// recalibrations are the problems with the kernel, the acquisition, its calibrated form, and the number of initial queries.
var recalibrations = []struct {
	problem, kernel, plain, corrected string
	initial                           int
}{
	{"forrester", "se", "calibrated:of=ucb:set=none", "calibrated:of=ucb:set=loo", 3},
	{"ackley:2", "se", "calibrated:set=none", "calibrated:set=loo", 5},
	{"alpine1:10", "se", "calibrated:set=none", "calibrated:set=loo", 5},
	{"sixhump", "se", "calibrated:set=none", "calibrated:set=loo", 5},
	{"cosines", "matern52", "calibrated:of=pi:set=none", "calibrated:of=pi", 3},
	{"beale", "matern52", "calibrated:of=pi:set=none", "calibrated:of=pi", 3},
	{"mccormick", "matern52", "calibrated:of=pi:set=none", "calibrated:of=pi", 3},
	{"powers:2", "matern52", "calibrated:of=pi:set=none", "calibrated:of=pi", 3},
	{"crossintray", "matern52", "calibrated:of=pi:set=none", "calibrated:of=pi", 3},
	{"dropwave", "matern52", "calibrated:of=pi:set=none", "calibrated:of=pi", 3},
	{"rosenbrock:2", "matern52", "calibrated:of=pi:set=none", "calibrated:of=pi", 3},
}

// underKernel is a named problem whose model has that kernel.
func underKernel(spec, kernel string) func(uint64) (sim.Problem, error) {
	return func(seed uint64) (sim.Problem, error) {
		p, err := sim.NewProblem(spec, seed)
		p.Model.Kernel = kernel
		return p, err
	}
}

// remedies are the baselines, with expected improvement throughout; they run where the criterion is not the probability.
var remedies = []struct{ name, policy string }{
	{"warped", "warped"},
	{"warped:warp=log", "warped:warp=log"},
	{"warped:warp=tanh", "warped:warp=tanh"},
	{"warped:warp=input", "warped:warp=input"},
	{"ensemble", "ensemble"},
}

// Names of the arms.
const (
	armPlain     = "plain"
	armCorrected = "calibrated"
)

func planCalibrated(in Input) (Plan, error) {
	var arms []Arm
	for _, c := range recalibrations {
		methods := []struct{ name, policy string }{{armPlain, c.plain}, {armCorrected, c.corrected}}
		if !strings.Contains(c.plain, "of=pi") {
			methods = append(methods, remedies...)
		}
		for _, m := range methods {
			s := study{problem: underKernel(c.problem, c.kernel), policy: m.policy, law: "fixed:1", rounds: in.Rounds, adjust: func(s *sim.Scenario) { s.Initial = c.initial }}
			arms = append(arms, s.arm(c.problem, m.name, c.initial, calibratedRecord))
		}
	}
	return Plan{Arms: arms, Facts: []Fact{
		{"model", "kernel SE for the first four functions and Matérn-5/2 for the others, as in the paper; hyperparameters learned from the answers"},
		{"plain", "the same acquisition under the same predictive law, with the model's own quantiles"},
		{"area", "mean over the queries of the simple regret, as a share of that of the initial design; less is better"},
		{"won", "share of the seeds in which the calibrated form ended lower; equal up to a millionth of the regret counts half"},
		{"remedies", "expected improvement, on Forrester too, where plain and calibrated are upper quantiles; hyperparameters of warped models are fitted at each query"},
	}, Show: showCalibrated}, nil
}

// Curves of the experiment, one number each.
const (
	area  = "area"  // normalized, under the curve of the simple regret
	found = "found" // least value of the function at the queries
	least = "least" // value of the function
)

func calibratedRecord(s sim.Scenario, o sim.Performance) Record {
	r := regretsAndCoverage(s, o)
	sum, start := 0.0, math.Inf(1)
	for _, v := range o.SimpleRegret {
		sum += v
	}
	for _, e := range o.Result.Evaluations[:min(s.Initial, len(o.Result.Evaluations))] {
		start = min(start, s.Problem.Maximum-s.Problem.Value(s.Problem.Space.Value(e.X)))
	}
	r[area] = []float64{sum / float64(len(o.SimpleRegret)) / start}
	r[least] = []float64{-s.Problem.Maximum}
	r[found] = []float64{o.SimpleRegret[len(o.SimpleRegret)-1] - s.Problem.Maximum}
	return r
}

func showCalibrated(r Results) []Section {
	t := Table{Caption: "Calibrated against plain", Head: []string{
		"function", "minimum", "found, plain", "found, calibrated", "won", "area, plain", "area, calibrated", "calibrated minus plain", "in the model's 80 %, plain", "in what was issued, %",
	}}
	for _, g := range r.Groups() {
		t.Rows = append(t.Rows, []string{
			g, r.minimum(g), r.At(g, armPlain, found, 1).String(), r.At(g, armCorrected, found, 1).String(), r.won(g, armCorrected, armPlain, SimpleRegret).String(),
			r.At(g, armPlain, area, 1).String(), r.At(g, armCorrected, area, 1).String(), r.Difference(g, armCorrected, armPlain, area, 1).Signed(),
			r.At(g, armPlain, coverCentral, 1).String(), r.At(g, armCorrected, coverIssued, 1).String(),
		})
	}
	f := r.chart(r.Groups(), "Simple regret with and without calibration", simpleRegret)
	f.Apart = true // the functions have nothing in common
	return []Section{{Title: "Regret with and without calibration", Tables: append([]Table{t}, r.remedied()...), Figures: []Figure{
		{Name: "calibrated", Caption: f.Title + ". Each function has a scale of its own.", Drawing: f},
	}}}
}

// minimum is the least value of the function of a group.
func (r Results) minimum(group string) string {
	if e := r.At(group, armPlain, least, 1); e.Known() {
		return fmt.Sprintf("%.4g", e.Mean)
	}
	return stat.Unknown
}

// remedied has, for the minimum found and for the area, a row for each function with the remedies and a column for each arm.
func (r Results) remedied() []Table {
	var tables []Table
	for _, m := range []struct {
		caption, curve string
		k              int
	}{{"Minimum found under other remedies", found, 1}, {"Area under other remedies", area, 1}} {
		t := Table{Caption: m.caption, Head: []string{"function", armPlain, armCorrected}}
		for _, remedy := range remedies {
			t.Head = append(t.Head, remedy.name)
		}
		for _, g := range r.Groups() {
			arms := r.Arms(g)
			if len(arms) < len(t.Head)-1 {
				continue
			}
			row := []string{g}
			for _, arm := range arms {
				row = append(row, r.At(g, arm, m.curve, m.k).String())
			}
			t.Rows = append(t.Rows, row)
		}
		tables = append(tables, t)
	}
	return tables
}
