package sqlite

import (
	"fmt"
	"strings"
)

// Verify reads the whole file: its log, SQLite's own integrity check, the schema, and the checksum of every record,
// snapshot and text. It returns the first thing that is wrong, as an error that wraps journal.ErrCorruptJournal, and nil for a file that
// is as it was written. (Whether the records are a study that can be replayed is for journal.Verify to say.) Cost O(size
// of the file).
func (s *Store) Verify() error {
	if s.header != nil { // else there is no file yet
		seen, err := s.look(true)
		if err == nil {
			err = s.unwounded(seen)
		}
		if err != nil {
			return err
		}
	}
	if err := s.integrity("integrity_check"); err != nil {
		return err
	}
	if laid, err := s.laid(); err != nil {
		return err
	} else if !laid {
		return s.corrupt("the tables are missing")
	}
	for _, err := range s.Records() {
		if err != nil {
			return err
		}
	}
	whole, damaged, err := s.states()
	switch {
	case err != nil:
		return err
	case len(damaged) > 0:
		return s.corrupt("snapshot of event %d: its checksum is wrong", damaged[0])
	case len(whole) > 0 && whole[0].seq > s.stored && s.lock != nil:
		return s.corrupt("there is a snapshot of event %d, and the last event is %d", whole[0].seq, s.stored)
	}
	names, err := s.names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, err := s.text(name); err != nil {
			return err
		}
	}
	return nil
}

// integrity has SQLite look at its pages and trees, by the pragma integrity_check or quick_check.
func (s *Store) integrity(pragma string) error {
	rows, err := s.db.Query("PRAGMA " + pragma + "(10)")
	if err != nil {
		return fmt.Errorf("sqlite: %s: integrity: %w", s.path, sick(err))
	}
	defer rows.Close()
	var complaints []string
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return fmt.Errorf("sqlite: %s: integrity: %w", s.path, sick(err))
		}
		if line != "ok" {
			complaints = append(complaints, line)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("sqlite: %s: integrity: %w", s.path, sick(err))
	}
	if len(complaints) > 0 {
		return s.corrupt("%s", strings.Join(complaints, "; "))
	}
	return nil
}

// names returns the names of the texts.
func (s *Store) names() (names []string, err error) {
	rows, err := s.db.Query("SELECT name FROM study")
	if err != nil {
		return nil, fmt.Errorf("sqlite: %s: texts: %w", s.path, sick(err))
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, s.corrupt("texts: %v", worded(err))
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("sqlite: %s: texts: %w", s.path, sick(err))
	}
	return names, nil
}
