package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/command"
	"github.com/tarry-bo/tarry/loop"
)

// pruning is the command line of prune.
type pruning struct {
	keep   int
	older  time.Duration
	failed bool
	dry    bool
}

func newPrune() *cobra.Command {
	var p pruning
	cmd := &cobra.Command{
		Use:   "prune STUDY",
		Short: "Delete what attempts have printed and nobody needs any more",
		Long: `Delete folders in STUDY.logs: those of evaluations whose value the study has, or whose point is infeasible. The study
itself, with all values, stays as it is, and another process may be going on with it meanwhile.

Never deleted are the folders of evaluations that are pending, of the best and of the recommended one, of attempts that
still run, and those with an outcome that the study has not heard of yet: tarry resume tells it. Those of evaluations that
failed, timed out, were lost or cancelled stay for you to look into, unless --failed says otherwise.
` + exitCodes,
		Example: `  tarry prune s.db --dry-run                        # what would be deleted, and how much that is
  tarry prune s.db --keep 100 --older-than 24h
  tarry prune s.db --failed`,
		Args: exactly("STUDY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.judge(args[0]); err != nil {
				return usage(err)
			}
			return p.run(cmd.OutOrStdout(), args[0])
		},
	}
	f := cmd.Flags()
	f.IntVar(&p.keep, "keep", 0, "`EVALUATIONS` that are spared: those which ended last")
	f.DurationVar(&p.older, "older-than", 0, "`TIME` since its end for which an evaluation is spared, as in 24h")
	f.BoolVar(&p.failed, "failed", false, "also those of evaluations without a value")
	f.BoolVarP(&p.dry, "dry-run", "n", false, "delete nothing, and list what would be")
	completed(cmd)
	return cmd
}

// judge returns why the command line cannot be meant.
func (p pruning) judge(study string) error {
	var c check.List
	c.Require(p.keep >= 0, "--keep", p.keep, "0 ≤ keep")
	c.Require(p.older >= 0, "--older-than", p.older, "a duration ≥ 0")
	return errors.Join(located(study, "STUDY"), c.Err())
}

func (p pruning) run(out io.Writer, path string) error {
	s, err := inspect(path)
	if err != nil {
		return opening(err)
	}
	if s.task == nil {
		return usage(fmt.Errorf("study %s runs no command: it has no folders of attempts", path))
	}
	folders, err := logsNow(path, s.task.Logs)
	if err != nil {
		return failure(err)
	}
	spared := p.spared(s, time.Now())
	for _, logs := range folders {
		runner, err := s.task.runner(s.header.Config.Space, s.header.Config.Constraints, logs)
		if err != nil {
			return failure(fmt.Errorf("study %s: %w", path, err))
		}
		if err := p.prune(out, s, runner, spared); err != nil {
			return failure(err)
		}
	}
	return nil
}

// prune deletes what is not spared in one folder of logs, and says how much that was.
func (p pruning) prune(out io.Writer, s *inspected, runner *command.Runner, spared []bool) error {
	all, err := runner.Leftovers()
	if err != nil {
		return err
	}
	n, bytes := 0, size(0)
	for _, l := range all {
		if l.Evaluation < 1 || l.Evaluation > len(spared) || spared[l.Evaluation-1] || l.Held() {
			continue // what began since the study was looked at is spared as well
		}
		if e := s.evaluations()[l.Evaluation-1]; !e.Measured {
			found, attempt, err := runner.Unheard(e.Number, e.Attempt, e.Point(s.header.Config.Space))
			if _, what := told(e, attempt, found); what != "" || err != nil {
				continue
			}
		}
		if p.dry {
			if _, err := fmt.Fprintf(out, "%s  %v\n", l.Name, size(l.Size)); err != nil {
				return err
			}
		} else if err := l.Remove(); err != nil {
			return err
		}
		n, bytes = n+1, bytes+size(l.Size)
	}
	done := "deleted"
	if p.dry {
		done = "would be deleted"
	}
	_, err = fmt.Fprintf(out, "%d of %d folders in %s %s, %v\n", n, len(all), shortened(runner.Dir), done, bytes)
	return err
}

// spared says of each evaluation whether its folders stay.
func (p pruning) spared(s *inspected, now time.Time) []bool {
	all := slices.Clone(s.evaluations())
	out := make([]bool, len(all))
	for i, e := range all {
		kept := !e.Status.Valued() && e.Status != loop.Infeasible && !p.failed
		out[i] = e.Status == loop.Pending || kept || now.Sub(s.begun.Add(e.Ended)) < p.older
	}
	if r := s.result(); r.Best != nil {
		out[r.Best.Number-1], out[r.Recommended.Number-1] = true, true
	}
	slices.SortStableFunc(all, func(a, b loop.Evaluation) int { return cmp.Compare(b.Ended, a.Ended) })
	left := p.keep
	for _, e := range all {
		if e.Status != loop.Pending && left > 0 {
			out[e.Number-1] = true
			left--
		}
	}
	return out
}
