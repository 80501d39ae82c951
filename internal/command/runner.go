// Package command runs a user's command line once for each evaluation, so that neither the death of this process nor
// that of the command loses a result, leaves a process behind, or holds anybody up.
//
// A template says where the values go: ParseTemplate([]string{"./train.sh", "--lr", "{lr}"}, space). Runner.Run gives
// each attempt a folder of its own with what the command printed, its parameters and how it ended. The command is not
// started by this process but by a second instance of it, which calls Shim (as internal/shim does): the leader of a new process group,
// which outlives this process, reads what the command prints, records how it ended, and takes down whatever it left
// running. A lock in the folder is held as long as any descendant lives, so that after a crash Sweep finds what is still
// running, and Run what had ended with a result.
//
//	runs/000017.1/  stdout  stderr  parameters.json  command.json  lock  exit.json  stop.json  reports
//
// Process groups and locks are those of Linux and macOS. Elsewhere only the command itself is killed, and Sweep finds
// nothing. On Linux descendants are found even where they have left the group.
package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

const (
	defaultGrace = 2 * time.Second
	killPatience = 5 * time.Second
)

// Runner runs a command for each evaluation. It is safe for concurrent use by different attempts; two runs of the same
// attempt at the same time take each other for dead.
type Runner struct {
	Template       Template
	Dir            string               // holds the folders of all attempts; made where it is missing
	Shim           []string             // program and first arguments of this executable that lead to Shim
	Grace          time.Duration        // between SIGTERM and SIGKILL; 0 stands for 2 s
	WorkDir        string               // where the command runs; empty stands for the working directory of this process
	Space          space.Space          // the one the template was parsed with
	InfeasibleCode int                  // exit code of a command whose point is infeasible; 0 stands for 65, -1 for none
	LostCode       int                  // exit code of a command that was preempted; 0 stands for 75, -1 for none
	MaxOutput      int64                // bytes that are kept of standard output, and of standard error; 0 for all
	Constraints    []outcome.Constraint // that the study names, which every value comes with; nil for none
}

// Validate reports every violation at once.
func (r *Runner) Validate() error {
	var c check.List
	c.Require(len(r.Template.written) > 0, "Runner.Template", "empty", "one made by ParseTemplate")
	c.Require(r.Dir != "", "Runner.Dir", strconv.Quote(r.Dir), "the path of a folder")
	c.Require(len(r.Shim) > 0 && r.Shim[0] != "", "Runner.Shim", fmt.Sprintf("%q", r.Shim), "a program that calls Shim")
	c.Require(r.Grace >= 0, "Runner.Grace", r.Grace, "a duration ≥ 0")
	c.Join(r.validateCodes())
	c.Require(r.MaxOutput == 0 || r.MaxOutput >= minOutput, "Runner.MaxOutput", r.MaxOutput, fmt.Sprintf("0 for all, or ≥ %d", minOutput))
	c.Require(r.Space.Dim() == len(r.Template.parameters), "Runner.Space", fmt.Sprintf("%d parameters", r.Space.Dim()),
		fmt.Sprintf("the space of the template, which has %d", len(r.Template.parameters)))
	return c.Err()
}

// Run returns the outcome of one attempt at the point x, in user units. First it looks into the folders of this and
// the earlier attempts at the evaluation: an outcome found there, for the same values and template, is adopted and
// nothing is run. When ctx ends the command gets SIGTERM and after Grace SIGKILL, with all its descendants; what it brings
// nevertheless counts, and what it had said by then in a whole line, unless it then ends by an exit code of its own: one
// other than 0, 143 and 137, of which the last two are those of a shell whose child a signal has ended. Run returns when all
// of them are gone, or 5 s after SIGKILL. Every error is an *Error; one that came with the end of ctx also wraps what ended
// it.
func (r *Runner) Run(ctx context.Context, evaluation, attempt int, x space.Point) (Report, error) {
	return r.RunReporting(ctx, evaluation, attempt, x, nil)
}

// RunReporting is Run that also tells what the command reports on its way, as it comes and in order, from one goroutine at a time: all of it
// before it returns. An outcome that is adopted reports nothing.
func (r *Runner) RunReporting(ctx context.Context, evaluation, attempt int, x space.Point, tell func(step, value float64)) (Report, error) {
	if err := errors.Join(r.Validate(), contained(r.Space, x)); err != nil {
		return Report{}, notStarted(err)
	}
	dir, err := root(r.Dir)
	if err != nil {
		return Report{}, notStarted(err)
	}
	parameters := parametersJSON(r.Space, x)
	if o, ok, err := r.adopt(dir, evaluation, attempt, parameters); err != nil {
		return Report{}, unread(err)
	} else if ok {
		return o, nil
	}
	if err := context.Cause(ctx); err != nil {
		return Report{}, notStarted(err)
	}
	f := attemptFolder(dir, evaluation, attempt)
	if o, ok, err := r.clear(f, parameters); err != nil {
		return Report{}, notStarted(err)
	} else if ok {
		return o, nil
	}
	due, _ := ctx.Deadline()
	shim, err := r.start(f, evaluation, attempt, x, due)
	if err != nil {
		return Report{}, notStarted(err)
	}
	if tell != nil {
		following, end := context.WithCancel(context.WithoutCancel(ctx))
		var gone sync.WaitGroup
		gone.Go(func() { f.follow(following, tell) })
		defer gone.Wait()
		defer end()
	}
	return r.await(ctx, f, shim)
}

// adopt returns the outcome of the first attempt up to this one that has one.
func (r *Runner) adopt(dir string, evaluation, attempt int, parameters []byte) (o Report, ok bool, err error) {
	for a := 1; a <= attempt && !ok && err == nil; a++ {
		o, ok, err = r.adoptFrom(attemptFolder(dir, evaluation, a), parameters)
	}
	return o, ok, err
}

// adoptFrom returns the outcome that a folder holds, if it is one of the same values and template. The error says that
// this cannot be known now.
func (r *Runner) adoptFrom(f folder, parameters []byte) (Report, bool, error) {
	record, missing := f.end()
	if exhausted(missing) {
		return Report{}, false, missing
	}
	stopped, err := f.stopped(record)
	if err != nil || missing != nil && (!stopped || f.held()) {
		return Report{}, false, err
	}
	if ours, err := f.belongs(r.Template, parameters); !ours {
		return Report{}, false, err
	}
	o, err := r.judge(f, record, stopped)
	o.Adopted = err == nil
	return o, err == nil, onlyExhausted(err)
}

// clear makes room for a folder. What still runs in one of that name is killed first; should it answer to that with an
// outcome, that is adopted after all.
func (r *Runner) clear(f folder, parameters []byte) (Report, bool, error) {
	if _, err := os.Lstat(string(f)); errors.Is(err, os.ErrNotExist) {
		return Report{}, false, nil
	}
	if err := errors.Join(
		f.sweep(r.grace(), lockPatience, unreported),
		endMarked(filepath.Dir(string(f)), filepath.Base(string(f)), r.grace(), lockPatience, unreported),
	); err != nil {
		return Report{}, false, err
	}
	if o, ok, err := r.adoptFrom(f, parameters); ok || err != nil {
		return o, ok, err
	}
	return Report{}, false, f.setAside()
}

func (r *Runner) grace() time.Duration {
	if r.Grace == 0 {
		return defaultGrace
	}
	return r.Grace
}

// start fills the folder and starts the shim. The lock is held from before that, so that at no moment something runs
// in a folder that looks abandoned.
func (r *Runner) start(f folder, evaluation, attempt int, x space.Point, due time.Time) (shim *exec.Cmd, err error) {
	workDir, err := filepath.Abs(r.WorkDir)
	if err != nil {
		return nil, fmt.Errorf("working directory: %w", err)
	}
	if err := os.Mkdir(string(f), folderMode); err != nil {
		return nil, err
	}
	var files [3]*os.File
	for i, file := range []string{lockFile, stdoutFile, stderrFile} {
		if files[i], err = os.OpenFile(f.path(file), os.O_CREATE|os.O_EXCL|os.O_RDWR, fileMode); err != nil {
			return nil, err
		}
		defer files[i].Close()
	}
	if free, err := tryLock(files[0]); err != nil || !free {
		return nil, errors.Join(err, fmt.Errorf("%s cannot be locked", f.path(lockFile)))
	}
	args := r.Template.Expand(x, evaluation, attempt, f.path(parametersFile))
	record := mustJSON(commandRecord{Args: args, Template: mustJSON(r.Template.written), WorkDir: workDir, Started: time.Now()})
	if err := errors.Join(
		os.WriteFile(f.path(parametersFile), parametersJSON(r.Space, x), fileMode),
		os.WriteFile(f.path(commandFile), append(record, '\n'), fileMode),
	); err != nil {
		return nil, err
	}
	shim = exec.Command(programOf(r.Shim[0]), r.shimArguments(f, workDir, due, args)...)
	shim.Args[0] = r.Shim[0]
	shim.Env = append(inherited(r.Space, x), environment(r.Space, x, evaluation, attempt, f)...)
	shim.Stdout, shim.Stderr = files[1], files[2]
	passLock(shim, files[0])
	newGroup(shim)
	return shim, shim.Start()
}

// await waits for the end of the shim, or ends it when ctx does, and returns the outcome.
func (r *Runner) await(ctx context.Context, f folder, shim *exec.Cmd) (Report, error) {
	// Its number is surely the shim's until somebody waits for it.
	g := group{leader: shim.Process.Pid, identity: identity(shim.Process.Pid), folder: f}
	cleared := func() bool { return shim.ProcessState != nil && shim.ProcessState.Success() }
	ended := make(chan struct{})
	go func() {
		_ = shim.Wait() // exit.json says more, and ProcessState the rest
		close(ended)
	}()
	escaped := g.escaped()
	gone := func() bool { return isClosed(ended) && !g.alive() && (cleared() || !escaped()) }
	var stopped error
	late := false
	var asked time.Time // to end
	select {
	case <-ended:
		if !gone() { // the shim has not cleared up, and cannot any more
			poll(killPatience, func() bool { g.kill(); return gone() })
		}
	case <-ctx.Done():
		stopped, late, asked = context.Cause(ctx), overdue(ctx), time.Now()
		if late {
			f.stop(stopped)
		}
		escaped() // to know them later
		if !g.end(r.grace(), killPatience, gone) {
			stopped = fmt.Errorf("%w, and process group %d outlives SIGKILL", stopped, g.leader)
		}
	}
	var o Report
	record, err := f.end()
	if late && err == nil && record.endedBefore(asked) && gone() {
		stopped, late = nil, false // it had ended by itself, and something held its output
	}
	switch {
	case exhausted(err):
		err = unread(err)
	case err != nil && stopped == nil:
		err = unrecorded(f, shim)
	case err == nil || gone():
		o, err = r.judge(f, record, late)
	}
	switch {
	case err == nil:
		return o, nil
	case stopped == nil:
		return Report{}, err
	}
	return Report{}, stoppedBy(stopped, err)
}

// overdue reports whether the time of an attempt is up, by this clock or by that of whoever ended ctx. One that is ended before, with its
// process, is tried again: what it has said by then need not be its last word.
func overdue(ctx context.Context) bool {
	deadline, limited := ctx.Deadline()
	return limited && !time.Now().Before(deadline) || errors.Is(context.Cause(ctx), context.DeadlineExceeded)
}

// isClosed reports whether a channel has been closed.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
