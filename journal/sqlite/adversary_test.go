package sqlite

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/journal"
)

// moment is what the files of a study were when something had been acknowledged.
type moment struct {
	base, log, index []byte
	events           uint64 // acknowledged
	alone            uint64 // in the database without its log
}

// life are the moments of a study: it is closed and opened, its log begins anew, and the bond is renewed now and then.
func life(t testing.TB, seed uint64, moments int) (out []moment) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	folder := t.TempDir()
	path := filepath.Join(folder, "s.db")
	s := begun(t, path, 0)
	for range moments {
		bonded := s.bonded
		patient(s)
		if s.longest = 40; random.IntN(6) > 0 {
			s.bonded = bonded
		}
		switch random.IntN(30) {
		case 0:
			must(t, s.Close())
			s = check(Open(path))(t)
		case 1:
			extend(t, s, s.last.seq+1+random.Uint64N(100))
		case 2:
			if s.last.seq > 0 {
				must(t, s.KeepSnapshot(s.last.seq, make([]byte, 20_000)))
			}
		default:
			extend(t, s, s.last.seq+1)
		}
		must(t, s.Sync())
		m := moment{base: check(os.ReadFile(path))(t), events: s.stored}
		m.log, _ = os.ReadFile(path + "-wal")
		m.index, _ = os.ReadFile(path + "-shm")
		alone := filepath.Join(folder, "alone.db")
		must(t, copyFile(alone, path))
		db := check(dial(alone, immutable))(t)
		must(t, db.QueryRow("SELECT count(*) FROM events").Scan(&m.alone))
		must(t, db.Close())
		out = append(out, m)
	}
	must(t, s.Close())
	return out
}

// write lays the files out; what is nil is not there.
func (m moment) write(t failer, path string) {
	for side, bytes := range map[string][]byte{"": m.base, "-wal": m.log, "-shm": m.index} {
		os.Remove(path + side)
		if bytes == nil {
			continue
		}
		if err := os.WriteFile(path+side, bytes, 0o600); err != nil {
			t.Fatalf("%v", err)
		}
	}
}

// found returns how many events are found by both ways, which must agree, or that they are refused.
func (m moment) found(t failer, path string) (uint64, error) {
	m.write(t, path)
	defer m.write(t, path) // what a store makes goes before the next one
	look, lookErr := Read(path)
	if lookErr == nil {
		lookErr = m.sound(look)
		look.Close()
	}
	m.write(t, path)
	s, err := Open(path)
	if (err == nil) != (lookErr == nil) || err != nil && !errors.Is(err, journal.ErrCorruptJournal) {
		t.Fatalf("open: %v, read: %v", err, lookErr)
	}
	if err != nil {
		return 0, err
	}
	defer s.Close()
	n := s.stored
	if err := errors.Join(m.sound(s), s.Append(event(n+1)), s.Sync()); err != nil || look.stored != n {
		t.Fatalf("of %d and %d events: %v", n, look.stored, err)
	}
	return n, nil
}

// sound returns an error when a store has other events than those of the tests, in order.
func (m moment) sound(s *Store) error {
	seq := uint64(0)
	for r, err := range s.Records() {
		if seq++; err != nil || text(r) != text(event(seq)) {
			return errors.Join(err, errors.New(text(r)))
		}
	}
	return s.Verify()
}

// Files of two studies and of any moments are laid beside each other, cut off, and left out. What is refused is not whole,
// and what is not refused has everything of which there is a trace.
func TestWhateverIsDoneToTheFilesNothingIsLostInSilence(t *testing.T) {
	impatient(t)
	studies := [][]moment{life(t, 1, moments), life(t, 2, moments/2)}
	path := filepath.Join(t.TempDir(), "s.db")
	rapid.Check(t, func(t *rapid.T) {
		draw := func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, what) }
		which := func(what string) (study, at int) {
			if draw(what+" of another study", 8) == 0 {
				study = 1
			}
			return study, draw(what, len(studies[study]))
		}
		at := draw("moment", len(studies[0]))
		base := studies[0][at]
		mixed := base
		log, index := base, base // whose log and index there are
		logOf, logAt, cut := 0, at, false
		if draw("another log", 2) == 0 {
			logOf, logAt = which("log")
			log = studies[logOf][logAt]
			mixed.log = log.log
		}
		indexed := draw("index", 3)
		switch indexed {
		case 0:
			mixed.index = nil
		case 1:
			of, at := which("index")
			index = studies[of][at]
			mixed.index = index.index
		}
		switch draw("log is", 4) {
		case 0:
			mixed.log, cut = nil, len(mixed.log) > 0
		case 1:
			length := draw("length", len(mixed.log)+1)
			if draw("of whole frames", 2) == 0 {
				length = max(0, length-headBytes)/(frameBytes+usualPage)*(frameBytes+usualPage) + headBytes
			}
			if length = min(length, len(mixed.log)); length < len(mixed.log) {
				mixed.log, cut = mixed.log[:length:length], true
			}
		}
		n, err := mixed.found(t, path)
		whole := logOf == 0 && logAt == at && !cut
		switch {
		case err != nil && whole && indexed != 1:
			t.Fatalf("the files of one moment are refused: %v", err)
		case err != nil:
		case n < base.alone:
			t.Fatalf("%d events, of %d in the database alone", n, base.alone)
		case n < base.events && whole:
			t.Fatalf("%d of %d events", n, base.events)
		case n < base.events && indexed == 2 && logOf == 0 && logAt == at:
			t.Fatalf("%d of %d events, though the index counts them", n, base.events)
		case len(mixed.log) == 0 && n != base.alone:
			t.Fatalf("%d events without a log, of %d in the database", n, base.alone)
		case len(mixed.log) > 0 && !cut && n != log.events:
			t.Fatalf("%d events with a log of %d", n, log.events)
		case n > max(base.events, log.events):
			t.Fatalf("%d events", n)
		}
	})
}

// A loss of power cuts off what had not been acknowledged, anywhere, and leaves an index that may be older: that is never
// refused.
func TestALossOfPowerIsNeverRefused(t *testing.T) {
	impatient(t)
	study := life(t, 3, moments)
	path := filepath.Join(t.TempDir(), "s.db")
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(0, len(study)-2).Draw(t, "moment")
		before, after := study[at], study[at+1]
		torn := before
		// What was written after the last acknowledgement is there in part.
		if c, _ := newChain(append(before.log, make([]byte, headBytes)...)); len(before.log) > 0 && len(after.log) > 0 && generation(after.log[16:24]) == c.generation {
			end := len(before.log)
			torn.log = after.log[:rapid.IntRange(end, max(end, len(after.log))).Draw(t, "length")]
		}
		switch rapid.IntRange(0, 2).Draw(t, "index") {
		case 0:
			torn.index = nil
		case 1:
			torn.index = study[rapid.IntRange(0, at).Draw(t, "older index")].index
			if len(torn.log) == 0 { // an index of before is gone with its log
				torn.index = nil
			}
		}
		if n, err := torn.found(t, path); err != nil || n < before.events {
			t.Fatalf("%d of %d events: %v", n, before.events, err)
		}
	})
}

// A process is killed at any moment, and then the files are looked at, brought together by another program, or copied in
// part: what was acknowledged is there, or it is said that it is not.
func TestWhateverIsDoneAfterAProcessWasKilled(t *testing.T) {
	impatient(t)
	folder := t.TempDir()
	path, copied := filepath.Join(folder, "s.db"), filepath.Join(folder, "copy.db")
	random := rand.New(rand.NewPCG(4, 1))
	must(t, begun(t, path, 1).Close())
	acknowledged := uint64(1)
	for round := range 8 * *much {
		var look *Store
		if round%2 == 0 {
			look = check(Read(path))(t) // may be the last one to close it
		}
		c := start(t, []string{"append", "churn"}[random.IntN(2)], path)
		for lines := random.IntN(60); ; lines-- {
			if lines == 0 {
				must(t, c.command.Process.Kill())
			}
			line, ok := c.line()
			if !ok {
				break
			}
			acknowledged = check(strconv.ParseUint(line, 10, 64))(t)
		}
		c.kill()
		for _, which := range [][]string{{""}, {"", "-wal"}, {"", "-shm"}, {"", "-wal", "-shm"}} {
			lay(t, copied, path, which...)
			s, err := Read(copied)
			if err != nil && (len(which) > 1 && which[1] == "-wal" || !errors.Is(err, journal.ErrCorruptJournal)) {
				t.Fatalf("round %d: a copy of %q: %v", round, which, err)
			}
			if err == nil {
				if n := count(t, s); n < acknowledged {
					t.Fatalf("round %d: a copy of %q has %d of %d events", round, which, n, acknowledged)
				}
				must(t, s.Close())
			}
		}
		if look != nil {
			must(t, look.Close())
		} else {
			brought(t, path)
		}
		again := check(Open(path))(t)
		n := count(t, again)
		if n < acknowledged {
			t.Fatalf("round %d: %d of %d events", round, n, acknowledged)
		}
		holds(t, again, n)
		must(t, again.Close())
	}
}
