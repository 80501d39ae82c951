package chart

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// label is a text of a drawing with about the rectangle that its letters fill.
type label struct {
	words string
	box   vg.Rectangle
}

// filled is an area with its color.
type filled struct {
	color any
	path  vg.Path
}

// inspection is what a drawing draws.
type inspection struct {
	width, height vg.Length

	labels []label
	fills  []filled
	lines  []vg.Path
}

// transform takes points of a canvas that was moved and turned to those of the picture.
type transform struct{ a, b, c, d, x, y float64 }

func (m transform) times(n transform) transform {
	return transform{
		m.a*n.a + m.c*n.b, m.b*n.a + m.d*n.b, m.a*n.c + m.c*n.d, m.b*n.c + m.d*n.d,
		m.a*n.x + m.c*n.y + m.x, m.b*n.x + m.d*n.y + m.y,
	}
}

func (m transform) at(x, y vg.Length) vg.Point {
	return vg.Point{X: vg.Length(m.a*float64(x) + m.c*float64(y) + m.x), Y: vg.Length(m.b*float64(x) + m.d*float64(y) + m.y)}
}

// tester is a test, of the standard library or of rapid.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// inspect draws. Paths are as the canvas got them: only texts are turned.
func inspect(t tester, d Drawing) inspection {
	t.Helper()
	var r recorder.Canvas
	if err := d.Draw(draw.NewCanvas(&r, d.Width, d.Height)); err != nil {
		t.Fatalf("%v", err)
	}
	out := inspection{width: d.Width, height: d.Height}
	var ink any
	stack := []transform{{a: 1, d: 1}}
	for _, action := range r.Actions {
		now := &stack[len(stack)-1]
		switch a := action.(type) {
		case *recorder.Push:
			stack = append(stack, *now)
		case *recorder.Pop:
			stack = stack[:len(stack)-1]
		case *recorder.Translate:
			*now = now.times(transform{1, 0, 0, 1, float64(a.Point.X), float64(a.Point.Y)})
		case *recorder.Rotate:
			sin, cos := math.Sincos(a.Angle)
			*now = now.times(transform{cos, sin, -sin, cos, 0, 0})
		case *recorder.SetColor:
			ink = a.Color
		case *recorder.Fill:
			out.fills = append(out.fills, filled{ink, a.Path})
		case *recorder.Stroke:
			out.lines = append(out.lines, a.Path)
		case *recorder.FillString:
			style := text.Style{Font: a.Font, Handler: plot.DefaultTextHandler}
			style.Font.Size = a.Size
			width := style.Width(a.String)
			one := now.at(a.Point.X, a.Point.Y-0.2*a.Size)
			other := now.at(a.Point.X+width, a.Point.Y+0.72*a.Size)
			out.labels = append(out.labels, label{a.String, vg.Rectangle{
				Min: vg.Point{X: min(one.X, other.X), Y: min(one.Y, other.Y)}, Max: vg.Point{X: max(one.X, other.X), Y: max(one.Y, other.Y)},
			}})
		}
	}
	return out
}

// filled is the number of areas of a color.
func (i inspection) filled(c color.Color) int {
	n := 0
	for _, f := range i.fills {
		if f.color == any(c) {
			n++
		}
	}
	return n
}

// words are the texts of the drawing.
func (i inspection) words() []string {
	var out []string
	for _, l := range i.labels {
		out = append(out, l.words)
	}
	return out
}

// wantsOrder reports what leaves the picture, and texts that lie over others.
func wantsOrder(t tester, d Drawing) inspection {
	t.Helper()
	i := inspect(t, d)
	i.wantsWithin(t)
	for k, l := range i.labels {
		for _, other := range i.labels[:k] {
			if l.words != "" && other.words != "" && overlap(l.box, other.box) {
				t.Errorf("%q at %v lies over %q at %v", l.words, l.box, other.words, other.box)
			}
		}
	}
	return i
}

// overlap reports whether two rectangles have a common part.
func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// wantsWithin reports what leaves the picture.
func (i inspection) wantsWithin(t tester) {
	t.Helper()
	const slack = 0.5 // points
	inside := func(p vg.Point) bool {
		return p.X >= -slack && p.Y >= -slack && p.X <= i.width+slack && p.Y <= i.height+slack // false for NaN
	}
	for _, l := range i.labels {
		if !inside(l.box.Min) || !inside(l.box.Max) {
			t.Errorf("%q leaves the picture of %v x %v: %v", l.words, i.width, i.height, l.box)
		}
	}
	paths := i.lines
	for _, f := range i.fills {
		paths = append(paths, f.path)
	}
	for _, path := range paths {
		for _, c := range path {
			if (c.Type == vg.MoveComp || c.Type == vg.LineComp || c.Type == vg.ArcComp) && !inside(c.Pos) {
				t.Fatalf("a line leaves the picture: %v", c.Pos)
			}
		}
	}
}
