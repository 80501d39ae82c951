package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// How a shim ends that does not go down with its group.
const (
	exitCleared    = 0  // nothing is left, and exit.json says the rest
	exitUsage      = 64 // EX_USAGE of sysexits.h
	exitNotStarted = 71 // EX_OSERR: the command was not started, and that could not be recorded
	exitNoRoom     = 73 // EX_CANTCREAT: the same since the disk is full, on which nothing can be said
	exitUnrecorded = 74 // EX_IOERR: the end of the command could not be recorded
	exitUnroomed   = 76 // the same since the disk is full
)

const shimPrefix = "tarry: " // of what a shim prints

// shimArguments returns the arguments of the shim's program. The -- keeps parsers of flags from those of the command. Due is when the time of
// the attempt is up, zero where it never is.
func (r *Runner) shimArguments(f folder, workDir string, due time.Time, args []string) []string {
	millis := int64(0)
	if !due.IsZero() {
		millis = due.UnixMilli()
	}
	out := append(slices.Clone(r.Shim[1:]), "--", string(f), workDir, strconv.FormatInt(r.MaxOutput, 10), strconv.FormatInt(millis, 10))
	return append(out, args...)
}

// Shim is the second instance of this program, which starts a command and outlives the first one. Whoever begins there
// calls it, with the arguments that follow those of Runner.Shim, and exits with the code that it returns; it takes
// part in no other work of that process. It keeps what the command prints, records in exit.json how it ended, and kills
// what is left of the process group, itself included unless nothing else is. It returns only when something went wrong.
func Shim(args []string) int {
	// Signals to the group are for the command. They are caught and dropped: an ignored one would be ignored by the
	// command as well.
	signal.Notify(make(chan os.Signal, 1))
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	limit, due := int64(-1), int64(0)
	if len(args) > 4 {
		limit, _ = strconv.ParseInt(args[2], 10, 64)
		due, _ = strconv.ParseInt(args[3], 10, 64)
	}
	if limit < 0 {
		fmt.Fprintln(os.Stderr, shimPrefix+"started without a command to run; this is for internal use")
		return exitUsage
	}
	f := folder(args[0])
	lock, err := inheritedLock(f)
	if err == nil {
		err = mayOpen()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, shimPrefix+oneLine(err))
		return exitNotStarted
	}
	started, err := f.superviseCommand(lock, args[1], limit, due, args[4:])
	if err != nil {
		fmt.Fprintln(os.Stderr, shimPrefix+oneLine(err))
	}
	cleared := endOrphans(f)
	switch { // without a record the code is all there is to tell what happened; who hears it ends the rest of the group
	case err != nil:
		return exitCode(started, err)
	case !cleared:
		endGroup()
	}
	runtime.KeepAlive(lock)   // the garbage collector would close it, while there is something left to kill
	syscall.Exit(exitCleared) // as abruptly as by the signal: whatever a caller does at its end is not for this process
	panic("unreachable")
}

// exitCode is how a shim ends that could not record how its command did, and why that is.
func exitCode(started bool, err error) int {
	full := errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
	switch {
	case full && started:
		return exitUnroomed
	case full:
		return exitNoRoom
	case started:
		return exitUnrecorded
	}
	return exitNotStarted
}

// superviseCommand runs the command to its end, and reports whether there was one to end. The error says that this
// could not be recorded.
func (f folder) superviseCommand(lock *os.File, workDir string, limit, due int64, args []string) (started bool, err error) {
	adoptOrphans()
	takeName()
	var record exitRecord
	if cmd, printed, err := f.startCommand(lock, workDir, limit, args); err != nil {
		record.Error, record.Ended = startFailure(err), time.Now()
	} else {
		recordCommand(lock, cmd.Process.Pid)
		record = waitFor(cmd)
		record.Ended = time.Now()
		if err := printed.end(echoes(due)); err != nil {
			record.Error = "standard output was not kept: " + err.Error()
		}
	}
	if err = f.writeWhole(exitFile, record); err != nil && !record.Started {
		err = fmt.Errorf("%s; %w", record.Error, err)
	}
	return record.Started, err
}

// startCommand starts the command, after it was recorded who leads its group, and relays what it prints.
func (f folder) startCommand(lock *os.File, workDir string, limit int64, args []string) (*exec.Cmd, relays, error) {
	if err := recordLeader(lock, os.Getpid()); err != nil {
		return nil, relays{}, err
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = workDir
	passLock(cmd, lock)
	// The command would go there by itself, but could not say that it was this that failed.
	if err := os.Chdir(workDir); err != nil {
		return nil, relays{}, err
	}
	printed, err := startRelayed(cmd, limit, f.path(reportsFile))
	return cmd, printed, err
}

// startFailure says why a command could not be started.
func startFailure(err error) string {
	var path *fs.PathError
	if errors.Is(err, syscall.ENOEXEC) {
		return err.Error() + " (a script must begin with #! and its interpreter)"
	}
	if errors.Is(err, fs.ErrNotExist) && errors.As(err, &path) && path.Op == "fork/exec" {
		if _, err := os.Stat(path.Path); err == nil { // this process is where the command would be
			return path.Error() + " (the file is there; the interpreter that it names is not)"
		}
	}
	return err.Error()
}

// recordLeader writes the leader of the group into the lock file, for Sweep.
func recordLeader(lock *os.File, pid int) error {
	if err := lock.Truncate(0); err != nil {
		return err
	}
	if _, err := lock.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := lock.Write(append(mustJSON(lockRecord{PID: pid, Identity: identity(pid)}), '\n'))
	return err
}

// syncFile makes what was written survive a loss of power, where the file is one that can.
func syncFile(file *os.File) error {
	if err := file.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// poll asks until the answer is yes, at most for a time by the monotonic clock, and returns the last answer.
func poll(patience time.Duration, done func() bool) bool {
	begin := time.Now()
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		if done() {
			return true
		}
		if time.Since(begin) > patience {
			return done()
		}
		time.Sleep(pause)
	}
}
