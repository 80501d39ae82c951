//go:build linux || darwin

package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stopped runs a script, ends its context when all the files are there, and returns what Run does.
func stopped(t *testing.T, r *Runner, files ...string) (Report, error) {
	t.Helper()
	return stoppedAt(t, r, time.Time{}, files...)
}

// due is a context that says when its attempt is given up, and leaves the giving up to others.
type due struct {
	context.Context
	deadline time.Time
}

func (d due) Deadline() (time.Time, bool) { return d.deadline, !d.deadline.IsZero() }

// stoppedAt is stopped for an attempt with a deadline.
func stoppedAt(t *testing.T, r *Runner, deadline time.Time, files ...string) (Report, error) {
	t.Helper()
	cancellable, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	ctx := due{cancellable, deadline}
	type result struct {
		outcome Report
		err     error
	}
	done := make(chan result, 1)
	go func() {
		o, err := r.Run(ctx, 1, 1, point)
		done <- result{o, err}
	}()
	for _, name := range files {
		readPID(t, r.file(name))
	}
	cancel(errTooSlow)
	select {
	case res := <-done:
		return res.outcome, res.err
	case <-time.After(patience):
		t.Fatal("Run hangs")
		panic("unreachable")
	}
}

var errTooSlow = errors.New("too slow")

const forever = `while :; do sleep 0.05; done`

func TestACommandThatHangsIsAskedToEnd(t *testing.T) {
	t.Parallel()
	r := shell(t, `echo $$ > child; exec sleep 1000`)
	r.Grace = patience // not needed
	_, err := stopped(t, r, "child")
	e := failure(t, err)
	if e.Kind != Failed || !errors.Is(e, errTooSlow) || e.Signal != "15 (terminated)" || e.Reason != "stopped: too slow (killed by signal 15 (terminated))" {
		t.Errorf("%+v", e)
	}
	mustBeGone(t, readPID(t, r.file("child")), "the command")
}

func TestACommandThatIgnoresTheRequestIsKilledWithItsChildren(t *testing.T) {
	t.Parallel()
	r := shell(t, `trap '' TERM; sh -c 'echo $$ > grandchild; `+forever+`' & echo $$ > child; `+forever)
	_, err := stopped(t, r, "child", "grandchild")
	if e := failure(t, err); e.Kind != Failed || !errors.Is(e, errTooSlow) || !strings.HasPrefix(e.Reason, "stopped: too slow") {
		t.Errorf("%+v", e)
	}
	mustBeGone(t, readPID(t, r.file("child")), "the command")
	mustBeGone(t, readPID(t, r.file("grandchild")), "its child")
}

func TestAChildThatIgnoresTheRequestDiesWithItsParent(t *testing.T) {
	t.Parallel()
	r := shell(t, `sh -c 'trap "" TERM; echo $$ > grandchild; `+forever+`' & echo $$ > child; wait`)
	r.Grace = patience // the command itself ends at once
	_, err := stopped(t, r, "child", "grandchild")
	if e := failure(t, err); e.Signal != "15 (terminated)" {
		t.Errorf("%+v", e)
	}
	mustBeGone(t, readPID(t, r.file("grandchild")), "the child of the command")
}

func TestAStoppedProcessIsAskedToEnd(t *testing.T) {
	t.Parallel()
	r := shell(t, `echo $$ > child; kill -STOP $$; `+forever)
	r.Grace = patience
	_, err := stopped(t, r, "child")
	if e := failure(t, err); e.Signal != "15 (terminated)" {
		t.Errorf("%+v", e)
	}
}

func TestAValueBroughtAtTheEndCounts(t *testing.T) {
	t.Parallel()
	r := shell(t, `trap 'echo 0.75; exit 0' TERM; echo $$ > child; `+forever)
	r.Grace = patience
	if o, err := stopped(t, r, "child"); err != nil || o.Value != 0.75 || o.Adopted {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestPreemptionAtTheEndIsLost(t *testing.T) {
	t.Parallel()
	r := shell(t, `trap 'exit 75' TERM; echo $$ > child; `+forever)
	r.Grace = patience
	_, err := stopped(t, r, "child")
	if e := failure(t, err); e.Kind != Lost || e.Code != 75 || !errors.Is(e, errTooSlow) {
		t.Errorf("%+v", e)
	}
}

func TestNothingIsStartedAfterTheEnd(t *testing.T) {
	r := shell(t, `echo 1`)
	ctx, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	_, err := r.Run(ctx, 1, 1, point)
	if e := failure(t, err); e.Kind != NotStarted || !errors.Is(e, context.DeadlineExceeded) {
		t.Errorf("%+v", e)
	}
	if exists(r.in(1, "")) {
		t.Error("a folder was made")
	}
}

func TestWhatACommandLeavesInTheBackgroundIsKilled(t *testing.T) {
	t.Parallel()
	r := shell(t, `sh -c 'trap "" HUP TERM; echo $$ > daemon; `+forever+`' & while [ ! -s daemon ]; do sleep 0.01; done; echo 0.5`)
	if o, err := run(t, r); err != nil || o.Value != 0.5 {
		t.Errorf("%+v, %v", o, err)
	}
	mustBeGone(t, readPID(t, r.file("daemon")), "the daemon")
}

func TestACommandKilledByOthersHasFailed(t *testing.T) {
	t.Parallel()
	r := shell(t, `echo $$ > child; sleep 1000 & wait`)
	done := make(chan error, 1)
	go func() {
		_, err := r.Run(context.Background(), 1, 1, point)
		done <- err
	}()
	if err := syscall.Kill(readPID(t, r.file("child")), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	err := <-done
	if e := failure(t, err); e.Kind != Failed || e.Reason != "killed by signal 9 (killed)" {
		t.Errorf("%+v", e)
	}
}

// A shim that finds no room to say a word says so by its code.
func TestAFullDiskIsNamed(t *testing.T) {
	full := &os.PathError{Op: "write", Path: "exit.json", Err: syscall.ENOSPC}
	for _, c := range []struct {
		started bool
		err     error
		want    Error
	}{
		{false, full, Error{Kind: NotStarted, Reason: "not started: no space left on the disk of DIR"}},
		{true, fmt.Errorf("x; %w", full), Error{Kind: Failed, Reason: "it is not known how the command ended: no space left on the disk of DIR"}},
		{false, os.ErrPermission, Error{Kind: NotStarted, Reason: "not started: the reason is not known"}},
		{true, os.ErrPermission, Error{Kind: Failed, Reason: "it is not known how the command ended"}},
	} {
		dir := t.TempDir()
		shim := exec.Command("sh", "-c", fmt.Sprintf("exit %d", exitCode(c.started, c.err)))
		_ = shim.Run()
		c.want.Reason = strings.ReplaceAll(c.want.Reason, "DIR", dir)
		if got := unrecorded(attemptFolder(dir, 1, 1), shim); *got != c.want {
			t.Errorf("started %v, %v: %+v, want %+v", c.started, c.err, *got, c.want)
		}
	}
}

func TestACommandFailsWithItsShim(t *testing.T) {
	t.Parallel()
	for _, whole := range []bool{false, true} {
		r := shell(t, `echo $$ > child; `+forever)
		done := make(chan error, 1)
		go func() {
			_, err := r.Run(context.Background(), 1, 1, point)
			done <- err
		}()
		child := readPID(t, r.file("child"))
		var lock lockRecord
		if err := readJSON(r.in(1, lockFile), &lock); err != nil {
			t.Fatal(err)
		}
		target := lock.PID
		if whole { // as when the machine runs out of memory
			target = -target
		}
		if err := syscall.Kill(target, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		if e := failure(t, <-done); e.Kind != Failed || e.Signal != "9 (killed)" ||
			e.Reason != "killed by signal 9 (killed), with the process that watches the command" {
			t.Errorf("whole group %v: %+v", whole, e)
		}
		mustBeGone(t, child, "the command")
	}
}
