package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// again is the command line of replay.
type again struct {
	policy    string
	from, to  int
	tolerance float64
	csv, json bool
}

func newReplay() *cobra.Command {
	var a again
	cmd := &cobra.Command{
		Use:   "replay STUDY",
		Short: "Show where another policy would have chosen otherwise",
		Long: `Go through a study once more, and let another policy propose for each query for which the policy of the study was asked: with
what was known then, and with the same random numbers. Nothing is changed, and no command runs.

There is a line for each query where the other policy would have proposed another point: both points, how far apart they are in
the unit cube (in the coordinate in which they differ most), what the other policy expected of each (mean ± standard deviation of
the function, in the units of the values), and the value that came of the chosen one. The summary has how many differ and how
far, how much more the other policy expected of its own points (a mean gain above zero is better, also where the study
minimizes; what it expects is not what would have come), and how well its forecasts of the values at the chosen points did beside those of the
study: the root of the mean squared error, the share of values in the central 80 %, and the mean of minus the logarithm of the
density of the values, of which less is better.

The other policy sees the study's own history. If it wants another model than the policy of the study, such as one that censors
pending queries, it gets one, and hyperparameters are learned for it when the study learned its own. A policy that learns from
earlier forecasts learns from those of the study. The policy of the study itself proposes the same, to the bit.

--csv writes a line for each such query, --json one object: summary and queries.
` + exitCodes,
		Example: `  printf 'parameters:\n- {name: lr, type: float, low: 1e-5, high: 1, log: true}\n' > space.yaml
  tarry tune --space space.yaml --budget 12 --study s.db -- awk 'BEGIN {{ print 1 - (log({lr})/log(10)+2)^2/4 }'

  tarry replay s.db --policy log-ei
  tarry replay s.db --policy ucb-sdf:nu=2 --from 8 --to 10
  tarry replay s.db --policy gp-ucb --json > other.json`,
		Args: exactly("STUDY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			policy, err := a.judge()
			if err != nil {
				return usage(err)
			}
			return a.run(cmd, args[0], policy)
		},
	}
	f := cmd.Flags()
	f.StringVar(&a.policy, "policy", "", "`POLICY` that is asked, with options after a colon (see tarry policies)")
	f.IntVar(&a.from, "from", 0, "first `EVALUATION` that is compared; 0 for the first of all")
	f.IntVar(&a.to, "to", 0, "last `EVALUATION` that is compared; 0 for the last of all")
	f.Float64Var(&a.tolerance, "tolerance", 1e-6, "`DISTANCE` of each coordinate in the unit cube up to which two points are one")
	f.BoolVar(&a.csv, "csv", false, "a line of comma-separated values for each query that differs")
	f.BoolVar(&a.json, "json", false, "everything as one JSON object")
	completed(cmd)
	return cmd
}

// judge returns the policy, or why the flags cannot be meant.
func (a again) judge() (tarry.Policy, error) {
	var errs []error
	if a.csv && a.json {
		errs = append(errs, errors.New("--csv and --json: want one of them"))
	}
	if a.from < 0 || a.to < 0 || a.to > 0 && a.from > a.to {
		errs = append(errs, fmt.Errorf("--from = %d, --to = %d: want 0 ≤ from ≤ to, or no --to", a.from, a.to))
	}
	if !(a.tolerance > 0 && a.tolerance < 1) {
		errs = append(errs, fmt.Errorf("--tolerance = %v: want 0 < tolerance < 1", a.tolerance))
	}
	if a.policy == "" {
		return nil, errors.Join(append(errs, errors.New("--policy: want the name of a policy (see tarry policies)"))...)
	}
	policy, err := tarry.ParsePolicy(a.policy)
	return policy, errors.Join(append(errs, err)...)
}

func (a again) run(cmd *cobra.Command, path string, policy tarry.Policy) error {
	if err := located(path, "STUDY"); err != nil {
		return usage(err)
	}
	store, err := sqlite.Read(path)
	if err != nil {
		return opening(err)
	}
	defer store.Close()
	ctx, stop := interruptible()
	defer stop()
	out := a.output(store, cmd.OutOrStdout())
	shown := newPassage(cmd.ErrOrStderr())
	summary, err := hindsight.Compare(ctx, store, hindsight.Options{
		Policy: policy, From: a.from, To: a.to, Tolerance: a.tolerance, Progress: shown.at,
	}, out.other)
	shown.end()
	if errors.Is(err, hindsight.ErrNoEvaluation) {
		return usage(fmt.Errorf("study %s: --from: %w", path, err))
	}
	if errors.Is(err, hindsight.ErrUnfit) {
		return usage(fmt.Errorf("study %s: --policy %s: %w", path, a.policy, err))
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		return failure(fmt.Errorf("study %s: %w", path, err))
	}
	return compared(err, out, summary)
}

// compared writes the end of a comparison, which was interrupted where there is an error.
func compared(err error, out differences, s hindsight.Summary) error {
	if written := out.end(s); written != nil {
		return failure(written)
	}
	if err != nil {
		return exit{exitInterrupted, errors.New("interrupted: the rest of the study was not compared")}
	}
	return nil
}

// interruptible is a context that ends with a signal.
func interruptible() (context.Context, context.CancelFunc) {
	if s := listened(); len(s) > 0 { // NotifyContext takes none for all
		return signal.NotifyContext(context.Background(), s...)
	}
	return context.WithCancel(context.Background())
}

// differences are where the comparison is written.
type differences interface {
	other(hindsight.Other) error
	end(hindsight.Summary) error
}

func (a again) output(store *sqlite.Store, w io.Writer) differences {
	switch {
	case a.csv:
		return newOtherCSV(store, w)
	case a.json:
		return &otherJSON{w: w, Queries: []hindsight.Other{}}
	}
	return &otherText{w: w}
}
