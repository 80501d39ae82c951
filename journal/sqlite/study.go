package sqlite

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"time"
	"unicode/utf8"
)

// The names in the table study that are not for Keep.
const (
	headerName  = "header"
	createdName = "created"
)

// textChecksum covers a row of the table study.
func textChecksum(name string, text []byte) uint32 {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(name)))
	return crc32.Update(crc32.Checksum(append(b, name...), table), table, text)
}

func (s *Store) put(name string, text []byte) error {
	_, err := s.db.Exec("INSERT OR REPLACE INTO study (name, text, crc) VALUES (?, ?, ?)", name, string(text), textChecksum(name, text))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// text returns a text of the table study, nil without.
func (s *Store) text(name string) ([]byte, error) {
	var text string
	var crc int64
	err := s.db.QueryRow("SELECT text, crc FROM study WHERE name = ?", name).Scan(&text, &crc)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case code(err) == 0 && err != nil:
		return nil, s.corrupt("%s: %v", name, worded(err)) // it is not of the type that was written
	case err != nil:
		return nil, fmt.Errorf("sqlite: %s: %s: %w", s.path, name, sick(err))
	case crc != int64(textChecksum(name, []byte(text))):
		return nil, s.corrupt("%s: its checksum is wrong", name)
	}
	return append([]byte{}, text...), nil
}

// Keep keeps a small text beside the header, such as the command line of the study, in the place of an older one by the
// same name. It is safe when Keep has returned, apart from anything that waits for Sync; before Begin it is in memory, and safe
// when Begin has returned. Name and text are UTF-8; the names "header" and "created" are taken.
func (s *Store) Keep(name string, text []byte) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.keep(name, text)
}

func (s *Store) keep(name string, text []byte) error {
	if err := s.keeps(name, text); err != nil {
		return err
	}
	return s.commit(func() error { return s.put(name, text) }, true)
}

// note is a text that waits for Sync.
type note struct {
	name string
	text []byte
}

// Note is Keep for what belongs to the events: it is in memory until Sync, which commits it in one transaction with them. Before
// Begin it is Keep.
func (s *Store) Note(name string, text []byte) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.header == nil {
		return s.keep(name, text)
	}
	if err := s.keeps(name, text); err != nil {
		return err
	}
	s.notes = append(s.notes, note{name, append([]byte{}, text...)})
	return nil
}

// keeps returns why a text is not kept by a name, nil where it is.
func (s *Store) keeps(name string, text []byte) error {
	if err := s.writable(); err != nil {
		return err
	}
	if name == headerName || name == createdName || name == "" || !utf8.ValidString(name) {
		return fmt.Errorf("sqlite: %s: keep %q: want a name that is UTF-8, and none of %q and %q", s.path, name, headerName, createdName)
	}
	if !utf8.Valid(text) {
		return fmt.Errorf("sqlite: %s: keep %q: want a text that is UTF-8", s.path, name)
	}
	return nil
}

// Texts returns all texts that were kept, by their names; notes that wait for Sync are not among them.
func (s *Store) Texts() (map[string][]byte, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for _, name := range names {
		text, err := s.Kept(name)
		if err != nil {
			return nil, err
		}
		if text != nil {
			texts[name] = text
		}
	}
	return texts, nil
}

// Last returns the number of the last record that was appended, 0 without any.
func (s *Store) Last() uint64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.last.seq
}

// Kept returns the text that was kept by the name; nil when there is none.
func (s *Store) Kept(name string) ([]byte, error) {
	if name == headerName || name == createdName {
		return nil, nil
	}
	return s.text(name)
}

// Created returns when the study began, by the clock on the wall: for information. It is the zero time before Begin.
func (s *Store) Created() (time.Time, error) {
	text, err := s.text(createdName)
	if text == nil || err != nil {
		return time.Time{}, err
	}
	at, err := time.Parse(time.RFC3339Nano, string(text))
	if err != nil {
		return time.Time{}, s.corrupt("%s: %v", createdName, err)
	}
	return at, nil
}
