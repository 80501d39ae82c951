// Package asktell lets a program in any language drive a study over a pipe: one request a line, one answer a line, both
// JSON, in turn.
//
//	{"op":"ask","n":2}                      → {"queries":[{"id":1,"x":{"lr":0.01,"kind":"adam"}},{"id":2,"x":{…}}]}
//	{"op":"tell","id":1,"value":0.31}       → {"ok":true}
//	{"op":"report","id":2,"value":0.2,"step":3} → {"ok":true}, or with "stop":true
//	{"op":"fail","id":2,"reason":"oom"}     → {"ok":true}
//	{"op":"cancel","id":2}                  → {"ok":true}
//	{"op":"renew","id":2}                   → {"ok":true}
//	{"op":"observe","x":{…},"value":0.4}    → {"ok":true,"id":3}
//	{"op":"enqueue","x":{…}}                → {"ok":true}
//	{"op":"best"}                           → {"best":{"id":1,"x":{…},"value":0.31}}
//	{"op":"predict","x":{…}}                → {"prediction":{"mean":0.3,"stddev":0.02,"noise":0.01}}
//	{"op":"recommend"}                      → {"recommendation":{"x":{…},"mean":0.33,"stddev":0.01,"noise":0.01}}
//	{"op":"state"}                          → {"evaluations":3,"pending":[…],"counts":{…},"coverage":{…},"best":{…},…}
//	{"op":"help"}                           → {"operations":[{"op":"ask","fields":["n","context"],"does":"…"},…],"parameters":[…]}
//	whatever else                           → {"error":"…","line":10}
//
// Any number of queries may be open at once, and they may be told in any order; the transcripts in testdata show it.
//
// ask gives up to n queries, 1 unless said, and takes context, an object with every context parameter, where the space
// has some; a query that is tried again keeps the context that it had, which is in its x. A query has cost, the expected one, where the space has a fidelity, which a point that is brought may leave out: the greatest is
// meant. It has attempt where it is not the first, and deadline where the study has a timeout. If there are fewer
// than n, held says what holds the others back. Once the study has ended the answer is an error, and has "ended":true.
//
// tell takes also cost (at least 0), constraints (an object with a number for each that the study names; where it names none, a list of numbers that
// are ≤ 0 where they hold) and infeasible, which may come
// without a value; fail takes reason, and either infeasible (never tried again) or lost (the point is not to blame).
// report brings a value from the way to the end, at a step that grows. The answer says stop where the evaluation should end: the study
// ended it by its reports, or nobody waits for it any more. One of an earlier step than another is stale, and changes nothing.
//
// tell, report, fail and renew take attempt; without it the latest one is meant. An answer says repeated where nothing changed,
// since it was known already or an outcome stands (where that is a value, stands names it), and late where a value counts though it came after its attempt was
// given up, or after the study's window.
//
// predict and recommend ask the model of what was told so far, and cost no budget: what the function is worth at a point, contexts
// included, or where it is best, at a context where the space has some. mean is what the model expects, stddev how sure it is of
// that, and noise the standard deviation of a measurement around the function. Without a model there is null, and reason says
// why. Where the policy keeps constraints while it searches, the answer to state has safety: what is promised, what counts as a
// violation, and how many are left. In the answer to state expected is what the model says at the recommended evaluation, null without a model.
//
// A request that is wrong changes nothing: its answer names everything that is wrong, and the session goes on. A second
// value for an evaluation is wrong too, as is the same with another cost, and the study's journal keeps that it came. The field tag, any JSON value, is
// given back with the answer, so that a client may send requests before it has read the answers.
package asktell

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tarry-bo/tarry"
)

// Serve answers the requests of in on out, each as soon as it is there, until in ends: then it returns nil. Otherwise it
// returns an error: of in, of out, of a context that ended between two requests, or one that wraps tarry.ErrNotKept when
// the study's journal refuses, which is the last answer as well. The study goes on with another Serve, or by itself.
//
// When Serve returns, a read of in may be under way still; what it brings is lost.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	lines, done := make(chan line), make(chan struct{})
	defer close(done)
	go read(in, lines, done)
	w := bufio.NewWriter(out)
	for number := 1; ; number++ {
		l, err := next(ctx, lines)
		if err != nil {
			return err
		}
		if !l.none {
			answer, fatal := s.answer(ctx, number, l)
			_, _ = w.Write(answer) // Flush returns its error
			if err := w.Flush(); err != nil {
				return errors.Join(fmt.Errorf("write the answer to line %d: %w", number, err), fatal)
			}
			if fatal != nil {
				return fatal
			}
		}
		switch {
		case l.end == io.EOF:
			return nil
		case l.end != nil:
			return fmt.Errorf("read line %d: %w", number, l.end)
		}
	}
}

// next waits for a line, or for the end of the context.
func next(ctx context.Context, lines <-chan line) (line, error) {
	if err := ctx.Err(); err != nil {
		return line{}, err
	}
	select {
	case l := <-lines:
		return l, nil
	case <-ctx.Done():
		return line{}, ctx.Err()
	}
}

// answer does what a line wants and returns its answer. After a fatal error the study cannot go on.
func (s *Server) answer(ctx context.Context, number int, l line) (answer []byte, fatal error) {
	r := parse(number, l)
	var body any
	var err error
	if r.operation.do != nil {
		body, err = s.perform(ctx, r) // only if the request fits, and otherwise it says what else is wrong
		if lost := r.kept.Wait(); lost != nil {
			body, err = nil, lost
		}
	}
	switch {
	case !r.fits():
		body = errorAnswer{Error: r.wrong.String(), Line: number}
	case body == nil:
		body = s.refusal(err, number)
	}
	if errors.Is(err, tarry.ErrNotKept) {
		fatal = err
	}
	return encode(body, r.tag), fatal
}

// refusal is the answer when the study refuses.
func (s *Server) refusal(err error, number int) errorAnswer {
	if errors.Is(err, tarry.ErrEnded) && !errors.Is(err, tarry.ErrPaused) {
		return errorAnswer{Error: "the study has ended: " + s.Study.Result().Reason, Line: number, Ended: true}
	}
	return errorAnswer{Error: oneLine(err.Error()), Line: number}
}
