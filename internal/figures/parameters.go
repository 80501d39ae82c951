package figures

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
)

// MostParameters is how many parameters Parameters has panels for. Further ones are left out, which the figure says.
const MostParameters = 24

// Parameters shows every value against each parameter, a panel for each, contexts included. Parameters with a logarithm
// have logarithmic axes. 1200 pixels wide, and higher with more panels. Cost O(n) for each panel.
func Parameters(s Study) chart.Drawing {
	g := s.grid()
	title, note := s.head(g)
	height := 2*chart.Margin + chart.HeadHeight(title, note) + vg.Length(g.rows)*g.panelHeight + 3*chart.KeyHeight
	return chart.Drawing{Width: chart.Width, Height: height, Draw: func(c draw.Canvas) error {
		s.drawParameters(draw.Crop(c, chart.Margin, -chart.Margin, chart.Margin, -chart.Margin), g, title, note)
		return nil
	}}
}

// head is what stands above the panels.
func (s Study) head(g grid) (title, note string) {
	title, note = s.Name+": values over each parameter", s.Note
	if s.Space.Conditional() {
		note += "; where a parameter is inactive it has no mark"
	}
	if all := s.Space.Dim(); g.panels < all {
		title += fmt.Sprintf(" (the first %d of %d)", g.panels, all)
	}
	for i := range g.panels {
		if newParameterAxis(s.Space.Parameter(i)).spread {
			return title, note + "; evaluations with the same choice or whole number lie beside each other"
		}
	}
	return title, note
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

// Distances between panels.
const (
	beside = 16 * vg.Length(1)
	under  = 10 * vg.Length(1)
)

func (s Study) drawParameters(c draw.Canvas, g grid, title, note string) {
	values := s.valueAxis()
	panels := make([]parameterPanel, g.panels)
	size := vg.Point{X: (c.Max.X-c.Min.X)/vg.Length(g.columns) - beside, Y: g.panelHeight - under - g.labels - 6}
	highest, of := 0, fate(0)
	for i := range panels {
		panels[i] = s.panel(i, g, values)
		panels[i].across.fit(panels[i].axes, g.labels, size.X)
		if count, f := panels[i].marks.highest(panels[i].axes, size); count > highest {
			highest, of = count, f
		}
	}
	c = chart.Head(c, title, note)
	keys := chart.NewKeys(append(s.keys(values), pileKeys(s.marks()[of], highest)...), c.Max.X-c.Min.X)
	keys.Draw(c, c.Min.X, c.Min.Y)
	c.FillText(chart.Text(chart.LabelSize, color.Black), vg.Point{X: c.Min.X, Y: c.Max.Y - chart.LabelSize + 4}, "y: "+values.name)
	c = draw.Crop(c, 0, 0, keys.Height()+8, -chart.LabelSize-6)
	tiles := draw.Tiles{Rows: g.rows, Cols: g.columns, PadX: beside, PadY: under}
	for i, p := range panels {
		p.draw(tiles.At(c, i%g.columns, i/g.columns), g.labels)
	}
}

// parameterPanel is the panel of a parameter.
type parameterPanel struct {
	axes   *plot.Plot
	across parameterAxis
	marks  cloud
}

// panel shows parameter i.
func (s Study) panel(i int, g grid, values valueAxis) parameterPanel {
	p := parameterPanel{chart.Axes(""), newParameterAxis(s.Space.Parameter(i)), s.cloud(values, mostMarks/g.panels)}
	for _, a := range []*plot.Axis{&p.axes.X, &p.axes.Y} {
		a.Tick.Label.Font.Size = g.labels
	}
	values.fit(p.axes, max(int(g.panelHeight/30), 4))
	for _, e := range s.Evaluations {
		if x := e.Point(s.Space); s.Space.ActiveAt(x).Has(i) {
			p.marks.add(s, p.across.place(x[i], e.Number), e.Number)
		}
	}
	p.axes.Add(p.marks, standouts(p.marks))
	if values.empty {
		p.axes.Add(chart.Remark("no value yet"))
	}
	return p
}

// draw draws the panel, with the name of the parameter under the middle of its axis.
func (p parameterPanel) draw(c draw.Canvas, size vg.Length) {
	body := draw.Crop(c, 0, 0, size+6, 0)
	p.across.fit(p.axes, size, p.axes.DataCanvas(body).Size().X)
	p.axes.Draw(body)
	data := p.axes.DataCanvas(body)
	style := chart.Text(size+1, color.Black)
	style.XAlign = text.XCenter
	c.FillText(style, vg.Point{X: data.Center().X, Y: c.Min.Y}, chart.Cut(style, p.across.name, data.Max.X-data.Min.X+30))
}
