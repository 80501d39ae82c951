package journal

import (
	"fmt"

	"github.com/tarry-bo/tarry/loop"
)

// Replay rebuilds the loop from its events and compares every digest on the way. It returns the loop as it was after
// the last record and the effects that have no answer yet, to be performed again. Asks and fits are not computed anew:
// their answers are in the journal.
//
// An error wraps ErrCorruptJournal when the journal cannot be read as one, ErrDiverged when the state differs from the
// recorded one; the latter names the programs if they differ. Cost O(n) for each event.
func Replay(s Source) (*loop.Loop, []loop.Effect, error) {
	h, err := s.Header()
	if err != nil {
		return nil, nil, fmt.Errorf("%w: header: %w", ErrCorruptJournal, err)
	}
	if h.Format != Format {
		return nil, nil, fmt.Errorf("%w: format %d, this program reads %d", ErrCorruptJournal, h.Format, Format)
	}
	l, err := loop.New(h.Config)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: header: %w", ErrCorruptJournal, err)
	}
	for r, err := range s.Records() {
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrCorruptJournal, err)
		}
		if _, err := l.Step(r.Event); err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrCorruptJournal, err)
		}
		if r.Digest != 0 && r.Digest != l.Digest() {
			err := fmt.Errorf("%w: event %d: digest %016x, recorded %016x", ErrDiverged, r.Event.Seq, l.Digest(), r.Digest)
			if d := h.Program.Differences(ThisProgram()); len(d) > 0 {
				err = fmt.Errorf("%w (recorded by %v)", err, d)
			}
			return nil, nil, err
		}
	}
	return l, l.Outstanding(), nil
}
