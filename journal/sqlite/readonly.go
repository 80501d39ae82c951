package sqlite

import (
	codes "modernc.org/sqlite/lib"
)

// Read opens a study to look at it, whether or not another process writes it meanwhile. It takes no lock and changes
// nothing in the file; Append and the like are errors. ErrNoStudy says that there is no study.
//
// In a folder that cannot be written, on a full disk, and without the files beside the database that a running study has,
// SQLite cannot watch out for writers: then the file is read as one that nobody changes, and what a crash left in the
// write-ahead log is put together with it in memory, which takes as much of that as the study has bytes.
func Read(path string) (*Store, error) { return readAs(path, path) }

// readAs is Read of a file that errors call by a path.
func readAs(path, file string) (*Store, error) {
	s, seen, err := sighted(path, file)
	if err != nil {
		return nil, err
	}
	if err := s.unwounded(seen); err != nil {
		return nil, err
	}
	// A read-only connection to a file that nobody has open would make the two files beside it and leave them there; one
	// that may write takes them away again. It is told not to write by a pragma.
	mode, log := "rw", size(s.file+"-wal")
	if log >= 0 {
		mode = "ro"
	}
	err = s.view(mode)
	if unwritable(err) {
		if log <= 0 {
			err = s.view(immutable)
		} else {
			err = s.viewImage(true)
		}
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// sighted is a store that has looked at a study, and not opened it. Errors call the file by the path.
func sighted(path, file string) (*Store, sight, error) {
	file, err := resolve(file)
	if err != nil {
		return nil, sight{}, err
	}
	s := &Store{path: path, file: file}
	seen, err := s.look(true)
	if err == nil {
		err = s.alone()
	}
	return s, seen, err
}

// unwritable reports whether SQLite could not make or write what it wants beside the database: for want of permission, or
// of room on the disk.
func unwritable(err error) bool {
	switch code(err) {
	case codes.SQLITE_CANTOPEN, codes.SQLITE_READONLY, codes.SQLITE_FULL:
		return true
	case codes.SQLITE_IOERR:
		c := extended(err)
		return c != codes.SQLITE_IOERR_READ && c != codes.SQLITE_IOERR_SHORT_READ
	}
	return false
}

// view connects to read only.
func (s *Store) view(mode string) error {
	s.unview()
	if err := s.connect(mode, "query_only(1)"); err != nil {
		return err
	}
	if err := s.load(); err != nil {
		return err
	}
	return s.begun()
}

// unview takes back an attempt to connect.
func (s *Store) unview() {
	if s.db != nil {
		s.db.Close()
		s.header, s.last, s.stored = nil, row{}, 0
	}
}
