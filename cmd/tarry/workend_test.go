package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ends waits until a worker has ended, and returns its exit code.
func ends(t *testing.T, cmd *exec.Cmd, log *lines) int {
	t.Helper()
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	if !late.Stop() {
		t.Fatal("it did not end: ", log)
	}
	return cmd.ProcessState.ExitCode()
}

// A worker whose server is away says what it waits for. The second Ctrl-C ends it at once, however long its grace is.
func TestAnInterruptedWorkerSaysWhatItWaitsFor(t *testing.T) {
	c := clusterOf(t, "#!/bin/sh\nwhile [ ! -e go ]; do sleep 0.02; done\necho 0.5\n")
	c.serve()
	c.begin("once", `"budget":1`, `{}`)
	w, log := c.work("worker", "--grace", "1h", "--", "./train.sh", "{lr}")
	says := func(what string) {
		t.Helper()
		eventually(t, "it says "+what, func() bool { return strings.Contains(log.String(), what) })
	}
	says("evaluation begins")
	c.kill(syscall.SIGKILL)
	must(t, os.WriteFile(filepath.Join(c.dir, "go"), nil, 0o600))
	says("evaluation ended")
	says("disconnected")
	must(t, w.Process.Signal(os.Interrupt))
	says("the server, which is away, to take 1 answer. Ctrl-C again waits no longer: what was found stays in tarry-work.logs, where")
	must(t, w.Process.Signal(os.Interrupt))
	if code := ends(t, w, log); code != exitInterrupted || !strings.Contains(log.String(), "result not brought") {
		t.Errorf("%d %s", code, log)
	}
}
