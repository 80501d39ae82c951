package sqlite

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/journal"
)

func TestABackupIsTheStudyAtThatMoment(t *testing.T) {
	folder := t.TempDir()
	path, copied := filepath.Join(folder, "s.db"), filepath.Join(folder, "copy.db")
	s := begun(t, path, 700)
	must(t, s.Keep("command", []byte("tarry tune")))
	must(t, s.KeepSnapshot(600, []byte("state")))
	must(t, s.Sync())
	extend(t, s, 710) // not synced: not in the copy
	if n, err := Backup(path, copied); n != 700 || err != nil {
		t.Fatalf("%d events, %v", n, err)
	}
	must(t, s.Sync())
	holds(t, s, 710) // it has not been disturbed
	c := check(Open(copied))(t)
	holds(t, c, 700)
	must(t, c.Verify())
	if h := check(c.Header())(t); !reflect.DeepEqual(h, header()) {
		t.Errorf("header %+v", h)
	}
	if kept := check(c.Kept("command"))(t); string(kept) != "tarry tune" {
		t.Errorf("kept %q", kept)
	}
	if at := check(c.Created())(t); !at.Equal(check(s.Created())(t)) {
		t.Errorf("created %v", at)
	}
	if seq, state, err := c.Snapshot(); seq != 600 || string(state) != "state" || err != nil {
		t.Errorf("snapshot %d, %q, %v", seq, state, err)
	}
	if c.reached == s.reached {
		t.Error("the copy has the marks of the study")
	}
	extend(t, c, 720) // it goes on for itself
	must(t, c.Sync())
	must(t, c.Close())
	must(t, s.Close())
	if names := files(t, folder); names != "copy.db s.db" {
		t.Errorf("there are %s", names)
	}
}

// What is at the target stays, whatever it is, and a backup that does not succeed leaves nothing.
func TestABackupReplacesNothing(t *testing.T) {
	folder := t.TempDir()
	path, target := filepath.Join(folder, "s.db"), filepath.Join(folder, "copy.db")
	s := begun(t, path, 5)
	for name, lay := range map[string]func() error{
		"a file":              func() error { return os.WriteFile(target, []byte("notes"), 0o644) },
		"an empty file":       func() error { return os.WriteFile(target, nil, 0o644) },
		"the study itself":    func() error { return os.Symlink(path, target) },
		"a link to nothing":   func() error { return os.Symlink(target+"2", target) },
		"a folder":            func() error { return os.Mkdir(target, 0o755) },
		"a file without rest": func() error { return os.WriteFile(target, bytes.Repeat([]byte{0}, 4096), 0o644) },
	} {
		must(t, lay())
		before := check(os.Lstat(target))(t)
		_, err := Backup(path, target)
		if !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), target+" is there already") {
			t.Errorf("%s: %v", name, err)
		}
		if after := check(os.Lstat(target))(t); !os.SameFile(before, after) || after.Size() != before.Size() {
			t.Errorf("%s: it was touched", name)
		}
		must(t, os.Remove(target))
	}
	if _, err := Backup(path, path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("onto itself: %v", err)
	}
	if _, err := Backup(path, filepath.Join(folder, "missing", "copy.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("to a folder that is not there: %v", err)
	}
	if _, err := Backup(filepath.Join(folder, "none.db"), target); !errors.Is(err, ErrNoStudy) {
		t.Errorf("of nothing: %v", err)
	}
	check(s.db.Exec("UPDATE events SET at_ns = 1 WHERE seq = 3"))(t)
	if _, err := Backup(path, target); !errors.Is(err, journal.ErrCorruptJournal) || !strings.Contains(err.Error(), path+": event 3: its checksum is wrong") || strings.Contains(err.Error(), newSuffix) {
		t.Errorf("of a damaged study: %v", err)
	}
	must(t, s.Close())
	if names := files(t, folder); names != "s.db" {
		t.Errorf("there are %s", names)
	}
}

// What a study left beside the name of the copy, whose database alone was deleted, would be taken for a part of the copy, which no
// command could open then.
func TestABackupIsNotPutBesideWhatAnotherStudyLeft(t *testing.T) {
	folder := t.TempDir()
	path, target := filepath.Join(folder, "s.db"), filepath.Join(folder, "copy.db")
	must(t, begun(t, path, 5).Close())
	c := cutOff(t, 20)
	left := map[string][]byte{"-wal": c.log, "-shm": bytes.Repeat([]byte{1}, 32768), "-journal": []byte("pages of before")}
	for side, content := range left {
		must(t, os.WriteFile(target+side, content, 0o600))
		for kind, copy := range map[string]func() error{
			"backup":  func() error { _, err := Backup(path, target); return err },
			"salvage": func() error { _, _, err := Salvage(path, target); return err },
		} {
			if err := copy(); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), target+side+" is there already") {
				t.Errorf("%s, %s: %v", side, kind, err)
			}
		}
		if now := check(os.ReadFile(target + side))(t); !bytes.Equal(now, content) {
			t.Errorf("%s was touched", side)
		}
		must(t, os.Remove(target+side))
		must(t, os.Symlink(path, target+side))
		if _, err := Backup(path, target); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), target+side) {
			t.Errorf("a link at %s: %v", side, err)
		}
		must(t, os.Remove(target+side))
	}
	if names := files(t, folder); names != "s.db" {
		t.Errorf("there are %s", names)
	}
	for side := range left { // nothing of theirs is in there
		must(t, os.WriteFile(target+side, nil, 0o600))
	}
	if n, err := Backup(path, target); n != 5 || err != nil {
		t.Errorf("beside files without a byte: %d events, %v", n, err)
	}
	s := check(Read(target))(t)
	holds(t, s, 5)
	must(t, s.Verify())
	must(t, s.Close())
	s = check(Open(target))(t)
	holds(t, s, 5)
	must(t, s.Close())
}

// A study that is made anew where another one left its log takes that away.
func TestAStudyIsMadeBesideWhatAnotherOneLeft(t *testing.T) {
	c := cutOff(t, 20)
	for name, make := range map[string]func(string) (*Store, error){"create": Create, "open or create": OpenOrCreate} {
		path := filepath.Join(t.TempDir(), "s.db")
		for side, content := range map[string][]byte{"-wal": c.log, "-shm": bytes.Repeat([]byte{1}, 32768), "-journal": []byte("pages of before")} {
			must(t, os.WriteFile(path+side, content, 0o600))
		}
		s := check(make(path))(t)
		must(t, s.Begin(header()))
		extend(t, s, 3)
		must(t, s.Sync())
		must(t, s.Close())
		s = check(Read(path))(t)
		holds(t, s, 3)
		if err := s.Verify(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		must(t, s.Close())
	}
}

// A name that somebody takes while the copy is made is not taken from him.
func TestABackupDoesNotReplaceWhatAppearsMeanwhile(t *testing.T) {
	folder := t.TempDir()
	made, to := filepath.Join(folder, "made"), filepath.Join(folder, "copy.db")
	must(t, os.WriteFile(made, []byte("copy"), 0o600))
	must(t, os.WriteFile(to, []byte("notes"), 0o600))
	if err := name(made, to); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if text := check(os.ReadFile(to))(t); string(text) != "notes" {
		t.Errorf("%q", text)
	}
	must(t, os.Remove(to))
	must(t, name(made, to))
	if names := files(t, folder); names != "copy.db" {
		t.Errorf("there are %s", names)
	}
}

// Every copy of a study that another process writes has what was acknowledged before, and is a study of its own.
func TestAStudyThatIsWrittenIsBackedUp(t *testing.T) {
	folder := t.TempDir()
	path, copied := filepath.Join(folder, "s.db"), filepath.Join(folder, "copy.db")
	must(t, begun(t, path, 1).Close())
	for _, role := range []string{"append", "churn"} {
		c := start(t, role, path)
		for range 5 {
			line, _ := c.line()
			acknowledged, err := strconv.ParseUint(line, 10, 64)
			if err != nil {
				t.Fatal(line)
			}
			n, err := Backup(path, copied)
			if err != nil || n < acknowledged {
				t.Fatalf("%s: %d of %d events: %v", role, n, acknowledged, err)
			}
			s := check(Open(copied))(t)
			holds(t, s, n)
			must(t, s.Close())
			must(t, os.Remove(copied))
			for range 20 {
				c.line()
			}
		}
		c.kill()
	}
}

// What there is of a study whose log is lost, or damaged, can be kept: in a new file, so that nothing is made worse.
func TestWhatIsThereCanBeSalvaged(t *testing.T) {
	impatient(t)
	folder := t.TempDir()
	c := cutOff(t, 60) // the first event is in the database
	path, saved := filepath.Join(folder, "s.db"), filepath.Join(folder, "saved.db")
	whole := check(os.ReadDir(folder))(t)
	for name, d := range map[string]struct {
		log    []byte
		events uint64
		lost   string
	}{
		"with its log":      {c.log, 60, ""},
		"without it":        {nil, 1, "-wal is missing"},
		"an empty log":      {[]byte{}, 1, "-wal is empty"},
		"damage in the log": {c.flipped(c.start[30]+100, 1).log, 30, "bytes of acknowledged events are behind a damaged place"},
		"damaged early":     {c.flipped(headBytes+100, 1).log, 1, "bytes of acknowledged events are behind a damaged place"},
		"the log of others": {cutOff(t, 20).log, 1, "-wal does not go with"},
		"a log cut off":     {c.log[:c.start[40]+17], 40, ""}, // as by a loss of power
	} {
		must(t, remove(path))
		must(t, os.WriteFile(path, c.base, 0o600))
		if d.log != nil {
			must(t, os.WriteFile(path+"-wal", d.log, 0o600))
		}
		n, lost, err := Salvage(path, saved)
		if err != nil || n != d.events || (lost == nil) != (d.lost == "") || lost != nil && (!errors.Is(lost, journal.ErrCorruptJournal) || !strings.Contains(lost.Error(), d.lost)) {
			t.Errorf("%s: %d events, want %d; lost: %v; %v", name, n, d.events, lost, err)
			continue
		}
		if base, log := check(os.ReadFile(path))(t), size(path+"-wal"); !bytes.Equal(base, c.base) || log != int64(len(d.log)) && d.log != nil {
			t.Errorf("%s: it was touched", name)
		}
		s := check(Open(saved))(t)
		holds(t, s, n)
		extend(t, s, n+10)
		must(t, s.Sync())
		must(t, s.Verify())
		must(t, s.Close())
		must(t, os.Remove(saved))
	}
	// A database that is damaged itself is not made whole by leaving out its log.
	base := bytes.Clone(c.base)
	clear(base[3*usualPage:][:usualPage])
	must(t, remove(path))
	must(t, os.WriteFile(path, base, 0o600))
	if _, _, err := Salvage(path, saved); !errors.Is(err, journal.ErrCorruptJournal) {
		t.Errorf("of a damaged database: %v", err)
	}
	must(t, remove(path))
	if left := check(os.ReadDir(folder))(t); len(left) != len(whole) {
		t.Errorf("there are %v", left)
	}
}
