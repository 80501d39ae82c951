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

// misread reports whether an error of database/sql says that a value is not of the type that was written, or that there is no row:
// then the file is damaged.
func misread(err error) bool {
	return errors.Is(err, sql.ErrNoRows) || err != nil && strings.HasPrefix(err.Error(), "sql: Scan error")
}

// worded is an error in words, where database/sql speaks of its scan.
func worded(err error) error {
	switch {
	case !misread(err):
		return err
	case errors.Is(err, sql.ErrNoRows):
		return errors.New("it is damaged: it has no row")
	}
	_, column, _ := strings.Cut(err.Error(), "name ")
	column, _, _ = strings.Cut(column, ":")
	return fmt.Errorf("it is damaged: what is in column %s was not written there", column)
}

// sick marks the errors that say that the file is not as this package wrote it. Our statements are right, so what SQLite
// calls a logic error is in the file; a short read is a file that ends within a page. What SQLite calls an error of the disk
// when it makes the index is a full one.
func sick(err error) error {
	if misread(err) {
		return fmt.Errorf("%w: %w", journal.ErrCorruptJournal, worded(err))
	}
	switch code(err) {
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB, codes.SQLITE_ERROR, codes.SQLITE_FORMAT, codes.SQLITE_TOOBIG:
		return fmt.Errorf("%w: %w", journal.ErrCorruptJournal, err)
	}
	switch extended(err) {
	case codes.SQLITE_IOERR_SHORT_READ:
		return fmt.Errorf("%w: %w", journal.ErrCorruptJournal, err)
	case codes.SQLITE_IOERR_SHMSIZE:
		return fmt.Errorf("no room on the disk: %w", err)
	}
	return err
}
