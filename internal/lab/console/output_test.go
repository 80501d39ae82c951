package console

import (
	"bytes"
	"errors"
	"testing"
)

func TestOutputStopsAtTheFirstError(t *testing.T) {
	var b bytes.Buffer
	o := output{to: &b}
	if n, err := o.Write([]byte("one")); n != 3 || err != nil {
		t.Error(n, err)
	}
	o.to = full{}
	if _, err := o.Write([]byte("two")); err == nil {
		t.Error("no error")
	}
	o.to = &b
	if _, err := o.Write([]byte("three")); err == nil || b.String() != "one" {
		t.Errorf("%v, %q", err, b.String())
	}
}

// full is a device without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }
