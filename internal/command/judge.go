package command

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// judge returns the outcome that a folder holds, given how the command ended, or the *Error that says why it holds
// none.
func (r *Runner) judge(f folder, record exitRecord) (Outcome, error) {
	switch code := record.Code; {
	case !record.Started:
		return Outcome{}, &Error{Kind: NotStarted, Reason: "not started: " + printable([]byte(record.Error))}
	case record.Signal != "":
		return Outcome{}, killedBy(record.Signal, "")
	case code == r.infeasibleCode():
		o, err := f.output()
		if exhausted(err) {
			return Outcome{}, unread(err)
		}
		if err != nil { // a point without a value needs none
			o = Outcome{}
		}
		o.Infeasible, o.Reason = true, f.withStderr(fmt.Sprintf("exit code %d", code))
		return o, nil
	case code == r.lostCode():
		return Outcome{}, &Error{Kind: Lost, Code: code, Reason: f.withStderr(fmt.Sprintf("exit code %d", code))}
	case code != 0:
		reason := fmt.Sprintf("exit code %d", code)
		if o, err := f.output(); err == nil && o.HasValue {
			reason += fmt.Sprintf(" in spite of the value %v", o.Value)
		}
		return Outcome{}, &Error{Kind: Failed, Code: code, Reason: f.withStderr(reason)}
	case record.Error != "":
		return Outcome{}, &Error{Kind: Failed, Reason: "exit code 0 but " + printable([]byte(record.Error))}
	}
	o, err := f.output()
	if exhausted(err) {
		return Outcome{}, unread(err)
	}
	if err != nil {
		return Outcome{}, &Error{Kind: Failed, Reason: "exit code 0 but " + oneLine(err), cause: err}
	}
	return o, nil
}

// output reads what the command printed.
func (f folder) output() (o Outcome, err error) {
	var in *os.File
	if err := patiently(func() (err error) { in, err = os.Open(f.path(stdoutFile)); return err }); err != nil {
		return Outcome{}, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return Outcome{}, err
	}
	return ParseOutput(in, info.Size())
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
	err := patiently(func() error { return readJSON(f.path(lockFile), &lock) }) // to write it is the first thing that a shim does
	began := err == nil || errors.Is(err, os.ErrNotExist)                       // somebody has deleted it
	status, isStatus := state.Sys().(syscall.WaitStatus)
	switch {
	case state.ExitCode() == exitUnrecorded:
		return &Error{Kind: Failed, Reason: f.withShim("it is not known how the command ended", "")}
	case state.ExitCode() == exitNotStarted:
		return &Error{Kind: NotStarted, Reason: f.withShim("not started", "the reason is not known")}
	case began && isStatus && status.Signaled(): // as by the kernel, when memory runs out
		return killedBy(signalName(status.Signal()), ", with the process that watches the command")
	}
	return &Error{Kind: NotStarted, Reason: f.withStderr(fmt.Sprintf("not started: %s ended with %s", shim.Args[0], state))}
}

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
