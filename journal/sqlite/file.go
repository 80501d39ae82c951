package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	engine "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/tarry-bo/tarry/journal"
)

// resolve returns the path under which the operating system knows the file: two names of one file must share a lock. The
// folder must exist, else the error is fs.ErrNotExist; the file need not.
func resolve(path string) (string, error) {
	file, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("sqlite: %w", err)
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("sqlite: %s: %w", path, err)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(file))
	if errors.Is(err, fs.ErrNotExist) {
		return "", problem(fs.ErrNotExist, "folder %s of %s does not exist", filepath.Dir(path), path)
	} else if err != nil {
		return "", fmt.Errorf("sqlite: %s: %w", path, err)
	}
	file = filepath.Join(folder, filepath.Base(file))
	if to, err := os.Readlink(file); err == nil { // a link to where nothing is yet
		if !filepath.IsAbs(to) {
			to = filepath.Join(folder, to)
		}
		return resolve(to)
	}
	return file, nil
}

// usual are the pragmas for connections to a study. FULL makes a commit wait for the disk; the two about fullfsync make it do so on
// macOS. A write waits half a minute for another program that writes. What the file says is not trusted.
var usual = []string{
	"busy_timeout(30000)", "synchronous(FULL)", "fullfsync(1)", "checkpoint_fullfsync(1)", "cell_size_check(1)",
	"trusted_schema(0)", "journal_size_limit(16777216)",
}

// Modes beside SQLite's "ro", "rw" and "rwc". The first is ours.
const (
	immutable = "immutable"
	inMemory  = "memory" // whatever the file's name is
)

// dial returns a database with one connection, which is not made yet.
func dial(file, mode string, pragmas ...string) (*sql.DB, error) {
	query := url.Values{"_txlock": {"immediate"}, "_error_rc": {"1"}, "_pragma": pragmas}
	if mode == immutable {
		query.Set("immutable", "1") // nobody writes: no locks, no log
		mode = "ro"
	}
	query.Set("mode", mode)
	path := filepath.ToSlash(file)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a volume of Windows
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

func (s *Store) connect(mode string, further ...string) (err error) {
	if s.db, err = dial(s.file, mode, append(further, usual...)...); err != nil {
		return fmt.Errorf("sqlite: %s: %w", s.path, err)
	}
	return nil
}

// sight is what lies at a path.
type sight int

const (
	absent sight = iota
	blank        // a file without a byte
	ours         // a database that this package laid out, or began to
)

// look says what lies at the path; an error, ErrForeign, when it is none of ours, and ErrNoStudy when it must be there and
// is not. The file is read through SQLite, as one that does not change, which makes no file and takes no lock; to open it
// in any other way would, when it is closed, take away the locks that another store in this process has on it (a property
// of POSIX locks).
func (s *Store) look(exists bool) (sight, error) {
	seen, err := look(s.path, s.file)
	if err == nil && exists && seen != ours {
		err = problem(ErrNoStudy, "there is no study at %s", s.path)
	}
	return seen, err
}

func look(path, file string) (sight, error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return absent, nil
	case err != nil:
		return absent, fmt.Errorf("sqlite: %w", err)
	case !info.Mode().IsRegular():
		return absent, foreign("%s is no file", path)
	case info.Size() == 0 && size(file+"-wal") > headBytes: // the log comes after the first page of the file
		return absent, fmt.Errorf("%w: %s has not a byte, though %s-wal has something to go into it", journal.ErrCorruptJournal, path, path)
	case info.Size() == 0:
		return blank, nil
	}
	// A checkpoint that is going on, or was interrupted, may have written the first page, which says how long the file will
	// be, before the rest. With writable_schema SQLite does not mind, as long as no pragma wants the schema.
	db, err := dial(file, immutable, "writable_schema(1)")
	if err != nil {
		return absent, fmt.Errorf("sqlite: %s: %w", path, err)
	}
	defer db.Close()
	var id, version int
	err = db.QueryRow("PRAGMA application_id").Scan(&id)
	if err == nil {
		err = db.QueryRow("PRAGMA user_version").Scan(&version)
	}
	switch {
	case code(err) == codes.SQLITE_NOTADB:
		return absent, foreign("%s is not a study: it is no SQLite database", path)
	case err != nil:
		return absent, fmt.Errorf("sqlite: %s: %w", path, sick(err))
	case id != applicationID:
		return absent, foreign("%s is not a study: it is a SQLite database of another program", path)
	case version != layout:
		return absent, foreign("%s has layout %d of a study, and this version of tarry knows layout %d: a later version may have written it", path, version, layout)
	}
	return ours, nil
}

// foreign is the error for a file that is none of ours, and so holds no study.
func foreign(format string, args ...any) error {
	return &refusal{[]error{ErrForeign, ErrNoStudy}, fmt.Sprintf(format, args...)}
}

// code returns SQLite's primary result code, 0 for other errors.
func code(err error) int {
	return extended(err) & 0xff
}

func extended(err error) int {
	var e *engine.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// sick marks the errors that say that the file is not as this package wrote it. Our statements are right, so what SQLite
// calls a logic error is in the file; a short read is a file that ends within a page.
func sick(err error) error {
	switch code(err) {
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB, codes.SQLITE_ERROR, codes.SQLITE_FORMAT, codes.SQLITE_TOOBIG:
		return fmt.Errorf("%w: %w", journal.ErrCorruptJournal, err)
	}
	if extended(err) == codes.SQLITE_IOERR_SHORT_READ {
		return fmt.Errorf("%w: %w", journal.ErrCorruptJournal, err)
	}
	return err
}

// opened is a file as it was when it was opened.
type opened struct {
	name string
	info os.FileInfo
}

// remember notes which files were opened.
func (s *Store) remember() error {
	s.files = nil
	for _, name := range []string{s.file, s.file + "-wal"} {
		info, err := os.Stat(name)
		if err != nil {
			return fmt.Errorf("sqlite: %w", err)
		}
		s.files = append(s.files, opened{name, info})
	}
	return nil
}

// unmoved returns an error when the files are not any more where they were opened: what is written then goes to files that
// nobody will find. SQLite does not look.
func (s *Store) unmoved() error {
	for _, f := range s.files {
		if info, err := os.Stat(f.name); err != nil {
			return fmt.Errorf("deleted or moved while the study was open: %w", err)
		} else if !os.SameFile(info, f.info) {
			return fmt.Errorf("another file has taken the place of %s while the study was open", f.name)
		}
	}
	return nil
}
