package loop

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// plan is what was promised and is not yet done.
type plan struct {
	design       []space.Unit  // initial points, unit cube
	contexts     []space.Point // contexts waiting for a query, user units
	queue        []queued      // points that are to be the next queries
	observations []observation // from elsewhere, waiting for an ask to close
	ask          Ask           // the open one; ID 0 means none
	view         policies.View // what it may know, but for the model
	asked        int           // asks so far
	batch        int           // queries chosen in the current batch
	wake         time.Duration
	stopped      bool
	finished     bool
	reason       string
	last         time.Duration // when the last query was chosen
}

func (p *plan) start(c Config) {
	if c.Traits.Safety.Seeds {
		k, _ := c.caution() // Validate has seen it
		p.design = k.seeds
		return
	}
	p.design = c.Space.SampleOpen(c.Design, c.Initial, rng.New(c.Seed, rng.Design, 0))
}

func (p *plan) stop(reason string) {
	if !p.stopped {
		p.stopped, p.reason = true, clip(reason)
	}
}

// nextRound is the round of the next selection that has not begun: what is known now can be seen there.
func (l *Loop) nextRound() int {
	round := len(l.ledger.evaluations) + 1
	if l.plan.ask.ID != 0 {
		round += l.plan.ask.Count
	}
	return round
}

// schedule decides what happens next, at most one Ask and one Fit at a time.
func (l *Loop) schedule() {
	if l.plan.finished {
		return
	}
	l.admit()
	if l.plan.ask.ID == 0 && l.ledger.idle > 0 && !l.plan.stopped {
		l.forget()
	}
	for !l.plan.stopped && l.advance() {
	}
	l.wakeNext()
	l.finish()
}

// advance does one thing and reports whether there may be another.
func (l *Loop) advance() bool {
	w := l.ledger.free()
	switch {
	case w == nil:
		return false
	case len(l.ledger.ready) > 0:
		l.dispatch(w)
		return true
	case l.plan.ask.ID != 0 || l.used() || l.crowded() || l.barred():
		return false
	case !l.wished() && l.exhausted(): // somebody who wants a point again gets it
		return false
	case l.chooseSeed():
		return true
	case l.chooseQueued():
		return true
	case l.exhausted() || !l.hasContext():
		return false
	case len(l.ledger.evaluations) < l.config.Initial && !l.cautious() && !l.config.Traits.Bandit:
		l.chosen(l.apart(policies.Proposal{X: l.designed(len(l.ledger.evaluations))}))
		return true
	}
	if f, wanted := l.model.BeginFit(); wanted {
		l.emit(Fit{f})
	}
	if l.awaitsFit() {
		return false
	}
	l.openAsk()
	return false
}

func (l *Loop) openAsk() {
	l.plan.asked++
	n := len(l.ledger.evaluations)
	l.plan.ask = Ask{ID: l.plan.asked, Round: n + 1, Count: 1}
	l.model.Opened()
	l.model.Foresee(l.foreseen(Pending, Stopped))
	l.model.Weigh(l.weights())
	l.model.Sync()
	l.plan.view = policies.View{
		Round:   n + 1,
		At:      l.now,
		Space:   l.config.Space,
		Earlier: l.earlier,
		Quiet:   l.quiet(),
		Funds:   l.payable(),
		Window:  l.window(),
		Queries: l.ledger.queries[:n:n],
		Pending: l.expected(),
		History: l.ledger.show(),
		Taught:  l.config.Taught,
	}
	l.showCaution(&l.plan.view)
	if held := l.context(); held != nil {
		l.plan.view.Context = held
		l.model.Face(held)
	}
	l.emit(l.plan.ask)
}

// Outstanding returns the effects that were emitted and have no answer yet: what a driver must do again after it
// rebuilt a study from its events. Evaluations whose answer follows are not among them: they run elsewhere.
func (l *Loop) Outstanding() []Effect {
	var out []Effect
	if l.plan.finished {
		return out
	}
	if f, open := l.model.Fitting(); open {
		out = append(out, Fit{f})
	}
	for _, number := range l.ledger.pending {
		if e := l.ledger.get(number); e.Holds {
			out = append(out, Dispatch{e.Number, e.Attempt, e.Worker, e.Point(l.config.Space), e.Deadline})
		}
	}
	if l.plan.ask.ID != 0 {
		out = append(out, l.plan.ask)
	}
	if l.plan.wake > l.now {
		out = append(out, WakeAt{l.plan.wake})
	}
	return out
}

// apply makes the proposal of the policy the next evaluation.
func (e Proposed) apply(l *Loop) {
	if !l.closeAsk(e.Ask) {
		return
	}
	count := l.plan.ask.Count
	l.plan.ask = Ask{}
	l.troubled(e.Trouble)
	if l.exhausted() {
		return // since it was asked
	}
	if n := len(e.Proposals); n != count {
		l.fallback(fmt.Sprintf("%d proposals, want %d", n, count))
		return
	}
	for _, p := range e.Proposals {
		if err := l.config.Space.ContainsUnit(p.X); err != nil {
			l.fallback(err.Error())
			continue
		}
		x := l.config.Space.SnapAt(p.X, l.heldFor(p.X))
		if l.follows {
			l.answers(policies.Proposal{X: x, Forecast: p.Forecast, Probability: p.Probability})
			continue
		}
		if l.withheld(x) {
			l.fallback("the promise about the constraints has no room for the point")
			continue
		}
		l.answers(l.apart(policies.Proposal{X: x, Forecast: p.Forecast, Probability: p.Probability, Again: p.Again}))
	}
}

// apply fills the space in place of the policy.
func (e ProposeFailed) apply(l *Loop) {
	if l.closeAsk(e.Ask) {
		if l.plan.ask = (Ask{}); !l.follows && !l.exhausted() {
			l.fallback(e.Reason)
		}
	}
}

// closeAsk reports whether the answer belongs to the open ask.
func (l *Loop) closeAsk(id int) bool {
	l.reaction.Ask = id
	switch {
	case id < 1 || id > l.plan.asked:
		l.became(FateUnknown)
	case id != l.plan.ask.ID:
		l.became(FateRepeated)
	case l.plan.stopped:
		l.plan.ask = Ask{}
	default:
		return true
	}
	return false
}

const (
	fallbackCandidates = 64  // random points, of which the farthest from what was queried is chosen
	fallbackLooksBack  = 256 // latest queries that it keeps away from
)

// fallback chooses a point that fills the space in place of the policy: of some random points the one whose nearest
// query is farthest away, or a seed.
func (l *Loop) fallback(why string) {
	l.became(FateFellBack)
	l.reaction.Unusable = why
	if l.cautious() {
		l.answers(l.seedQuery())
		return
	}
	queries := l.ledger.queries[max(len(l.ledger.queries)-fallbackLooksBack, 0):]
	stream := rng.New(l.config.Seed, rng.Fallback, uint64(len(l.ledger.evaluations)+1))
	var best space.Unit
	greatest := -1.0
	for range fallbackCandidates {
		x := l.config.Space.RandomAt(l.context(), stream)
		nearest := math.Inf(1)
		for _, q := range queries {
			nearest = min(nearest, floats.Distance(x, q.X, 2))
		}
		if nearest > greatest {
			best, greatest = x, nearest
		}
	}
	l.answers(l.apart(policies.Proposal{X: best}))
}

// troubled counts what the model of a query needed, and draws the consequences.
func (l *Loop) troubled(t Trouble) {
	count := func(counter *int, n int) {
		if n > 0 {
			*counter++
		}
	}
	count(&l.counts.Jittered, t.Jittered)
	count(&l.counts.Lifted, t.Lifted)
	count(&l.counts.Merged, t.Merged)
	count(&l.counts.Raised, t.Raised)
	l.model.Troubled(t)
}

// answers makes a proposal that answers an ask the next evaluation.
func (l *Loop) answers(p policies.Proposal) {
	l.chosen(p)
	l.reaction.Evaluation = len(l.ledger.evaluations)
}

// chosen makes a proposal the next evaluation, consuming a context where the space has any: to the bit as it came.
func (l *Loop) chosen(p policies.Proposal) {
	l.begin(p)
	if where := l.config.Space; len(where.Contexts()) > 0 {
		given := make(space.Point, where.Dim())
		for i := range given {
			given[i] = math.NaN()
		}
		for j, i := range where.Contexts() {
			given[i] = l.plan.contexts[0][j]
		}
		l.ledger.get(len(l.ledger.evaluations)).Given = given
		l.plan.contexts = l.plan.contexts[1:]
	}
}

// begin makes a proposal the next evaluation.
func (l *Loop) begin(p policies.Proposal) {
	number := len(l.ledger.evaluations) + 1
	q := policies.Query{Number: number, Round: number, At: l.now, X: p.X, Probability: p.Probability}
	l.counts.Revisits += bit(l.valued(p.X))
	l.ledger.open(q, p.Forecast)
	l.ledger.get(number).Below = !l.config.Space.OnTarget(q.X)
	if k := l.seed(q.X); k >= 0 {
		l.ledger.get(number).Given = l.config.Space.Exact(l.config.Seeds[k]) // to the bit as the user gave it
	}
	l.model.Open(number, q.Round, q.At, q.X)
	if number > l.config.Initial {
		l.plan.batch++
	}
	l.plan.last = l.now
}

// atContext is u with the coordinates of the next context.
func (l *Loop) atContext(u space.Unit) space.Unit {
	u = slices.Clone(u)
	next := l.nextContext()
	for j, i := range l.config.Space.Contexts() {
		u[i] = next[j]
	}
	return l.config.Space.Canonical(u)
}

// context are the coordinates that are held for the next query: of the next context, and the greatest fidelity; nil where the space
// has neither.
func (l *Loop) context() space.Unit {
	if len(l.config.Space.Held()) == 0 {
		return nil
	}
	return l.config.Space.Hold(l.nextContext(), l.config.Space.Target())
}

// nextContext is the next context in the unit cube; nil where none waits.
func (l *Loop) nextContext() space.Unit {
	if len(l.plan.contexts) == 0 {
		return nil
	}
	unit := make(space.Unit, len(l.plan.contexts[0]))
	for j, i := range l.config.Space.Contexts() {
		unit[j] = l.config.Space.Parameter(i).Unit(l.plan.contexts[0][j])
	}
	return unit
}

// apply queues a context. One that is no point of the space, or one too many, is counted and dropped: the world
// may say what it likes.
func (e ContextArrived) apply(l *Loop) {
	contexts := l.config.Space.Contexts()
	if len(contexts) == 0 || len(e.Context) != len(contexts) || len(l.plan.contexts) == MaxContexts {
		l.became(FateRefused)
		return
	}
	for j, i := range contexts {
		if !l.config.Space.Parameter(i).Contains(e.Context[j]) {
			l.became(FateRefused)
			return
		}
	}
	l.plan.contexts = append(l.plan.contexts, l.config.Space.ExactContext(e.Context))
}

// after is t + d, or the end of time.
func after(t, d time.Duration) time.Duration {
	if t > math.MaxInt64-d {
		return math.MaxInt64
	}
	return t + d
}

func (l *Loop) dispatch(w *worker) {
	e := l.ledger.get(l.ledger.ready[0])
	l.ledger.ready = slices.Delete(l.ledger.ready, 0, 1)
	l.ledger.occupy(e, w)
	e.Attempt++
	e.Sent, e.Untimed = l.now, false
	if e.Attempt == 1 {
		e.Dispatched = l.now
	}
	if l.config.Timeout > 0 {
		e.Deadline = after(l.now, l.config.Timeout)
		l.ledger.deadlines = append(l.ledger.deadlines, expiry{e.Deadline, e.Number, e.Attempt})
	}
	l.emit(Dispatch{e.Number, e.Attempt, w.id, e.Point(l.config.Space), e.Deadline})
}
