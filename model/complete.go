package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// Complete gives a model whose state was read what follows from what became of the queries, which is that of another model with the
// same configuration; context is that of the last Face, nil before any. It looks at every number that could lead outside of
// something, so that a state from elsewhere makes an error here instead of a panic later. The other must not be used again.
func (m *Model) Complete(seen *Model, context space.Unit) error {
	m.points = seen.points
	for i := range m.outputs {
		m.outputs[i].buffer = seen.outputs[i].buffer
		if err := m.outputs[i].complete(); err != nil {
			return err
		}
	}
	if !m.weighs(m.weights) {
		return fmt.Errorf("weights %v of %d queries", m.weights, len(m.points))
	}
	for i := range m.beliefs {
		of := m.of(i)
		for _, part := range [...]func() error{of.completeValues, of.completeRows, of.completeMarks} {
			if err := part(); err != nil {
				return err
			}
		}
		if m.config.PoolsContext() {
			of.belief.context = context
		}
	}
	return m.completeFits()
}

// variances reports whether there are n variances, or none.
func variances(of []float64, n int) bool {
	return (of == nil || len(of) == n) && outcome.Finite(of...) && !slices.ContainsFunc(of, func(v float64) bool { return v < 0 })
}

func (o *output) complete() error {
	if !variances(o.variances, o.buffer.Len()) {
		return fmt.Errorf("known noise %v of %d values", o.variances, o.buffer.Len())
	}
	if o.since < 0 || o.since > o.buffer.Len() {
		return fmt.Errorf("learned after %d of %d queries", o.since, o.buffer.Len())
	}
	if !(o.floor > math.Inf(-1)) {
		return fmt.Errorf("floor %v", o.floor)
	}
	if err := o.completeInterims(); err != nil {
		return err
	}
	for _, l := range [...]learned{o.learned, o.latest()} {
		if _, err := o.spec.learn(l.prior, "", l.warp); err != nil {
			return err
		}
		if err := errors.Join(l.checkUnits(), o.spec.checkPenalty(l)); err != nil {
			return err
		}
		if !ascends(l.outliers) || len(l.outliers) > 0 && (l.outliers[0] < 1 || l.outliers[len(l.outliers)-1] > o.buffer.Len()) {
			return fmt.Errorf("outliers %v of %d queries", l.outliers, o.buffer.Len())
		}
		if err := l.prior.Validate(); err != nil {
			return err
		}
	}
	return nil
}

// among reports whether every number is that of a query.
func (m *Model) among(numbers ...int) bool {
	return !slices.ContainsFunc(numbers, func(number int) bool { return number < 1 || number > len(m.points) })
}

// amongRows is among for rows, which may be those of reports.
func (m *Model) amongRows(numbers ...int) bool {
	return !slices.ContainsFunc(numbers, func(number int) bool { return !m.among(max(number, -number)) })
}

// ascends reports whether no number comes twice and each is greater than the one before.
func ascends(numbers []int) bool {
	for i := 1; i < len(numbers); i++ {
		if numbers[i] <= numbers[i-1] {
			return false
		}
	}
	return true
}

func (m sight) completeValues() error {
	if u := m.units; !outcome.Finite(u.Warp.Anchor, u.Shift, u.Scale, u.Censored, u.Failed) || u.Scale <= 0 || !u.Warp.Sound() {
		return fmt.Errorf("units %+v", u)
	}
	for _, t := range [...]Top{m.greatest, m.best} {
		if t.Number != 0 && !m.among(t.Number) || !outcome.Finite(t.Value) {
			return fmt.Errorf("greatest value %+v of %d queries", t, len(m.points))
		}
	}
	return nil
}

func (m sight) completeRows() error {
	r := &m.rows
	if !m.amongRows(m.changed...) || !m.amongRows(r.base...) || !ascends(r.base) || r.generation < 0 {
		return fmt.Errorf("rows %v, changed %v, want queries", r.base, m.changed)
	}
	if !variances(r.baseKnown, len(r.base)) || !(r.noiseScale > 0) || !outcome.Finite(r.noiseScale) {
		return fmt.Errorf("known noise %v of %d rows in units of %v", r.baseKnown, len(r.base), r.noiseScale)
	}
	r.now, r.known, r.in, r.reports = slices.Clone(r.base), slices.Clone(r.baseKnown), nil, nil
	for _, number := range r.base {
		r.mark(number, true)
	}
	for _, e := range r.edits {
		switch {
		case e.Number == 0 && e.Row >= 0 && e.Row < len(r.now) && e.Known == 0:
			r.leave(e.Row)
		case e.Number != 0 && m.amongRows(e.Number) && e.Row == 0 && !r.has(e.Number) && variances([]float64{e.Known}, 1):
			r.enter(e.Number, e.Known)
		default:
			return fmt.Errorf("edit %+v of %d rows", e, len(r.now))
		}
	}
	if least := -bit(m.config.Draws && m.config.PoolsContext()); r.filled < least || r.filled > len(r.edits) {
		return fmt.Errorf("pool filled after %d of %d edits", r.filled, len(r.edits))
	}
	return nil
}

// completeMarks looks at what is said of the rows, and of failures without one.
func (m sight) completeMarks() error {
	for _, marked := range [...][]int{m.unanswered, m.failed, m.hopeless} {
		if !ascends(marked) || len(marked) > 0 && (marked[0] < 0 || marked[len(marked)-1] >= len(m.rows.now)) {
			return fmt.Errorf("marked rows %v of %d, want ascending ones", marked, len(m.rows.now))
		}
	}
	odd := func(number int) bool { return m.rows.has(number) || m.pends(number) }
	if !m.among(m.spared...) || !ascends(m.spared) || len(m.spared) > maxSpared || m.suspects < 0 || m.suspects > len(m.points) ||
		slices.ContainsFunc(m.spared, odd) {
		return fmt.Errorf("failures %v without a row, %d with one", m.spared, m.suspects)
	}
	for _, row := range m.failed {
		if contains(m.unanswered, row) {
			return fmt.Errorf("row %d failed and has no answer yet", row)
		}
	}
	for _, row := range m.hopeless {
		if !contains(m.failed, row) {
			return fmt.Errorf("row %d is hopeless and did not fail", row)
		}
	}
	return nil
}

// pends reports whether nothing has become of a query.
func (m sight) pends(number int) bool {
	failed, _ := m.failure(number)
	return !failed && !m.buffer.Revealed(number) && m.buffer.Member(number, feedback.Hallucinate)
}

// completeFits builds the work of an open fit. The hyperparameters that it starts from are the latest: none are adopted while it
// is open.
func (m *Model) completeFits() error {
	f := &m.fits
	if f.open != 0 && f.open != f.started || f.open < 0 {
		return fmt.Errorf("fit %d of %d is open", f.open, f.started)
	}
	if f.open == 0 {
		return nil
	}
	e := &f.effect
	if e.Output < 0 || int(e.Output) >= len(m.outputs) {
		return fmt.Errorf("fit of output %d of %d", int(e.Output), len(m.outputs))
	}
	if len(e.X) != len(e.Y) || !outcome.Finite(e.Y...) || !variances(e.Known, len(e.X)) || len(e.Numbers) != len(e.X) || !m.among(e.Numbers...) {
		return fmt.Errorf("fit of %d points and %d values, want as many of them, and finite", len(e.X), len(e.Y))
	}
	for _, x := range e.X {
		if err := m.config.Space.ContainsUnit(x); err != nil {
			return err
		}
	}
	k := m.firstOf(e.Output)
	if k < 0 {
		return fmt.Errorf("fit of output %d, of which there is no belief", int(e.Output))
	}
	e.ID = f.open
	m.of(k).prepare(e)
	return nil
}
