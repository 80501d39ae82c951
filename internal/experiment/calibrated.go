package experiment

import (
	"math"

	"github.com/tarry-bo/tarry/sim"
)

func init() {
	add(Experiment{
		Name: "calibrated", Title: "Recalibrated quantiles in Bayesian optimization", Source: "Deshpande et al. 2024, tables 1 and 2",
		About: "Each acquisition with the model's own quantiles and with quantiles that are corrected by how often the answers so far exceeded them. " +
			"Forrester with the upper quantile, Ackley, Alpine and Six-hump camel with expected improvement and leave-one-out calibration; seven more functions " +
			"with the probability of improvement and forward-chaining calibration. One query after the other, no delay, no noise.",
		Rounds: 25,
		Plan:   planCalibrated,
	})
}

// recalibrations are the problems with the acquisition, its calibrated form, and the number of initial queries.
var recalibrations = []struct {
	problem, plain, corrected string
	initial                   int
}{
	{"forrester", "gp-qucb", "calibrated:of=ucb:set=loo", 3},
	{"ackley:2", "log-ei", "calibrated:set=loo", 5},
	{"alpine1:10", "log-ei", "calibrated:set=loo", 5},
	{"sixhump", "log-ei", "calibrated:set=loo", 5},
	{"cosines", "pi", "calibrated:of=pi", 3},
	{"beale", "pi", "calibrated:of=pi", 3},
	{"mccormick", "pi", "calibrated:of=pi", 3},
	{"powers:2", "pi", "calibrated:of=pi", 3},
	{"crossintray", "pi", "calibrated:of=pi", 3},
	{"dropwave", "pi", "calibrated:of=pi", 3},
	{"rosenbrock:2", "pi", "calibrated:of=pi", 3},
}

// Names of the arms.
const (
	armPlain     = "plain"
	armCorrected = "calibrated"
)

func planCalibrated(in Input) (Plan, error) {
	var arms []Arm
	for _, c := range recalibrations {
		for _, arm := range []struct{ name, policy string }{{armPlain, c.plain}, {armCorrected, c.corrected}} {
			s := study{problem: named(c.problem), policy: arm.policy, law: "fixed:1", rounds: in.Rounds, adjust: func(s *sim.Scenario) { s.Initial = c.initial }}
			arms = append(arms, s.arm(c.problem, arm.name, c.initial, calibratedRecord))
		}
	}
	return Plan{Arms: arms, Facts: []Fact{
		{"area", "mean over the queries of the simple regret, as a share of that after the first of them; less is better"},
		{"won", "share of the seeds in which the calibrated form ended lower, ties counted half"},
	}, Show: showCalibrated}, nil
}

// area is the normalized area under the curve of the simple regret.
const area = "area"

func calibratedRecord(s sim.Scenario, o sim.Outcome) Record {
	r := regretsAndCoverage(s, o)
	sum := 0.0
	for _, v := range o.SimpleRegret {
		sum += v
	}
	r[area] = []float64{math.NaN()}
	if len(o.SimpleRegret) > 0 && o.SimpleRegret[0] > 0 {
		r[area][0] = sum / float64(len(o.SimpleRegret)) / o.SimpleRegret[0]
	}
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
	return []Section{{Title: "Regret with and without calibration", Tables: []Table{t}, Figures: []Figure{
		r.figure("calibrated", "Simple regret with and without calibration", simpleRegret),
	}}}
}
