package command

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// identity tells a process from every other one with the same number: when it was started. It is empty where there is
// no such process.
func identity(pid int) string {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return ""
	}
	start := info.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", start.Sec, start.Usec)
}

// members returns none: the group is all there is to find.
func (g group) members() (inside, outside []int) { return nil, nil }

// escaped reports that nothing is known to have left.
func (g group) escaped() func() bool { return func() bool { return false } }

// isOurs reports whether the group may be signaled: its leader is the one that was recorded, or there is no process of
// that number any more, for a group keeps its number as long as it has members.
func (g group) isOurs([]int) bool {
	return identity(g.leader) == g.identity || errors.Is(syscall.Kill(g.leader, 0), syscall.ESRCH)
}

// killDescendants kills the whole group: its leader cannot be spared.
func (g group) killDescendants() { g.kill() }

// hasLiving reports whether the group has processes that live, given what the attempt to signal it said: signals to
// those that nobody has buried are not permitted.
func (g group) hasLiving(err error) bool { return err == nil }

// adoptOrphans does nothing: orphans go to the first process.
func adoptOrphans() {}

// endOrphans does nothing: they cannot be found outside the group. It reports that some may be left.
func endOrphans(folder) bool { return false }
