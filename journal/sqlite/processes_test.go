package sqlite

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/journal"
)

func TestAStudyHasOneWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 3)
	want := fmt.Sprintf("%s is in use by process %d: wait for it to end, or look at it with tarry inspect", path, os.Getpid())
	here := fmt.Sprintf("%s is open already in this program, process %d: close the store that has it, or look at it with tarry inspect", path, os.Getpid())
	for _, way := range []string{"open", "create"} {
		if _, err := ways[way](path); !errors.Is(err, ErrInUse) || err.Error() != here {
			t.Errorf("%s in the same process: %v", way, err)
		}
	}
	if said := start(t, "hold", path).all(); said != "error "+want {
		t.Errorf("another process: %s", said)
	}
	if said := start(t, "look", path).all(); said != "3" {
		t.Errorf("another process looks: %s", said)
	}
	look := check(Read(path))(t)
	holds(t, look, 3)
	extend(t, s, 6) // refusing others and looking has not disturbed it
	must(t, s.Sync())
	holds(t, look, 6)
	must(t, look.Close())
	must(t, s.Close())

	other := start(t, "hold", path)
	if said, _ := other.line(); said != "holding" {
		t.Fatal(said)
	}
	if _, err := Open(path); !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), fmt.Sprint("process ", other.command.Process.Pid)) {
		t.Errorf("while another process has it: %v", err)
	}
	must(t, other.in.Close())
	if said := other.all(); said != "" {
		t.Error(said)
	}
	s = check(Open(path))(t)
	holds(t, s, 6)
	must(t, s.Close())
	if names := files(t, filepath.Dir(path)); names != "s.db" {
		t.Errorf("there are %s", names)
	}
}

func TestTheLockSaysWhoHasIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.db.lock")
	for text, want := range map[string]string{
		"process 12\nhost nowhere.example\n": "process 12 on nowhere.example",
		"process 12\n":                       "process 12",
		"process":                            "another process",
		"":                                   "another process",
	} {
		must(t, os.WriteFile(file, []byte(text), 0o644))
		if got := holder(file); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
	if got := holder(file + "x"); got != "another process" {
		t.Error(got)
	}
}

// What Sync acknowledged outlives the process, however suddenly that ends.
func TestAKilledProcessLosesNothingThatWasAcknowledged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 4 * *much {
		c := start(t, "append", path)
		acknowledged := uint64(0)
		hear := func(lines int) {
			for i := 0; i < lines; i++ {
				line, ok := c.line()
				if !ok {
					return
				}
				seq, err := strconv.ParseUint(line, 10, 64)
				if err != nil || seq <= acknowledged {
					t.Fatalf("round %d: the child said %q after %d", round, line, acknowledged)
				}
				acknowledged = seq
			}
		}
		hear(1 + random.IntN(100))
		must(t, c.command.Process.Kill())
		hear(1 << 30) // what it said before it died
		c.command.Wait()

		look := check(Read(path))(t)
		n := count(t, look)
		must(t, look.Close())
		s := check(Open(path))(t)
		if again := count(t, s); n < acknowledged || again != n {
			t.Fatalf("round %d: %d events were acknowledged, %d and then %d are there", round, acknowledged, n, again)
		}
		holds(t, s, n)
		must(t, s.Verify())
		if seq, state, err := s.Snapshot(); err != nil || n >= 50 && (seq < n-n%50-50 || len(state) != 20_000) {
			t.Fatalf("round %d: of %d events the latest snapshot is of %d, %d bytes, %v", round, n, seq, len(state), err)
		}
		must(t, s.Close())
	}
}

func count(t testing.TB, s journal.Source) (n uint64) {
	t.Helper()
	for _, err := range s.Records() {
		must(t, err)
		n++
	}
	return n
}

// Others look while a process writes: each sees all that had been acknowledged before, and nothing but whole records.
func TestReadersSeeWhatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	must(t, begun(t, path, 1).Close())
	c := start(t, "append", path)
	old := (*Store)(nil)
	for range 4 {
		line, _ := c.line()
		acknowledged, err := strconv.ParseUint(line, 10, 64)
		if err != nil {
			t.Fatal(line)
		}
		s := check(Read(path))(t)
		n := count(t, s)
		if n < acknowledged {
			t.Fatalf("%d of %d events", n, acknowledged)
		}
		holds(t, firstOf(s, n), n)
		must(t, s.Close())
		if old == nil {
			old = check(Read(path))(t) // stays open while the study grows
			defer old.Close()
		} else if count(t, old) < acknowledged {
			t.Fatal("a reader that stays does not see new events")
		}
		for range 20 {
			c.line()
		}
	}
}

// firstOf is a source with the first n records.
func firstOf(s *Store, n uint64) journal.Source {
	m := journal.NewMemory(journal.Header{})
	for r, err := range s.Records() {
		if err != nil || r.Event.Seq > n || m.Append(r) != nil {
			break
		}
	}
	return m
}

// Another program that writes to the database makes us wait, not fail.
func TestAWriteWaitsForOtherPrograms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 3)
	other := check(dial(path, "rw", usual...))(t)
	defer other.Close()
	tx := check(other.Begin())(t) // immediate: it has the right to write
	check(tx.Exec("CREATE TABLE notes (text)"))(t)
	extend(t, s, 4)
	done := make(chan error)
	go func() { done <- s.Sync() }()
	select {
	case err := <-done:
		t.Fatalf("it wrote beside another writer: %v", err)
	default:
	}
	must(t, tx.Commit())
	must(t, <-done)
	holds(t, s, 4)
	must(t, s.Close())
	must(t, other.Close())
	s = check(Open(path))(t) // a table of others does not matter
	holds(t, s, 4)
	must(t, s.Verify())
	must(t, s.Close())
}
