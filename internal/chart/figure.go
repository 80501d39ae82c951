package chart

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Distances of the layout.
const (
	NameSpace = 26 * vg.Length(1) // for the name of a y axis above it
	titleStep = 18 * vg.Length(1) // for a line of the title of a panel above that
	rowGap    = 16 * vg.Length(1)
	columnGap = 2 * Margin
)

// Sizes of the picture in pixels.
const (
	pictureWidth = 1200
	firstRow     = 750 // with the head and usualKeys rows of the legend
	nextRow      = 430
	usualKeys    = 4
)

// drawing lays the figure out: title, panels, legend.
func (f Figure) drawing() Drawing {
	for _, p := range f.Panels {
		for _, c := range p.Curves {
			c.check()
		}
	}
	all := newRoster(f.Panels)
	keys := NewKeys(all.keys(), Pixels(pictureWidth)-2*Margin)
	_, rows := f.grid()
	height := Pixels(firstRow+nextRow*(rows-1)) + max(keys.Height()-usualKeys*KeyHeight, 0)
	return Drawing{Pixels(pictureWidth), height, func(c draw.Canvas) error {
		c = draw.Crop(c, Margin, -Margin, Margin, -Margin)
		keys.Draw(c, c.Min.X, c.Min.Y)
		return f.drawPanels(draw.Crop(Head(c, f.Title, f.Note), 0, 0, keys.Height()+Margin, 0), all.looks)
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

// drawPanels draws the panels with their axes in line.
func (f Figure) drawPanels(c draw.Canvas, looks map[string]Look) error {
	columns, rows := f.grid()
	width := (c.Max.X-c.Min.X-columnGap*vg.Length(columns-1))/vg.Length(columns) - 4
	lines := 0
	for _, p := range f.Panels {
		if p.Title != "" {
			lines = max(lines, len(wrap(bold(LabelSize, color.Black), p.Title, width, titleLines)))
		}
	}
	above := NameSpace
	if lines > 0 {
		above += vg.Length(lines)*titleStep + 3
	}
	plots, err := f.plots(columns, rows, width, looks)
	if err != nil {
		return err
	}
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: columnGap, PadY: rowGap + above}
	areas := plot.Align(plots, tiles, draw.Crop(c, 0, 0, 0, -above))
	for i, p := range f.Panels {
		row, column := i/columns, i%columns
		axes, area := plots[row][column], areas[row][column]
		axes.Draw(area)
		at, end := corner(plots, areas, row, column), c.Max.X
		if column < columns-1 && plots[row][column+1] != nil {
			end = corner(plots, areas, row, column+1).X - Margin
		}
		p.name(c, at, end-at.X, lines)
	}
	return nil
}

// plots are the panels in their grid, with names of the x axes and numbers on them that fit the width of a panel.
func (f Figure) plots(columns, rows int, width vg.Length, looks map[string]Look) ([][]*plot.Plot, error) {
	out := make([][]*plot.Plot, rows)
	for r := range out {
		out[r] = make([]*plot.Plot, columns)
	}
	beside := vg.Length(0) // numbers of the y axis
	style := Text(TickSize, Gray)
	for i, p := range f.Panels {
		axes, err := p.plot(looks)
		if err != nil {
			return nil, err
		}
		out[i/columns][i%columns] = axes
		for _, k := range axes.Y.Tick.Marker.Ticks(axes.Y.Min, axes.Y.Max) {
			beside = max(beside, style.Width(k.Label))
		}
	}
	for i, p := range f.Panels {
		marker, limit := linearTicks, aboutTicks
		if p.LogX {
			marker, limit = func(about int) plot.Ticker { return exponentTicks{powerTicks{about}} }, aboutPowers
		}
		x := &out[i/columns][i%columns].X
		room := width - beside - 2*Margin
		x.Label.Text = cut(x.Label.TextStyle, x.Label.Text, room)
		x.Tick.Marker = thinned(marker, limit, x.Min, x.Max, room)
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
func (p Panel) name(c draw.Canvas, at vg.Point, width vg.Length, lines int) {
	style, big := Text(LabelSize, color.Black), bold(LabelSize, color.Black)
	_, remark := p.yAxis()
	name := cut(style, p.Y, width-style.Width(remark)) + remark
	c.FillText(style, vg.Point{X: at.X, Y: at.Y + NameSpace - LabelSize}, name)
	if p.Title == "" {
		return
	}
	title := wrap(big, p.Title, width, lines)
	for i, line := range title {
		above := vg.Length(len(title)-1-i) * titleStep
		c.FillText(big, vg.Point{X: at.X, Y: at.Y + NameSpace + 6 + above}, line)
	}
}
