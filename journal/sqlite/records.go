package sqlite

import (
	"fmt"
	"iter"
	"slices"

	"github.com/tarry-bo/tarry/journal"
)

// pageRows is how many records are read at a time.
const pageRows = 512

// Header returns the header; ErrNoStudy before Begin.
func (s *Store) Header() (journal.Header, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.header == nil {
		return journal.Header{}, problem(ErrNoStudy, "%s holds no study yet", s.path)
	}
	return *s.header, nil
}

// Records yields every record in order, with its checksum compared. An error wraps journal.ErrCorruptJournal when the
// file is to blame, fs.ErrClosed after Close, and ends the sequence. While another process writes, the last record is one that was in the file at
// some moment since the call. The body of the loop may use the store.
func (s *Store) Records() iter.Seq2[journal.Record, error] { return s.RecordsAfter(0) }

// RecordsAfter yields the records with greater numbers, like Records.
func (s *Store) RecordsAfter(seq uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		stored, waiting, err := s.collected()
		if err != nil {
			yield(journal.Record{}, err)
			return
		}
		last := seq
		// Records are read page by page: rows that are being read would keep the one connection from everything else.
		for {
			rows, err := s.page(last)
			for _, r := range rows {
				record, err := s.record(r, last+1)
				if err != nil {
					yield(journal.Record{}, err)
					return
				}
				if !yield(record, nil) {
					return
				}
				last++
			}
			if err != nil {
				yield(journal.Record{}, err)
				return
			}
			if len(rows) == 0 {
				break
			}
		}
		if last < stored {
			yield(journal.Record{}, s.corrupt("event %d is missing: there were %d when the file was opened", last+1, stored))
			return
		}
		for _, r := range waiting {
			if r.seq <= last {
				continue
			}
			if !yield(s.decoded(r)) {
				return
			}
		}
	}
}

// collected returns how many events are in the file at least, and those that wait for Sync.
func (s *Store) collected() (stored uint64, waiting []row, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.failed == errClosed {
		return 0, nil, errClosed
	}
	return s.stored, slices.Clone(s.events), nil
}

// page returns the rows after an event, at most pageRows; with an error those before it.
func (s *Store) page(after uint64) (page []row, err error) {
	rows, err := s.db.Query("SELECT seq, at_ns, kind, body, digest, crc FROM events WHERE seq > ? ORDER BY seq LIMIT ?", int64(after), pageRows)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %s: event %d: %w", s.path, after+1, sick(err))
	}
	defer rows.Close()
	for rows.Next() {
		var r row
		if err := r.scan(rows); err != nil { // it is not of the type that was written
			return page, s.corrupt("event %d: %v", after+uint64(len(page))+1, worded(err))
		}
		page = append(page, r)
	}
	if err := rows.Err(); err != nil {
		return page, fmt.Errorf("sqlite: %s: event %d: %w", s.path, after+uint64(len(page))+1, sick(err))
	}
	return page, nil
}

// Snapshot returns the latest snapshot whose checksum is right, and 0 without any. That there are some and all are wrong
// is an error that wraps journal.ErrCorruptJournal; the events alone are enough to go on.
func (s *Store) Snapshot() (seq uint64, state []byte, err error) {
	if last := s.keeping(); last.seq > 0 {
		return last.seq, last.state, nil
	}
	whole, damaged, err := s.states()
	switch {
	case err != nil:
		return 0, nil, err
	case len(whole) > 0:
		return whole[0].seq, whole[0].state, nil
	case len(damaged) > 0:
		return 0, nil, s.corrupt("snapshot of event %d: its checksum is wrong", damaged[0])
	}
	return 0, nil, nil
}

// keeping returns the latest snapshot that waits for Sync.
func (s *Store) keeping() (last snapshot) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if n := len(s.snapshots); n > 0 {
		last = snapshot{s.snapshots[n-1].seq, slices.Clone(s.snapshots[n-1].state)}
	}
	return last
}

// states returns the snapshots, the latest first, and the events of those that are damaged.
func (s *Store) states() (whole []snapshot, damaged []int64, err error) {
	if _, _, err := s.collected(); err != nil {
		return nil, nil, err
	}
	rows, err := s.db.Query("SELECT seq, state, crc FROM snapshots ORDER BY seq DESC")
	if err != nil {
		return nil, nil, fmt.Errorf("sqlite: %s: snapshots: %w", s.path, sick(err))
	}
	defer rows.Close()
	for rows.Next() {
		var seq, crc int64
		var state []byte
		if err := rows.Scan(&seq, &state, &crc); err != nil {
			return nil, nil, s.corrupt("snapshots: %v", worded(err))
		}
		kept := snapshot{uint64(seq), append([]byte{}, state...)}
		if crc != int64(kept.checksum()) || seq < 1 {
			damaged = append(damaged, seq)
		} else {
			whole = append(whole, kept)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, nil, fmt.Errorf("sqlite: %s: snapshots: %w", s.path, sick(err))
	}
	return whole, damaged, nil
}
