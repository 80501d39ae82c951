package portrait

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tarry-bo/tarry/space"
)

// panel is a chart of a report. Its drawing is a square of a thousand units that is stretched to whatever width there is; strokes and
// letters are not stretched with it, since they are not scaled, and the letters stand beside the drawing as text.
type panel struct {
	Title, Note string
	Height      int // pixels
	X, Y        []Tick
	Room        template.CSS // the greatest width of a label of X; empty: as the style sheet has it
	XName       string
	Keys        []key
	body        strings.Builder
}

// key explains a mark.
type key struct{ Class, Name string }

// side is the length of a drawing in its own units.
const side = 1000

// across and up lead from shares of the axes to the units of the drawing.
func across(x float64) float64 { return math.Round(min(max(x, -0.01), 1.01)*side*10) / 10 }
func up(y float64) float64     { return math.Round((1-min(max(y, -0.01), 1.01))*side*10) / 10 }

// along puts the marks of a parameter below the panel. Names have the way to the next one and no more, what is longer is cut by the
// browser; of many long ones some are left out, as on the page of a study.
func (p *panel) along(q Parameter) {
	const most, letters = 6, 3
	p.X = slices.Clone(q.Ticks)
	if q.Kind != space.KindCategorical.String() && q.Kind != space.KindOrdered.String() || len(p.X) < 2 {
		return
	}
	every := 1
	if slices.ContainsFunc(p.X, func(t Tick) bool { return utf8.RuneCountInString(t.Label) > letters }) {
		every = (len(p.X) + most - 1) / most
	}
	for i := range p.X {
		if i%every > 0 {
			p.X[i].Label = ""
		}
	}
	p.Room = template.CSS(fmt.Sprintf("calc(%.2f%% - 6px)", 100*float64(every)*(p.X[1].At-p.X[0].At)))
}

// path draws a path with a class.
func (p *panel) path(class, d string) {
	if d != "" {
		fmt.Fprintf(&p.body, `<path class="%s" d="%s"/>`, class, d)
	}
}

// cells are how many places of a drawing are told apart across and up: a mark is larger than one of them.
const cells = 500

// dots draws marks of a class; those at the same place are drawn once.
func (p *panel) dots(class string, at [][2]float64) {
	var d strings.Builder
	seen := map[[2]int]bool{}
	for _, xy := range at {
		cell := [2]int{int(math.Round(xy[0] * cells)), int(math.Round(xy[1] * cells))}
		if !seen[cell] {
			seen[cell] = true
			fmt.Fprintf(&d, "M%g %gh.1", across(float64(cell[0])/cells), up(float64(cell[1])/cells))
		}
	}
	p.path(class, d.String())
}

// line draws a line.
func (p *panel) line(class string, at [][2]float64) {
	var d strings.Builder
	for i, xy := range at {
		fmt.Fprintf(&d, "%s%g %g", [2]string{"L", "M"}[bit(i == 0)], across(xy[0]), up(xy[1]))
	}
	p.path(class, d.String())
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// band fills what is between two lines.
func (p *panel) band(class string, low, high [][2]float64) {
	var d strings.Builder
	for i, xy := range low {
		fmt.Fprintf(&d, "%s%g %g", [2]string{"L", "M"}[bit(i == 0)], across(xy[0]), up(xy[1]))
	}
	for i := len(high) - 1; i >= 0; i-- {
		fmt.Fprintf(&d, "L%g %g", across(high[i][0]), up(high[i][1]))
	}
	if len(low) > 0 {
		p.path(class, d.String()+"Z")
	}
}

// SVG is the drawing.
func (p *panel) SVG() template.HTML {
	var grid strings.Builder
	for _, t := range p.X {
		fmt.Fprintf(&grid, "M%g 0V%d", across(t.At), side)
	}
	for _, t := range p.Y {
		fmt.Fprintf(&grid, "M0 %gH%d", up(t.At), side)
	}
	return template.HTML(fmt.Sprintf(`<svg viewBox="0 0 %d %d" preserveAspectRatio="none" role="img" aria-label="%s"><path class="grid" d="%s"/>%s</svg>`,
		side, side, template.HTMLEscapeString(p.Title+". "+p.Note), grid.String(), p.body.String()))
}

// Percent is where a mark of an axis stands, for a style.
func (t Tick) Percent() template.CSS {
	return template.CSS(fmt.Sprintf("%.2f%%", 100*min(max(t.At, 0), 1)))
}

// Down is Percent from above.
func (t Tick) Down() template.CSS {
	return template.CSS(fmt.Sprintf("%.2f%%", 100*(1-min(max(t.At, 0), 1))))
}
