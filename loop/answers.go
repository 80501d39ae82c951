package loop

import (
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/outcome"
)

// apply takes a value for good, whatever else came to its end in the same instant: no later event can take it away.
func (e FeedbackArrived) apply(l *Loop) {
	ev := l.attempted(e.Evaluation, e.Attempt, e.Told)
	switch {
	case ev == nil:
		return
	case ev.Repeats(e.Outcome):
		l.became(FateRepeated)
		return
	case ev.Measured:
		l.became(FateContradictory)
		return
	case e.Infeasible && !outcome.Finite(e.Value):
		why := outcome.Failure{Reason: "infeasible", Verdict: outcome.Infeasible}
		l.failed(ev, EvaluationFailed{e.Evaluation, e.Attempt, why, e.Told, e.Found})
		return
	}
	if flaw := l.config.flaw(e.Outcome); flaw != "" {
		l.counts.NotFinite += bit(e.Flaw() != "")
		l.failed(ev, EvaluationFailed{e.Evaluation, e.Attempt, outcome.Failure{Reason: flaw}, e.Told, e.Found})
		return
	}
	l.became(FateTaken)
	l.needless(ev, e.Attempt, e.Told, e.Found)
	ev.Outcome, ev.Measured = e.Outcome, true
	ev.Constraints = slices.Clone(e.Constraints)
	violated := l.config.violation(e.Outcome)
	if violated == "" && ev.Status == Infeasible && l.cautious() {
		violated = ev.Reason // a violation that is known is not taken back
	}
	if violated != "" {
		l.violates(ev, violated, l.nextRound())
		return
	}
	l.settleValue(ev, l.nextRound())
	if e.Suffices && !ev.Below {
		l.plan.stop(ReasonTarget)
	}
}

// attempted frees the slot of an attempt that is overdue when its answer comes, and returns its evaluation; nil where there is no
// such attempt.
func (l *Loop) attempted(evaluation, attempt int, told bool) *Evaluation {
	ev := l.ledger.get(evaluation)
	l.heard(evaluation, attempt, told)
	if ev == nil || attempt < 1 || attempt > ev.Attempt {
		l.became(FateUnknown)
		return nil
	}
	l.reaction.Overdue = attempt < ev.Attempt || !ev.Running
	return ev
}

// heard frees the slot of an attempt that is overdue when its worker speaks: whatever the worker says, it is done with it.
func (l *Loop) heard(evaluation, attempt int, told bool) {
	if !told {
		l.ledger.returned(evaluation, attempt)
	}
}

// needless cancels the latest attempt of an evaluation, if a worker is at it, when another attempt has answered or somebody
// else than the worker has. Then the time since it was sent out is not that of an answer, nor where the answer was found.
func (l *Loop) needless(ev *Evaluation, answered int, told, found bool) {
	elsewhere := answered < ev.Attempt || told && ev.Holds
	if elsewhere || found {
		l.untimed(ev)
	}
	if ev.Holds && elsewhere {
		l.cancel(ev)
	}
}

// settleValue makes an evaluation with a value one that has an outcome, which the selection of a round can see.
func (l *Loop) settleValue(ev *Evaluation, round int) {
	ev.Seen = round
	if ev.Status == Stopped {
		l.model.Remove(ev.Number) // it was given up: its value is late
	}
	late := l.reveal(&l.model, ev, l.now)
	status := Observed
	if late {
		status = Late
		l.became(FateLate)
	}
	l.settle(ev, status)
	l.compare(ev)
	l.found(ev)
	l.remember(ev)
}

// apply frees the slot of the attempt; its answer is still awaited.
func (e AnswerFollows) apply(l *Loop) {
	ev := l.ledger.get(e.Evaluation)
	l.heard(e.Evaluation, e.Attempt, false)
	if ev == nil || e.Attempt != ev.Attempt {
		l.became(FateUnknown)
		return
	}
	held := ev.Holds
	l.ledger.release(ev) // the answer is still awaited, until the deadline or the end of the lease if there are any
	if held && e.Retire {
		l.ledger.retire(ev.Worker)
	}
	if held && l.config.Lease > 0 {
		l.ledger.lease(ev, after(l.now, l.config.Lease))
	}
}

// apply ends an attempt without a value.
func (e EvaluationFailed) apply(l *Loop) {
	ev := l.attempted(e.Evaluation, e.Attempt, e.Told)
	switch {
	case ev == nil:
	case ev.Status == Stopped && e.Attempt == ev.Attempt && !e.Told && e.Verdict != outcome.Infeasible:
		l.became(FateEnded) // its report was told to stop, and it did
	default:
		l.failed(ev, e)
	}
}

// failed ends an attempt without a value. That a point is infeasible counts also when it was given up for another reason.
func (l *Loop) failed(ev *Evaluation, e EvaluationFailed) {
	attempt, why := e.Attempt, e.Failure
	switch {
	case why.Verdict == outcome.Infeasible && ev.Status.Valued():
		l.became(FateContradictory)
		return
	case why.Verdict == outcome.Infeasible && slices.Contains(rules[ev.Status].next, Infeasible):
		l.needless(ev, attempt, e.Told, e.Found)
		l.forbid(ev, why.Reason)
		return
	case attempt < ev.Attempt || !ev.Running:
		l.became(FateRepeated)
		return
	}
	l.needless(ev, attempt, e.Told, e.Found)
	l.became(FateTriedAgain)
	ev.Reason = clip(why.Reason)
	if why.Verdict == outcome.Lost {
		l.vanished(ev)
		return
	}
	l.counts.Failures++
	ev.Failures++
	l.again(ev, ev.Failures <= l.config.Retries, Failed)
}

// forbid gives an evaluation up whose point is infeasible.
func (l *Loop) forbid(ev *Evaluation, why string) {
	l.became(FateGivenUp)
	l.counts.Infeasible++
	ev.Reason = clip(why)
	l.giveUp(ev, Infeasible)
	l.distrust(ev)
}

// Lasts reports whether an event is heard also after the end of a study: a value, wherever it was measured, or the verdict that a point
// cannot be evaluated. A measurement is never thrown away.
func Lasts(e Event) bool {
	switch e := e.(type) {
	case FeedbackArrived, ObservationArrived:
		return true
	case EvaluationFailed:
		return e.Failure.Lasts()
	}
	return false
}

// vanished ends an attempt for which its worker is to blame. An evaluation that takes its workers down again and again is
// given up as lost.
func (l *Loop) vanished(ev *Evaluation) {
	l.counts.Vanished++
	l.reaction.Vanished++
	ev.Vanished++
	l.again(ev, ev.Vanished <= MaxLost, Lost)
}

// expire ends the attempts whose time is up or whose lease is, in the order in which that happened.
func (l *Loop) expire() {
	for {
		d, timed := l.ledger.nextDeadline()
		e, leased := l.ledger.nextLease()
		switch {
		case timed && d.at <= l.now && !(leased && e.at < d.at):
			l.timeUp(l.ledger.get(d.evaluation))
		case leased && e.at <= l.now:
			l.leaseEnds(l.ledger.get(e.evaluation))
		default:
			l.giveUpSilent()
			return
		}
	}
}

func (l *Loop) timeUp(ev *Evaluation) {
	l.counts.Timeouts++
	ev.Failures++
	ev.Reason = fmt.Sprintf("no answer within %v", l.config.Timeout)
	l.cancel(ev)
	l.again(ev, ev.Failures <= l.config.Retries, TimedOut)
	l.expired(ev, LimitTimeout)
}

// cancel says that nobody waits for the latest attempt any longer. An exclusive worker stays busy until it has returned.
func (l *Loop) cancel(ev *Evaluation) {
	l.emit(Cancel{Evaluation: ev.Number, Attempt: ev.Attempt, Worker: ev.Worker})
	if l.config.Exclusive {
		l.ledger.keep(ev)
	}
}

func (l *Loop) leaseEnds(ev *Evaluation) {
	l.counts.Expired++
	ev.Reason = fmt.Sprintf("no sign of life within %v", l.config.Lease)
	l.emit(Cancel{Evaluation: ev.Number, Attempt: ev.Attempt, Worker: ev.Worker})
	l.giveUp(ev, Lost)
	l.askAgain(ev)
	l.expired(ev, LimitLease)
}
