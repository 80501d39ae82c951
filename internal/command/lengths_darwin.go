package command

import "golang.org/x/sys/unix"

// argumentLimits returns how many bytes arguments and variables may have together, with a pointer to each: see execve(2).
// There is no other limit to one of them.
func argumentLimits() (each, all int) {
	const reserve = 8 << 10 // for the path of the program, of an interpreter, and what the kernel adds
	n, err := unix.SysctlUint32("kern.argmax")
	if err != nil {
		return 0, 0
	}
	return int(n), int(n) - reserve
}
