// Package tuning is the command tune: a real classifier, tuned live by three methods, and what a terminal shows meanwhile.
package tuning

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tarry-bo/tarry/internal/lab/console"
)

// Command tunes a classifier on the wall clock.
func Command() console.Command {
	return console.Flagged("tune", "tune a real classifier, live (this is what happens without a command)", newTune, tune)
}

// tune is the command without a name: a real classifier, tuned live by three methods, one after the other.
func tune(ctx context.Context, r *request, f *console.Flags, k console.Streams) error {
	t, err := r.settle(f)
	if err != nil {
		return err
	}
	if err := t.announce(k.Stdout); err != nil {
		return err // nobody reads
	}
	log, closeLog, err := openLog(t.log)
	if err != nil {
		return err
	}
	done, err := t.performAll(ctx, log, k.Stderr)
	return t.conclude(k.Stdout, done, errors.Join(err, closeLog()))
}

// announce says what will happen.
func (t tuning) announce(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Tuning %s.\n", t.problem.Describe)
	fmt.Fprintf(&b, "An answer takes its training, which is real, plus a wait, which is simulated: seconds drawn from %v.\n", t.law)
	fmt.Fprintf(&b, "One after the other, %s of wall-clock time each; what is pending then is cancelled and does not count:\n", prose(t.allowance))
	for _, m := range t.methods {
		fmt.Fprintf(&b, "  %s%s\n", m.label(), m.remark)
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// conclude prints what was found, writes the picture and, last of all, says how to do it again.
func (t tuning) conclude(w io.Writer, done program, err error) error {
	stopped := errors.As(err, new(console.Interrupted))
	if err != nil && !stopped {
		return err
	}
	if stopped {
		fmt.Fprint(w, "Interrupted: this is what was reached.\n\n")
	}
	fmt.Fprint(w, t.verdict(done))
	if stopped {
		fmt.Fprintln(w, "No picture, since not all methods had their time.")
	} else {
		drawing, err := t.timeline(done.performances).drawing()
		if err == nil {
			err = console.SavePicture(w, "Picture", console.PictureBase(t.plot), drawing)
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprint(w, "The clock decides the order of live answers, so numbers may differ a little when it is done again:\n")
	fmt.Fprintf(w, "reproduce: %s\n", t.commandLine())
	return err
}
