package console

import (
	"io"
)

// output is standard output, which remembers the first error. Commands need not look after each write: run does so
// once, when they are done.
type output struct {
	to  io.Writer
	err error
}

// Write writes, unless a write before it failed.
func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.to.Write(p)
	o.err = err
	return n, err
}
