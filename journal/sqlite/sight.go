package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	codes "modernc.org/sqlite/lib"

	"github.com/tarry-bo/tarry/journal"
)

// sight is what lies at a path.
type sight struct {
	kind kind
	bond bond
	info fs.FileInfo // nil where nothing is
}

type kind int

const (
	absent kind = iota
	blank       // a file without a byte
	ours        // a database that this package laid out, or began to
)

// mode is the mode for the file of a study that takes the place of what is there.
func (s sight) mode() fs.FileMode {
	if s.info == nil {
		return private
	}
	return s.info.Mode().Perm()
}

// private is the mode of the files of a study: they are for their owner. Whoever changes that of the database changes it
// for those that SQLite and this package make beside it later.
const private = 0o600

// look says what lies at the path; an error, ErrForeign, when it is none of ours, and ErrNoStudy when it must be there and
// is not. The file is read through SQLite, as one that does not change, which makes no file and takes no lock; to open it
// in any other way would, when it is closed, take away the locks that another store in this process has on it (a property
// of POSIX locks).
func (s *Store) look(exists bool) (sight, error) {
	seen, err := look(s.path, s.file)
	if err == nil && exists && seen.kind != ours {
		err = problem(ErrNoStudy, "there is no study at %s", s.path)
	}
	return seen, err
}

func look(path, file string) (sight, error) {
	info, err := os.Stat(file)
	switch {
	case path == "":
		return sight{}, foreign("the path of the study is empty: want that of a file")
	case errors.Is(err, fs.ErrNotExist):
		return sight{}, nil
	case err != nil:
		return sight{}, fmt.Errorf("sqlite: %w", err)
	case !info.Mode().IsRegular():
		return sight{}, foreign("%s is no file", path)
	case info.Size() == 0 && size(file+"-wal") > headBytes: // the log comes after the first page of the file
		return sight{}, fmt.Errorf("%w: %s has not a byte, though %s-wal has something to go into it", journal.ErrCorruptJournal, path, path)
	case info.Size() == 0:
		return sight{kind: blank, info: info}, nil
	}
	// A checkpoint that is going on, or was interrupted, may have written the first page, which says how long the file will
	// be, before the rest. With writable_schema SQLite does not mind, as long as no pragma wants the schema.
	db, err := dial(file, immutable, "writable_schema(1)")
	if err != nil {
		return sight{}, fmt.Errorf("sqlite: %s: %w", path, err)
	}
	defer db.Close()
	var id, version int32
	err = db.QueryRow("PRAGMA application_id").Scan(&id)
	if err == nil {
		err = db.QueryRow("PRAGMA user_version").Scan(&version)
	}
	switch {
	case code(err) == codes.SQLITE_NOTADB:
		return sight{}, foreign("%s is not a study: it is no SQLite database", path)
	case code(err) == codes.SQLITE_CANTOPEN: // SQLite does not say why
		return sight{}, fmt.Errorf("sqlite: %s, with the mode %v: %w", path, info.Mode(), err)
	case err != nil:
		return sight{}, fmt.Errorf("sqlite: %s: %w", path, sick(err))
	case id != applicationID:
		return sight{}, foreign("%s is not a study: it is a SQLite database of another program", path)
	case version&0xff != layout:
		return sight{}, foreign("%s has layout %d of a study, and this version of tarry knows layout %d: another version wrote it", path, version&0xff, layout)
	}
	b, err := bondOf(db, version)
	if err != nil && code(err) == 0 {
		err = fmt.Errorf("%w: %s: table log: %w", journal.ErrCorruptJournal, path, worded(err))
	} else if err != nil {
		err = fmt.Errorf("sqlite: %s: table log: %w", path, sick(err))
	}
	return sight{ours, b, info}, err
}

// foreign is the error for a file that is none of ours.
func foreign(format string, args ...any) error { return problem(ErrForeign, format, args...) }

// alone returns an error where the files beside the database are not files of their own, as links would be: SQLite and this
// package would read, overwrite and delete what belongs to somebody else.
func (s *Store) alone() error {
	for _, side := range sides[1:] {
		if err := plain(s.path+side, s.file+side); err != nil {
			return err
		}
	}
	return nil
}

// plain returns an error where a file that is ours by its name is not a file.
func plain(path, file string) error {
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("sqlite: %w", err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("sqlite: %s is no file but %s: want a file, or nothing by that name", path, what(info.Mode()))
	}
	return nil
}

// what names a kind of file.
func what(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m.IsDir():
		return "a folder"
	}
	return "a device or a pipe"
}
