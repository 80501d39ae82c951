//go:build linux

package sqlite

import (
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func init() {
	roles["full"] = func(path string, say func(...any)) error {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{}); err != nil {
			return err
		}
		return lookOnce(path, say)
	}
}

// A process that cannot write a byte reads a study, also what is in a log that a crash left.
func TestReadingTakesNoRoomOnTheDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := written(t, path, 20)
	if said := start(t, "full", path).all(); said != "20" {
		t.Errorf("while it is written: %s", said)
	}
	c, _ := crashed(t, 30)
	must(t, s.Close())
	if said := start(t, "full", path).all(); said != "20" {
		t.Errorf("alone: %s", said)
	}
	c.write(t, path)
	if said := start(t, "full", path).all(); said != "30" {
		t.Errorf("after a crash: %s", said)
	}
	s = check(Open(path))(t)
	holds(t, s, 30)
	must(t, s.Close())
}

// fill takes what room there is on a small file system.
func fillUp(t testing.TB, folder string) {
	t.Helper()
	f := check(os.Create(filepath.Join(folder, "much")))(t)
	var err error
	for _, length := range []int{1 << 16, 1} {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, length))
		}
	}
	must(t, f.Close())
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
}

// The same where the disk is really full.
func TestAStudyOnAFullDiskIsRead(t *testing.T) {
	for name, leave := range map[string]func(path string) uint64{
		"that ended": func(path string) uint64 { must(t, begun(t, path, 60).Close()); return 60 },
		"that was killed": func(path string) uint64 {
			c := start(t, "append", path)
			for range 59 {
				c.line()
			}
			last, _ := c.line()
			c.kill()
			return check(strconv.ParseUint(last, 10, 64))(t)
		},
		"that lost its power": func(path string) uint64 { c, _ := crashed(t, 60); c.write(t, path); return 60 },
	} {
		folder := t.TempDir()
		if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=1m"); err != nil {
			t.Skip("cannot mount: ", err)
		}
		defer syscall.Unmount(folder, syscall.MNT_DETACH)
		path := filepath.Join(folder, "s.db")
		least := leave(path)
		fillUp(t, folder)
		look, err := Read(path)
		if err != nil {
			t.Errorf("a study %s: %v", name, err)
			continue
		}
		n := count(t, look)
		holds(t, look, n)
		must(t, look.Verify())
		if who, err := look.Holder(); who != "" || err != nil || n < least {
			t.Errorf("a study %s: %d events, held by %q, %v", name, n, who, err)
		}
		must(t, look.Close())
		if name == "that ended" {
			if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "no room on the disk") {
				t.Errorf("opened for writing: %v", err)
			}
		}
		must(t, os.Remove(filepath.Join(folder, "much")))
		s := check(Open(path))(t)
		holds(t, s, n)
		must(t, s.Close())
		if left := files(t, folder); left != "s.db" {
			t.Errorf("a study %s: there are %s", name, left)
		}
	}
}
