package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// argumentLimits returns how many bytes one argument or variable may have, its end included, and all of them together with
// a pointer to each: see execve(2).
func argumentLimits() (each, all int) {
	const (
		pages    = 32 // MAX_ARG_STRLEN
		least    = 128 << 10
		greatest = 6 << 20 // three quarters of _STK_LIM
		reserve  = 8 << 10 // for the path of the program, of an interpreter, and what the kernel adds
	)
	var stack unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_STACK, &stack); err != nil {
		return 0, 0
	}
	all = int(max(least, min(greatest, stack.Cur/4)))
	return pages * os.Getpagesize(), all - reserve
}
