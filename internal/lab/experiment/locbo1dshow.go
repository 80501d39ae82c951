package experiment

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/sim"
)

// showLine shows the intervals of the first seed, and the coverage over all of them.
func showLine(r Results) []Section {
	title := "Prediction intervals for 80 % of the answers"
	intervals := chart.Figure{Title: title, Note: fmt.Sprintf("after the study of seed %d", r.first)}
	coverage := chart.Figure{Title: "Share of new answers that the intervals hold", Note: r.note()}
	for _, g := range lineGroups {
		for _, a := range lineArms {
			intervals.Panels = append(intervals.Panels, linePanel(r, g, a.name))
			coverage.Panels = append(coverage.Panels, lineCoverage(r, g, a.name))
		}
	}
	return []Section{{Title: title, Text: []string{
		"The shares are exact: the law of the noise is known. An interval that is right about the model's error and the noise holds 80 % at every x; " +
			"localization is to bring the calibrated set there not only on average over the queries.",
	}, Figures: []Figure{
		{Name: "locbo-1d", Drawing: intervals, Caption: title + " after the study of the first seed: the model's own and the calibrated set, around the same mean. " +
			"A set that reaches both ends holds everything."},
		{Name: "locbo-1d-coverage", Drawing: coverage, Caption: "Share of new answers at x that lie in the intervals after the study, in percent; 80 is wanted."},
	}, Tables: []Table{lineTable(r, lineStudied), lineTable(r, lineSpread)}}}
}

// The curves of the intervals, without their places.
var (
	lineSetCurve = chart.Curve{Name: "calibrated set", Policy: "locbo"}
	lineOwnCurve = chart.Curve{Name: "model's own interval"}
)

// linePanel draws what was learned in the first run there is.
func linePanel(r Results, group, arm string) chart.Panel {
	p := chart.Panel{Title: group + ", " + arm, X: "x", Y: "value", Low: -8, High: 9, Dots: "answers"}
	places := make([]float64, linePlaces)
	for i := range places {
		places[i] = linePlace(i)
	}
	p.Curves = append(p.Curves, lineTruth(places))
	record, ok := r.earliest(group, arm)
	if !ok {
		return p
	}
	set, own := lineSetCurve, lineOwnCurve
	set.X, own.X, set.Interval, own.Interval = places, places, true, true
	for i, mean := range record[lineMean] {
		sd := record[lineStddev][i]
		own.Y = append(own.Y, interval(mean, halfWidth(lineMiss, sd)))
		set.Y = append(set.Y, interval(mean, halfWidth(record[lineThreshold][i], sd)))
	}
	p.Curves = append(p.Curves, set, own)
	for i, x := range record[lineQueries] {
		p.Points = append(p.Points, chart.Point{X: x, Y: record[lineAnswers][i]})
	}
	return p
}

// interval is drawn as a band around its center; an empty one is left out.
func interval(center, half float64) stat.Estimate {
	if half < 0 {
		return stat.Of(nil)
	}
	return stat.Estimate{N: 1, Mean: center, SE: half}
}

// lineTruth is the function without noise.
func lineTruth(places []float64) chart.Curve {
	c := chart.Curve{Name: "function", Baseline: true, X: places}
	p, err := sim.NewProblem("locbo1d", 0)
	if err != nil {
		panic("experiment: " + err.Error())
	}
	for _, x := range places {
		c.Y = append(c.Y, interval(p.Value([]float64{x}), 0))
	}
	return c
}

// lineCoverage draws the coverage at every x.
func lineCoverage(r Results, group, arm string) chart.Panel {
	p := chart.Panel{Title: group + ", " + arm, X: "x", Y: "new answers held, %", Low: 0, High: 100}
	places := make([]float64, linePlaces)
	for i := range places {
		places[i] = linePlace(i)
	}
	wanted := chart.Curve{Name: "wanted", Baseline: true, X: places}
	for range places {
		wanted.Y = append(wanted.Y, interval(100*(1-lineMiss), 0))
	}
	p.Curves = append(p.Curves, wanted)
	for _, c := range []struct {
		chart.Curve
		measure string
	}{{lineSetCurve, lineSet}, {lineOwnCurve, lineOwn}} {
		if c.X, c.Y = places, r.Curve(group, arm, c.measure); c.Y != nil {
			p.Curves = append(p.Curves, c.Curve)
		}
	}
	return p
}

// lineTable has the coverage on average over x, and how far from the wanted one it is.
func lineTable(r Results, group string) Table {
	t := Table{Caption: group + ": coverage over x, %, and its distance from 80 %, in points, both on average over the box; in the last two columns the distance " +
		"of the mean over the seeds, as in the picture", Head: []string{
		"method", "model's own interval", "calibrated set", "distance, own", "distance, set", "set minus own", "of the mean, own", "of the mean, set",
	}}
	for _, a := range lineArms {
		own, set := r.Curve(group, a.name, lineOwn), r.Curve(group, a.name, lineSet)
		t.Rows = append(t.Rows, []string{
			a.name, r.At(group, a.name, lineOwnMean, 1).String(), r.At(group, a.name, lineSetMean, 1).String(),
			r.At(group, a.name, lineOwnOff, 1).String(), r.At(group, a.name, lineSetOff, 1).String(), r.At(group, a.name, lineOffMore, 1).Signed(),
			lineOff(means(own)).String(), lineOff(means(set)).String(),
		})
	}
	return t
}

// lineOff is the mean distance of shares in percent from the wanted one, without an error.
func lineOff(shares []float64) stat.Estimate {
	sum := 0.0
	for _, v := range shares {
		sum += math.Abs(v - 100*(1-lineMiss))
	}
	return stat.Of([]float64{sum / float64(len(shares))})
}

// means are those of estimates.
func means(curve []stat.Estimate) []float64 {
	var out []float64
	for _, e := range curve {
		out = append(out, e.Mean)
	}
	return out
}

// earliest is the record of the first seed that is complete.
func (r Results) earliest(group, arm string) (Record, bool) {
	for i := range r.seeds {
		if run, ok := r.runs[place{group, arm, r.first + uint64(i)}]; ok {
			return run.Record, true
		}
	}
	return nil, false
}
