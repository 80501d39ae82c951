package command

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
)

// closing starts a grandchild that has closed the lock and ignores SIGTERM.
const closing = `sh -c 'trap "" TERM; exec 3>&-; echo $$ > grandchild; ` + forever + `' & echo $$ > child; `

func TestOrphansThatClosedTheLockAreSwept(t *testing.T) {
	t.Parallel()
	script := closing + forever
	r := shell(t, script)
	p := startParent(t, r, script)
	child, grandchild := readPID(t, r.file("child")), readPID(t, r.file("grandchild"))
	p.kill()
	var lock lockRecord
	if err := readJSON(r.in(1, lockFile), &lock); err != nil {
		t.Fatal(err)
	}
	for _, pid := range []int{lock.PID, child} {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		eventually(t, "it has died", func() bool { return !living(pid) })
	}
	eventually(t, "the lock tells nothing", func() bool { return !attemptFolder(r.Dir, 1, 1).held() })
	if !living(grandchild) {
		t.Fatal("the orphan died with the command")
	}
	if reported := sweep(t, r.Dir); len(reported) != 1 || reported["000001.1"] != lock.PID {
		t.Errorf("reported %v, want %d", reported, lock.PID)
	}
	mustBeGone(t, grandchild, "the orphan")
}

func TestWhatRunsInDeletedFoldersIsSwept(t *testing.T) {
	t.Parallel()
	script := `echo $$ > child; ` + forever
	r := shell(t, script)
	link := r.file("link")
	if err := os.Symlink(filepath.Base(r.Dir), link); err != nil {
		t.Fatal(err)
	}
	p := startParent(t, r, script)
	child := readPID(t, r.file("child"))
	p.kill()
	if err := os.RemoveAll(r.Dir); err != nil {
		t.Fatal(err)
	}
	if reported := sweep(t, link); len(reported) != 1 || reported["000001.1"] == 0 {
		t.Errorf("reported %v", reported)
	}
	mustBeGone(t, child, "the command")
}

func TestOnlyWhatBearsTheMarkOfAnAttemptIsSwept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		mark  string
		swept bool
	}{
		{"runs/000001.1", true},
		{"runs/000001.1/inner.logs/000007.2", true},
		{"runs2/000001.1", false},
		{"runs", false},
		{"runs/notes", false},
	} {
		cmd := exec.Command("sleep", "1000")
		cmd.Env = []string{"A=1", logDirVariable + "=" + filepath.Join(dir, c.mark), "B=2"}
		newGroup(cmd)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		reported := sweep(t, filepath.Join(dir, "runs"))
		if living(cmd.Process.Pid) == c.swept || (reported["000001.1"] == cmd.Process.Pid) != c.swept {
			t.Errorf("%s: reported %v", c.mark, reported)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // the signal
	}
}

func TestSweepSparesThoseWhoCalledIt(t *testing.T) {
	t.Parallel()
	// A shell, its pipeline and the process that sweeps, all in the environment of an attempt.
	for _, script := range []string{
		`sleep 1000 & "$0" __sweep "$1" && kill $! && echo all survived`,
		`"$0" __sweep "$1" apart && echo all survived`,
	} {
		dir := t.TempDir()
		cmd := exec.Command("sh", "-c", script, os.Args[0], dir)
		cmd.Env = append(os.Environ(), logDirVariable+"="+filepath.Join(dir, "000001.1"))
		newGroup(cmd)
		if out, err := cmd.CombinedOutput(); string(out) != "all survived\n" || err != nil {
			t.Errorf("%s: %s, %v", script, out, err)
		}
	}
}

func TestARepeatedAttemptEndsTheOrphansOfTheFirst(t *testing.T) {
	t.Parallel()
	script := `test -e child && echo 2 && exit 0; ` + closing + forever
	r := shell(t, script)
	p := startParent(t, r, script)
	child, grandchild := readPID(t, r.file("child")), readPID(t, r.file("grandchild"))
	p.kill()
	group, err := syscall.Getpgid(child)
	if err := errors.Join(err, syscall.Kill(group, syscall.SIGKILL), syscall.Kill(child, syscall.SIGKILL)); err != nil {
		t.Fatal(err)
	}
	if o, err := run(t, r); err != nil || o.Value != 2 {
		t.Errorf("%+v, %v", o, err)
	}
	mustBeGone(t, grandchild, "the orphan")
}

func TestWhenRunReturnsNothingOfTheAttemptLives(t *testing.T) {
	t.Parallel()
	daemon := escaping("command", closing+`trap "" TERM; `+forever)
	for name, end := range map[string]func(cancel context.CancelFunc, shim int){
		"stopped":              func(cancel context.CancelFunc, _ int) { cancel() },
		"shim killed":          func(_ context.CancelFunc, shim int) { _ = syscall.Kill(shim, syscall.SIGKILL) },
		"stopped without shim": func(cancel context.CancelFunc, shim int) { cancel(); _ = syscall.Kill(shim, syscall.SIGKILL) },
	} {
		r := shell(t, daemon)
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		done := make(chan error, 1)
		go func() {
			_, err := r.Run(ctx, 1, 1, point)
			done <- err
		}()
		for _, file := range []string{"daemon", "grandchild", "child"} {
			readPID(t, r.file(file))
		}
		var lock lockRecord
		if err := readJSON(r.in(1, lockFile), &lock); err != nil {
			t.Fatal(err)
		}
		end(cancel, lock.PID)
		err := <-done
		if left := orphans(r.Dir, ""); len(left) > 0 || failure(t, err).Kind != Failed || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %+v live, %v", name, left, err)
		}
		cancel()
	}
}

func BenchmarkSweepWithoutOrphans(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "missing")
	begin := time.Now()
	for b.Loop() {
		if err := Sweep(dir, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(time.Since(begin).Microseconds())/float64(b.N)/float64(len(numbers())), "µs/process")
}

func TestPathsOfWhatIsGoneAreResolved(t *testing.T) {
	dir := must.Get(canonical(t.TempDir()))(t)
	if err := errors.Join(
		os.Mkdir(filepath.Join(dir, "real"), 0o777),
		os.Symlink("real", filepath.Join(dir, "link")),
		os.Symlink("../gone/a", filepath.Join(dir, "real", "dangling")),
		os.Symlink(filepath.Join(dir, "link", "b"), filepath.Join(dir, "far")),
		os.Symlink("loop", filepath.Join(dir, "loop")),
	); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"real": "real", "link": "real", "link/x/y": "real/x/y", "link/dangling/z": "gone/a/z", "far": "real/b", "x/../link/q": "real/q",
	} {
		if got, err := resolve(filepath.Join(dir, path)); err != nil || got != filepath.Join(dir, want) {
			t.Errorf("%s is %s, %v; want %s", path, strings.TrimPrefix(got, dir), err, want)
		}
	}
	if got, err := resolve(filepath.Join(dir, "loop", "x")); err == nil {
		t.Errorf("a loop of links leads to %s", got)
	}
}
