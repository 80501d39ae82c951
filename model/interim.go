package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// A query without a value may have reported something on its way. What a report says of the value to come is a measurement with noise
// of its own, and a row of its own beside the one of the query that pends: −k is the row of a report of query k. So whoever
// hallucinates still expects the value itself there, and does not choose the point again because a report leaves much open. A belief
// that censors takes the report in place of the worst value, and one that ignores what pends sees the report alone. When the value
// comes, or the query is given up, the row leaves.
//
// Measurements change with every value that comes, since they are learned from those. A target costs nothing then, but a row with
// other noise is another row. So noise is rounded up, to quarters of an octave of its deviation.
const (
	stepsPerOctave = 4
	leastDoubt     = 1e-6 // standard deviation of a report, in the belief's units
	mostDoubt      = 1e3  // and where it is more the report has no row

	reporting Output = 0 // the output of which values are reported: the first
)

// Interim is what a report says of the value that is to come of a query, in the maximization sense and the units of the values.
type Interim struct {
	Number          int
	Value, Variance float64 // of its error, besides the noise of the value
}

// Foresee says what reports of the objective say now, ascending by number, in place of what they said before; from the next Sync on. Of a
// query that has a value, or failed, they say nothing. Numbers that are not finite are a bug and panic. Cost O(r) for r reports.
func (m *Model) Foresee(now []Interim) {
	if m.config.Blind {
		return
	}
	o := &m.outputs[reporting]
	for _, list := range [...][]Interim{o.interims, now} {
		for _, in := range list {
			m.touch(reporting, -in.Number)
			m.touch(reporting, in.Number)
		}
	}
	for _, in := range now {
		if !in.sound() {
			panic(fmt.Sprintf("model: Foresee: query %d is said to have %v with variance %v", in.Number, in.Value, in.Variance))
		}
	}
	o.interims = now
}

func (in Interim) sound() bool {
	return outcome.Finite(in.Value, in.Variance) && in.Variance >= 0
}

// interim returns what a report says of a query; false where none does.
func (o *output) interim(number int) (Interim, bool) {
	i, found := slices.BinarySearchFunc(o.interims, number, func(in Interim, number int) int { return cmp.Compare(in.Number, number) })
	if !found {
		return Interim{}, false
	}
	return o.interims[i], true
}

// reported reports whether the belief has a row for a report of a query.
func (m sight) reported(number int) bool {
	if len(m.interims) == 0 || m.buffer.Revealed(number) {
		return false
	}
	if failed, _ := m.buffer.Failed(number); failed {
		return false
	}
	in, found := m.interim(number)
	return found && !m.takesForPenalty(in.Value) && m.doubt(in) <= mostDoubt
}

// doubt is the standard deviation of a report in the belief's units, rounded up. Under a warp it is half the width of the image.
func (m sight) doubt(in Interim) float64 {
	sd := math.Sqrt(in.Variance)
	width := max((m.units.To(in.Value+sd)-m.units.To(in.Value-sd))/2, leastDoubt)
	return math.Exp2(math.Ceil(stepsPerOctave*math.Log2(width)) / stepsPerOctave)
}

// belongs reports whether a query, or a report of one where the number is negative, has a row in the belief.
func (m sight) belongs(number int) bool {
	switch {
	case number < 0:
		return m.reported(-number)
	case m.want.Pending == feedback.Censor && m.reported(number):
		return false
	}
	return m.buffer.Member(number, m.want.Pending)
}

// refresh notes that rows of reports may have changed, since the units have.
func (m sight) refresh() {
	for _, in := range m.interims {
		m.changed = append(m.changed, -in.Number)
	}
}

// completeInterims looks at what was read.
func (o *output) completeInterims() error {
	for i, in := range o.interims {
		if in.Number < 1 || in.Number > o.buffer.Len() || i > 0 && in.Number <= o.interims[i-1].Number || !in.sound() {
			return fmt.Errorf("report %+v of %d queries", in, o.buffer.Len())
		}
	}
	return nil
}

// at returns the point of a query, or of a report where the number is negative.
func at(points []space.Unit, number int) space.Unit { return points[max(number, -number)-1] }

func (m *Model) point(number int) space.Unit { return at(m.points, number) }
