package figures

import (
	"bytes"
	"io"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is a drawing that can be written to files. Build it with Incumbent, Parameters or Delays.
type Figure struct {
	width, height vg.Length
	draw          func(draw.Canvas)
}

// dotsPerInch is the resolution of a PNG.
const dotsPerInch = 96

// pixels is a length in dots of a PNG.
func pixels(n int) vg.Length { return vg.Length(n) * vg.Inch / dotsPerInch }

// WritePNG writes the figure as a bitmap, 1200 pixels wide. An error is the writer's.
func (f Figure) WritePNG(w io.Writer) error {
	bitmap := vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(dotsPerInch))
	f.draw(draw.New(bitmap))
	_, err := vgimg.PngCanvas{Canvas: bitmap}.WriteTo(w)
	return err
}

// WriteSVG writes the figure as vectors, apart from clouds of thousands of points, which are bitmaps in it. An error is the
// writer's.
func (f Figure) WriteSVG(w io.Writer) error {
	vector := vgsvg.NewWith(vgsvg.UseWH(f.width, f.height))
	f.draw(draw.New(vector))
	var text bytes.Buffer
	if _, err := vector.WriteTo(&text); err != nil {
		return err
	}
	// Where the font is missing, one with the same widths or at least without serifs shall take its place. And
	// gonum/plot v0.17 says of the PNG that it embeds that it is a JPEG.
	fonts := []byte("font-family:" + fontName)
	out := bytes.ReplaceAll(text.Bytes(), fonts, append(fonts, ",Arial,Helvetica,sans-serif"...))
	out = bytes.ReplaceAll(out, []byte(`"data:image/jpg;base64,`), []byte(`"data:image/png;base64,`))
	_, err := w.Write(out)
	return err
}
