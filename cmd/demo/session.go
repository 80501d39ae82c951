package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/experiment"
)

// session is what the commands that perform plans have in common: the seeds, how many runs go on at once, and where the page
// and the runs go.
type session struct {
	seeds, parallel int
	seed            uint64
	json, report    string
	fresh           bool
}

// noReport is the folder that means none.
const noReport = "-"

func newSession() session {
	return session{seeds: 20, seed: 1, parallel: min(runtime.GOMAXPROCS(0), console.MaxParallel)}
}

// addFlags adds all flags but -json; usual is the folder of the report unless the user names one.
func (s *session) addFlags(f *console.Flags, usual string) {
	f.Whole(&s.seeds, "seeds", 1, console.MaxSeeds, "`NUMBER` of runs of each method, with the seeds seed, seed+1, ...")
	f.Seed(&s.seed, "seed", "first `SEED`; it decides everything but the time it takes")
	f.Text(&s.report, "report", "`FOLDER` for the report: one HTML page, its pictures as PNG, the raw results; empty means "+usual+", - means none")
	f.Whole(&s.parallel, "parallel", 1, console.MaxParallel, "`RUNS` at once; changes the time only")
	f.Toggle(&s.fresh, "fresh", "begin anew instead of going on from runs that are in the file of results already")
}

// check records what is wrong with the seeds and the files, and makes the folder of the report.
func (s *session) check(f *console.Flags, e experiment.Experiment, usual string) {
	if s.report == "" {
		s.report = usual
	}
	f.Errs.Join(s.options().Validate())
	f.Errs.Require(!s.collides(e), "-json", s.json, "a file that the report does not write; its own lines are in "+experiment.LinesName(e))
	if f.Errs.Err() == nil && s.report != noReport {
		f.Errs.Join(folder("-report", s.report))
	}
}

// inReport is the file of the runs in the folder of the report; empty without one.
func (s *session) inReport(e experiment.Experiment) string {
	if s.report == noReport {
		return ""
	}
	return filepath.Join(s.report, experiment.LinesName(e))
}

// collides reports whether the file of -json would lie on one of the report.
func (s *session) collides(e experiment.Experiment) bool {
	if s.json == "" || s.json == console.ToStdout || s.report == noReport {
		return false
	}
	file, err := filepath.Abs(s.json)
	folder, also := filepath.Abs(s.report)
	if err != nil || also != nil || filepath.Dir(file) != folder {
		return false
	}
	name := filepath.Base(file)
	return name == experiment.LinesName(e) || filepath.Ext(name) == ".html" || filepath.Ext(name) == ".png"
}

// options are those of the runs, without what they are told.
func (s *session) options() experiment.Options {
	return experiment.Options{Seed: s.seed, Seeds: s.seeds, Parallel: s.parallel}
}

// perform does what is missing of the plan of a report, keeps it in the store (empty: nowhere), and publishes all of it.
func (s *session) perform(ctx context.Context, report experiment.Report, store string, k console.Streams, publish func(experiment.Report, console.Streams) error) (err error) {
	o, plan := s.options(), report.Plan
	if store != "" {
		if o.Store, err = experiment.Open(store, report.Header, s.fresh); err != nil {
			return withAdvice(err)
		}
		defer func() { err = errors.Join(err, o.Store.Close()) }() // when all is published, since the lock is its as well
	}
	runs, steps := plan.Missing(o)
	if all := len(plan.Arms) * s.seeds; runs < all {
		fmt.Fprintf(k.Stderr, "%d of %s are there already; -fresh would begin anew\n", all-runs, console.Plural(all, "run"))
	}
	m := console.NewMeter(k, runs, steps, s.json == console.ToStdout)
	o.OnStep, o.OnRun = m.Query, m.Run
	results, failure := plan.Perform(ctx, o)
	m.Stop()
	report.Results = results
	if err := publish(report, k); err != nil {
		return errors.Join(failure, err)
	}
	return verdict(failure, results, o.Store != nil)
}

// verdict is the error with which the command ends.
func verdict(failure error, results experiment.Results, kept bool) error {
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

// write prints the tables with a note, writes the page, and says which command does it again.
func (s *session) write(w io.Writer, report experiment.Report, note string) error {
	writeSections(w, report)
	fmt.Fprintf(w, "\n%s\n", note)
	if s.report != noReport {
		paths, err := report.Write(s.report)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "report: %s, %s\n", strings.Join(paths, ", "), s.inReport(report.Experiment))
	}
	_, err := fmt.Fprintf(w, "reproduce: %s\n", report.Command)
	return err
}

// folder returns nil when files can be put into the folder, which is made if it is not there.
func folder(flag, path string) error {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return fmt.Errorf("%s %q: want a folder that can be made or written, but: %w", flag, path, err)
	}
	return console.Writable(flag, filepath.Join(path, ".probe"))
}
