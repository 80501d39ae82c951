package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// refuses requires that a store takes nothing any more, with the same error each time, and that the file holds n events.
func refuses(t *testing.T, s *Store, why error, n uint64) {
	t.Helper()
	for what, err := range map[string]error{
		"append": s.Append(event(s.last.seq + 1)), "mark": s.Mark(1), "sync": s.Sync(),
		"keep": s.Keep("a", nil), "snapshot": s.KeepSnapshot(1, nil), "begin": s.Begin(header()),
	} {
		if err != why {
			t.Errorf("then %s: %v, want %v", what, err, why)
		}
	}
	holds(t, s, n)
}

func TestAfterADiskIsFullWhatWasAcknowledgedIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 10)
	check(s.db.Exec("PRAGMA max_page_count = 40"))(t)
	kept := uint64(10)
	var failure error
	for failure == nil {
		extend(t, s, kept+30)
		if failure = s.Sync(); failure == nil {
			kept += 30
		}
	}
	if kept < 100 || !strings.Contains(failure.Error(), "full") || !strings.Contains(failure.Error(), path) {
		t.Errorf("after %d events: %v", kept, failure)
	}
	refuses(t, s, failure, kept)
	must(t, s.Close())
	s = check(Open(path))(t)
	holds(t, s, kept)
	must(t, s.Verify())
	extend(t, s, kept+30) // there is room again
	must(t, s.Sync())
	holds(t, s, kept+30)
	must(t, s.Close())
}

// Bytes that go to a file that nobody will find are not kept.
func TestAFileThatIsTakenAwayIsNoticed(t *testing.T) {
	for name, take := range map[string]func(path string){
		"deleted":          func(path string) { os.Remove(path) },
		"moved":            func(path string) { os.Rename(path, path+"2") },
		"replaced":         func(path string) { os.Rename(path, path+"2"); os.WriteFile(path, nil, 0o644) },
		"without its log":  func(path string) { os.Remove(path + "-wal") },
		"the whole folder": func(path string) { os.RemoveAll(filepath.Dir(path)) },
	} {
		folder := filepath.Join(t.TempDir(), "studies")
		must(t, os.Mkdir(folder, 0o755))
		path := filepath.Join(folder, "s.db")
		s := begun(t, path, 10)
		take(path)
		extend(t, s, 11)
		failure := s.Sync()
		if failure == nil {
			t.Errorf("%s: it went on", name)
			continue
		}
		if s.Append(event(12)) != failure || s.Sync() != failure {
			t.Errorf("%s: it took something after %v", name, failure)
		}
		s.Close()
		if _, err := os.Stat(path); name == "deleted" && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: it is back: %v", name, err)
		}
	}
}

// A checkpoint writes the pages of the log to the file, the first one first. The file that it leaves when it is interrupted
// is nothing without the log, and everything with it.
func TestAnInterruptedCheckpointIsNoDamage(t *testing.T) {
	folder := t.TempDir()
	s := begun(t, filepath.Join(folder, "s.db"), 3)
	check(s.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)"))(t)
	patient(s)
	for _, n := range []uint64{4, 500} {
		extend(t, s, n)
		must(t, s.Sync())
	}
	before, log := check(os.ReadFile(s.path))(t), check(os.ReadFile(s.path+"-wal"))(t)
	must(t, s.Close())
	path := filepath.Join(folder, "after.db")
	must(t, os.WriteFile(path, before, 0o644))
	must(t, os.WriteFile(path+"-wal", log, 0o644))
	brought(t, path)
	after := check(os.ReadFile(path))(t)
	if len(after) < 2*len(before) {
		t.Fatalf("the file grew from %d to %d bytes", len(before), len(after))
	}
	for pages := 0; pages*4096 <= len(after); pages++ {
		if pages > 2 && pages%(12/min(*much, 12)) > 0 {
			continue
		}
		path := filepath.Join(folder, "cut.db")
		must(t, os.WriteFile(path, append(append([]byte{}, after[:pages*4096]...), before[min(pages*4096, len(before)):]...), 0o644))
		must(t, os.WriteFile(path+"-wal", log, 0o644))
		look := check(Read(path))(t)
		holds(t, look, 500)
		must(t, look.Close())
		s := check(Open(path))(t)
		holds(t, s, 500)
		must(t, s.Verify())
		must(t, s.Close())
	}
}
