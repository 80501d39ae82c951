package main

import (
	"context"
	"fmt"
	"io"
)

// help is the command of that name: an overview, or the flags of one command.
func help(_ context.Context, args []string, k console) error {
	switch {
	case len(args) == 0 || args[0] == "-h" || args[0] == "-help" || args[0] == "--help":
		return overview(k.stdout)
	case len(args) > 1:
		return usage{"demo help", fmt.Errorf("demo help: argument %q: want one command", args[1])}
	}
	c, err := find(args[0])
	if err != nil {
		return err
	}
	return explain(k.stdout, c.name)
}

// overview lists the commands.
func overview(w io.Writer) error {
	fmt.Fprint(w, `Demo shows Bayesian optimization whose answers come late.

  go run ./cmd/demo                tune a real classifier, live; takes 23 seconds after building
  go run ./cmd/demo COMMAND ...    one of:

`)
	for _, c := range commands() {
		fmt.Fprintf(w, "  %-9s %s\n", c.name, c.summary)
	}
	_, err := fmt.Fprint(w, "\n'demo help COMMAND' explains a command and its flags.\n\n"+exits)
	return err
}

const exits = "Exit codes: 0 done, 1 failure, 2 wrong command line, 130 interrupted (what is complete is printed).\n"

// explain writes the help of a command.
func explain(w io.Writer, name string) error {
	switch name {
	case "tune":
		_, f := newTune()
		return explained(w, tuneHelp, f, exits+"Other commands: 'demo help'.\n")
	case "sim":
		_, f := newSim()
		return explained(w, simHelp, f, exits)
	case "exp":
		_, f := newExp()
		return explained(w, expHelp, f, exits)
	case "bench":
		_, f := newBench()
		return explained(w, benchHelp, f, exits)
	case "soak":
		_, f := newSoak()
		return explained(w, soakHelp, f, exits)
	case "claims":
		_, f := newClaims()
		return explained(w, claimsHelp, f, exits)
	case "policies":
		_, err := fmt.Fprintln(w, "go run ./cmd/demo policies\n\nLists the policies with their sources and the options that may follow a name, as in ucb-sdf:nu=1.")
		return err
	case "problems":
		_, err := fmt.Fprintln(w, "go run ./cmd/demo problems\n\nLists the problems with their dimension and maximum. A dimension may follow some names, as in ackley:5.")
		return err
	}
	return overview(w)
}

// explained writes what a command does, its flags, and the end.
func explained(w io.Writer, text string, f *flags, end string) error {
	fmt.Fprint(w, text)
	f.describe(w)
	_, err := fmt.Fprint(w, "\n"+end)
	return err
}

const tuneHelp = `go run ./cmd/demo [tune] [FLAGS]

Tunes a classifier on the wall clock, with the engine that programs use. Every value is really trained; a wait is added
to it, as if training took that long, since here it takes milliseconds. Three methods have the same time, one after the
other: the policy with W workers, random search with W workers, and the policy with one evaluation at a time. While they
run, a terminal shows what is pending on each worker. The end is a table with the best configurations, their
cross-validated and held-out accuracy, and a picture over the time.

  go run ./cmd/demo                                             an RBF-SVM on Breast Cancer Wisconsin
  go run ./cmd/demo -problem logreg-breast                      logistic regression
  go run ./cmd/demo -policy ts-sdf:nu=1 -workers 16 -time 20s   another policy, more workers, more time
  go run ./cmd/demo -wait lognormal:-1,1                        a heavier tail
  go run ./cmd/demo -wait never:0.1+exponential:0.6 -timeout 2s a tenth of the answers never come
  go run ./cmd/demo -log events.jsonl                           every event of the engine

The seed decides initial points, policies and waits. The order in which live answers come depends on the clock as well,
so the same command may give somewhat different numbers. For comparisons over many seeds there is 'demo sim'.

Flags:
`

const simHelp = `go run ./cmd/demo sim [FLAGS]

Compares policies on problems whose maximum is known, in virtual time: a table of simple and cumulative regret with
standard errors over the seeds, and on request a picture and one JSON object a line for each problem, policy and seed.
For problems with held-out data there is a table of accuracies as well.

By default one query is sent out every tick, whatever is pending, and the answer of query s can be used for query t iff
its delay is at most t - s ticks. With -workers W a query starts when a worker is free. Simple regret after k queries is
the maximum minus the noise-free value of the best answered query that is known when query k+1 would be chosen;
cumulative regret is the sum over the k queries. Queries are counted after the initial ones. The last column is how many
answers lay in the central 80 % of what the policy's model said when it chose the query; in the JSON it is "coverage".

Seed s decides the objective (where it is drawn at random), the initial points, the noise and the delays, so that all
policies meet the same chances, and the same command gives the same bytes but for wall_ms.

  the synthetic problem of Verma et al. 2022, in the paper's strict form:
    go run ./cmd/demo sim -problem gp1d -policies ucb-sdf,ts-sdf,gp-ucb,asy-ts,gp-bucb,gp-bts,random \
      -window 20 -strict -rounds 300 -seeds 20 -noise 0.01 -plot gp1d.png
  test functions, noise of two percent, heavy tails:
    go run ./cmd/demo sim -problem branin,hartmann6 -delay pareto:2,1.5 -noise 2% -rounds 60 -seeds 5
  eight workers, answers that may never come:
    go run ./cmd/demo sim -problem branin -workers 8 -delay never:0.1+exponential:8 -timeout 60 -rounds 60
  batches of five:
    go run ./cmd/demo sim -problem branin -batch 5 -delay fixed:1 -rounds 60
  for machines:
    go run ./cmd/demo sim -problem gp1d -policies random -json - > runs.jsonl

In a picture with a logarithmic axis, values at or below its lower end, zero among them, are drawn at that end.

Flags:
`
