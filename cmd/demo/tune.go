package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/sim"
)

func newTune() (*request, *flags) {
	r := newRequest("tune")
	r.problemList = "svm-breast"
	r.policyList = "ucb-sdf,ts-sdf,gp-bucb,gp-bts,random"
	r.rounds, r.seeds, r.window = 60, 5, 20
	f := newFlags(r.command)
	f.text(&r.problemList, "problem", "`NAME` of what to tune, a problem with held-out data: svm-breast or logreg-breast, or both with a comma between")
	r.commonFlags(f)
	return &r, f
}

// tune is the command without a name: a real classifier, tuned by several policies.
func tune(ctx context.Context, args []string, k console) error {
	r, f := newTune()
	if err := parse(r, f, args, k); err != nil {
		return err
	}
	if r.plot == "" {
		r.plot = "demo-" + fileName(r.problemList) + ".png"
	}
	c, err := settle(r, f, wantHeldOut)
	if err != nil {
		return err
	}
	return c.tune(ctx, sim.Run, k)
}

// wantHeldOut refuses problems whose configurations cannot be judged on held-out data.
func wantHeldOut(c comparison, l *check.List) {
	for _, s := range c.problems {
		if s.first.HeldOut != nil {
			continue
		}
		var have []string
		for _, name := range sim.ProblemNames() {
			if p, err := sim.NewProblem(name, 0); err == nil && p.HeldOut != nil {
				have = append(have, name)
			}
		}
		l.Add("-problem", s.name, "a problem with held-out data, one of "+strings.Join(have, ", ")+" ('demo sim' takes the others)")
	}
}

func (c comparison) tune(ctx context.Context, run simulator, k console) error {
	w := c.human(k)
	c.announce(w)
	results, err := c.perform(ctx, run, k)
	var pictures []picture
	for i, s := range c.problems {
		part := ofProblem(results, i)
		fmt.Fprint(w, "\n", c.accuracyTable(i, part))
		paths := c.pictures(s)
		pictures = append(pictures, picture{paths[0], paths[1], c.accuracyFigure(i, part)})
	}
	return c.finishWith(w, pictures, err)
}

// announce says in two lines what will happen.
func (c comparison) announce(w io.Writer) {
	var about []string
	for _, s := range c.problems {
		about = append(about, s.first.Describe)
	}
	fmt.Fprintf(w, "Tuning %s.\n", strings.Join(about, "; and "))
	fmt.Fprintf(w, "%s with %s each train %d configurations, one every tick of virtual time; the answers come late (%s).\n",
		plural(len(c.policies), "policy"), plural(c.seeds, "seed"), c.queries(), c.conditions(c.problems[0]))
}

// accuracyTable is the table of one problem, in percent.
func (c comparison) accuracyTable(problem int, results []result) string {
	s := c.problems[problem]
	reference := c.reference()
	t := newTable()
	t.AppendHeader(table.Row{"policy", "seeds", "best configuration", "tuned %", "vs random", "held-out %", "vs random", fmt.Sprintf("answered of %d", c.initials(s)+c.rounds)})
	tuned := func(r result) float64 { return 100 * r.final() }
	held := func(r result) float64 { return 100 * r.judged(s.first.HeldOut) }
	for i, p := range c.policies {
		runs := ofPolicy(results, i)
		row := table.Row{p.name, len(runs), bestOf(runs, s.first)}
		for _, accuracy := range []func(result) float64{tuned, held} {
			difference := ""
			if reference >= 0 && i != reference {
				difference = paired(runs, ofPolicy(results, reference), accuracy).signed()
			}
			row = append(row, estimateOf(column(runs, accuracy)), difference)
		}
		t.AppendRow(append(row, estimateOf(column(runs, func(r result) float64 { return float64(r.answered) }))))
	}
	t.SetColumnConfigs(append(rightFrom(4, 8), rightFrom(2, 2)...))
	return fmt.Sprintf("%s after %d initial + %s:\n", s.name, c.initials(s), plural(c.rounds, "query")) + t.Render() + "\n" + c.accuracyNotes(results)
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
		if p.name == "random" {
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
func (r result) judged(value func(x []float64) float64) float64 {
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
		return unknown
	}
	return p.Space.Format(runs[best].best)
}

// paired estimates the mean difference of runs with the same seed.
func paired(runs, others []result, of func(result) float64) estimate {
	var differences []float64
	for _, r := range runs {
		for _, o := range others {
			if r.seed == o.seed {
				differences = append(differences, of(r)-of(o))
			}
		}
	}
	return estimateOf(differences)
}
