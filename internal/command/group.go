//go:build linux || darwin

package command

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// lockDescriptor is where the lock is in the shim and in the command: the first descriptor after standard error.
const lockDescriptor = 3

// newGroup has the process start as the leader of a new process group.
func newGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// passLock has the process inherit the lock, and all its descendants with it unless they close the descriptor.
func passLock(cmd *exec.Cmd, lock *os.File) { cmd.ExtraFiles = []*os.File{lock} }

// inheritedLock returns the lock as this process, the shim, has inherited it.
func inheritedLock(f folder) (*os.File, error) {
	lock := os.NewFile(lockDescriptor, f.path(lockFile))
	if _, err := lock.Stat(); err != nil {
		return nil, err
	}
	return lock, nil
}

// mayOpen returns an error where this process, the shim, has too few descriptors left for the first file that it opens:
// the runtime of Go takes two with it, and would end the process without them.
func mayOpen() error {
	for range 3 {
		fd, err := syscall.Open(os.DevNull, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		if err != nil {
			return &os.PathError{Op: "open", Path: os.DevNull, Err: err}
		}
		defer syscall.Close(fd)
	}
	return nil
}

// recordCommand has nothing to add: the leader leads to the command.
func recordCommand(*os.File, int) {}

// tryLock takes the lock, which is held until the last descriptor that is inherited from this one is closed, and
// reports whether it was free.
func tryLock(file *os.File) (free bool, err error) {
	for {
		switch err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		default:
			return err == nil, os.NewSyscallError("flock", err)
		}
	}
}

// waitFor waits for the end of the command, and buries whatever descendants end before it.
func waitFor(cmd *exec.Cmd) exitRecord {
	for {
		var status syscall.WaitStatus
		switch pid, err := syscall.Wait4(-1, &status, 0, nil); {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return exitRecord{Started: true, Code: -1, Signal: "unknown: " + err.Error()}
		case pid != cmd.Process.Pid:
		case status.Signaled():
			return exitRecord{Started: true, Code: -1, Signal: signalName(status.Signal())}
		case status.Exited():
			return exitRecord{Started: true, Code: status.ExitStatus()}
		}
	}
}

// endGroup kills what is left of the group that this process, the shim, leads, itself included.
func endGroup() {
	if pid := syscall.Getpid(); syscall.Getpgrp() == pid { // not so when started by hand
		_ = syscall.Kill(-pid, syscall.SIGKILL)
	}
}

// group is the process group of an attempt.
type group struct {
	leader   int    // the shim, whose number is that of the group
	identity string // of the leader, when it was certainly the shim
	folder   folder
}

// end asks all processes to end, kills them after the grace, and reports whether gone came to say so within the
// patience after that.
func (g group) end(grace, patience time.Duration, gone func() bool) bool {
	g.signal(syscall.SIGTERM)
	g.signal(syscall.SIGCONT) // a stopped process hears of nothing else
	if poll(grace, gone) {
		return true
	}
	begin := time.Now()
	if poll(time.Second, func() bool { g.killDescendants(); return gone() }) {
		return true
	}
	return poll(patience-time.Since(begin), func() bool { g.kill(); return gone() })
}

// kill kills all processes at once.
func (g group) kill() { g.signal(syscall.SIGKILL) }

// signal sends to the whole group, and to the descendants outside it. That a process has gone meanwhile, or is not
// ours to signal, shows in what the caller waits for.
func (g group) signal(s syscall.Signal) {
	inside, outside := g.members()
	for _, pid := range outside {
		_ = syscall.Kill(pid, s)
	}
	if g.isOurs(inside) {
		_ = syscall.Kill(-g.leader, s)
	}
}

// alive reports whether the group has processes that have not ended.
func (g group) alive() bool {
	err := syscall.Kill(-g.leader, 0)
	return !errors.Is(err, syscall.ESRCH) && g.hasLiving(err)
}
