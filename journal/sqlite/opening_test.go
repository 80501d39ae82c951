package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/journal"
)

// ways are the three ways to a store.
var ways = map[string]func(string) (*Store, error){"create": Create, "open": Open, "read": Read}

func TestWhereThereIsNoStudyNothingIsMade(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"open", "read"} {
		if _, err := ways[name](filepath.Join(folder, "s.db")); !errors.Is(err, ErrNoStudy) || errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, way := range ways {
		path := filepath.Join(folder, "missing", "s.db")
		if _, err := way(path); !errors.Is(err, fs.ErrNotExist) || err.Error() != "folder "+filepath.Dir(path)+" of "+path+" does not exist" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if names := files(t, folder); names != "" {
		t.Errorf("there are %s", names)
	}
}

func TestAStudyIsNotCreatedOverAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	must(t, begun(t, path, 5).Close())
	before := check(os.ReadFile(path))(t)
	if _, err := Create(path); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), path) {
		t.Errorf("created over a study: %v", err)
	}
	if !bytes.Equal(before, check(os.ReadFile(path))(t)) || files(t, filepath.Dir(path)) != "s.db" {
		t.Error("the study was touched")
	}
}

// What an interrupted Create of an earlier version left is no study, and the next Create takes it over.
func TestWhatNeverBeganIsTakenOver(t *testing.T) {
	for name, leave := range map[string]func(string){
		"a file without a byte": func(path string) { must(t, os.WriteFile(path, nil, 0o644)) },
		"tables without a header": func(path string) {
			s := &Store{path: path, file: path}
			must(t, s.connect("rwc"))
			must(t, s.lay())
			must(t, s.start())
			must(t, s.put("command", []byte("old")))
			must(t, s.Close())
		},
		"a database of ours without tables": func(path string) {
			db := check(dial(path, "rwc", usual...))(t)
			check(db.Exec("PRAGMA application_id = 1952543353; PRAGMA user_version = 2"))(t)
			must(t, db.Close())
		},
	} {
		path := filepath.Join(t.TempDir(), "s.db")
		leave(path)
		for _, way := range []string{"open", "read"} {
			if _, err := ways[way](path); !errors.Is(err, ErrNoStudy) || errors.Is(err, ErrForeign) {
				t.Errorf("%s: %s: %v", name, way, err)
			}
		}
		s := begun(t, path, 3)
		holds(t, s, 3)
		if old, err := s.Kept("command"); old != nil || err != nil {
			t.Errorf("%s: the old command is %q, %v", name, old, err)
		}
		must(t, s.Close())
	}
}

func TestFilesOfOthersAreRefusedAndNotTouched(t *testing.T) {
	other := func(statements string) func(path string) {
		return func(path string) {
			db := check(sql.Open("sqlite", path))(t)
			check(db.Exec(statements))(t)
			must(t, db.Close())
		}
	}
	for name, make := range map[string]func(path string){
		"no SQLite database":                              func(path string) { must(t, os.WriteFile(path, []byte("x: [0, 1]\n"), 0o644)) },
		"no SQLite database, and a long one":              func(path string) { must(t, os.WriteFile(path, bytes.Repeat([]byte("#"), 9999), 0o644)) },
		"a SQLite database of another program":            other("CREATE TABLE events (a)"),
		"a SQLite database of another program with a log": other("PRAGMA journal_mode = WAL; CREATE TABLE study (a)"),
		"layout 1": func(path string) {
			must(t, begun(t, path, 3).Close())
			other("PRAGMA user_version = 1")(path)
		},
		"layout 3": func(path string) {
			must(t, begun(t, path, 3).Close())
			other("PRAGMA user_version = 0x100003")(path)
		},
		"no file": func(path string) { must(t, os.Mkdir(path, 0o755)) },
	} {
		path := filepath.Join(t.TempDir(), "s.db")
		make(path)
		before, _ := os.ReadFile(path)
		for way, open := range ways {
			_, err := open(path)
			want, _, _ := strings.Cut(name, ", ")
			want, _, _ = strings.Cut(want, " with a")
			if !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %s: %v", name, way, err)
			}
			if errors.Is(err, ErrNoStudy) || errors.Is(err, fs.ErrNotExist) { // there is something
				t.Errorf("%s: %s: %v is ErrNoStudy", name, way, err)
			}
		}
		after, _ := os.ReadFile(path)
		if !bytes.Equal(before, after) || files(t, filepath.Dir(path)) != "s.db" {
			t.Errorf("%s: it was touched, and there are %s", name, files(t, filepath.Dir(path)))
		}
	}
}

func TestAnyNameOfAFileWillDo(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a b", "what?mode=memory", "50%41.db", "#1;x&y=z", "ü'\"", ":memory:", "file:x"} {
		path := filepath.Join(folder, name)
		must(t, begun(t, path, 2).Close())
		s := check(Read(path))(t)
		holds(t, s, 2)
		must(t, s.Close())
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	t.Chdir(folder)
	s := begun(t, "relative.db", 1)
	t.Chdir(os.TempDir())
	extend(t, s, 2)
	must(t, s.Sync())
	must(t, s.Close())
	s = check(Open(filepath.Join(folder, "relative.db")))(t)
	defer s.Close()
	holds(t, s, 2)
}

// Two names of one file are one study, with one lock.
func TestASymbolicLinkIsTheFileItself(t *testing.T) {
	folder := t.TempDir()
	path, link := filepath.Join(folder, "s.db"), filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	s := begun(t, path, 2)
	if _, err := Open(link); !errors.Is(err, ErrInUse) {
		t.Errorf("opened by another name: %v", err)
	}
	must(t, s.Close())
	s = check(Open(link))(t)
	holds(t, s, 2)
	must(t, s.Close())
	if names := files(t, filepath.Dir(link)); names != "link.db" {
		t.Errorf("beside the link there are %s", names)
	}
}

func TestAHeaderThatThisProgramDoesNotReadIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 2)
	text := []byte(`{"format":3,"program":{"tarry":"v9.0.0","go":"go1.40"}}`)
	check(s.db.Exec("UPDATE study SET text = ?, crc = ? WHERE name = 'header'", string(text), textChecksum("header", text)))(t)
	must(t, s.Close())
	for way, open := range ways {
		if _, err := open(path); err == nil || !strings.Contains(err.Error(), "format 3, written by tarry v9.0.0") || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", way, err)
		}
	}
}

func TestReadTakesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	must(t, begun(t, path, 2).Close())
	s := check(Read(path))(t)
	defer s.Close()
	for _, err := range []error{s.Append(event(3)), s.Mark(1), s.KeepSnapshot(1, nil), s.Sync(), s.Keep("a", nil), s.Begin(header())} {
		if !errors.Is(err, errReadOnly) {
			t.Errorf("it took something: %v", err)
		}
	}
	if _, err := s.db.Exec("DELETE FROM events"); err == nil {
		t.Error("the connection can write")
	}
}

// A study in the making has no header for a moment, which is not the same as a damaged one.
func TestEventsWithoutAHeaderAreDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 2)
	check(s.db.Exec("DELETE FROM study"))(t)
	must(t, s.Close())
	for way, open := range ways {
		if _, err := open(path); !errors.Is(err, journal.ErrCorruptJournal) || !strings.Contains(err.Error(), "2 events and no header") {
			t.Errorf("%s: %v", way, err)
		}
	}
	if _, err := os.Stat(path + ".lock"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a lock was left: %v", err)
	}
}

// Whoever wants a study, whether it is there or not, need not ask before.
func TestAStudyIsOpenedOrCreated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := check(OpenOrCreate(path))(t)
	if _, err := s.Header(); !errors.Is(err, ErrNoStudy) {
		t.Errorf("a new one has a header: %v", err)
	}
	for way, open := range map[string]func(string) (*Store, error){"either": OpenOrCreate, "create": Create} {
		if _, err := open(path); !errors.Is(err, ErrInUse) {
			t.Errorf("%s meanwhile: %v", way, err)
		}
	}
	must(t, s.Begin(header()))
	extend(t, s, 3)
	must(t, s.Sync())
	if _, err := OpenOrCreate(path); !errors.Is(err, ErrInUse) {
		t.Errorf("meanwhile: %v", err)
	}
	must(t, s.Close())
	s = check(OpenOrCreate(path))(t)
	check(s.Header())(t)
	holds(t, s, 3)
	extend(t, s, 5)
	must(t, s.Sync())
	must(t, s.Close())

	for name, lay := range map[string]func() error{
		"a file without a byte": func() error { return os.WriteFile(path, nil, 0o644) },
		"tables without a header": func() error {
			s := check(Open(path))(t)
			check(s.db.Exec("DELETE FROM events; DELETE FROM study"))(t)
			return s.Close()
		},
	} {
		must(t, remove(path))
		must(t, begun(t, path, 2).Close())
		must(t, lay())
		s := check(OpenOrCreate(path))(t)
		if _, err := s.Header(); !errors.Is(err, ErrNoStudy) {
			t.Errorf("%s: %v", name, err)
		}
		must(t, s.Begin(header()))
		extend(t, s, 4)
		must(t, s.Sync())
		must(t, s.Close())
		look := check(Read(path))(t)
		holds(t, look, 4)
		must(t, look.Close())
	}
	must(t, os.WriteFile(path, []byte("notes"), 0o644))
	if _, err := OpenOrCreate(path); !errors.Is(err, ErrForeign) {
		t.Errorf("a file of others: %v", err)
	}
}

// What Create would make is not there, in the words of the system too; what it would refuse is.
func TestWhereThereIsNoStudyNothingExists(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	if _, err := Open(path); !errors.Is(err, ErrNoStudy) || !errors.Is(err, fs.ErrNotExist) || err.Error() != "there is no study at "+path {
		t.Errorf("%v", err)
	}
	must(t, os.WriteFile(path, []byte("notes"), 0o644))
	if _, err := Open(path); !errors.Is(err, ErrForeign) || errors.Is(err, ErrNoStudy) || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file of others: %v", err)
	}
	if errors.Is(ErrInUse, fs.ErrNotExist) || errors.Is(ErrExists, fs.ErrNotExist) {
		t.Error("what is there does not exist")
	}
}
