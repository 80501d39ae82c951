package loop

import (
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// feedback takes a value for good: no later event can take it away.
func (l *Loop) feedback(e FeedbackArrived) {
	ev := l.ledger.get(e.Evaluation)
	l.heard(e.Evaluation, e.Attempt, e.Told)
	switch {
	case ev == nil || e.Attempt < 1 || e.Attempt > ev.Attempt:
		l.counts.Unknown++
		return
	case ev.Measured && ev.Value == e.Value:
		l.counts.Repeated++
		return
	case ev.Measured:
		l.counts.Contradictory++
		return
	case e.Infeasible && !outcome.Finite(e.Value):
		why := outcome.Failure{Reason: "infeasible", Verdict: outcome.Infeasible}
		l.failed(EvaluationFailed{Evaluation: e.Evaluation, Attempt: e.Attempt, Failure: why, Told: e.Told})
		return
	}
	if flaw := e.Flaw(); flaw != "" {
		l.counts.NotFinite++
		l.failed(EvaluationFailed{Evaluation: e.Evaluation, Attempt: e.Attempt, Failure: outcome.Failure{Reason: flaw}, Told: e.Told})
		return
	}
	l.needless(ev, e.Attempt, e.Told)
	ev.Outcome, ev.Measured = e.Outcome, true
	ev.Constraints = slices.Clone(e.Constraints)
	if violated := e.Violation(); violated != "" {
		ev.Outcome.Infeasible = true
		if ev.Status != Infeasible {
			l.counts.Infeasible++
			ev.Reason = clip(violated)
			l.giveUp(ev, Infeasible)
		}
		return
	}
	l.settleValue(ev, l.nextRound())
	if e.Suffices {
		l.plan.stop(ReasonTarget)
	}
}

// heard frees the slot of an attempt that is overdue when its worker speaks: whatever the worker says, it is done with it.
func (l *Loop) heard(evaluation, attempt int, told bool) {
	if !told {
		l.ledger.returned(evaluation, attempt)
	}
}

// needless cancels the latest attempt of an evaluation, if a worker is at it, when another attempt has answered or somebody
// else than the worker has.
func (l *Loop) needless(ev *Evaluation, answered int, told bool) {
	if ev.Holds && (told || answered < ev.Attempt) {
		l.cancel(ev)
	}
}

// settleValue makes an evaluation with a value one that has an outcome, which the selection of a round can see.
func (l *Loop) settleValue(ev *Evaluation, round int) {
	value := l.config.Sense().Sign() * ev.Value
	late := l.model.reveal(ev.Number, value, round, l.now)
	ev.Seen = round
	status := Observed
	if late {
		status = Late
		l.counts.LateValues++
	}
	l.plan.found(ev.Number)
	l.ledger.settle(ev, status, l.now)
	l.ledger.compare(ev)
	l.ledger.record(policies.Answer{Query: ev.Query, Forecast: ev.Forecast, Seen: ev.Seen, Value: value, Late: late})
	if j, judged := l.Judgment(ev.Number); judged {
		l.coverage.add(j)
	}
}

func (l *Loop) answerFollows(e AnswerFollows) {
	ev := l.ledger.get(e.Evaluation)
	l.heard(e.Evaluation, e.Attempt, false)
	if ev == nil || e.Attempt != ev.Attempt {
		l.counts.Unknown++
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

// failed ends an attempt without a value. That a point is infeasible counts also when it was given up for another reason.
func (l *Loop) failed(e EvaluationFailed) {
	ev := l.ledger.get(e.Evaluation)
	l.heard(e.Evaluation, e.Attempt, e.Told)
	switch {
	case ev == nil || e.Attempt < 1 || e.Attempt > ev.Attempt:
		l.counts.Unknown++
		return
	case e.Verdict == outcome.Infeasible && slices.Contains(rules[ev.Status].next, Infeasible):
		l.counts.Infeasible++
		l.needless(ev, e.Attempt, e.Told)
		ev.Reason = clip(e.Reason)
		l.giveUp(ev, Infeasible)
		return
	case e.Attempt < ev.Attempt || !ev.Running:
		l.counts.Repeated++
		return
	}
	l.needless(ev, e.Attempt, e.Told)
	ev.Reason = clip(e.Reason)
	if e.Verdict == outcome.Lost {
		l.vanished(ev)
		return
	}
	l.counts.Failures++
	ev.Failures++
	l.again(ev, ev.Failures <= l.config.Retries, Failed)
}

// vanished ends an attempt for which its worker is to blame. An evaluation that takes its workers down again and again is
// given up as lost.
func (l *Loop) vanished(ev *Evaluation) {
	l.counts.Vanished++
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
}

// cancel says that nobody waits for the latest attempt any longer. An exclusive worker stays busy until it has returned.
func (l *Loop) cancel(ev *Evaluation) {
	l.emit(Cancel{ev.Number, ev.Attempt, ev.Worker})
	if l.config.Exclusive {
		l.ledger.keep(ev)
	}
}

func (l *Loop) leaseEnds(ev *Evaluation) {
	l.counts.Expired++
	ev.Reason = fmt.Sprintf("no sign of life within %v", l.config.Lease)
	l.emit(Cancel{ev.Number, ev.Attempt, ev.Worker})
	l.giveUp(ev, Lost)
	l.plan.again(ev)
}
