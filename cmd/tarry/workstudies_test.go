package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// beginWith begins a study of floats in the unit interval above some bounds, in this order.
func (c *clustered) beginWith(name, options string, names ...string) {
	c.t.Helper()
	bounds := map[string]string{"a": `"low":0,"high":1`, "b": `"low":5,"high":6`}
	all := make([]string, 0, len(names))
	for _, n := range names {
		all = append(all, `{"name":"`+n+`","type":"float",`+bounds[n]+`}`)
	}
	body := `{"space":{"parameters":[` + strings.Join(all, ",") + `]},"options":{"policy":"random","seed":7,` + options + `},"remote":{}}`
	if status, out := c.do("PUT", name, body); status != 201 {
		c.t.Fatal(status, out)
	}
}

// forgetStudy ends the server, deletes a study and starts the server again: nobody tells the workers.
func (c *clustered) forgetStudy(name string) {
	c.t.Helper()
	c.kill(syscall.SIGTERM)
	files, err := filepath.Glob(filepath.Join(c.dir, "cluster", "studies", name+".db*"))
	must(c.t, err)
	for _, f := range files {
		must(c.t, os.Remove(f))
	}
	c.serve()
}

// linesOf is what commands have written so far.
func (c *clustered) linesOf(file string) []string {
	text, _ := os.ReadFile(filepath.Join(c.dir, file))
	return strings.Fields(string(text))
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never came to this: " + what)
		}
	}
}

// A worker that lives on takes a study that is made anew under a name for what it is: with its own points, in its own parameters, and
// nothing that was found or that failed for the one before.
func TestAStudyThatIsMadeAnewIsAnotherOneForAWorker(t *testing.T) {
	c := clusterOf(t, "#!/bin/sh\necho $1 >> ran.txt\necho $1\n[ ! -e wrong ]\n")
	c.serve()
	_, log := c.work("worker", "--max-failures", "2", "--", "./train.sh", "{a}")
	for i, names := range [][]string{{"a", "b"}, {"a", "b"}, {"b", "a"}} {
		if i > 0 {
			c.forgetStudy("same")
		}
		c.beginWith("same", `"budget":3`, names...)
		if state := c.ended("same"); observed(state) != 3.0 {
			t.Error(state)
		}
		if ran := c.linesOf("ran.txt"); len(ran) != 3*(i+1) {
			t.Errorf("%d commands ran for %d studies: %v\n%s", len(ran), i+1, ran, log)
		}
	}
	for _, a := range c.linesOf("ran.txt") {
		if strings.HasPrefix(a, "5.") {
			t.Error("the command got", a, "for a, which is b")
		}
	}
	must(t, os.WriteFile(filepath.Join(c.dir, "wrong"), nil, 0o600))
	c.forgetStudy("same")
	c.beginWith("same", `"budget":9`, "a", "b")
	eventually(t, "it is declined", func() bool { return strings.Contains(log.String(), "study declined") })
	must(t, os.Remove(filepath.Join(c.dir, "wrong")))
	c.forgetStudy("same")
	c.beginWith("same", `"budget":3`, "a", "b")
	if state := c.ended("same"); observed(state) != 3.0 {
		t.Error("a study is declined for the one before:", state, log)
	}
}

// What a command found while the server was away is not lost with its worker: the next one in the folder has it.
func TestAWorkerThatIsStartedAgainAdoptsWhatWasFound(t *testing.T) {
	c := clusterOf(t, "#!/bin/sh\necho ran >> ran.txt\nwhile [ ! -e go ]; do sleep 0.02; done\necho 0.5\n")
	c.serve()
	c.begin("once", `"budget":1`, `{}`)
	first, log := c.work("worker", "--", "./train.sh", "{lr}")
	eventually(t, "the command runs", func() bool { return len(c.linesOf("ran.txt")) == 1 })
	c.kill(syscall.SIGKILL)
	must(t, os.WriteFile(filepath.Join(c.dir, "go"), nil, 0o600))
	eventually(t, "it has ended", func() bool { return strings.Contains(log.String(), "evaluation ended") })
	must(t, first.Process.Kill())
	_ = first.Wait()
	c.serve()
	_, again := c.work("worker", "--", "./train.sh", "{lr}")
	if state := c.ended("once"); observed(state) != 1.0 || len(c.linesOf("ran.txt")) != 1 {
		t.Errorf("%v: want one value, which one command found: %v\n%s", state, c.linesOf("ran.txt"), again)
	}
	if strings.Contains(again.String(), "another study") {
		t.Error(again)
	}
}

// A command that is being ended has its slot until it is gone: no more run than the worker has.
func TestNoMoreCommandsRunThanAWorkerHasSlots(t *testing.T) {
	c := clusterOf(t, "#!/bin/sh\ntrap '' TERM\nmkdir alone 2>/dev/null || echo beside >> beside.txt\nsleep 0.6\nrmdir alone\necho 1\n")
	c.serve()
	c.begin("slow", `"budget":4,"timeout":"100ms"`, `{}`)
	_, log := c.work("worker", "--grace", "1m", "--", "./train.sh", "{lr}")
	c.ended("slow")
	if beside := c.linesOf("beside.txt"); len(beside) > 0 {
		t.Errorf("%d commands ran beside another in one slot\n%s", len(beside), log)
	}
}
