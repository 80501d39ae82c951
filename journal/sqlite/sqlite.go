// Package sqlite keeps the journal of a study in a SQLite database, one file for each study.
//
//	store, err := sqlite.Create("study.db")        // or Open, to go on; or Read, to look at a study, even while it runs
//	steps, err := journal.NewRecorder(loop, store) // then Step and Sync
//	err = store.Close()
//
// Any SQLite tool can read the file. Table study has named texts, the header among them; events has a row for each event,
// with its time, its kind and its members as JSON; snapshots has states of the loop; the view timeline shows the events
// with the members that most of them have. Every row has a checksum (CRC-32C).
//
// # What is safe
//
// What Append, Mark and KeepSnapshot take is collected in memory. Sync commits it in one transaction, in the write-ahead
// log of SQLite with synchronous = FULL: when Sync has returned nil, everything survives the end of the process and a loss
// of power. Close commits nothing; what was not synced is dropped. After an error of Sync nothing more is taken: every
// later call returns the same error, and the file holds what the calls before had acknowledged. (When it was the disk's
// own sync that failed, nobody can tell whether the last transaction is in the file.)
//
// The file appears when the study begins, whole, with its header and what was kept; what comes goes to the log first, and
// from there to the file after a thousand pages, and when the study is closed or opened again. Damage to the log, behind
// which there are acknowledged events, is an error of Open, Read and Verify; SQLite alone would drop them. What a loss of
// power cut off of the last transaction, which nobody was told to be safe, is dropped. A loss that leaves no trace cannot
// be noticed: a log that was cut off between two transactions, or deleted together with its index study.db-shm.
//
// One process at a time writes, and holds a lock on study.db.lock that the operating system takes away when the process
// ends, however it does. Beside the file there are study.db-wal and study.db-shm while somebody has it open, and after a
// crash; they belong to the study and move with it.
//
// A store is for one goroutine at a time.
package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"os"

	"github.com/tarry-bo/tarry/journal"
)

// What Create, Open and Read may find instead of what they want; compare with errors.Is. What is ErrForeign is ErrNoStudy
// as well.
var (
	ErrExists  = errors.New("sqlite: the file holds a study")
	ErrNoStudy = errors.New("sqlite: the file holds no study")
	ErrInUse   = errors.New("sqlite: the study is in use")
	ErrForeign = errors.New("sqlite: the file belongs to something else") // or to a later version of tarry
)

var (
	_ journal.Store     = (*Store)(nil)
	_ journal.Snapshots = (*Store)(nil)
)

// Store is the journal of one study. Build it with Create, Open or Read.
type Store struct {
	path      string // as the caller named it
	file      string // absolute, without symbolic links
	db        *sql.DB
	lock      *lock  // nil: read only
	temporary string // folder with a copy, see Read; empty without

	header *journal.Header // nil before Begin
	last   row             // of the events appended, whether stored or not; its seq is 0 without any
	stored uint64          // the last event that is safe

	events    []row      // appended since the last Sync
	marked    *row       // an event that is stored and has got a digest since the last Sync
	snapshots []snapshot // kept since the last Sync

	begin, end, insert, update *sql.Stmt

	found  sight    // by Create
	files  []opened // the database and its log; none before Begin
	failed error    // why nothing more is taken
}

// Create makes a store for a new study. It takes the lock and makes no file: that appears when Begin has a header for it,
// so that there is a study at the path or nothing. The folder must exist, else the error is fs.ErrNotExist. A file that
// holds a study is refused with ErrExists, any other with ErrForeign, and left alone; one without a byte is replaced, and so
// is one in which an earlier version of this package created a study that never began. ErrInUse says that another store has
// the file open for writing.
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

// write opens a file under the lock. It looks at the file before, so that nothing is made beside a file that will not do,
// and again under the lock, which is the look that counts.
func write(path string, exists bool, open func(*Store, sight) error) (*Store, error) {
	file, err := resolve(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, file: file}
	if _, err := s.look(exists); err != nil {
		return nil, err
	}
	if s.lock, err = acquire(path, file+lockSuffix); err != nil {
		return nil, err
	}
	seen, err := s.look(exists)
	if err == nil && seen == ours {
		err = s.unwounded()
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

func (s *Store) open(sight) error {
	if err := s.connect("rw"); err != nil {
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
	// What an earlier process left in the log goes to the database, as far as nobody reads it just now. What comes is
	// written to a log that begins anew.
	_, _ = s.db.Exec("PRAGMA wal_checkpoint(PASSIVE)")
	if err := s.ready(); err != nil {
		return err
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

// Path returns the path as it was given.
func (s *Store) Path() string { return s.path }

// Close drops what was not synced and closes the file. A second call does nothing.
func (s *Store) Close() error {
	if s.failed == errClosed {
		return nil
	}
	s.failed = errClosed
	var errs []error
	if s.db != nil {
		errs = append(errs, s.db.Close())
	}
	if s.temporary != "" {
		errs = append(errs, os.RemoveAll(s.temporary))
	}
	if s.lock != nil {
		errs = append(errs, s.lock.release())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("sqlite: close %s: %w", s.path, err)
	}
	return nil
}

var (
	errClosed   = errors.New("sqlite: the store is closed")
	errReadOnly = errors.New("sqlite: the study was opened to be read only")
)

// refusal is an error in words of its own that is one of the errors above.
type refusal struct {
	kind []error
	text string
}

func (r *refusal) Error() string   { return r.text }
func (r *refusal) Unwrap() []error { return r.kind }

func problem(kind error, format string, args ...any) error {
	return &refusal{[]error{kind}, fmt.Sprintf(format, args...)}
}
