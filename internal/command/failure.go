package command

import (
	"fmt"
	"strconv"
	"strings"
	"syscall"
)

// Kind says what became of an attempt that brought no outcome.
type Kind int

// The kinds of failure.
const (
	Failed     Kind = iota // the command failed at this point: exit code, signal, no value
	Lost                   // the command was preempted, as its exit code says; it says nothing about the point
	NotStarted             // the command could not be started, or its outcome not read, through no fault of its own
)

// String returns "failed", "lost" or "not started".
func (k Kind) String() string {
	switch k {
	case Failed:
		return "failed"
	case Lost:
		return "lost"
	case NotStarted:
		return "not started"
	}
	return fmt.Sprintf("Kind(%d)", int(k))
}

// Error is why an attempt brought no outcome.
type Error struct {
	Kind   Kind
	Code   int    // exit code, where the command ended with one that is not 0
	Signal string // number and name of the signal that ended the command, as in "9 (killed)"; empty where none did
	Reason string // one line

	cause error
}

// Error returns the reason.
func (e *Error) Error() string { return e.Reason }

// Unwrap returns the error behind it, nil where there is none. It is the context's where that ended the attempt.
func (e *Error) Unwrap() error { return e.cause }

// notStarted is the failure of an attempt before its command began.
func notStarted(cause error) *Error {
	return &Error{Kind: NotStarted, Reason: "not started: " + oneLine(cause), cause: cause}
}

// unread is the failure of an attempt whose outcome cannot be read now. A later attempt adopts it.
func unread(cause error) *Error {
	return &Error{Kind: NotStarted, Reason: "the outcome cannot be read: " + oneLine(cause), cause: cause}
}

// oneLine returns the message of an error whose parts may stand on lines of their own.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// signalName returns number and name of a signal, as in "9 (killed)".
func signalName(s syscall.Signal) string { return strconv.Itoa(int(s)) + " (" + s.String() + ")" }
