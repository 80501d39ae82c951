package command

import (
	"context"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

// escaped starts a daemon with a session of its own, without the lock, whose parent has ended.
const escaped = `(prefix "$BINARY" __daemon "$PWD/daemon" &) ; while [ ! -s daemon ]; do sleep 0.01; done; `

// escaping returns a script whose daemon has lost its environment as well, if it is to.
func escaping(prefix, rest string) string {
	return "BINARY='" + os.Args[0] + "'; prefix() { " + prefix + " \"$@\"; }; " + escaped + rest
}

func TestADaemonOutsideTheGroupIsKilled(t *testing.T) {
	t.Parallel()
	r := shell(t, escaping("env -i", "echo 0.5"))
	if o, err := run(t, r); err != nil || o.Value != 0.5 {
		t.Errorf("%+v, %v", o, err)
	}
	mustBeGone(t, readPID(t, r.file("daemon")), "the daemon")
}

func TestADaemonOutsideTheGroupIsStoppedWithTheCommand(t *testing.T) {
	t.Parallel()
	r := shell(t, escaping("env -i", "echo $$ > child; "+forever))
	if _, err := stopped(t, r, "child"); failure(t, err).Kind != Failed {
		t.Error(err)
	}
	mustBeGone(t, readPID(t, r.file("daemon")), "the daemon")
}

func TestADaemonIsKnownByItsMarkWithoutItsShim(t *testing.T) {
	t.Parallel()
	r := shell(t, escaping("command", "echo $$ > child; "+forever))
	done := make(chan error, 1)
	go func() {
		_, err := r.Run(context.Background(), 1, 1, point)
		done <- err
	}()
	daemon := readPID(t, r.file("daemon"))
	child := readPID(t, r.file("child"))
	group := must.Get(syscall.Getpgid(child))(t)
	if err := syscall.Kill(-group, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if e := failure(t, <-done); e.Kind != Failed {
		t.Error(e)
	}
	mustBeGone(t, daemon, "the daemon")
}

func TestTheLockIsHeldAsLongAsAnythingLives(t *testing.T) {
	t.Parallel()
	for i := range 4 {
		script := `for i in 1 2 3 4 5 6 7 8; do sleep 1000 & done; echo $$ > child; ` + forever
		r := shell(t, script)
		p := startParent(t, r, script)
		child := readPID(t, r.file("child"))
		p.kill()
		if i%2 == 0 { // the shim clears up before it is asked to
			if err := syscall.Kill(child, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
		sweep(t, r.Dir)
		g := group{folder: attemptFolder(r.Dir, 1, 1)}
		for _, p := range processes() {
			if g.marks(p.pid) {
				t.Errorf("process %d of %d lives", p.pid, p.group)
			}
		}
	}
}

func TestOrphansOfTheCommandAreBuried(t *testing.T) {
	t.Parallel()
	// Each is the child of a shell that has ended; unburied, they would stay in the list of processes.
	r := shell(t, `for i in 1 2 3 4 5 6 7 8; do (sh -c 'exit 0' &) ; done
		while grep -qs "^[0-9]* ([^)]*) Z $PPID " /proc/[0-9]*/stat; do sleep 0.01; done; echo 1`)
	if o, err := run(t, r); err != nil || o.Value != 1 {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestProcessesAreReadFromTheirStatus(t *testing.T) {
	p, ok := readProcess(os.Getpid())
	if !ok || p.parent != os.Getppid() || p.group != syscall.Getpgrp() || p.ended {
		t.Errorf("%+v, %v", p, ok)
	}
	if start, err := strconv.Atoi(p.start); err != nil || start <= 0 {
		t.Errorf("started at %q", p.start)
	}
	if id := identity(os.Getpid()); !strings.HasSuffix(id, " "+p.start) || len(id) < 36 || identity(1<<30) != "" {
		t.Errorf("identity %q", id)
	}
	loop := map[int]int{5: 6, 6: 7, 7: 6, 8: 5, 3: 2, 2: 1}
	if descends(loop, 8, 4) || !descends(loop, 8, 7) || descends(loop, 3, 0) || !descends(loop, 3, 2) || descends(loop, 9, 2) {
		t.Error("descent is wrong")
	}
}
