package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

const (
	exitUsage      = 64 // EX_USAGE of sysexits.h
	exitUnrecorded = 74 // EX_IOERR of sysexits.h
)

// shimArguments returns the arguments of the shim's program. The -- keeps parsers of flags from those of the command.
func shimArguments(first []string, f folder, workDir string, args []string) []string {
	out := append(append([]string{}, first...), "--", string(f), workDir)
	return append(out, args...)
}

// Shim is the second instance of this program, which starts a command and outlives the first one. The caller's main
// calls it, with the arguments that follow those of Runner.Shim, and exits with the code that it returns; it takes
// part in no other work of that process. It waits for the command, records in exit.json how it ended, and kills what
// is left of the process group, itself included, so that it rarely returns at all.
func Shim(args []string) int {
	// Signals to the group are for the command. They are caught and dropped: an ignored one would be ignored by the
	// command as well.
	signal.Notify(make(chan os.Signal, 1))
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) < 3 {
		fmt.Fprintln(os.Stderr, "tarry: started without a command to run; this is for internal use")
		return exitUsage
	}
	f := folder(args[0])
	lock, err := inheritedLock(f)
	if err == nil {
		err = f.superviseCommand(lock, args[1], args[2:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tarry:", err)
	}
	endGroup(f)
	runtime.KeepAlive(lock) // the garbage collector would close it, while there is something left to kill
	return exitUnrecorded
}

// superviseCommand runs the command to its end. The error says that this could not be recorded.
func (f folder) superviseCommand(lock *os.File, workDir string, args []string) error {
	adoptOrphans()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = workDir
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr // files: nobody has to read what the command prints
	passLock(cmd, lock)
	if err := recordLeader(lock, os.Getpid()); err != nil {
		return err
	}
	var record exitRecord
	if err := cmd.Start(); err != nil {
		record.Error = startFailure(err)
	} else {
		recordCommand(lock, cmd.Process.Pid)
		record = waitFor(cmd)
	}
	// What a full or failing disk has lost must not be taken for a shorter output.
	if err := syncFile(os.Stdout); err != nil && record.Error == "" {
		record.Error = "standard output was not kept: " + err.Error()
	}
	record.Ended = time.Now()
	return f.writeExit(record)
}

// startFailure says why a command could not be started.
func startFailure(err error) string {
	if errors.Is(err, syscall.ENOEXEC) {
		return err.Error() + " (a script must begin with #! and its interpreter)"
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
