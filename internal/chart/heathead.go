package chart

import (
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes and distances of the names of columns.
const (
	leastHead   = 10 // size before they are broken within words
	headLines   = 3  // of a name
	lineStep    = 14 * vg.Length(1)
	longestName = 170 * vg.Length(1) // written upwards
)

// headStyle is text of the names of the columns.
func (t *heatTable) headStyle() text.Style { return Text(t.headSize, color.Black) }

// layOutHead breaks the names of the columns into lines: level ones where all names fit, at spaces rather than behind signs,
// else upright ones.
func (t *heatTable) layOutHead() {
	t.head, t.upright = lineStep, false // for the name of the rows, too
	for _, signs := range []string{" ", " ,:;/-_=+"} {
		for t.headSize = TickSize; t.headSize >= leastHead; t.headSize-- {
			if t.level(signs) {
				t.head += 6
				return
			}
		}
	}
	t.headSize, t.upright, t.headLines = TickSize, true, nil
	for _, name := range t.Columns {
		lines := wrap(t.headStyle(), name, longestName, max(min(int(t.cell.X/lineStep), headLines), 1))
		for _, line := range lines {
			t.head = max(t.head, t.headStyle().Width(line))
		}
		t.headLines = append(t.headLines, lines)
	}
	t.head += 6
}

// level breaks the names of the columns behind signs into lines of the width of a cell; false where that is not possible.
func (t *heatTable) level(signs string) bool {
	t.headLines, t.head = nil, lineStep
	for _, name := range t.Columns {
		lines, fits := broken(t.headStyle(), name, signs, t.cell.X-6)
		if !fits {
			return false
		}
		t.headLines = append(t.headLines, lines)
		t.head = max(t.head, vg.Length(len(lines))*lineStep)
	}
	return true
}

// broken puts a name into at most headLines lines of a width, broken behind signs; false where it does not fit.
func broken(style text.Style, name, signs string, width vg.Length) ([]string, bool) {
	var lines []string
	line := ""
	for _, piece := range pieces(Printable(name), signs) {
		if line != "" && style.Width(strings.TrimSpace(line+piece)) > width {
			lines, line = append(lines, strings.TrimSpace(line)), ""
		}
		line += piece
		if style.Width(strings.TrimSpace(line)) > width {
			return nil, false
		}
	}
	lines = append(lines, strings.TrimSpace(line))
	return lines, len(lines) <= headLines
}

// pieces cuts a name behind each sign.
func pieces(name, signs string) []string {
	var out []string
	for name != "" {
		end := strings.IndexAny(name, signs)
		if end < 0 {
			end = len(name) - 1
		}
		out, name = append(out, name[:end+1]), name[end+1:]
	}
	return out
}

// drawColumns writes the names of the columns above the cells.
func (t *heatTable) drawColumns(c draw.Canvas, style text.Style, cells vg.Point) {
	every := int(math.Ceil(float64(lineStep / t.cell.X)))
	for k, lines := range t.headLines {
		middle := cells.X + (vg.Length(k)+0.5)*t.cell.X
		if t.upright && k%every > 0 {
			continue
		}
		for i, line := range lines {
			if t.upright {
				style.Rotation, style.YAlign = math.Pi/2, text.YCenter
				beside := (vg.Length(i) - vg.Length(len(lines)-1)/2) * lineStep
				c.FillText(style, vg.Point{X: middle + beside, Y: cells.Y + 5}, line)
			} else {
				style.XAlign = text.XCenter
				c.FillText(style, vg.Point{X: middle, Y: cells.Y + 5 + vg.Length(len(lines)-1-i)*lineStep}, line)
			}
		}
	}
}
