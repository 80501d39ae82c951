package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/tarry-bo/tarry/journal"
)

// newSuffix is what the name of a file has besides that of the study while it is being made.
const newSuffix = ".new"

// create prepares a study in memory.
func (s *Store) create(seen sight) error {
	if seen.kind == ours {
		if err := s.vacant(); err != nil {
			return err
		}
	}
	if other, err := Read(s.file + newSuffix); err == nil {
		n := other.last.seq
		if err := other.Close(); err != nil {
			return err
		}
		if n > 0 { // then it is not the remains of one that was being made
			return problem(ErrExists, "%s%s holds a study, and is in the way of making %s: move it elsewhere", s.path, newSuffix, s.path)
		}
	}
	s.found = seen
	if err := s.connect(inMemory); err != nil {
		return err
	}
	if err := s.lay(); err != nil {
		return err
	}
	return s.ready()
}

// vacant returns an error unless the database of ours at the path has no study in it.
func (s *Store) vacant() error {
	err := s.connect("rw")
	if err == nil {
		err = s.start()
	}
	switch {
	case err != nil:
		return err
	case s.header != nil:
		return problem(ErrExists, "%s holds a study already", s.path)
	case s.last.seq > 0:
		return s.headless()
	}
	return s.db.Close()
}

// Begin makes the file of the study, with the header and what was kept; it is there, safely, when Begin has returned nil. A
// store that has a header refuses with ErrExists.
func (s *Store) Begin(h journal.Header) error { return s.BeginAt(h, time.Now()) }

// BeginAt is Begin for a study that began at another time, or elsewhere: Created returns that time.
func (s *Store) BeginAt(h journal.Header, created time.Time) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.writable(); err != nil {
		return err
	}
	if s.header != nil {
		return problem(ErrExists, "begin: %s holds a study already: "+journal.HowToGoOn, s.path)
	}
	text, err := journal.EncodeHeader(h)
	if err != nil {
		return err
	}
	if _, err := journal.DecodeHeader(text); err != nil { // what Open will do
		return err
	}
	at := created.UTC().Format(time.RFC3339Nano)
	err = errors.Join(s.put(createdName, []byte(at)), s.put(headerName, text))
	if err == nil {
		err = s.publish()
	}
	if err != nil {
		s.failed = fmt.Errorf("sqlite: %s: not begun: %w", s.path, err)
		return s.failed
	}
	return nil
}

// publish makes the file from what is in memory, whole, under another name, moves it to its place and opens it there.
func (s *Store) publish() error {
	file := s.file + newSuffix
	if err := s.copyTo(file, s.found.mode()); err != nil {
		return errors.Join(err, remove(file))
	}
	if seen, err := s.look(false); err != nil {
		return errors.Join(err, remove(file))
	} else if seen.kind != s.found.kind {
		return errors.Join(errors.New("a file has appeared there, or has been taken away, since the study was created"), remove(file))
	}
	// SQLite would take a log, or a journal, that is there for one of this file.
	if err := remove(s.file, sides[1:]...); err != nil {
		return err
	}
	if err := os.Rename(file, s.file); err != nil {
		return errors.Join(err, remove(file))
	}
	if err := syncNames(filepath.Dir(s.file)); err != nil {
		return err
	}
	if err := s.db.Close(); err != nil {
		return err
	}
	seen, err := s.look(true)
	if err != nil {
		return err
	}
	return s.open(seen)
}

// copyTo copies the database to a file with a mode, which has nothing beside it and is on the disk in the end. Whatever an
// earlier process left by that name goes. The file is made here and not by SQLite, which would follow a link.
func (s *Store) copyTo(file string, mode fs.FileMode) error {
	if err := remove(file); err != nil {
		return err
	}
	made, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, private)
	if err != nil {
		return err
	}
	if err := errors.Join(made.Chmod(mode), made.Close()); err != nil {
		return err
	}
	if _, err := s.db.Exec("VACUUM INTO ?", file); err != nil {
		return err
	}
	db, err := dial(file, "rw", usual...)
	if err != nil {
		return err
	}
	if err := errors.Join(renew(db), logged(db), db.Close()); err != nil {
		return err
	}
	return syncFile(file, os.O_RDWR)
}

// sides are what the names of the files of a database end in: itself, and what SQLite has beside it.
var sides = [...]string{"", "-journal", "-wal", "-shm"}

// remove deletes the files of a database, where they are; by default all of them.
func remove(file string, which ...string) error {
	if len(which) == 0 {
		which = sides[:]
	}
	for _, side := range which {
		if err := os.Remove(file + side); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// syncNames waits until the names in a folder are on the disk.
func syncNames(folder string) error {
	if runtime.GOOS == "windows" { // which knows nothing of the kind
		return nil
	}
	return syncFile(folder, os.O_RDONLY)
}

// syncFile waits until a file, or the names in a folder, are on the disk.
func syncFile(name string, flag int) error {
	f, err := os.OpenFile(name, flag, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
