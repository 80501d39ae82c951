package loop

import "fmt"

// Reaction is what a Step made of its event. It says everything that a driver needs to answer whoever brought the event: nobody
// has to compare the state before with the state after.
type Reaction struct {
	Fate        Fate
	Evaluation  int      // that the event names, whether there is one or not, or that was chosen by it; 0 for none
	Attempt     int      // that the event names, or that the evaluation is at where it names none
	Status      Status   // of the evaluation after the event, where there is one
	Overdue     bool     // nobody waited for the attempt any more when its answer came: it took too long, was cancelled or tried again
	Ask, Fit    int      // that the event answers; 0 for none
	Observation int      // of the observations of the study, the one that the event brings, counted from 1; 0 for none: Loop.Admitted has its evaluation
	Vanished    int      // attempts that went down with a worker
	Expired     []Expiry // attempts whose time was up before the event, in the order in which that was noticed, whatever became of the event itself
	Settled     int      // queries that are pending no more: they have an outcome, or were given up
	Unusable    string   // why the answer of the policy could not be used, where another point took the place of it
	Judged      bool     // whether the event brought a value that had a forecast, and is taken for no penalty
	Judgment    Judgment // how that forecast did, where Judged
	Effects     []Effect // what must be done, in this order, after the event is safely kept
}

// Expiry is an attempt whose time was up.
type Expiry struct {
	Evaluation, Attempt int
	Limit               Limit
	Again               bool // whether its evaluation has another attempt; otherwise it was given up
}

// Limit is what an attempt may not outlast.
type Limit int

// What an attempt may not outlast.
const (
	LimitTimeout Limit = iota // Config.Timeout
	LimitLease                // Config.Lease, without a renewal
	LimitSilence              // a silence after which hardly any answer is expected: Config.GiveUp
)

// Fate is what became of an event.
type Fate int

// What may become of an event.
const (
	FateTaken         Fate = iota // it did what it says
	FateLate                      // the value came outside the window, or after its evaluation was given up
	FateRepeated                  // it said again what was known
	FateContradictory             // the evaluation has another answer, which stands
	FateUnknown                   // it names no evaluation, attempt, worker, ask or fit
	FateTriedAgain                // the attempt failed, and the evaluation will have another
	FateGivenUp                   // the attempt failed, and it was the last
	FateTimedOut                  // it did what it says; before, time had passed, and with it the deadline or the lease of an attempt, or all hope of it
	FateFellBack                  // the policy's answer could not be used; the query is a point that fills the space
	FateRefused                   // a fit, a context, a point, a budget or a worker that could not be used, or one too many
	FateStale                     // the report is of an earlier step than another that came before
	FateEnded                     // the report is of an attempt that has come to its end, or the attempt was ended early and says that it did end
	fates
)

// Fates returns all of them.
func Fates() []Fate {
	all := make([]Fate, fates)
	for i := range all {
		all[i] = Fate(i)
	}
	return all
}

// String returns the fate in words.
func (f Fate) String() string {
	names := [fates]string{"taken", "late", "repeated", "contradictory", "unknown", "tried again", "given up", "timed out", "fell back", "refused", "stale", "ended"}
	if f < 0 || f >= fates {
		return fmt.Sprintf("Fate(%d)", int(f))
	}
	return names[f]
}

// became notes what became of the event, and counts it.
func (l *Loop) became(f Fate) {
	l.reaction.Fate = f
	switch f {
	case FateLate:
		l.counts.LateValues++
	case FateRepeated:
		l.counts.Repeated++
	case FateContradictory:
		l.counts.Contradictory++
	case FateUnknown:
		l.counts.Unknown++
	case FateFellBack:
		l.counts.Fallbacks++
	case FateRefused:
		l.counts.Dropped++
	}
}

// settle ends an evaluation with a status, now.
func (l *Loop) settle(e *Evaluation, s Status) {
	l.reaction.Settled += bit(e.Status == Pending && !e.Foreign)
	l.unnote(e)
	l.ledger.settle(e, s, l.now)
	l.note(e)
	l.learnPace()
	l.law = nil
}

// expired notes that the time of the latest attempt at an evaluation was up. An event that says more than that time has passed says
// later what became of it.
func (l *Loop) expired(e *Evaluation, limit Limit) {
	l.reaction.Expired = append(l.reaction.Expired, Expiry{e.Number, e.Attempt, limit, e.Status == Pending})
	if l.reaction.Fate == FateTaken {
		l.reaction.Fate = FateTimedOut
	}
}

// reacted completes the reaction after everything that followed from the event.
func (l *Loop) reacted() Reaction {
	r := &l.reaction
	r.Effects = l.output
	for i := range r.Expired {
		x := &r.Expired[i]
		x.Again = x.Again && l.ledger.get(x.Evaluation).Status != Cancelled // nor where the study ended in the same step
	}
	e := l.ledger.get(r.Evaluation)
	if e == nil {
		return *r
	}
	r.Status = e.Status
	if r.Attempt == 0 && r.Fate != FateUnknown { // the event names the evaluation alone, or chose it
		r.Attempt = e.Attempt
	}
	if r.Fate == FateTriedAgain && e.Status != Pending {
		r.Fate = FateGivenUp // the study ended in the same step
	}
	return *r
}
