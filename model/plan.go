package model

import (
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Task is the work of an open ask: to bring the posteriors up to date. It may be done anywhere, beside the model, but by one
// goroutine, and only as long as the ask is open: it owns the memory of the posteriors until the ask is closed.
type Task struct {
	shown []Belief
	jobs  []job // one for each belief; none where nobody looks at a posterior
}

// job is what there is to do for one belief.
type job struct {
	plan    plan
	algebra *algebra
}

// plan is everything that a posterior depends on.
type plan struct {
	config     *Config
	want       Want
	prior      surrogate.Prior
	points     []space.Unit
	generation int
	base       []int
	baseKnown  []float64
	edits      []Edit
	known      []float64  // by row, after all edits
	context    space.Unit // of the pool; nil where there are none, or no pool at one
	filled     int        // edits after which the pool is filled
	targets    []float64
	unanswered []int
	failed     []int
	hopeless   []int
	spared     []int
	doomed     []int // those of them that are infeasible beyond doubt
	blank      bool
}

// Plan returns the work of an ask, after Sync and Face. Cost O(1) for each belief.
func (m *Model) Plan() Task {
	t := Task{shown: make([]Belief, len(m.beliefs))}
	if !m.config.Blind {
		t.jobs = make([]job, len(m.beliefs))
	}
	for i := range m.beliefs {
		of := m.of(i)
		t.shown[i] = of.shown()
		if !m.config.Blind {
			t.jobs[i] = job{of.plan(), of.algebra}
		}
	}
	return t
}

func (m sight) plan() plan {
	n := len(m.rows.edits)
	p := plan{
		config: &m.config, want: m.want, prior: m.prior(), points: m.points, generation: m.rows.generation,
		base: m.rows.base, baseKnown: m.rows.baseKnown, edits: m.rows.edits[:n:n], known: m.rows.known, targets: m.targets, unanswered: m.unanswered,
		failed: m.failed, hopeless: m.hopeless, spared: m.spared, doomed: m.doomed(), blank: m.config.Blank,
	}
	if m.rows.filled != NotFilled {
		p.context, p.filled = m.context, m.rows.filled
	}
	return p
}

// Think returns what the policy is shown, in the order of Config.Beliefs, and the greatest of each kind of trouble that one of
// them needed. Cost for each belief O(n²) for each row that is new since the last ask, O(n·d) for each failure that may be
// forgiven, O(n³) after new hyperparameters; with a pool of N points another O(nN) for each row, and O(n²N) where it is filled.
func (t Task) Think() ([]Belief, Trouble) {
	var worst Trouble
	shown := slices.Clone(t.shown)
	for i, j := range t.jobs {
		var trouble Trouble
		shown[i].Blamed = j.plan.blamed(shown[i].Rows)
		shown[i].Posterior, shown[i].Rows, trouble = j.algebra.posterior(j.plan, shown[i].Rows)
		worst = worst.with(trouble)
	}
	return shown, worst
}

// Opened keeps what was computed before an ask, for results that are wanted while it is open.
func (m *Model) Opened() {
	for i := range m.beliefs {
		m.beliefs[i].last = *m.beliefs[i].algebra
	}
}

// changes are the edits of the plan from one on to before another.
func (p plan) changes(from, to int) []surrogate.Edit {
	out := make([]surrogate.Edit, 0, to-from)
	for _, e := range p.edits[from:to] {
		if e.Number == 0 {
			out = append(out, surrogate.Edit{Row: e.Row})
		} else {
			out = append(out, surrogate.Edit{X: at(p.points, e.Number), Known: e.Known})
		}
	}
	return out
}

// pending are the rows that are to be hallucinated: those without an answer where the policy wants that, and failures that
// are forgiven or have no value. Cost O(n·d) for each failure that might be forgiven.
func (p plan) pending(rows []int) []int {
	var out []int
	if p.want.Pending == feedback.Hallucinate {
		out = p.unanswered
	}
	if p.blank {
		out = slices.Concat(out, p.failed)
		slices.Sort(out)
	} else if forgiven := p.forgiven(rows); len(forgiven) > 0 {
		out = slices.Concat(out, forgiven)
		slices.Sort(out)
	}
	return out
}

func (p plan) pointsOf(numbers []int) []space.Unit {
	x := make([]space.Unit, len(numbers))
	for i, number := range numbers {
		x[i] = at(p.points, number)
	}
	return x
}
