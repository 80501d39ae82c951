package command

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// judge returns the outcome that a folder holds, given how the command ended, or the *Error that says why it holds
// none.
func (r *Runner) judge(f folder, record exitRecord) (Outcome, error) {
	switch code := record.Code; {
	case !record.Started:
		return Outcome{}, &Error{Kind: NotStarted, Reason: "not started: " + clip([]byte(record.Error))}
	case record.Signal != "":
		return Outcome{}, &Error{Kind: Failed, Signal: record.Signal, Reason: "killed by signal " + record.Signal}
	case code == orDefault(r.InfeasibleCode, defaultInfeasible):
		o, err := f.output()
		if err != nil { // a point without a value needs none
			o = Outcome{}
		}
		o.Infeasible = true
		return o, nil
	case code == orDefault(r.LostCode, defaultLost):
		return Outcome{}, &Error{Kind: Lost, Code: code, Reason: f.withStderr(fmt.Sprintf("exit code %d (preempted)", code))}
	case code != 0:
		reason := fmt.Sprintf("exit code %d", code)
		if o, err := f.output(); err == nil && o.HasValue {
			reason += fmt.Sprintf(" in spite of the value %v", o.Value)
		}
		return Outcome{}, &Error{Kind: Failed, Code: code, Reason: f.withStderr(reason)}
	case record.Error != "":
		return Outcome{}, &Error{Kind: Failed, Reason: "exit code 0 but " + clip([]byte(record.Error))}
	}
	o, err := f.output()
	if err != nil {
		return Outcome{}, &Error{Kind: Failed, Reason: "exit code 0 but " + oneLine(err), cause: err}
	}
	return o, nil
}

// orDefault returns the code, or the other one where it is 0.
func orDefault(code, other int) int {
	if code == 0 {
		return other
	}
	return code
}

// output reads what the command printed.
func (f folder) output() (Outcome, error) {
	in, err := os.Open(f.path(stdoutFile))
	if err != nil {
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

// unrecorded is the failure of an attempt whose shim has ended, as its ProcessState says, without a record of how the
// command did.
func unrecorded(f folder, shim *exec.Cmd) *Error {
	var lock lockRecord
	state := "has not ended"
	if shim.ProcessState != nil {
		state = "ended with " + shim.ProcessState.String()
	}
	if readJSON(f.path(lockFile), &lock) != nil { // the first thing that a shim does
		return &Error{Kind: NotStarted, Reason: f.withStderr(fmt.Sprintf("not started: %s %s", shim.Path, state))}
	}
	return &Error{Kind: Lost, Reason: f.withStderr(fmt.Sprintf("lost: the process that watches the command %s and left no %s", state, exitFile))}
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
