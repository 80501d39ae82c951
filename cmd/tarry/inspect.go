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
		Long:  inspectHelp + exitCodes,
		Example: `  printf 'parameters:\n- {name: lr, type: float, low: 1e-5, high: 1, log: true}\n' > space.yaml
  tarry tune --space space.yaml --budget 10 --study s.db -- awk 'BEGIN {{ print 1 - (log({lr})/log(10)+2)^2/4 }'

  tarry inspect s.db
  tarry inspect s.db --top 0          # all, in the order in which they were chosen
  tarry inspect s.db --csv > s.csv
  tarry inspect s.db --json > s.json
  tarry inspect s.db --plot pictures
  tarry inspect s.db --delays         # how long answers take, and what is lost
  tarry inspect s.db --explain 9      # why this point?`,
		Args: exactly("STUDY"),
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
