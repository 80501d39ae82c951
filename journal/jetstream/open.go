package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// Create makes a store for a new study, whose file will be at the path. sqlite.ErrExists says that the file or the stream holds one.
func (t *Term) Create(path, study string) (*Store, error) {
	return t.which(path, study, func(begun bool) error {
		if begun {
			return fmt.Errorf("%w: study %s", sqlite.ErrExists, study)
		}
		return nil
	})
}

// Open opens a study to go on with it: it claims the stream of the study, and brings to the file what that lacks. A file that is not
// what the stream says is set aside and made anew. What the file has beyond the whole stream, since it was written without one, or the
// servers lost what they had acknowledged, is brought to the stream. Group.Log is told of all that. sqlite.ErrNoStudy says that
// there is neither file nor stream, sqlite.ErrInUse that another store has the file, ErrFenced that another process leads.
func (t *Term) Open(path, study string) (*Store, error) {
	return t.which(path, study, func(begun bool) error {
		if !begun {
			return fmt.Errorf("%w: %s", sqlite.ErrNoStudy, study)
		}
		return nil
	})
}

// OpenOrCreate is Open where there is a study, and Create where there is none. Which of the two it was is seen by the header: that
// of a new store is sqlite.ErrNoStudy before Begin.
func (t *Term) OpenOrCreate(path, study string) (*Store, error) {
	return t.which(path, study, func(bool) error { return nil })
}

// which opens a study, and closes it where that it has begun, or has not, will not do.
func (t *Term) which(path, study string, fits func(begun bool) error) (*Store, error) {
	s, err := t.open(path, study)
	if err != nil {
		return nil, err
	}
	_, none := s.Header()
	if err := fits(none == nil); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (t *Term) open(path, study string) (*Store, error) {
	if !isStudy(study) {
		return nil, fmt.Errorf("name of the study = %.120q: want 1 … 100 letters, digits, _, . and -, the first no . or -", study)
	}
	for try := 1; ; try++ {
		file, err := sqlite.OpenOrCreate(path)
		if err == nil {
			var s *Store
			if s, err = t.take(file, study); err == nil {
				return s, nil
			}
			err = errors.Join(err, file.Close())
		} else if _, there := t.group.info(context.Background(), t.js, study); there != nil {
			return nil, err // nothing can stand in for a file that cannot be opened
		}
		if try > 1 || !errors.Is(err, ErrDiffers) && !errors.Is(err, journal.ErrCorruptJournal) {
			return nil, err
		}
		name, failed := aside(path)
		if failed != nil {
			return nil, errors.Join(err, failed)
		}
		t.group.say("study %s: the file is set aside as %s and made anew from the stream: %v", study, name, err)
	}
}

// take claims the stream of a study and brings the file to its end.
func (t *Term) take(file *sqlite.Store, study string) (*Store, error) {
	_, none := file.Header()
	at, err := positionOf(file)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), t.group.patience())
	defer cancel()
	known := at.Sequence > 0 && file.Last() == at.Events
	_, err = t.group.info(ctx, t.js, study)
	switch {
	case errors.Is(err, errNoStream) && none != nil:
		at := position{Epoch: t.epoch, Leader: t.name}
		return &Store{Store: file, term: t, study: study, writer: t.writer(study, 0, ""), at: at}, nil
	case errors.Is(err, errNoStream):
		if err := t.make(study); err != nil {
			return nil, err
		}
		known = false
	case err != nil:
		return nil, err
	case at.Sequence > 0:
		there, found, err := t.group.message(ctx, t.js, study, at.Sequence)
		if err != nil {
			return nil, err
		}
		known = known && found && there.chain == at.Chain
	}
	if none == nil && !known {
		if err := t.refill(ctx, file, study); err != nil {
			return nil, err
		}
	}
	c, err := copierTo(file)
	if err != nil {
		return nil, err
	}
	w, err := t.claim(ctx, study, c.reached(), c.take)
	if err == nil {
		err = c.sync()
	}
	if err != nil {
		return nil, err
	}
	return &Store{Store: file, term: t, study: study, writer: w, at: c.at}, nil
}

// opening begins a batch with a claim and what is kept beside the journal.
func (t *Term) opening(texts map[string][]byte) (batch lines, err error) {
	if err := batch.add(entry{Claim: t.name}); err != nil {
		return nil, err
	}
	return batch, batch.texts(texts)
}

// claim reads a stream from a place to its end and writes a claim behind it, so that nobody else can write any more. What it
// reads and the claim go to take. The writer goes on behind the claim.
func (t *Term) claim(ctx context.Context, study string, from position, take func(message) error) (*writer, error) {
	read := func(m message) error {
		if err := take(m); err != nil {
			return err
		}
		from.Sequence, from.Chain = m.seq, m.chain
		from.led(m)
		return nil
	}
	for {
		err := t.group.read(ctx, study, from.Sequence, read)
		if err == nil && (from.Epoch > t.epoch || from.Epoch == t.epoch && from.Leader != t.name) {
			return nil, fmt.Errorf("%w: stream %s is of epoch %d, this one is %d", ErrFenced, t.group.Stream(study), from.Epoch, t.epoch)
		}
		if err == nil {
			err = t.valid()
		}
		if err == nil {
			w := t.writer(study, from.Sequence, from.Chain)
			batch, _ := t.opening(nil)
			if err = w.write(ctx, batch); err == nil {
				return w, read(message{seq: w.last, epoch: t.epoch, leader: t.name, part: 1, parts: 1, chain: w.chain, data: batch})
			}
			if !errors.Is(err, ErrFenced) { // else there is more to read
				return nil, err
			}
		}
		if errors.Is(err, ErrDiffers) || errors.Is(err, ErrUnreadable) || errors.Is(err, ErrShortened) || t.valid() != nil {
			return nil, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, fmt.Errorf("claim the stream of study %s: %w", study, err)
		}
	}
}
