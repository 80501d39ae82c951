package chart

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Distances of the layout.
const (
	nameSpace = 26 * vg.Length(1) // for the name of a y axis above it
	titleStep = 18 * vg.Length(1) // for a line of the title of a panel above that
	rowGap    = 16 * vg.Length(1)
	columnGap = 2 * Margin
	ownGap    = 4 * vg.Length(1) // above the legend of a panel
	sliver    = 4 * vg.Length(1) // of the width of a panel that is left free
)

// Sizes of the picture in pixels.
const (
	firstRow  = 750 // with the head and usualKeys rows of the legend
	nextRow   = 430
	usualKeys = 4
)

// layout is a figure with what is decided about its panels.
type layout struct {
	Figure
	panels        []panel
	columns, rows int
	width         vg.Length // of a panel
	lines         int       // of the titles of the panels
	keys          Keys      // below all panels
	own           []Keys    // or below each one
	beneath       vg.Length // height of those
}

// drawing lays the figure out: title, panels, legend.
func (f Figure) drawing() Drawing {
	l := layout{Figure: f}
	all := Inside
	l.columns, l.rows = f.grid()
	l.width = (all-columnGap*vg.Length(l.columns-1))/vg.Length(l.columns) - sliver
	var together bool
	if l.panels, together = f.decided(); together {
		l.keys = NewKeys(keysOf(l.panels), all)
	}
	for i, p := range l.panels {
		if p.Title != "" {
			l.lines = max(l.lines, len(wrap(bold(LabelSize, color.Black), p.Title, l.width, titleLines)))
		}
		if !together {
			l.own = append(l.own, NewKeys(keysOf(l.panels[i:i+1]), l.width))
			l.beneath = max(l.beneath, l.own[i].Height()+ownGap)
		}
	}
	height := Pixels(firstRow+nextRow*(l.rows-1)) + max(l.keys.Height()-usualKeys*KeyHeight, 0) + l.beneath*vg.Length(l.rows)
	return Drawing{Width, height, func(c draw.Canvas) error {
		c = draw.Crop(c, Margin, -Margin, Margin, -Margin)
		l.keys.Draw(c, c.Min.X, c.Min.Y)
		return l.draw(draw.Crop(Head(c, f.Title, f.Note), 0, 0, l.keys.Height()+Margin, 0))
	}}
}

// grid is how many panels there are in a row and how many rows, both at least 1.
func (f Figure) grid() (columns, rows int) {
	n := max(len(f.Panels), 1)
	switch {
	case f.Columns > 0:
		columns = min(f.Columns, n)
	case n <= 2:
		columns = n
	case n == 4:
		columns = 2
	default:
		columns = 3
	}
	return columns, (n + columns - 1) / columns
}

// draw draws the panels with their axes in line.
func (l layout) draw(c draw.Canvas) error {
	above := nameSpace
	if l.lines > 0 {
		above += vg.Length(l.lines)*titleStep + 3
	}
	plots, err := l.plots()
	if err != nil {
		return err
	}
	tiles := draw.Tiles{Rows: l.rows, Cols: l.columns, PadX: columnGap, PadY: rowGap + above + l.beneath}
	areas := plot.Align(plots, tiles, draw.Crop(c, 0, 0, l.beneath, -above))
	for i, p := range l.panels {
		row, column := i/l.columns, i%l.columns
		axes, area := plots[row][column], areas[row][column]
		axes.Draw(area)
		at, end := corner(plots, areas, row, column), c.Max.X
		if column < l.columns-1 && plots[row][column+1] != nil {
			end = corner(plots, areas, row, column+1).X - Margin
		}
		p.name(c, at, end-at.X, l.lines)
		if l.own != nil {
			left := c.Min.X + vg.Length(column)*(l.width+sliver+columnGap)
			l.own[i].Draw(c, left, area.Min.Y-ownGap-l.own[i].Height())
		}
	}
	return nil
}

// plots are the panels in their grid, with names of the x axes and numbers on them that fit the width of a panel.
func (l layout) plots() ([][]*plot.Plot, error) {
	out := make([][]*plot.Plot, l.rows)
	for r := range out {
		out[r] = make([]*plot.Plot, l.columns)
	}
	beside := vg.Length(0) // numbers of the y axis
	style := Text(TickSize, Gray)
	for i, p := range l.panels {
		axes, err := p.plot()
		if err != nil {
			return nil, err
		}
		out[i/l.columns][i%l.columns] = axes
		for _, k := range axes.Y.Tick.Marker.Ticks(axes.Y.Min, axes.Y.Max) {
			beside = max(beside, style.Width(k.Label))
		}
	}
	for i := range l.panels {
		x := &out[i/l.columns][i%l.columns].X
		room := l.width - beside - 2*Margin
		x.Label.Text = Cut(x.Label.TextStyle, x.Label.Text, room)
		x.Tick.Marker = Thinned(TidyTicks, aboutTicks, x.Min, x.Max, TickSize, room)
	}
	return out, nil
}

// corner is the upper left corner of a place in the grid: texts that begin there are in line with those beside and below.
func corner(plots [][]*plot.Plot, areas [][]draw.Canvas, row, column int) vg.Point {
	at := vg.Point{X: areas[row][column].Min.X, Y: areas[row][column].Max.Y}
	for r, line := range areas {
		for k, area := range line {
			if plots[r][k] == nil {
				continue
			}
			if k == column {
				at.X = min(at.X, area.Min.X)
			}
			if r == row {
				at.Y = max(at.Y, area.Max.Y)
			}
		}
	}
	return at
}

// name writes the title, of so many lines at most, and the name of the y axis above the panel.
func (p panel) name(c draw.Canvas, at vg.Point, width vg.Length, lines int) {
	style, big := Text(LabelSize, color.Black), bold(LabelSize, color.Black)
	remark := p.axis.remark()
	name := Cut(style, p.Y, width-style.Width(remark)) + remark
	c.FillText(style, vg.Point{X: at.X, Y: at.Y + nameSpace - LabelSize}, name)
	if p.Title == "" {
		return
	}
	title := wrap(big, p.Title, width, lines)
	for i, line := range title {
		above := vg.Length(len(title)-1-i) * titleStep
		c.FillText(big, vg.Point{X: at.X, Y: at.Y + nameSpace + 6 + above}, line)
	}
}
