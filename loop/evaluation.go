package loop

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/internal/maturity"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// Status is where an evaluation stands.
type Status int

// The statuses of an evaluation.
const (
	Pending    Status = iota // chosen, no outcome yet
	Observed                 // its value came within the window
	Late                     // its value came after the window, or after it was given up or forgotten
	Failed                   // its last attempt ended without a value
	TimedOut                 // its last attempt took too long
	Lost                     // its attempts vanished with their workers, or its lease ended
	Cancelled                // given up by the user, or because the study ended
	Infeasible               // its point cannot be evaluated, or violates a constraint
	Stopped                  // ended early, since by its reports it would not have been the best
)

// String returns the name of the status.
func (s Status) String() string {
	if s < 0 || int(s) >= len(rules) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return rules[s].name
}

// MarshalText returns String; a status that does not exist is an error.
func (s Status) MarshalText() ([]byte, error) {
	if s < 0 || int(s) >= len(rules) {
		return nil, fmt.Errorf("there is no status %d", int(s))
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads what String returns.
func (s *Status) UnmarshalText(text []byte) error {
	for _, status := range Statuses() {
		if status.String() == string(text) {
			*s = status
			return nil
		}
	}
	return fmt.Errorf("status %q: want the name of one, such as observed", text)
}

// Statuses returns all of them.
func Statuses() []Status {
	all := make([]Status, len(rules))
	for i := range all {
		all[i] = Status(i)
	}
	return all
}

// rule is what a status means. An evaluation becomes what comes out of its attempts:
//
//	an attempt          is tried again              becomes otherwise
//	brings a value      –                           Observed, or Late beyond the window
//	fails               as Retries says             Failed
//	takes too long      as Retries says             TimedOut
//	goes down with      up to MaxLost times         Lost
//	its worker
//	outlives its lease  as a new evaluation         Lost
//	is infeasible       never                       Infeasible
//	is cancelled        never                       Cancelled
//	would not be best   never                       Stopped
//
// A value that comes after that is Late, whatever came before; a measurement is never thrown away. Before that it is Observed, whichever
// attempt brings it: also one that has failed or took too long, while another waits or runs.
type rule struct {
	name  string
	value bool     // it has a value, which the model and the incumbent see
	fails bool     // the model sees a bad value at its point
	free  bool     // it gives its budget back
	next  []Status // what it may become
}

var rules = [...]rule{
	Pending:    {name: "pending", next: []Status{Observed, Late, Failed, TimedOut, Lost, Cancelled, Infeasible, Stopped}},
	Observed:   {name: "observed", value: true},
	Late:       {name: "late", value: true},
	Failed:     {name: "failed", fails: true, next: []Status{Late, Infeasible}},
	TimedOut:   {name: "timed out", fails: true, next: []Status{Late, Infeasible}},
	Lost:       {name: "lost", free: true, next: []Status{Late, Infeasible}},
	Cancelled:  {name: "cancelled", free: true, next: []Status{Late, Infeasible}},
	Infeasible: {name: "infeasible", fails: true, next: []Status{Late}}, // without a value so far
	Stopped:    {name: "stopped", next: []Status{Late, Infeasible}},
}

// Valued reports whether an evaluation with this status has a value that counts.
func (s Status) Valued() bool { return rules[s].value }

// Counts reports whether an evaluation has a value that may be the best.
func (e *Evaluation) Counts() bool { return e.Status.Valued() && !e.Below }

// Evaluation is the life of one query.
type Evaluation struct {
	policies.Query
	Forecast        *policies.Forecast
	Status          Status
	Attempt         int            // of the latest dispatch, from 1; 0 before the first
	Failures        int            // attempts that failed or timed out
	Vanished        int            // attempts lost with their workers
	Worker          int            // of the latest dispatch
	Running         bool           // whether the latest attempt may still answer
	Holds           bool           // whether it occupies a slot of Worker
	Measured        bool           // whether it came with a value, also where the point is infeasible
	Foreign         bool           // measured elsewhere
	Deadline        time.Duration  // of the running attempt; 0 means none
	Lease           time.Duration  // when the lease of the running attempt ends; 0 means never
	Dispatched      time.Duration  // first dispatch
	Sent            time.Duration  // latest dispatch
	Tried           time.Duration  // how long the attempts took together that were tried again
	Heard           time.Duration  // latest report; 0 without any
	Ended           time.Duration  // when the status became what it is, unless Pending
	Seen            int            // first round whose selection can see the value; 0 without one
	outcome.Outcome                // as it came, Infeasible also where a constraint says so; zero without one
	Given           space.Point    // what was given of the point, in user units and NaN where nothing was; nil where the study chose all of it
	Reason          string         // of the last failure
	Below           bool           // whether its fidelity is not the greatest: its value teaches, and is never the best
	Reports         maturity.Curve // what it said on its way, by ascending step
	Reporter        int            // attempt that said it; 0 without any
	Forgotten       bool           // whether the model has left it out, since its answer is hardly expected any more
	Untimed         bool           // whether what came is not the answer of the latest attempt, so that the time since Sent is no delay
	AgainOf         int            // number of the query whose point was lost, maybe more than once, and is asked again by this one; 0 where it is asked for itself
	outlived        bool           // whether it had been given up, or forgotten, when its value came
}

// Point returns the point in user units: to the bit as it was given, where that is so.
func (e Evaluation) Point(s space.Space) space.Point {
	x := s.Value(e.X)
	for i, v := range e.Given {
		if !math.IsNaN(v) {
			x[i] = v
		}
	}
	return x
}

// Requested reports whether somebody gave the point, and not its context alone.
func (e Evaluation) Requested(s space.Space) bool {
	return len(e.Given) > 0 && slices.ContainsFunc(s.Actions(), func(i int) bool { return !math.IsNaN(e.Given[i]) })
}

// Repeats reports whether an outcome says again what the evaluation has: the same value, and the same constraints where both
// have any. That a constraint is violated of which nothing was said is something else.
func (e *Evaluation) Repeats(o outcome.Outcome) bool {
	if len(e.Constraints) > 0 && len(o.Constraints) > 0 && !slices.Equal(e.Constraints, o.Constraints) {
		return false
	}
	news := o.Infeasible || len(e.Constraints) == 0 && o.Violation() != ""
	return e.Measured && e.Value == o.Value && (e.Infeasible || !news)
}

// become changes the status; an illegal change is a bug.
func (e *Evaluation) become(s Status, at time.Duration) {
	if !slices.Contains(rules[e.Status].next, s) {
		panic(fmt.Sprintf("loop: evaluation %d cannot go from %v to %v", e.Number, e.Status, s))
	}
	e.outlived = (e.Status != Pending || e.Forgotten) && s == Late
	e.Status, e.Ended, e.Forgotten = s, at, false
}
