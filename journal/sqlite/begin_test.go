package sqlite

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/journal"
)

func init() {
	roles["create"] = func(path string, say func(...any)) error {
		s, err := Create(path)
		if err != nil {
			return err
		}
		if err := s.Keep("command", []byte("old")); err != nil {
			return err
		}
		say("created")
		select {}
	}
}

// Whoever finds a file can go on with it: there is none before there is a header.
func TestTheFileAppearsWithItsHeader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := check(Create(path))(t)
	defer s.Close()
	must(t, s.Keep("command", []byte("tarry run")))
	must(t, s.Keep("command", []byte("tarry tune")))
	must(t, s.Sync())
	must(t, s.Verify())
	holds(t, s, 0)
	if seq, state, err := s.Snapshot(); seq != 0 || state != nil || err != nil {
		t.Errorf("snapshot %d, %v, %v", seq, state, err)
	}
	if kept := check(s.Kept("command"))(t); string(kept) != "tarry tune" {
		t.Errorf("kept %q", kept)
	}
	if names := files(t, filepath.Dir(path)); names != "s.db.lock" {
		t.Errorf("before it began there are %s", names)
	}
	for way, open := range ways {
		if _, err := open(path); way == "create" && !errors.Is(err, ErrInUse) || way != "create" && !errors.Is(err, ErrNoStudy) {
			t.Errorf("%s: %v", way, err)
		}
	}
	must(t, s.Begin(header()))
	must(t, s.Sync())

	// The database has all of this without its log.
	alone := filepath.Join(t.TempDir(), "alone.db")
	must(t, copyFile(alone, path))
	extend(t, s, 3)
	must(t, s.Sync())
	look := check(Open(alone))(t)
	defer look.Close()
	holds(t, look, 0)
	if kept := check(look.Kept("command"))(t); string(kept) != "tarry tune" {
		t.Errorf("kept %q", kept)
	}
	if at := check(look.Created())(t); at.IsZero() || !at.Equal(check(s.Created())(t)) {
		t.Errorf("created %v", at)
	}
	must(t, look.Verify())
	holds(t, s, 3)
	must(t, s.Close())
	if names := files(t, filepath.Dir(path)); names != "s.db" {
		t.Errorf("there are %s", names)
	}
}

func TestWhatIsClosedBeforeItBeginsLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := check(Create(path))(t)
	must(t, s.Close())
	if names := files(t, filepath.Dir(path)); names != "" {
		t.Errorf("there are %s", names)
	}
	if s.Verify() == nil || s.Begin(header()) != errClosed || s.Keep("a", nil) != errClosed {
		t.Error("a closed store took something")
	}
}

// The script that resumes when the file exists, and begins when it does not, always gets on.
func TestAProcessThatIsKilledBeforeItBeginsLeavesNoStudy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	c := start(t, "create", path)
	if said, _ := c.line(); said != "created" {
		t.Fatal(said)
	}
	c.kill()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("there is a file: %v", err)
	}
	s := begun(t, path, 2)
	if kept := check(s.Kept("command"))(t); kept != nil {
		t.Errorf("kept %q", kept)
	}
	must(t, s.Close())
}

// What is beside the path belongs to a process that died, or to a file that is gone, and must not get into the new one.
func TestRemainsDoNotGetIntoANewStudy(t *testing.T) {
	folder := t.TempDir()
	old := begun(t, filepath.Join(folder, "old.db"), 5)
	path := filepath.Join(folder, "s.db")
	for _, side := range []string{"-wal", "-shm"} {
		must(t, copyFile(path+side, old.path+side))
		must(t, copyFile(path+newSuffix+side, old.path+side))
	}
	must(t, os.WriteFile(path+"-journal", bytes.Repeat([]byte{1}, 5000), 0o644))
	must(t, os.WriteFile(path+newSuffix+"-journal", bytes.Repeat([]byte{1}, 5000), 0o644))
	must(t, old.Close())
	must(t, os.Remove(old.path))
	for name, remains := range map[string][]byte{
		"nothing": nil, "a part of a page": []byte("SQLite format 3\x00"), "zeros": make([]byte, 8192),
	} {
		must(t, os.WriteFile(path+newSuffix, remains, 0o644))
		s := begun(t, path, 2)
		holds(t, s, 2)
		must(t, s.Verify())
		must(t, s.Close())
		if names := files(t, folder); names != "s.db" {
			t.Errorf("%s: there are %s", name, names)
		}
		must(t, os.Rename(path, path+newSuffix)) // a study that did not get to its place, but for its events
		s = check(Open(path + newSuffix))(t)
		check(s.db.Exec("DELETE FROM events"))(t)
		must(t, s.Close())
		must(t, begun(t, path, 1).Close())
		must(t, os.Remove(path))
	}
}

func TestAStudyThatIsInTheWayIsNotOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	must(t, begun(t, path+newSuffix, 4).Close())
	if _, err := Create(path); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), path+newSuffix+" holds a study") {
		t.Errorf("%v", err)
	}
	s := check(Open(path + newSuffix))(t)
	holds(t, s, 4)
	must(t, s.Close())
}

func TestAFileThatAppearsMeanwhileIsNotOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := check(Create(path))(t)
	must(t, os.WriteFile(path, []byte("notes"), 0o644))
	failure := s.Begin(header())
	if !errors.Is(failure, ErrForeign) {
		t.Errorf("%v", failure)
	}
	if s.Begin(header()) != failure || s.Sync() != failure {
		t.Error("it took something after that")
	}
	must(t, s.Close())
	if text := check(os.ReadFile(path))(t); string(text) != "notes" || files(t, filepath.Dir(path)) != "s.db" {
		t.Errorf("%q, and there are %s", text, files(t, filepath.Dir(path)))
	}

	must(t, os.Remove(path))
	s = check(Create(path))(t)
	must(t, os.WriteFile(path, nil, 0o644))
	if err := s.Begin(header()); err == nil || !strings.Contains(err.Error(), "has appeared") {
		t.Errorf("%v", err)
	}
	must(t, s.Close())
}

func TestALinkToAFileToBeIsFollowed(t *testing.T) {
	path, link := filepath.Join(t.TempDir(), "s.db"), filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	must(t, begun(t, link, 2).Close())
	s := check(Open(path))(t)
	holds(t, s, 2)
	must(t, s.Close())
	if info := check(os.Lstat(link))(t); info.Mode().Type() != fs.ModeSymlink {
		t.Error("the link was replaced")
	}
	must(t, os.Remove(link))
	must(t, os.Symlink(link, link))
	if _, err := Create(link); err == nil {
		t.Error("a link to itself was taken")
	}
}

// Who reads a store after Close is told that, and not that the file is corrupt, which it is not.
func TestAClosedStoreIsNotACorruptOne(t *testing.T) {
	s := check(Create(filepath.Join(t.TempDir(), "s.db")))(t)
	must(t, s.Begin(header()))
	must(t, s.Close())
	_, _, err := journal.Replay(s)
	if !errors.Is(err, fs.ErrClosed) || errors.Is(err, journal.ErrCorruptJournal) {
		t.Errorf("replay: %v", err)
	}
	if _, _, err := s.Snapshot(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("snapshot: %v", err)
	}
}
