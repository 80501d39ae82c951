package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

func newResume() *cobra.Command {
	l := live{door: &door{}}
	var workers, failures int
	cmd := &cobra.Command{
		Use:   "resume STUDY",
		Short: "Go on with a study that tune began",
		Long: `Go on with a study where it was, whatever ended the process before. What is left of its commands is ended first. An
evaluation whose command had ended with an answer while nobody listened, or had printed a value when its time was up, has its
answer from the log, also where it had been given up; any other that was running starts again at the same point, also where
its command had printed a value and had not ended yet, unless it then ends with 0. A study that has come to its end shows
what it found, and goes on where --budget or --budget-cost gives it more: as much in all, what was spent included. A budget
may be lowered too, down to what was spent. One that ended for its --target goes on with a better one, and with no other.
--max-time counts from now. A study that remote workers evaluate gets another budget, and its server goes on with it.

A study goes on only with the program that began it: the same version of tarry and release of Go on the same architecture,
since others may compute other last digits. --any-program goes on all the same. Where the patch versions of Go differ, as
1.26.3 and 1.26.4 do, a warning says so. Every digest is compared on the way.
` + exitCodes,
		Example: `  tarry resume s.db
  tarry resume s.db --workers 16
  tarry resume s.db --budget 25 --max-time 8h   # five evaluations more than the twenty of the beginning
  tarry resume v.db --budget-cost 80            # in all, of which the 60 of the beginning are spent`,
		Args: exactly("STUDY"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := located(args[0], "STUDY"); err != nil {
				return usage(err)
			}
			if err := l.door.ajar(cmd.ErrOrStderr()); err != nil {
				return err
			}
			defer l.door.shut()
			store, err := sqlite.Open(args[0])
			if err != nil {
				return opening(err)
			}
			defer closing(store, &err)
			l.store = store
			if err := errors.Join(budgeted(cmd, l.options.Budget), costed(cmd, l.options.BudgetCost), failuresAllowed(failures)); err != nil {
				return usage(err)
			}
			if err := option.Check("Options", &l.options, runOptions(&l.options)); err != nil {
				return usage(flagged(err))
			}
			if crewed, err := rebudget(cmd, store, args[0], l.options); crewed || err != nil {
				return err
			}
			if err := l.recall(cmd, args[0], workers, failures); err != nil {
				return err
			}
			if l.reason == tarry.ReasonTarget && l.options.Target == nil && (l.options.Budget != 0 || l.options.BudgetCost != 0) {
				l.task.Target = nil // it was reached, and more is wanted
			}
			return l.run(cmd, true)
		},
	}
	optionFlags(cmd, runOptions(&l.options))
	f := cmd.Flags()
	f.IntVar(&workers, "workers", 0, "`EVALUATIONS` at once; 0 means as when it was begun")
	f.IntVar(&failures, "max-failures", 0, failuresUsage+"; without it as when it was begun")
	f.IntVar(&l.options.Budget, "budget", 0, "`EVALUATIONS` in all from now on; without it as many as before")
	f.Float64Var(&l.options.BudgetCost, "budget-cost", 0, "what all may `COST` together from now on; without it as before")
	f.String("sequence", "", "`FILE` that gets what the study learned"+rememberedUsage)
	l.door.flags(f, "")
	f.BoolVarP(&l.quiet, "quiet", "q", false, "no progress")
	f.Lookup("target").Usage += "; without it the one of before"
	cmd.SetFlagErrorFunc(beginning)
	completed(cmd)
	return cmd
}

// beginning says of a flag of tune that resume has not why that is so.
func beginning(_ *cobra.Command, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown || newTune().Flags().Lookup(name) == nil {
		return err
	}
	return fmt.Errorf("--%s is of the beginning of a study, which has it from there: resume takes --budget, --budget-cost, --target, --max-time, --workers, --max-failures, --sequence, --any-program, --http with its flags and --quiet", name)
}

// budgeted returns why a budget that was given for a study that is there cannot be meant: the zero of the library is none.
func budgeted(cmd *cobra.Command, n int) error {
	var c check.List
	c.Require(!cmd.Flags().Changed("budget") || n >= 1 && n <= tarry.MaxBudget, "--budget", n, fmt.Sprintf("1 ≤ budget ≤ %d", tarry.MaxBudget))
	return c.Err()
}

// costed is budgeted for a budget in cost.
func costed(cmd *cobra.Command, cost float64) error {
	var c check.List
	c.Require(!cmd.Flags().Changed("budget-cost") || cost > 0 && !math.IsInf(cost, 1), "--budget-cost", cost, "0 < budget-cost < inf")
	return c.Err()
}

// recall reads what kind of study it is, ends what is left of its commands, and hears what they have left. Whatever keeps the study from
// going on is said before.
func (l *live) recall(cmd *cobra.Command, study string, workers, failures int) error {
	header, err := l.store.Header()
	if err != nil {
		return failure(err)
	}
	text, err := l.store.Kept(taskName)
	if err != nil {
		return failure(err)
	}
	if text == nil {
		return commandless(l.store, study, header.Config.Traits.Name)
	}
	if err := json.Unmarshal(text, &l.task); err != nil {
		return failure(fmt.Errorf("study %s: what it runs: %w", study, err))
	}
	if l.task.Learned, err = goesTo(cmd, l.task.Learned, lesson{"", "", header.Config.Learned, l.store}, header.Config.Traits); err != nil {
		return usage(err)
	}
	begun := l.task
	if workers != 0 {
		l.task.Workers = workers
	}
	if cmd.Flags().Changed("max-failures") {
		l.task.MaxFailures = failures
	}
	if err := workersAllowed(l.task.Workers); err != nil {
		return usage(err)
	}
	if err := l.ours(cmd.ErrOrStderr(), header); err != nil {
		return advice(err)
	}
	logs, err := logsNow(study, l.task.Logs)
	if err != nil {
		return failure(err)
	}
	l.space, l.timeout, l.began = header.Config.Space, header.Config.Timeout, header.Config.Learned
	if l.runner, err = l.task.ready(l.space, header.Config.Constraints, logs[0]); err != nil {
		return failure(fmt.Errorf("study %s: %w", study, err))
	}
	known, recorder, err := journal.Resume(l.store)
	if err != nil {
		return failure(err)
	}
	defer recorder.Yield()
	if err := known.Affords(l.options.Budget, l.options.BudgetCost); err != nil {
		return usage(flagged(check.Renamed(err, "Config.", "Options.")))
	}
	further := l.options.Target != nil && !reached(known, *l.options.Target)
	if further {
		l.task.Target, begun.Target = l.options.Target, l.options.Target
	}
	if further || cmd.Flags().Changed("sequence") { // not before: a resume that is refused leaves the study as it was
		if err := begun.keep(l.store); err != nil {
			return failure(err)
		}
	}
	if err := sweep(cmd.ErrOrStderr(), logs...); err != nil {
		return failure(err)
	}
	return failure(l.hearUnheard(cmd.ErrOrStderr(), known, recorder))
}

// reached reports whether a study has ended at its target, and no further one than a value that it has: it cannot go on with that, and keeps
// its own.
func reached(study *loop.Loop, target float64) bool {
	best := study.Best()
	return study.Reason() == loop.ReasonTarget && best != nil && study.Config().Sense().Reaches(best.Value, target)
}

// commandless says how to go on with a study, of a policy, that runs no command.
func commandless(store *sqlite.Store, study, policy string) error {
	if err := strange(study, policy); err != nil {
		return usage(err)
	}
	mark, err := store.Kept(sessionName)
	switch {
	case err != nil:
		return failure(err)
	case mark != nil:
		return usage(fmt.Errorf("study %s runs no command: go on with it by\n  %s", study, session(study)))
	}
	return usage(fmt.Errorf("study %s was made by a program, which has its objective: go on with it there, by\n  %s\nor by hand, in JSON, by\n  %s",
		study, inProgram, session(study)))
}

// strange says how to go on with a study whose policy cannot be made here from its name; nil where it can.
func strange(study, policy string) error {
	if _, err := tarry.ParsePolicy(policy); err == nil {
		return nil
	}
	return fmt.Errorf("study %s was made by a program with a policy of its own, %s, which is not known here: go on with it there, by\n  %s and with the policy as Options.Policy",
		study, plain(quoted(policy)), inProgram)
}

// manned says how to go on with a study that remote workers evaluate.
func manned(study string) error {
	return fmt.Errorf("study %s is evaluated by remote workers, and asked and told by nobody else: go on with it by\n  %s", study, serving(study))
}

// inProgram is how a program goes on with its study.
const inProgram = "tarry.Resume or tarry.StartOrResume, with the store of sqlite.Open"

// ours returns why this program cannot go on with a study, and warns of what is different all the same.
func (l *live) ours(log io.Writer, h journal.Header) error {
	this := journal.ThisProgram()
	if d := h.Program.Refuses(this); len(d) > 0 && !l.options.AnyProgram {
		return fmt.Errorf("%w: %s", tarry.ErrOtherProgram, strings.Join(d, ", "))
	}
	warnOf(log, h.Program.Differences(this))
	if _, err := tarry.ParsePolicy(h.Config.Traits.Name); err != nil {
		return errors.New(err.Error()) // of the study, and so no violation of a flag
	}
	return nil
}

// warnOf says what the program that wrote a study has that this one has not, where it goes on.
func warnOf(log io.Writer, differences []string) {
	if len(differences) > 0 {
		fmt.Fprintf(log, "tarry: the study was written by another program: %s; it goes on, and every digest is compared\n", strings.Join(differences, ", "))
	}
}

// advice adds what to do to an error.
func advice(err error) error {
	if errors.Is(err, tarry.ErrOtherProgram) {
		return usage(fmt.Errorf("%w\ngo on with the program that began the study, or with --any-program", err))
	}
	if errors.Is(err, tarry.ErrInvalidOption) {
		return usage(flagged(err))
	}
	return failure(err)
}
