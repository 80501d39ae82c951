// Package chart draws curves with their standard errors, and tables of numbers as colors. A policy looks the same in all of its
// pictures.
//
//	f := chart.Figure{Title: "regret", Panels: []chart.Panel{{X: "queries", Y: "regret", Curves: curves}}}
//	err := f.WritePNG(file) // or WriteSVG
//
// Any data can be drawn: none, unknown ones, all the same, as large as numbers get. The pictures are functions of their
// data. What they are made of - colors, texts, axes, legends - is there for pictures that are laid out elsewhere.
package chart

import (
	"io"

	"gonum.org/v1/plot/vg"

	"github.com/tarry-bo/tarry/internal/stat"
)

// Figure is panels under one title. Where a curve is in more than one panel, or there is only one, a legend for all of them is
// below, and curves with the same name look the same in every panel; else each panel has its own legend. Panels of a row that
// show the same have the same y axis, and so have all rows, unless that would leave one of them less than half of it. The
// standard errors of up to three curves in a panel are bands, those of more are bars.
type Figure struct {
	Title, Note string
	Panels      []Panel
	Columns     int  // panels in a row; 0: as many as there are up to 2, else 2 for 4 panels and 3 for other numbers
	Apart       bool // each panel has a y axis of its own, as what they show cannot be compared
}

// Panel is one pair of axes.
type Panel struct {
	Title     string  // above the panel; empty: none
	X, Y      string  // names of the axes, with units; that of the y axis is written above it
	Scale     Scale   // of the y axis
	Steps     bool    // curves are known to stay where they are between two places
	End       float64 // of the x axis, to which steps go on; 0: the last place
	Low, High float64 // of the y axis, what is beyond is drawn at the end; both 0 or no ends of one, and for percentages: chosen from the data, errors included
	Curves    []Curve
	Points    []Point // single marks
	Dots      string  // what the points are, in the legend

	height vg.Length // of the y axis, about; 0: as usual
}

// Curve is a line with one standard error to each side.
type Curve struct {
	Name     string          // in the legend; empty: not there
	Policy   string          // with its options as a user spells them: it decides the color; empty: the curve is of none
	Baseline bool            // what others are held against: gray and dashed
	Interval bool            // not a mean with its error, but all between: drawn without a line in the middle
	X        []float64       // places in ascending order; nil: 1, 2, …
	Y        []stat.Estimate // one for each place; unknown ones are left out
}

// Point is a mark.
type Point struct{ X, Y float64 }

// Picture is what can be written as a bitmap and as vectors.
type Picture interface {
	WritePNG(io.Writer) error
	WriteSVG(io.Writer) error
}

// WritePNG writes the figure as a bitmap, 1200 pixels wide, and 750 high with one row of panels. An error is the writer's.
// It panics where a curve has places of another number than estimates.
func (f Figure) WritePNG(w io.Writer) error { return f.drawing().WritePNG(w) }

// WriteSVG writes the figure as vectors that can stand in a page of HTML as they are. An error is the writer's. It panics
// where a curve has places of another number than estimates.
func (f Figure) WriteSVG(w io.Writer) error { return f.drawing().WriteSVG(w) }

// HeatMap is tables of numbers drawn as colors, light for low and dark for high ones, each cell with its number in it.
type HeatMap struct {
	Title, Note string
	Scale       string // what the color means, beside the color bar
	Panels      []HeatPanel
}

// HeatPanel is one table.
type HeatPanel struct {
	Title, X, Y   string
	Rows, Columns []string    // their names
	Cells         [][]float64 // rows x columns; NaN is left blank
	Low, High     float64     // of the colors, what is beyond looks like the end; both 0: of the data of all panels
}

// WritePNG writes the tables as a bitmap, 1200 pixels wide and as high as they need. An error is the writer's. It panics
// where the cells are not as many as the names.
func (h HeatMap) WritePNG(w io.Writer) error { return h.drawing().WritePNG(w) }

// WriteSVG writes the tables as vectors that can stand in a page of HTML as they are. An error is the writer's. It panics
// where the cells are not as many as the names.
func (h HeatMap) WriteSVG(w io.Writer) error { return h.drawing().WriteSVG(w) }
