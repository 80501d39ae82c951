package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

// copyOfThis copies the test binary, in a process of its own: where this one had the copy open for writing, another test
// might start a process that keeps it open.
func copyOfThis(t *testing.T, path string) {
	t.Helper()
	self := must.Get(os.Executable())(t)
	if out, err := exec.Command("cp", self, path).CombinedOutput(); err != nil {
		t.Fatalf("%s, %v", out, err)
	}
}

func TestAProgramThatWasReplacedStillRunsItsCommands(t *testing.T) {
	t.Parallel()
	for _, replacement := range []string{"", "#!/bin/sh\necho another version; exit 1\n"} {
		script := `tr '\0' ' ' < /proc/$PPID/cmdline | cut -d' ' -f1,2; cat /proc/$PPID/comm; echo 0.5`
		r := shell(t, script)
		program := r.file("program")
		copyOfThis(t, program)
		cmd := exec.Command(program, "__replaced", r.Dir, script, replacement)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if string(out) != "0.5 <nil>\n" || err != nil {
			t.Errorf("replaced by %q: %s, %v", replacement, out, err)
		}
		if printed, err := os.ReadFile(r.in(1, stdoutFile)); string(printed) != program+" __run\nprogram\n0.5\n" || err != nil {
			t.Errorf("its shim is %s, %v", printed, err)
		}
	}
}

func TestOnlyThisProgramIsStartedByItsLink(t *testing.T) {
	self := must.Get(os.Executable())(t)
	for _, shim := range []string{"sh", filepath.Join(filepath.Dir(self), "other"), ""} {
		if got := programOf(shim); got != shim {
			t.Errorf("%q is started as %q", shim, got)
		}
	}
	if got := programOf(self); got != selfLink {
		t.Errorf("this program is started as %q", got)
	}
}
