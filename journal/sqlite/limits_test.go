//go:build linux

package sqlite

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func init() {
	roles["limited"] = func(path string, say func(...any)) error {
		// Files of this process end at 100 kB: what a full disk does, at a place that has nothing to do with pages.
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100_001, Max: 100_001}); err != nil {
			return err
		}
		return appendForever(path, say)
	}
	roles["frozen"] = func(path string, say func(...any)) error {
		signal.Ignore(syscall.SIGXFSZ)
		s, err := Open(path)
		if err != nil {
			return err
		}
		// Nothing can be written any more, as when a file system has become read only.
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{}); err != nil {
			return err
		}
		failure := errors.Join(s.Append(event(s.last.seq+1)), s.Sync())
		if again := s.Sync(); failure == nil || again == nil {
			return fmt.Errorf("it wrote: %v, %v", failure, again)
		}
		say(count(panicking{}, s))
		return s.Close()
	}
	roles["test"] = func(path string, say func(...any)) error {
		// Where SQLite's readers have their locks, and where those have one who use the index.
		for file, lock := range map[string]syscall.Flock_t{path: {Start: 0x40000002, Len: 510}, path + "-shm": {Start: 128, Len: 1}} {
			f, err := os.OpenFile(file, os.O_RDWR, 0)
			if errors.Is(err, os.ErrNotExist) {
				continue
			} else if err != nil {
				return err
			}
			lock.Type = syscall.F_WRLCK
			if err := syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &lock); err != nil {
				return err
			}
			if lock.Type != syscall.F_UNLCK {
				say(strings.TrimPrefix(file, path), "is locked")
			}
			if err := f.Close(); err != nil {
				return err
			}
		}
		return nil
	}
	roles["open"] = func(path string, say func(...any)) error {
		s, err := Open(path)
		if err != nil {
			return err
		}
		return s.Close()
	}
}

// panicking ends a child where a test would fail.
type panicking struct{ testing.TB }

func (panicking) Helper()           {}
func (panicking) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

func TestAWriteThatTheSystemRefusesIsReported(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	said := strings.Split(start(t, "limited", path).all(), "\n")
	last := said[len(said)-1]
	if len(said) < 3 || !strings.HasPrefix(last, "error after ") || !strings.Contains(last, "not written") {
		t.Fatalf("the child said %q", said)
	}
	acknowledged, err := strconv.ParseUint(said[len(said)-2], 10, 64)
	must(t, err)
	s := check(Open(path))(t)
	holds(t, s, acknowledged)
	must(t, s.Verify())
	must(t, s.Close())

	if said := start(t, "frozen", path).all(); said != fmt.Sprint(acknowledged) {
		t.Errorf("the child said %s", said)
	}
	s = check(Open(path))(t)
	defer s.Close()
	holds(t, s, acknowledged)
}

// SQLite in other processes sees by a lock on the database that a store has it open, and leaves the log alone. With POSIX
// locks, to close a file once is to lose all locks on it: to look at the file a second time must not do so.
func TestLookingDoesNotTakeTheLocksAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 3)
	check(look(path, path))(t)
	must(t, check(Read(path))(t).Close())
	if _, err := Open(path); !errors.Is(err, ErrInUse) {
		t.Error(err)
	}
	if said := start(t, "test", path).all(); !strings.Contains(said, " is locked") || !strings.Contains(said, "-shm is locked") || strings.Count(said, "is locked") != 2 {
		t.Errorf("while it is open: %s", said)
	}
	must(t, s.Close())
	if said := start(t, "test", path).all(); said != "" {
		t.Errorf("when it is closed: %s", said)
	}
}

// A small file system is filled for real, where the test may mount one.
func TestASmallFileSystemFillsUp(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=256k"); err != nil {
		t.Skip("cannot mount: ", err)
	}
	defer syscall.Unmount(folder, syscall.MNT_DETACH)
	path := filepath.Join(folder, "s.db")
	s := begun(t, path, 10)
	kept := uint64(10)
	var failure error
	for failure == nil {
		extend(t, s, kept+30)
		if failure = s.Sync(); failure == nil {
			kept += 30
		}
	}
	refuses(t, s, failure, kept)
	s.Close()
	s = check(Open(path))(t)
	defer s.Close()
	holds(t, s, kept)
}

// asNobody starts a child without the rights of this process, where it may give them up, in a folder that it cannot write.
func asNobody(t *testing.T, role, path string) string {
	t.Helper()
	c := newChild(t, role, path)
	if os.Geteuid() == 0 {
		// The program and the way to the study must be open to everybody.
		program := filepath.Join(filepath.Dir(path), "program")
		if _, err := os.Stat(program); err != nil {
			must(t, copyFile(program, c.command.Path))
		}
		must(t, os.Chmod(program, 0o755))
		c.command.Path = program
		for folder := filepath.Dir(filepath.Dir(path)); folder != os.TempDir() && folder != "/"; folder = filepath.Dir(folder) {
			must(t, os.Chmod(folder, 0o755))
		}
		c.command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	for _, side := range sides {
		if err := os.Chmod(path+side, 0o644); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	must(t, os.Chmod(filepath.Dir(path), 0o555))
	defer os.Chmod(filepath.Dir(path), 0o755)
	must(t, c.command.Start())
	defer c.kill()
	return c.all()
}

func TestAStudyInAReadOnlyFolderCanBeReadAndNotWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 600)
	if said := asNobody(t, "look", path); said != "600" {
		t.Errorf("while it is written: %s", said)
	}
	must(t, s.Close())
	before := files(t, filepath.Dir(path))
	if said := asNobody(t, "look", path); said != "600" {
		t.Errorf("alone: %s", said)
	}
	if said := asNobody(t, "open", path); !strings.HasPrefix(said, "error ") || !strings.Contains(said, "permission denied") {
		t.Errorf("opened for writing: %s", said)
	}
	if said := asNobody(t, "create", path+"2"); !strings.HasPrefix(said, "error ") || !strings.Contains(said, "permission denied") {
		t.Errorf("created: %s", said)
	}
	if after := files(t, filepath.Dir(path)); after != before {
		t.Errorf("there were %s, there are %s", before, after)
	}
}

// After a crash the log has the latest events. It is read whether the index beside it is there or not.
func TestALogInAReadOnlyFolderIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	c := start(t, "append", path)
	acknowledged := uint64(0)
	for range 100 {
		line, _ := c.line()
		seq, err := strconv.ParseUint(line, 10, 64)
		must(t, err)
		acknowledged = seq
	}
	c.kill()
	for _, index := range []bool{true, false} {
		if !index {
			must(t, os.Remove(path+"-shm"))
		}
		said := asNobody(t, "look", path)
		if n, err := strconv.ParseUint(said, 10, 64); err != nil || n < acknowledged {
			t.Errorf("of %d events it found: %s", acknowledged, said)
		}
	}
	s := check(Open(path))(t)
	defer s.Close()
	if n := count(t, s); n < acknowledged {
		t.Errorf("%d of %d events", n, acknowledged)
	}
}
