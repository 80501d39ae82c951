package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// maxDesks bounds the workers that begin in one folder without one of their own for logs.
const maxDesks = 1000

// desk takes the folder in which a worker's commands print, and returns its path and what gives it free. What a worker that is
// gone left running there is ended. What it left lying stays: an answer that it could not bring is adopted when its evaluation comes again.
func desk(log io.Writer, given string) (folder string, leave func() error, err error) {
	for i := 1; i <= maxDesks; i++ {
		path := given
		switch {
		case path != "":
		case i == 1:
			path = "tarry-work.logs"
		default:
			path = fmt.Sprintf("tarry-work-%d.logs", i)
		}
		path, err := filepath.Abs(path)
		if err != nil {
			return "", nil, failure(err)
		}
		lock := flock.New(path + ".lock")
		held, err := lock.TryLock()
		switch {
		case err != nil:
			return "", nil, failure(fmt.Errorf("folder of logs: %w", err))
		case held:
			return path, lock.Unlock, failure(leftovers(log, path))
		case given != "":
			return "", nil, exit{exitInUse, fmt.Errorf("--logs %s: another worker has it: want another folder", given)}
		}
	}
	return "", nil, usage(fmt.Errorf("--logs: %d workers run here: want a folder for this one", maxDesks))
}

// leftovers ends what a worker that is gone left running, in the folders of all studies.
func leftovers(log io.Writer, logs string) error {
	entries, err := os.ReadDir(logs)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	var errs []error
	for _, e := range entries {
		if e.IsDir() {
			errs = append(errs, sweep(log, filepath.Join(logs, e.Name())))
		}
	}
	return errors.Join(errs...)
}
