package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/command"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

// request is the command line of tune.
type request struct {
	task
	space, file      string
	study            loop.Config
	options          tarry.Options
	points           string   // file of a list; empty: all points of the space
	enqueue, observe string   // files
	taught           string   // file; empty: there is none
	earlier          []string // files
	prior            string   // file
	quiet            bool
	door             door
	costs            bool // whether a budget in cost was given, be it 0
	named            bool // whether a policy was named
}

func newTune() *cobra.Command {
	r := request{task: task{MaxOutput: 64 << 20}}
	r.study.Traits.Name = tarry.DefaultPolicy
	cmd := &cobra.Command{
		Use:     "tune --space FILE --budget N [FLAGS] -- COMMAND [ARGUMENTS]",
		Short:   "Tune a command",
		Long:    tuneHelp,
		Example: tuneExample,
		Args:    cobra.ArbitraryArgs, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := commanded(cmd, args, "tarry tune --space space.yaml --budget 20 -- ./train.sh {lr}"); err != nil {
				return usage(err)
			}
			r.Command = args
			return r.run(cmd)
		},
	}
	optionFlags(cmd, r.study.Options(), "pending", "lease") // a command answers itself
	optionFlags(cmd, runOptions(&r.options), "any-program")
	f := cmd.Flags()
	f.StringVar(&r.space, "space", "", "`FILE` with the parameters, JSON or YAML")
	f.StringVar(&r.points, "points", "", pointsUsage)
	f.StringVar(&r.file, "study", "study.db", "`FILE` that will hold the study")
	f.IntVar(&r.Workers, "workers", 1, "`EVALUATIONS` at once")
	f.StringVar(&r.enqueue, "enqueue", "", "`FILE.csv` with points to try first")
	f.StringVar(&r.observe, "observe", "", "`FILE.csv` with known results, which teach the model at no cost")
	f.DurationVar(&r.Grace, "grace", 2*time.Second, "`TIME` between SIGTERM and SIGKILL")
	f.IntVar(&r.Infeasible, "infeasible-code", 65, "exit `CODE` of a command whose point is infeasible; -1 for none")
	f.IntVar(&r.Lost, "lost-code", 75, "exit `CODE` of a command that was preempted; -1 for none")
	f.IntVar(&r.MaxFailures, "max-failures", mostFailures, failuresUsage)
	f.Var(&r.MaxOutput, "max-output", "`SIZE` of what is kept of each output of an attempt, as in 500kB, 10MB or 64MiB; 0 means all")
	f.StringVar(&r.Learned, "sequence", "", learnedUsage)
	f.StringVar(&r.taught, "taught", "", taughtUsage)
	f.StringSliceVar(&r.earlier, "learn-from", nil, earlierUsage)
	f.StringVar(&r.prior, "prior", "", priorUsage)
	r.door.flags(f, "")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no progress")
	completed(cmd)
	return cmd
}

func (r *request) run(cmd *cobra.Command) (err error) {
	r.costs, r.named = cmd.Flags().Changed("budget-cost"), cmd.Flags().Changed("policy")
	space, err := r.prepare(cmd.ErrOrStderr())
	if err != nil {
		return usage(err)
	}
	if err := r.door.ajar(cmd.ErrOrStderr()); err != nil {
		return err
	}
	defer r.door.shut()
	store, err := sqlite.Create(r.file)
	switch {
	case errors.Is(err, sqlite.ErrExists):
		return usage(existing(r.file))
	case err != nil:
		return opening(err)
	}
	defer closing(store, &err)
	if r.Logs, err = logsOf(r.file); err != nil {
		return failure(err)
	}
	runner, err := r.ready(space, r.study.Constraints, r.Logs)
	if err != nil {
		return usage(err)
	}
	if err := errors.Join(setAside(cmd.ErrOrStderr(), r.Logs), r.task.keep(store)); err != nil {
		return failure(err)
	}
	remark(cmd.ErrOrStderr(), space)
	if warning := runner.Template.Interpreted(); warning != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), "tarry:", warning)
	}
	l := live{store: store, runner: runner, space: space, task: r.task, options: r.options, timeout: r.options.Timeout, quiet: r.quiet, began: r.study.Learned, door: &r.door}
	return l.run(cmd, false)
}

// prepare looks at everything that the user said, before anything is written.
func (r *request) prepare(log io.Writer) (tarry.Space, error) {
	description, err := describe(log, r.space, r.points)
	space := description.Space
	if err != nil {
		return space, err
	}
	r.study.Constraints, r.study.Seeds = description.Constraints, description.Seeds
	if c := space.Contexts(); len(c) > 0 {
		return space, fmt.Errorf("%s: %s the role context, which tune cannot set: want tarry asktell", r.space, have(len(c)))
	}
	r.study.Exclusive = true // no more commands run than there are workers
	var unread error
	r.Learned, r.study.Learned, unread = openLearned(r.Learned)
	taught, untaught := openTaught(r.taught)
	r.study.Taught = taught
	prior, unheld := openPrior(r.prior)
	r.study.Prior = prior
	earlier, unknown := learnFrom(log, r.earlier, r.file, space, r.study.Minimize)
	if r.study.Earlier = earlier; earlier != nil {
		r.study.Traits.Name = taughtBy(r.study.Traits.Name, r.named)
	}
	option.Copy(&r.options, &r.study)
	r.Target = r.options.Target
	policy, err := tarry.ParsePolicy(r.study.Traits.Name)
	errs := []error{err, unread, untaught, unknown, unheld}
	if r.options.Policy = policy; err == nil && unread == nil {
		errs = append(errs, teaches(r.Learned, policy.Traits()))
	}
	if r.WorkDir, err = os.Getwd(); err != nil {
		return space, fmt.Errorf("working directory: %w", err)
	}
	errs = append(errs, r.begin(log, space), r.costless())
	o := r.options
	if o.Policy == nil { // what is wrong with it has been said, and what only some policies take is not judged by another one
		o.Seeds, o.Learned, o.Earlier, o.Prior, o.Taught = nil, nil, nil, nil, nil
	}
	o.Workers = min(max(r.Workers, 1), tarry.MaxWorkers)
	codes := check.Renamed(command.ValidateCodes(r.Infeasible, r.Lost), "infeasible-code", "--infeasible-code", "lost-code", "--lost-code")
	errs = append(errs, workersAllowed(r.Workers), failuresAllowed(r.MaxFailures), flagged(o.Validate(space)), codes, located(r.file, "--study"))
	t := r.task
	if codes != nil { // what is wrong with them has been said
		t.Infeasible, t.Lost = -1, -1
	}
	_, err = t.ready(space, r.study.Constraints, "logs") // where they are is known when the study is there
	return space, errors.Join(append(errs, err)...)
}

// costless returns why a budget in cost that was given, and is 0, is none.
func (r *request) costless() error {
	var c check.List
	c.Require(!r.costs || r.study.BudgetCost != 0 || r.study.Budget != 0, "--budget-cost", 0, "0 < budget-cost < inf, or a --budget")
	return c.Err()
}

// begin reads how the study begins: the points that come first, and what is known.
func (r *request) begin(log io.Writer, space tarry.Space) error {
	var errs []error
	if r.enqueue != "" {
		first, err := readPoints(r.enqueue, space)
		if err != nil {
			errs = append(errs, fmt.Errorf("--enqueue: %w", err))
		}
		r.options.First = first
	}
	if r.observe != "" {
		k := knowledge{named: r.study.Constraints, sense: senseOf(tarry.Past{Minimize: r.study.Minimize})}
		if err := readKnown(r.observe, space, &k); err != nil {
			errs = append(errs, fmt.Errorf("--observe: %w", err))
		} else if r.options.Known = k.known; k.left > 0 {
			fmt.Fprintf(log, "tarry: --observe %s: %s; %s%s\n", r.observe, several(len(k.known), "value"), k.lacking(), k.others.otherwise(valuing(k.named)))
		}
	}
	return errors.Join(errs...)
}

// several is how many there are of something.
func several(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// have begins a sentence about so many parameters.
func have(n int) string {
	if n == 1 {
		return "1 parameter has"
	}
	return fmt.Sprintf("%d parameters have", n)
}

// workersAllowed returns why there cannot be so many workers.
func workersAllowed(n int) error {
	var c check.List
	c.Require(n >= 1 && n <= tarry.MaxWorkers, "--workers", n, fmt.Sprintf("1 ≤ workers ≤ %d", tarry.MaxWorkers))
	return c.Err()
}

// commanded returns why there is no command behind the dashes.
func commanded(cmd *cobra.Command, args []string, example string) error {
	form := "as in\n  " + example
	switch at := cmd.ArgsLenAtDash(); {
	case len(args) == 0:
		return errors.New("the command is missing: want it behind --, " + form)
	case at != 0:
		return fmt.Errorf("%s stands before the --: want the command behind it, %s", quoted(args[0]), form)
	}
	return nil
}
