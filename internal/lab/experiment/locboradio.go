package experiment

import (
	"fmt"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/sim"
)

func init() {
	add(Experiment{
		Name: "locbo-radio", Title: "locbo and its family on the powers and tilts of antennas", Source: "Kim et al. 2025, sec. V-D",
		About: "Nine sector antennas at three sites serve 36 users on the ground, whose channels fade, and 28 UAVs. The objective is 0.7 times the mean rate of " +
			"the ground users plus 0.3 times that of the UAVs, as in the program of the paper; its text has the weights the other way round. An evaluation " +
			"averages over 1 to 4 draws of the fading, so that its noise depends on the setting; the value reported is the exact mean. All 18 parameters " +
			"are chosen at once, where the paper changes the power and the tilt of one antenna at a time, in turn, from 100 random candidates. Users are " +
			"placed anew by each seed; where the UAVs fly is not stated and made up. One query after the other, no delay.",
		Rounds: 50,
		Plan:   planRadio,
	})
}

// radioMethods are the methods of the paper with its constants: their names, and as policies.Parse reads them.
var radioMethods = []struct{ name, policy string }{
	{"log-ei", "log-ei"},
	{"cbo", "cbo:alpha=0.25"},
	{"ocbo", "ocbo"},
	{"ocbo-l", "ocbo-l:kappa=2:l=0.3333:power=0.005:forget=0.0001"},
	{"locbo, l = inf", "locbo:l=inf:eta=0.005" + radioConstants},
	{"locbo, l = 1/3", "locbo:l=0.3333:eta=0.005" + radioConstants},
	{"locbo, l = inf" + faster, "locbo:l=inf:eta=0.05" + radioConstants},
	{"locbo, l = 1/3" + faster, "locbo:l=0.3333:eta=0.05" + radioConstants},
	{"threshold frozen at 0.01", "locbo:l=inf:eta=0:alpha=0.01"},
}

const (
	radioConstants = ":kappa=2:alpha=0.25:power=0.005:forget=0.0001"
	radioInitial   = 50
	radioFading    = 4 // most draws of the fading
)

// Curves of the radio experiment, by queries after the initial ones.
const (
	bestValue    = "best_value"    // greatest noise-free value of a query whose answer is known, bit/s/Hz
	shareCentral = "share_central" // of the answers so far in the central 80 % of the model's own predictions, in percent
	shareIssued  = "share_issued"  // of the answers so far in what the policy issued, in percent
)

var (
	bestRate      = measure{bestValue, "best value, bit/s/Hz", chart.Linear, true}
	centralShares = measure{shareCentral, "answers in the model's 80 %, %", chart.Linear, false}
	issuedShares  = measure{shareIssued, "answers in what was issued, %", chart.Linear, false}
)

func planRadio(in Input) (Plan, error) {
	var arms []Arm
	for draws := 1; draws <= radioFading; draws++ {
		problem := func(seed uint64) (sim.Problem, error) { return sim.Radio(seed, draws) }
		for _, m := range radioMethods {
			s := study{problem: problem, policy: m.policy, law: "fixed:1", rounds: in.Rounds}
			arms = append(arms, s.arm(radioGroup(draws), m.name, radioInitial, radioRecord))
		}
	}
	facts := []Fact{
		{"model", "Matérn-5/2, hyperparameters and noise learned from the answers; the noise is taken to be the same everywhere"},
		{"constants", "alpha = 0.25, kappa = 2, eta_t = 0.005 t^-0.005 as in the paper unless it says 0.05, forgetting 1e-4, l = 1/3 of the unit cube; ocbo and ocbo-l follow 9 levels with eta = 0.05"},
		{"queries", fmt.Sprintf("%d initial ones, uniform, and %d chosen (the paper: 250); all methods have the same initial ones and the same fading", radioInitial, in.Rounds)},
	}
	return Plan{Arms: arms, Facts: facts, Show: func(r Results) []Section { return showRadio(r, in.Rounds) }}, nil
}

// radioGroup is the setting of so many draws of the fading.
func radioGroup(draws int) string { return plural(draws, "draw") + " of the fading" }

// radioRecord measures a run.
func radioRecord(s sim.Scenario, o sim.Performance) Record {
	r := Record{}
	for k, regret := range o.SimpleRegret {
		r[bestValue] = append(r[bestValue], s.Problem.Maximum-regret)
		central, issued, _ := coverage(o.Result.Evaluations[:radioInitial+k+1])
		r[shareCentral], r[shareIssued] = append(r[shareCentral], central...), append(r[shareIssued], issued...)
	}
	return r
}

// showRadio shows the values that were reached, and how many answers the forecasts held.
func showRadio(r Results, rounds int) []Section {
	s := Section{Title: "Rates of ground users and UAVs", Text: []string{
		"Higher is better. The maximum is not known. Coverage is the share of answers, after the initial ones, inside an interval that was issued before " +
			"them: the model's own for 80 %, and what the policy made of it, a set for 75 % (cbo, locbo) or what lies between its outermost levels, 80 % (ocbo, ocbo-l).",
	}, Figures: []Figure{
		r.figure("locbo-radio", "Best noise-free value of the answered queries", bestRate),
		radioCoverage(r),
	}}
	for _, g := range r.Groups() {
		s.Tables = append(s.Tables, radioTable(r, g, rounds))
	}
	s.Tables = append(s.Tables, radioSummary(r))
	return []Section{s}
}

// radioCoverage draws both kinds of coverage for the fewest and the most draws of the fading.
func radioCoverage(r Results) Figure {
	f := chart.Figure{Title: "Coverage of the forecasts so far", Note: r.note()}
	for _, draws := range []int{1, radioFading} {
		for _, m := range []measure{centralShares, issuedShares} {
			p := r.panel(radioGroup(draws), m)
			p.Low, p.High = 0, 100
			f.Panels = append(f.Panels, p)
		}
	}
	return Figure{Name: "locbo-radio-coverage", Drawing: f, Caption: "Shares of the answers after the initial ones that lie in the intervals issued before them. " +
		"log-ei issues none but the model's."}
}

func radioTable(r Results, group string, rounds int) Table {
	t := Table{Caption: group + ": best noise-free value, bit/s/Hz", Head: []string{"method"}}
	for _, k := range stat.Checkpoints(rounds) {
		t.Head = append(t.Head, "after "+whole(k))
	}
	t.Head = append(t.Head, "at the end, minus log-ei", "in the model's 80 %, %", "in what was issued, %")
	for _, arm := range r.Arms(group) {
		row := []string{arm}
		for _, k := range stat.Checkpoints(rounds) {
			row = append(row, r.At(group, arm, bestValue, k).String())
		}
		difference := ""
		if arm != radioMethods[0].name {
			difference = r.Difference(group, arm, radioMethods[0].name, bestValue, Last).Signed()
		}
		t.Rows = append(t.Rows, append(row, difference,
			r.At(group, arm, shareCentral, Last).String(), r.At(group, arm, shareIssued, Last).String()))
	}
	return t
}

// radioSummary has the differences to the first method over all draws of the fading, seed by seed: users are the same.
func radioSummary(r Results) Table {
	first := radioMethods[0].name
	t := Table{Caption: "all draws of the fading together: best noise-free value at the end, bit/s/Hz", Head: []string{"method", "minus " + first}}
	for _, m := range radioMethods[1:] {
		t.Rows = append(t.Rows, []string{m.name, r.across(m.name, first, bestValue, Last).Signed()})
	}
	return t
}
