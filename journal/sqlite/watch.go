package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// watched is a file as it was when this store had last written.
type watched struct {
	name string
	info fs.FileInfo
}

// remember notes what the files are like when they are opened.
func (s *Store) remember() error {
	s.files = nil
	for _, name := range []string{s.file, s.file + "-wal"} {
		info, err := os.Stat(name)
		if err != nil {
			return fmt.Errorf("sqlite: %w", err)
		}
		s.files = append(s.files, watched{name, info})
	}
	return nil
}

// unshared returns an error when a file that would be written has further names.
func (s *Store) unshared() error {
	for _, side := range []string{"", "-wal"} {
		info, err := os.Stat(s.file + side)
		if err == nil {
			err = single(s.path+side, info)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("sqlite: %w", err)
		}
	}
	return nil
}

// single returns an error when a file has further names. By another name it would have another lock and another log, and
// two processes that write it by two names would destroy it. (A lock on the file itself would not do: SQLite has its own
// there, which a process loses that opens and closes the file, and on some systems the two kinds are one.) A file that is
// mounted a second time keeps the count; then the marks refuse it, as without its log.
func single(name string, info fs.FileInfo) error {
	if n := names(info); n > 1 {
		return fmt.Errorf("%s has %d names (hard links), by each of which it could be written: delete the others, or replace it by a copy of itself", name, n)
	}
	return nil
}

// unmoved returns an error when the files are not any more where they were opened: what is written then goes to files that
// nobody will find. SQLite does not look. It is asked after each transaction, and notes what the files are like then. The
// database is written only when the bond is renewed.
func (s *Store) unmoved(bound bool) error {
	for i, f := range s.files {
		info, err := f.still()
		if err == nil && i == 0 && !bound && f.differs(info) {
			err = s.examined()
		}
		if err != nil {
			return err
		}
		s.files[i].info = info
	}
	return nil
}

// untouched returns an error when somebody else has written the log since this store did, and it was not SQLite: what is
// written then may go behind a hole, from where nobody will read it. It is asked before each transaction, since afterwards
// the log is as long as it should be; about the database as well when the bond is to be renewed.
func (s *Store) untouched(bound bool) error {
	for i, f := range s.files {
		if i == 0 && !bound {
			continue
		}
		info, err := f.still()
		if err == nil && f.differs(info) {
			err = s.examined()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f watched) still() (fs.FileInfo, error) {
	info, err := os.Stat(f.name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("deleted or moved while the study was open: %w", err)
	case !os.SameFile(info, f.info):
		return nil, fmt.Errorf("another file has taken the place of %s while the study was open", f.name)
	}
	return info, single(f.name, info)
}

// differs reports whether the file has been written.
func (f watched) differs(info fs.FileInfo) bool {
	return info.Size() != f.info.Size() || !info.ModTime().Equal(f.info.ModTime())
}

// examined returns an error when the files that somebody else has written are not those of this study any more.
func (s *Store) examined() (err error) {
	defer func() { s.parted = err != nil }()
	seen, err := s.look(true)
	if err == nil {
		err = s.unwounded(seen)
	}
	if err != nil {
		return err
	}
	if !seen.bond.follows(s.brought) {
		return fmt.Errorf("%s has been put back to an earlier moment while the study was open", s.path)
	}
	s.bonded = time.Time{} // somebody may have made a checkpoint
	return s.unshortened(seen)
}

// unshortened returns an error when the database lacks pages that were in it and are still counted, or the log lost its end
// and there is no index to tell of it.
func (s *Store) unshortened(seen sight) error {
	var pages, page int64
	err := errors.Join(s.db.QueryRow("PRAGMA page_count").Scan(&pages), s.db.QueryRow("PRAGMA page_size").Scan(&page))
	if err != nil {
		return err
	}
	if has, had := seen.info.Size(), s.files[0].info.Size(); has < min(had, pages*page) {
		return fmt.Errorf("%s was cut off while the study was open: it has %d bytes, and had %d", s.path, has, had)
	}
	log := s.files[1]
	if has := size(log.name); has < log.info.Size() {
		if _, indexed := readIndex(s.file + "-shm"); !indexed {
			return fmt.Errorf("%s-wal was cut off while the study was open: it has %d bytes, and had %d", s.path, has, log.info.Size())
		}
	}
	return nil
}
