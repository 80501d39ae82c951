package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Mark is the shape of a mark: a circle, a regular polygon, or strokes that cross in the middle. The zero Mark is none. The
// shapes of gonum/plot are too few, and their outlines too thin to be told apart when they are small.
type Mark struct {
	size    float64 // with which it looks as large as a circle of size 1; 0: there is no mark
	corners int     // 0: none, it is round
	strokes int     // 0: it has an area
	crossed bool    // the last two corners are in the other order: an hourglass in place of a square
	turn    float64 // of the first corner or stroke, in radians
	inside  inside
}

// inside is what the area of a mark is filled with.
type inside int

const (
	solid inside = iota
	whitened
	open
)

// The marks.
var (
	Circle   = Mark{size: 1}
	Ring     = Mark{size: 1, inside: open}
	Square   = Mark{size: 1.2, corners: 4, turn: math.Pi / 4}
	Diamond  = Mark{size: 1.35, corners: 4}
	Triangle = Mark{size: 1.4, corners: 3, turn: math.Pi / 2}
	Wedge    = Mark{size: 1.4, corners: 3, turn: -math.Pi / 2} // a triangle that stands on a corner
	Cross    = Mark{size: 1.2, strokes: 2, turn: math.Pi / 4}

	plus      = Mark{size: 1.3, strokes: 2}
	pointer   = Mark{size: 1.4, corners: 3} // to the right
	arrow     = Mark{size: 1.4, corners: 3, turn: math.Pi}
	hourglass = Mark{size: 1.5, corners: 4, turn: math.Pi / 4, crossed: true}
	pentagon  = Mark{size: 1.3, corners: 5, turn: math.Pi / 2}

	turnedPentagon = Mark{size: 1.3, corners: 5, turn: -math.Pi / 2}
	hexagon        = Mark{size: 1.2, corners: 6}
	star           = Mark{size: 1.3, strokes: 3}
	turnedStar     = Mark{size: 1.3, strokes: 3, turn: math.Pi / 2}
	asterisk       = Mark{size: 1.3, strokes: 4, turn: math.Pi / 8}
	bowtie         = Mark{size: 1.5, corners: 4, turn: -math.Pi / 4, crossed: true}
	verticalStroke = Mark{size: 1.4, strokes: 1, turn: math.Pi / 2} // single strokes
	risingStroke   = Mark{size: 1.4, strokes: 1, turn: math.Pi / 4}
	fallingStroke  = Mark{size: 1.4, strokes: 1, turn: -math.Pi / 4}
)

// Hollow is the mark with a white inside.
func (m Mark) Hollow() Mark {
	m.inside = whitened
	return m
}

// turned is hollow where the mark is not, and the other way around.
func (m Mark) turned() Mark {
	if m.inside == solid {
		return m.Hollow()
	}
	m.inside = solid
	return m
}

// outlineWidth is that of marks which are lines.
const outlineWidth = 1.3

// DrawGlyph draws the mark.
func (m Mark) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: outlineWidth})
	radius := style.Radius * vg.Length(m.size)
	for i := range m.strokes {
		sin, cos := math.Sincos(m.turn + math.Pi*float64(i)/float64(m.strokes))
		end := vg.Point{X: radius * vg.Length(cos), Y: radius * vg.Length(sin)}
		c.Stroke(vg.Path{{Type: vg.MoveComp, Pos: at.Sub(end)}, {Type: vg.LineComp, Pos: at.Add(end)}})
	}
	if m.strokes > 0 || m.size == 0 {
		return
	}
	outline := m.outline(at, radius)
	if m.inside == solid {
		c.Fill(outline)
		return
	}
	if m.inside == whitened {
		c.SetColor(color.White)
		c.Fill(outline)
		c.SetColor(style.Color)
	}
	c.Stroke(outline)
}

// outline is the border of a circle or polygon.
func (m Mark) outline(at vg.Point, radius vg.Length) vg.Path {
	var p vg.Path
	if m.corners == 0 {
		p.Move(vg.Point{X: at.X + radius, Y: at.Y})
		p.Arc(at, radius, 0, 2*math.Pi)
	}
	for i := range m.corners {
		angle := i
		if m.crossed {
			angle ^= i >> 1 // 0, 1, 3, 2
		}
		sin, cos := math.Sincos(m.turn + 2*math.Pi*float64(angle)/float64(m.corners))
		corner := vg.Point{X: at.X + radius*vg.Length(cos), Y: at.Y + radius*vg.Length(sin)}
		if i == 0 {
			p.Move(corner)
		} else {
			p.Line(corner)
		}
	}
	p.Close()
	return p
}

// Rimmed is the mark with a white rim, which keeps it apart from what is around it.
type Rimmed struct{ Mark }

// DrawGlyph draws the mark and its rim.
func (r Rimmed) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	const rim = 1.5 // points
	under := draw.GlyphStyle{Color: color.White, Radius: style.Radius + rim}
	c.SetColor(under.Color)
	r.Mark.DrawGlyph(c, under, at)
	c.SetColor(style.Color)
	r.Mark.DrawGlyph(c, style, at)
}
