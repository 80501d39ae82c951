package sqlite

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

func TestWhatWasSyncedIsThereAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	before := time.Now()
	s := begun(t, path, 1100) // more than two pages of rows
	must(t, s.Keep("command", []byte("tarry run 'x'\n\x00ü")))
	must(t, s.Keep("empty", nil))
	must(t, s.KeepSnapshot(900, []byte{0, 255, 7}))
	must(t, s.Sync())
	look := func(s *Store) {
		t.Helper()
		holds(t, s, 1100)
		if got := check(s.Header())(t); !reflect.DeepEqual(got, header()) {
			t.Errorf("header %+v", got)
		}
		if got := check(s.Kept("command"))(t); string(got) != "tarry run 'x'\n\x00ü" {
			t.Errorf("kept %q", got)
		}
		if got := check(s.Kept("empty"))(t); got == nil || len(got) != 0 {
			t.Errorf("kept %q", got)
		}
		if got := check(s.Kept("nothing"))(t); got != nil {
			t.Errorf("kept %q", got)
		}
		if got := check(s.Created())(t); got.Before(before.Add(-time.Second)) || got.After(time.Now()) {
			t.Errorf("created %v", got)
		}
		seq, state, err := s.Snapshot()
		if err != nil || seq != 900 || !bytes.Equal(state, []byte{0, 255, 7}) {
			t.Errorf("snapshot %d, %v, %v", seq, state, err)
		}
		n := 0
		for r, err := range s.RecordsAfter(890) {
			must(t, err)
			if n++; r.Event.Seq != 890+uint64(n) {
				t.Fatalf("record %d", r.Event.Seq)
			}
		}
		if n != 210 {
			t.Errorf("%d records after 890", n)
		}
		must(t, s.Verify())
		if s.Path() != path {
			t.Errorf("path %s", s.Path())
		}
	}
	look(s)
	must(t, s.Close())
	must(t, s.Close())
	if names := files(t, filepath.Dir(path)); names != "s.db" {
		t.Errorf("after Close there are %s", names)
	}
	again := check(Read(path))(t)
	look(again)
	must(t, again.Close())
	if names := files(t, filepath.Dir(path)); names != "s.db" {
		t.Errorf("after a look there are %s", names)
	}
	s = check(Open(path))(t)
	look(s)
	extend(t, s, 1150)
	must(t, s.Sync())
	must(t, s.Close())
	s = check(Open(path))(t)
	defer s.Close()
	holds(t, s, 1150)
}

func TestCloseDropsWhatWasNotSynced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 8)
	extend(t, s, 20)
	must(t, s.KeepSnapshot(20, []byte("state")))
	holds(t, s, 20) // the store itself knows them
	if seq, state, err := s.Snapshot(); seq != 20 || string(state) != "state" || err != nil {
		t.Errorf("%d, %q, %v", seq, state, err)
	}
	must(t, s.Close())
	s = check(Open(path))(t)
	defer s.Close()
	holds(t, s, 8)
	if seq, _, err := s.Snapshot(); seq != 0 || err != nil {
		t.Errorf("%d, %v", seq, err)
	}
	extend(t, s, 9)
	must(t, s.Sync())
	holds(t, s, 9)
}

// The digest of an event may come after the event was synced, and after the store was opened again.
func TestADigestMayComeLater(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 0)
	for range 2 {
		r := event(s.last.seq + 1)
		r.Digest = 0
		must(t, s.Append(r))
		must(t, s.Sync())
	}
	must(t, s.Mark(5))
	must(t, s.Append(journal.Record{Event: event(3).Event}))
	must(t, s.Sync())
	must(t, s.Close())
	s = check(Open(path))(t)
	must(t, s.Mark(math.MaxUint64))
	must(t, s.Sync())
	must(t, s.Close())
	s = check(Open(path))(t)
	defer s.Close()
	must(t, s.Verify())
	var digests []uint64
	for r, err := range s.Records() {
		must(t, err)
		digests = append(digests, r.Digest)
	}
	if !reflect.DeepEqual(digests, []uint64{0, 5, math.MaxUint64}) {
		t.Errorf("digests %v", digests)
	}
}

func TestTheLatestTwoSnapshotsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 9)
	for seq := uint64(1); seq <= 9; seq += 2 {
		must(t, s.KeepSnapshot(seq, bytes.Repeat([]byte{byte(seq)}, 10_000)))
		must(t, s.Sync())
	}
	must(t, s.KeepSnapshot(9, nil)) // the same event again, and a state without a byte
	must(t, s.Sync())
	var n int
	must(t, s.db.QueryRow("SELECT count(*) FROM snapshots").Scan(&n))
	if seq, state, err := s.Snapshot(); n != 2 || seq != 9 || state == nil || len(state) != 0 || err != nil {
		t.Errorf("%d snapshots, the latest of event %d is %v, %v", n, seq, state, err)
	}
	// One that is damaged makes way for the one before it; when both are, somebody must know.
	check(s.db.Exec("UPDATE snapshots SET state = x'00' WHERE seq = 9"))(t)
	if seq, state, err := s.Snapshot(); seq != 7 || len(state) != 10_000 || err != nil {
		t.Errorf("snapshot %d of %d bytes, %v", seq, len(state), err)
	}
	if err := s.Verify(); !errors.Is(err, journal.ErrCorruptJournal) || !strings.Contains(err.Error(), "snapshot of event 9") {
		t.Errorf("verified: %v", err)
	}
	check(s.db.Exec("UPDATE snapshots SET state = x'00'"))(t)
	if _, _, err := s.Snapshot(); !errors.Is(err, journal.ErrCorruptJournal) {
		t.Error(err)
	}
	if err := s.KeepSnapshot(10, nil); err == nil {
		t.Error("a snapshot of the future was taken")
	}
	if err := s.KeepSnapshot(0, nil); err == nil {
		t.Error("a snapshot of nothing was taken")
	}
}

func TestTheOrderOfThingsIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := check(Create(path))(t)
	defer s.Close()
	if err := s.Append(event(1)); err == nil || !strings.Contains(err.Error(), "not begun") {
		t.Errorf("an event before the study: %v", err)
	}
	if _, err := s.Header(); !errors.Is(err, ErrNoStudy) {
		t.Error(err)
	}
	if at, err := s.Created(); !at.IsZero() || err != nil {
		t.Errorf("%v, %v", at, err)
	}
	must(t, s.Keep("command", []byte("early")))
	if err := s.Begin(journal.Header{}); err == nil {
		t.Error("an empty header was taken")
	}
	must(t, s.Begin(header()))
	if err := s.Begin(header()); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), "by tarry.Resume or StartOrResume") {
		t.Errorf("it began twice: %v", err)
	}
	if s.Mark(1) == nil {
		t.Error("there was nothing to mark")
	}
	if err := s.Append(event(2)); err == nil || !strings.Contains(err.Error(), "want 1") {
		t.Errorf("a gap: %v", err)
	}
	if err := s.Append(journal.Record{Event: loop.Stamped{Seq: 1}}); err == nil {
		t.Error("no event was taken")
	}
	for _, name := range []string{"header", "created", "", "\xff"} {
		if s.Keep(name, []byte("x")) == nil {
			t.Errorf("%q was kept", name)
		}
		if got, err := s.Kept(name); got != nil || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	if s.Keep("binary", []byte{255}) == nil {
		t.Error("a text that is none was kept")
	}
	must(t, s.Keep("command", []byte("late")))
	extend(t, s, 3) // none of these mistakes has consequences
	must(t, s.Sync())
	must(t, s.Sync())
	holds(t, s, 3)
	if got := check(s.Kept("command"))(t); string(got) != "late" {
		t.Errorf("kept %q", got)
	}
	must(t, s.Close())
	for _, err := range []error{s.Append(event(4)), s.Mark(1), s.Sync(), s.KeepSnapshot(1, nil), s.Keep("a", nil), s.Begin(header()), s.Verify()} {
		if err == nil {
			t.Error("a closed store took something")
		}
	}
}

// The body of the loop over the records may use the store, which has one connection.
func TestRecordsDoNotBlockTheStore(t *testing.T) {
	s := begun(t, filepath.Join(t.TempDir(), "s.db"), 700)
	for r, err := range s.Records() {
		must(t, err)
		if r.Event.Seq == 100 {
			extend(t, s, 800)
			must(t, s.Sync())
		}
		if r.Event.Seq == 750 { // more than the page that was read then
			extend(t, s, 900)
			break
		}
	}
	holds(t, s, 900)
}

// What is in the file can be read by anyone with a SQLite tool.
func TestTheTablesAreForPeople(t *testing.T) {
	s := begun(t, filepath.Join(t.TempDir(), "s.db"), 3)
	var line string
	must(t, s.db.QueryRow("SELECT seq || ' ' || seconds || ' ' || kind || ' ' || evaluation || ' ' || value FROM timeline WHERE seq = 2").Scan(&line))
	if line != "2 2.0 feedback_arrived 2 1.4142135623731" && !strings.HasPrefix(line, "2 2.0 feedback_arrived 2 1.41421356237") {
		t.Errorf("%q", line)
	}
	must(t, s.db.QueryRow("SELECT seq || ' ' || at_ns || ' ' || kind || ' ' || body || ' ' || digest || ' ' || typeof(crc) FROM events WHERE seq = 3").Scan(&line))
	if line != `3 3000000000 feedback_arrived {"evaluation":3,"attempt":1,"value":1.7320508075688772,"constraints":[-1]} daa66d2c7ddf743f integer` {
		t.Errorf("%q", line)
	}
	must(t, s.db.QueryRow("SELECT json_extract(text, '$.config.timeout') FROM study WHERE name = 'header'").Scan(&line))
	if line != "1m" {
		t.Errorf("%q", line)
	}
}
