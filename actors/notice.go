package actors

import (
	"fmt"
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// Notice is one event as the coordinator saw it, with what became of it: the one stream from which logs, progress and
// metrics are made. It comes when the event is kept. It holds copies; a reader may keep it, and changes nothing in its
// slices.
type Notice struct {
	Study   string // its name
	Seq     uint64 // of the event, 1, 2, 3, …
	At      time.Duration
	Event   loop.Event
	Effects []loop.Effect // what the loop wanted done
	Outcome Outcome

	// Evaluations are as the loop knows them: their X is in the unit cube. Beside them are their queries in user units.
	Evaluation loop.Evaluation // the one that the event is about, after it; Number 0 if none
	X          []float64       // its query in user units; nil if none
	Incumbent  loop.Evaluation // the best value so far; Number 0 before the first
	IncumbentX []float64       // its query in user units; nil before the first
	Improved   bool            // whether the event brought it
	Chosen     int             // queries so far
	Spent      int             // of them those that count against the budget, pending ones included
	Pending    int             // evaluations without an outcome
	Budget     int
	Counters   loop.Counters
	Coverage   loop.Coverage // of the forecasts so far
}

// Outcome is what became of an event.
type Outcome int

// What may become of an event.
const (
	Taken         Outcome = iota // it did what it says
	Late                         // the value came outside the window, or after its evaluation was given up
	Repeated                     // it said again what was known
	Contradictory                // the evaluation has another value, which stands
	Unknown                      // it names no evaluation, attempt, ask or fit
	TriedAgain                   // the attempt failed, and the evaluation will have another
	GivenUp                      // the attempt failed, and it was the last
	TimedOut                     // time passed, and with it the deadline of an attempt
	FellBack                     // the policy's answer could not be used; the query is a point that fills the space
	Refused                      // a fit, a context or a worker that could not be used
)

// String returns the outcome in words.
func (o Outcome) String() string {
	names := [...]string{"taken", "late", "repeated", "contradictory", "unknown", "tried again", "given up", "timed out", "fell back", "refused"}
	if o < 0 || int(o) >= len(names) {
		return fmt.Sprintf("Outcome(%d)", int(o))
	}
	return names[o]
}

// chronicle remembers what a notice says beyond its event.
type chronicle struct {
	at        time.Duration // of the last event
	incumbent int           // number of its evaluation; 0 before the first value
	looked    int           // evaluations that were looked at when they were chosen, for values from elsewhere
	x         []float64     // its query in user units
}

// narrate notes what every reader is to be told about an event, once it is kept.
func (d *Driver) narrate(e loop.Stamped, effects []loop.Effect, before loop.Counters) {
	d.chronicle.at = e.At
	improved := d.improved(e.Event)
	if len(d.readers) == 0 {
		return
	}
	n := Notice{
		Study: d.config.Name, Seq: e.Seq, At: e.At, Event: e.Event, Effects: effects,
		Chosen: len(d.loop.Evaluations()), Spent: d.loop.Spent(), Pending: d.loop.Pending(), Budget: d.loop.Config().Budget, Counters: d.loop.Counters(),
		Coverage: d.loop.Coverage(),
	}
	if number := about(e.Event, n.Chosen); number >= 1 && number <= n.Chosen {
		n.Evaluation = d.loop.Evaluations()[number-1]
		n.X = n.Evaluation.Point(d.config.Study.Space)
	}
	n.Outcome = became(e.Event, n.Evaluation, before, n.Counters)
	n.Improved = improved
	if d.chronicle.incumbent > 0 {
		n.Incumbent, n.IncumbentX = d.loop.Evaluations()[d.chronicle.incumbent-1], d.chronicle.x
	}
	d.untold = append(d.untold, n)
	if d.config.Journal == nil {
		d.tellReaders()
	}
}

// about is the number of the evaluation that an event is about, 0 for none.
func about(e loop.Event, chosen int) int {
	switch e := e.(type) {
	case loop.FeedbackArrived:
		return e.Evaluation
	case loop.AnswerFollows:
		return e.Evaluation
	case loop.EvaluationFailed:
		return e.Evaluation
	case loop.LeaseRenewed:
		return e.Evaluation
	case loop.CancelRequested:
		return e.Evaluation
	case loop.Proposed, loop.ProposeFailed:
		return chosen
	}
	return 0
}

// improved keeps the number of the incumbent and reports whether an event brought it: as an answer, or from elsewhere.
func (d *Driver) improved(e loop.Event) (improved bool) {
	all := d.loop.Evaluations()
	if f, feedback := e.(loop.FeedbackArrived); feedback && f.Evaluation >= 1 && f.Evaluation <= len(all) {
		improved = d.better(all[f.Evaluation-1])
	}
	for ; d.chronicle.looked < len(all); d.chronicle.looked++ {
		improved = d.better(all[d.chronicle.looked]) || improved
	}
	return improved
}

// better makes an evaluation the incumbent if its value is better.
func (d *Driver) better(e loop.Evaluation) bool {
	if !e.Status.Valued() {
		return false
	}
	d.reached = d.reached || d.suffices(e.Value)
	if k := d.chronicle.incumbent; k > 0 && !d.config.Study.Better(&e, &d.loop.Evaluations()[k-1]) {
		return false
	}
	d.chronicle.incumbent, d.chronicle.x = e.Number, e.Point(d.config.Study.Space)
	return true
}

// became reads from the counters what became of an event.
func became(e loop.Event, about loop.Evaluation, before, after loop.Counters) Outcome {
	failed := after.Failures > before.Failures
	if e, ok := e.(loop.EvaluationFailed); ok && e.Verdict == outcome.Lost {
		failed = after.Vanished > before.Vanished
	}
	switch {
	case after.Unknown > before.Unknown:
		return Unknown
	case after.Repeated > before.Repeated:
		return Repeated
	case after.Contradictory > before.Contradictory:
		return Contradictory
	case failed && about.Status == loop.Pending:
		return TriedAgain
	case failed, after.Infeasible > before.Infeasible:
		return GivenUp
	case after.LateValues > before.LateValues:
		return Late
	case after.Fallbacks > before.Fallbacks:
		return FellBack
	case after.Dropped > before.Dropped:
		return Refused
	}
	switch e.(type) {
	case loop.FeedbackArrived: // it was taken, whatever else came to its end in the same instant
	case loop.Fitted:
		if after.FitFailures > before.FitFailures {
			return Refused
		}
	default:
		if after.Timeouts > before.Timeouts || after.Expired > before.Expired {
			return TimedOut
		}
	}
	return Taken
}
