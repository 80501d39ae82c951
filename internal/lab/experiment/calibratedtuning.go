package experiment

import (
	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// training is what is tuned with and without calibration.
type training struct {
	group string
	space space.Space
	// cost returns, for a seed, what a training with settings x (user units) leaves: ≥ 0, less is better.
	cost  func(seed uint64) (func(x space.Point) float64, error)
	shown measure // the least cost so far
	scale float64 // of what is shown
}

// tunedBy are the methods, with the kernels of their models.
var tunedBy = []struct{ name, policy, kernel string }{
	{armPlain, "calibrated:set=none", "se"},
	{armCorrected, "calibrated:set=loo", "se"},
	{"auto", "auto", ""},
	{"random", "random", "se"},
}

const (
	tunedInitial = 5
	leastCost    = "least_cost" // so far, by queries after the initial ones
)

// arms are the methods, one query after the other.
func (t training) arms(rounds int) []Arm {
	var arms []Arm
	for _, m := range tunedBy {
		problem := func(seed uint64) (sim.Problem, error) {
			cost, err := t.cost(seed)
			return sim.Problem{
				Name: t.group, Space: t.space, Trains: true, Model: loop.Model{Kernel: m.kernel},
				Value: func(x space.Point) float64 { return -cost(x) },
			}, err
		}
		s := study{problem: problem, policy: m.policy, law: "fixed:1", rounds: rounds}
		arms = append(arms, s.arm(t.group, m.name, tunedInitial, t.record))
	}
	return arms
}

// record measures a run. The maximum is taken to be 0, so that the simple regret is the least cost.
func (t training) record(_ sim.Scenario, o sim.Performance) Record {
	r := Record{}
	for _, cost := range o.SimpleRegret {
		r[leastCost] = append(r[leastCost], t.scale*cost)
	}
	r[coverCentral], r[coverIssued], _ = coverage(o.Result.Evaluations)
	return r
}

// table has a row for each method.
func (t training) table(r Results, rounds int) Table {
	out := Table{Caption: t.group + ": " + t.shown.label, Head: []string{"method"}}
	for _, k := range stat.Checkpoints(rounds) {
		out.Head = append(out.Head, "after "+whole(k))
	}
	out.Head = append(out.Head, "at the end, minus plain", "won against plain", "in the model's 80 %, %", "in what was issued, %")
	for _, arm := range r.Arms(t.group) {
		row := []string{arm}
		for _, k := range stat.Checkpoints(rounds) {
			row = append(row, r.At(t.group, arm, leastCost, k).String())
		}
		difference, won := "", ""
		if arm != armPlain {
			difference = r.Difference(t.group, arm, armPlain, leastCost, Last).Signed()
			won = r.won(t.group, arm, armPlain, leastCost).String()
		}
		out.Rows = append(out.Rows, append(row, difference, won, r.At(t.group, arm, coverCentral, 1).String(), r.At(t.group, arm, coverIssued, 1).String()))
	}
	return out
}

// tunedFacts say what all trainings have in common.
var tunedFacts = []Fact{
	{"methods", "plain and calibrated: expected improvement under the model's own quantiles, and under quantiles corrected by leave-one-out predictions; kernel SE, hyperparameters learned. auto chooses kernel and warp itself"},
	{"initial queries", "5, uniform, the same for all methods; one query after the other"},
	{"won", "share of the seeds that ended lower than plain; equal up to a millionth counts half"},
}
