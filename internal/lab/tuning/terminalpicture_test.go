package tuning

import (
	"bytes"
	"flag"
	"image/color"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/must"
)

var (
	recording = flag.String("recording", "", "what a run wrote to a terminal of 120 columns")
	writeTo   = flag.String("write", "", "draw the recording to this PNG")
)

// TestTerminalPicture draws a recorded run: a frame from the middle of the first method, and the end. For the picture in
// the README:
//
//	go build -o demo ./cmd/demo
//	script -qfc 'stty cols 120 rows 40; echo "$ go run ./cmd/demo"; exec ./demo' recording
//	go test ./internal/lab/tuning -run TestTerminalPicture -recording $PWD/recording -write $PWD/docs/demo-terminal.png
func TestTerminalPicture(t *testing.T) {
	if *writeTo == "" {
		t.Skip("draws only with -write")
	}
	recorded := must.Get(os.ReadFile(*recording))(t)
	_, run, _ := strings.Cut(string(recorded), "\n") // the first line and the last are those of script
	run, _, _ = strings.Cut(run, "\nScript done")
	frames := strings.SplitAfter(run, eraseBelow)
	first := 0 // frames of the first method
	for first < len(frames) && !strings.Contains(frames[first], "method 2 of") {
		first++
	}
	var middle, end page
	middle.width, end.width = 120, 120
	middle.write(strings.Join(frames[:first*55/100], ""))
	end.write(run)
	begin := 0 // of what follows the announcement
	for begin < len(end.lines) && !strings.HasPrefix(lineText(end.lines[begin]), "method 1") {
		begin++
	}
	end.lines = end.lines[begin:]
	if err := drawPages(*writeTo, middle, end); err != nil {
		t.Fatal(err)
	}
}

func lineText(line []cell) string {
	var b strings.Builder
	for _, c := range line {
		b.WriteRune(c.char)
	}
	return b.String()
}

// Looks of a terminal.
var (
	backdrop = color.NRGBA{R: 0x1b, G: 0x1f, B: 0x24, A: 0xff}
	inks     = map[string]color.NRGBA{
		"":    {R: 0xd6, G: 0xda, B: 0xdf, A: 0xff},
		bold:  {R: 0xff, G: 0xff, B: 0xff, A: 0xff},
		faint: {R: 0x8b, G: 0x93, B: 0x9c, A: 0xff},
		red:   {R: 0xff, G: 0x7b, B: 0x72, A: 0xff},
		green: {R: 0x7e, G: 0xd3, B: 0x8a, A: 0xff},
		cyan:  {R: 0x58, G: 0xb4, B: 0xe0, A: 0xff},
	}
)

const (
	monoSize = vg.Length(11)
	rowStep  = vg.Length(14)
	pagePad  = vg.Length(14)
	pageGap  = vg.Length(10)
)

// drawPages draws pages below each other.
func drawPages(path string, pages ...page) error {
	mono := font.Font{Typeface: "Liberation", Variant: "Mono"}
	style := text.Style{Font: font.From(mono, monoSize), Handler: plot.DefaultTextHandler}
	column := style.Width("MMMMMMMMMM") / 10
	width, height := vg.Length(pages[0].width)*column+2*pagePad, -pageGap
	for i := range pages {
		for n := len(pages[i].lines); n > 0 && strings.TrimSpace(lineText(pages[i].lines[n-1])) == ""; n-- {
			pages[i].lines = pages[i].lines[:n-1]
		}
		height += vg.Length(len(pages[i].lines))*rowStep + 2*pagePad + pageGap
	}
	bitmap := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(110))
	c := draw.New(bitmap)
	top := c.Max.Y
	for _, p := range pages {
		bottom := top - vg.Length(len(p.lines))*rowStep - 2*pagePad
		c.FillPolygon(backdrop, []vg.Point{{X: c.Min.X, Y: bottom}, {X: c.Max.X, Y: bottom}, {X: c.Max.X, Y: top}, {X: c.Min.X, Y: top}})
		for row, line := range p.lines {
			y := top - pagePad - vg.Length(row+1)*rowStep
			for col, e := range line {
				at := draw.Crop(c, pagePad+vg.Length(col)*column, 0, y-c.Min.Y, 0)
				drawCell(at, style, e, column)
			}
		}
		top = bottom - pageGap
	}
	var content bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: bitmap}).WriteTo(&content); err != nil {
		return err
	}
	return os.WriteFile(path, content.Bytes(), 0o666)
}

// arms are the directions in which the lines of a box go from the middle of a cell: left, right, up, down.
var arms = map[rune][4]bool{
	'│': {2: true, 3: true}, '─': {0: true, 1: true}, '┌': {1: true, 3: true}, '┐': {0: true, 3: true}, '└': {1: true, 2: true}, '┘': {0: true, 2: true},
	'├': {1: true, 2: true, 3: true}, '┤': {0: true, 2: true, 3: true}, '┬': {0: true, 1: true, 3: true}, '┴': {0: true, 1: true, 2: true}, '┼': {true, true, true, true},
}

// drawCell draws a character in the cell at the lower left corner of the canvas. Blocks and boxes fill their cells
// without gaps, which no font does.
func drawCell(c draw.Canvas, style text.Style, e cell, column vg.Length) {
	ink := inks[e.code]
	style.Color = ink
	x, y := c.Min.X, c.Min.Y
	directions, isBox := arms[e.char]
	switch {
	case e.char == ' ':
	case e.char >= '█' && e.char <= '▏':
		length := column * vg.Length(8-(e.char-'█')) / 8
		if e.char == '█' {
			length += 1 // no seam before the next one
		}
		c.FillPolygon(ink, chart.Box(vg.Point{X: x, Y: y + rowStep/2}, length, rowStep*0.72))
	case isBox:
		middle := vg.Point{X: x + column/2, Y: y + rowStep/2}
		ends := []vg.Point{{X: x, Y: middle.Y}, {X: x + column, Y: middle.Y}, {X: middle.X, Y: y + rowStep}, {X: middle.X, Y: y}}
		for i, on := range directions {
			if on {
				c.StrokeLine2(draw.LineStyle{Color: inks[faint], Width: 0.8}, middle.X, middle.Y, ends[i].X, ends[i].Y)
			}
		}
	default:
		if e.code == bold {
			style.Font.Weight = 3 // bold
		}
		c.FillText(style, vg.Point{X: x, Y: y + rowStep*0.28}, string(e.char))
	}
}
