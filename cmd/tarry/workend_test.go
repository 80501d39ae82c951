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

// A worker may be there before its server: it waits, says so once, and can be interrupted. Another signal than Ctrl-C ends it at once, and gives
// back what runs.
func TestAWorkerWaitsForItsServer(t *testing.T) {
	c := clusterOf(t, "#!/bin/sh\n[ -e go ] || sleep 600\necho 0.5\n")
	text, err := os.ReadFile(filepath.Join(c.dir, "cluster", "tarry.json"))
	must(t, err)
	_, port, _ := strings.Cut(string(text), "127.0.0.1:0\",\"nats\":{\"address\":\"127.0.0.1:")
	port, _, _ = strings.Cut(port, "\"")
	c.nats = "tls://localhost:" + port
	tired, tiredLog := c.work("worker", "--quiet", "--", "./train.sh", "{lr}")
	w, log := c.work("worker", "--", "./train.sh", "{lr}")
	for _, l := range []*lines{log, tiredLog} {
		eventually(t, "it waits", func() bool { return strings.Contains(l.String(), c.nats+": no server answers: ") })
	}
	must(t, tired.Process.Signal(os.Interrupt))
	if code := ends(t, tired, tiredLog); code != exitInterrupted {
		t.Error("a worker without a server was interrupted, and ended with", code)
	}
	c.serve()
	c.begin("once", `"budget":1`, `{}`)
	eventually(t, "it works", func() bool { return strings.Contains(log.String(), "evaluation begins") })
	if n := strings.Count(log.String(), "waiting for it"); n != 1 {
		t.Errorf("it says %d times that it waits\n%s", n, log)
	}
	must(t, os.WriteFile(filepath.Join(c.dir, "go"), nil, 0o600), w.Process.Signal(syscall.SIGTERM))
	if code := ends(t, w, log); code != exitInterrupted || strings.Contains(log.String(), "waiting for what runs") {
		t.Error(code, log)
	}
	c.work("worker", "--", "./train.sh", "{lr}")
	if state := c.ended("once"); observed(state) != 1.0 {
		t.Error(state)
	}
}
