package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/command"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// live is a study that runs a command, from here to its end.
type live struct {
	store   *sqlite.Store
	runner  *command.Runner
	space   tarry.Space
	task    task
	options tarry.Options
	quiet   bool
}

// run starts the study or goes on with it, shows how it goes, and what it found.
func (l live) run(cmd *cobra.Command, resume bool) error {
	o := l.options
	o.Workers = l.task.Workers
	o.Grace = l.task.Grace + 10*time.Second // a command is gone by then
	show := newProgress(cmd.ErrOrStderr(), l.store, l.quiet)
	o.OnEvent = show.event
	study, err := l.start(o, resume)
	if err != nil {
		show.end()
		return advice(err)
	}
	stop := l.heed(cmd, study)
	result, err := study.Wait()
	stop()
	show.end()
	if printed := summarize(cmd.OutOrStdout(), l.store.Path(), result); err == nil {
		err = printed
	}
	switch {
	case errors.Is(err, tarry.ErrPaused):
		return exit{exitInterrupted, fmt.Errorf("interrupted after %d of %d evaluations: go on by\n  tarry resume %s", finished(result), budgetOf(l), l.store.Path())}
	case errors.Is(err, tarry.ErrNoValue):
		return exit{exitNoValue, err}
	}
	return failure(err)
}

func (l live) start(o tarry.Options, resume bool) (*tarry.Run, error) {
	if resume {
		return tarry.ResumeOutcomes(context.Background(), l.store, l.evaluate, o)
	}
	o.Journal = l.store
	return tarry.StartOutcomes(context.Background(), l.space, l.evaluate, o)
}

// evaluate runs the command once.
func (l live) evaluate(ctx context.Context, q tarry.Query) (tarry.Outcome, error) {
	found, err := l.runner.Run(ctx, q.ID.Evaluation, q.ID.Attempt, q.X)
	if err != nil {
		var failed *command.Error
		if errors.As(err, &failed) && failed.Kind == command.Lost {
			return tarry.Outcome{}, fmt.Errorf("%w: %w", tarry.ErrLost, err)
		}
		return tarry.Outcome{}, err
	}
	if found.Infeasible && !found.HasValue {
		return tarry.Outcome{}, fmt.Errorf("%w: the command said so", tarry.ErrInfeasible)
	}
	return tarry.Outcome{Value: found.Value, Cost: found.Cost, Constraints: found.Constraints, Infeasible: found.Infeasible}, nil
}

// heed stops the study at a signal: the first Ctrl-C lets what runs come to its end, the second does not, and whoever sends
// another signal does not wait either.
func (l live) heed(cmd *cobra.Command, study *tarry.Run) (stop func()) {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		polite := true
		for {
			select {
			case s := <-signals:
				now := s != os.Interrupt || !polite
				study.Pause(now)
				if now {
					fmt.Fprintln(cmd.ErrOrStderr(), "tarry: ending what runs")
				} else {
					fmt.Fprintln(cmd.ErrOrStderr(), "tarry: nothing new is started; waiting for what runs. Ctrl-C again ends it")
				}
				polite = false
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// finished counts the evaluations with an outcome.
func finished(r *tarry.Result) int { return len(r.Evaluations) - r.Count(tarry.Pending) }

func budgetOf(l live) int {
	h, err := l.store.Header()
	if err != nil {
		return l.options.Budget
	}
	return h.Config.Budget
}
