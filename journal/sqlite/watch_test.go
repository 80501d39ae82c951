package sqlite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What happens to the files while a study goes on: after that nothing more is acknowledged.
func TestFilesThatChangeUnderARunningStudyAreNoticed(t *testing.T) {
	impatient(t)
	truncate := func(side string, length int64) func(*Store, string) error {
		return func(s *Store, _ string) error { return os.Truncate(s.path+side, length) }
	}
	overwrite := func(side string) func(*Store, string) error {
		return func(s *Store, old string) error { return copyFile(s.path+side, old+side) }
	}
	for name, c := range map[string]struct {
		do   func(s *Store, old string) error
		want string
	}{
		"the database is cut off":                   {truncate("", 3*usualPage), "was cut off while the study was open"},
		"the database is cut off within a page":     {truncate("", 4*usualPage+1), "was cut off while the study was open"},
		"the database is emptied":                   {truncate("", 0), "not a byte"},
		"the log is emptied":                        {truncate("-wal", 0), "missing at the end of"},
		"the log is cut off":                        {truncate("-wal", headBytes+5*(frameBytes+usualPage)), "-wal"},
		"the log loses a byte":                      {func(s *Store, _ string) error { return os.Truncate(s.path+"-wal", size(s.path+"-wal")-1) }, "missing at the end of"},
		"the database is that of an earlier moment": {overwrite(""), "has been put back to an earlier moment"},
		"the log is that of an earlier moment":      {overwrite("-wal"), "missing at the end of"},
		"the database is another file": {func(s *Store, _ string) error {
			return os.WriteFile(s.path, []byte(strings.Repeat("notes", 9999)), 0o600)
		}, "is not a study"},
		"the database gets another name": {func(s *Store, _ string) error { return os.Link(s.path, s.path+"2") }, "has 2 names"},
		"the log gets another name":      {func(s *Store, _ string) error { return os.Link(s.path+"-wal", s.path+"2") }, "has 2 names"},
	} {
		for _, bind := range []bool{false, true} {
			folder := t.TempDir()
			s := written(t, filepath.Join(folder, "s.db"), 10)
			old := filepath.Join(folder, "old.db")
			lay(t, old, s.path, "", "-wal")
			patient(s) // the database goes on, too, and then not for a long time
			for seq := uint64(11); seq <= 30; seq++ {
				extend(t, s, seq)
				must(t, s.Sync())
			}
			must(t, c.do(s, old))
			if bind {
				s.bonded = time.Time{}
			}
			extend(t, s, 31)
			failure := s.Sync()
			if failure == nil || !strings.Contains(failure.Error(), c.want) {
				t.Errorf("%s: %v, want %q", name, failure, c.want)
				continue
			}
			if s.Append(event(32)) != failure || s.Sync() != failure {
				t.Errorf("%s: it took something after %v", name, failure)
			}
			s.Close()
		}
	}
}

// Closing brings the log to the database, but not to one that somebody has put back: with that all of the log is needed.
func TestADatabaseThatWasPutBackGoesWithItsLog(t *testing.T) {
	for name, noticed := range map[string]func(*Store) error{"by Sync": (*Store).Sync, "by Close": (*Store).Close} {
		folder := t.TempDir()
		s := written(t, filepath.Join(folder, "s.db"), 3)
		old := filepath.Join(folder, "old.db")
		lay(t, old, s.path, "")
		extend(t, s, 500) // many pages
		must(t, s.Sync())
		patient(s)
		extend(t, s, 501) // which are brought to the database
		must(t, s.Sync())
		extend(t, s, 502)
		must(t, s.Sync())
		must(t, copyFile(s.path, old))
		extend(t, s, 503)
		if err := noticed(s); err == nil || !strings.Contains(err.Error(), "has been put back to an earlier moment") {
			t.Errorf("%s: %v", name, err)
		}
		s.Close()
		look := check(Read(s.path))(t)
		if n := count(t, look); n < 502 {
			t.Errorf("%s: %d of 502 events are left", name, n)
		}
		must(t, look.Verify())
		must(t, look.Close())
	}
}

// What is done to the files behind the last event is noticed at the end.
func TestFilesThatChangeBeforeTheEndAreNoticed(t *testing.T) {
	impatient(t)
	for side, length := range map[string]int64{"": 4 * usualPage, "-wal": headBytes + frameBytes + usualPage} {
		s := written(t, filepath.Join(t.TempDir(), "s.db"), 20)
		must(t, os.Truncate(s.path+side, length))
		if err := s.Close(); err == nil || !strings.Contains(err.Error(), "s.db") {
			t.Errorf("%q was cut off, and closing says %v", side, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Other programs may write to the database, bring the log to it and cut the log off, as SQLite lets them.
func TestWhatOtherProgramsMayDoIsNoDamage(t *testing.T) {
	impatient(t)
	path := filepath.Join(t.TempDir(), "s.db")
	s := written(t, path, 5)
	other := check(dial(path, "rw"))(t)
	defer other.Close()
	for n, statement := range []string{
		"CREATE TABLE notes (text)", "INSERT INTO notes VALUES ('x')", "PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(FULL)",
		"INSERT INTO notes VALUES (zeroblob(100000))", "PRAGMA wal_checkpoint(RESTART)", "PRAGMA wal_checkpoint(TRUNCATE)",
		"DROP TABLE notes", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", "CREATE TABLE notes (text)",
	} {
		check(other.Exec(statement))(t)
		for range 3 {
			extend(t, s, s.last.seq+1)
			if err := s.Sync(); err != nil {
				t.Fatalf("after %s: %v", statement, err)
			}
		}
		look := check(Read(path))(t)
		holds(t, look, uint64(5+3*(n+1)))
		must(t, look.Close())
		must(t, s.Verify())
		// The bond is there again.
		copied := filepath.Join(t.TempDir(), "copy.db")
		lay(t, copied, path, "")
		if _, err := Read(copied); err == nil {
			t.Errorf("after %s: the database alone is taken for the study", statement)
		}
	}
	must(t, other.Close())
	must(t, s.Close())
	s = check(Open(path))(t)
	holds(t, s, 38)
	must(t, s.Verify())
	must(t, s.Close())
}

// Two names of one file would be two studies with two logs, which destroy each other.
func TestAFileWithTwoNamesIsNotWritten(t *testing.T) {
	path, other := filepath.Join(t.TempDir(), "s.db"), filepath.Join(t.TempDir(), "t.db")
	s := begun(t, path, 2)
	patient(s)
	extend(t, s, 3)
	must(t, s.Sync())
	if err := os.Link(path, other); err != nil {
		t.Skip(err)
	}
	if _, err := Open(other); err == nil {
		t.Fatal("two stores write to one file")
	}
	extend(t, s, 4)
	if err := s.Sync(); err == nil || !strings.Contains(err.Error(), "has 2 names (hard links)") {
		t.Errorf("%v", err)
	}
	must(t, s.Close())
	for _, name := range []string{path, other} {
		if _, err := Open(name); err == nil || !strings.Contains(err.Error(), name+" has 2 names (hard links)") {
			t.Errorf("%v", err)
		}
		look := check(Read(name))(t)
		holds(t, look, 4) // it is there, and nobody was told so
		must(t, look.Close())
	}
	if left := files(t, filepath.Dir(path)) + files(t, filepath.Dir(other)); left != "s.dbt.db" {
		t.Errorf("there are %s", left)
	}
	must(t, os.Remove(other))
	s = check(Open(path))(t)
	holds(t, s, 4)
	must(t, s.Close())
}
