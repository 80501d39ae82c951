package loop

import (
	"errors"
	"math"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/surrogate"
)

// model keeps the posterior a function of the ledger. What belongs to the state of the study is brought up to date by
// sync, once for each Ask; the algebra follows when a view is wanted, so that a replay does it once, at the end.
type model struct {
	config Config
	buffer feedback.Buffer
	floor  float64          // the worst value known or assumed so far, in the maximization sense; +Inf before any
	prior  surrogate.Prior  // as of the last sync
	next   *surrogate.Prior // adopted since; nil when none was
	fits   fits

	queries  []policies.Query // every query, by number; entries never change
	greatest top              // greatest value that came and that the model may see

	// As of the last sync.
	set        feedback.Set
	units      feedback.Units
	best       top // greatest value the model sees
	base       int // rows that the last rebuild held; the others were appended one by one
	generation int // counts rebuilds
	valid      int // leading rows of the cached posterior that are still those of the set

	cache cache
}

// top is the greatest value so far.
type top struct {
	number int // of its evaluation, the first of equals; 0 before the first
	seen   int // first round that sees it
	value  float64
}

// cache is the algebra that was done so far.
type cache struct {
	generation int       // of the rows of the posterior
	pooled     []float64 // parameters of the kernel of the pool
	pool       *surrogate.Pool
	posterior  *surrogate.Posterior
}

func (m *model) start(c Config) {
	m.config = c
	m.buffer.Window = c.Window
	m.floor = math.Inf(1)
	if c.Floor != nil {
		m.floor = c.sign() * *c.Floor
	}
	kernel, _ := c.kernel() // Validate has seen it
	prior, _ := surrogate.DefaultPrior(kernel.Name(), c.Space.Dim())
	prior.Kernel = kernel
	if c.Model.Known() {
		prior = withHyper(prior, c.Model.Hyper, c.Model.Noise)
	}
	m.prior, m.next = prior, &prior
	m.units = feedback.Units{Scale: 1}
}

// open adds a query: it enters the model at the next Ask.
func (m *model) open(q policies.Query) {
	m.queries = append(m.queries, q)
	m.buffer.Open(q.Number, q.Round, q.At)
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

// sync brings rows, targets and units up to the ledger. What follows the rows that stayed is appended to the factor one
// by one; new hyperparameters, or a change among the rows of the last rebuild, are a rebuild. Cost O(n), or O(1) for a
// policy that looks at no model.
func (m *model) sync() {
	m.best = m.greatest
	if !m.config.Traits.Model {
		return
	}
	how := m.config.Traits.Pending
	m.units = m.measure(m.buffer.Values(how))
	before := m.set.Numbers
	m.set = m.buffer.View(how, m.units)
	stayed := sharedPrefix(before, m.set.Numbers)
	m.valid = min(m.valid, stayed)
	if m.next != nil || stayed < m.base {
		if m.next != nil {
			m.prior, m.next = *m.next, nil
		}
		m.base = len(m.set.Numbers)
		m.generation++
	}
}

// sharedPrefix is the number of leading entries that a and b have in common.
func sharedPrefix(a, b []int) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// measure returns the model's units for the values seen so far. A policy that censors measures from the worst value,
// where its prior mean must lie; the others centre.
func (m *model) measure(values []float64) feedback.Units {
	censors := m.config.Traits.Pending == feedback.Censor
	switch {
	case m.config.Model.Known() && m.config.Floor != nil:
		return feedback.Identity(m.floor)
	case m.config.Model.Known():
		return feedback.Identity(0)
	case !censors:
		return feedback.Standardize(values)
	}
	if m.config.Floor == nil {
		if len(values) == 0 {
			return feedback.Units{Scale: 1}
		}
		m.floor = feedback.LowerBound(values, m.floor)
	}
	return feedback.Floored(values, m.floor, m.config.Range)
}

// fill adds the model to a view.
func (m *model) fill(v *policies.View) {
	v.Units, v.Best = m.units, math.Inf(-1)
	if m.best.number > 0 {
		v.Incumbent = m.queries[m.best.number-1].X
		v.Best = m.units.To(m.best.value)
	}
	if m.config.Traits.Model {
		v.Posterior, v.Rows = m.posterior(), m.set.Numbers
	}
}

// posterior does the algebra that is still missing.
func (m *model) posterior() *surrogate.Posterior {
	x := make([][]float64, len(m.set.Numbers))
	for i, number := range m.set.Numbers {
		x[i] = m.queries[number-1].X
	}
	p := m.cache.posterior
	switch {
	case m.cache.generation != m.generation || p == nil:
		p = m.rebuild(x[:m.base], m.set.Targets[:m.base])
	case p.Len() > m.valid:
		p = p.Prefix(m.valid)
	}
	for i := p.Len(); i < len(x); i++ {
		p = p.Append(x[i], m.set.Targets[i])
	}
	if m.config.Traits.Pending == feedback.Hallucinate {
		p = p.Hallucinate(m.set.Targets, m.set.Unanswered)
	} else {
		p = p.Retarget(m.set.Targets)
	}
	m.cache.posterior, m.cache.generation, m.valid = p, m.generation, p.Len()
	return p
}

// rebuild factorizes from scratch. When even the largest jitter does not help, the noise is raised until it does, so
// that no data can stop a study.
func (m *model) rebuild(x [][]float64, y []float64) *surrogate.Posterior {
	prior, pool := m.prior, m.pool()
	for {
		p, err := prior.Condition(x, y, pool)
		switch {
		case err == nil:
			return p
		case !errors.Is(err, surrogate.ErrNotPositiveDefinite) || prior.Noise > 1e6:
			panic("loop: model: " + err.Error()) // nothing that data can cause
		}
		prior.Noise = max(10*prior.Noise, 1e-6)
	}
}

// pool is the finite list as the posterior's pool, made anew when the kernel changed; nil for a box or with contexts.
func (m *model) pool() *surrogate.Pool {
	points := m.config.Space.UnitPoints()
	if points == nil || len(m.config.Space.Contexts()) > 0 {
		return nil
	}
	c := &m.cache
	draws := m.config.Traits.Draws && len(points) <= maxJointDraw
	switch {
	case c.pool == nil:
		c.pool = surrogate.NewPool(m.prior.Kernel, points, draws)
	case !slices.Equal(c.pooled, m.prior.Kernel.Params()):
		c.pool = c.pool.WithKernel(m.prior.Kernel, draws)
	}
	c.pooled = m.prior.Kernel.Params()
	return c.pool
}

// maxJointDraw bounds the points of a finite list over which exact joint draws are made; longer ones use random
// features.
const maxJointDraw = 4096

// recommended is the number of the evaluation with the greatest posterior mean among those whose value the model sees,
// the first of equals; 0 without a model or a value.
func (m *model) recommended() int {
	if !m.config.Traits.Model || m.best.number == 0 {
		return 0
	}
	p := m.posterior()
	best, greatest := 0, math.Inf(-1)
	for _, number := range m.buffer.Answered(m.config.Traits.Pending) {
		if mean := p.Mean(m.queries[number-1].X); mean > greatest {
			best, greatest = number, mean
		}
	}
	return best
}
