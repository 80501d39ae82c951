package jetstream

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

const (
	extension = ".db"
	listing   = time.Second      // how often it is asked which streams there are
	looks     = 10               // with every so many of these each stream is looked at
	grudge    = 10 * time.Second // how long a study that could not be followed is left alone
	mostOpen  = 64               // files at a time
	patient   = 50               // looks for a message that must be there
)

// Follow keeps a file for each study of the group in a folder, until the context ends; the error is that of the group's options,
// or nil. A file is never more than a moment behind its stream as long as the servers answer. A file that differs from its stream
// is set aside and made anew; so is one whose stream is deleted while Follow runs, but for being made anew. A file without a
// stream that was there before is left alone. Group.Log is told of all that. No other process may write the files.
func (g *Group) Follow(ctx context.Context, folder string) error {
	f, err := g.follower(folder)
	if err != nil {
		return err
	}
	f.run(ctx)
	return f.close()
}

// follower follows all streams of a group, one after the other.
type follower struct {
	group  *Group
	js     natsjs.JetStream
	folder string
	tails  map[string]*tail
	open   int
	clock  int
	ready  chan struct{} // closed when every stream has been looked at
}

// tail is what a follower knows of a study.
type tail struct {
	study  string
	at     position // of the file; known also where that is closed
	known  bool     // whether at is
	copier *copier  // nil: the file is closed
	used   int
	behind bool      // there may be more in the stream
	later  time.Time // not before then, after something went wrong
	said   string
	missed int // how often the message was not there that the file came to
}

func (g *Group) follower(folder string) (*follower, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	js, err := natsjs.New(g.Conn)
	return &follower{group: g, js: js, folder: folder, tails: map[string]*tail{}, ready: make(chan struct{})}, err
}

func (f *follower) path(study string) string { return filepath.Join(f.folder, study+extension) }

// run follows until the context ends.
func (f *follower) run(ctx context.Context) {
	heard := make(chan *nats.Msg, 1024)
	sub, err := f.group.Conn.ChanSubscribe(f.group.prefix()+"-journal.*", heard)
	if err == nil {
		defer sub.Unsubscribe()
	}
	tick := time.NewTicker(listing)
	defer tick.Stop()
	var once sync.Once
	for n := 0; ctx.Err() == nil; {
		if n%looks == 0 {
			f.suspect()
		}
		if err := f.list(ctx); err != nil && ctx.Err() == nil {
			n = -1 // whatever was said meanwhile was not heard
		}
		n++
		f.advance(ctx)
		if n == 1 && ctx.Err() == nil {
			once.Do(func() { close(f.ready) })
		}
		for listed := false; !listed; {
			select {
			case m := <-heard: // it may be refused, and it may not be there yet
				f.hear(m, heard)
				f.advance(ctx)
			case <-tick.C:
				listed = true
			case <-ctx.Done():
				return
			}
		}
	}
}

// hear marks the studies of messages.
func (f *follower) hear(m *nats.Msg, more chan *nats.Msg) {
	for {
		if study, ours := f.group.named(m.Subject); ours {
			if t := f.tails[study]; t != nil {
				t.behind = true
			} else {
				f.tails[study] = &tail{study: study, behind: true}
			}
		}
		select {
		case m = <-more:
		default:
			return
		}
	}
}

// suspect marks all studies.
func (f *follower) suspect() {
	for _, t := range f.tails {
		t.behind = true
	}
}

// list asks which streams there are. A study whose stream is gone vanishes.
func (f *follower) list(ctx context.Context) error {
	once, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	names, err := f.group.list(once, f.js)
	if err != nil {
		return err
	}
	there := map[string]bool{}
	for _, study := range names {
		there[study] = true
		if f.tails[study] == nil {
			f.tails[study] = &tail{study: study, behind: true}
		}
	}
	for study, t := range f.tails {
		if there[study] {
			continue
		}
		if _, err := f.group.info(once, f.js, study); !errors.Is(err, errNoStream) {
			continue
		}
		f.shut(t)
		delete(f.tails, study)
		if _, err := os.Lstat(f.path(study)); err != nil || !t.known {
			continue
		}
		name, err := aside(f.path(study))
		if err != nil {
			f.group.say("study %s: its stream is gone, and its file is still there: %v", study, err)
			continue
		}
		f.group.say("study %s: its stream is gone; the file is set aside as %s", study, name)
	}
	return nil
}

// advance brings every file that may be behind up to its stream.
func (f *follower) advance(ctx context.Context) {
	for _, t := range f.tails {
		if !t.behind || time.Now().Before(t.later) || ctx.Err() != nil {
			continue
		}
		if err := f.catchUp(ctx, t); err != nil && ctx.Err() == nil {
			f.trouble(t, err)
		}
	}
}

// trouble says what went wrong, once.
func (f *follower) trouble(t *tail, err error) {
	if text := err.Error(); text != t.said {
		t.said = text
		f.group.say("study %s: not followed: %v", t.study, err)
	}
	f.shut(t)
	t.known = false
	t.later = time.Now().Add(grudge)
	if silent(err) {
		t.later = time.Now().Add(pause) // it is for the servers to come back
	}
}

// silent reports whether an error is that of servers that do not answer, or not yet with all that they had.
func silent(err error) bool {
	return errors.Is(err, nats.ErrNoResponders) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, nats.ErrConnectionClosed) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrShortened)
}

// catchUp brings one file up to its stream.
func (f *follower) catchUp(ctx context.Context, t *tail) error {
	t.behind = false
	err := f.copy(ctx, t)
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
	return nil
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
