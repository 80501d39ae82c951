package main

import (
	"context"
	"io"
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
	session
	name, data string
	rounds     int
}

func newExp() (*expRequest, *console.Flags) {
	r := &expRequest{session: newSession()}
	f := console.NewFlags("exp", expHelp)
	r.addFlags(f, "exp-NAME")
	f.Whole(&r.rounds, "rounds", 0, maxExpRounds, "`NUMBER` of queries of a run after the initial ones, or of what else the experiment counts; 0 means its own ('demo exp' says how many of what)")
	f.Text(&r.data, "data", "`PATH` of the data, for the experiments that read some ('demo exp' says which)")
	f.Text(&r.json, "json", "`FILE` for the raw results, one JSON object a line for each run; - means standard output")
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
	r.check(f, e, "exp-"+e.Name)
	return e, plan, f.Refusal()
}

// storePath is the file in which runs are kept as they end: that of the report, or without one that of -json; empty: none.
func (r *expRequest) storePath(e experiment.Experiment) string {
	if path := r.inReport(e); path != "" || r.json == console.ToStdout {
		return path
	}
	return r.json
}

// perform does what is missing and shows all of it.
func (r *expRequest) perform(ctx context.Context, e experiment.Experiment, plan experiment.Plan, k console.Streams) error {
	header, version, err := experiment.NewHeader(e, plan, r.rounds)
	if err != nil {
		return err
	}
	if r.json != "" && r.json != console.ToStdout && r.json != r.storePath(e) {
		if err := header.Replaceable(r.json, r.fresh); err != nil {
			return withAdvice(err)
		}
	}
	report := experiment.Report{Experiment: e, Plan: plan, Header: header, Version: version, Command: r.commandLine()}
	return r.session.perform(ctx, report, r.storePath(e), k, r.publish)
}

// publish writes the tables, the report and the lines for machines.
func (r *expRequest) publish(report experiment.Report, k console.Streams) error {
	w := console.Human(r.json, k)
	if err := r.write(w, report, "Means over the seeds, ± one standard error."); err != nil {
		return err
	}
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
