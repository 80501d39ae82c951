//go:build linux

package sqlite

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func init() {
	roles["grab"] = func(path string, say func(...any)) error { // the lock, by whatever kind
		f, err := os.OpenFile(path+lockSuffix, os.O_RDONLY, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		for _, kind := range []int{syscall.LOCK_SH, syscall.LOCK_EX} {
			if err := syscall.Flock(int(f.Fd()), kind|syscall.LOCK_NB); err != nil {
				return err
			}
		}
		say("grabbed")
		return nil
	}
	roles["holder"] = func(path string, say func(...any)) error {
		s, err := Read(path)
		if err != nil {
			return err
		}
		defer s.Close()
		who, err := s.Holder()
		say("held by", who)
		return err
	}
}

// Who may read the study and not write it cannot take the lock.
func TestTheLockIsForThoseWhoMayWrite(t *testing.T) {
	for study, want := range map[fs.FileMode]fs.FileMode{
		0o600: 0o600, 0o644: 0o600, 0o640: 0o600, 0o660: 0o660, 0o664: 0o660, 0o666: 0o666, 0o444: 0o600, 0o620: 0o660,
	} {
		if got := lockMode(study); got != want {
			t.Errorf("the lock of a study with mode %o has mode %o, want %o", study, got, want)
		}
	}
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 2)
	if said := asNobody(t, "grab", path); os.Geteuid() == 0 && !strings.Contains(said, "permission denied") {
		t.Errorf("the lock of %o: %s", check(os.Stat(path+lockSuffix))(t).Mode(), said)
	}
	if said := asNobody(t, "holder", path); os.Geteuid() == 0 && said != "held by " {
		t.Error(said)
	}
	extend(t, s, 3)
	must(t, s.Sync())
	must(t, s.Close())
}

// A lock that is a link, or a file of somebody else, is not written, and what a link leads to is not touched.
func TestALockThatIsNoneIsLeftAlone(t *testing.T) {
	for name, lay := range map[string]func(lock, precious string) error{
		"a link":              func(lock, precious string) error { return os.Symlink(precious, lock) },
		"a link to nothing":   func(lock, precious string) error { return os.Symlink(precious+"2", lock) },
		"a file of others":    func(lock, precious string) error { return copyFile(lock, precious) },
		"a second name":       func(lock, precious string) error { return os.Link(precious, lock) },
		"a folder":            func(lock, _ string) error { return os.Mkdir(lock, 0o755) },
		"a pipe":              func(lock, _ string) error { return syscall.Mkfifo(lock, 0o600) },
		"a second name of us": func(lock, p string) error { return os.Link(p+".lock", lock) },
	} {
		folder := t.TempDir()
		path, precious := filepath.Join(folder, "s.db"), filepath.Join(t.TempDir(), "precious")
		must(t, begun(t, path, 2).Close())
		must(t, os.WriteFile(precious, []byte("precious"), 0o644))
		must(t, os.WriteFile(precious+".lock", []byte("process 1\n"), 0o644))
		must(t, lay(path+lockSuffix, precious))
		for way, open := range map[string]func(string) (*Store, error){"open": Open, "either": OpenOrCreate} {
			if _, err := open(path); err == nil || !strings.Contains(err.Error(), path+lockSuffix) {
				t.Errorf("%s: %s: %v", name, way, err)
			}
		}
		if _, err := os.Lstat(path + lockSuffix); err != nil {
			t.Errorf("%s: it is gone: %v", name, err)
		}
		for file, want := range map[string]string{precious: "precious", precious + ".lock": "process 1\n"} {
			if text := check(os.ReadFile(file))(t); string(text) != want {
				t.Errorf("%s: %s holds %q", name, file, text)
			}
		}
		if _, err := os.Lstat(precious + "2"); err == nil {
			t.Errorf("%s: a file was made", name)
		}
	}
}

// The files that SQLite has beside a study, and the one that a study is made in, may be links that somebody has laid.
func TestLinksBesideAStudyAreNotFollowed(t *testing.T) {
	precious := filepath.Join(t.TempDir(), "precious")
	text := bytes.Repeat([]byte("precious"), 1000)
	must(t, os.WriteFile(precious, text, 0o644))
	for _, side := range []string{"-wal", "-shm", "-journal", newSuffix} {
		for _, to := range []string{precious, precious + "2"} {
			path := filepath.Join(t.TempDir(), "s.db")
			must(t, begun(t, path, 2).Close())
			must(t, os.Symlink(to, path+side))
			for way, open := range map[string]func(string) (*Store, error){"open": Open, "read": Read} {
				s, err := open(path)
				if err == nil {
					s.Close()
				}
				if side != newSuffix && (err == nil || !strings.Contains(err.Error(), path+side+" is no file but a symbolic link")) {
					t.Errorf("%s: %s: %v", side, way, err)
				}
			}
			must(t, os.Remove(path))
			s, err := Create(path)
			if err == nil {
				err = s.Begin(header())
				s.Close()
			}
			if side == newSuffix && err != nil || side != newSuffix && err == nil {
				t.Errorf("%s: create: %v", side, err)
			}
		}
	}
	if got := check(os.ReadFile(precious))(t); !bytes.Equal(got, text) {
		t.Error("it was touched")
	}
	if _, err := os.Lstat(precious + "2"); err == nil {
		t.Error("a file was made")
	}
}

// The files of a study are for their owner, whatever the process allows others, unless somebody has said otherwise.
func TestTheFilesOfAStudyAreForTheirOwner(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	modes := func(what, path string, want fs.FileMode) {
		t.Helper()
		for _, side := range []string{"", "-wal", "-shm"} {
			if got := check(os.Stat(path + side))(t).Mode(); got != want {
				t.Errorf("%s: %s has mode %o, want %o", what, side, got, want)
			}
		}
		if got := check(os.Stat(path + lockSuffix))(t).Mode(); got != lockMode(want) {
			t.Errorf("%s: the lock has mode %o", what, got)
		}
	}
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 1)
	modes("new", path, 0o600)
	must(t, s.Close())
	must(t, os.Chmod(path, 0o664))
	syscall.Umask(0o077)
	s = check(Open(path))(t)
	extend(t, s, 2)
	must(t, s.Sync())
	modes("changed", path, 0o664)
	must(t, s.Close())
	must(t, os.Truncate(path, 0))
	s = begun(t, path, 1) // in the place of a file without a byte
	modes("replaced", path, 0o664)
	must(t, s.Close())
	copied := filepath.Join(t.TempDir(), "copy.db")
	check(Backup(path, copied))(t)
	if got := check(os.Stat(copied))(t).Mode(); got != 0o600 {
		t.Errorf("the copy has mode %o", got)
	}
}
