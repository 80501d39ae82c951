package portrait

import (
	"fmt"
	"math"
)

// fates are the classes of the marks, in the order in which they are drawn, with their words.
var fates = []key{
	{"without", "failed, timed out or lost, at the edge"}, {"infeasible", "infeasible"}, {"below", "value at a lower fidelity"},
	{"observed", "value"}, {"late", "late value"},
}

// fate is the class of an evaluation; empty for one that came to nothing.
func (e Evaluation) fate() string {
	switch {
	case e.Status == "infeasible":
		return "infeasible"
	case e.Value != nil && e.Below:
		return "below"
	case e.Status == "late" || e.Status == "observed":
		return e.Status
	case e.Status == "failed" || e.Status == "timed out" || e.Status == "lost":
		return "without"
	}
	return ""
}

// scatter is marks by their classes.
type scatter map[string][][2]float64

func (s scatter) add(p Portrait, y linear, x float64, e Evaluation) {
	f := e.fate()
	if f == "" {
		return
	}
	s[f] = append(s[f], [2]float64{x, p.height(y, e)})
}

// height is where a value is on the axis; at the edge of the worse side where it is beyond it, or where there is none.
func (p Portrait) height(y linear, e Evaluation) float64 {
	worse, edge := 0.02, 0.98
	if !p.Study.Minimize {
		worse, edge = edge, worse
	}
	if e.Value == nil {
		return edge
	}
	at := y.at(*e.Value)
	if at < 0 || at > 1 {
		if (at < 0) == p.Study.Minimize {
			return worse
		}
		return edge
	}
	return at
}

// draw draws the marks with their keys.
func (s scatter) draw(to *panel) {
	for _, f := range fates {
		if len(s[f.Class]) > 0 {
			to.dots("dot "+f.Class, s[f.Class])
			if f.Class == "late" || f.Class == "infeasible" || f.Class == "below" {
				to.dots("hole "+f.Class, s[f.Class])
			}
			to.Keys = append(to.Keys, f)
		}
	}
}

func (p Portrait) values() linear { return newLinear(p.Values.Low, p.Values.High) }

// progress is every value that is drawn, over time, with the best so far.
func (p Portrait) progress() *panel {
	t, y := newClock(p.Standing.Elapsed), p.values()
	out := &panel{Title: "Best value over time", Height: 300, X: t.ticks(6), Y: y.ticks(6), XName: "time since the study began, " + t.unit, Note: p.Drawn.Words}
	if n := p.Values.Beyond; n > 0 {
		out.Note += fmt.Sprintf("; %s much worse than the others at the edge", plural(n, "value"))
	}
	marks := scatter{}
	for _, e := range p.Evaluations {
		if e.Ended != nil {
			marks.add(p, y, t.when(*e.Ended), e)
		}
	}
	marks.draw(out)
	var stairs [][2]float64
	for i, s := range p.Incumbents {
		x := t.when(s.At)
		if i > 0 {
			stairs = append(stairs, [2]float64{x, stairs[len(stairs)-1][1]})
		}
		stairs = append(stairs, [2]float64{x, y.at(s.Value)})
	}
	if n := len(stairs); n > 0 {
		stairs = append(stairs, [2]float64{t.when(p.Standing.Last), stairs[n-1][1]})
		out.line("best", stairs)
		out.Keys = append(out.Keys, key{"best", "best so far"})
		out.dots("dot star", stairs[n-1:n])
	}
	return out
}

// mostLanes is how many evaluations have a lane of their own: the latest.
const mostLanes = 100

// lanes is when each of the latest evaluations was under way.
func (p Portrait) lanes() *panel {
	var all []Evaluation
	for _, e := range p.Evaluations {
		if e.Began != nil {
			all = append(all, e)
		}
	}
	first := max(len(all)-mostLanes, 0)
	all = all[first:]
	if len(all) == 0 {
		return nil
	}
	from := *all[0].Began
	for _, e := range all {
		from = min(from, *e.Began)
	}
	t := newClock(p.Standing.Elapsed - from)
	out := &panel{Title: "When evaluations were under way", Height: 24 + 9*len(all), X: t.ticks(6), XName: "time, " + t.unit}
	out.Note = fmt.Sprintf("%s, one a row", plural(len(all), "evaluation"))
	if first > 0 {
		out.Note = fmt.Sprintf("the latest %d of %d, one a row, since %s", len(all), p.Standing.Evaluations, lasting(from))
	}
	lines := map[string]string{}
	for i, e := range all {
		end := p.Standing.Elapsed
		if e.Ended != nil {
			end = *e.Ended
		}
		y := 1 - (float64(i)+0.5)/float64(len(all))
		class := laneOf(e)
		lines[class] += fmt.Sprintf("M%g %gH%g", across(t.when(*e.Began-from)), up(y), max(across(t.when(end-from)), across(t.when(*e.Began-from))+1))
		if i%max(len(all)/12, 1) == 0 {
			out.Y = append(out.Y, Tick{y, fmt.Sprintf("#%d", e.Number)})
		}
	}
	for _, k := range laneKeys {
		if lines[k.Class] != "" {
			out.path("lane "+k.Class, lines[k.Class])
			out.Keys = append(out.Keys, key{"lane " + k.Class, k.Name})
		}
	}
	return out
}

var laneKeys = []key{{"observed", "answered"}, {"late", "answered late"}, {"infeasible", "infeasible"}, {"without", "failed, timed out or lost"}, {"given", "cancelled or ended early"}, {"pending", "pending"}}

func laneOf(e Evaluation) string {
	switch f := e.fate(); {
	case f == "below":
		return "observed"
	case f != "":
		return f
	case e.Status == "pending":
		return "pending"
	}
	return "given"
}

// against is every value over a parameter.
func (p Portrait) against(i int) *panel {
	q, y := p.Parameters[i], p.values()
	out := &panel{Title: q.Name, Height: 190, Y: y.ticks(4), XName: p.axisName(i)}
	out.along(q)
	marks := scatter{}
	var star [][2]float64
	for _, e := range p.Evaluations {
		if e.Units[i] == nil {
			continue
		}
		x := p.aside(i, e)
		marks.add(p, y, x, e)
		if p.Best != nil && e.Number == p.Best.Number {
			star = append(star, [2]float64{x, p.height(y, e)})
		}
	}
	marks.draw(out)
	out.Keys = nil
	out.dots("dot star", star)
	return out
}

func (p Portrait) axisName(i int) string {
	q := p.Parameters[i]
	name := q.Name
	if q.Role != "action" && q.Role != "" {
		name += " (" + q.Role + ")"
	}
	if q.Log {
		name += ", logarithmic"
	}
	return name
}

// aside is where an evaluation is on the axis of a parameter; those with the same one of a few values lie beside each other.
func (p Portrait) aside(i int, e Evaluation) float64 {
	u := *e.Units[i]
	if !p.Parameters[i].Apart {
		return u
	}
	_, share := math.Modf(float64(e.Number) * math.Phi)
	return u + 0.6*(share-0.5)/float64(mostChosen)
}

// expected is what the model expects along a parameter.
func (p Portrait) expected(s Slice) *panel {
	low, high := math.Inf(1), math.Inf(-1)
	for k, m := range s.Means {
		low, high = min(low, m-2*s.Stddevs[k]), max(high, m+2*s.Stddevs[k])
	}
	if b := p.Best; b != nil && b.Value != nil {
		low, high = min(low, *b.Value), max(high, *b.Value)
	}
	y := newLinear(low, high)
	out := &panel{Title: p.Parameters[s.Parameter].Name, Height: 190, Y: y.ticks(4), XName: p.axisName(s.Parameter)}
	out.along(p.Parameters[s.Parameter])
	curve := func(by float64) (at [][2]float64) {
		for k, u := range s.Places {
			at = append(at, [2]float64{u, y.at(s.Means[k] + by*s.Stddevs[k])})
		}
		return at
	}
	out.band("band", curve(-2), curve(2))
	out.line("mean", curve(0))
	if b := p.Best; b != nil && b.Value != nil {
		out.dots("dot star", [][2]float64{{s.Through, y.at(*b.Value)}})
	}
	return out
}

// errors is by how many standard deviations each value came from its forecast.
func (p Portrait) errors() *panel {
	const most = 5
	var all []Evaluation
	var off []float64
	for _, e := range p.Evaluations {
		if f := e.Forecast; f != nil && f.Central != nil && e.Value != nil {
			if z, told := f.Off(*e.Value); told {
				all, off = append(all, e), append(off, z)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	x, y := newLinear(0, float64(all[len(all)-1].Number)+1), newLinear(-most, most)
	out := &panel{Title: "Values against their forecasts", Height: 220, X: x.ticks(6), Y: y.ticks(5), XName: "number of the evaluation",
		Note: "in standard deviations of the forecast; the band should hold four of five"}
	const central = 1.2815515655446004 // of the normal distribution: half the width of its central 80 %
	out.band("band", [][2]float64{{0, y.at(-central)}, {1, y.at(-central)}}, [][2]float64{{0, y.at(central)}, {1, y.at(central)}})
	marks := scatter{}
	for i, e := range all {
		class := "observed"
		if !*e.Forecast.Central {
			class = "late"
		}
		marks[class] = append(marks[class], [2]float64{x.at(float64(e.Number)), y.at(min(max(off[i], -most), most))})
	}
	out.dots("dot observed", marks["observed"])
	out.dots("dot outside", marks["late"])
	out.Keys = []key{{"observed", "in the central 80 %"}, {"outside", "outside; at the edge where more than 5 away"}}
	return out
}
