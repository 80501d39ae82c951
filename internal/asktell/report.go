package asktell

import (
	"context"
	"errors"
	"fmt"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/loop"
)

// reportAnswer says what became of a report. Stop says that nobody waits for the value any more: whoever evaluates should give up.
type reportAnswer struct {
	OK       bool `json:"ok"`
	Repeated bool `json:"repeated,omitempty"` // it says again what was known
	Stale    bool `json:"stale,omitempty"`    // one of a later step came before
	Stop     bool `json:"stop,omitempty"`
}

// report takes a value from the way to the end.
func (s *Server) report(_ context.Context, r *request) (any, error) {
	id, _ := r.attempted(s.Study)
	value, valued := r.measure("value")
	step, stepped := r.measure("step")
	if !valued {
		r.wrong.say("value: missing: want %s", aNumber)
	}
	if !stepped {
		r.wrong.say("step: missing: want %s that grows: an epoch, an age", aNumber)
	}
	if !r.fits() {
		return nil, nil
	}
	reaction, err := s.answered(r, loop.OnTheWay(id.Evaluation, id.Attempt, step, value))
	switch {
	case errors.Is(err, tarry.ErrContradiction):
		return nil, standing{fmt.Sprintf("evaluation %d reported another value than %s at step %s: the first stands", id.Evaluation, jsonOf(value), jsonOf(step))}
	case err != nil:
		return nil, err
	}
	return reportAnswer{
		OK: true, Repeated: reaction.Fate == loop.FateRepeated, Stale: reaction.Fate == loop.FateStale,
		Stop: reaction.Fate == loop.FateEnded || reaction.Status == tarry.Stopped,
	}, nil
}
