package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/loop"
)

// judgeLong records what cannot be combined with a long study, and what means nothing without one.
func (r request) judgeLong(f *console.Flags) {
	if r.study == 0 {
		f.Errs.Require(r.plot == "", "-plot", r.plot, "a -study N beside it, of which there is a picture")
		f.Errs.Require(r.active == 0, "-active", r.active, "a -study N beside it, which can outgrow its model")
		return
	}
	given := map[string]any{"n": r.sizeList, "repeats": r.repeats}
	for _, name := range f.Given() {
		if value, other := given[name]; other {
			f.Errs.Add("-"+name, value, fmt.Sprintf("no such flag beside -study %d, which times every suggestion of one study", r.study))
		}
	}
	if r.plot != "" && console.IsPicture(&f.Errs, r.plot) {
		console.Drawable(&f.Errs, console.PictureBase(r.plot))
	}
}

// longCommandLine is the command that plays the same study again.
func (r request) longCommandLine() string {
	args := []string{
		"go run ./cmd/demo bench -study", strconv.Itoa(r.study), "-dim", strconv.Itoa(r.dim), "-pending", strconv.Itoa(r.pending),
		"-policy", console.Quoted(r.policySpec), "-active", strconv.Itoa(r.active),
		"-seed", strconv.FormatUint(r.seed, 10), "-cpu", strconv.Itoa(r.cpus),
	}
	if r.plot != "" {
		args = append(args, "-plot", console.Quoted(r.plot))
	}
	if r.json != "" {
		args = append(args, "-json", console.Quoted(r.json))
	}
	return strings.Join(args, " ")
}

// longConfig is the configuration of a long study: with an initial design, as it would have without a benchmark.
func (b benchmark) longConfig() loop.Config {
	return loop.Config{Budget: b.study, Model: loop.Model{Active: b.active}}
}

// measureLong plays one long study and says what it cost, as far as it came.
func (b benchmark) measureLong(ctx context.Context, k console.Streams, w io.Writer) error {
	s, err := b.performLong(ctx, k)
	if s != nil && len(s.stretches) > 0 {
		fmt.Fprint(w, s.table(), "\n")
		if b.plot != "" {
			drawing, failure := s.chart().drawing()
			if failure == nil {
				failure = console.SavePicture(w, "picture", console.PictureBase(b.plot), drawing)
			}
			if failure != nil {
				err = lost(err, failure)
			}
		}
	}
	fmt.Fprintf(w, "%s\nreproduce: %s\n", b.machine(), b.commandLine())
	return err
}

// performLong plays the study and writes a line for machines at the end of each stretch. With an error it returns the
// study as far as it came, whose last stretch then ends there.
func (b benchmark) performLong(ctx context.Context, k console.Streams) (s *longStudy, err error) {
	lines, closeLines, err := console.Lines(b.json, k)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeLines()) }()
	if s, err = b.newLongStudy(); err != nil {
		return nil, err
	}
	encoder := json.NewEncoder(lines)
	s.closed = func(c stretch) error { return encoder.Encode(s.record(c)) }
	note := console.NewNotice(k, b.json == console.ToStdout)
	defer note.Clear()
	pace := newPace(time.Now())
	err = s.play(ctx, func() {
		if text, due := pace.text(s.sent(), b.study, time.Now()); due {
			note.Show(text)
		}
	})
	if err == nil {
		return s, nil
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = console.Interrupted{State: fmt.Sprintf("%d of %s are complete, and only they are in the results", len(s.suggestions), console.Plural(s.expected(), "suggestion"))}
	} else {
		err = fmt.Errorf("policy %s, evaluation %d: %w", b.policySpec, s.sent()+1, err)
	}
	return s, lost(err, s.cutShort())
}

// lost returns err, or the failure as well, if there is one. A study that was interrupted has failed once its results
// cannot be written.
func lost(err, failure error) error {
	var stopped console.Interrupted
	if failure != nil && errors.As(err, &stopped) {
		return failure
	}
	return errors.Join(err, failure)
}
