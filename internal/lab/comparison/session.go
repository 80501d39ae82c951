package comparison

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tarry-bo/tarry/internal/lab/console"
)

// settle turns a request into a comparison that can run. The error is usage with every violation of the flags and of
// their combinations.
func settle(r *request, f *console.Flags) (comparison, error) {
	c, err := newComparison(*r)
	f.Errs.Join(err)
	c.checkFiles(&f.Errs)
	return c, f.Refusal()
}

// perform runs everything with a progress display and writes the lines for machines. With an error it returns the runs
// that were complete.
func (c comparison) perform(ctx context.Context, run simulator, k console.Streams) (results []result, err error) {
	lines, closeLines, err := console.Lines(c.json, k)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeLines()) }()
	m := console.NewMeter(k, len(c.jobs()), c.queries(), c.json == console.ToStdout)
	results, err = c.runAll(ctx, run, m, c.recorder(lines))
	m.Stop()
	return results, err
}

// finishWith writes the pictures of complete results and, last of all, the command that reproduces them.
func (c comparison) finishWith(w io.Writer, pictures []picture, err error) error {
	if err == nil {
		for _, p := range pictures {
			if err = console.SavePicture(w, "picture", p.base, p.Picture); err != nil {
				break
			}
		}
	} else if len(pictures) > 0 {
		fmt.Fprintln(w, "no picture, since not all runs are complete")
	}
	fmt.Fprintf(w, "reproduce: %s\n", c.commandLine())
	return err
}
