//go:build !linux && !darwin

package command

import (
	"os"
	"os/exec"
	"time"
)

// newGroup does nothing: there are no process groups.
func newGroup(*exec.Cmd) {}

// passLock does nothing: descriptors are not inherited.
func passLock(*exec.Cmd, *os.File) {}

// inheritedLock opens the lock.
func inheritedLock(f folder) (*os.File, error) { return open(f.path(lockFile), os.O_RDWR) }

// mayOpen returns nil: there is no small limit to open files.
func mayOpen() error { return nil }

// recordCommand records the command in the place of the leader: it is what must be killed. Where that fails the
// leader is killed instead.
func recordCommand(lock *os.File, pid int) { _ = recordLeader(lock, pid) }

// tryLock reports that the lock is free: without inheritance it could not tell whether a command runs.
func tryLock(*os.File) (free bool, err error) { return true, nil }

// identity is unknown.
func identity(int) string { return "" }

// adoptOrphans does nothing.
func adoptOrphans() {}

// endOrphans does nothing: they cannot be found. It reports that there is nothing to be done about them.
func endOrphans(folder) bool { return true }

// endGroup does nothing.
func endGroup() {}

// waitFor waits for the end of the command.
func waitFor(cmd *exec.Cmd) exitRecord {
	if err := cmd.Wait(); cmd.ProcessState == nil {
		return exitRecord{Started: true, Code: -1, Signal: "unknown: " + err.Error()}
	}
	return exitRecord{Started: true, Code: cmd.ProcessState.ExitCode()}
}

// group is the shim of an attempt and its command.
type group struct {
	leader   int
	identity string
	folder   folder
}

// end kills the command, and reports whether gone came to say so within the patience.
func (g group) end(_, patience time.Duration, gone func() bool) bool {
	g.kill()
	return poll(patience, gone)
}

// kill kills the command; the shim then ends by itself.
func (g group) kill() {
	pid := g.leader
	var lock lockRecord
	if readJSON(g.folder.path(lockFile), &lock) == nil {
		pid = lock.PID
	}
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // it may have ended by itself
	}
}

// escaped reports that nothing is known to have left.
func (g group) escaped() func() bool { return func() bool { return false } }

// alive reports that nothing but the shim is known to live.
func (g group) alive() bool { return false }
