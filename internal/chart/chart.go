// Package chart draws curves with their standard errors, and tables of numbers as colors.
//
//	f := chart.Figure{Title: "regret", Panels: []chart.Panel{{X: "queries", Y: "regret", Curves: curves}}}
//	err := f.WritePNG(file) // or WriteSVG
//
// Any data can be drawn: none, unknown ones, all the same, as large as numbers get. The pictures are functions of their
// data. What they are made of - colors, texts, axes, legends - is there for pictures that are laid out elsewhere.
package chart

import (
	"io"

	"github.com/tarry-bo/tarry/internal/stat"
)

// Figure is panels under one title with one legend for all of them: curves with the same name look the same in every panel.
type Figure struct {
	Title, Note string
	Panels      []Panel
	Columns     int // panels in a row; 0: as many as there are up to 2, else 2 for 4 panels and 3 for other numbers
}

// Panel is one pair of axes. A logarithmic y axis shows nine decades at most: what is below is drawn at its lower end, and the
// name of the axis says so. Places that are not positive are left out on a logarithmic x axis.
type Panel struct {
	Title      string // above the panel; empty: none
	X, Y       string // names of the axes, with units; that of the y axis is written above it
	LogX, LogY bool
	Steps      bool    // curves are known to stay where they are between two places
	Low, High  float64 // of the y axis, what is beyond is drawn at the end; both 0 or no ends of one: chosen from the data, bands included
	Curves     []Curve
	Points     []Point // single marks
}

// Curve is a line with a band of one standard error to each side.
type Curve struct {
	Name     string          // in the legend; empty: not there
	Baseline bool            // gray and dashed
	Like     string          // drawn in the color of the curve of that name, but dashed: the same thing under another condition
	X        []float64       // places; nil: 1, 2, …
	Y        []stat.Estimate // one for each place; unknown ones are left out
}

// Point is a mark with a few words beside it.
type Point struct {
	X, Y  float64
	Label string
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
