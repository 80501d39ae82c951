package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// Exit codes by which shells and those who start containers say that a signal ended their child.
const (
	codeKilled     = 128 + 9
	codeTerminated = 128 + 15
)

// judge returns the outcome that a folder holds, given how the command ended and whether that was brought about from here,
// or the *Error that says why it holds none.
func (r *Runner) judge(f folder, record exitRecord, stopped bool) (Report, error) {
	switch code := record.Code; {
	case !record.Started:
		return Report{}, &Error{Kind: NotStarted, Reason: "not started: " + printable([]byte(record.Error))}
	case record.Signal != "":
		return r.lastWord(f, record, stopped, killedBy(record.Signal, ""))
	case code == r.infeasibleCode():
		return r.infeasible(f, code)
	case code == r.lostCode():
		return Report{}, &Error{Kind: Lost, Code: code, Reason: f.withStderr(fmt.Sprintf("exit code %d", code))}
	case code == codeKilled, code == codeTerminated:
		return r.lastWord(f, record, stopped, r.failedWith(f, code))
	case code != 0:
		return Report{}, r.failedWith(f, code)
	case record.Error != "":
		return Report{}, &Error{Kind: Failed, Reason: "exit code 0 but " + printable([]byte(record.Error))}
	}
	o, err := r.output(f, false)
	if exhausted(err) {
		return Report{}, unread(err)
	}
	if err != nil {
		return Report{}, &Error{Kind: Failed, Reason: "exit code 0 but " + oneLine(err), cause: err}
	}
	return o, nil
}

// lastWord returns the outcome of a command that a signal ended: where it was ended from here, what it had said by then
// in a whole line counts, for that it did not end by itself says nothing against it. Without such a line, and where the
// signal came from elsewhere, it has failed.
func (r *Runner) lastWord(f folder, record exitRecord, stopped bool, failed *Error) (Report, error) {
	if !stopped || record.Error != "" {
		return Report{}, failed
	}
	o, err := r.output(f, true)
	switch {
	case exhausted(err):
		return Report{}, unread(err)
	case err != nil:
		return Report{}, failed
	}
	return o, nil
}

// infeasible is the outcome of a command that says by its exit code that the point is infeasible. It needs no value.
func (r *Runner) infeasible(f folder, code int) (Report, error) {
	o, err := r.output(f, false)
	if exhausted(err) {
		return Report{}, unread(err)
	}
	if err != nil {
		o = Report{}
	}
	o.Infeasible, o.Reason = true, f.withStderr(fmt.Sprintf("exit code %d", code))
	return o, nil
}

// failedWith is the failure of an attempt whose command ended with a code.
func (r *Runner) failedWith(f folder, code int) *Error {
	reason := fmt.Sprintf("exit code %d", code)
	if o, err := r.output(f, false); err == nil && o.HasValue {
		reason += fmt.Sprintf(" in spite of the value %v", o.Value)
	}
	return &Error{Kind: Failed, Code: code, Reason: f.withStderr(reason)}
}

// output reads what the command printed: all that is kept of it, and no more where somebody has made the file larger. With
// whole, what is behind the last line feed does not count.
func (r *Runner) output(f folder, whole bool) (Report, error) {
	var in *os.File
	if err := patiently(func() (err error) { in, err = open(f.path(stdoutFile), os.O_RDONLY); return err }); err != nil {
		return Report{}, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return Report{}, err
	}
	size := info.Size()
	if r.MaxOutput > 0 {
		size = min(size, r.MaxOutput)
	}
	return parseOutput(io.NewSectionReader(in, info.Size()-size, size), size, whole, r.Constraints)
}

// withStderr adds the last line of standard error to a reason.
func (f folder) withStderr(reason string) string {
	if line := lastLine(f.path(stderrFile)); line != "" {
		return reason + ": " + line
	}
	return reason
}

// killedBy is the failure of an attempt that a signal ended.
func killedBy(signal, more string) *Error {
	return &Error{Kind: Failed, Signal: signal, Reason: "killed by signal " + signal + more}
}

// unrecorded is the failure of an attempt whose shim has ended, as its ProcessState says, without a record of how the
// command did.
func unrecorded(f folder, shim *exec.Cmd) *Error {
	state := shim.ProcessState
	if state == nil {
		return &Error{Kind: Failed, Reason: "the process that watches the command has not ended"}
	}
	var lock lockRecord
	err := patiently(func() error { return readJSON(f.path(lockFile), &lock) })           // to write it is the first thing that a shim does
	began := err == nil || errors.Is(err, os.ErrNotExist) || errors.Is(err, errIrregular) // somebody has deleted or replaced it
	status, isStatus := state.Sys().(syscall.WaitStatus)
	switch {
	case state.ExitCode() == exitNoRoom:
		return &Error{Kind: NotStarted, Reason: f.withShim("not started", f.full())}
	case state.ExitCode() == exitUnroomed:
		return &Error{Kind: Failed, Reason: f.withShim("it is not known how the command ended", f.full())}
	case state.ExitCode() == exitUnrecorded:
		return &Error{Kind: Failed, Reason: f.withShim("it is not known how the command ended", "")}
	case state.ExitCode() == exitNotStarted:
		return &Error{Kind: NotStarted, Reason: f.withShim("not started", "the reason is not known")}
	case began && isStatus && status.Signaled(): // as by the kernel, when memory runs out
		return killedBy(signalName(status.Signal()), ", with the process that watches the command")
	}
	return &Error{Kind: NotStarted, Reason: f.withStderr(fmt.Sprintf("not started: %s ended with %s", shim.Args[0], state))}
}

// full says that nothing can be written to the folder.
func (f folder) full() string { return "no space left on the disk of " + filepath.Dir(string(f)) }

// withShim adds to a reason what the shim said at its end, or what stands in for that.
func (f folder) withShim(reason, otherwise string) string {
	said := strings.TrimPrefix(lastLine(f.path(stderrFile)), shimPrefix)
	if said == "" {
		said = otherwise
	}
	if said == "" {
		return reason
	}
	return reason + ": " + said
}

// stoppedBy is the failure of an attempt that the end of its context ended. Of err, nil or how the command ended after
// that, it keeps all but the reason.
func stoppedBy(cause, err error) *Error {
	out := &Error{Kind: Failed, Reason: "stopped: " + oneLine(cause)}
	var how *Error
	if errors.As(err, &how) {
		*out = *how
		out.Reason = "stopped: " + oneLine(cause) + " (" + how.Reason + ")"
	}
	out.cause = cause
	return out
}
