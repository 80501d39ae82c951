package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

// folder is the path of what one attempt leaves behind. It is absolute: the command may run elsewhere.
type folder string

// The files in a folder.
const (
	stdoutFile     = "stdout"
	stderrFile     = "stderr"
	parametersFile = "parameters.json"
	commandFile    = "command.json"
	lockFile       = "lock"      // held as long as a process of the attempt lives; says which group that is
	exitFile       = "exit.json" // how the command ended; written when it has
	stopFile       = "stop.json" // that it was asked to end; written before that
)

// commandRecord is what command.json says.
type commandRecord struct {
	Args     []string        `json:"args"`
	Template json.RawMessage `json:"template"` // list of strings
	WorkDir  string          `json:"workdir"`
	Started  time.Time       `json:"started"` // for people; nothing depends on it
}

// exitRecord is what exit.json says.
type exitRecord struct {
	Started bool      `json:"started"`          // whether there was a command to end
	Code    int       `json:"code"`             // -1 where a signal ended it
	Signal  string    `json:"signal,omitempty"` // number and name
	Error   string    `json:"error,omitempty"`  // why the command was not started, or its output not kept
	Ended   time.Time `json:"ended"`            // when the command did, whoever held its output after that
}

// stopRecord is what stop.json says.
type stopRecord struct {
	Because string    `json:"because"` // for people
	At      time.Time `json:"at"`
}

// lockRecord is what the lock file says: the leader of the process group, and what tells it from a later process with
// the same number.
type lockRecord struct {
	PID      int    `json:"pid"`
	Identity string `json:"identity"`
}

var folderName = regexp.MustCompile(`^\d{6,}\.\d+(\.old\d*)?$`)

// path returns the path of a file in the folder.
func (f folder) path(file string) string { return filepath.Join(string(f), file) }

// root returns the folder of all attempts, which it makes where it is missing, by a path that does not depend on the
// working directory or on links.
func root(dir string) (string, error) {
	if err := os.MkdirAll(dir, folderMode); err != nil {
		return "", err
	}
	return canonical(dir)
}

// canonical returns the absolute path of something that exists, without links.
func canonical(path string) (string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil { // the working directory is gone
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return filepath.EvalSymlinks(absolute)
}

// resolve returns the canonical path that something has, or had before it was deleted.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for missing := ""; ; {
		found, err := canonical(path)
		if err == nil {
			return filepath.Join(found, missing), nil
		}
		parent := filepath.Dir(path)
		if !errors.Is(err, os.ErrNotExist) || parent == path {
			return "", err
		}
		switch target, err := os.Readlink(path); {
		case err != nil:
			path, missing = parent, filepath.Join(filepath.Base(path), missing)
		case filepath.IsAbs(target):
			path = target
		default: // from where the link really is
			if parent, err = canonical(parent); err != nil {
				return "", err
			}
			path = filepath.Join(parent, target)
		}
	}
}

// attemptFolder returns the folder of one attempt below a root.
func attemptFolder(root string, evaluation, attempt int) folder {
	return folder(filepath.Join(root, fmt.Sprintf("%06d.%d", evaluation, attempt)))
}

// setAside renames the folder to the first of <name>.old, <name>.old2, <name>.old3 … that is free.
func (f folder) setAside() error {
	for i := 1; ; i++ {
		to := string(f) + ".old"
		if i > 1 {
			to += fmt.Sprint(i)
		}
		if _, err := os.Lstat(to); errors.Is(err, os.ErrNotExist) {
			return os.Rename(string(f), to)
		} else if err != nil {
			return err
		}
	}
}

// belongs reports whether the folder is one of an attempt at the same values with the same template. The error says that
// this cannot be known now.
func (f folder) belongs(t Template, parameters []byte) (bool, error) {
	var found []byte
	err := patiently(func() (err error) { found, err = read(f.path(parametersFile)); return err })
	if err == nil && bytes.Equal(found, parameters) {
		var record commandRecord
		err = patiently(func() error { return readJSON(f.path(commandFile), &record) })
		return err == nil && bytes.Equal(record.Template, mustJSON(t.written)), onlyExhausted(err)
	}
	return false, onlyExhausted(err)
}

// end returns how the command ended. Where nobody has recorded that, with an error, it is what is to be said of a command
// that was ended from here, and its shim with it.
func (f folder) end() (exitRecord, error) {
	var record exitRecord
	if err := patiently(func() error { return readJSON(f.path(exitFile), &record) }); err != nil {
		return exitRecord{Started: true, Code: -1, Signal: signalName(syscall.SIGKILL)}, err
	}
	return record, nil
}

// stop notes that the command is about to be ended from here, unless it has ended by itself. It is what tells a command
// that was ended from one that crashed, also later. Where that cannot be noted a later process takes it for a crash.
func (f folder) stop(because error) {
	if _, err := os.Lstat(f.path(exitFile)); err == nil {
		return
	}
	_ = f.writeWhole(stopFile, stopRecord{Because: oneLine(because), At: time.Now()})
}

// stopped reports whether the command was ended from here, given how it ended: one that had ended by itself before it was asked to was
// not. The error says that this cannot be known now.
func (f folder) stopped(how exitRecord) (bool, error) {
	var record stopRecord
	err := patiently(func() error { return readJSON(f.path(stopFile), &record) })
	return err == nil && !how.endedBefore(record.At), onlyExhausted(err)
}

// endedBefore reports whether it is known that the command ended before a moment.
func (e exitRecord) endedBefore(at time.Time) bool { return !e.Ended.IsZero() && e.Ended.Before(at) }
