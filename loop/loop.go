package loop

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/survival"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
)

// ErrBrokenContract says that a driver fed the loop something that cannot be: a sequence number out of order, an event
// of the wrong shape. The loop must not be used again.
var ErrBrokenContract = errors.New("broken contract")

// Counters count what was answered and dropped, or replaced. None of it is an error.
type Counters struct {
	Repeated      int // answers that said again what was known
	Contradictory int // second values that differ from the first, which stands
	Unknown       int // answers that name no evaluation, attempt, ask or fit
	LateValues    int // values outside the window, or after the evaluation was given up
	NotFinite     int // values that were NaN or infinite: failed attempts
	Failures      int // failed attempts
	Timeouts      int // attempts that took too long
	Vanished      int // attempts lost with their workers
	Fallbacks     int // queries chosen to fill the space because the policy failed
	Jittered      int // queries chosen by a model to which noise had to be added
	Lifted        int // queries chosen by a model with a pivot that round-off had taken away
	Merged        int // queries chosen by a model in which coinciding points had to become one
	Raised        int // queries chosen by a model whose noise had to be raised
	Fits          int // hyperparameter fits that were adopted
	FitFailures   int // fits without a result
	Infeasible    int // attempts whose points cannot be evaluated or violate a constraint
	Expired       int // leases that ended
	Forgotten     int // pending queries that were left out of the model, since an answer was hardly expected any more
	GivenUp       int // pending queries that were given up as lost for the same reason
	Restarts      int // processes that drove the study and ended before it
	Revisits      int // queries at a point that had a value
	Reports       int // values on the way to the end that were taken
	Resaid        int // reports that said again what the one before had said
	Contested     int // reports of the same step with another value, of which the first stands
	Stale         int // reports of an earlier step than the greatest
	Overdue       int // reports of attempts that had come to their end
	Malformed     int // reports that were NaN or infinite
	Stopped       int // evaluations ended early
	Dropped       int // contexts, observations and enqueued points outside the space, workers without slots, and all beyond the limits
}

// Loop is the state of a study. Build it with New; feed it with Step, from one goroutine at a time.
type Loop struct {
	config   Config
	caution  caution
	earlier  []policies.Earlier // models, by the configuration
	points   int                // different points of the space; 0 where they are too many to run out of
	follows  bool               // another study, which chooses: see NewFollower
	ledger   ledger
	model    model.Model
	plan     plan
	counts   Counters
	coverage Coverage
	repeats  Coverage // by the values of queries that repeat one that was lost, with the greatest target
	seq      uint64
	now      time.Duration
	broken   error
	output   []Effect      // of the event under way
	reaction Reaction      // to it, but for the effects
	law      *survival.Law // of the delays, as of this event; nil where nobody has asked since something was settled
	looked   looked        // what was worked out since this event
}

// New returns a study in which nothing has happened, or every violation of the configuration.
func New(c Config) (*Loop, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return begin(c.withDefaults()), nil
}

// NewFollower is New for a loop that is to follow, event by event, the study of another policy: where Initial is 0 it has no initial design,
// as a study has none that began with what earlier ones knew. What is proposed to it was chosen there: it is not moved away from another query,
// nothing takes its place where the study chose nothing, and there is no end because another value would tell this model nothing. Restore cannot read its snapshot.
// An error is every violation of the configuration.
func NewFollower(c Config) (*Loop, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	follows := c.withDefaults()
	if c.Initial == 0 && len(c.Seeds) == 0 {
		follows.Initial = 0
	}
	l := begin(follows)
	l.follows = true
	return l, nil
}

// begin returns a study of a configuration that was validated, and has its defaults.
func begin(c Config) *Loop {
	l := &Loop{config: c}
	l.caution, _ = c.caution() // Validate has seen it
	l.earlier, _ = c.earlier() // and these
	if len(c.Space.Contexts()) == 0 {
		l.points = c.Space.Distinct(MaxBudget)
	}
	l.model = *model.New(c.model())
	l.plan.start(c)
	return l
}

// Config returns the configuration with defaults filled in, and the budget as it is now.
func (l *Loop) Config() Config { return l.config }

// Now returns the sequence number and the time of the last event.
func (l *Loop) Now() (seq uint64, at time.Duration) { return l.seq, l.now }

// Step takes the next event and returns what became of it and what must be done. It changes the state and nothing else.
// Answers that match nothing are counted and dropped. An error wraps ErrBrokenContract.
func (l *Loop) Step(e Stamped) (Reaction, error) {
	switch {
	case l.broken != nil:
		return Reaction{}, l.broken
	case e.Seq != l.seq+1:
		l.broken = fmt.Errorf("%w: event %d after event %d", ErrBrokenContract, e.Seq, l.seq)
		return Reaction{}, l.broken
	case e.Event == nil:
		l.broken = fmt.Errorf("%w: event %d: none", ErrBrokenContract, e.Seq)
		return Reaction{}, l.broken
	}
	l.seq, l.now = e.Seq, max(l.now, e.At)
	l.output, l.reaction, l.law, l.looked = nil, Reaction{}, nil, looked{}
	l.reaction.Evaluation, l.reaction.Attempt, _ = About(e.Event)
	if !startsAgain(e.Event) {
		l.expire()
	}
	e.Event.apply(l)
	l.schedule()
	return l.reacted(), nil
}

func (l *Loop) emit(e Effect) { l.output = append(l.output, e) }

// apply adds a worker's slots. A worker without slots, or one too many, is counted and dropped.
func (e WorkerJoined) apply(l *Loop) {
	if e.Slots < 1 || (l.ledger.worker(e.Worker) == nil && len(l.ledger.workers) == MaxWorkers) {
		l.became(FateRefused)
		return
	}
	l.ledger.join(e.Worker, min(e.Slots, MaxSlots))
}

// apply gives a worker another number of slots.
func (e WorkerResized) apply(l *Loop) {
	switch w := l.ledger.worker(e.Worker); {
	case w == nil:
		l.became(FateUnknown)
	case e.Slots < 0 || e.Slots > MaxSlots:
		l.became(FateRefused)
	default:
		l.ledger.resize(w, e.Slots)
	}
}

// apply queues what the worker was doing for another one.
func (e WorkerLeft) apply(l *Loop) {
	if l.ledger.worker(e.Worker) == nil {
		l.became(FateUnknown)
		return
	}
	for _, number := range slices.Clone(l.ledger.pending) {
		ev := l.ledger.get(number)
		if !ev.Holds || ev.Worker != e.Worker {
			continue
		}
		ev.Reason = clip(e.Reason)
		l.vanished(ev)
	}
	l.ledger.leave(e.Worker)
}

// apply does nothing: what time brings comes about before every event.
func (Woke) apply(*Loop) {}

// apply lets the study end.
func (e StopRequested) apply(l *Loop) { l.plan.stop(e.Reason) }

// again queues an evaluation whose attempt ended without a value, or gives it up with a status.
func (l *Loop) again(e *Evaluation, retry bool, otherwise Status) {
	if retry && !l.plan.stopped {
		l.ledger.release(e)
		ended := l.now
		if e.Deadline > 0 {
			ended = min(ended, e.Deadline) // nobody may have looked before
		}
		e.Tried = after(e.Tried, ended-e.Sent)
		e.Running, e.Deadline, e.Lease = false, 0, 0
		l.ledger.ready = append(l.ledger.ready, e.Number)
		return
	}
	l.giveUp(e, otherwise)
}

// giveUp ends an evaluation without a value that counts.
func (l *Loop) giveUp(e *Evaluation, s Status) {
	l.settle(e, s)
	switch {
	case rules[s].fails:
		l.found(e)
		l.model.Fail(e.Number, s == Infeasible)
	case s != Stopped: // that stays in the model as what pends does, see guessed
		l.model.Remove(e.Number)
	}
}

// clip cuts a reason to what is kept, between two characters.
func clip(reason string) string {
	if len(reason) <= maxReason {
		return reason
	}
	return strings.ToValidUTF8(reason[:maxReason], "")
}
