package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/remote"
)

// A mistake in the command must not spend the budget: the study stops, says what the command said, and goes on with the mended command.
func TestACommandThatAlwaysFailsStopsTheStudy(t *testing.T) {
	dir := folder(t, `echo no module named torch >&2; exit 1`)
	got := tune(t, dir, "--budget", "30")
	for _, want := range []string{"the first 10 evaluations failed, all of them, the last with exit code 1: no module named torch", "nothing new is started", "stopped after 10 of 30 evaluations", "another --study", "tarry resume s.db", "--max-failures 0"} {
		if got.code != exitFailure || !strings.Contains(got.log, want) {
			t.Fatalf("%q is missing: %+v", want, got)
		}
	}
	if got := callIn(t, dir, "", "resume", "s.db"); got.code != exitFailure || !strings.Contains(got.log, "stopped after 20 of 30 evaluations") {
		t.Errorf("resumed as it is: %+v", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "train.sh"), []byte("#!/bin/sh\necho 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := callIn(t, dir, "", "resume", "s.db"); got.code != exitOK || !strings.Contains(got.out, ": 10 observed, 20 failed") {
		t.Errorf("mended: %+v", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "train.sh"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	got = callIn(t, dir, "", "resume", "s.db", "--budget", "50")
	if got.code != exitFailure || !strings.Contains(got.log, "stopped after 40 of 50 evaluations: mend the command, and go on by") || !strings.Contains(got.out, "best #") {
		t.Errorf("broken later: %+v", got)
	}
}

// What may fail so often goes on where that was said, at the beginning or later.
func TestAnyNumberMayFailWhereThatWasSaid(t *testing.T) {
	dir := folder(t, `exit 1`)
	if got := tune(t, dir, "--budget", "12", "--max-failures", "0"); got.code != exitNoValue || !strings.Contains(got.out, "12 failed") {
		t.Errorf("%+v", got)
	}
	dir = folder(t, `exit 1`)
	if got := tune(t, dir, "--budget", "6", "--max-failures", "2"); got.code != exitFailure || !strings.Contains(got.log, "the first 2 evaluations failed") || !strings.Contains(got.log, "after 2 of 6") {
		t.Errorf("%+v", got)
	}
	if got := callIn(t, dir, "", "resume", "s.db", "--max-failures", "0"); got.code != exitNoValue || !strings.Contains(got.out, "6 failed") {
		t.Errorf("%+v", got)
	}
	for _, args := range [][]string{{"resume", "s.db", "--max-failures", "-1"}, {"tune", "--space", "space.yaml", "--budget", "3", "--study", "t.db", "--max-failures", "-1", "--", "true"}} {
		if got := callIn(t, dir, "", args...); got.code != exitUsage || !strings.Contains(got.log, "--max-failures = -1") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// One that comes to another end says that the command is right; so does one that is not there yet. Attempts that are repeated, and evaluations
// after the first ones, do not count, unless one of these says nothing.
func TestWhenAllOfTheFirstFailed(t *testing.T) {
	started := func(numbers ...int) (n tarry.Event) {
		for _, k := range numbers {
			n.Reaction.Effects = append(n.Reaction.Effects, loop.Dispatch{Evaluation: k, Attempt: 1})
		}
		return n
	}
	ended := func(number int, s tarry.Status) (n tarry.Event) {
		n.Evaluation.Number, n.Evaluation.Status, n.Evaluation.Reason = number, s, "exit code 1"
		return n
	}
	for name, c := range map[string]struct {
		most   int
		events []tarry.Event
		want   string
	}{
		"all":           {2, []tarry.Event{started(4, 5), ended(4, loop.Failed), ended(5, loop.Failed)}, "the first 2 evaluations failed, all of them, the last with exit code 1"},
		"one":           {1, []tarry.Event{started(1), ended(1, loop.Failed)}, "the first evaluation failed: exit code 1"},
		"once":          {2, []tarry.Event{started(1, 2), ended(1, loop.Failed), ended(1, loop.Failed)}, ""},
		"repeated":      {2, []tarry.Event{started(1, 2), ended(1, loop.Pending), ended(2, loop.Failed), started(1), ended(1, loop.Failed)}, "the first 2 evaluations failed, all of them, the last with exit code 1"},
		"a value":       {2, []tarry.Event{started(1, 2), ended(1, loop.Observed), ended(2, loop.Failed), started(3), ended(3, loop.Failed)}, ""},
		"infeasible":    {1, []tarry.Event{started(1), ended(1, loop.Infeasible), started(2), ended(2, loop.Failed)}, ""},
		"later":         {2, []tarry.Event{started(1, 2, 3), ended(2, loop.Failed), ended(3, loop.Failed)}, ""},
		"timed out":     {1, []tarry.Event{started(1), ended(1, loop.TimedOut)}, ""},
		"value at last": {1, []tarry.Event{started(1), ended(1, loop.TimedOut), ended(1, loop.Late), started(2), ended(2, loop.Failed)}, ""},
		"in its place":  {2, []tarry.Event{started(1, 2), ended(1, loop.TimedOut), ended(2, loop.Failed), started(3), ended(3, loop.Failed)}, "the first 2 evaluations failed, all of them, the last with exit code 1"},
		"lost":          {2, []tarry.Event{started(1, 2), ended(1, loop.Lost), ended(2, loop.Failed), started(3), ended(3, loop.Observed)}, ""},
		"a later value": {2, []tarry.Event{started(1, 2, 3), ended(3, loop.Observed), ended(1, loop.Failed), ended(2, loop.Failed)}, ""},
		"any":           {0, []tarry.Event{started(1), ended(1, loop.Failed)}, ""},
	} {
		f, got := newFailing(c.most), ""
		for _, n := range c.events {
			if err := f.event(n); err != nil {
				got += err.Error()
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A machine that lacks something would be the fastest of all: its worker declines the study, and another one does the work.
func TestAWorkerThatAlwaysFailsDeclinesTheStudy(t *testing.T) {
	c := clusterOf(t, square)
	must(t, os.WriteFile(filepath.Join(c.dir, "broken.sh"), []byte("#!/bin/sh\necho no module named torch >&2; exit 1\n"), 0o755))
	if got := callIn(t, c.dir, "", "work", "--max-failures", "-1", "--", "./train.sh", "{lr}"); got.code != exitUsage || !strings.Contains(got.log, "--max-failures = -1") {
		t.Errorf("%+v", got)
	}
	c.serve()
	c.begin("lr", `"budget":24`, `{}`)
	_, log := c.work("worker", "--slots", "4", "--", "./broken.sh", "{lr}") // what still runs when it declines does not count either
	said := ""
	for range 300 { // who asks the server learns of it
		_, out := c.do("GET", "../workers", "")
		if said = fmt.Sprint(out["workers"]); strings.Contains(said, "declined:map[lr:the first 10 evaluations failed") {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	for _, want := range []string{"study declined", "the first 10 evaluations failed, all of them, the last with exit code 1: no module named torch"} {
		if !strings.Contains(log.String(), want) {
			t.Fatalf("%q is missing in\n%s\nand the server says %s", want, log, said)
		}
	}
	if !strings.Contains(said, "declined:map[lr:") {
		t.Error("who asks the server does not learn of it:", said)
	}
	_, _ = c.work("worker", "--slots", "2", "--", "./train.sh", "{lr}")
	counts := c.ended("lr")["counts"].(map[string]any)
	failed := counts["failed"].(float64) // three more may come before the last of the first ten
	if failed < 9 || failed > 12 || counts["observed"] != 24-failed {
		t.Errorf("%v: want nine failures of the first ten, the last given to another\n%s", counts, log)
	}
}

// However many attempts at a study meet what a machine lacks, its log says once that the study is declined.
func TestTheLogSaysOnceThatAStudyIsDeclined(t *testing.T) {
	core, logs := observer.New(zapcore.DebugLevel)
	s := &shift{worker: &worker{task: task{Command: []string{"./train.sh", "{lr}"}, Logs: t.TempDir(), WorkDir: t.TempDir()}}, log: zap.New(core), posts: map[string]*post{}}
	where, err := tarry.NewSpace(tarry.Float("depth", 0, 1))
	must(t, err)
	missing := func(name string) {
		t.Helper()
		study := &remote.Study{Name: name, Identity: "1", Space: where}
		for range 3 {
			if _, err := s.evaluate(t.Context(), &remote.Job{Study: study, X: tarry.Point{0.5}}); err == nil || !strings.Contains(err.Error(), "lr") {
				t.Error(err)
			}
		}
	}
	missing("one")
	missing("two")
	if said := logs.FilterMessage("study declined"); said.Len() != 2 {
		t.Errorf("%d lines, want one of each study", said.Len())
	}
}
