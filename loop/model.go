package loop

import (
	"math"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/surrogate"
)

// model keeps the posterior a function of the ledger. What belongs to the state of the study is brought up to date by
// sync, once for each Ask; the algebra follows where the ask is thought about, so that it holds no event up, and a replay
// does it once, at the end.
type model struct {
	config  Config
	buffer  buffer.Buffer
	floor   float64 // the worst value known or assumed so far, in the maximization sense; +Inf before any
	fits    fits
	learned          // as of the last sync
	next    *learned // adopted since; nil when none was

	queries  []policies.Query // every query, by number; entries never change
	greatest top              // greatest value that came and that the model may see
	changed  []int            // numbers of the queries whose row or target may have changed since the last sync

	// As of the last sync.
	units       feedback.Units
	best        top // greatest value the model sees
	rows        rows
	targets     []float64 // of the rows
	unanswered  []int     // rows without a usable answer
	failed      []int     // rows whose query failed, ascending: their target is a bad value
	hopeless    []int     // those of them that are infeasible beyond doubt
	spared      []int     // numbers of the latest queries that failed, may be forgiven and have no row, ascending
	suspects    int       // failed rows that might have been forgiven at the last rebuild
	rebuildSoon bool      // too many rows were lifted by round-off
	context     []float64 // that the pool is at: that of the last ask; nil where the pool follows none

	algebra *algebra // what was computed so far; it belongs to the task of the open ask
	last    algebra  // as it was before the open ask, for results meanwhile
}

// learned is what fits say: the kernel with its hyperparameters and the noise, and the scale of the warp of the values.
type learned struct {
	prior surrogate.Prior
	warp  float64 // in the units of the values; 0 without a warp
}

// top is the greatest value so far.
type top struct {
	number int // of its evaluation, the first of equals; 0 before the first
	seen   int // first round that sees it
	value  float64
}

func (m *model) start(c Config) {
	m.config = c
	m.buffer.Window = c.Window
	m.floor = math.Inf(1)
	if c.Floor != nil {
		m.floor = c.Sense().Sign() * *c.Floor
	}
	prior, _ := c.prior() // Validate has seen it
	if c.Model.Known() {
		prior = withHyper(prior, c.Model.Hyper, c.Model.Noise)
	}
	m.learned = learned{prior: prior}
	m.next = &learned{prior: prior}
	m.units = feedback.Units{Scale: 1}
	m.algebra = &algebra{}
}

// open adds a query: it enters the model at the next Ask.
func (m *model) open(q policies.Query) {
	m.queries = append(roomy(m.queries), q)
	m.buffer.Open(q.Number, q.Round, q.At)
	m.touch(q.Number)
}

// touch notes that the row or target of a query may have changed.
func (m *model) touch(number int) {
	if m.config.Traits.Model {
		m.changed = append(m.changed, number)
	}
}

// remove takes a query without an answer out of the model at the next Ask.
func (m *model) remove(number int) {
	m.buffer.Remove(number)
	m.touch(number)
}

// fail gives a query a bad value from the next Ask on, so that what crashes is not proposed again and again.
func (m *model) fail(number int, hopeless bool) {
	if hopeless {
		m.buffer.Forbid(number)
	} else {
		m.buffer.Fail(number)
	}
	m.touch(number)
}

// withHyper returns the prior with other hyperparameters, which are not logarithms.
func withHyper(p surrogate.Prior, hyper []float64, noise float64) surrogate.Prior {
	logs := make([]float64, len(hyper))
	for i, v := range hyper {
		logs[i] = math.Log(v)
	}
	p.Kernel, p.Noise = p.Kernel.WithParams(logs), noise
	return p
}

// hyperOf returns the hyperparameters of a kernel, not their logarithms.
func hyperOf(k surrogate.Kernel) []float64 {
	hyper := k.Params()
	for i, v := range hyper {
		hyper[i] = math.Exp(v)
	}
	return hyper
}

// reveal records an answer, in the maximization sense, and reports whether it is late.
func (m *model) reveal(number int, value float64, round int, at time.Duration) (late bool) {
	late = m.buffer.Reveal(number, value, round, at)
	m.touch(number)
	if !m.buffer.Usable(number, m.config.Traits.Pending) {
		return late
	}
	t := m.greatest
	earlier := round < t.seen || round == t.seen && number < t.number
	if t.number == 0 || value > t.value || value == t.value && earlier {
		m.greatest = top{number, round, value}
	}
	return late
}

// sync brings rows, targets and units up to the ledger. Cost O(n), that of members where the rows are chosen anew, or O(1)
// for a policy that looks at no model.
func (m *model) sync() {
	m.best = m.greatest
	if !m.config.Traits.Model {
		return
	}
	how := m.config.Traits.Pending
	renewed := m.next != nil
	if renewed {
		m.learned, m.next = *m.next, nil
	}
	m.units = m.measure(how)
	m.follow()
	m.mark()
	crowded := len(m.rows.now) > m.config.Model.Active || len(m.rows.edits) > m.config.Model.Active
	if renewed || crowded || m.rebuildSoon || m.failing() {
		m.rebuildSoon = false
		m.rows.rebuild(m.members())
		m.mark()
		m.suspects = len(m.failed) - len(m.hopeless)
	}
}

// mark says of each row what is in it, and which failures have none.
func (m *model) mark() {
	how := m.config.Traits.Pending
	m.targets, m.unanswered, m.failed, m.hopeless = make([]float64, len(m.rows.now)), nil, nil, nil
	for i, number := range m.rows.now {
		var answered bool
		if m.targets[i], answered = m.buffer.Target(number, how, m.units); !answered {
			m.unanswered = append(m.unanswered, i)
		}
		if failed, hopeless := m.buffer.Failed(number); failed {
			m.failed = append(m.failed, i)
			if hopeless {
				m.hopeless = append(m.hopeless, i)
			}
		}
	}
	m.spared = m.withoutRow()
}

// measure returns the model's units for the values seen so far. A policy that censors measures from the worst value,
// where its prior mean must lie; the others centre.
func (m *model) measure(how feedback.Imputation) feedback.Units {
	values := m.buffer.Values(how)
	switch {
	case m.config.Model.Known() && m.config.Floor != nil:
		return buffer.Identity(m.floor)
	case m.config.Model.Known():
		return buffer.Fails(buffer.Identity(0), values, true)
	case how != feedback.Censor:
		return buffer.Fails(buffer.Warped(values, buffer.WarpAt(values, m.warp)), values, false)
	}
	if m.config.Floor == nil {
		if len(values) == 0 {
			return feedback.Units{Scale: 1}
		}
		m.floor = buffer.LowerBound(values, m.floor)
	}
	return buffer.Floored(values, m.floor, m.config.Range)
}

// fill adds to a view what the model knows without algebra.
func (m *model) fill(v *policies.View) {
	v.Units, v.Best = m.units, math.Inf(-1)
	if m.best.number > 0 {
		v.Incumbent = m.queries[m.best.number-1].X
		v.Best = m.units.To(m.best.value)
	}
	if m.config.Traits.Model {
		v.Rows = m.rows.now
	}
}
