package sqlite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// lock says that a store writes a study. The operating system gives it up when the process ends, so there are no stale
// ones. The file that it is on has the number of the process as text, for the message to others.
//
// Whoever can open the file can take the lock, even if he can only read it. So those can who may write the study, and
// nobody else; they could also delete it. What remains is that somebody who may write the study and does not, keeps
// it from others.
type lock struct {
	flock *flock.Flock
	text  *os.File // the same file
	ours  bool     // what is in it
}

// lockSuffix is what the name of the lock has besides that of the study.
const lockSuffix = ".lock"

// Where asking who has the lock means to take it for a moment, it is tried again: so often, and so far apart.
const (
	tries = 10
	apart = 10 * time.Millisecond
)

// lockMode is the mode of the lock for a study with a mode.
func lockMode(study fs.FileMode) fs.FileMode {
	mode := fs.FileMode(private)
	for _, class := range []fs.FileMode{0o060, 0o006} {
		if study&class&0o222 != 0 {
			mode |= class
		}
	}
	return mode
}

// acquire takes the lock, waiting for a tenth of a second at most. The error is ErrInUse when another store has it.
func acquire(path, file string, study fs.FileMode) (*lock, error) {
	if err := plain(path+lockSuffix, file); err != nil {
		return nil, err
	}
	mode := lockMode(study)
	for try := 1; ; try++ {
		f := flock.New(file, flock.SetFlag(os.O_RDWR|os.O_CREATE|itself), flock.SetPermissions(mode))
		locked, err := f.TryLock()
		if err != nil {
			return nil, fmt.Errorf("sqlite: lock %s: %w", path, err)
		}
		if !locked && try < tries {
			time.Sleep(apart)
			continue
		}
		if !locked {
			return nil, inUse(path, holder(file))
		}
		// Whoever had the lock may have deleted the file between our opening and our locking it. Then the lock is on a
		// file that the next one will not find.
		text, err := os.OpenFile(file, os.O_RDWR|itself, 0)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !same(f, text) {
			if text != nil {
				text.Close()
			}
			if err := f.Unlock(); err != nil {
				return nil, fmt.Errorf("sqlite: lock %s: %w", path, err)
			}
			continue
		}
		l := &lock{flock: f, text: text}
		if err == nil {
			err = l.sign(mode)
		}
		if err != nil {
			return nil, fmt.Errorf("sqlite: lock %s: %w", path, errors.Join(err, l.close()))
		}
		return l, nil
	}
}

// inUse is the error of a study that a process has open: another one, which may end, or this one itself.
func inUse(path, who string) error {
	if who == fmt.Sprintf("process %d", os.Getpid()) {
		return problem(ErrInUse, "%s is open already in this program, %s: close the store that has it, or look at it with tarry inspect", path, who)
	}
	return problem(ErrInUse, "%s is in use by %s: wait for it to end, or look at it with tarry inspect", path, who)
}

// same reports whether the lock is on an open file.
func same(f *flock.Flock, file *os.File) bool {
	mine, err := f.Stat()
	there, thereErr := file.Stat()
	return err == nil && thereErr == nil && os.SameFile(mine, there)
}

// sign writes to the file who has the lock. What is in the file must be from us: another file by that name is left alone,
// and so is one that cannot be read while it is locked, as on Windows.
func (l *lock) sign(mode fs.FileMode) error {
	info, err := l.text.Stat()
	if err != nil {
		return err
	}
	old := make([]byte, len(signature))
	n, err := l.text.ReadAt(old, 0)
	if err != nil && err != io.EOF {
		return nil
	}
	if !info.Mode().IsRegular() || names(info) > 1 || !strings.HasPrefix(signature, string(old[:n])) {
		return fmt.Errorf("%s is there and is no lock of tarry: move it elsewhere", l.flock.Path())
	}
	l.ours = true
	host, _ := os.Hostname()
	_ = l.text.Chmod(mode) // what follows is a courtesy
	_ = l.text.Truncate(0)
	_, _ = l.text.WriteAt(fmt.Appendf(nil, "%s%d\nhost %s\n", signature, os.Getpid(), host), 0)
	return nil
}

// signature is what the text of a lock begins with.
const signature = "process "

func (l *lock) close() error {
	if l.text == nil {
		return l.flock.Unlock()
	}
	return errors.Join(l.text.Close(), l.flock.Unlock())
}

// release deletes the file, if it is ours and still the one that was locked, before it gives up the lock: see acquire.
// Where an open file cannot be deleted it stays.
func (l *lock) release() error {
	mine, err := l.text.Stat()
	there, thereErr := os.Lstat(l.flock.Path())
	if err == nil && thereErr == nil && l.ours && os.SameFile(mine, there) {
		_ = os.Remove(l.flock.Path())
	}
	return l.close()
}

// Holder describes the process that writes the study at this moment; empty when none does, or when the lock cannot be
// looked at, which is for those that may write the study. To ask for it is to take it for a moment, together with others who
// ask; who wants it at the same moment waits for as long as that takes.
func (s *Store) Holder() (string, error) {
	file := s.file + lockSuffix
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		return "", nil // it was never there, or was deleted when the last one ended well
	}
	f := flock.New(file, flock.SetFlag(os.O_RDONLY|itself))
	free, err := f.TryRLock()
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
		return "", nil
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
	if n, _ := fmt.Sscanf(string(text), signature+"%d\nhost %s", &process, &host); n == 0 {
		return "another process"
	}
	if here, _ := os.Hostname(); host != "" && host != here {
		return fmt.Sprintf("process %d on %s", process, host)
	}
	return fmt.Sprintf("process %d", process)
}
