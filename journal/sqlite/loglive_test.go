package sqlite

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/journal"
)

// Frames that are being written while somebody looks are no damage, nor is a log that begins anew meanwhile.
func TestALogThatIsBeingWrittenIsNotDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	must(t, begun(t, path, 1).Close())
	c := start(t, "churn", path)
	if said, ok := c.line(); !ok || strings.HasPrefix(said, "error") {
		t.Fatal(said)
	}
	done := make(chan bool)
	defer func() { c.command.Process.Kill(); <-done }()
	go func() { // so that it can go on
		defer close(done)
		for said, ok := c.line(); ok; said, ok = c.line() {
			if strings.HasPrefix(said, "error") {
				t.Error(said)
			}
		}
	}()
	s := &Store{path: path, file: path}
	generations := map[string]bool{}
	const most = 10_000 // a loaded machine may let the writer wait
	for looks := 0; looks < 30**much || len(generations) < 3 && looks < most; looks++ {
		must(t, looked(s))
		f := check(os.Open(path + "-wal"))(t)
		head := make([]byte, headBytes)
		f.Read(head)
		must(t, f.Close())
		generations[string(head[16:24])] = true
		look := check(Read(path))(t)
		must(t, look.Close())
	}
	if len(generations) < 3 {
		t.Errorf("there were %d generations of the log", len(generations))
	}
}

// What is wrong at one look only is the work of a writer.
func TestDamageIsSeenTwice(t *testing.T) {
	whole := cutOff(t, 9)
	path := filepath.Join(t.TempDir(), "s.db")
	hurt := whole.flipped(whole.start[4], 1)
	hurt.write(t, path)
	s := &Store{path: path, file: path}
	for name, change := range map[string]func(){
		"it is whole":          func() { whole.write(t, path) },
		"it is damaged before": func() { whole.flipped(whole.start[2], 1).write(t, path) },
		"it is gone":           func() { must(t, os.Remove(path+"-wal")) },
	} {
		hurt.write(t, path)
		meanwhile(t, change)
		if err := looked(s); err != nil {
			t.Errorf("then %s: %v", name, err)
		}
	}
	hurt.write(t, path)
	impatient(t)
	if err := looked(s); !errors.Is(err, journal.ErrCorruptJournal) {
		t.Errorf("%v", err)
	}
}

// SQLite writes the log to the database when it has a thousand pages, and begins it anew: a long study has no long log.
func TestTheLogStaysShort(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 1)
	const pages = 100
	for seq := uint64(2); seq <= 40; seq++ {
		extend(t, s, seq)
		must(t, s.KeepSnapshot(seq, bytes.Repeat([]byte{byte(seq)}, pages*usualPage)))
		must(t, s.Sync())
		if log := size(path + "-wal"); log > 2*1000*usualPage {
			t.Fatalf("after event %d the log has %d bytes", seq, log)
		}
	}
	must(t, s.Verify())
	must(t, s.Close())
}

// What an earlier process left in the log is in the database when the study goes on.
func TestOpenEmptiesTheLog(t *testing.T) {
	c := cutOff(t, 20)
	path := filepath.Join(t.TempDir(), "s.db")
	c.write(t, path)
	s := check(Open(path))(t)
	defer s.Close()
	alone := filepath.Join(t.TempDir(), "alone.db")
	must(t, copyFile(alone, path))
	look := check(Read(alone))(t)
	defer look.Close()
	holds(t, look, 20)
	extend(t, s, 21)
	must(t, s.Sync())
	if log := check(os.ReadFile(path + "-wal"))(t); frame(log[headBytes:]).generation() == frame(c.log[headBytes:]).generation() {
		t.Error("the log goes on")
	}
	holds(t, s, 21)
}

func TestVerifyLooksAtTheLogOfARunningStudy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 1)
	for seq := uint64(2); seq <= 9; seq++ {
		extend(t, s, seq)
		must(t, s.Sync())
	}
	must(t, s.Verify())
	f := check(os.OpenFile(path+"-wal", os.O_RDWR, 0))(t)
	check(f.WriteAt([]byte{0xff, 0xff}, 5000))(t)
	must(t, f.Close())
	if err := s.Verify(); !errors.Is(err, journal.ErrCorruptJournal) || !strings.Contains(err.Error(), "behind a damaged place") {
		t.Errorf("%v", err)
	}
	if err := s.Close(); !errors.Is(err, journal.ErrCorruptJournal) {
		t.Errorf("closing says %v", err)
	}
}

// A database is never without a byte when it has a log.
func TestALogWhoseDatabaseIsEmptyIsDamage(t *testing.T) {
	c := cutOff(t, 5)
	c.base = nil
	path := filepath.Join(t.TempDir(), "s.db")
	for way, open := range ways {
		c.write(t, path)
		if _, err := open(path); !errors.Is(err, journal.ErrCorruptJournal) || !strings.Contains(err.Error(), "not a byte") {
			t.Errorf("%s: %v", way, err)
		}
		if log := check(os.ReadFile(path + "-wal"))(t); !bytes.Equal(log, c.log) {
			t.Errorf("%s: the log was touched", way)
		}
	}
}
