//go:build linux || darwin

package command

import (
	"errors"
	"os"
	"syscall"
)

// safely opens nothing by a link, and waits for nobody.
const safely = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// isLink reports whether something was not opened since it is a link.
func isLink(err error) bool { return errors.Is(err, syscall.ELOOP) }

// readNow reads what is in a pipe, without waiting for more, and returns how much that was.
func readNow(pipe *os.File, data []byte) (n int) {
	conn, err := pipe.SyscallConn()
	if err != nil {
		return 0
	}
	_ = conn.Read(func(fd uintptr) (done bool) {
		for n, err = syscall.Read(int(fd), data); errors.Is(err, syscall.EINTR); {
			n, err = syscall.Read(int(fd), data)
		}
		return true
	})
	return max(n, 0)
}
