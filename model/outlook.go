package model

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/surrogate"
)

// ErrNone says that there is no model to ask: nobody looks at one, or fewer than three values have come.
var ErrNone = errors.New("no model to ask")

// Outlook is what a belief is after everything that has happened, of the answers alone. The state stays as it is.
type Outlook struct {
	Belief  Belief
	Search  Belief // that with the bad values of failures, for whoever looks for a point: the same where there are none
	Learned bool   // hyperparameters were learned for it
	usable  []bool // by row: whether the belief has seen a value there

	kernels []surrogate.Kernel // that fits choose from
	warped  []surrogate.Kernel // and those of warped coordinates
	options surrogate.FitOptions
}

// A value that is farther from what the model makes of it than so many standard deviations of its noise, and than this share of the spread of
// the values, contradicts the hyperparameters.
const (
	contradicts   = 8
	contradictsBy = 0.05
)

// Outlook brings a copy of a belief, which is counted from 0, up to the last event. While an ask is open its task owns what it leads to, and the
// copy begins before it. Reports are those that it is to see, in place of those of the last ask. Where learn is set, because no hyperparameters were
// learned yet, and where values came since that contradict them, they are learned for the copy: before the next query they would be, and there may be none. An error
// wraps ErrNone. Cost O(n²) for each row that is new since the last ask or pends, O(n³) after new hyperparameters and where they are learned, and O(n·d) for
// each failure.
func (m *Model) Outlook(k int, open, learn bool, reports []Interim) (Outlook, error) {
	of := m.of(k)
	n := of.buffer.Count(of.want.Pending)
	if n < FitFirst {
		return Outlook{}, fmt.Errorf("%w: fewer than %d values have come", ErrNone, FitFirst)
	}
	o, err := m.look(k, open, learn || of.size == 0, reports)
	if !o.Learned && n > of.size && (err != nil || o.contradicted()) {
		if again, err := m.look(k, open, true, reports); err == nil {
			return again, nil
		}
	}
	return o, err
}

// look is Outlook with hyperparameters that are learned, or as they are.
func (m *Model) look(k int, open, learn bool, reports []Interim) (Outlook, error) {
	c := *m
	c.outputs, c.beliefs = slices.Clone(m.outputs), slices.Clone(m.beliefs[k:k+1])
	b := &c.beliefs[0]
	b.changed = slices.Clone(b.changed)
	b.rows.in, b.rows.reports = slices.Clone(b.rows.in), slices.Clone(b.rows.reports)
	b.rows.now, b.rows.edits = slices.Clone(b.rows.now), slices.Clone(b.rows.edits)
	b.rows.known = slices.Clone(b.rows.known)
	from := b.algebra
	if open { // its task owns what it leads to, and may be at work on it
		from = &b.last
	}
	a := *from
	b.algebra = &a
	of, learned := c.of(0), false
	if learn {
		learned = c.learnNow(of)
	}
	c.Foresee(reports)
	c.Sync()
	blamed := of.plan().blamed(of.rows.now)
	of.outcomesOnly()
	search := of.settled(&a, blamed)
	answers := search
	if len(of.failed) > 0 {
		of.drop(func(row int) bool { return contains(of.failed, row) })
		answers = of.settled(&a, blamed)
	}
	if !answers.Posterior.Usable() {
		return Outlook{Learned: learned}, fmt.Errorf("%w: its numbers are not finite", ErrNone)
	}
	o := of.outlook(answers)
	if o.Search, o.Learned = search, learned; !search.Posterior.Usable() {
		o.Search = answers
	}
	return o, nil
}

// settled is what the rows of a copy of a belief say, by algebra that goes on.
func (m sight) settled(a *algebra, blamed []int) Belief {
	plan := m.plan()
	plan.context = nil // nobody asks for a pool at a context
	shown := m.shown()
	shown.Blamed = blamed
	shown.Posterior, shown.Rows, _ = a.posterior(plan, m.rows.now)
	return shown
}

// learnNow learns the hyperparameters of a belief of a copy from all values that came, and reports whether that was possible.
func (m *Model) learnNow(of sight) bool {
	m.Startle(of.want.Output)
	f, wanted := m.BeginFit()
	if !wanted {
		return false
	}
	h, err := m.lessons[f.Output].learn(f)
	if err != nil {
		return false
	}
	next, err := of.spec.with(of.learned, h)
	if err == nil {
		of.next = &next
	}
	return err == nil
}

// lesson is what a fit learned for an outlook: who looks again before other answers have come learns the same.
type lesson struct {
	of    Fit // ID 0: none yet
	hyper Hyper
	err   error
}

// learn is Fit.Learn. Two fits of an output with the same number are one where the same answers have come: no other has begun between them, and what they begin with is
// the same. Cost O(n) where it was learned before.
func (l *lesson) learn(f Fit) (Hyper, error) {
	if l.of.ID != f.ID || !slices.Equal(l.of.Numbers, f.Numbers) || !slices.Equal(l.of.Y, f.Y) || !slices.Equal(l.of.Known, f.Known) {
		l.of = f
		l.hyper, l.err = f.Learn()
	}
	return l.hyper, l.err
}

// contradicted reports whether the hyperparameters rule some value out: the mean would go through it, by as much as it has noise. Cost O(n).
func (o Outlook) contradicted() bool {
	p := o.Belief.Posterior
	means, targets := p.RowMeans(), p.Targets()
	for i := range means {
		off := math.Abs(targets[i] - means[i])
		if o.usable[i] && off > contradictsBy && off > contradicts*math.Sqrt(p.Noise()+p.Known(i)) {
			return true
		}
	}
	return false
}

func (m sight) outlook(shown Belief) Outlook {
	usable := make([]bool, len(shown.Rows))
	for i, number := range shown.Rows {
		usable[i] = number > 0 && m.valued(number)
	}
	kernels, _, warped := m.choices()
	return Outlook{Belief: shown, usable: usable, kernels: kernels, warped: warped, options: fitOptions(m.config.Space, m.spec.Fidelity)}
}

// outcomesOnly removes the rows of queries without an outcome, and of failures that have no value: whatever stands in for an answer when queries
// are chosen is no knowledge. A bad value is none either, but it says where not to look.
func (m sight) outcomesOnly() {
	m.drop(func(row int) bool {
		failed := contains(m.failed, row)
		return failed && m.config.Blank || !failed && contains(m.unanswered, row)
	})
}

// drop removes rows. Cost O(n²) for each of them, at most that of a new factor.
func (m sight) drop(which func(row int) bool) {
	const fewRows = 8 // one in so many is removed by itself
	var gone, kept []int
	for i, number := range m.rows.now {
		if which(i) {
			gone = append(gone, number)
		} else {
			kept = append(kept, number)
		}
	}
	switch {
	case len(gone) == 0:
		return
	case len(gone) > len(kept)/fewRows:
		m.rows.rebuild(kept, m.knownOfAll(kept))
	default:
		for _, number := range gone {
			m.rows.remove(number)
		}
	}
	m.mark()
}

// contains looks for a row in an ascending list.
func contains(rows []int, row int) bool {
	_, found := slices.BinarySearch(rows, row)
	return found
}

// Best returns the row with a value whose mean is greatest among the queries that may be, the first of equals; −1 without one. Cost O(n).
func (o Outlook) Best(may func(number int) bool) int {
	means, row, rows := o.Belief.Posterior.RowMeans(), -1, o.Belief.Rows
	for i, candidate := range rows {
		if o.usable[i] && (row < 0 || means[i] > means[row] || means[i] == means[row] && candidate < rows[row]) && may(candidate) {
			row = i
		}
	}
	return row
}
