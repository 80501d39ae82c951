package figures

import (
	"gonum.org/v1/plot/vg/draw"

	"github.com/tarry-bo/tarry/internal/chart"
)

// withKeys puts a legend at the bottom of a canvas, where nothing can be in its way, and returns what is above.
func withKeys(c draw.Canvas, all []chart.Key) draw.Canvas {
	const gap = 8 // points, between the legend and what is above
	k := chart.NewKeys(all, c.Max.X-c.Min.X)
	if k.Height() == 0 {
		return c
	}
	k.Draw(c, c.Min.X, c.Min.Y)
	return draw.Crop(c, 0, 0, k.Height()+gap, 0)
}
