package journal

import (
	"errors"
	"fmt"
	"time"

	"github.com/tarry-bo/tarry/loop"
)

// ErrNotKept says that a store refused an event. The event did not happen, and the study cannot go on.
var ErrNotKept = errors.New("the journal did not keep the event")

// Recorder steps a loop and keeps each event before the loop sees it: the write-ahead rule, in one place. Every driver
// that keeps a journal uses it. What Step returns may be acted upon when Sync has returned.
type Recorder struct {
	loop   *loop.Loop
	store  Appender // nil: none
	tenant *tenant  // of the store
	ahead  *Batch   // what the store gets later; nil: it gets everything at once
	seq    uint64
	dirty  bool   // whether something waits for Sync
	mark   uint64 // the event after which the next digest is taken
	keep   uint64 // the event after which the next snapshot is kept
	lost   error  // why a record, a digest or a snapshot was not kept: nothing happens any more
	torn   error  // why a Sync failed: what happened since the last good one is not kept
}

// NewRecorder begins a journal for a study in which nothing has happened; a nil store keeps nothing. The error wraps ErrInUse where another
// study of this process has the store, and has not yielded it.
func NewRecorder(l *loop.Loop, store Appender) (*Recorder, error) {
	r := &Recorder{loop: l, store: store, keep: firstSnapshot}
	if store == nil {
		return r, nil
	}
	var err error
	r.tenant, err = moveIn(store, func() error {
		if err := store.Begin(NewHeader(l.Config())); err != nil {
			return err
		}
		return store.Sync()
	})
	if err != nil {
		return nil, fmt.Errorf("begin the journal: %w", err)
	}
	return r, nil
}

// Resume rebuilds the study that a store holds and goes on with its journal. Errors are those of Replay, and ErrInUse where another study of
// this process has the store, and has not yielded it.
func Resume(store Store) (l *loop.Loop, r *Recorder, err error) {
	in, err := moveIn(store, func() error {
		l, _, err = Replay(store)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	seq, _ := l.Now()
	return l, &Recorder{loop: l, store: store, tenant: in, seq: seq, keep: max(firstSnapshot, seq+snapshotEvery(seq))}, nil
}

// Yield lets the next study have the store that begins or resumes there. What the recorder is given before that is kept, and then nothing
// more. It may be called at any time, and again.
func (r *Recorder) Yield() {
	if r.tenant != nil {
		r.tenant.yields.Store(true)
	}
}

// Step stamps an event, keeps it, and steps the loop, whose reaction it returns. An error wraps ErrNotKept or loop.ErrBrokenContract. Digests are
// taken often at first, then each time as many events have passed as there are evaluations, and at the end: O(1) for each
// event.
func (r *Recorder) Step(at time.Duration, e loop.Event) (loop.Stamped, loop.Reaction, error) {
	s := loop.Stamped{Seq: r.seq + 1, At: at, Event: e}
	if r.lost != nil {
		return s, loop.Reaction{}, fmt.Errorf("%w: event %d: %w", ErrNotKept, s.Seq, r.lost)
	}
	if r.store != nil {
		if err := r.keeper().Append(Record{Event: s}); err != nil {
			r.lost = err
			return s, loop.Reaction{}, fmt.Errorf("%w: event %d: %w", ErrNotKept, s.Seq, err)
		}
		r.dirty = true
	}
	r.seq++
	reaction, err := r.loop.Step(s)
	if err != nil || r.store == nil || r.seq < r.mark && !r.loop.Finished() {
		return s, reaction, err
	}
	r.mark = r.seq + max(64, uint64(len(r.loop.Evaluations())))
	if err := r.keeper().Mark(r.loop.Digest()); err != nil {
		r.lost = fmt.Errorf("digest after event %d: %w", s.Seq, err)
		return s, reaction, nil
	}
	r.snapshot()
	return s, reaction, nil
}

// A snapshot is kept after so many events, and each time a quarter more has happened: a resume replays a fifth of the
// events at most, and all snapshots together cost a few times as much as the last.
const (
	firstSnapshot = 4096
	snapshotShare = 4
)

func snapshotEvery(seq uint64) uint64 { return max(firstSnapshot, seq/snapshotShare) }

// snapshot keeps the state after an event whose digest was taken, when it is time.
func (r *Recorder) snapshot() {
	if _, keeps := r.store.(Snapshots); !keeps || r.seq < r.keep {
		return
	}
	r.keep = r.seq + snapshotEvery(r.seq)
	state, err := r.loop.Snapshot()
	if err != nil {
		return // the events alone say everything
	}
	if err := r.keeper().KeepSnapshot(r.seq, state); err != nil {
		r.lost = fmt.Errorf("snapshot after event %d: %w", r.seq, err)
	}
}

// Sync returns when every event so far is as safe as the store makes it. An error wraps ErrNotKept: the events since the
// last call are not in the journal, whatever the loop says, and none of their effects may be performed.
func (r *Recorder) Sync() error {
	if r.ahead != nil {
		b := r.Cut()
		return r.Written(b, b.Write())
	}
	if r.torn != nil || !r.dirty {
		return r.torn
	}
	r.dirty = false
	if err := r.tenant.write(r.store.Sync); err != nil {
		r.tear(r.seq, err)
	}
	return r.torn
}

// tear says that what happened since the last good Sync is not kept.
func (r *Recorder) tear(upTo uint64, err error) {
	r.lost = err
	r.torn = fmt.Errorf("%w: up to event %d: %w", ErrNotKept, upTo, err)
}
