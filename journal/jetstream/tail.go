package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// tail is what a follower knows of a study.
type tail struct {
	study  string
	at     position // of the file; known also where that is closed
	known  bool     // whether at is
	ours   bool     // whether it ever was: the file is from a stream, whatever went wrong since
	copier *copier  // nil: the file is closed
	used   int
	behind bool      // there may be more in the stream
	later  time.Time // not before then, after something went wrong
	said   string
	heard  time.Time // when the last message was heard of
	missed int       // how often the message was not there that the file came to
}

// catchUp brings one file up to its stream.
func (f *follower) catchUp(ctx context.Context, t *tail) error {
	t.behind = false
	err := f.last(ctx, t)
	if errors.Is(err, ErrDiffers) {
		f.shut(t)
		name, failed := aside(f.path(t.study))
		if failed != nil {
			return errors.Join(err, failed)
		}
		f.group.say("study %s: the file is set aside as %s and made anew from the stream: %v", t.study, name, err)
		err = f.copy(ctx, t)
	}
	if err != nil {
		t.behind = true
		return err
	}
	t.said = ""
	if time.Since(t.heard) < echo {
		t.behind, t.later = true, time.Now().Add(echo)
	}
	return nil
}

// last brings a file up to its stream, and leaves one closed that is there: to open it takes as long as much else.
func (f *follower) last(ctx context.Context, one *tail) error {
	if one.known && one.copier == nil {
		info, err := f.group.info(ctx, f.js, one.study)
		if err != nil || info.State.LastSeq == one.at.Sequence {
			return err
		}
	}
	return f.copy(ctx, one)
}

// copy reads what the stream has behind the file.
func (f *follower) copy(ctx context.Context, t *tail) error {
	if err := f.lift(ctx, t); err != nil {
		return err
	}
	from := t.copier.last
	err := errors.Join(f.group.read(ctx, t.study, from, t.copier.take), t.copier.sync()) // what came before an error counts
	if err == nil && t.copier.last == from {
		err = f.fits(ctx, t) // it may be another stream by the same name
	}
	t.at, t.known = t.copier.at, err == nil
	t.ours = t.ours || t.known
	return err
}

// lift opens the file of a study.
func (f *follower) lift(ctx context.Context, t *tail) error {
	f.clock++
	t.used = f.clock
	if t.copier != nil {
		return nil
	}
	f.room()
	store, err := sqlite.OpenOrCreate(f.path(t.study))
	if errors.Is(err, journal.ErrCorruptJournal) {
		return errors.Join(ErrDiffers, err)
	}
	if err != nil {
		return err
	}
	t.copier, err = copierTo(store)
	if err != nil {
		return errors.Join(err, store.Close())
	}
	f.open++
	return f.fits(ctx, t)
}

// fits returns an error where the stream is not the one that the file is from. That a message is not there may be for the moment only,
// while the servers choose a leader: so it is asked for again some times before the file is set aside.
func (f *follower) fits(ctx context.Context, t *tail) error {
	at := t.copier.at
	if at.Sequence == 0 {
		return nil
	}
	there, found, err := f.group.message(ctx, f.js, t.study, at.Sequence)
	switch {
	case err != nil:
		return err
	case found && there.chain == at.Chain:
		t.missed = 0
		return nil
	case !found && t.missed < patient:
		t.missed++
		return fmt.Errorf("%w: message %d is not there", ErrShortened, at.Sequence)
	}
	t.missed = 0
	return fmt.Errorf("%w: the stream has not the message %d that the file came to", ErrDiffers, at.Sequence)
}

// room closes the file that was not needed for longest, where as many are open as may be.
func (f *follower) room() {
	var oldest *tail
	for _, t := range f.tails {
		if t.copier != nil && (oldest == nil || t.used < oldest.used) {
			oldest = t
		}
	}
	if f.open >= mostOpen && oldest != nil {
		f.shut(oldest)
	}
}

// shut closes the file of a study.
func (f *follower) shut(t *tail) {
	if t.copier == nil {
		return
	}
	if err := t.copier.store.Close(); err != nil {
		f.group.say("study %s: %v", t.study, err)
	}
	t.copier = nil
	f.open--
}

func (f *follower) close() error {
	for _, t := range f.tails {
		f.shut(t)
	}
	return nil
}
