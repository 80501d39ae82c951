package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/command"
	"github.com/tarry-bo/tarry/internal/spacefile"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// task is what a study that runs a command is made of, besides the study itself. It is kept beside the journal.
type task struct {
	Command    []string      `json:"command"` // with placeholders
	WorkDir    string        `json:"work_dir"`
	Workers    int           `json:"workers"`
	Grace      time.Duration `json:"grace_ns"`        // between SIGTERM and SIGKILL
	Infeasible int           `json:"infeasible_code"` // exit codes; -1 for none
	Lost       int           `json:"lost_code"`
}

// taskName is what a task is kept under.
const taskName = "tune"

// request is the command line of tune.
type request struct {
	task
	space, study, policy string
	options              tarry.Options
	quiet                bool
}

func newTune() *cobra.Command {
	var r request
	cmd := &cobra.Command{
		Use:   "tune --space FILE --budget N [FLAGS] -- COMMAND [ARGUMENTS]",
		Short: "Tune a command",
		Long: `Run a command again and again, each time with other parameters, and find those with the greatest value (--minimize: the
smallest). Many evaluations run at once, and the next point is chosen without waiting for those that are under way.

The command gets its parameters as
  placeholders  {lr} anywhere in its arguments; {{ is a literal brace. {evaluation}, {attempt} and {parameters} (the JSON
                file) are there too
  environment   TARRY_LR; TARRY_EVALUATION, TARRY_ATTEMPT, TARRY_LOG_DIR (its folder)
  a JSON file   whose path is TARRY_PARAMETERS

Its value is the last line of standard output that is a number, or a JSON object such as
  {"value": 0.93, "cost": 12.5, "constraints": [-0.1], "infeasible": false}
Only value must be there. Constraints hold where they are <= 0.

  exit code 0   the value counts; without one the attempt has failed
  exit code 65  the point is infeasible: it is not tried again (--infeasible-code)
  exit code 75  the attempt was lost through no fault of the point, and is tried again (--lost-code)
  any other     the attempt has failed, and is tried again as --retries says

What each attempt printed is in STUDY.logs/NUMBER.ATTEMPT. After --timeout the whole process group is ended.

Ctrl-C once: nothing new is started, and what runs is waited for. Twice: it is ended. Either way, as after kill -9 or a
power cut, tarry resume STUDY goes on.
` + exitCodes,
		Example: `  printf 'parameters:\n- {name: lr, type: float, low: 1e-5, high: 1, log: true}\n- {name: layers, type: int, low: 1, high: 8}\n' > space.yaml

  tarry tune --space space.yaml --budget 20 --workers 4 --study s.db -- \
    awk 'BEGIN {{ print 1 - (log({lr})/log(10)+2)^2/4 - ({layers}-5)^2/20 }'

  printf '#!/bin/sh\nawk "BEGIN { print (log($2)/log(10)+2)^2 + ($4-5)^2 }"\n' > train.sh && chmod +x train.sh

  tarry tune --space space.yaml --budget 20 --study t.db --minimize --timeout 10m --retries 2 -- \
    ./train.sh --lr {lr} --layers {layers}`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Command = args
			return r.run(cmd)
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.space, "space", "", "`FILE` with the parameters, JSON or YAML")
	f.StringVar(&r.study, "study", "study.db", "`FILE` that will hold the study")
	f.StringVar(&r.policy, "policy", tarry.DefaultPolicy, "`POLICY` that chooses the points; tarry policies lists them")
	f.IntVar(&r.options.Budget, "budget", 0, "`EVALUATIONS` in all")
	f.IntVar(&r.Workers, "workers", 1, "`EVALUATIONS` at once")
	f.BoolVar(&r.options.Minimize, "minimize", false, "the smallest value is the best")
	f.DurationVar(&r.options.Timeout, "timeout", 0, "`TIME` for one attempt, as in 90s or 10m; 0 means as long as it takes")
	f.IntVar(&r.options.Retries, "retries", 0, "`ATTEMPTS` after one that failed or took too long")
	f.Uint64Var(&r.options.Seed, "seed", 0, "`SEED` of every random choice")
	f.IntVar(&r.options.Initial, "initial", 0, "`EVALUATIONS` at random points before the policy chooses; 0 means 2 d + 1, at most half the budget")
	f.DurationVar(&r.Grace, "grace", 2*time.Second, "`TIME` between SIGTERM and SIGKILL")
	f.IntVar(&r.Infeasible, "infeasible-code", 65, "exit `CODE` of a command whose point is infeasible; -1 for none")
	f.IntVar(&r.Lost, "lost-code", 75, "exit `CODE` of a command that was preempted; -1 for none")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no progress")
	return cmd
}

func (r *request) run(cmd *cobra.Command) error {
	space, runner, err := r.prepare()
	if err != nil {
		return usage(err)
	}
	store, err := sqlite.Create(r.study)
	switch {
	case errors.Is(err, sqlite.ErrExists):
		return usage(fmt.Errorf("study %s exists already: go on with it by\n  tarry resume %s\nor give another --study", r.study, r.study))
	case err != nil:
		return opening(err)
	}
	defer store.Close()
	if err := r.keep(cmd, store); err != nil {
		return failure(err)
	}
	return live{store, runner, space, r.task, r.options, r.quiet}.run(cmd, false)
}

// prepare looks at everything that the user said, before anything is written.
func (r *request) prepare() (tarry.Space, *command.Runner, error) {
	if r.space == "" {
		return tarry.Space{}, nil, errors.New("--space is missing: want the file with the parameters")
	}
	if len(r.Command) == 0 {
		return tarry.Space{}, nil, errors.New("the command is missing: want it behind --, as in tarry tune --space space.yaml --budget 20 -- ./train.sh {lr}")
	}
	space, err := spacefile.Read(r.space)
	if err != nil {
		return space, nil, err
	}
	if n := len(space.Contexts()); n > 0 {
		return space, nil, fmt.Errorf("%s: %d parameters have the role context, which tune cannot set: want tarry asktell", r.space, n)
	}
	var errs []error
	policy, err := tarry.ParsePolicy(r.policy)
	errs = append(errs, err)
	r.options.Policy = policy
	if r.WorkDir, err = os.Getwd(); err != nil {
		errs = append(errs, err)
	}
	o := r.options
	o.Workers = max(r.Workers, -1)
	if r.Workers == 0 {
		errs = append(errs, errors.New("--workers = 0: want 1 ≤ workers ≤ 1024"))
	}
	errs = append(errs, flagged(o.Validate(space)))
	runner, err := r.runner(space, r.study)
	errs = append(errs, err)
	return space, runner, errors.Join(errs...)
}

// flagged speaks of flags where the package speaks of options.
func flagged(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	for _, name := range []string{"Budget", "Workers", "Timeout", "Retries", "Seed", "Initial", "Lease"} {
		text = strings.ReplaceAll(text, "Options."+name, "--"+strings.ToLower(name))
	}
	return errors.New(text)
}

// runner is what runs the command of a task. A program that does not exist is an error here rather than in every attempt.
func (t task) runner(space tarry.Space, study string) (*command.Runner, error) {
	template, err := command.ParseTemplate(t.Command, space)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	program := t.Command[0]
	if !strings.Contains(program, "{") {
		if strings.Contains(program, "/") && !filepath.IsAbs(program) {
			program = filepath.Join(t.WorkDir, program)
		}
		if _, err := exec.LookPath(program); err != nil {
			return nil, fmt.Errorf("command %s: %w", t.Command[0], errors.Unwrap(err))
		}
	}
	runner := &command.Runner{
		Template: template, Dir: logsOf(study), Shim: []string{self, shimWord}, Grace: t.Grace, WorkDir: t.WorkDir, Space: space,
		InfeasibleCode: t.Infeasible, LostCode: t.Lost,
	}
	return runner, runner.Validate()
}

// logsOf is the folder of what the attempts of a study printed.
func logsOf(study string) string { return study + ".logs" }

// keep writes the task beside the journal that is about to begin. Logs that lie there already belong to a study that is gone,
// whose answers nobody must take for this one's.
func (r *request) keep(cmd *cobra.Command, store *sqlite.Store) error {
	logs := logsOf(r.study)
	if entries, err := os.ReadDir(logs); err == nil && len(entries) > 0 {
		aside := fmt.Sprintf("%s.old-%s", logs, time.Now().Format("20060102-150405.000"))
		if err := os.Rename(logs, aside); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "tarry: logs of another study are now in %s\n", aside)
	}
	text, err := json.Marshal(r.task)
	if err != nil {
		return err
	}
	return store.Keep(taskName, text)
}

// opening is an error of a file that should hold a study.
func opening(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sqlite.ErrInUse):
		return exit{exitInUse, err}
	case errors.Is(err, sqlite.ErrNoStudy), errors.Is(err, sqlite.ErrExists):
		return usage(err)
	}
	return failure(err)
}
