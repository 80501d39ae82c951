package jetstream

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

var (
	_ journal.Store     = (*Store)(nil)
	_ journal.Snapshots = (*Store)(nil)
)

// Store is the journal of one study, in its stream and on the disk. A Term opens it. Reading is that of the file; what is
// written must be written here, and not by the methods of the field Store. It is for one goroutine at a time.
type Store struct {
	*sqlite.Store
	term   *Term
	study  string
	writer *writer
	mutex  sync.Mutex // held while something is appended or sent
	at     position   // of the file
	batch  lines      // appended since the last Sync
	failed error      // why nothing more is taken
}

// Begin makes the stream of the study, if it is not there, and the file, with the header and what was kept. Both have it when Begin has returned nil.
func (s *Store) Begin(h journal.Header) error { return s.BeginAt(h, time.Now()) }

// BeginAt is Begin for a study that began at another time.
func (s *Store) BeginAt(h journal.Header, created time.Time) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.failed != nil {
		return s.failed
	}
	if _, err := s.Store.Header(); !errors.Is(err, fs.ErrNotExist) {
		return s.Store.BeginAt(h, created) // which says why not
	}
	texts, err := s.Texts()
	if err != nil {
		return err
	}
	batch, err := s.term.opening(texts)
	if err == nil {
		err = batch.header(h, created)
	}
	if err != nil {
		return err
	}
	return s.fail(s.begin(batch, h, created))
}

func (s *Store) begin(batch lines, h journal.Header, created time.Time) error {
	if s.writer.last == 0 {
		if err := s.term.make(s.study); err != nil {
			return err
		}
	}
	if err := s.send(batch); err != nil {
		return err
	}
	if err := s.Store.Keep(positionName, s.at.text()); err != nil {
		return err
	}
	if err := s.Store.BeginAt(h, created); err != nil {
		return err
	}
	return s.term.valid()
}

// Append adds a record, the next one in order. It is in memory until Sync.
func (s *Store) Append(r journal.Record) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.failed != nil {
		return s.failed
	}
	if err := s.Store.Append(r); err != nil {
		return err
	}
	if err := s.batch.event(r); err != nil {
		return s.fail(err)
	}
	if r.Digest != 0 {
		s.batch.mark(r.Event.Seq, r.Digest)
	}
	return nil
}

// Mark adds a digest to the last record. It is in memory until Sync.
func (s *Store) Mark(digest uint64) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.failed != nil {
		return s.failed
	}
	if err := s.Store.Mark(digest); err != nil {
		return err
	}
	if digest != 0 {
		s.batch.mark(s.Last(), digest)
	}
	return nil
}

// KeepSnapshot keeps a state of the loop. It is in memory until Sync.
func (s *Store) KeepSnapshot(seq uint64, state []byte) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.failed != nil {
		return s.failed
	}
	if err := s.Store.KeepSnapshot(seq, state); err != nil {
		return err
	}
	s.batch.snapshot(seq, state)
	return nil
}

// Note keeps a text beside the header. It is in memory until Sync; before Begin until Begin.
func (s *Store) Note(name string, text []byte) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.failed != nil {
		return s.failed
	}
	if name == positionName {
		return fmt.Errorf("%s: keep %q: want another name: it says where the file is in its stream", s.Path(), name)
	}
	if err := s.Store.Note(name, text); err != nil {
		return err
	}
	if _, err := s.Store.Header(); err != nil {
		return nil // Begin sends it
	}
	return s.batch.add(entry{Keep: name, Text: string(text)})
}

// Keep is Note followed by Sync, but for the time before Begin.
func (s *Store) Keep(name string, text []byte) error {
	if err := s.Note(name, text); err != nil {
		return err
	}
	return s.Sync()
}

// Sync returns nil when the stream and the disk have what was appended, marked and kept since the last call, and this process
// still led when they had it. After an error nothing more is taken, and whether the last batch is kept is not known before the
// study is opened again: see the package's comment. It may take as long as the group's patience.
func (s *Store) Sync() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.failed != nil || len(s.batch) == 0 {
		return s.failed
	}
	return s.fail(s.sync())
}

func (s *Store) sync() error {
	if err := s.send(s.batch); err != nil {
		return err
	}
	s.batch = s.batch[:0]
	if err := s.Store.Note(positionName, s.at.text()); err != nil {
		return err
	}
	if err := s.Store.Sync(); err != nil {
		return err
	}
	return s.term.valid()
}

// send sends a batch to the stream and moves the position behind it.
func (s *Store) send(batch lines) error {
	if err := s.term.valid(); err != nil {
		return err
	}
	if err := s.writer.write(context.Background(), batch); err != nil {
		return err
	}
	s.at.Sequence, s.at.Chain, s.at.Events = s.writer.last, s.writer.chain, s.Last()
	return nil
}

// fail remembers why nothing more is taken.
func (s *Store) fail(err error) error {
	if err != nil {
		s.failed = fmt.Errorf("%s: not written: %w", s.Path(), err)
	}
	return s.failed
}

// Close drops what was not synced and closes the file. The stream stays as it is.
func (s *Store) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.failed == nil {
		s.failed = errClosed
	}
	return s.Store.Close()
}

var errClosed = errors.New("the store is closed")
