package loop

import "fmt"

// Wait is something that a study waits for, and that somebody has to bring about.
type Wait struct {
	For                         Awaited
	ID                          int // of the ask or the fit; 0 otherwise
	Evaluation, Attempt, Worker int // of the attempt; 0 otherwise
}

// Awaited is a kind of Wait.
type Awaited int

// What a study may wait for.
const (
	AwaitsAsk     Awaited = iota // the policy's answer to an Ask
	AwaitsFit                    // the result of a Fit
	AwaitsAttempt                // a worker that is at an attempt
	AwaitsReturn                 // a worker that has not returned from an attempt which was cancelled
	AwaitsAnswer                 // the answer of an attempt whose worker is free again
	AwaitsContext                // the context of the next query
	AwaitsWorker                 // a worker with a slot: there is none
)

// String returns the wait in words, such as "attempt 2 at evaluation 7 on worker 1".
func (w Wait) String() string {
	switch w.For {
	case AwaitsAsk:
		return fmt.Sprintf("the policy's answer to ask %d", w.ID)
	case AwaitsFit:
		return fmt.Sprintf("the result of fit %d", w.ID)
	case AwaitsAttempt:
		return fmt.Sprintf("attempt %d at evaluation %d on worker %d", w.Attempt, w.Evaluation, w.Worker)
	case AwaitsReturn:
		return fmt.Sprintf("the return of worker %d from attempt %d at evaluation %d", w.Worker, w.Attempt, w.Evaluation)
	case AwaitsAnswer:
		return fmt.Sprintf("the answer of attempt %d at evaluation %d", w.Attempt, w.Evaluation)
	case AwaitsContext:
		return "the context of the next query"
	case AwaitsWorker:
		return "a worker"
	}
	return fmt.Sprintf("Awaited(%d)", int(w.For))
}

// Waits returns everything that the study waits for; nothing after its end, and never nothing before. Whoever drives the loop
// can compare it with what is really under way. Cost O(p) for p pending evaluations.
func (l *Loop) Waits() (all []Wait) {
	if l.plan.finished {
		return nil
	}
	if l.plan.ask.ID != 0 {
		all = append(all, Wait{For: AwaitsAsk, ID: l.plan.ask.ID})
	}
	if f, open := l.model.Fitting(); open {
		all = append(all, Wait{For: AwaitsFit, ID: f.ID})
	}
	for _, number := range l.ledger.pending {
		switch e := l.ledger.get(number); {
		case e.Holds:
			all = append(all, Wait{For: AwaitsAttempt, Evaluation: number, Attempt: e.Attempt, Worker: e.Worker})
		case e.Running:
			all = append(all, Wait{For: AwaitsAnswer, Evaluation: number, Attempt: e.Attempt, Worker: e.Worker})
		}
	}
	for _, t := range l.ledger.overdue {
		all = append(all, Wait{For: AwaitsReturn, Evaluation: t.evaluation, Attempt: t.attempt, Worker: t.worker})
	}
	switch {
	case l.ledger.slots() == 0:
		all = append(all, Wait{For: AwaitsWorker})
	case l.Held() == HoldContext:
		all = append(all, Wait{For: AwaitsContext})
	}
	return all
}

// idles returns why a slot is free though there is something to do, or why nothing is awaited though the study goes on; empty
// when neither is so. After each event one of them would mean that the study stands still for ever.
func (l *Loop) idles() string {
	switch {
	case l.plan.finished:
	case len(l.Waits()) == 0:
		return "the study goes on and waits for nothing"
	case l.ledger.idle == 0:
	case len(l.ledger.ready) > 0:
		return fmt.Sprintf("%d slots are free, and evaluations %v wait for one", l.ledger.idle, l.ledger.ready)
	case l.plan.ask.ID == 0 && !l.awaitsFit() && l.Held() == HoldNone:
		return fmt.Sprintf("%d slots are free, and no query is being chosen", l.ledger.idle)
	}
	return ""
}
