//go:build linux || darwin

package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
)

var point = []float64{0.01, 3, 1}

// newRunner returns a runner of a shell script below dir, with little grace.
func newRunner(dir, script string) (*Runner, error) {
	s, err := space.New(space.LogFloat("lr", 1e-6, 1), space.Int("layers", 1, 8), space.Categorical("kind", "adam", "sgd"))
	if err != nil {
		return nil, err
	}
	t, err := ParseTemplate([]string{"sh", "-c", strings.ReplaceAll(script, "{", "{{")}, s)
	return &Runner{
		Template: t, Dir: dir, Shim: []string{os.Args[0], "__run"}, Space: s, WorkDir: filepath.Dir(dir), Grace: 50 * time.Millisecond, MaxOutput: 1 << 20,
	}, err
}

// shell returns a runner in a temporary folder of its own. Its scripts run in the parent of the folder of attempts.
func shell(t testing.TB, script string) *Runner {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	return must.Get(newRunner(filepath.Join(t.TempDir(), "runs"), script))(t)
}

// file returns the path of a file in the working directory of a runner's scripts.
func (r *Runner) file(name string) string { return filepath.Join(r.WorkDir, name) }

// in returns a file of the folder of an attempt at the first evaluation.
func (r *Runner) in(attempt int, name string) string {
	return attemptFolder(r.Dir, 1, attempt).path(name)
}

func run(t testing.TB, r *Runner) (Report, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	o, err := r.Run(ctx, 1, 1, point)
	if ctx.Err() != nil {
		t.Fatalf("hung: %v", err)
	}
	return o, err
}

// patience is more than anything takes on a machine that has much else to do.
const patience = 3 * time.Minute

// eventually waits until something is so.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	if !poll(patience, so) {
		t.Fatalf("waited in vain until %s", what)
	}
}

// readPID waits for a script to write a process number, and has the process killed at the end of the test.
func readPID(t testing.TB, path string) int {
	t.Helper()
	var pid int
	eventually(t, path+" has a number", func() bool {
		data, err := os.ReadFile(path)
		if err != nil || !strings.HasSuffix(string(data), "\n") {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(data)))
		return err == nil
	})
	t.Cleanup(func() {
		if living(pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return pid
}

func mustBeGone(t testing.TB, pid int, what string) {
	t.Helper()
	if living(pid) {
		t.Errorf("%s, process %d, still lives", what, pid)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// failure returns err as the *Error it must be.
func failure(t testing.TB, err error) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%v is no *Error", err)
	}
	if strings.Contains(e.Error(), "\n") {
		t.Errorf("%q has several lines", e.Error())
	}
	return e
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// starvedMain is runnerMain in a process that can open so many more files.
func starvedMain(dir, script, free string) int {
	const limit = 64
	n, err := strconv.Atoi(free)
	if err := errors.Join(err, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: limit, Max: limit})); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var open []*os.File
	for {
		f, err := os.Open(os.DevNull)
		if err != nil {
			break
		}
		open = append(open, f)
	}
	for range n {
		open[len(open)-1].Close()
		open = open[:len(open)-1]
	}
	defer runtime.KeepAlive(open)
	return runnerMain(dir, script)
}

// leaveGroup makes a group.
func leaveGroup() { _ = syscall.Setpgid(0, 0) }

// leaveSession starts a session and closes the lock.
func leaveSession() {
	_, _ = syscall.Setsid()
	_ = syscall.Close(lockDescriptor)
}
