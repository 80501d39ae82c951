package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/tarry-bo/tarry/loop"
)

// Replay rebuilds the loop from its events, from the latest snapshot on where the store has one, and compares every digest
// on the way. It returns the loop as it was after the last record and the effects that have no answer yet, to be performed
// again. Asks and fits are not computed anew: their answers are in the journal.
//
// An error wraps fs.ErrClosed when the source is closed, ErrCorruptJournal when the journal cannot be read as one, ErrDiverged when the state differs from the
// recorded one; the latter names the programs if they differ. Cost O(n) for each event.
func Replay(s Source) (*loop.Loop, []loop.Effect, error) {
	h, err := readHeader(s)
	if err != nil {
		return nil, nil, err
	}
	if l := fromSnapshot(s, h); l != nil {
		return l, l.Outstanding(), nil
	}
	l, _, err := replayAll(s, h, kept{})
	if err != nil {
		return nil, nil, err
	}
	return l, l.Outstanding(), nil
}

// Report says what Verify looked at.
type Report struct {
	Header    Header
	Loop      *loop.Loop // as after the last event
	Events    uint64
	Digests   int  // compared
	Snapshot  bool // whether there was one, and it is the state of its event
	Different []string
}

// Verify replays every event of a journal, compares every digest, and checks the state and the snapshot at the end. Errors
// are those of Replay. Cost O(n) for each event.
func Verify(s Source) (Report, error) {
	h, err := readHeader(s)
	if err != nil {
		return Report{}, err
	}
	snapshot, err := snapshotOf(s, h)
	if err != nil {
		return Report{Header: h}, err
	}
	l, digests, err := replayAll(s, h, snapshot)
	if err != nil {
		return Report{Header: h}, err
	}
	events, _ := l.Now()
	report := Report{
		Header: h, Loop: l, Events: events, Digests: digests, Snapshot: snapshot.seq > 0, Different: h.Program.Differences(ThisProgram()),
	}
	if err := l.Check(); err != nil {
		return report, fmt.Errorf("%w: %w", ErrCorruptJournal, err)
	}
	return report, nil
}

// kept is the state in a snapshot.
type kept struct {
	seq  uint64 // 0 without one
	loop *loop.Loop
}

// snapshotOf reads the latest snapshot, before the events: somebody may be writing more of both.
func snapshotOf(s Source, h Header) (kept, error) {
	store, keeps := s.(Snapshots)
	if !keeps {
		return kept{}, nil
	}
	seq, state, err := store.Snapshot()
	if err != nil {
		return kept{}, unread("snapshot: ", err)
	}
	if seq == 0 {
		return kept{}, nil
	}
	l, err := loop.Restore(h.Config, state)
	if err != nil {
		return kept{}, fmt.Errorf("%w: snapshot after event %d: %w", ErrCorruptJournal, seq, err)
	}
	return kept{seq, l}, nil
}

// unread is the error of a source that does not give what it should: that the journal is corrupt, unless the source is closed (fs.ErrClosed),
// which is no fault of the journal.
func unread(what string, err error) error {
	if errors.Is(err, fs.ErrClosed) || errors.Is(err, ErrCorruptJournal) {
		return fmt.Errorf("%s%w", what, err)
	}
	return fmt.Errorf("%w: %s%w", ErrCorruptJournal, what, err)
}

func readHeader(s Source) (Header, error) {
	h, err := s.Header()
	if err != nil {
		return h, unread("header: ", err)
	}
	if h.Format != Format {
		return h, fmt.Errorf("%w: format %d, this program reads %d", ErrCorruptJournal, h.Format, Format)
	}
	return h, nil
}

// replayAll rebuilds the loop from its first event on and counts the digests that agree. A snapshot must agree as well.
func replayAll(s Source, h Header, snapshot kept) (l *loop.Loop, digests int, err error) {
	l, err = loop.New(h.Config)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: header: %w", ErrCorruptJournal, err)
	}
	for r, err := range s.Records() {
		if err != nil {
			return nil, digests, unread("", err)
		}
		if err := follow(l, r, h); err != nil {
			return nil, digests, err
		}
		if r.Digest != 0 {
			digests++
		}
		if r.Event.Seq == snapshot.seq {
			if what := snapshot.loop.Difference(l); what != "" {
				return nil, digests, fmt.Errorf("%w: the snapshot after event %d is not the state that the events lead to: %s", ErrDiverged, snapshot.seq, what)
			}
		}
	}
	if seq, _ := l.Now(); seq < snapshot.seq {
		return nil, digests, fmt.Errorf("%w: a snapshot after event %d, and %d events", ErrCorruptJournal, snapshot.seq, seq)
	}
	return l, digests, nil
}

// follow steps the loop and compares the digest where there is one.
func follow(l *loop.Loop, r Record, h Header) error {
	if _, err := l.Step(r.Event); err != nil {
		return fmt.Errorf("%w: %w", ErrCorruptJournal, err)
	}
	return agrees(l, r, h)
}

func agrees(l *loop.Loop, r Record, h Header) error {
	if r.Digest == 0 || r.Digest == l.Digest() {
		return nil
	}
	why := "another build of the same version wrote it, or the file was changed"
	if d := h.Program.Differences(ThisProgram()); len(d) > 0 {
		why = "recorded by " + strings.Join(d, ", ")
	}
	return fmt.Errorf("%w: event %d: digest %016x, recorded %016x (%s)", ErrDiverged, r.Event.Seq, l.Digest(), r.Digest, why)
}

// fromSnapshot rebuilds the loop from the latest snapshot and what came after it; nil when there is none or anything is
// wrong with it: the events alone say everything. A snapshot belongs to a record with a digest, which it must have.
func fromSnapshot(s Source, h Header) *loop.Loop {
	store, keeps := s.(Snapshots)
	if !keeps {
		return nil
	}
	seq, state, err := store.Snapshot()
	if err != nil || seq == 0 {
		return nil
	}
	l, err := loop.Restore(h.Config, state)
	if err != nil {
		return nil
	}
	for r, err := range store.RecordsAfter(seq - 1) {
		if err == nil && r.Event.Seq == seq {
			if r.Digest == 0 {
				return nil
			}
			err = agrees(l, r, h)
		} else if err == nil {
			err = follow(l, r, h)
		}
		if err != nil {
			return nil
		}
	}
	if now, _ := l.Now(); now < seq {
		return nil
	}
	return l
}

// ErrOtherProgram says that a journal was written by another program: another version of tarry or of Go, or for another
// architecture. Its floating-point results may differ in the last digits.
var ErrOtherProgram = errors.New("the journal was written by another program")
