package chart

import (
	"bytes"
	"io"
	"os"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Drawing is anything that can be drawn on a canvas of a size. Figure and HeatMap are drawings that are laid out already.
type Drawing struct {
	Width, Height vg.Length
	Draw          func(draw.Canvas) error
}

// dotsPerInch is the resolution of a PNG.
const dotsPerInch = 96

// Pixels is a length in dots of a PNG.
func Pixels(n int) vg.Length { return vg.Length(n) * vg.Inch / dotsPerInch }

// Width is that of every picture, and Inside what is left of it between the margins.
var (
	Width  = Pixels(1200)
	Inside = Width - 2*Margin
)

// WritePNG writes the drawing as a bitmap with 96 dots per inch. An error is that of Draw or of the writer.
func (d Drawing) WritePNG(w io.Writer) error {
	bitmap := vgimg.NewWith(vgimg.UseWH(d.Width, d.Height), vgimg.UseDPI(dotsPerInch))
	if err := d.Draw(draw.New(bitmap)); err != nil {
		return err
	}
	_, err := vgimg.PngCanvas{Canvas: bitmap}.WriteTo(w)
	return err
}

// WriteSVG writes the drawing as vectors. The text begins with the tag svg and names nothing by an id, so that it can stand
// in a page of HTML as it is, beside others. An error is that of Draw or of the writer.
func (d Drawing) WriteSVG(w io.Writer) error {
	vector := vgsvg.NewWith(vgsvg.UseWH(d.Width, d.Height))
	if err := d.Draw(draw.New(vector)); err != nil {
		return err
	}
	var text bytes.Buffer
	if _, err := vector.WriteTo(&text); err != nil {
		return err
	}
	out := text.Bytes()
	if i := bytes.Index(out, []byte("<svg")); i > 0 { // what is before is a declaration, which HTML does not know
		out = out[i:]
	}
	// Where the font is missing, one with the same widths or at least without serifs shall take its place. And gonum/plot
	// v0.17 says of the PNG that it embeds that it is a JPEG.
	fonts := []byte("font-family:" + fontName)
	out = bytes.ReplaceAll(out, fonts, append(fonts, ",Arial,Helvetica,sans-serif"...))
	_, err := w.Write(bytes.ReplaceAll(out, []byte(`"data:image/jpg;base64,`), []byte(`"data:image/png;base64,`)))
	return err
}

// Save writes a picture to two files, whose names end in .png and .svg. An error is that of the picture or of a file.
func Save(base string, p Picture) error {
	for _, file := range []struct {
		end   string
		write func(io.Writer) error
	}{{".png", p.WritePNG}, {".svg", p.WriteSVG}} {
		var content bytes.Buffer
		if err := file.write(&content); err != nil {
			return err
		}
		if err := os.WriteFile(base+file.end, content.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}
