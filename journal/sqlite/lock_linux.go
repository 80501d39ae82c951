package sqlite

import (
	"errors"
	"os"
	"syscall"
)

// The commands of fcntl for locks of an open file, which, unlike those of flock, can be asked for without being taken.
// They are no locks against other writers, but signs that there is one: not every file system has them.
const (
	getLock = 36 // F_OFD_GETLK
	setLock = 37 // F_OFD_SETLK
)

// show has others see that the lock is held.
func (l *lock) show() {
	_ = syscall.FcntlFlock(l.text.Fd(), setLock, &syscall.Flock_t{Type: syscall.F_WRLCK})
}

// shown reports whether a lock is held, and stands in nobody's way.
func shown(file string) (bool, error) {
	f, err := os.OpenFile(file, os.O_RDONLY|itself, 0)
	if err != nil {
		return false, err
	}
	defer f.Close()
	sign := syscall.Flock_t{Type: syscall.F_WRLCK}
	err = syscall.FcntlFlock(f.Fd(), getLock, &sign)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return taken(file)
	}
	return sign.Type != syscall.F_UNLCK, err
}
