package figures

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/loop"
)

// fate is what became of an evaluation, as far as a figure tells evaluations apart.
type fate int

// The fates, in the order in which they are drawn.
const (
	without    fate = iota // no value
	beyond                 // with a value so much worse than the others that it has no place on the axis
	infeasible             // with a value that does not count, or without one
	lower                  // with a value of a lower fidelity than the target
	observed
	late
	fates
)

// fateOf returns the fate of an evaluation; false for one that has none yet or never will.
func fateOf(e loop.Evaluation) (fate, bool) {
	switch e.Status {
	case loop.Observed, loop.Late:
		if e.Below {
			return lower, true
		}
	}
	switch e.Status {
	case loop.Observed:
		return observed, true
	case loop.Late:
		return late, true
	case loop.Infeasible:
		return infeasible, true
	case loop.Failed, loop.TimedOut, loop.Lost:
		return without, true
	}
	return 0, false
}

// fateNames are the fates in words.
var fateNames = [fates]string{
	without: "failed, timed out or lost, at the edge", beyond: "much worse value, at the edge", infeasible: "infeasible", observed: "value", late: "late value",
	lower: "value at a lower fidelity",
}

// marks are those of the fates: values in the color of the policy, as in all pictures, and the others black or gray.
func (s Study) marks() [fates]draw.GlyphStyle {
	ink := chart.LookOf(s.Policy).Color
	worse := chart.Wedge
	if s.Minimize {
		worse = chart.Triangle
	}
	return [fates]draw.GlyphStyle{
		without:    {Color: chart.Gray, Radius: 2.8, Shape: chart.Cross},
		beyond:     {Color: ink, Radius: 2.8, Shape: worse.Hollow()},
		infeasible: {Color: color.Black, Radius: 2.8, Shape: chart.Square.Hollow()},
		lower:      {Color: chart.Gray, Radius: 2.2, Shape: chart.Circle.Hollow()},
		observed:   {Color: ink, Radius: 2.6, Shape: chart.Circle},
		late:       {Color: ink, Radius: 2.8, Shape: chart.Circle.Hollow()},
	}
}

// The marks of single evaluations, and the line of the incumbent.
var (
	bestMark        = draw.GlyphStyle{Color: color.Black, Radius: 4, Shape: chart.Rimmed{Mark: chart.Diamond}}
	recommendedMark = draw.GlyphStyle{Color: color.Black, Radius: 7.5, Shape: chart.Ring}
	incumbentLook   = draw.LineStyle{Color: color.Black, Width: vg.Points(1.4)}
)

// keys has an entry for each fate that is there, and for the evaluations that stand out.
func (s Study) keys(values valueAxis) []chart.Key {
	var there [fates]bool
	for _, e := range s.Evaluations {
		if f, drawn := values.fate(e); drawn {
			there[f] = true
		}
	}
	var out []chart.Key
	marks := s.marks()
	for _, f := range []fate{observed, late, lower, beyond, infeasible, without} {
		if there[f] {
			out = append(out, chart.Key{Name: fateNames[f], Sample: chart.Dot(marks[f])})
		}
	}
	if s.Best > 0 {
		out = append(out, chart.Key{Name: s.named("best", s.Best), Sample: chart.Dot(bestMark)})
	}
	if s.Recommended > 0 && s.Recommended != s.Best {
		out = append(out, chart.Key{Name: s.named("recommended", s.Recommended), Sample: chart.Dot(recommendedMark)})
	}
	return out
}

// named is what stands out, with its number and value.
func (s Study) named(what string, number int) string {
	return fmt.Sprintf("%s: %.6g (#%d)", what, s.Evaluations[number-1].Value, number)
}
