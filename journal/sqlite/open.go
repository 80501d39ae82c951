package sqlite

import (
	"errors"
	"fmt"
	"time"

	"github.com/tarry-bo/tarry/journal"
)

// Create makes a store for a new study. It takes the lock and makes no file: that appears when Begin has a header for it,
// so that there is a study at the path or nothing. The folder must exist, else the error is fs.ErrNotExist. A file that
// holds a study is refused with ErrExists, any other with ErrForeign, and left alone; one without a byte is replaced, and so
// is one in which an earlier version of this package created a study that never began. ErrInUse says that another store has
// the file open for writing.
//
// The file can be read and written by its owner alone, or by whoever may do so with a file without a byte that is
// replaced.
func Create(path string) (*Store, error) {
	return write(path, false, (*Store).create)
}

// Open opens a study to go on with it. ErrNoStudy says that there is none, ErrInUse that another store has it open for
// writing. Schema, header, the ends of the events and the structure of the file are checked, the last by SQLite's quick
// check: O(size of the file), 50 ms for 100,000 events. So is the write-ahead log: damage in it that hides acknowledged
// events is an error that wraps journal.ErrCorruptJournal. Records checks every record that it passes.
func Open(path string) (*Store, error) {
	return write(path, true, (*Store).open)
}

// OpenOrCreate opens the study at the path, or makes a store for a new one where there is none, as Open and Create do. Which
// of the two it was is seen by the header: that of a new store is ErrNoStudy before Begin.
func OpenOrCreate(path string) (*Store, error) {
	return write(path, false, func(s *Store, seen sight) error {
		if seen.kind == ours {
			err := s.open(seen)
			if !errors.Is(err, ErrNoStudy) {
				return err
			}
			if err := s.db.Close(); err != nil {
				return err
			}
		}
		return s.create(seen)
	})
}

// write opens a file under the lock. It looks at the file before, so that nothing is made beside a file that will not do,
// and again under the lock, which is the look that counts.
func write(path string, exists bool, open func(*Store, sight) error) (*Store, error) {
	file, err := resolve(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, file: file, promises: usually}
	seen, err := s.look(exists)
	if err == nil {
		err = s.alone()
	}
	if err != nil {
		return nil, err
	}
	if s.lock, err = acquire(path, file+lockSuffix, seen.mode()); err != nil {
		return nil, err
	}
	seen, err = s.look(exists)
	if err == nil && seen.kind == ours {
		if err = s.unwounded(seen); err == nil {
			err = s.unshared()
		}
	}
	if err == nil {
		err = open(s, seen)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) open(seen sight) error {
	if err := s.connect("rw", "wal_autocheckpoint(0)"); err != nil {
		return err
	}
	if err := s.start(); err != nil {
		return err
	}
	if err := s.begun(); err != nil {
		return err
	}
	if err := s.integrity("quick_check"); err != nil { // what is appended to a damaged tree would damage it further
		return err
	}
	if err := s.ready(); err != nil {
		return err
	}
	s.brought, s.count, s.weight = seen.bond.promised, 0, 0
	if size(s.file+"-wal") > 0 {
		// What an earlier process left in the log goes to the database, as far as nobody reads it just now. What comes is
		// written to a log that begins anew.
		if err := s.bind(nothing); err == nil && s.failed == nil {
			_, _, _ = s.checkpoint()
		}
		s.bonded, s.failed = time.Time{}, nil
	}
	return s.remember()
}

// begun returns why there is no study in a database of ours, nil when there is one.
func (s *Store) begun() error {
	switch {
	case s.header != nil:
		return nil
	case s.last.seq > 0:
		return s.headless()
	}
	return problem(ErrNoStudy, "%s holds no study: one was created and never begun", s.path)
}

func (s *Store) headless() error {
	return fmt.Errorf("%w: %s has %d events and no header", journal.ErrCorruptJournal, s.path, s.last.seq)
}
