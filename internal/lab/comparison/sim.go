package comparison

import (
	"context"
	"fmt"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

// Command is the command of that name.
func Command() console.Command {
	return console.Flagged("sim", "compare policies x problems x seeds in virtual time", newSim, simulate)
}

func newSim() (*request, *console.Flags) {
	r := newRequest()
	r.problemList = "gp1d"
	r.policyList = policies.Default + ",gp-bucb,gp-bts,ucb-sdf,ts-sdf,random"
	r.rounds, r.seeds = 100, 10
	f := console.NewFlags("sim", helpText)
	r.addFlags(f)
	return &r, f
}

// simulate is the command sim: policies x problems x seeds, judged by regret, and where there are held-out data by accuracy.
func simulate(ctx context.Context, r *request, f *console.Flags, k console.Streams) error {
	c, err := settle(r, f)
	if err != nil {
		return err
	}
	return c.simulate(ctx, sim.Run, k)
}

func (c comparison) simulate(ctx context.Context, run simulator, k console.Streams) error {
	results, err := c.perform(ctx, run, k)
	w := console.Human(c.json, k)
	var pictures []picture
	for i, s := range c.problems {
		part := ofProblem(results, i)
		fmt.Fprint(w, c.regretTable(i, part), "\n")
		if s.first.HeldOut != nil {
			fmt.Fprint(w, c.accuracyTable(i, part), "\n")
		}
		if c.plot != "" {
			pictures = append(pictures, picture{c.picture(s), c.regretFigure(i, part)})
		}
	}
	return c.finishWith(w, pictures, err)
}

// picture is something drawn with the path of its files but for their ends.
type picture struct {
	base string
	chart.Picture
}

// ofProblem returns the results of one problem.
func ofProblem(results []result, problem int) []result {
	var out []result
	for _, r := range results {
		if r.problem == problem {
			out = append(out, r)
		}
	}
	return out
}

// ofPolicy returns the results of one policy.
func ofPolicy(results []result, policy int) []result {
	var out []result
	for _, r := range results {
		if r.policy == policy {
			out = append(out, r)
		}
	}
	return out
}

// column takes one thing out of every result.
func column[T any](results []result, of func(result) T) []T {
	out := make([]T, len(results))
	for i, r := range results {
		out[i] = of(r)
	}
	return out
}
