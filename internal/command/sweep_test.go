//go:build linux || darwin

package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
)

// hold has a process in a group of its own hold the lock of an attempt, with a record of the given leader.
func hold(t *testing.T, f folder, record func(pid int) lockRecord) (pid int) {
	t.Helper()
	if err := os.MkdirAll(string(f), 0o777); err != nil {
		t.Fatal(err)
	}
	lock := must.Get(os.Create(f.path(lockFile)))(t)
	defer lock.Close()
	if free, err := tryLock(lock); !free || err != nil {
		t.Fatal(free, err)
	}
	cmd := exec.Command("sleep", "1000")
	newGroup(cmd)
	passLock(cmd, lock)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
	})
	write(t, f.path(lockFile), string(mustJSON(record(cmd.Process.Pid))))
	return cmd.Process.Pid
}

func TestAProcessThatGotTheNumberOfALeaderIsLeftAlone(t *testing.T) {
	t.Parallel()
	f := attemptFolder(t.TempDir(), 1, 1)
	pid := hold(t, f, func(pid int) lockRecord { return lockRecord{pid, "another " + identity(pid)} })
	err := f.sweep(0, 50*time.Millisecond, unreported)
	if err == nil || !strings.Contains(err.Error(), f.path(lockFile)) || !strings.Contains(err.Error(), fmt.Sprint("process group ", pid)) {
		t.Error(err)
	}
	if !living(pid) {
		t.Error("it was killed")
	}
	unknown := attemptFolder(t.TempDir(), 1, 1)
	pid = hold(t, unknown, func(pid int) lockRecord { return lockRecord{PID: pid} })
	if err := unknown.sweep(0, 50*time.Millisecond, unreported); err == nil || !strings.Contains(err.Error(), unknown.path(lockFile)+" is held by process group") || !living(pid) {
		t.Errorf("without an identity: %v", err)
	}
}

func TestManyOrphansAreSweptAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var pids []int
	for i := range 20 {
		pids = append(pids, hold(t, attemptFolder(dir, i, 1), func(pid int) lockRecord { return lockRecord{pid, identity(pid)} }))
	}
	if reported := sweep(t, dir); len(reported) != 20 || reported["000007.1"] != pids[7] {
		t.Errorf("reported %v", reported)
	}
	for _, pid := range pids {
		mustBeGone(t, pid, "an orphan")
	}
}

func TestSweepPassesOverWhatIsNoAttempt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := Sweep(filepath.Join(dir, "missing"), nil); err != nil {
		t.Error(err)
	}
	write(t, filepath.Join(dir, "000001.1"), "a file")
	if err := os.MkdirAll(filepath.Join(dir, "000002.1"), 0o777); err != nil { // made before the lock was
		t.Fatal(err)
	}
	pid := hold(t, folder(filepath.Join(dir, "something")), func(pid int) lockRecord { return lockRecord{pid, identity(pid)} })
	if reported := sweep(t, dir); len(reported) != 0 || !living(pid) {
		t.Errorf("reported %v", reported)
	}
}

func TestTheCommandIsSweptWithoutItsShim(t *testing.T) {
	t.Parallel()
	script := `echo $$ > child; ` + forever
	r := shell(t, script)
	p := startParent(t, r, script)
	child := readPID(t, r.file("child"))
	p.kill()
	var lock lockRecord
	if err := readJSON(r.in(1, lockFile), &lock); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(lock.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if reported := sweep(t, r.Dir); reported["000001.1"] != lock.PID {
		t.Errorf("reported %v, want %d", reported, lock.PID)
	}
	mustBeGone(t, child, "the command")
}

func BenchmarkSweepTenThousandFolders(b *testing.B) {
	dir, folders := b.TempDir(), 10_000
	if testing.Short() {
		folders = 100
	}
	for i := range folders {
		f := attemptFolder(dir, i, 1)
		if err := os.Mkdir(string(f), 0o777); err != nil {
			b.Fatal(err)
		}
		for _, file := range []string{lockFile, exitFile} {
			write(b, f.path(file), "{}")
		}
	}
	for b.Loop() {
		if err := Sweep(dir, nil); err != nil {
			b.Fatal(err)
		}
	}
}
