package main

import (
	"bytes"
	"errors"
	"image/color"
	"io"
	"os"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// picture is a drawing with the files it is drawn to.
type picture struct {
	png, svg string
	drawing  drawing
}

// drawing is what a picture shows.
type drawing interface {
	size() (width, height vg.Length)
	draw(c draw.Canvas) error
}

// dotsPerInch is the resolution of a PNG.
const dotsPerInch = 96

// pixels is a length in dots of a PNG.
func pixels(n int) vg.Length { return vg.Length(n) * vg.Inch / dotsPerInch }

// write draws both files.
func (p picture) write() error {
	width, height := p.drawing.size()
	bitmap := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dotsPerInch))
	if err := p.drawing.draw(draw.New(bitmap)); err != nil {
		return err
	}
	if err := save(p.png, vgimg.PngCanvas{Canvas: bitmap}); err != nil {
		return err
	}
	vector := vgsvg.NewWith(vgsvg.UseWH(width, height))
	if err := p.drawing.draw(draw.New(vector)); err != nil {
		return err
	}
	var text bytes.Buffer
	if _, err := vector.WriteTo(&text); err != nil {
		return err
	}
	// Where the font is missing, one with the same widths or at least without serifs shall take its place.
	fonts := []byte("font-family:" + fontName)
	return save(p.svg, bytes.NewReader(bytes.ReplaceAll(text.Bytes(), fonts, append(fonts, ",Arial,Helvetica,sans-serif"...))))
}

func save(path string, content io.WriterTo) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = content.WriteTo(f)
	return errors.Join(err, f.Close())
}

// Distances of the layout.
const (
	margin    = 14 * vg.Length(1)
	titleSize = 17
	noteSize  = 12
	labelSize = 14
	tickSize  = 12
	headSpace = 54 * vg.Length(1) // title and subtitle
	nameSpace = 26 * vg.Length(1) // name of a y axis
)

// size is 1200 x 750 pixels.
func (f figure) size() (width, height vg.Length) { return pixels(1200), pixels(750) }

// draw lays the figure out: title, panels, legend.
func (f figure) draw(c draw.Canvas) error {
	c = draw.Crop(c, margin, -margin, margin, -margin)
	left := c.Min.X
	head(c, f.title, f.subtitle)

	keys := newKeys(keysOf(f.panels[0].series), c.Max.X-left)
	keys.draw(c, left, c.Min.Y)
	body := draw.Crop(c, 0, 0, keys.height()+margin, -headSpace-nameSpace)
	row := make([]*plot.Plot, len(f.panels))
	for i, p := range f.panels {
		axes, err := p.plot()
		if err != nil {
			return err
		}
		row[i] = axes
	}
	tiles := draw.Tiles{Rows: 1, Cols: len(row), PadX: 2 * margin}
	for i, area := range plot.Align([][]*plot.Plot{row}, tiles, body)[0] {
		row[i].Draw(area)
		// Above the axis it reads more easily than on its side. Besides, gonum/plot v0.17 takes the middle of a logarithmic
		// axis to be where the mean of its ends is, and makes room for a rotated label there.
		c.FillText(styleOf(labelSize, color.Black), vg.Point{X: area.Min.X, Y: body.Max.Y + nameSpace - labelSize}, f.panels[i].yLabel)
	}
	return nil
}

// head writes title and subtitle at the top of a canvas.
func head(c draw.Canvas, title, subtitle string) {
	c.FillText(styleOf(titleSize, color.Black), vg.Point{X: c.Min.X, Y: c.Max.Y - titleSize}, title)
	c.FillText(styleOf(noteSize, gray), vg.Point{X: c.Min.X, Y: c.Max.Y - titleSize - 20}, subtitle)
}

// sans is the font of all text.
var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

const fontName = "Liberation Sans"

var gray = color.Gray{Y: 0x55}

// styleOf is text of a size in points.
func styleOf(size vg.Length, c color.Color) text.Style {
	return text.Style{Color: c, Font: font.From(sans, size), Handler: plot.DefaultTextHandler}
}

// plot returns the axes with bands and curves on them; all bands lie below all curves.
func (p panel) plot() (*plot.Plot, error) {
	axes := newAxes(p.xLabel)
	if p.log {
		axes.Y.Scale, axes.Y.Tick.Marker = plot.LogScale{}, powerTicks{}
	}
	length := 1
	for i, s := range p.series {
		band, err := plotter.NewPolygon(p.band(s))
		if err != nil {
			continue // no known point
		}
		band.Color, band.LineStyle.Width = translucent(looks(i, s.baseline)), 0
		axes.Add(band)
		length = max(length, len(s.curve))
	}
	for i, s := range p.series {
		points := p.line(s)
		if len(points) == 0 {
			continue
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return nil, err
		}
		line.LineStyle = looks(i, s.baseline)
		axes.Add(line)
	}
	axes.X.Min, axes.X.Max = 0, float64(length)
	axes.Y.Min, axes.Y.Max = p.low, p.high
	if !(p.high > p.low) {
		axes.Y.Min, axes.Y.Max = 0, 1
	}
	return axes, nil
}

// newAxes returns axes in the style of the house, with a grid.
func newAxes(xLabel string) *plot.Plot {
	axes := plot.New()
	axes.BackgroundColor = nil
	axes.X.Label.Text = xLabel
	for _, a := range []*plot.Axis{&axes.X, &axes.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font = font.From(sans, labelSize), font.From(sans, tickSize)
		a.Label.Padding, a.Padding = 6, 0
		a.Color, a.Tick.Color = gray, gray
		a.Tick.Marker = tidyTicks{}
	}
	axes.Add(grid())
	return axes
}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	line := draw.LineStyle{Color: color.Gray{Y: 0xe4}, Width: vg.Points(0.6)}
	g.Horizontal, g.Vertical = line, line
	return g
}

// clip keeps a value on the axis.
func (p panel) clip(v float64) float64 { return min(max(v, p.low), p.high) }

// maxPoints is how many points of a curve are drawn; longer curves are thinned out.
const maxPoints = 1000

// places are the indices of a curve that are drawn: evenly spread, the last among them, without unknown ones.
func places(curve []estimate) []int {
	step := max((len(curve)+maxPoints-1)/maxPoints, 1)
	var out []int
	for i := (len(curve) - 1) % step; i >= 0 && i < len(curve); i += step {
		if curve[i].known() {
			out = append(out, i)
		}
	}
	return out
}

// line is the curve of the means.
func (p panel) line(s series) plotter.XYs {
	return p.trace(s, func(e estimate) float64 { return e.mean })
}

// band goes along the upper ends and back along the lower ones.
func (p panel) band(s series) plotter.XYs {
	lower := p.trace(s, func(e estimate) float64 { low, _ := e.ends(); return low })
	slices.Reverse(lower)
	return append(p.trace(s, func(e estimate) float64 { _, high := e.ends(); return high }), lower...)
}

// trace is a line through one value of each point.
func (p panel) trace(s series, of func(estimate) float64) plotter.XYs {
	var out plotter.XYs
	for _, i := range places(s.curve) {
		x, y := float64(i+1), p.clip(of(s.curve[i]))
		if p.steps && len(out) > 0 {
			out = append(out, plotter.XY{X: x, Y: out[len(out)-1].Y})
		}
		out = append(out, plotter.XY{X: x, Y: y})
	}
	return out
}
