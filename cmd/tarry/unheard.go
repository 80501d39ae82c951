package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/tarry-bo/tarry/internal/command"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// hearUnheard tells a study that is about to be resumed what attempts have left whose evaluations had been given up: it came
// while nobody listened, and a measurement is never thrown away. What is still pending is not touched: its next attempt
// finds what was left.
//
// The journal is then that of a process which heard of it just before it died, at the time of its last event. So it is
// known before any query is chosen, also where the study has come to its end; nothing times out by it, and whatever the loop
// wants done at that is done by the one who resumes the study.
func (l *live) hearUnheard(log io.Writer, study *loop.Loop, recorder *journal.Recorder) error {
	l.reason = study.Reason()
	_, at := study.Now()
	for _, e := range slices.Clone(study.Evaluations()) {
		if e.Status == loop.Pending || e.Measured || e.Attempt == 0 {
			continue
		}
		found, attempt, err := l.runner.Unheard(e.Number, e.Attempt, e.Point(l.space))
		if err != nil {
			return fmt.Errorf("what evaluation %d has left: %w", e.Number, err)
		}
		answer, what := told(e, attempt, found)
		if what == "" {
			continue
		}
		if _, _, err := recorder.Step(at, loop.Answered(answer, false)); err != nil {
			return err
		}
		fmt.Fprintf(log, "tarry: attempt %06d.%d ended unheard: %s\n", e.Number, attempt, plain(what))
	}
	return recorder.Sync()
}

// told is the answer by which a study hears of what an attempt has left, and that in words; empty where it says nothing new.
func told(e loop.Evaluation, attempt int, found command.Report) (a outcome.Answer, what string) {
	a = outcome.Answer{Evaluation: e.Number, Attempt: attempt, Found: true}
	switch {
	case attempt == 0:
	case found.HasValue:
		a.Outcome, what = found.Outcome, number(found.Value)
		if found.Infeasible {
			what += ", infeasible, " + found.Reason
		}
	case e.Status != loop.Infeasible:
		a.Failure, what = outcome.Failure{Reason: found.Reason, Verdict: outcome.Infeasible}, "infeasible, "+found.Reason
	}
	return a, what
}
