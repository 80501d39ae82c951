package figures

import (
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
)

// Figure is a drawing that can be written to files. Build it with Incumbent, Parameters or Delays.
type Figure struct{ drawing chart.Drawing }

// newFigure is 1200 pixels wide.
func newFigure(height vg.Length, paint func(draw.Canvas)) Figure {
	return Figure{chart.Drawing{Width: chart.Pixels(1200), Height: height, Draw: func(c draw.Canvas) error {
		paint(c)
		return nil
	}}}
}

// WritePNG writes the figure as a bitmap, 1200 pixels wide. An error is the writer's.
func (f Figure) WritePNG(w io.Writer) error { return f.drawing.WritePNG(w) }

// WriteSVG writes the figure as vectors, apart from clouds of thousands of points, which are bitmaps in it. An error is the
// writer's.
func (f Figure) WriteSVG(w io.Writer) error { return f.drawing.WriteSVG(w) }
