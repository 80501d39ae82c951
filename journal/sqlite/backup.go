package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tarry-bo/tarry/journal"
)

// Backup copies the study at a path, as it is at this moment, to a new file, which appears whole, and returns how many
// events the copy has. The study may be going on meanwhile. All of the copy is read and checked, as by Verify. The error is
// fs.ErrExist where something is at the target, or beside it what would be taken for a part of it, and that of Read where the
// study cannot be read; nothing is left then.
func Backup(path, target string) (events uint64, err error) {
	s, err := Read(path)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	return s.copyOut(target)
}

// Salvage copies what there is of a study whose log is damaged, cut off or missing, or does not go with it, to a new file,
// from which a study goes on that has never seen what was lost. The study itself is not touched. It returns how many
// events the copy has, and what was wrong with the log, an error that wraps journal.ErrCorruptJournal, or nil if nothing
// was. What is there must be whole for itself; else the errors are those of Read and Verify.
func Salvage(path, target string) (events uint64, lost, err error) {
	s, seen, err := sighted(path, path)
	if err != nil {
		return 0, nil, err
	}
	defer s.Close()
	if lost = s.unwounded(seen); lost != nil && !errors.Is(lost, journal.ErrCorruptJournal) {
		return 0, nil, lost
	}
	if err := s.viewImage(false); err != nil {
		return 0, lost, err
	}
	events, err = s.copyOut(target)
	return events, lost, err
}

// copyOut copies what a store that reads sees.
func (s *Store) copyOut(target string) (events uint64, err error) {
	if _, err := os.Lstat(target); err == nil {
		return 0, problem(fs.ErrExist, "%s is there already: want the name of a new file for the copy", target)
	}
	to, err := resolve(target)
	if err == nil {
		err = unclaimed(target, to)
	}
	if err != nil {
		return 0, err
	}
	if _, err := s.db.Exec("PRAGMA query_only = 0"); err != nil {
		return 0, fmt.Errorf("sqlite: copy %s: %w", s.path, err)
	}
	made := fmt.Sprintf("%s.%d%s", to, os.Getpid(), newSuffix)
	defer remove(made)
	if err := s.copyTo(made, private); err != nil {
		return 0, fmt.Errorf("sqlite: copy %s to %s: %w", s.path, target, sick(err))
	}
	if events, err = verified(made, s.path); err != nil {
		return 0, fmt.Errorf("sqlite: the copy of %s: %w", s.path, err)
	}
	if err := name(made, to); err != nil {
		return 0, fmt.Errorf("sqlite: copy %s to %s: %w", s.path, target, err)
	}
	return events, nil
}

// unclaimed returns an error where something lies beside the name of a new database that would be taken for what belongs to it, as a
// study leaves behind whose database alone was deleted. Files without a byte are nothing to anybody.
func unclaimed(path, file string) error {
	for _, side := range sides[1:] {
		info, err := os.Lstat(file + side)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return fmt.Errorf("sqlite: %w", err)
		case !info.Mode().IsRegular() || info.Size() > 0:
			return problem(fs.ErrExist, "%s is there already, and would be taken for a part of %s: move it elsewhere, or name another file for the copy", path+side, path)
		}
	}
	return nil
}

// verified reads all of a study, whose errors name the path, and returns how many events it has.
func verified(file, path string) (uint64, error) {
	s, err := readAs(path, file)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	return s.stored, s.Verify()
}

// name gives a file another name, which must be new, in the same folder.
func name(file, to string) error {
	err := os.Link(file, to) // which does not replace what has appeared there meanwhile
	if err == nil {
		err = os.Remove(file)
	} else if _, there := os.Lstat(to); there == nil {
		return problem(fs.ErrExist, "%s has appeared there meanwhile", to)
	} else {
		err = os.Rename(file, to) // a file system without links
	}
	if err != nil {
		return err
	}
	return syncNames(filepath.Dir(to))
}
