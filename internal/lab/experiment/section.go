package experiment

import (
	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/stat"
)

// Section is a part of a report.
type Section struct {
	Title   string
	Text    []string // paragraphs
	Figures []Figure
	Tables  []Table
}

// Figure is a picture with a name for its files.
type Figure struct {
	Name    string // part of a file name
	Caption string
	Drawing chart.Picture
}

// Table is text in rows and columns.
type Table struct {
	Caption string
	Head    []string
	Rows    [][]string
}

// measure is how a curve is drawn and tabulated.
type measure struct {
	curve string // its name in a record
	label string // with the unit
	scale chart.Scale
	steps bool // it stays where it is between two queries
}

var (
	simpleRegret     = measure{SimpleRegret, "simple regret", chart.Log, true}
	cumulativeRegret = measure{CumulativeRegret, "cumulative regret", chart.Linear, false}
	accuracy         = measure{Accuracy, "accuracy of the best so far, %", chart.Percent, true}
)

const queriesLabel = "queries after the initial ones"

// panel draws a measure of all arms of a group.
func (r Results) panel(group string, m measure) chart.Panel {
	p := chart.Panel{Title: group, X: queriesLabel, Y: m.label, Scale: m.scale, Steps: m.steps}
	for _, a := range r.plan.Arms {
		if a.Group == group {
			p.Curves = append(p.Curves, chart.Curve{Name: a.Name, Policy: a.Policy, Y: r.Curve(group, a.Name, m.curve)})
		}
	}
	return p
}

// figure draws a measure over all groups, a panel each.
func (r Results) figure(name, title string, m measure) Figure {
	return r.figureOf(r.Groups(), name, title, m)
}

// figureOf is figure over some of the groups.
func (r Results) figureOf(groups []string, name, title string, m measure) Figure {
	f := r.chart(groups, title, m)
	return Figure{Name: name, Caption: title + ". A curve begins where every run has an answer.", Drawing: f}
}

// chart has a panel for each group.
func (r Results) chart(groups []string, title string, m measure) chart.Figure {
	f := chart.Figure{Title: title, Note: r.note()}
	for _, g := range groups {
		f.Panels = append(f.Panels, r.panel(g, m))
	}
	return f
}

// column is a place of a measure in a table.
type column struct {
	head string
	measure
	k int
}

// table has a row for each arm of a group.
func (r Results) table(group, caption string, columns []column) Table {
	t := Table{Caption: caption, Head: []string{"method"}}
	for _, c := range columns {
		t.Head = append(t.Head, c.head)
	}
	for _, arm := range r.Arms(group) {
		row := []string{arm}
		for _, c := range columns {
			row = append(row, r.At(group, arm, c.curve, c.k).String())
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// checkpoints are columns for a measure at a few places of its curves, the last among them.
func checkpoints(m measure, rounds int) []column {
	var out []column
	for _, k := range stat.Checkpoints(rounds) {
		out = append(out, column{plainLabel(m) + " after " + whole(k), m, k})
	}
	return out
}
