package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// look is the command line of inspect.
type look struct {
	csv, json bool
	plot      string
	top       int
	all       bool // no --top: the best and those that are pending
	explain   int
	explains  bool
	delays    bool
}

func newInspect() *cobra.Command {
	var l look
	cmd := &cobra.Command{
		Use:   "inspect STUDY",
		Short: "Show what a study has found",
		Long: `Show a study that tune, asktell or a program has kept: how it stands, what it found, and its evaluations. Nothing is
changed, and another process may be going on with it meanwhile: what it had kept when it was looked at is shown.

As text there are the best evaluations and all that are pending; --top chooses. A delay is the time from the first
dispatch of an evaluation to its outcome, and >12s says that it has been under way for 12 s at the last event.

--csv writes all evaluations, one a line: id, attempt, status, value, cost, constraints (joined with ;), then every
parameter, then chosen_s, dispatched_s, ended_s and delay_s, which are seconds since the study began, foreign (whether it
was measured elsewhere), forecast and forecast_sd (of its value, as the policy said when it chose the query), central and
held (whether the value is in the central 80 % of the forecast, and in the calibrated set where the policy issued one) and
the first line of reason, why its last attempt failed. A parameter with the name of such a column has x. before it. What
there is none of is empty, and numbers are written so that they are read to the bit.

--json writes one object: study (its cost is null where the sum is beyond all numbers), counts (by status), counters,
coverage (how the forecasts did), best and recommended (null without a value), expected (mean of the function at the
recommended one as the model sees it, stddev, how sure it is of that, and noise, the spread of a measurement; null without a
model), evaluations, in which parameters are by name under x, and parameters, as in a space file.

--plot writes four pictures to a folder, each as PNG and SVG: incumbent (values in the order in which they came, over what was
spent where a fidelity or a budget in cost is there, and, where the best one came nearer and nearer to that in the end, its
distance on a logarithmic axis), parameters (values over each
parameter, of at most 24), delays, and silence (the chance
that a query is silent for longer, with its band, the law that was learned and the closest family).

--delays shows what is learned of the time that answers take, lost queries included: quantiles, how long a silence must last until
hardly anything is expected any more, the closest parametric law, whether delays depend on the point or go with the value, and for each
pending query the chance that it is ever heard of. With --json it is one object, with the survival curve and its band. --forget and --give-up of
tune and asktell act upon it.

--explain says why one evaluation was chosen. The study is replayed up to the moment at which its policy was asked, and the policy
is asked again: it should propose the same, to the bit, and the output says so if it does not, as on another architecture. There
are the model as it was then (with lengthscales in the terms of each parameter), what the policy maximized, its value and the
posterior at the point and at others that it might have chosen, which queries were pending and what stood in for their values,
what the policy would have proposed had nothing been pending, and what came of it. Means and standard deviations are of the
function, in the units of the values.

The file of what studies of earlier tasks have learned (--sequence of tune) is shown too: its tasks, and what it says of functions like
theirs. Whoever removes the file begins anew.

What is recommended is the evaluation with a value of which the model expects most, which need not be the best that was
measured where measurements are noisy; 0.93 ± 0.01 is its mean with one standard deviation. With fewer than three values, or
by a policy without a model, the best is recommended as it was measured.
` + exitCodes,
		Example: `  printf 'parameters:\n- {name: lr, type: float, low: 1e-5, high: 1, log: true}\n' > space.yaml
  tarry tune --space space.yaml --budget 10 --study s.db -- awk 'BEGIN {{ print 1 - (log({lr})/log(10)+2)^2/4 }'

  tarry inspect s.db
  tarry inspect s.db --top 0          # all, in the order in which they were chosen
  tarry inspect s.db --csv > s.csv
  tarry inspect s.db --json > s.json
  tarry inspect s.db --plot pictures
  tarry inspect s.db --delays         # how long answers take, and what is lost
  tarry inspect s.db --explain 9      # why this point?`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			l.all, l.explains = !cmd.Flags().Changed("top"), cmd.Flags().Changed("explain")
			if err := l.judge(); err != nil {
				return usage(err)
			}
			return l.run(cmd, args[0])
		},
	}
	f := cmd.Flags()
	f.BoolVar(&l.csv, "csv", false, "all evaluations as comma-separated values")
	f.BoolVar(&l.json, "json", false, "everything as one JSON object")
	f.StringVar(&l.plot, "plot", "", "`FOLDER` for pictures, made where there is none")
	f.IntVar(&l.top, "top", defaultTop, "`EVALUATIONS` to be listed, the best first, and no others; 0 for all, by number")
	f.BoolVar(&l.delays, "delays", false, "how long answers take, and what is expected of those that are pending")
	f.IntVar(&l.explain, "explain", 0, "`EVALUATION` of which to say why it was chosen; with --json as one object")
	completed(cmd)
	return cmd
}

// defaultTop is how many of the best evaluations are listed, besides those that are pending.
const defaultTop = 10

// judge returns why the flags cannot be meant.
func (l look) judge() error {
	var errs []error
	if l.csv && l.json {
		errs = append(errs, errors.New("--csv and --json: want one of them"))
	}
	if !l.all && (l.csv || l.json) {
		errs = append(errs, errors.New("--top with --csv or --json: these have all evaluations"))
	}
	if l.top < 0 {
		errs = append(errs, fmt.Errorf("--top = %d: want 0 ≤ top", l.top))
	}
	if l.delays && (l.csv || !l.all || l.explains) {
		errs = append(errs, errors.New("--delays with --csv, --top or --explain: it shows the delays, as text or with --json"))
	}
	if l.explains && (l.csv || !l.all || l.plot != "") {
		errs = append(errs, errors.New("--explain with --csv, --top or --plot: it shows one evaluation, as text or with --json"))
	}
	return errors.Join(errs...)
}

func (l look) run(cmd *cobra.Command, path string) error {
	if err := located(path, "STUDY"); err != nil {
		return usage(err)
	}
	if isLearned(path) {
		return l.learned(path, cmd.OutOrStdout())
	}
	s, err := inspect(path)
	if err != nil {
		return opening(err)
	}
	if l.explains {
		return s.explain(l, cmd.OutOrStdout())
	}
	if l.plot != "" {
		if err := s.plot(l.plot, cmd.ErrOrStderr()); err != nil {
			return err
		}
	}
	if l.delays {
		return s.delays(l, cmd.OutOrStdout())
	}
	return failure(l.write(s, cmd.OutOrStdout()))
}

func (l look) write(s *inspected, w io.Writer) error {
	switch {
	case l.csv:
		return s.writeCSV(w)
	case l.json:
		return s.writeJSON(w)
	}
	_, err := io.WriteString(w, s.text(l))
	return err
}
