package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
)

func TestExperimentsAreListedWithoutAName(t *testing.T) {
	code, out, err := consoletest.Execute(t, demo(), "exp")
	if code != console.ExitOK {
		t.Fatalf("code %d: %s", code, err)
	}
	consoletest.Contains(t, out, "sdf-delays", "sdf-svm", "pima-diabetes.csv", "Verma et al. 2022", "demo help exp")
}

func TestExperimentWritesTablesReportAndRuns(t *testing.T) {
	dir := t.TempDir()
	code, out, err := consoletest.Execute(t, demo(), "exp", "sdf-window", "-seeds", "2", "-rounds", "20", "-report", dir)
	if code != console.ExitOK {
		t.Fatalf("code %d: %s", code, err)
	}
	consoletest.Contains(t, out, "late answers thrown away", "m = 40", "cumulative regret",
		"reproduce: go run ./cmd/demo exp sdf-window -seeds 2 -seed 1 -report "+dir+" -rounds 20")
	for _, name := range []string{"sdf-window.html", "sdf-window.png", "sdf-window-cumulative.png", "sdf-window.jsonl"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.lock")); left != nil {
		t.Errorf("%v stay", left)
	}
}

func TestMoreSeedsOfAnExperimentGoOnFromTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	args := []string{"exp", "sdf-delays", "-rounds", "10", "-json", path, "-report", "-"}
	if code, _, err := consoletest.Execute(t, demo(), append(args, "-seeds", "1")...); code != console.ExitOK {
		t.Fatalf("code %d: %s", code, err)
	}
	code, _, err := consoletest.Execute(t, demo(), append(args, "-seeds", "3")...)
	if code != console.ExitOK {
		t.Fatalf("code %d: %s", code, err)
	}
	consoletest.Contains(t, err, "4 of 12 runs are there already")
	content, _ := os.ReadFile(path)
	if got := bytes.Count(content, []byte("\n")); got != 13 {
		t.Errorf("%d lines, want a header and 12 runs", got)
	}
	for _, line := range bytes.Split(bytes.TrimSpace(content), []byte("\n")) {
		if !json.Valid(line) {
			t.Errorf("%s is not JSON", line)
		}
	}
	code, _, err = consoletest.Execute(t, demo(), "exp", "sdf-delays", "-rounds", "11", "-json", path, "-report", "-", "-seeds", "1")
	if code != console.ExitFailure {
		t.Errorf("code %d for runs of another length", code)
	}
	consoletest.Contains(t, err, path, "rounds 10", "this is 11", "-fresh")
}

func TestInterruptedExperimentSaysHowFarItCame(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	var out, err bytes.Buffer
	if code := demo().Run(ctx, []string{"exp", "sdf-delays", "-seeds", "2", "-rounds", "10", "-json", path, "-report", "-"}, &out, &err); code != console.ExitInterrupted {
		t.Errorf("code %d: %s", code, &err)
	}
	consoletest.Contains(t, err.String(), "0 of 8 runs are complete; the same command goes on from there")
}

func TestLinesOfAnExperimentGoToStandardOutputAlone(t *testing.T) {
	code, out, err := consoletest.Execute(t, demo(), "exp", "batch", "-seeds", "1", "-rounds", "5", "-json", "-", "-report", "-")
	if code != console.ExitOK {
		t.Fatalf("code %d: %s", code, err)
	}
	consoletest.Contains(t, err, "ucb-sdf", "reproduce:")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var head struct{ Experiment string }
	if e := json.Unmarshal([]byte(lines[0]), &head); e != nil || head.Experiment != "batch" || len(lines) != 1+36 {
		t.Errorf("%d lines, the first is %s (%v)", len(lines), lines[0], e)
	}
}

func TestExperimentsThatCannotBeAreRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args string
		want []string
	}{
		{"exp sdf", []string{`"sdf"`, "one of batch, calibrated, calibrated-cnn, calibrated-lda, calibrated-sensitivity, conditional"}},
		{"exp sdf-delays -seeds 0 -rounds many", []string{"-seeds = 0", "-rounds = many"}},
		{"exp sdf-delays -data " + file, []string{"sdf-delays reads no data", "sdf-svm"}},
		{"exp sdf-multitask", []string{"-data", "tst-svm"}},
		{"exp safe-movies -data " + file + "-none", []string{"-data " + file + "-none: open ", "want u.data of MovieLens-100k, or a folder with it"}},
		{"exp sdf-svm -data " + file + "-none.csv", []string{"-data " + file + "-none.csv: ", "want "}},
		{"exp sdf-multitask -data " + t.TempDir(), []string{"-data ", "no files, want a folder with one file for each task"}},
		{"exp sdf-delays extra", []string{`argument "extra"`}},
		{"exp -seeds 3", []string{"one of batch, calibrated, calibrated-cnn, calibrated-lda, calibrated-sensitivity, conditional"}},
		{"exp sdf-delays -report " + filepath.Join(file, "in"), []string{"-report"}},
	} {
		code, _, err := consoletest.Execute(t, demo(), strings.Fields(c.args)...)
		if code != console.ExitUsage {
			t.Errorf("%s: code %d: %s", c.args, code, err)
		}
		consoletest.Contains(t, err, append(c.want, "demo help exp")...)
	}
}

func TestRunsAreNeverThrownAwayUnasked(t *testing.T) {
	dir := t.TempDir()
	args := []string{"exp", "sdf-delays", "-rounds", "6", "-report", dir}
	store := filepath.Join(dir, "sdf-delays.jsonl")
	count := func() int {
		content, err := os.ReadFile(store)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Count(content, []byte("\n"))
	}
	for _, c := range []struct {
		more  []string
		code  int
		lines int
	}{
		{[]string{"-seeds", "3"}, console.ExitOK, 13},
		{[]string{"-seeds", "1"}, console.ExitOK, 13},                                     // fewer of them
		{[]string{"-seeds", "1", "-seed", "9"}, console.ExitOK, 17},                       // others
		{[]string{"-seeds", "2", "-seed", "18446744073709551615"}, console.ExitUsage, 17}, // none
		{[]string{"-seeds", "1", "-seed", "18446744073709551615"}, console.ExitOK, 21},
		{[]string{"-seeds", "1", "-rounds", "5", "-json", filepath.Join(dir, "other.jsonl")}, console.ExitFailure, 21},
	} {
		code, _, err := consoletest.Execute(t, demo(), append(args, c.more...)...)
		if code != c.code || count() != c.lines {
			t.Errorf("%v: code %d, %d lines, want %d and %d: %s", c.more, code, count(), c.code, c.lines, err)
		}
	}
}

func TestLinesMayNotLieOnTheReport(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"sdf-delays.html", "sdf-delays.jsonl", "sdf-delays.png"} {
		code, _, err := consoletest.Execute(t, demo(), "exp", "sdf-delays", "-seeds", "1", "-rounds", "5", "-report", dir, "-json", filepath.Join(dir, name))
		if code != console.ExitUsage {
			t.Errorf("%s: code %d", name, code)
		}
		consoletest.Contains(t, err, "-json", "the report does not write")
	}
}

func TestFreshThrowsAwayNothingButRuns(t *testing.T) {
	notes := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(notes, []byte("hello my notes\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, _, err := consoletest.Execute(t, demo(), "exp", "sdf-delays", "-seeds", "1", "-rounds", "5", "-report", "-", "-json", notes, "-fresh")
	if content, _ := os.ReadFile(notes); code != console.ExitFailure || string(content) != "hello my notes\n" {
		t.Errorf("code %d, %q is left: %s", code, content, err)
	}
}

// The file of -json beside a report is written at the end; what is in it before must be a copy of the same kind.
func TestLinesReplaceNothingButTheirLike(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "runs.jsonl")
	args := func(rounds string, more ...string) []string {
		return append([]string{"exp", "sdf-delays", "-seeds", "1", "-report", filepath.Join(dir, rounds), "-rounds", rounds, "-json", file}, more...)
	}
	for _, c := range []struct {
		before string
		args   []string
		code   int
		want   string
	}{
		{"", args("5"), console.ExitOK, `"rounds":5`},
		{"", args("5"), console.ExitOK, `"rounds":5`},
		{"", args("6"), console.ExitFailure, `"rounds":5`},
		{"", args("6", "-fresh"), console.ExitOK, `"rounds":6`},
		{"my notes\n", args("6"), console.ExitFailure, "my notes"},
		{"my notes\n", args("6", "-fresh"), console.ExitFailure, "my notes"},
	} {
		if c.before != "" {
			if err := os.WriteFile(file, []byte(c.before), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		code, _, err := consoletest.Execute(t, demo(), c.args...)
		if content, _ := os.ReadFile(file); code != c.code || !strings.Contains(string(content), c.want) {
			t.Errorf("%v: code %d, want %d: %s\nin the file: %.80q", c.args, code, c.code, err, content)
		}
	}
}
