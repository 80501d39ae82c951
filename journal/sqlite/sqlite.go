// Package sqlite keeps the journal of a study in a SQLite database, one file for each study.
//
//	store, err := sqlite.Create("study.db")        // Open, to go on; OpenOrCreate; or Read, to look, even while it runs
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
// later call returns the same error, and the file holds what the calls before had acknowledged, and perhaps what was not
// acknowledged of the last one.
//
// The file appears when the study begins, whole, with its header and what was kept; what comes goes to the log first. From
// there it is copied to the file with every sixteenth transaction, and with each where they are so far apart that this takes
// a fiftieth of the time.
//
// One process at a time writes, and holds a lock on study.db.lock that the operating system takes away when the process
// ends, however it does. Beside the file there are study.db-wal, the log, and study.db-shm, its index, while somebody has
// it open, and after a crash; they belong to the study and move with it. All of them can be read and written by their owner
// alone. Backup makes a copy that is one file.
//
// # What is noticed
//
// Open, Read and Verify refuse, with an error that wraps journal.ErrCorruptJournal, what SQLite alone would take for a study
// with fewer events. Salvage keeps what is there. The proofs are these:
//
//   - Damage in the log, behind which there is the end of another transaction: that one began when the one before was safe.
//   - A log that is shorter than its index counts, which counts what the disk has confirmed.
//   - A log that is missing or empty, of another study, of another moment, or cut off before what has been copied to the
//     file: the file has a mark that says what must be in its log, see the type bond in mark.go.
//
// While a store writes, it notices when somebody else takes away, replaces, cuts off or rewrites the file or its log, or gives
// them another name, and acknowledges nothing more. What leaves no trace cannot be noticed: a log that was cut off in what
// came after it was last copied, fifteen transactions at most, without its index; all files put back to an earlier moment;
// and, for half a minute before a loss of power, that the file had a log, if that is then taken away.
//
// A store is one study's at a time, see journal.ErrInUse, and for one goroutine at a time. Where others append and sync all the same, what
// they append is in the file when their Sync has returned nil, in the order of the numbers.
package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/tarry-bo/tarry/journal"
)

// What Create, Open and Read may find instead of what they want; compare with errors.Is. What is ErrNoStudy is
// fs.ErrNotExist as well: there is nothing, or nothing yet, and Create would make it.
var (
	ErrExists  = errors.New("sqlite: the file holds a study")
	ErrNoStudy = fmt.Errorf("sqlite: there is no study: %w", fs.ErrNotExist)
	ErrInUse   = errors.New("sqlite: the study is in use")
	ErrForeign = errors.New("sqlite: the file belongs to something else") // or to a later version of tarry
)

var (
	_ journal.Store     = (*Store)(nil)
	_ journal.Snapshots = (*Store)(nil)
)

// Store is the journal of one study. Build it with Create, Open, OpenOrCreate or Read.
type Store struct {
	path string // as the caller named it
	file string // absolute, without symbolic links
	db   *sql.DB
	lock *lock // nil: read only

	mutex  sync.Mutex      // held while something is appended, committed or closed
	header *journal.Header // nil before Begin
	last   row             // of the events appended, whether stored or not; its seq is 0 without any
	stored uint64          // the last event that is safe

	events    []row      // appended since the last Sync
	marked    *row       // an event that is stored and has got a digest since the last Sync
	snapshots []snapshot // kept since the last Sync
	notes     []note     // noted since the last Sync

	begin, end, insert, update *sql.Stmt

	found  sight     // by Create
	files  []watched // the database and its log; none before Begin
	parted bool      // they do not go together any more
	failed error     // why nothing more is taken

	promises
	reader *sql.DB // for checkpoints; nil before the first one
}

// Root returns the store: see journal.Rooted.
func (s *Store) Root() journal.Store { return s }

// Path returns the path as it was given.
func (s *Store) Path() string { return s.path }

// Close drops what was not synced and closes the file. What somebody else has done to it since the last Sync is an error. A
// second call does nothing.
func (s *Store) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.failed == errClosed {
		return nil
	}
	var errs []error
	if s.failed == nil {
		errs = append(errs, s.untouched(true))
		if errs[0] == nil && s.count > 0 {
			// Then all that closing brings to the database is the page with the mark: a copy of the file that somebody takes
			// meanwhile never looks complete when it is not.
			_ = s.bind(nothing)
		}
	}
	s.failed = errClosed
	// SQLite brings the log to the database and deletes it when nobody else has the two open. They stay as they are where
	// they do not go together any more: the reader, which may not write, is closed last.
	open := []*sql.DB{s.reader, s.db}
	if s.parted {
		slices.Reverse(open)
	}
	for _, db := range open {
		if db != nil {
			errs = append(errs, db.Close())
		}
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
	errClosed   = fmt.Errorf("sqlite: the store is closed: %w", fs.ErrClosed)
	errReadOnly = errors.New("sqlite: the study was opened to be read only")
)

// refusal is an error in words of its own that is one of the errors above.
type refusal struct {
	kind error
	text string
}

func (r *refusal) Error() string { return r.text }
func (r *refusal) Unwrap() error { return r.kind }

func problem(kind error, format string, args ...any) error {
	return &refusal{kind, fmt.Sprintf(format, args...)}
}
