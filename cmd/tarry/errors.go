package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"syscall"

	"github.com/spf13/pflag"

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

// writing is an error of a file that the user named and that was to be written: a place that is none is of whoever called the program, and so is
// what is no error of the file; a disk that is full or a folder that is closed to the program is a failure.
func writing(err error) error {
	var number syscall.Errno
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &number), errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrExist), number == syscall.ENOTDIR, number == syscall.EISDIR:
		return usage(err)
	}
	return failure(err)
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

// kindsOfFlags are what the values of flags may be that the library of flags reads itself.
var kindsOfFlags = map[string]string{"int": "a whole number", "uint64": "a whole number from 0 to 18446744073709551615", "float64": "a number", "duration": "a duration such as 1m30s", "bool": "true or false"}

// worded says what is wanted of a flag whose value cannot be read, where the library of flags speaks of its parser.
func worded(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	kind, is := kindsOfFlags[invalid.GetFlag().Value.Type()]
	if !is {
		return err
	}
	if errors.Is(err, strconv.ErrRange) && kind == kindsOfFlags["int"] {
		kind = fmt.Sprintf("%s from %d to %d", kind, math.MinInt, math.MaxInt)
	}
	return flagError{fmt.Sprintf("invalid argument %q for \"--%s\" flag: want %s", invalid.GetValue(), invalid.GetFlag().Name, kind), err}
}
