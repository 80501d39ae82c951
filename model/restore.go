package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/surrogate"
)

// Restore gives a model that has seen the queries, and nothing else since New, the rest of its state; context is that of the last
// Face, nil before any. It looks at every number that could lead outside of something, so that a state from elsewhere makes an
// error here instead of a panic later. The state is the model's from then on.
func (m *Model) Restore(s State, context []float64) error {
	if len(s.Outputs) != len(m.outputs) || len(s.Beliefs) != len(m.beliefs) {
		return fmt.Errorf("%d outputs and %d beliefs, want %d and %d", len(s.Outputs), len(s.Beliefs), len(m.outputs), len(m.beliefs))
	}
	for i := range m.outputs {
		if err := m.outputs[i].restore(&s.Outputs[i]); err != nil {
			return err
		}
	}
	for i := range m.beliefs {
		of := m.of(i)
		for _, part := range [...]func(*BeliefState) error{of.restoreValues, of.restoreRows, of.restoreMarks} {
			if err := part(&s.Beliefs[i]); err != nil {
				return err
			}
		}
		if m.config.PoolsContext() {
			of.belief.context = context
		}
	}
	return m.restoreFits(&s.Fits)
}

// variances reports whether there are n variances, or none.
func variances(of []float64, n int) bool {
	return (len(of) == 0 || len(of) == n) && outcome.Finite(of...) && !slices.ContainsFunc(of, func(v float64) bool { return v < 0 })
}

// none is nil for an empty list: a snapshot does not tell them apart.
func none(of []float64) []float64 {
	if len(of) == 0 {
		return nil
	}
	return of
}

func (o *output) restore(s *OutputState) error {
	if !variances(s.Variances, o.buffer.Len()) {
		return fmt.Errorf("known noise %v of %d values", s.Variances, o.buffer.Len())
	}
	o.variances = none(s.Variances)
	initial := o.prior
	o.floor, o.next, o.size, o.urged = s.Floor, nil, s.Size, s.Urged
	if !(o.floor > math.Inf(-1)) {
		return fmt.Errorf("floor %v", o.floor)
	}
	var err error
	if o.learned, err = s.Prior.hold(o.spec, initial); err != nil {
		return err
	}
	if s.Next != nil {
		next, err := s.Next.hold(o.spec, initial)
		if err != nil {
			return err
		}
		o.next = &next
	}
	return nil
}

// hold returns p with the kernel and the numbers of the state. An error says that they make no prior.
func (s PriorState) hold(of Spec, p surrogate.Prior) (learned, error) {
	l, err := of.learn(p, s.Name, s.Warp)
	if err != nil {
		return l, err
	}
	if n, want := len(s.Kernel), len(l.prior.Kernel.Hyper()); n != want {
		return l, fmt.Errorf("%d hyperparameters, want %d", n, want)
	}
	l.prior.Kernel, l.prior.Noise = l.prior.Kernel.WithValues(s.Kernel), s.Noise
	return l, l.prior.Validate()
}

// among reports whether every number is that of a query.
func (m *Model) among(numbers ...int) bool {
	return !slices.ContainsFunc(numbers, func(number int) bool { return number < 1 || number > len(m.points) })
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

func (m sight) restoreValues(s *BeliefState) error {
	if u := s.Units; !outcome.Finite(u.Warp.Top, u.Warp.Scale, u.Shift, u.Scale, u.Censored, u.Failed) || u.Scale <= 0 || u.Warp.Scale < 0 {
		return fmt.Errorf("units %+v", u)
	}
	for _, t := range [...]Top{s.Greatest, s.Best} {
		if t.Number != 0 && !m.among(t.Number) || !outcome.Finite(t.Value) {
			return fmt.Errorf("greatest value %+v of %d queries", t, len(m.points))
		}
	}
	m.greatest, m.best, m.units, m.targets = s.Greatest, s.Best, s.Units, s.Targets
	return nil
}

func (m sight) restoreRows(s *BeliefState) error {
	if !m.among(s.Changed...) || !m.among(s.Base...) || !ascends(s.Base) || s.Generation < 0 {
		return fmt.Errorf("rows %v, changed %v, want queries", s.Base, s.Changed)
	}
	r := &m.rows
	if !variances(s.BaseKnown, len(s.Base)) || !(s.NoiseScale > 0) || !outcome.Finite(s.NoiseScale) {
		return fmt.Errorf("known noise %v of %d rows in units of %v", s.BaseKnown, len(s.Base), s.NoiseScale)
	}
	m.changed = s.Changed
	*r = rows{generation: s.Generation, noiseScale: s.NoiseScale}
	r.rebuild(s.Base, none(s.BaseKnown))
	r.generation, r.edits, r.filled = s.Generation, s.Edits, s.Filled
	r.now = slices.Clone(r.now)
	r.known = slices.Clone(r.known)
	for _, e := range r.edits {
		switch {
		case e.Number == 0 && e.Row >= 0 && e.Row < len(r.now):
			r.leave(e.Row)
		case e.Number != 0 && m.among(e.Number) && e.Row == 0 && !r.has(e.Number) && variances([]float64{e.Known}, 1):
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

// restoreMarks looks at what is said of the rows, and of failures without one.
func (m sight) restoreMarks(s *BeliefState) error {
	for _, marked := range [...][]int{s.Unanswered, s.Failed, s.Hopeless} {
		if !ascends(marked) || len(marked) > 0 && (marked[0] < 0 || marked[len(marked)-1] >= len(m.rows.now)) {
			return fmt.Errorf("marked rows %v of %d, want ascending ones", marked, len(m.rows.now))
		}
	}
	if !m.among(s.Spared...) || !ascends(s.Spared) || len(s.Spared) > maxSpared || s.Suspects < 0 || s.Suspects > len(m.points) ||
		slices.ContainsFunc(s.Spared, func(number int) bool { return m.rows.has(number) || m.pends(number) }) {
		return fmt.Errorf("failures %v without a row, %d with one", s.Spared, s.Suspects)
	}
	for _, row := range s.Failed {
		if contains(s.Unanswered, row) {
			return fmt.Errorf("row %d failed and has no answer yet", row)
		}
	}
	for _, row := range s.Hopeless {
		if !contains(s.Failed, row) {
			return fmt.Errorf("row %d is hopeless and did not fail", row)
		}
	}
	m.unanswered, m.failed, m.hopeless, m.spared = s.Unanswered, s.Failed, s.Hopeless, s.Spared
	m.suspects, m.rebuildSoon = s.Suspects, s.RebuildSoon
	return nil
}

// pends reports whether nothing has become of a query.
func (m sight) pends(number int) bool {
	failed, _ := m.buffer.Failed(number)
	return !failed && !m.buffer.Revealed(number) && m.buffer.Member(number, feedback.Hallucinate)
}

// restoreFits builds the work of an open fit. The hyperparameters that it starts from are the latest: none are adopted while it is
// open.
func (m *Model) restoreFits(s *FitsState) error {
	if s.Open != 0 && s.Open != s.Started || s.Open < 0 {
		return fmt.Errorf("fit %d of %d is open", s.Open, s.Started)
	}
	m.fits = fits{started: s.Started, open: s.Open}
	if s.Open == 0 {
		return nil
	}
	if s.Output < 0 || int(s.Output) >= len(m.outputs) {
		return fmt.Errorf("fit of output %d of %d", s.Output, len(m.outputs))
	}
	if len(s.X) != len(s.Y) || !outcome.Finite(s.Y...) || !variances(s.Known, len(s.X)) {
		return fmt.Errorf("fit of %d points and %d values, want as many of them, and finite", len(s.X), len(s.Y))
	}
	for _, x := range s.X {
		if err := m.config.Space.ContainsUnit(x); err != nil {
			return err
		}
	}
	k := m.firstOf(s.Output)
	if k < 0 {
		return fmt.Errorf("fit of output %d, of which there is no belief", s.Output)
	}
	m.fits.effect = Fit{
		ID: s.Open, Output: s.Output, X: s.X, Y: s.Y, Known: none(s.Known), Start: m.outputs[s.Output].latest().prior,
		Options: fitOptions(m.config.Space), Seed: m.config.Seed, Kernels: m.of(k).choices(),
	}
	return nil
}

// Check returns nil when every invariant holds, otherwise all violations. Cost O(n).
func (m *Model) Check() error {
	var errs []error
	want := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	for i := range m.outputs {
		n := m.outputs[i].buffer.Len()
		want(n == len(m.points), "%v: %d entries for %d queries", Output(i), n, len(m.points))
	}
	for i := range m.beliefs {
		b := &m.beliefs[i]
		want(len(b.rows.now) <= len(m.points) && len(b.targets) == len(b.rows.now), "%v: %d rows, %d targets for %d queries", b.want, len(b.rows.now), len(b.targets), len(m.points))
		want(len(b.rows.now) <= m.config.Active || m.config.Blind, "%v: %d rows, at most %d", b.want, len(b.rows.now), m.config.Active)
		want(b.rows.filled >= NotFilled && b.rows.filled <= len(b.rows.edits), "%v: pool filled after %d of %d edits", b.want, b.rows.filled, len(b.rows.edits))
		for row, y := range b.targets {
			want(outcome.Finite(y), "%v: row %d has target %v", b.want, row, y)
		}
	}
	return errors.Join(errs...)
}
