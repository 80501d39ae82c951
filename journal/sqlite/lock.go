package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// lock says that a store writes a study. The operating system gives it up when the process ends, so there are no stale
// ones. The file that it is on has the number of the process as text, for the message to others.
type lock struct{ flock *flock.Flock }

// lockSuffix is what the name of the lock has besides that of the study.
const lockSuffix = ".lock"

// Whoever asks who has the lock takes it himself for a moment: so often, and so far apart, it is tried again.
const (
	tries = 10
	apart = 10 * time.Millisecond
)

// acquire takes the lock, waiting for a tenth of a second at most. The error is ErrInUse when another store has it.
func acquire(path, file string) (*lock, error) {
	for try := 1; ; try++ {
		f := flock.New(file, flock.SetPermissions(0o644))
		locked, err := f.TryLock()
		if err != nil {
			return nil, fmt.Errorf("sqlite: lock %s: %w", path, err)
		}
		if !locked && try < tries {
			time.Sleep(apart)
			continue
		}
		if !locked {
			return nil, problem(ErrInUse, "%s is in use by %s: wait for it to end, or look at it with tarry inspect", path, holder(file))
		}
		// Whoever had the lock may have deleted the file between our opening and our locking it. Then the lock is on a
		// file that the next one will not find.
		mine, err := f.Stat()
		there, thereErr := os.Stat(file)
		if err == nil && thereErr == nil && os.SameFile(mine, there) {
			host, _ := os.Hostname()
			_ = os.WriteFile(file, fmt.Appendf(nil, "process %d\nhost %s\n", os.Getpid(), host), 0o644) // a courtesy
			return &lock{f}, nil
		}
		if errors.Is(thereErr, fs.ErrNotExist) {
			thereErr = nil
		}
		if err := errors.Join(err, thereErr, f.Unlock()); err != nil {
			return nil, fmt.Errorf("sqlite: lock %s: %w", path, err)
		}
	}
}

// release deletes the file, if it is still the one that was locked, before it gives up the lock: see acquire. Where an
// open file cannot be deleted it stays.
func (l *lock) release() error {
	mine, err := l.flock.Stat()
	there, thereErr := os.Stat(l.flock.Path())
	if err == nil && thereErr == nil && os.SameFile(mine, there) {
		_ = os.Remove(l.flock.Path())
	}
	return l.flock.Unlock()
}

// Holder describes the process that writes the study at this moment; empty when none does.
func (s *Store) Holder() (string, error) {
	file := s.file + lockSuffix
	if _, err := os.Stat(file); err != nil {
		return "", nil // it was never there, or was deleted when the last one ended well
	}
	f := flock.New(file, flock.SetFlag(os.O_RDONLY))
	free, err := f.TryRLock()
	switch {
	case err != nil:
		return "", fmt.Errorf("sqlite: lock %s: %w", s.path, err)
	case !free:
		return holder(file), nil
	}
	return "", f.Unlock()
}

// holder describes the process that has the lock, as far as it said.
func holder(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return "another process"
	}
	var process int
	var host string
	if n, _ := fmt.Sscanf(string(text), "process %d\nhost %s", &process, &host); n == 0 {
		return "another process"
	}
	if here, _ := os.Hostname(); host != "" && host != here {
		return fmt.Sprintf("process %d on %s", process, host)
	}
	return fmt.Sprintf("process %d", process)
}
