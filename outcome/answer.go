package outcome

import (
	"errors"
	"fmt"
)

// Answer is the result of an attempt: an outcome, a failure, the word that the outcome follows later, or nothing.
type Answer struct {
	Evaluation, Attempt int
	Outcome                  // where there is no failure, and it does not follow
	Failure                  // the zero value where the attempt has not failed
	Follows             bool // the outcome will come later, from elsewhere
	Returned            bool // the attempt was cancelled, and has returned with nothing to say
	Found               bool // what an earlier attempt had left: how long it took is not known
}

// Failed reports whether the answer is a failure.
func (a Answer) Failed() bool { return a.Failure != Failure{} }

// Lasts reports whether the answer still counts after its attempt was given up: an outcome does, and so does a failure
// that concerns the point.
func (a Answer) Lasts() bool {
	if a.Failed() {
		return a.Failure.Lasts()
	}
	return !a.Follows && !a.Returned
}

// Failure says why an attempt ended without an outcome.
type Failure struct {
	Reason  string
	Verdict Verdict
}

// Lasts reports whether the failure still counts after its attempt was given up: it does if it concerns the point.
func (f Failure) Lasts() bool { return f.Verdict == Infeasible }

// Verdict is what a failed attempt says about its point.
type Verdict int

// The verdicts.
const (
	Failed     Verdict = iota // the point may be at fault: tried again as often as the study's retries say
	Infeasible                // the point cannot be evaluated: never tried again
	Lost                      // the point is not at fault, the worker was preempted: tried again
)

// ErrInfeasible is the error, possibly wrapped, that an objective returns when its point cannot be evaluated. The
// evaluation is not repeated, and the policy avoids the point and its neighborhood.
var ErrInfeasible = errors.New("infeasible")

// ErrLost is the error, possibly wrapped, that an objective returns when the attempt failed for a reason other than its
// point, such as a machine that was taken away. The attempt is repeated and tells the model nothing.
var ErrLost = errors.New("attempt lost")

// Found is the error, possibly wrapped, that an objective returns when it has evaluated nothing, since an earlier attempt at the point had
// left an outcome: that is the answer, and says nothing of how long answers take.
type Found struct {
	Outcome Outcome
	Err     error // in place of the outcome, such as ErrInfeasible; nil with an outcome
}

// Error says what was found.
func (f Found) Error() string {
	if f.Err != nil {
		return f.Err.Error()
	}
	return fmt.Sprintf("an earlier attempt had left the value %v", f.Outcome.Value)
}

// Unwrap returns the error in place of the outcome.
func (f Found) Unwrap() error { return f.Err }

// FailureOf returns the failure that an error stands for. Its Reason is never empty.
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
