package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/command"
	"github.com/tarry-bo/tarry/internal/serve"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// live is a study that runs a command, from here to its end.
type live struct {
	store   *sqlite.Store
	runner  *command.Runner
	space   tarry.Space
	task    task
	options tarry.Options
	timeout time.Duration // of the study
	quiet   bool
	began   *tarry.Learned // what the study began with
	door    *door          // where others look at it
	reason  string         // why the study had come to its end when this process took it up; empty where it had not

	stops chan error // why it should stop: a command could not be started, or all failed
	begun *running   // the study, as soon as it can be paused
}

// running is a study that has begun, for its own events, the first of which come before whoever starts it can name it.
type running struct {
	known chan struct{} // closed when it has, or could not
	study *tarry.Run
}

// pause lets what runs come to its end. Called from an event of the study it comes before anything else, so that not one more is started.
// Commands here wait until the study is known.
func (r *running) pause() {
	select {
	case <-r.known:
		if r.study != nil {
			r.study.Pause(false)
		}
	default:
	}
}

// run starts the study or goes on with it, shows how it goes, and what it found.
func (l live) run(cmd *cobra.Command, resume bool) error {
	o := l.options
	o.Workers, o.Target = l.task.Workers, l.task.Target
	o.Grace = l.task.Grace + 10*time.Second // a command is gone by then
	l.stops, l.begun = make(chan error, 1), &running{known: make(chan struct{})}
	show, failing := newProgress(cmd.ErrOrStderr(), l.timeout, l.quiet), newFailing(l.task.MaxFailures)
	o.OnEvent = func(e tarry.Event) {
		show.event(e)
		if err := failing.event(e); err != nil {
			l.begun.pause()
			l.stop(err)
		}
	}
	served := serve.NewLive(strings.TrimSuffix(filepath.Base(l.store.Path()), ".db"), l.store.Path())
	if l.door.listener != nil {
		alone := o.OnEvent
		o.OnEvent = func(e tarry.Event) {
			alone(e)
			served.Heard(e)
		}
	}
	study, err := l.start(o, resume)
	l.begun.study = study
	close(l.begun.known)
	if err != nil {
		show.end()
		return advice(err)
	}
	leave, refused := l.receive(cmd, study, served)
	if refused != nil {
		study.Pause(true)
	}
	stop := l.heed(cmd, study)
	result, err := study.Wait()
	cause := stop()
	refused = errors.Join(refused, leave())
	show.end()
	if errors.Is(err, tarry.ErrNotKept) && result != nil {
		l.asKept(show, result)
	}
	printed := summarize(cmd.OutOrStdout(), l.store.Path(), l.runner.Dir, result)
	l.hint(cmd.ErrOrStderr(), result, show)
	if err == nil && l.task.Learned != "" && ended(result) {
		printed = errors.Join(printed, lesson{l.task.Learned, filepath.Base(l.store.Path()), l.began, l.store}.passOn(cmd.ErrOrStderr(), result))
	}
	return l.ending(show, result, err, cause, errors.Join(printed, refused))
}

// receive lets others look at the study while it goes on, until leave is called.
func (l live) receive(cmd *cobra.Command, study *tarry.Run, served *serve.Live) (leave func() error, err error) {
	none := func() error { return nil }
	if l.door.listener == nil {
		return none, nil
	}
	header, err := l.store.Header()
	if err != nil {
		return none, err
	}
	served.Running(study, header.Config, func() { study.Pause(false) })
	if leave, err = l.door.serve(cmd.ErrOrStderr(), served); err != nil {
		return none, err
	}
	return leave, nil
}

// hint says how a study goes on that has nothing to do as it is.
func (l live) hint(log io.Writer, r *tarry.Result, show *progress) {
	more := func(why, flag string) {
		fmt.Fprintf(log, "tarry: %s:\ntarry:   %s%s\n", why, resumption(l.store.Path()), flag)
	}
	switch {
	case r.Best != nil && r.Reason == tarry.ReasonTime:
		more(fmt.Sprintf("the time is over after %s; go on by", show.extent()), "")
	case l.reason == "" || l.reason != r.Reason:
	case l.reason == tarry.ReasonTarget && show.suffices(): // it was given another, and this process reached that
	case l.reason == tarry.ReasonTarget:
		more("the target had been reached already; with a better one the study goes on", " --target VALUE")
	case r.Reason == tarry.ReasonPoints || r.Reason == tarry.ReasonNone:
		fmt.Fprintln(log, "tarry: the study had ended already, and with more budget it would end again")
	case r.Safety != nil && r.Safety.Promises:
		fmt.Fprintln(log, "tarry: the study had ended already: its promise is about its budget, so that it cannot go on with another")
	case r.BudgetCost > 0 && r.Spent >= r.Budget && l.options.Budget == 0:
		more("its evaluations are spent, and not its cost; with more of them the study goes on", fmt.Sprintf(" --budget %d", min(2*r.Budget, tarry.MaxBudget)))
	case l.options.Budget != 0 || l.options.BudgetCost != 0: // it was given more
	case r.BudgetCost > 0:
		more("the study had ended already; with more budget it goes on", fmt.Sprintf(" --budget-cost %v", 2*r.BudgetCost))
	default:
		more("the study had ended already; with more budget it goes on", fmt.Sprintf(" --budget %d", min(2*r.Budget, tarry.MaxBudget)))
	}
}

func (l live) start(o tarry.Options, resume bool) (*tarry.Run, error) {
	if resume {
		return tarry.ResumeOutcomes(context.Background(), l.store, l.evaluate, o)
	}
	o.Journal = l.store
	return tarry.StartOutcomes(context.Background(), l.space, l.evaluate, o)
}

// ending is the error of the program for that of the study, or why it was paused, or that of printing.
func (l live) ending(show *progress, result *tarry.Result, err, cause, printed error) error {
	further := fmt.Sprintf("%s: go on by\n  %s", show.extent(), resumption(l.store.Path()))
	var all doomed
	switch {
	case result != nil && result.Reason == tarry.ReasonPaused && errors.As(cause, &all):
		return failure(fmt.Errorf("%w\nthe study was stopped after %s: mend the command, and %sgo on by\n  %s\nwhere so many may fail, with --max-failures 0",
			cause, show.extent(), anew(result), resumption(l.store.Path())))
	case err == nil && result.Reason == tarry.ReasonPaused && cause != nil:
		return failure(fmt.Errorf("the command could not be started: %s\nthe study was stopped after %s", strings.TrimPrefix(cause.Error(), "not started: "), further))
	case err == nil && result.Reason == tarry.ReasonPaused:
		return exit{exitInterrupted, fmt.Errorf("interrupted after %s", further)}
	case errors.Is(err, tarry.ErrNotKept):
		return failure(fmt.Errorf("%w\nthe study has kept %s", err, further))
	case errors.Is(err, tarry.ErrStalled):
		return failure(fmt.Errorf("%w\nthe study was stopped after %s", err, further))
	case errors.Is(err, tarry.ErrNoValue) && result.Reason == tarry.ReasonTime:
		return exit{exitNoValue, fmt.Errorf("%w\nthe time is over after %s", err, further)}
	case errors.Is(err, tarry.ErrNoValue):
		return exit{exitNoValue, err}
	case err != nil:
		return failure(err)
	}
	return failure(printed)
}

// anew is what else than going on may be done where all failed: a study that has found nothing has only the failures to lose.
func anew(r *tarry.Result) string {
	if r.Best != nil {
		return ""
	}
	return "begin anew with another --study or "
}

// heed stops the study at a signal: the first Ctrl-C lets what runs come to its end, the second does not, and whoever sends
// another signal does not wait either. It also stops it when commands cannot be started, or all fail; stop returns why.
func (l live) heed(cmd *cobra.Command, study *tarry.Run) (stop func() (cause error)) {
	signals := make(chan os.Signal, 4)
	listen(signals)
	done, gone := make(chan struct{}), make(chan struct{})
	var cause error
	go func() {
		defer close(gone)
		polite := true
		for {
			select {
			case cause = <-l.stops:
				all := errors.As(cause, new(doomed)) // then what runs may still come to another end
				study.Pause(!all)
				if all {
					fmt.Fprintln(cmd.ErrOrStderr(), "tarry: all have failed so far: nothing new is started; waiting for what runs")
				}
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
	return func() error {
		signal.Stop(signals)
		close(done)
		<-gone
		return cause
	}
}
