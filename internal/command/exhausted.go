package command

import (
	"errors"
	"syscall"
	"time"
)

// exhausted reports whether something failed because this process or its machine had too little of what it needs: open
// files, memory, processes. That passes, and says nothing about what was asked for.
func exhausted(err error) bool {
	for _, cause := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}

// onlyExhausted returns the error if it is such a one.
func onlyExhausted(err error) error {
	if exhausted(err) {
		return err
	}
	return nil
}

const readPatience = 2 * time.Second // for a descriptor, while there is none

// patiently does something again while it fails for such a reason, for 2 s, and returns the last error. An outcome
// that a command has brought is not to be lost for want of a descriptor to read it.
func patiently(do func() error) error {
	var err error
	poll(readPatience, func() bool {
		err = do()
		return !exhausted(err)
	})
	return err
}
