package experiment

import (
	"math"
	"strings"

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

// recalibrations are the problems with the acquisition, its calibrated form, and the number of initial queries.
var recalibrations = []struct {
	problem, plain, corrected string
	initial                   int
}{
	{"forrester", "calibrated:of=ucb:set=none", "calibrated:of=ucb:set=loo", 3},
	{"ackley:2", "calibrated:set=none", "calibrated:set=loo", 5},
	{"alpine1:10", "calibrated:set=none", "calibrated:set=loo", 5},
	{"sixhump", "calibrated:set=none", "calibrated:set=loo", 5},
	{"cosines", "calibrated:of=pi:set=none", "calibrated:of=pi", 3},
	{"beale", "calibrated:of=pi:set=none", "calibrated:of=pi", 3},
	{"mccormick", "calibrated:of=pi:set=none", "calibrated:of=pi", 3},
	{"powers:2", "calibrated:of=pi:set=none", "calibrated:of=pi", 3},
	{"crossintray", "calibrated:of=pi:set=none", "calibrated:of=pi", 3},
	{"dropwave", "calibrated:of=pi:set=none", "calibrated:of=pi", 3},
	{"rosenbrock:2", "calibrated:of=pi:set=none", "calibrated:of=pi", 3},
}

// remedies are the baselines, with expected improvement throughout; they run where the criterion is not the probability.
var remedies = []struct{ name, policy string }{
	{"Box-Cox", "warped"},
	{"log", "warped:warp=log"},
	{"tanh", "warped:warp=tanh"},
	{"input warp", "warped:warp=input"},
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
			s := study{problem: named(c.problem), policy: m.policy, law: "fixed:1", rounds: in.Rounds, adjust: func(s *sim.Scenario) { s.Initial = c.initial }}
			arms = append(arms, s.arm(c.problem, m.name, c.initial, calibratedRecord))
		}
	}
	return Plan{Arms: arms, Facts: []Fact{
		{"plain", "the same acquisition under the same predictive law, with the model's own quantiles"},
		{"area", "mean over the queries of the simple regret, as a share of that of the initial design; less is better"},
		{"won", "share of the seeds in which the calibrated form ended lower, ties counted half"},
		{"remedies", "expected improvement, on Forrester too, where plain and calibrated are upper quantiles; hyperparameters of warped models are fitted at each query"},
	}, Show: showCalibrated}, nil
}

// area is the normalized area under the curve of the simple regret.
const area = "area"

func calibratedRecord(s sim.Scenario, o sim.Outcome) Record {
	r := regretsAndCoverage(s, o)
	sum, start := 0.0, math.Inf(1)
	for _, v := range o.SimpleRegret {
		sum += v
	}
	for _, e := range o.Result.Evaluations[:min(s.Initial, len(o.Result.Evaluations))] {
		start = min(start, s.Problem.Maximum-s.Problem.Value(s.Problem.Space.Value(e.X)))
	}
	r[area] = []float64{sum / float64(len(o.SimpleRegret)) / start}
	return r
}

func showCalibrated(r Results) []Section {
	t := Table{Caption: "Calibrated against plain", Head: []string{
		"function", "regret, plain", "regret, calibrated", "won", "area, plain", "area, calibrated", "calibrated minus plain", "in the model's 80 %, plain", "in what was issued, %",
	}}
	for _, g := range r.Groups() {
		t.Rows = append(t.Rows, []string{
			g, r.At(g, armPlain, SimpleRegret, Last).String(), r.At(g, armCorrected, SimpleRegret, Last).String(), r.won(g).String(),
			r.At(g, armPlain, area, 1).String(), r.At(g, armCorrected, area, 1).String(), r.Difference(g, armCorrected, armPlain, area, 1).Signed(),
			r.At(g, armPlain, coverCentral, 1).String(), r.At(g, armCorrected, coverIssued, 1).String(),
		})
	}
	return []Section{{Title: "Regret with and without calibration", Tables: append([]Table{t}, r.remedied()...), Figures: []Figure{
		r.figure("calibrated", "Simple regret with and without calibration", simpleRegret),
	}}}
}

// remedied has, for final regret and for area, a row for each function with the remedies and a column for each arm.
func (r Results) remedied() []Table {
	var tables []Table
	for _, m := range []struct {
		caption, curve string
		k              int
	}{{"Final regret under other remedies", SimpleRegret, Last}, {"Area under other remedies", area, 1}} {
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
