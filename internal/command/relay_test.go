//go:build linux || darwin

package command

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

// A command that prints a gigabyte, as fast as it can, never has more than the limit on disk, and its value is found.
func TestAGigabyteOfOutputFitsItsLimit(t *testing.T) {
	t.Parallel()
	r := shell(t, `echo begin; yes "$(printf %01000d 0)" | head -c `+gigabyte+`; echo; echo 0.5; yes problem | head -c 10000000 >&2`)
	done := make(chan error, 1)
	go func() {
		o, err := r.Run(context.Background(), 1, 1, point)
		if o.Value != 0.5 {
			t.Errorf("%+v", o)
		}
		done <- err
	}()
	largest := int64(0)
	for running := true; running; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			running = false
		case <-time.After(time.Millisecond):
		}
		for _, file := range []string{stdoutFile, stderrFile} {
			if info, err := os.Stat(r.in(1, file)); err == nil {
				largest = max(largest, info.Size())
			}
		}
	}
	text, err := os.ReadFile(r.in(1, stdoutFile))
	if largest > r.MaxOutput || largest < r.MaxOutput/2 || err != nil || !strings.HasPrefix(string(text), "begin\n") || !strings.HasSuffix(string(text), "\n0.5\n") {
		t.Errorf("%d bytes at most, %d at the end, %v", largest, len(text), err)
	}
	for _, file := range []string{stdoutFile, stderrFile} {
		if text, err := os.ReadFile(r.in(1, file)); err != nil || !strings.Contains(string(text), " bytes left out]\n") {
			t.Errorf("%s does not say what was left out, %v", file, err)
		}
	}
}

// What a command prints last is kept although a child has its output open, prints on, and would do so for ever.
func TestAChildThatPrintsOnDoesNotHoldItsOutput(t *testing.T) {
	t.Parallel()
	for _, child := range []string{forever, "yes noise", "exec sleep 1000"} {
		r := shell(t, `sh -c 'trap "" TERM; echo $$ > daemon; `+child+`' & while [ ! -s daemon ]; do sleep 0.01; done; echo 0.5`)
		begin := time.Now()
		if o, err := run(t, r); err != nil || o.Value != 0.5 {
			t.Errorf("%s: %+v, %v", child, o, err)
		}
		if took := time.Since(begin); took > patience/2 {
			t.Errorf("%s: it took %v", child, took)
		}
		mustBeGone(t, readPID(t, r.file("daemon")), "the child")
	}
}

// What passes on the output of a command may end after it.
func TestAChildMayPassOnWhatTheCommandPrinted(t *testing.T) {
	t.Parallel()
	r := shell(t, `mkfifo pipe; (sleep 0.1; cat) < pipe & exec > pipe; echo 0.5`)
	if o, err := run(t, r); err != nil || o.Value != 0.5 {
		t.Errorf("%+v, %v", o, err)
	}
}

// A full pipe at the end of a command is read to its end.
func TestThePipeIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	r := shell(t, `head -c 65000 /dev/zero | tr '\0' x; echo; echo 0.25`)
	for i := range 20 {
		if o, err := r.Run(context.Background(), i+1, 1, point); err != nil || o.Value != 0.25 {
			t.Errorf("%+v, %v", o, err)
		}
	}
}
