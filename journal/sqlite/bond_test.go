package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
)

// written is a study that goes on, with so many events, each synced for itself.
func written(t testing.TB, path string, events uint64) *Store {
	t.Helper()
	s := begun(t, path, 0)
	for seq := uint64(1); seq <= events; seq++ {
		extend(t, s, seq)
		must(t, s.Sync())
	}
	return s
}

// lay copies the files of a study, or some of them, to another path, as far as they are there.
func lay(t testing.TB, to, from string, which ...string) {
	t.Helper()
	must(t, remove(to))
	for _, side := range which {
		if err := copyFile(to+side, from+side); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// refusedAs requires that no way leads to a study, for a reason, and that nothing is touched.
func refusedAs(t testing.TB, what, path, want string) {
	t.Helper()
	before := files(t, filepath.Dir(path))
	for way, open := range ways {
		s, err := open(path)
		if err == nil {
			t.Errorf("%s: %s: it was opened, with %d events", what, way, s.stored)
			s.Close()
			continue
		}
		if !errors.Is(err, journal.ErrCorruptJournal) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "tarry backup --salvage "+path) {
			t.Errorf("%s: %s: %v, want %q", what, way, err, want)
		}
	}
	if after := files(t, filepath.Dir(path)); after != before {
		t.Errorf("%s: there were %s, there are %s", what, before, after)
	}
}

// Whoever copies the file of a study that goes on, and leaves the log behind, has a copy without its latest events.
func TestACopyWithoutItsLogIsRefused(t *testing.T) {
	impatient(t)
	s := written(t, filepath.Join(t.TempDir(), "s.db"), 100)
	path := filepath.Join(t.TempDir(), "copy.db")
	lay(t, path, s.path, "")
	refusedAs(t, "without its log", path, path+"-wal is missing")
	must(t, os.WriteFile(path+"-wal", nil, 0o644))
	refusedAs(t, "with an empty log", path, path+"-wal is empty")
	must(t, os.WriteFile(path+"-wal", check(os.ReadFile(s.path + "-wal"))(t)[:headBytes], 0o644))
	refusedAs(t, "with the header of its log", path, path+"-wal does not go with "+path)
	lay(t, path, s.path, "", "-wal")
	look := check(Read(path))(t)
	holds(t, look, 100)
	must(t, look.Close())

	must(t, s.Close())
	lay(t, path, s.path, "")
	again := check(Open(path))(t) // what has come to its end is one file
	holds(t, again, 100)
	must(t, again.Close())
}

// The files of a study at two moments, and those of two studies, do not go together.
func TestFilesThatDoNotGoTogetherAreRefused(t *testing.T) {
	impatient(t)
	folder := t.TempDir()
	name := func(name string) string { return filepath.Join(folder, name) }
	s, other := written(t, name("s.db"), 20), written(t, name("other.db"), 20)
	moment := func(name string) {
		lay(t, filepath.Join(folder, name), s.path, "", "-wal")
	}
	moment("first")
	patient(s)
	for seq := uint64(21); seq <= 40; seq++ { // the first of them renews the bond
		extend(t, s, seq)
		must(t, s.Sync())
	}
	moment("second")
	s.longest = 1
	s.bonded = time.Time{}
	for seq := uint64(41); seq <= 60; seq++ { // the second of them begins a new log
		extend(t, s, seq)
		must(t, s.Sync())
	}
	moment("third")
	path := name("mixed")
	for what, from := range map[string]struct{ base, log string }{
		"the log of another study":       {"third", "other.db"},
		"that and its database":          {"other.db", "third"},
		"an older log":                   {"second", "first"},
		"a log before it began anew":     {"third", "second"},
		"a database before it began":     {"second", "third"},
		"a log that is older, and older": {"third", "first"},
	} {
		must(t, remove(path))
		must(t, copyFile(path, name(from.base)))
		must(t, copyFile(path+"-wal", name(from.log)+"-wal"))
		refusedAs(t, what, path, path+"-wal does not go with "+path)
	}
	// A log that went on since the database was copied has all that is missing there.
	must(t, remove(path))
	must(t, copyFile(path, name("first")))
	must(t, copyFile(path+"-wal", name("second")+"-wal"))
	look := check(Read(path))(t)
	holds(t, look, 40)
	must(t, look.Verify())
	must(t, look.Close())
	must(t, other.Close())
}

// Other programs bring the log to the database, too, and know nothing of marks: after a crash, or as copies.
func TestWhatOtherProgramsMakeOfAStudyIsComplete(t *testing.T) {
	folder := t.TempDir()
	s := written(t, filepath.Join(folder, "s.db"), 30)
	for n, bind := range []bool{false, true, false} {
		if bind {
			must(t, s.bind(nothing))
		}
		path := filepath.Join(folder, "crashed.db")
		lay(t, path, s.path, "", "-wal")
		brought(t, path)
		look := check(Read(path))(t)
		holds(t, look, s.stored)
		must(t, look.Verify())
		must(t, look.Close())
		goOn := check(Open(path))(t)
		extend(t, goOn, s.stored+1)
		must(t, goOn.Sync())
		must(t, goOn.Close())

		copied := filepath.Join(folder, "copied.db")
		must(t, remove(copied))
		other := check(dial(s.path, "ro"))(t)
		check(other.Exec("VACUUM INTO ?", copied))(t)
		must(t, other.Close())
		look = check(Read(copied))(t)
		holds(t, look, s.stored)
		must(t, look.Close())
		extend(t, s, 31+uint64(n))
		must(t, s.Sync())
	}
	must(t, s.Close())
}

// The database by itself has all but the latest events: it is never far behind the log.
func TestTheDatabaseIsNeverFarBehind(t *testing.T) {
	folder := t.TempDir()
	s := begun(t, filepath.Join(folder, "s.db"), 0)
	alone, saved := filepath.Join(folder, "alone.db"), filepath.Join(folder, "saved.db")
	behind := uint64(0)
	for seq := uint64(1); seq <= 40; seq++ {
		if s.took = 0; seq > 8 { // before, events are far apart; then the disk is slow, which says nothing about what comes
			s.took, s.bonded = time.Hour, time.Now()
		}
		extend(t, s, seq)
		must(t, s.Sync())
		if seq%looksEvery > 0 {
			continue
		}
		lay(t, alone, s.path, "")
		must(t, remove(saved))
		n, lost, err := Salvage(alone, saved)
		if least := seq - min(seq, 15); err != nil || n > seq || n < least || seq <= 8 && n < seq || !errors.Is(lost, journal.ErrCorruptJournal) {
			t.Fatalf("of %d events %d are in the database, want %d at least: %v, %v", seq, n, least, lost, err)
		}
		behind = max(behind, seq-n)
	}
	if behind == 0 {
		t.Error("every transaction was brought to the database at once, however long that took")
	}
	must(t, s.Close())
}

// Somebody who reads for a long time keeps the log from getting to the database, and nothing else.
func TestAReaderThatStaysKeepsNothingFromBeingWritten(t *testing.T) {
	impatient(t)
	folder := t.TempDir()
	s := written(t, filepath.Join(folder, "s.db"), 5)
	s.longest = 3
	reader := check(dial(s.path, "ro"))(t)
	defer reader.Close()
	check(reader.Exec("BEGIN"))(t)
	var n int
	must(t, reader.QueryRow("SELECT count(*) FROM events").Scan(&n))
	grow := func(to uint64) {
		for seq := s.last.seq + 1; seq <= to; seq++ {
			s.took = 0
			extend(t, s, seq)
			must(t, s.Sync())
		}
	}
	grow(40)
	path := filepath.Join(folder, "copy.db")
	lay(t, path, s.path, "")
	refusedAs(t, "while it reads", path, "is missing")
	lay(t, path, s.path, "", "-wal")
	look := check(Read(path))(t)
	holds(t, look, 40)
	must(t, look.Close())
	must(t, reader.QueryRow("SELECT count(*) FROM events").Scan(&n))
	if n != 5 {
		t.Errorf("the reader sees %d events", n)
	}
	check(reader.Exec("ROLLBACK"))(t)
	grow(80)
	if log := size(s.path + "-wal"); log > 1000*usualPage {
		t.Errorf("the log has %d bytes", log)
	}
	lay(t, path, s.path, "") // all of the log has just been brought
	look = check(Read(path))(t)
	holds(t, look, 80)
	must(t, look.Close())
	must(t, reader.Close())
	must(t, s.Close())
}

func TestMarksGoRound(t *testing.T) {
	const last = mark(marks - 1)
	for _, c := range []struct {
		bond    bond
		settled bool
	}{
		{bond{5, 5}, true}, {bond{5, 6}, true}, {bond{7, 6}, false}, {bond{last, last}, true}, {bond{last, 0}, true},
		{bond{1, 0}, false}, {bond{1, last}, false}, {bond{0, last}, false},
	} {
		if c.bond.settled() != c.settled {
			t.Errorf("%v: %v", c.bond, !c.settled)
		}
	}
	for _, c := range []struct {
		bond  bond
		log   []mark
		knows bool
	}{
		{bond{7, 6}, []mark{7, 8}, true}, {bond{7, 6}, []mark{5, 6, 7, 8, 9, 10}, true}, {bond{7, 6}, []mark{7}, false},
		{bond{7, 6}, []mark{5, 6}, false}, {bond{7, 6}, nil, false}, {bond{7, 6}, []mark{9, 10}, false},
		{bond{7, 8}, nil, true}, {bond{7, 8}, []mark{7, 8}, true}, {bond{7, 8}, []mark{9}, true}, {bond{7, 8}, []mark{9, 10, 11}, true},
		{bond{7, 8}, []mark{7}, false}, {bond{7, 8}, []mark{11, 12}, false}, {bond{7, 8}, []mark{5, 6}, false},
		{bond{last - 1, last}, []mark{0, 1}, true}, {bond{last, last - 1}, []mark{last, 0}, true},
	} {
		if c.bond.knows(c.log) != c.knows {
			t.Errorf("%v with %v: %v", c.bond, c.log, !c.knows)
		}
	}
	for _, m := range []mark{0, 1, 0xabcdef, last} {
		if got, err := parseMark(m.String()); err != nil || got != m || mark(uint32(m.version())>>8) != m || m.version()&0xff != layout {
			t.Errorf("%v: %v, %v, %x", m, got, err, m.version())
		}
	}
	for _, text := range []string{"", "12345", "1234567", "xxxxxx", "-12345"} {
		if _, err := parseMark(text); err == nil {
			t.Errorf("%q is taken for a mark", text)
		}
	}
}
