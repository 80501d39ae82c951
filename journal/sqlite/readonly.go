package sqlite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	codes "modernc.org/sqlite/lib"
)

// Read opens a study to look at it, whether or not another process writes it meanwhile. It takes no lock and changes
// nothing in the file; Append and the like are errors. ErrNoStudy says that there is no study.
//
// In a folder that cannot be written, and without the files beside the database that a running study has, SQLite cannot
// watch out for writers: then the file is read as one that nobody changes, and what a crash left in the write-ahead log
// is read from a temporary copy.
func Read(path string) (*Store, error) {
	file, err := resolve(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, file: file}
	if _, err := s.look(true); err != nil {
		return nil, err
	}
	if err := s.unwounded(); err != nil {
		return nil, err
	}
	// A read-only connection to a file that nobody has open would make the two files beside it and leave them there; one
	// that may write takes them away again. It is told not to write by a pragma.
	mode, log := "rw", size(file+"-wal")
	if log >= 0 {
		mode = "ro"
	}
	err = s.view(mode)
	if c := code(err); c == codes.SQLITE_CANTOPEN || c == codes.SQLITE_READONLY {
		if log <= 0 {
			err = s.view(immutable)
		} else {
			err = s.readCopy()
		}
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// view connects to read only.
func (s *Store) view(mode string) error {
	if s.db != nil {
		s.db.Close()
		s.header, s.last, s.stored = nil, row{}, 0
	}
	if err := s.connect(mode, "query_only(1)"); err != nil {
		return err
	}
	if err := s.load(); err != nil {
		return err
	}
	return s.begun()
}

// readCopy reads a copy of the database and its log.
func (s *Store) readCopy() (err error) {
	if s.temporary, err = os.MkdirTemp("", "tarry-"); err != nil {
		return fmt.Errorf("sqlite: %s: %w", s.path, err)
	}
	from := s.file
	s.file = filepath.Join(s.temporary, "study.db")
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(s.file+suffix, from+suffix); err != nil {
			return fmt.Errorf("sqlite: %s: %w", s.path, err)
		}
	}
	return s.view("rw")
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// size is the length of a file, −1 where there is none.
func size(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return -1
	}
	return info.Size()
}
