package chart

import (
	"image/color"
	"sort"
	"strings"
	"unicode"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Distances of the layout and sizes of texts, in points.
const (
	Margin    = 14 * vg.Length(1) // around a picture
	LabelSize = 14                // of the names of axes
	TickSize  = 12                // of the numbers on axes
	titleSize = 17
	noteSize  = 12
)

// Most lines of the head, and what is below it.
const (
	titleLines = 2
	noteLines  = 3
	headGap    = 17 * vg.Length(1)
)

// sans is the font of all text.
var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

const fontName = "Liberation Sans"

// Gray is the color of axes and notes.
var Gray = color.Gray{Y: 0x55}

// faint is the color of the lines between numbers and between cells.
var faint = color.Gray{Y: 0xe4}

// Text is text of a size in points.
func Text(size vg.Length, c color.Color) text.Style {
	return text.Style{Color: c, Font: font.From(sans, size), Handler: plot.DefaultTextHandler}
}

// Head writes title and note at the top of a canvas and returns what is below. Both are wrapped where they are too long, and
// cut where that is not enough.
func Head(c draw.Canvas, title, note string) draw.Canvas {
	width := c.Max.X - c.Min.X
	big, small := Text(titleSize, color.Black), Text(noteSize, Gray)
	base := c.Max.Y + 4
	for _, line := range wrap(big, title, width, titleLines) {
		base -= titleSize + 4
		c.FillText(big, vg.Point{X: c.Min.X, Y: base}, line)
	}
	base -= 4
	for _, line := range wrap(small, note, width, noteLines) {
		base -= noteSize + 4
		c.FillText(small, vg.Point{X: c.Min.X, Y: base}, line)
	}
	return draw.Crop(c, 0, 0, 0, base-headGap-c.Max.Y)
}

// HeadHeight returns how much of a picture the head takes.
func HeadHeight(title, note string) vg.Length {
	lines := len(wrap(Text(titleSize, color.Black), title, Inside, titleLines))
	notes := len(wrap(Text(noteSize, Gray), note, Inside, noteLines))
	return vg.Length(lines)*(titleSize+4) + vg.Length(notes)*(noteSize+4) + headGap
}

// wrap breaks a text into at most so many lines of a width, at spaces where it can. The last is cut if need be. There is at
// least one line.
func wrap(style text.Style, words string, width vg.Length, lines int) []string {
	var out []string
	rest := strings.TrimSpace(Printable(words))
	for len(out) < lines-1 && style.Width(rest) > width {
		runes := []rune(rest)
		line := string(runes[:max(fitting(style, runes, "", width), 1)])
		if space := strings.LastIndexByte(line, ' '); space > 0 && rest[len(line)] != ' ' {
			line = line[:space]
		}
		out, rest = append(out, strings.TrimSpace(line)), strings.TrimSpace(rest[len(line):])
	}
	return append(out, Cut(style, rest, width))
}

// Cut shortens a text to a width.
func Cut(style text.Style, words string, width vg.Length) string {
	words = Printable(words)
	if style.Width(words) <= width {
		return words
	}
	const ellipsis = "…"
	runes := []rune(words)
	return strings.TrimRight(string(runes[:fitting(style, runes, ellipsis, width)]), " ") + ellipsis
}

// fitting is how many letters fit into a width together with what comes behind them.
func fitting(style text.Style, letters []rune, behind string, width vg.Length) int {
	return max(sort.Search(len(letters)+1, func(n int) bool { return style.Width(string(letters[:n])+behind) > width })-1, 0)
}

// Printable is a text of one line without what cannot be drawn or written to a file of XML.
func Printable(words string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, words)
}

const boldWeight = 3 // font.WeightBold of golang.org/x/image

// bold is text in bold letters.
func bold(size vg.Length, c color.Color) text.Style {
	style := Text(size, c)
	style.Font.Weight = boldWeight
	return style
}
