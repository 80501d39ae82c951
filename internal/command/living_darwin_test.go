package command

import "syscall"

// living reports whether a process has not ended, or nobody has buried it.
func living(pid int) bool { return syscall.Kill(pid, 0) == nil }
