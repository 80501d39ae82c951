package main

import (
	"bufio"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/tarry-bo/tarry/journal"
)

func TestTheTableOfPoliciesFits(t *testing.T) {
	for _, width := range []int{80, 100, usualWidth, 200} {
		for line := range strings.Lines(policyTable(width)) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("%d columns where there are %d: %s", n, width, line)
			}
		}
	}
	if got := call(t, "", "policies", "--help"); !strings.Contains(got.out, "Exit codes:") {
		t.Errorf("%+v", got)
	}
}

func TestTheVersionIsWhatStudiesDependOn(t *testing.T) {
	p := journal.ThisProgram()
	got := call(t, "", "--version")
	for _, want := range []string{p.Tarry, p.Go, p.Arch} {
		if got.code != exitOK || !strings.Contains(got.out, want) {
			t.Errorf("%q is missing: %+v", want, got)
		}
	}
}

func TestShellsCompleteWhatThereIs(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"tune", "--policy", ""}, "ucb-sdf\t"},
		{[]string{"asktell", "--study", ""}, "db\n:8"},
		{[]string{"resume", ""}, "db\n:8"},
		{[]string{"inspect", ""}, "db\n:8"},
		{[]string{"verify", ""}, "db\n:8"},
		{[]string{"replay", ""}, "db\n:8"},
		{[]string{"replay", "s.db", "--policy", ""}, "ucb-sdf\t"},
		{[]string{"prune", ""}, "db\n:8"},
		{[]string{"verify", "s.db", ""}, ":4"},
		{[]string{"certify", ""}, ":16"},
		{[]string{"certify", "cluster", "--role", ""}, "worker\n"},
		{[]string{"backup", ""}, "db\n:8"},
		{[]string{"backup", "s.db", ""}, "db\n:8"},
		{[]string{"backup", "s.db", "copy.db", ""}, ":4"},
		{[]string{"backup", "--"}, "--salvage\tkeep what there is"},
		{[]string{"tune", "--budg"}, "--budget\tEVALUATIONS in all"},
		{[]string{"inspect", "--"}, "--plot\tFOLDER for"},
	} {
		got := call(t, "", append([]string{"__complete"}, c.args...)...)
		if got.code != exitOK || !strings.Contains(got.out, c.want) || strings.Contains(got.out, "`") {
			t.Errorf("%q: %+v", c.args, got)
		}
	}
	if got := call(t, "", "tune", "--help"); !strings.Contains(got.out, "-- COMMAND [ARGUMENTS]\n") || strings.Contains(got.out, "[flags]") {
		t.Errorf("%s", got.out)
	}
}

// A session that is ended by a signal says so, and goes on where it was.
func TestASessionEndsAtASignal(t *testing.T) {
	for _, s := range []os.Signal{syscall.SIGTERM, os.Interrupt, syscall.SIGHUP} {
		if signal.Ignored(s) { // the tests run in the background: their processes do not hear it
			continue
		}
		dir := folder(t, "")
		cmd := program(t, dir, "asktell", "--space", "space.yaml", "--study", "s.db")
		in, err := cmd.StdinPipe()
		must(t, err)
		out, err := cmd.StdoutPipe()
		must(t, err)
		var log strings.Builder
		cmd.Stderr = &log
		must(t, cmd.Start())
		_, err = in.Write([]byte(`{"op":"ask"}` + "\n"))
		must(t, err)
		_, err = bufio.NewReader(out).ReadString('\n')
		must(t, err)
		must(t, cmd.Process.Signal(s))
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(log.String(), "tarry asktell --study s.db") {
			t.Errorf("%v: %d, %s", s, code, log.String())
		}
		if got := callIn(t, dir, `{"op":"tell","id":1,"value":2}`, "asktell", "--study", "s.db"); got.code != exitOK || !strings.Contains(got.out, `"ok":true`) {
			t.Errorf("%v: %+v", s, got)
		}
	}
}
