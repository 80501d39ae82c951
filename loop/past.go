package loop

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// Past is what an earlier study measured, in its own space, units and sense.
type Past struct {
	Name   string
	Space  space.Space
	Sense  outcome.Sense
	Points []space.Point
	Values []float64 // one each
	// Source says that the study is of another environment than the next one: for PriorLesson, in which such studies count less.
	Source bool
}

// LearnFrom returns what a study over a space, of a sense, begins with: the values of earlier studies, at points that are matched by the
// names of the parameters, with a model of each. Numbers are matched by their value and words as they are spelled; a point is left out that
// has a value which the new space has not, and one that an earlier study had in no parameter of the new one does not depend on it. The notes say in words what does
// not match, a line each. An error names the study that has nothing in common with the space, or fewer than two different values there, or is there twice. Cost that of
// a fit for each.
func LearnFrom(where space.Space, sense outcome.Sense, past ...Past) (*Earlier, []string, error) {
	var notes []string
	var errs []error
	e := &Earlier{Space: where, Minimize: bool(sense)}
	for i, p := range past {
		if k := slices.IndexFunc(past[:i], p.same); k >= 0 {
			errs = append(errs, fmt.Errorf("%s: the same values as %s", p.Name, past[k].Name))
			continue
		}
		study, said, err := p.learn(where, sense)
		for _, note := range said {
			notes = append(notes, p.Name+": "+note)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p.Name, err))
			continue
		}
		e.Studies = append(e.Studies, study)
	}
	if len(past) == 0 || len(past) > MaxEarlier {
		errs = append(errs, fmt.Errorf("%d earlier studies: want 1 to %d", len(past), MaxEarlier))
	}
	if len(errs) > 0 {
		return nil, notes, errors.Join(errs...)
	}
	return e, notes, nil
}

// same reports whether two studies have measured the same.
func (p Past) same(other Past) bool {
	return len(p.Values) > 0 && slices.Equal(p.Values, other.Values) && slices.EqualFunc(p.Points, other.Points, func(a, b space.Point) bool { return slices.Equal(a, b) })
}

// learn matches the points of a study, and fits its model.
func (p Past) learn(where space.Space, sense outcome.Sense) (study EarlierStudy, notes []string, err error) {
	study, of, notes, err := p.matched(where, sense)
	if err != nil {
		return study, notes, err
	}
	if n := len(study.Values); n > MaxEarlierValues {
		notes = append(notes, fmt.Sprintf("%d of %d values are looked at", MaxEarlierValues, n))
	}
	if study, err = study.Learn(where, sense); err != nil {
		return study, notes, err
	}
	for _, j := range of.missing {
		study.Hyper[j] = indifferent
	}
	return study, notes, nil
}

// matched has the values of a study at points of the space, without a model of them.
func (p Past) matched(where space.Space, sense outcome.Sense) (study EarlierStudy, of matching, notes []string, err error) {
	if err := p.check(); err != nil {
		return study, of, nil, err
	}
	of = p.match(where)
	if of.common == 0 {
		return study, of, nil, fmt.Errorf("no parameter in common: it has %s", strings.Join(append([]string{strings.Join(names(p.Space), ", ")}, of.unlike...), "; "))
	}
	notes = of.notes
	study.Name = p.Name
	outside, infinite := 0, 0
	for i, x := range p.Points {
		switch u := of.point(x); {
		case !outcome.Finite(p.Values[i]):
			infinite++
		case u == nil:
			outside++
		default:
			study.Points, study.Values = append(study.Points, where.Canonical(u)), append(study.Values, p.Values[i]*p.Sense.Sign()*sense.Sign())
		}
	}
	if outside > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d values are left out, at points outside of this space", outside, len(p.Values)))
	}
	if infinite > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d values are left out, which are not finite", infinite, len(p.Values)))
	}
	if p.Sense != sense {
		notes = append(notes, "its values have the other sign here, since the best of them was "+map[bool]string{true: "the least", false: "the greatest"}[bool(p.Sense)])
	}
	if penal := study.withoutPenalties(where, sense); len(penal.Values) < len(study.Values) {
		notes = append(notes, fmt.Sprintf("%d of %d values are left out, which are far beyond all others, as penalties are", len(study.Values)-len(penal.Values), len(study.Values)))
		study = penal
	}
	return study, of, notes, nil
}

// withoutPenalties is the study without the values that are penalties (model.Penalties): beside a million all others look alike. At most MaxEarlierValues decide which.
// Neither over a fidelity nor at contexts.
func (s EarlierStudy) withoutPenalties(where space.Space, sense outcome.Sense) EarlierStudy {
	c := Config{Space: where, Traits: policies.Traits{Adapts: true}}
	start, err := c.prior()
	if _, graded := where.Fidelity(); err != nil || graded || len(where.Contexts()) > 0 {
		return s
	}
	some := s.thinned(s.greater(sense), MaxEarlierValues)
	up, found := model.Penalties(where, start, c.kernels(), some.Points, some.greater(sense))
	if !found {
		return s
	}
	out := EarlierStudy{Name: s.Name}
	for i, v := range s.Values {
		if sense.Sign()*v > up {
			out.Points, out.Values = append(out.Points, s.Points[i]), append(out.Values, s.Values[i])
		}
	}
	return out
}

// check says what is wrong with what a study is said to have measured: points are those of its own space.
func (p Past) check() error {
	if len(p.Values) == 0 {
		return fmt.Errorf("no value: %w", ErrNothingEarlier)
	}
	if len(p.Points) != len(p.Values) {
		return fmt.Errorf("%d points and %d values", len(p.Points), len(p.Values))
	}
	for i, x := range p.Points {
		if len(x) != p.Space.Dim() {
			return fmt.Errorf("point %d: %d coordinates, want %d as its space has parameters", i+1, len(x), p.Space.Dim())
		}
		active := p.Space.ActiveAt(x)
		for j, v := range x {
			if active.Has(j) && !outcome.Finite(v) {
				return fmt.Errorf("point %d: %s = %v, want a finite number", i+1, p.Space.Parameter(j).Name, v)
			}
		}
	}
	return nil
}

// indifferent is a lengthscale at which nothing depends on a coordinate.
const indifferent = 1000

// matching says where the coordinates of a point of another space are.
type matching struct {
	from, to space.Space
	source   []int // of each parameter of to, the parameter of from; −1: none
	common   int
	missing  []int    // hyperparameters of coordinates that have no source
	unlike   []string // parameters of one name and of different kinds
	notes    []string
}

// match finds parameters of the same name and of the same kind of values.
func (p Past) match(where space.Space) matching {
	m := matching{from: p.Space, to: where}
	used := make([]bool, p.Space.Dim())
	kernel := 0 // a kernel is over all parameters but the fidelity
	fidelity, has := where.Fidelity()
	for j, q := range where.Parameters() {
		i := slices.IndexFunc(p.Space.Parameters(), func(o space.Parameter) bool { return o.Name == q.Name })
		silent := fmt.Sprintf("has no parameter %s: its values say nothing of it", q.Name)
		if i >= 0 && worded(p.Space.Parameter(i)) != worded(q) {
			other := fmt.Sprintf("%s is %s there and %s here", q.Name, p.Space.Parameter(i).Kind, q.Kind)
			m.unlike = append(m.unlike, other)
			silent, used[i], i = other+": its values say nothing of it", true, -1
		}
		m.source = append(m.source, i)
		if has && j == fidelity {
			if i >= 0 {
				used[i] = true
			}
			continue
		}
		if i >= 0 {
			used[i] = true
			m.common++
		} else if !q.Fixed() {
			m.missing = append(m.missing, kernel)
			m.notes = append(m.notes, silent)
		}
		kernel++
	}
	for i, o := range p.Space.Parameters() {
		if !used[i] && !o.Fixed() {
			m.notes = append(m.notes, fmt.Sprintf("its parameter %s is none of this study, and is not looked at", o.Name))
		}
	}
	return m
}

// worded reports whether values are words and not numbers.
func worded(p space.Parameter) bool {
	return p.Kind == space.KindCategorical || p.Kind == space.KindBool
}

func names(s space.Space) (out []string) {
	for _, p := range s.Parameters() {
		out = append(out, p.Name)
	}
	return out
}

// point is a point of the other space here; nil where it has a value that there is not.
func (m matching) point(x space.Point) space.Unit {
	out := make(space.Unit, m.to.Dim())
	fidelity, has := m.to.Fidelity()
	for j, i := range m.source {
		switch q := m.to.Parameter(j); {
		case has && j == fidelity:
			out[j] = m.to.Target()
		case i < 0 || math.IsNaN(x[i]): // inactive there
			out[j] = 0.5
		case worded(q):
			k := slices.Index(q.Words(), m.from.Parameter(i).Format(x[i]))
			if k < 0 {
				return nil
			}
			out[j] = q.Unit(float64(k))
		default:
			if low, high := limits(q); !(x[i] >= low && x[i] <= high) {
				return nil
			}
			out[j] = q.Unit(x[i])
		}
	}
	return out
}

// limits are the least and the greatest number of a parameter of numbers.
func limits(p space.Parameter) (low, high float64) {
	if p.Kind == space.KindOrdered {
		return p.Values[0], p.Values[len(p.Values)-1]
	}
	return p.Low, p.High
}
