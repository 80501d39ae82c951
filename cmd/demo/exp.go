package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/experiment"
)

// expCommand is the command of that name.
func expCommand() console.Command {
	return console.Command{Name: "exp", Summary: "run an experiment of the literature or of ours, with a report", Run: conduct, Flags: func() *console.Flags {
		_, f := newExp()
		return f
	}}
}

// expRequest is what the flags of an experiment say.
type expRequest struct {
	name                    string
	seeds, rounds, parallel int
	seed                    uint64
	data, json, report      string
	fresh                   bool
}

// noReport is the folder that means none.
const noReport = "-"

func newExp() (*expRequest, *console.Flags) {
	r := &expRequest{seeds: 20, seed: 1, parallel: min(runtime.GOMAXPROCS(0), console.MaxParallel)}
	f := console.NewFlags("exp", expHelp)
	f.Whole(&r.seeds, "seeds", 1, console.MaxSeeds, "`NUMBER` of runs of each method, with the seeds seed, seed+1, ...")
	f.Seed(&r.seed, "seed", "first `SEED`; it decides everything but the time it takes")
	f.Whole(&r.rounds, "rounds", 0, maxExpRounds, "`QUERIES` of a run after the initial ones; 0 means the experiment's own number")
	f.Text(&r.data, "data", "`PATH` of the data, for the experiments that read some ('demo exp' says which)")
	f.Text(&r.json, "json", "`FILE` for the raw results, one JSON object a line for each run; - means standard output")
	f.Text(&r.report, "report", "`FOLDER` for the report: one HTML page, its pictures as PNG, the raw results; empty means exp-NAME, - means none")
	f.Whole(&r.parallel, "parallel", 1, console.MaxParallel, "`RUNS` at once; changes the time only")
	f.Toggle(&r.fresh, "fresh", "begin anew instead of going on from runs that are in the file of results already")
	return r, f
}

const maxExpRounds = 10_000

// conduct is the command exp: one experiment, or the list of them.
func conduct(ctx context.Context, args []string, k console.Streams) error {
	r, f := newExp()
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		r.name, args = args[0], args[1:]
	}
	if err := f.Parse(args, k); err != nil {
		return err
	}
	if r.name == "" && len(args) == 0 {
		return listExperiments(k.Stdout)
	}
	e, plan, err := r.settle(f)
	if err != nil {
		return err
	}
	return r.perform(ctx, e, plan, k)
}

// settle finds the experiment and its plan. The error is usage with everything that is wrong.
func (r *expRequest) settle(f *console.Flags) (experiment.Experiment, experiment.Plan, error) {
	var plan experiment.Plan
	e, err := experiment.Get(r.name)
	f.Errs.Join(err)
	if r.json != "" && r.json != console.ToStdout {
		f.Errs.Join(console.Writable("-json", r.json))
	}
	if err := f.Refusal(); err != nil {
		return e, plan, err
	}
	plan, err = e.Prepare(experiment.Input{Rounds: r.rounds, Data: r.data})
	f.Errs.Join(err)
	if r.report == "" {
		r.report = "exp-" + e.Name
	}
	f.Errs.Join(r.options().Validate())
	f.Errs.Require(!r.collides(e), "-json", r.json, "a file that the report does not write; its own lines are in "+experiment.LinesName(e))
	if f.Errs.Err() == nil && r.report != noReport {
		f.Errs.Join(folder("-report", r.report))
	}
	return e, plan, f.Refusal()
}

// storePath is the file in which runs are kept as they end: that of the report, or without one that of -json; empty: none.
func (r *expRequest) storePath(e experiment.Experiment) string {
	switch {
	case r.report != noReport:
		return filepath.Join(r.report, experiment.LinesName(e))
	case r.json != "" && r.json != console.ToStdout:
		return r.json
	}
	return ""
}

// collides reports whether the file of -json would lie on one of the report.
func (r *expRequest) collides(e experiment.Experiment) bool {
	if r.json == "" || r.json == console.ToStdout || r.report == noReport {
		return false
	}
	file, err := filepath.Abs(r.json)
	folder, also := filepath.Abs(r.report)
	if err != nil || also != nil || filepath.Dir(file) != folder {
		return false
	}
	name := filepath.Base(file)
	return name == experiment.LinesName(e) || filepath.Ext(name) == ".html" || filepath.Ext(name) == ".png"
}

// options are those of the runs, without what they are told.
func (r *expRequest) options() experiment.Options {
	return experiment.Options{Seed: r.seed, Seeds: r.seeds, Parallel: r.parallel}
}

// perform does what is missing and shows all of it.
func (r *expRequest) perform(ctx context.Context, e experiment.Experiment, plan experiment.Plan, k console.Streams) (err error) {
	header, version, err := experiment.NewHeader(e, plan, r.rounds)
	if err != nil {
		return err
	}
	if r.json != "" && r.json != console.ToStdout && r.json != r.storePath(e) {
		if err := header.Replaceable(r.json, r.fresh); err != nil {
			return withAdvice(err)
		}
	}
	o := r.options()
	if path := r.storePath(e); path != "" {
		if o.Store, err = experiment.Open(path, header, r.fresh); err != nil {
			return withAdvice(err)
		}
		defer func() { err = errors.Join(err, o.Store.Close()) }() // when all is published, since the lock is its as well
	}
	runs, steps := plan.Missing(o)
	if all := len(plan.Arms) * r.seeds; runs < all {
		fmt.Fprintf(k.Stderr, "%d of %s are there already; -fresh would begin anew\n", all-runs, console.Plural(all, "run"))
	}
	m := console.NewMeter(k, runs, steps, r.json == console.ToStdout)
	o.OnStep, o.OnRun = m.Query, m.Run
	results, failure := plan.Perform(ctx, o)
	m.Stop()
	report := experiment.Report{Experiment: e, Plan: plan, Results: results, Header: header, Version: version, Command: r.commandLine()}
	if err := r.publish(report, k); err != nil {
		return errors.Join(failure, err)
	}
	return r.verdict(failure, results, o.Store != nil)
}

// verdict is the error with which the command ends.
func (r *expRequest) verdict(failure error, results experiment.Results, kept bool) error {
	if errors.Is(failure, context.Canceled) {
		done, all := results.Complete()
		text := fmt.Sprintf("%d of %s are complete", done, console.Plural(all, "run"))
		if kept {
			text += "; the same command goes on from there"
		}
		return console.Interrupted{State: text}
	}
	return failure
}

// withAdvice says what to do about results of something else.
func withAdvice(err error) error {
	var mismatch *experiment.MismatchError
	if errors.As(err, &mismatch) {
		return fmt.Errorf("%w: name another file or folder, or use -fresh, which throws away what is there", err)
	}
	return err
}

// publish writes the tables, the report and the lines for machines.
func (r *expRequest) publish(report experiment.Report, k console.Streams) error {
	w := console.Human(r.json, k)
	writeSections(w, report)
	if r.report != noReport {
		paths, err := report.Write(r.report)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "report: %s, %s\n", strings.Join(paths, ", "), r.storePath(report.Experiment))
	}
	fmt.Fprintf(w, "reproduce: %s\n", report.Command)
	switch r.json {
	case "":
		return nil
	case console.ToStdout:
		return report.Results.WriteLines(k.Stdout, report.Header)
	case r.storePath(report.Experiment):
		return nil // it is the store
	}
	return experiment.Replace(r.json, func(w io.Writer) error { return report.Results.WriteLines(w, report.Header) })
}

// commandLine is the command that does it again.
func (r *expRequest) commandLine() string {
	args := []string{"go", "run", "./cmd/demo", "exp", r.name, "-seeds", strconv.Itoa(r.seeds), "-seed", strconv.FormatUint(r.seed, 10)}
	for _, a := range []struct{ name, text string }{{"-data", r.data}, {"-json", r.json}, {"-report", r.report}} {
		if a.text != "" {
			args = append(args, a.name, console.Quoted(a.text))
		}
	}
	if r.rounds > 0 {
		args = append(args, "-rounds", strconv.Itoa(r.rounds))
	}
	return strings.Join(args, " ")
}

// folder returns nil when files can be put into the folder, which is made if it is not there.
func folder(flag, path string) error {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return fmt.Errorf("%s %q: want a folder that can be made or written, but: %w", flag, path, err)
	}
	return console.Writable(flag, filepath.Join(path, ".probe"))
}
