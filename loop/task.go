package loop

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/surrogate"
)

// Task is the work of an open Ask: to bring the posterior up to date and to let the policy choose. It may be done
// anywhere, beside the loop, but by one goroutine, and only as long as the ask is open: it owns the posterior's memory
// until its event comes back.
type Task struct {
	ask     Ask
	seed    uint64
	traits  policies.Traits
	view    policies.View
	plan    *posteriorPlan // nil where the policy looks at no model
	algebra *algebra
}

// posteriorPlan is everything that a posterior depends on.
type posteriorPlan struct {
	config     Config
	prior      surrogate.Prior
	queries    []policies.Query
	generation int
	base       []int
	edits      []edit
	context    []float64 // of the pool; nil where there are none, or no pool at one
	filled     int       // edits after which the pool is filled
	targets    []float64
	unanswered []int
	failed     []int
	hopeless   []int
	spared     []int
}

// Task returns the work of the open ask.
func (l *Loop) Task() Task {
	t := Task{ask: l.plan.ask, seed: l.config.Seed, traits: l.config.Traits, view: l.plan.view, algebra: l.model.algebra}
	if l.config.Traits.Model {
		plan := l.model.plan()
		t.plan = &plan
	}
	l.model.fill(&t.view)
	return t
}

func (m *model) plan() posteriorPlan {
	n := len(m.rows.edits)
	p := posteriorPlan{
		config: m.config, prior: m.prior, queries: m.queries, generation: m.rows.generation,
		base: m.rows.base, edits: m.rows.edits[:n:n], targets: m.targets, unanswered: m.unanswered,
		failed: m.failed, hopeless: m.hopeless, spared: m.spared,
	}
	if m.rows.filled != notFilled {
		p.context, p.filled = m.context, m.rows.filled
	}
	return p
}

// View returns what the policy may know for the open Ask, as things stood when it was asked: the view of its Task.
func (l *Loop) View() policies.View {
	view, _ := l.Task().View()
	return view
}

// View returns what the policy may know, and what its model needed. Cost O(n²) for each row that is new since the last
// ask, O(n·d) for each failure that may be forgiven, O(n³) after new hyperparameters; with a pool of N points another O(nN)
// for each row, and O(n²N) where it is filled.
func (t Task) View() (policies.View, Trouble) {
	v := t.view
	var trouble Trouble
	if t.plan != nil {
		v.Posterior, v.Rows, trouble = t.algebra.posterior(*t.plan, v.Rows)
	}
	return v, trouble
}

// Run does all of it and returns the event that answers the ask. A policy that panics has failed; the error carries what
// it said. So has one behind a pointer that was changed since the study began: it would want another model, and its name would
// say what it is not.
func (t Task) Run(policy policies.Policy) (event Event) {
	defer func() {
		if r := recover(); r != nil {
			event = t.ask.Failed(fmt.Sprintf("model panicked: %v", r))
		}
	}()
	if reflect.ValueOf(policy).Kind() == reflect.Pointer { // a value cannot change
		if err := t.traits.Match(policy); err != nil {
			return ProposeFailed{Ask: t.ask.ID, Reason: err.Error()}
		}
	}
	view, trouble := t.View()
	event = Propose(t.ask, view, policy, t.seed)
	if p, ok := event.(Proposed); ok {
		p.Trouble = trouble
		return p
	}
	return event
}

// Failed is the event that says why an ask has no answer.
func (a Ask) Failed(reason string) Event { return ProposeFailed{Ask: a.ID, Reason: reason} }

// Propose is the second half of Task.Run, for a view that is there: it lets the policy answer an ask.
func Propose(ask Ask, view policies.View, policy policies.Policy, seed uint64) (event Event) {
	defer func() {
		if r := recover(); r != nil {
			event = ask.Failed(fmt.Sprintf("policy panicked: %v", r))
		}
	}()
	proposals, err := policy.Propose(view, ask.Count, rng.New(seed, rng.Policy, uint64(ask.Round)))
	if err != nil {
		return ask.Failed(err.Error())
	}
	return Proposed{Ask: ask.ID, Proposals: proposals}
}

// keepForResults keeps what was computed before an ask, for results that are wanted while it is open.
func (m *model) keepForResults() { m.last = *m.algebra }

// algebra is the posterior that was computed last, and its pool.
type algebra struct {
	generation int // of the rows of the posterior; 0 before any
	done       int // edits that it has seen
	raised     int // times that the noise was raised
	post       *surrogate.Posterior
	filled     int // edits that it had seen when its pool was filled

	pool   *surrogate.Pool // the latest, of this posterior or the next
	pooled []float64       // parameters of its kernel
	at     []float64       // its context
}

// posterior does the algebra that is still missing. It returns the rows as well: fewer than those of the plan only where
// duplicates had to be merged.
func (a *algebra) posterior(plan posteriorPlan, rows []int) (*surrogate.Posterior, []int, Trouble) {
	pool := a.poolFor(plan)
	if !a.leadsTo(plan, pool) {
		first := pool
		if plan.filled > 0 {
			first = nil
		}
		post, raised, err := condition(plan.prior, plan.points(plan.base), first)
		if err != nil {
			return a.merged(plan, rows)
		}
		*a = algebra{generation: plan.generation, raised: raised, post: post, pool: a.pool, pooled: a.pooled, at: a.at}
	}
	a.carry(plan, pool)
	a.post = a.post.Revise(plan.changes(a.done, len(plan.edits)), plan.targets, plan.pending(rows))
	a.done = len(plan.edits)
	if !a.post.Usable() {
		return a.calmed(plan, rows)
	}
	return a.post, rows, Trouble{Jittered: jittered(a.post), Lifted: a.post.Clamped(), Raised: a.raised}
}

// leadsTo reports whether the plan goes on from the posterior that is there.
func (a *algebra) leadsTo(plan posteriorPlan, pool *surrogate.Pool) bool {
	if a.generation != plan.generation || a.post == nil || a.done > len(plan.edits) {
		return false
	}
	return a.done <= plan.filled || pool == nil || a.carries(plan, pool)
}

// changes are the edits of the plan from one on to before another.
func (p posteriorPlan) changes(from, to int) []surrogate.Edit {
	out := make([]surrogate.Edit, 0, to-from)
	for _, e := range p.edits[from:to] {
		if e.number == 0 {
			out = append(out, surrogate.Edit{Row: e.row})
		} else {
			out = append(out, surrogate.Edit{X: p.queries[e.number-1].X})
		}
	}
	return out
}

// pending are the rows that are to be hallucinated: those without an answer where the policy wants that, and failures that
// are forgiven. Cost O(n·d) for each failure that might be.
func (p posteriorPlan) pending(rows []int) []int {
	var out []int
	if p.config.Traits.Pending == feedback.Hallucinate {
		out = p.unanswered
	}
	if forgiven := p.forgiven(rows); len(forgiven) > 0 {
		out = slices.Concat(out, forgiven)
		slices.Sort(out)
	}
	return out
}

func (p posteriorPlan) points(numbers []int) [][]float64 {
	x := make([][]float64, len(numbers))
	for i, number := range numbers {
		x[i] = p.queries[number-1].X
	}
	return x
}
