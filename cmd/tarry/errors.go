package main

import (
	"errors"

	"github.com/tarry-bo/tarry/journal/sqlite"
)

// exit is an error with the code that the program ends with.
type exit struct {
	code int
	err  error
}

func (e exit) Error() string { return e.err.Error() }
func (e exit) Unwrap() error { return e.err }

// usage is an error of whoever called the program.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return exit{exitUsage, err}
}

// failure is an error that is nobody's fault.
func failure(err error) error {
	if err == nil {
		return nil
	}
	return exit{exitFailure, err}
}

// opening is an error of a file that should hold a study.
func opening(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sqlite.ErrInUse):
		return exit{exitInUse, err}
	case errors.Is(err, sqlite.ErrNoStudy), errors.Is(err, sqlite.ErrForeign), errors.Is(err, sqlite.ErrExists):
		return usage(err)
	}
	return failure(err)
}

// closing closes the store of a command that wrote. One that went well fails when the files are not what was acknowledged.
func closing(store *sqlite.Store, err *error) {
	if closed := store.Close(); *err == nil {
		*err = failure(closed)
	}
}
