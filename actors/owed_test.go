package actors

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// The end of an exclusive study waits for what its guests were told to cancel, so that a value which that brings counts; for as long as
// objectives have to return, and not for who has left.
func TestTheEndWaitsForWhatGuestsWereToldToCancel(t *testing.T) {
	for name, c := range map[string]struct {
		does func(*story, *Seat)
		took time.Duration // from the timeout to the end
		want loop.Status
	}{
		"a value": {func(s *story, _ *Seat) {
			s.Hear(outcome.Answer{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(4)})
		}, time.Second, loop.Late},
		"nothing": {func(s *story, _ *Seat) { s.Hear(outcome.Answer{Evaluation: 1, Attempt: 1, Returned: true}) }, time.Second, loop.TimedOut},
		"silence": {func(*story, *Seat) {}, DefaultGrace, loop.TimedOut},
		"it left": {func(_ *story, seat *Seat) { seat.Leave("night") }, time.Second, loop.TimedOut},
	} {
		t.Run(name, func(t *testing.T) {
			inVirtualTime(t, func(t *testing.T) {
				config := outside(t, 1)
				config.Study.Exclusive, config.Study.Timeout = true, time.Minute
				s := begin(t, config)
				began := time.Now()
				_, seat := s.seat(1, 0)
				time.Sleep(time.Minute + time.Second)
				synctest.Wait()
				c.does(s, seat)
				end := s.Wait()
				if e := end.Result.Evaluations[0]; end.Err != nil || e.Status != c.want || e.Status == loop.Late && e.Value != 4 {
					t.Errorf("%+v, %v: want %v", e, end.Err, c.want)
				}
				if took := time.Since(began) - time.Minute; took != c.took {
					t.Errorf("it ended %v after the timeout, want %v", took, c.took)
				}
			})
		})
	}
}

// A study that is paused waits for nothing: whoever resumes it hears what comes.
func TestAPauseDoesNotWaitForGuests(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		config := outside(t, 2)
		config.Study.Exclusive, config.Study.Timeout = true, time.Minute
		s := begin(t, config)
		s.seat(1, 0)
		time.Sleep(time.Minute + time.Second) // it owes the first attempt
		began := time.Now()
		s.Pause(true)
		if s.Wait(); time.Since(began) != 0 {
			t.Errorf("it waited %v", time.Since(began))
		}
	})
}
