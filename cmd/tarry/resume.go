package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

func newResume() *cobra.Command {
	var l live
	var workers int
	cmd := &cobra.Command{
		Use:   "resume STUDY",
		Short: "Go on with a study that tune began",
		Long: `Go on with a study where it was, whatever ended the process before. What is left of its commands is ended first. An
evaluation whose command had finished while nobody listened, or had printed a value when it was ended, has its answer from
the log, also where it had been given up; any other that was running starts again at the same point. A study that has come
to its end shows what it found.

A study goes on only with the program that began it: the same versions of tarry and Go on the same architecture, since
others may compute other last digits. --any-program goes on all the same; every digest is compared on the way.
` + exitCodes,
		Example: `  tarry resume s.db
  tarry resume s.db --workers 16`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := located(args[0], "STUDY"); err != nil {
				return usage(err)
			}
			store, err := sqlite.Open(args[0])
			if err != nil {
				return opening(err)
			}
			defer closing(store, &err)
			l.store = store
			if err := l.recall(cmd, args[0], workers); err != nil {
				return err
			}
			if err := l.hearUnheard(cmd.ErrOrStderr()); err != nil {
				return failure(err)
			}
			return l.run(cmd, true)
		},
	}
	cmd.Flags().IntVar(&workers, "workers", 0, "`EVALUATIONS` at once; 0 means as when it was begun")
	cmd.Flags().BoolVar(&l.options.AnyProgram, "any-program", false, "go on also where another version or architecture wrote the study")
	cmd.Flags().BoolVarP(&l.quiet, "quiet", "q", false, "no progress")
	completed(cmd)
	return cmd
}

// recall reads what kind of study it is, and ends what is left of its commands. Whatever keeps the study from going on is
// said before.
func (l *live) recall(cmd *cobra.Command, study string, workers int) error {
	header, err := l.store.Header()
	if err != nil {
		return failure(err)
	}
	text, err := l.store.Kept(taskName)
	if err != nil {
		return failure(err)
	}
	if text == nil {
		return usage(fmt.Errorf("study %s runs no command: go on with it by\n  %s", study, session(study)))
	}
	if err := json.Unmarshal(text, &l.task); err != nil {
		return failure(fmt.Errorf("study %s: what it runs: %w", study, err))
	}
	if workers != 0 {
		l.task.Workers = workers
	}
	if err := workersAllowed(l.task.Workers); err != nil {
		return usage(err)
	}
	if err := l.ours(header); err != nil {
		return advice(err)
	}
	logs, err := logsNow(study, l.task.Logs)
	if err != nil {
		return failure(err)
	}
	l.space, l.timeout = header.Config.Space, header.Config.Timeout
	if l.runner, err = l.task.ready(l.space, logs[0]); err != nil {
		return failure(fmt.Errorf("study %s: %w", study, err))
	}
	return failure(sweep(cmd.ErrOrStderr(), logs...))
}

// ours returns why this program cannot go on with a study.
func (l *live) ours(h journal.Header) error {
	if d := h.Program.Differences(journal.ThisProgram()); len(d) > 0 && !l.options.AnyProgram {
		return fmt.Errorf("%w: %s", tarry.ErrOtherProgram, strings.Join(d, ", "))
	}
	_, err := tarry.ParsePolicy(h.Config.Traits.Name)
	return err
}

// advice adds what to do to an error.
func advice(err error) error {
	if errors.Is(err, tarry.ErrOtherProgram) {
		return usage(fmt.Errorf("%w\ngo on with the program that began the study, or with --any-program", err))
	}
	return failure(err)
}
