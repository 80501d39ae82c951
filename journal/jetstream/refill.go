package jetstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// refill brings to the stream what the file has beyond it. All that the stream has must be in the file, else the error wraps
// ErrDiffers and nothing is changed.
func (t *Term) refill(ctx context.Context, file *sqlite.Store, study string) error {
	next, stop := iter.Pull2(file.Records())
	defer stop()
	c := comparison{file: file, next: next}
	w, err := t.claim(ctx, study, position{}, c.take)
	if err != nil {
		return err
	}
	c.at.Epoch, c.at.Leader = t.epoch, t.name
	s := &Store{Store: file, term: t, study: study, writer: w, at: c.at}
	if err := s.refill(c.begun, next); err != nil {
		return err
	}
	t.group.say("study %s: events %d to %d of the file were not in the stream, and are now", study, c.at.Events+1, file.Last())
	return nil
}

// refill sends the header, if it is not there, the records that come next, and what is kept beside them. The file is told in the end
// up to where it has the stream.
func (s *Store) refill(begun bool, next func() (journal.Record, error, bool)) error {
	texts, err := s.Texts()
	if err != nil {
		return err
	}
	if err := s.batch.texts(texts); err != nil {
		return err
	}
	if !begun {
		h, err := s.Header()
		if err != nil {
			return err
		}
		created, err := s.Created()
		if err != nil {
			return err
		}
		if err := s.batch.header(h, created); err != nil {
			return err
		}
	}
	for {
		if len(s.batch) > 0 {
			if err := s.send(s.batch); err != nil {
				return err
			}
			s.batch = s.batch[:0]
		}
		for r, err, more := next(); more; r, err, more = next() {
			if err != nil {
				return err
			}
			if err := s.batch.event(r); err != nil {
				return err
			}
			if r.Digest != 0 {
				s.batch.mark(r.Event.Seq, r.Digest)
			}
			if len(s.batch) > enough/2 {
				break
			}
		}
		if len(s.batch) == 0 {
			break
		}
	}
	seq, state, err := s.Snapshot()
	if err != nil {
		return err
	}
	if seq > 0 {
		s.batch.snapshot(seq, state)
		if err := s.send(s.batch); err != nil {
			return err
		}
	}
	if err := s.Store.Note(positionName, s.at.text()); err != nil {
		return err
	}
	return s.Store.Sync()
}

// comparison goes over a stream and finds all of it in a file.
type comparison struct {
	batches
	file  *sqlite.Store
	next  func() (journal.Record, error, bool)
	here  journal.Record // the last one
	begun bool           // the stream has the header
	at    position
}

func (c *comparison) take(m message) error {
	batch, whole, err := c.batches.take(m)
	if err != nil || !whole {
		return err
	}
	if err := parse(batch, c.find); err != nil {
		return fmt.Errorf("message %d for %s: %w", m.seq, c.file.Path(), err)
	}
	return nil
}

// find finds an event, a digest or the header in the file.
func (c *comparison) find(e entry, _ bool) error {
	switch {
	case e.Header != nil:
		theirs, err := journal.DecodeHeader(e.Header)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
		h, err := c.file.Header()
		if err != nil {
			return err
		}
		ours, err := journal.EncodeHeader(h)
		again, errAgain := journal.EncodeHeader(theirs)
		if err := errors.Join(err, errAgain); err != nil {
			return err
		}
		if !bytes.Equal(ours, again) {
			return fmt.Errorf("%w: it has the header of another study", ErrDiffers)
		}
		c.begun = true
	case e.Event > 0:
		r, err, more := c.next()
		if err != nil {
			return err
		}
		if !more {
			return fmt.Errorf("%w: it has no event %d", ErrDiffers, e.Event)
		}
		kind, body, err := journal.EncodeEvent(r.Event.Event)
		if err != nil {
			return err
		}
		if r.Event.Seq != e.Event || int64(r.Event.At) != e.At || kind != e.Kind || !bytes.Equal(body, e.Body) {
			return fmt.Errorf("%w: its event %d is another", ErrDiffers, e.Event)
		}
		c.here, c.at.Events = r, e.Event
	case e.Mark > 0:
		digest, err := e.digest()
		if err != nil {
			return fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
		if c.here.Event.Seq != e.Mark || c.here.Digest != digest {
			return fmt.Errorf("%w: its event %d has digest %016x, and %016x in the stream", ErrDiffers, e.Mark, c.here.Digest, digest)
		}
	}
	return nil
}
