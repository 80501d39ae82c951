package jetstream

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

const (
	extension = ".db"
	listing   = time.Second            // how often it is asked which streams there are
	looks     = 10                     // with every so many of these each stream is looked at
	grudge    = 10 * time.Second       // how long a study that could not be followed is left alone
	mostOpen  = 64                     // files at a time
	echo      = 100 * time.Millisecond // after which a message that was heard of is in the stream, as a rule
	patient   = 50                     // looks for a message that must be there
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
			case <-f.soon():
				f.advance(ctx)
			case <-tick.C:
				listed = true
			case <-ctx.Done():
				return
			}
		}
	}
}

// soon is when to look again at studies that may be behind; never where there are none.
func (f *follower) soon() <-chan time.Time {
	for _, t := range f.tails {
		if t.behind {
			return time.After(echo / 2)
		}
	}
	return nil
}

// hear marks the studies of messages.
func (f *follower) hear(m *nats.Msg, more chan *nats.Msg) {
	for {
		if study, ours := f.group.named(m.Subject); ours {
			if f.tails[study] == nil {
				f.tails[study] = &tail{study: study}
			}
			f.tails[study].behind, f.tails[study].heard = true, time.Now()
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
		if _, err := os.Lstat(f.path(study)); err != nil || !t.ours {
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
