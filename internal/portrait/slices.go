package portrait

import (
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// Slices are what the model expects along each parameter through one point, all others held.
type Slices struct {
	Seq        uint64  `json:"seq"`           // of the event after which it is so
	Evaluation int     `json:"n"`             // through the point of which they lead; 0 without any
	Why        string  `json:"why,omitempty"` // there are none
	Parameters []Slice `json:"parameters"`
}

// Slice is what is expected along a parameter: the mean of the function, and one standard deviation of it.
type Slice struct {
	Parameter int       `json:"parameter"` // its index
	Through   float64   `json:"through"`   // where the point is on the axis
	Places    []float64 `json:"u"`         // on the axis, ascending
	Means     []float64 `json:"mean"`
	Stddevs   []float64 `json:"stddev"`
}

// Bounds of slices.
const (
	mostSlices = 24 // parameters
	places     = 41 // of a parameter without levels, or with more
)

// Model is what is needed for slices: what Loop.Predictor returned, and the point.
type Model struct {
	where   space.Space
	seq     uint64
	best    int
	at      space.Unit
	predict func(space.Point) (loop.Prediction, error)
	why     error
}

// Model returns what is needed for slices through the best point so far. What it returns reads nothing of the loop any more, so that the slices may be
// computed while the study goes on. Cost that of a prediction.
func (k *Sketch) Model(l *loop.Loop) Model {
	m := Model{where: l.Config().Space}
	m.seq, _ = l.Now()
	if m.best = k.best(); m.best == 0 {
		m.why = fmt.Errorf("no value yet")
		return m
	}
	m.at = slices.Clone(l.Evaluations()[m.best-1].X)
	m.predict, m.why = l.Predictor()
	return m
}

// Slices returns what the model expects along each of the first 24 parameters. Cost O(n²) for each of at most 41 places of each.
func (m Model) Slices() *Slices {
	out := &Slices{Seq: m.seq, Evaluation: m.best, Parameters: []Slice{}}
	if m.why != nil {
		out.Why = m.why.Error()
		return out
	}
	for i := range min(m.where.Dim(), mostSlices) {
		if s := m.slice(i); len(s.Places) > 1 {
			out.Parameters = append(out.Parameters, s)
		}
	}
	if len(out.Parameters) == 0 {
		out.Why = "no other point of the space differs from the best in one parameter alone"
	}
	return out
}

// slice is what is expected along parameter i; places that are none of the space are left out.
func (m Model) slice(i int) Slice {
	s := Slice{Parameter: i, Through: m.at[i]}
	if !m.where.Active(m.at).Has(i) {
		return s
	}
	for _, u := range m.along(i) {
		at := slices.Clone(m.at)
		at[i] = u
		if at = m.where.Canonical(at); m.where.Size() > 0 && !m.where.Lists(at) {
			continue
		}
		expected, err := m.predict(m.where.Value(at))
		if err == nil {
			s.Places, s.Means, s.Stddevs = append(s.Places, u), append(s.Means, expected.Mean), append(s.Stddevs, expected.Stddev)
		}
	}
	return s
}

// along are the places of a parameter: all levels of few, otherwise evenly spread ones, and that of the point; in a list of points those
// that it has.
func (m Model) along(i int) (out []float64) {
	p := m.where.Parameter(i)
	n := p.Levels()
	switch {
	case m.where.Size() > 0 && slices.Contains(m.where.Actions(), i):
		for _, listed := range m.where.UnitPoints() {
			out = append(out, listed[slices.Index(m.where.Actions(), i)])
		}
	case n == 0 || n > places:
		for k := range places {
			u := float64(k) / (places - 1)
			out = append(out, p.Unit(p.Value(u)))
		}
	default:
		for k := range n {
			out = append(out, p.Level(k))
		}
	}
	out = append(out, m.at[i])
	slices.Sort(out)
	return slices.Compact(out)
}

// Complete adds what takes the work of a suggestion: what is recommended, what the model expects, and slices through the best point.
func (p *Portrait) Complete(s Study, k *Sketch) {
	s.Elapsed = s.elapsed()
	r := s.Loop.Result()
	if r.Best != nil {
		p.Best = &Found{Evaluation: evaluation(s, *r.Best)}
		p.Recommended = &Found{Evaluation: evaluation(s, *r.Recommended), Feasibility: FeasibilityOf(r.Feasible, r.Recommended)}
		if e := r.Expected; e != nil {
			p.Recommended.Expected = &Expected{e.Mean, e.Stddev, e.Noise}
		}
	}
	p.Slices = k.Model(s.Loop).Slices()
	p.Standing.Digest = fmt.Sprintf("%016x", s.Loop.Digest())
}
