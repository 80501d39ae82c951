package jetstream

import (
	"encoding/json"
	"fmt"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// positionName is the name of the text in a file that says up to where it has its stream.
const positionName = "stream"

// Replicated reports whether the study of a file is in a stream too. Then the stream decides: what is done to the file alone is set aside.
func Replicated(file *sqlite.Store) (bool, error) {
	text, err := file.Kept(positionName)
	return text != nil, err
}

// position is a place in a stream, behind a whole batch.
type position struct {
	Sequence uint64 `json:"sequence"` // of the last message; 0: nothing
	Chain    string `json:"chain"`    // its hash
	Events   uint64 `json:"events"`   // how many there are up to it
	Epoch    uint64 `json:"epoch"`    // the greatest so far
	Leader   string `json:"leader"`   // whose it is
}

// led remembers who sent a message.
func (p *position) led(m message) {
	if m.epoch >= p.Epoch {
		p.Epoch, p.Leader = m.epoch, m.leader
	}
}

func (p position) text() []byte {
	text, err := json.Marshal(p)
	if err != nil {
		panic("jetstream: " + err.Error())
	}
	return text
}

// positionOf returns where the file of a store is; zero where that never was in a stream.
func positionOf(s *sqlite.Store) (p position, err error) {
	text, err := s.Kept(positionName)
	if text == nil || err != nil {
		return p, err
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return p, fmt.Errorf("%w: %s: the text %q: %w", journal.ErrCorruptJournal, s.Path(), positionName, err)
	}
	return p, nil
}

// batches puts the messages of a stream together, from a place on.
type batches struct {
	last  uint64 // the last message
	chain string
	parts []byte // of a batch that is not whole
	part  int    // the last of them
}

// take returns the batch that the next message is the end of; false where it is none. An error wraps ErrDiffers.
func (b *batches) take(m message) (batch []byte, whole bool, err error) {
	if m.seq != b.last+1 || link(b.chain, m) != m.chain {
		return nil, false, fmt.Errorf("%w: message %d does not follow on message %d", ErrDiffers, m.seq, b.last)
	}
	b.last, b.chain = m.seq, m.chain
	switch {
	case m.part == 1:
		b.parts = nil // what was begun before has no end
	case m.part != b.part+1:
		b.parts, b.part = nil, 0
		return nil, false, nil
	}
	b.part = m.part
	if m.parts == 1 {
		batch = m.data
	} else if b.parts = append(b.parts, m.data...); m.part < m.parts {
		return nil, false, nil
	} else {
		batch = b.parts
	}
	b.parts, b.part = nil, 0
	return batch, true, nil
}

// copier copies a stream to a file, from where the file is.
type copier struct {
	batches
	store *sqlite.Store
	at    position // what the store was told
	saved position // what the file has
	bytes int      // told since the file was written
	torn  bool     // the store was told a part of a batch
}

// copierTo returns one for a store that is open. The file must have as many events as it had at its position.
func copierTo(s *sqlite.Store) (*copier, error) {
	at, err := positionOf(s)
	if err != nil {
		return nil, err
	}
	if _, none := s.Header(); none == nil && at.Sequence == 0 {
		return nil, fmt.Errorf("%w: %s was never in a stream", ErrDiffers, s.Path())
	}
	if s.Last() != at.Events {
		return nil, fmt.Errorf("%w: %s has %d events, and its stream %d up to message %d", ErrDiffers, s.Path(), s.Last(), at.Events, at.Sequence)
	}
	return &copier{batches: batches{last: at.Sequence, chain: at.Chain}, store: s, at: at, saved: at}, nil
}

// reached is the place behind the last message that was read, of a whole batch or not.
func (c *copier) reached() position {
	to := c.at
	to.Sequence, to.Chain = c.last, c.chain
	return to
}

// enough is how many bytes of events share a transaction.
const enough = 1 << 20

// take tells the store what the next message says. An error that wraps ErrDiffers says that file and stream do not belong
// together, one that wraps ErrUnreadable what that says.
func (c *copier) take(m message) error {
	batch, whole, err := c.batches.take(m)
	if err != nil {
		return fmt.Errorf("%s: %w", c.store.Path(), err)
	}
	if !whole {
		return nil
	}
	to := c.at
	to.Sequence, to.Chain = m.seq, m.chain
	to.led(m)
	if err := parse(batch, func(e entry, last bool) error { return c.tell(e, last, &to) }); err != nil {
		c.torn = true
		return fmt.Errorf("message %d for %s: %w", m.seq, c.store.Path(), err)
	}
	c.at = to
	if c.bytes += len(batch); c.bytes > enough {
		return c.sync()
	}
	return nil
}

// tell tells the store one entry of a batch that ends at a position.
func (c *copier) tell(e entry, last bool, to *position) error {
	wrong := func(err error) error { return fmt.Errorf("%w: %w", ErrUnreadable, err) }
	switch {
	case e.Header != nil:
		h, err := journal.DecodeHeader(e.Header)
		if err != nil {
			return wrong(err)
		}
		if !last {
			return wrong(fmt.Errorf("something follows the header"))
		}
		if err := c.store.Keep(positionName, to.text()); err != nil {
			return err
		}
		if err := c.store.BeginAt(h, *e.Created); err != nil {
			return err
		}
		c.saved = *to
	case e.Event > 0:
		r, err := e.record()
		if err != nil {
			return wrong(err)
		}
		if r.Event.Seq != to.Events+1 {
			return wrong(fmt.Errorf("event %d follows on event %d", r.Event.Seq, to.Events))
		}
		to.Events++
		return c.store.Append(r)
	case e.Mark > 0:
		digest, err := e.digest()
		if err != nil {
			return wrong(err)
		}
		if e.Mark != to.Events {
			return wrong(fmt.Errorf("mark of event %d follows on event %d", e.Mark, to.Events))
		}
		return c.store.Mark(digest)
	case e.Keep != "":
		return c.store.Note(e.Keep, []byte(e.Text))
	case e.Snapshot > 0:
		return c.store.KeepSnapshot(e.Snapshot, e.State)
	}
	return nil
}

// sync brings to the file what the store was told, with the position.
func (c *copier) sync() error {
	if _, err := c.store.Header(); err != nil || c.at == c.saved || c.torn {
		return nil // the file is not there before the header is; what is torn goes when the store is closed
	}
	if err := c.store.Note(positionName, c.at.text()); err != nil {
		return err
	}
	if err := c.store.Sync(); err != nil {
		return err
	}
	c.saved, c.bytes = c.at, 0
	return nil
}
