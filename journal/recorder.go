package journal

import (
	"errors"
	"fmt"
	"time"

	"github.com/tarry-bo/tarry/loop"
)

// ErrNotKept says that a store refused an event. The event did not happen, and the study cannot go on.
var ErrNotKept = errors.New("journal: event not kept")

// Recorder steps a loop and keeps each event before the loop sees it: the write-ahead rule, in one place. Every driver
// that keeps a journal uses it.
type Recorder struct {
	loop  *loop.Loop
	store Appender // nil: none
	seq   uint64
	mark  uint64 // the event after which the next digest is taken
	lost  error  // why the last digest was not kept: the event before happened, the next cannot
}

// NewRecorder begins a journal for a study in which nothing has happened; a nil store keeps nothing.
func NewRecorder(l *loop.Loop, store Appender) (*Recorder, error) {
	if store != nil {
		if err := store.Begin(NewHeader(l.Config())); err != nil {
			return nil, fmt.Errorf("begin the journal: %w", err)
		}
	}
	return &Recorder{loop: l, store: store}, nil
}

// Step stamps an event, keeps it, and steps the loop. An error wraps ErrNotKept or loop.ErrBrokenContract. Digests are
// taken often at first, then each time as many events have passed as there are evaluations: O(1) for each event.
func (r *Recorder) Step(at time.Duration, e loop.Event) (loop.Stamped, []loop.Effect, error) {
	s := loop.Stamped{Seq: r.seq + 1, At: at, Event: e}
	if r.lost != nil {
		return s, nil, fmt.Errorf("%w: event %d: %w", ErrNotKept, s.Seq, r.lost)
	}
	if r.store != nil {
		if err := r.store.Append(Record{Event: s}); err != nil {
			return s, nil, fmt.Errorf("%w: event %d: %w", ErrNotKept, s.Seq, err)
		}
	}
	r.seq++
	effects, err := r.loop.Step(s)
	if err != nil || r.store == nil || r.seq < r.mark {
		return s, effects, err
	}
	r.mark = r.seq + max(64, uint64(len(r.loop.Evaluations())))
	if err := r.store.Mark(r.loop.Digest()); err != nil {
		r.lost = fmt.Errorf("digest after event %d: %w", s.Seq, err)
	}
	return s, effects, nil
}
