package comparison

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// accuracyTable is the table of a problem with held-out data, in percent.
func (c comparison) accuracyTable(problem int, results []result) string {
	s := c.problems[problem]
	reference := c.reference()
	t := console.NewTable()
	t.AppendHeader(table.Row{"policy", "seeds", "best configuration", "tuned %", "vs random", "held-out %", "vs random", fmt.Sprintf("answered of %d", c.initials(s)+c.rounds)})
	tuned := func(r result) float64 { return 100 * r.final() }
	held := func(r result) float64 { return 100 * r.judged(s.first.HeldOut) }
	for i, p := range c.policies {
		runs := ofPolicy(results, i)
		row := table.Row{p.Name, len(runs), bestOf(runs, s.first)}
		for _, accuracy := range []func(result) float64{tuned, held} {
			difference := ""
			if reference >= 0 && i != reference {
				difference = paired(runs, ofPolicy(results, reference), accuracy).Signed()
			}
			row = append(row, stat.Of(column(runs, accuracy)), difference)
		}
		t.AppendRow(append(row, stat.Of(column(runs, func(r result) float64 { return float64(r.answered) }))))
	}
	t.SetColumnConfigs(append(console.RightFrom(4, 8), console.RightFrom(2, 2)...))
	return fmt.Sprintf("%s after %d initial + %s:\n", s.name, c.initials(s), console.Plural(c.rounds, "query")) + t.Render() + "\n" + c.accuracyNotes(results)
}

// accuracyNotes explains the columns.
func (c comparison) accuracyNotes(results []result) string {
	spread := fmt.Sprintf("Mean ± standard error over the seeds %d to %d; the best configuration is that of the best seed.", c.seed, c.seed+uint64(c.seeds)-1)
	if c.seeds == 1 {
		spread = fmt.Sprintf("Seed %d only, so there are no standard errors.", c.seed)
	}
	return spread + " Tuned: cross-validated accuracy of the best\nconfiguration known at the end. Held-out: its accuracy on data that tuning never saw. Differences are paired by seed.\n" +
		c.warnings(results)
}

// reference is the place of random search among the policies, -1 without it.
func (c comparison) reference() int {
	for i, p := range c.policies {
		if p.Name == "random" {
			return i
		}
	}
	return -1
}

// final is the best observed value known at the end; NaN without an answer.
func (r result) final() float64 {
	if len(r.values) == 0 {
		return nan
	}
	return r.values[len(r.values)-1]
}

// judged is the value of the best configuration elsewhere.
func (r result) judged(value func(x space.Point) float64) float64 {
	if r.best == nil {
		return nan
	}
	return value(r.best)
}

// bestOf prints the configuration of the run with the greatest final value.
func bestOf(runs []result, p sim.Problem) string {
	best := -1
	for i, r := range runs {
		if r.best != nil && (best < 0 || r.final() > runs[best].final()) {
			best = i
		}
	}
	if best < 0 {
		return stat.Unknown
	}
	return p.Space.Format(runs[best].best)
}

// paired estimates the mean difference of runs with the same seed.
func paired(runs, others []result, of func(result) float64) stat.Estimate {
	var differences []float64
	for _, r := range runs {
		for _, o := range others {
			if r.seed == o.seed {
				differences = append(differences, of(r)-of(o))
			}
		}
	}
	return stat.Of(differences)
}
