package outcome

import (
	"errors"
	"fmt"
)

// Answer is what came of an attempt: an outcome, a failure, word that the outcome will come later, or that there is nothing.
type Answer struct {
	Evaluation, Attempt int
	Outcome                  // where there is no failure, and it does not follow
	Failure                  // the zero value where the attempt has not failed
	Follows             bool // the outcome will come later, from elsewhere
	Returned            bool // the attempt was cancelled, and has returned with nothing to say
}

// Failed reports whether the answer is a failure.
func (a Answer) Failed() bool { return a.Failure != Failure{} }

// Lasts reports whether the answer is heard also when nobody waits for its attempt any more: an outcome, or that the point
// cannot be evaluated.
func (a Answer) Lasts() bool {
	if a.Failed() {
		return a.Failure.Lasts()
	}
	return !a.Follows && !a.Returned
}

// Failure is why an attempt ended without an outcome.
type Failure struct {
	Reason  string
	Verdict Verdict
}

// Lasts reports whether the failure is heard also when nobody waits for its attempt any more: where it speaks of the point.
func (f Failure) Lasts() bool { return f.Verdict == Infeasible }

// Verdict is what a failed attempt says about its point.
type Verdict int

// The verdicts.
const (
	Failed     Verdict = iota // the point may be at fault: tried again as often as the study's retries say
	Infeasible                // the point cannot be evaluated: never tried again
	Lost                      // the point is not at fault, the worker was preempted: tried again
)

// ErrInfeasible is what an objective returns, wrapped in what it has to say, when its point cannot be evaluated: it is not
// tried again, and the policy keeps away from there.
var ErrInfeasible = errors.New("infeasible")

// ErrLost is what an objective returns, wrapped in what it has to say, when the attempt came to nothing through no fault
// of its point, such as a machine that was taken away: it is tried again and says nothing of the point.
var ErrLost = errors.New("attempt lost")

// FailureOf returns the failure that an error amounts to. Its Reason is never empty.
func FailureOf(err error) Failure {
	f := Failure{Reason: "failed"}
	if err == nil {
		return f
	}
	if text := fmt.Sprint(err); text != "" {
		f.Reason = text
	}
	switch {
	case errors.Is(err, ErrInfeasible):
		f.Verdict = Infeasible
	case errors.Is(err, ErrLost):
		f.Verdict = Lost
	}
	return f
}
