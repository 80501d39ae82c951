package figures

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
)

// MostParameters is how many parameters Parameters has panels for. Further ones are left out, which the figure says.
const MostParameters = 24

// Parameters shows every value against each parameter, a panel for each, contexts included. Parameters with a logarithm
// have logarithmic axes. 1200 pixels wide, and higher with more panels. Cost O(n) for each panel.
func Parameters(s Study) Figure {
	g := s.grid()
	height := 2*chart.Margin + headSpace + vg.Length(g.rows)*g.panelHeight + 3*chart.KeyHeight
	return newFigure(height, func(c draw.Canvas) { s.drawParameters(c, g) })
}

// grid is how the panels are laid out.
type grid struct {
	panels, columns, rows int
	panelHeight           vg.Length
	labels                vg.Length // size
}

func (s Study) grid() grid {
	n := min(s.Space.Dim(), MostParameters)
	g := grid{panels: n, columns: 4, panelHeight: 175, labels: 10}
	switch {
	case n <= 1:
		g.columns, g.panelHeight, g.labels = 1, 400, chart.TickSize
	case n == 2 || n == 4:
		g.columns, g.panelHeight, g.labels = 2, 270, chart.TickSize
	case n <= 9:
		g.columns, g.panelHeight, g.labels = 3, 220, 11
	}
	g.rows = (n + g.columns - 1) / g.columns
	return g
}

func (s Study) drawParameters(c draw.Canvas, g grid) {
	title := s.Name + ": values over each parameter"
	if all := s.Space.Dim(); g.panels < all {
		title += fmt.Sprintf(" (the first %d of %d)", g.panels, all)
	}
	c = chart.Head(draw.Crop(c, chart.Margin, -chart.Margin, chart.Margin, -chart.Margin), title, s.Note)
	c = withKeys(c, s.keysOf())
	values := s.valueAxis()
	c.FillText(chart.Text(chart.LabelSize, chart.Gray), vg.Point{X: c.Min.X, Y: c.Max.Y - chart.LabelSize + 4}, "vertical: "+values.name)
	c = draw.Crop(c, 0, 0, 0, -chart.LabelSize-6)

	points := make([][]float64, len(s.Evaluations))
	for i, e := range s.Evaluations {
		points[i] = e.Point(s.Space)
	}
	tiles := draw.Tiles{Rows: g.rows, Cols: g.columns, PadX: 16, PadY: 10}
	for i := range g.panels {
		s.drawPanel(tiles.At(c, i%g.columns, i/g.columns), i, g, values, points)
	}
}

// drawPanel shows parameter i of points in user units, one for each evaluation.
func (s Study) drawPanel(c draw.Canvas, i int, g grid, values valueAxis, points [][]float64) {
	axes := newAxes(g.labels)
	values.fit(axes, max(int(g.panelHeight/30), 4))
	body := draw.Crop(c, 0, 0, g.labels+6, 0)
	across := newParameterAxis(s.Space.Parameter(i))
	across.fit(axes, g.labels, axes.DataCanvas(body).Size().X)

	marks := cloud{values: values, most: mostMarks / g.panels}
	for k, e := range s.Evaluations {
		marks.add(s, across.place(points[k][i], e.Number), e.Number)
	}
	axes.Add(marks, standouts(marks))
	if values.empty {
		axes.Add(remark("no value yet"))
	}
	axes.Draw(body)
	below(c, axes.DataCanvas(body), g.labels+1, across.name)
}

// aboveAxis is where the name of a y axis is written.
func aboveAxis(body draw.Canvas) vg.Point {
	return vg.Point{X: body.Min.X, Y: body.Max.Y + chart.NameSpace - chart.LabelSize - 4}
}
