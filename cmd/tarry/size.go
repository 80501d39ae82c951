package main

import (
	"errors"
	"math"
	"strings"

	"github.com/dustin/go-humanize"
)

// size is a number of bytes on the command line, as in 0, 500kB, 10MB or 64MiB.
type size int64

// String returns the size in the largest unit of which it is a whole number, nearly.
func (s size) String() string {
	if s == 0 {
		return "0"
	}
	return strings.ReplaceAll(humanize.IBytes(uint64(s)), " ", "")
}

// Set reads a size.
func (s *size) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil || n > math.MaxInt64 {
		return errors.New("want a size, as in 500kB, 10MB or 64MiB")
	}
	*s = size(n)
	return nil
}

// Type names the kind of value.
func (*size) Type() string { return "size" }
