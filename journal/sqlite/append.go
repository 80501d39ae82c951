package sqlite

import (
	"fmt"

	codes "modernc.org/sqlite/lib"

	"github.com/tarry-bo/tarry/journal"
)

// Append adds a record, the next one in order. It is in memory until Sync.
func (s *Store) Append(r journal.Record) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	if s.header == nil {
		return fmt.Errorf("sqlite: %s: append event %d: the study has not begun", s.path, r.Event.Seq)
	}
	if want := s.last.seq + 1; r.Event.Seq != want {
		return fmt.Errorf("sqlite: %s: append event %d: want %d: another study goes on with the same store", s.path, r.Event.Seq, want)
	}
	added, err := rowOf(r)
	if err != nil {
		return fmt.Errorf("sqlite: %s: append event %d: %w", s.path, r.Event.Seq, err)
	}
	s.events = append(s.events, added)
	s.last = added
	return nil
}

// Mark adds a digest to the last record, whether that is in the file or not. It is in memory until Sync.
func (s *Store) Mark(digest uint64) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	if s.last.seq == 0 {
		return fmt.Errorf("sqlite: %s: mark: no record yet", s.path)
	}
	s.last.digest = digest
	if n := len(s.events); n > 0 {
		s.events[n-1].digest = digest
	} else {
		marked := s.last
		s.marked = &marked
	}
	return nil
}

// KeepSnapshot keeps a state of the loop, after the last record or an earlier one. It is in memory until Sync. The latest
// two are kept.
func (s *Store) KeepSnapshot(seq uint64, state []byte) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	if seq < 1 || seq > s.last.seq {
		return fmt.Errorf("sqlite: %s: snapshot of event %d: the last event is %d", s.path, seq, s.last.seq)
	}
	s.snapshots = append(s.snapshots, snapshot{seq, append([]byte{}, state...)})
	return nil
}

// Sync commits what was appended, marked, noted and kept since the last call, all or nothing, and waits for the disk.
func (s *Store) Sync() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	besides := s.marked != nil || len(s.snapshots) > 0 || len(s.notes) > 0
	if len(s.events) == 0 && !besides {
		return nil
	}
	one := len(s.events) == 1 && !besides
	if err := s.commit(s.flush, one); err != nil {
		return err
	}
	s.stored = s.last.seq
	s.events, s.snapshots, s.notes, s.marked = s.events[:0], nil, nil, nil
	return nil
}

// flush writes what was collected.
func (s *Store) flush() error {
	if s.marked != nil {
		if _, err := s.update.Exec(s.marked.text(), s.marked.checksum(), int64(s.marked.seq)); err != nil {
			return fmt.Errorf("digest of event %d: %w", s.marked.seq, err)
		}
	}
	for _, r := range s.events {
		s.weight += len(r.body)
		if _, err := s.insert.Exec(int64(r.seq), r.at, r.kind, r.body, r.text(), r.checksum()); err != nil {
			return fmt.Errorf("event %d: %w", r.seq, err)
		}
	}
	for _, n := range s.notes {
		s.weight += len(n.text)
		if err := s.put(n.name, n.text); err != nil {
			return err
		}
	}
	for _, kept := range s.snapshots {
		s.weight += len(kept.state)
		if _, err := s.db.Exec("INSERT OR REPLACE INTO snapshots (seq, state, crc) VALUES (?, ?, ?)", int64(kept.seq), kept.state, kept.checksum()); err != nil {
			return fmt.Errorf("snapshot of event %d: %w", kept.seq, err)
		}
	}
	if len(s.snapshots) > 0 {
		if _, err := s.db.Exec("DELETE FROM snapshots WHERE seq NOT IN (SELECT seq FROM snapshots ORDER BY seq DESC LIMIT 2)"); err != nil {
			return fmt.Errorf("old snapshots: %w", err)
		}
	}
	return nil
}

// commit does something in a transaction and waits for the disk. After an error nothing more is taken. One statement is a
// transaction of its own, which saves the time of two.
func (s *Store) commit(do func() error, one bool) error {
	bound := false
	if s.header != nil { // else it is in memory, and has no log
		s.count++
		s.weight += usualPage
		bound = s.due()
	}
	err := s.untouched(bound)
	bound = bound || s.header != nil && s.bonded.IsZero()
	switch {
	case err != nil:
	case bound:
		err = s.bind(do)
	case one:
		err = do()
	default:
		err = s.transaction(do)
	}
	if err == nil {
		err = s.unmoved(bound)
	}
	if err != nil {
		s.events, s.snapshots, s.notes, s.marked = nil, nil, nil, nil
		s.failed = s.unwritten(err)
		return s.failed
	}
	return nil
}

// transaction does something in a transaction, all or nothing.
func (s *Store) transaction(do func() error) error {
	_, err := s.begin.Exec()
	if err == nil {
		err = do()
	}
	if err == nil {
		_, err = s.end.Exec()
	}
	if err != nil {
		// The transaction may still be open, with rows that later reads on this connection would see. An error says that
		// there is none.
		_, _ = s.db.Exec("ROLLBACK")
	}
	return err
}

// unwritten is the error for what could not be written.
func (s *Store) unwritten(err error) error {
	if code(err) == codes.SQLITE_BUSY {
		err = fmt.Errorf("another program kept the database to itself for too long: %w", err)
	}
	return fmt.Errorf("sqlite: %s: not written: %w", s.path, err)
}

// writable returns why nothing is taken, nil when something is.
func (s *Store) writable() error {
	switch {
	case s.failed != nil:
		return s.failed
	case s.lock == nil:
		return errReadOnly
	}
	return nil
}
