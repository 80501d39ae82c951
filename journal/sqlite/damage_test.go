package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/journal"
)

// damaged is a study as it lies on the disk, to be damaged.
type damaged struct {
	files [2][]byte // the database and its log, the latter empty after a proper end
	texts []string  // the records
}

// onDisk returns a study of some size that ended properly, and one that was cut off with half of it in the log.
func onDisk(t *testing.T) []damaged {
	s := begun(t, filepath.Join(t.TempDir(), "s.db"), 60)
	must(t, s.Keep("command", []byte("tarry run")))
	must(t, s.KeepSnapshot(50, bytes.Repeat([]byte("state "), 2000)))
	extend(t, s, 80)
	must(t, s.Sync())
	check(s.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)"))(t)
	extend(t, s, 100)
	must(t, s.Sync())
	must(t, s.KeepSnapshot(100, bytes.Repeat([]byte("later "), 2000)))
	extend(t, s, 160)
	must(t, s.Sync())
	cut := damaged{files: [2][]byte{check(os.ReadFile(s.path))(t), check(os.ReadFile(s.path + "-wal"))(t)}}
	must(t, s.Close())
	whole := damaged{files: [2][]byte{check(os.ReadFile(s.path))(t), nil}}
	for seq := uint64(1); seq <= 160; seq++ {
		whole.texts = append(whole.texts, text(event(seq)))
	}
	cut.texts = whole.texts
	if len(cut.files[1]) < 40_000 || len(cut.files[0]) >= len(whole.files[0]) {
		t.Fatalf("the log has %d bytes", len(cut.files[1]))
	}
	return []damaged{whole, cut}
}

// damage changes some bytes somewhere, or cuts a file off.
func (d damaged) damage(t *rapid.T) damaged {
	which := 0
	if len(d.files[1]) > 0 && rapid.Bool().Draw(t, "in the log") {
		which = 1
	}
	file := bytes.Clone(d.files[which])
	for range rapid.IntRange(1, 3).Draw(t, "wounds") {
		// Pages begin with what holds them together: half of the wounds are there.
		at := rapid.IntRange(0, len(file)-1).Draw(t, "at")
		if rapid.Bool().Draw(t, "at the head of a page") {
			at = at/4096*4096 + at%160
		}
		at = min(at, len(file)-1)
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0:
			file = file[:max(at, 1)]
		case 1:
			clear(file[at:min(at+rapid.IntRange(1, 5000).Draw(t, "length"), len(file))])
		case 2: // a page in the place of another one
			copy(file[at/4096*4096:], d.files[0][rapid.IntRange(0, len(d.files[0])/4096-1).Draw(t, "from")*4096:][:4096])
		default:
			file[at] ^= rapid.ByteRange(1, 255).Draw(t, "bits")
		}
	}
	d.files[which] = file
	return d
}

// failer is a test, of one kind or the other.
type failer interface{ Fatalf(string, ...any) }

// wants fails unless the error says that the file is damaged, or that it is no study.
func wants(t failer, what string, err error) {
	if !errors.Is(err, journal.ErrCorruptJournal) && !errors.Is(err, ErrNoStudy) && !errors.Is(err, ErrForeign) {
		t.Fatalf("%s: %v", what, err)
	}
}

// sound looks at everything in a store and fails on anything that was not written.
func (d damaged) sound(t failer, what string, s *Store) {
	if h, err := s.Header(); err != nil || !reflect.DeepEqual(h, header()) {
		t.Fatalf("%s: header %+v, %v", what, h, err)
	}
	n := 0
	var broken error
	for r, err := range s.Records() {
		if broken != nil {
			t.Fatalf("%s: a record after %v", what, broken)
		}
		if broken = err; err != nil {
			wants(t, what, err)
			if !strings.Contains(err.Error(), fmt.Sprint("event ", n+1)) {
				t.Fatalf("%s: after event %d: %v", what, n, err)
			}
			continue
		}
		if got := text(r); n >= len(d.texts) || got != d.texts[n] {
			t.Fatalf("%s: record %d is %s", what, n+1, got)
		}
		n++
	}
	if seq, state, err := s.Snapshot(); err != nil {
		wants(t, what, err)
	} else if seq != 0 && string(state) != strings.Repeat(map[uint64]string{50: "state ", 100: "later "}[seq], 2000) {
		t.Fatalf("%s: snapshot %d is %q", what, seq, state)
	}
	if kept, err := s.Kept("command"); err != nil {
		wants(t, what, err)
	} else if kept != nil && string(kept) != "tarry run" {
		t.Fatalf("%s: kept %q", what, kept)
	}
	if err := s.Verify(); err != nil {
		wants(t, what, err)
	} else if broken != nil || len(d.files[1]) == 0 && n != len(d.texts) {
		t.Fatalf("%s: verified, with %d records and %v", what, n, broken)
	}
}

// survives writes the damaged study to a path, looks at it, and goes on with it if that is possible.
func (d damaged) survives(t failer, path string) {
	write := func() {
		for i, suffix := range []string{"", "-wal"} {
			os.Remove(path + suffix)
			if len(d.files[i]) == 0 {
				continue
			}
			if err := os.WriteFile(path+suffix, d.files[i], 0o644); err != nil {
				t.Fatalf("%v", err)
			}
		}
		os.Remove(path + "-shm")
	}
	write()
	if s, err := Read(path); err != nil {
		wants(t, "read", err)
	} else {
		defer s.Close()
		d.sound(t, "read", s)
		s.Close()
	}
	write()
	s, err := Open(path)
	if err != nil {
		wants(t, "open", err)
		return
	}
	defer s.Close()
	d.sound(t, "open", s)
	if err := s.Append(event(s.last.seq + 1)); err != nil {
		t.Fatalf("%v", err)
	}
	if err := s.Sync(); err == nil {
		d.texts = append(d.texts[:s.last.seq-1:s.last.seq-1], text(event(s.last.seq)))
		d.sound(t, "go on", s)
	}
}

// Whatever happens to the bytes of a study: what is read is what was written, or an error.
func TestDamageIsNeverTakenForData(t *testing.T) {
	impatient(t)
	studies := onDisk(t)
	path := filepath.Join(t.TempDir(), "s.db")
	rapid.Check(t, func(t *rapid.T) {
		studies[rapid.IntRange(0, 1).Draw(t, "study")].damage(t).survives(t, path)
	})
}

// The first bytes say what the file is.
func TestDamageInTheFirstBytesIsNeverTakenForData(t *testing.T) {
	impatient(t)
	path := filepath.Join(t.TempDir(), "s.db")
	for k, d := range onDisk(t) {
		for at := k; at < 108; at += every(108, 6) {
			whole := d.files[0]
			d.files[0] = bytes.Clone(whole)
			d.files[0][at] ^= 1 << (at % 8)
			d.survives(t, path)
			d.files[0] = whole
		}
	}
}

func TestWhatSomebodyChangedByHandIsNamed(t *testing.T) {
	whole := begun(t, filepath.Join(t.TempDir(), "s.db"), 560)
	must(t, whole.KeepSnapshot(550, []byte("state")))
	must(t, whole.Sync())
	must(t, whole.Close())
	for statement, want := range map[string]string{
		"UPDATE events SET body = replace(body, '5', '7') WHERE seq = 540": "event 540: its checksum is wrong",
		"UPDATE events SET at_ns = at_ns + 1 WHERE seq = 540":              "event 540: its checksum is wrong",
		"UPDATE events SET digest = '0000000000000001' WHERE seq = 540":    "event 540: its checksum is wrong",
		"UPDATE events SET digest = 'none' WHERE seq = 540":                `event 540: its digest is "none"`,
		"UPDATE events SET digest = NULL WHERE seq = 540":                  "event 540: its checksum is wrong",
		"UPDATE events SET kind = 'woke', body = '{}' WHERE seq = 540":     "event 540: its checksum is wrong",
		"UPDATE events SET crc = -1 WHERE seq = 540":                       "event 540: its checksum is -1",
		"UPDATE events SET crc = 'x' WHERE seq = 540":                      `event 540: it is damaged: what is in column "crc"`,
		"UPDATE snapshots SET crc = 'x'":                                   `snapshots: it is damaged: what is in column "crc"`,
		"UPDATE study SET crc = 'x' WHERE name = 'created'":                `created: it is damaged: what is in column "crc"`,
		"DELETE FROM log":                                            "table log: it is damaged: it has no row",
		"DELETE FROM events WHERE seq = 540":                         "event 540 is missing: the next one is 541",
		"DELETE FROM events WHERE seq = 1":                           "the events are 2 to 560",
		"UPDATE events SET seq = -5 WHERE seq = 540":                 "the events are -5 to 560",
		"UPDATE events SET body = body || ' ' WHERE seq = 560":       "event 560: its checksum is wrong",
		"UPDATE study SET text = replace(text, '100', '101')":        "header: its checksum is wrong",
		"UPDATE snapshots SET seq = 561":                             "there is a snapshot of event 561, and the last event is 560",
		"UPDATE snapshots SET state = x'01'":                         "snapshot of event 550: its checksum is wrong",
		"DROP VIEW timeline":                                         "table timeline is not as it was made",
		"ALTER TABLE events ADD COLUMN note TEXT":                    "table events is not as it was made",
		"UPDATE study SET text = 'yesterday' WHERE name = 'created'": "created: its checksum is wrong",
	} {
		path := filepath.Join(t.TempDir(), "s.db")
		must(t, copyFile(path, whole.path))
		s := check(Open(path))(t)
		check(s.db.Exec(statement))(t)
		must(t, s.Close())
		s, err := Open(path)
		if err == nil {
			for _, recordErr := range s.Records() {
				if recordErr != nil {
					err = recordErr
				}
			}
			verified := s.Verify()
			if err == nil {
				err = verified
			} else if verified == nil || verified.Error() != err.Error() {
				t.Errorf("%s: Verify says %v, Records says %v", statement, verified, err)
			}
			s.Close()
		}
		if !errors.Is(err, journal.ErrCorruptJournal) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", statement, err, want)
		}
	}
}

// A damaged row of the table log is one, and no matter of database/sql.
func TestADamagedMarkIsDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	must(t, begun(t, path, 5).Close())
	bytes := check(os.ReadFile(path))(t)
	bytes[logPage*usualPage-len(mark(0).String())-2] = 0 // how long the head of the row is: it has no value then
	must(t, os.WriteFile(path, bytes, 0o600))
	_, err := Read(path)
	if want := `table log: it is damaged: what is in column "mark"`; !errors.Is(err, journal.ErrCorruptJournal) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// A kind of event that a later version of tarry wrote, with the right checksum.
func TestAnEventThatThisProgramDoesNotKnowIsNamed(t *testing.T) {
	s := begun(t, filepath.Join(t.TempDir(), "s.db"), 3)
	r := row{seq: 2, at: 5, kind: "budget_raised", body: "{}"}
	check(s.db.Exec("UPDATE events SET at_ns = 5, kind = ?, body = ?, digest = NULL, crc = ? WHERE seq = 2", r.kind, r.body, r.checksum()))(t)
	n := 0
	for _, err := range s.Records() {
		if n++; n == 2 && (!errors.Is(err, journal.ErrCorruptJournal) || !strings.Contains(err.Error(), `event 2: unknown kind of event "budget_raised"`)) {
			t.Error(err)
		}
	}
	if n != 2 {
		t.Errorf("%d records", n)
	}
}
