package figures

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/space"
)

// parameterAxis is the axis of a parameter, over its whole range.
type parameterAxis struct {
	parameter space.Parameter
	levels    []string // names of the values side by side, where they are words, ordered by rank, or a single one; otherwise nil
	unit      unit
	name      string
	spread    bool // evaluations with the same value lie beside each other
}

// fewLevels is the number of whole numbers up to which evaluations with the same one lie beside each other.
const fewLevels = 12

func newParameterAxis(p space.Parameter) parameterAxis {
	a := parameterAxis{parameter: p, levels: p.Words(), unit: 1}
	switch {
	case a.levels != nil:
	case p.Kind == space.KindOrdered || p.Fixed():
		for k := range p.Levels() {
			a.levels = append(a.levels, numeral(p.Value(p.Level(k))))
		}
	case !p.Log:
		a.unit = unitOf(max(math.Abs(p.Low), math.Abs(p.High)))
	}
	a.spread = a.levels != nil || p.Kind == space.KindInt && !p.Log && a.unit == 1 && p.High-p.Low < fewLevels
	a.name = a.unit.named(p.Name)
	if !p.Role.Chosen() {
		a.name += " (" + p.Role.String() + ")"
	}
	return a
}

// place is where a value is on the axis. Those of a level with a name and of one of a few whole numbers lie beside each
// other, as the number of the evaluation says, since they would hide each other.
func (a parameterAxis) place(v float64, number int) float64 {
	_, share := math.Modf(float64(number) * math.Phi) // evenly spread, whichever numbers there are
	aside := 0.6 * (share - 0.5)
	switch {
	case a.levels != nil:
		return float64(a.parameter.Rank(a.parameter.Unit(v))) + aside
	case a.parameter.Log:
		return math.Log10(v)
	case a.spread:
		return v + aside
	}
	return v / float64(a.unit)
}

// fit sets the axis, of a width in points.
func (a parameterAxis) fit(axes *plot.Plot, size, width vg.Length) {
	const narrow, mostNumbers = 24, 10 // points for a number
	p, x := a.parameter, &axes.X
	marker := chart.TidyTicks
	switch {
	case a.levels != nil:
		x.Min, x.Max = -0.5, float64(len(a.levels))-0.5
		x.Tick.Marker = nameTicks{a.levels, width, size}
		return
	case p.Log:
		x.Min, x.Max = chart.Padded(math.Log10(p.Low), math.Log10(p.High))
		marker = chart.ExponentTicks
	case a.spread:
		x.Min, x.Max = p.Low-0.5, p.High+0.5
		marker = chart.WholeTicks
	default:
		x.Min, x.Max = chart.Padded(p.Low/float64(a.unit), p.High/float64(a.unit))
		if p.Kind == space.KindInt && a.unit == 1 {
			marker = chart.WholeTicks
		}
	}
	x.Tick.Marker = chart.Thinned(marker, min(int(width/narrow), mostNumbers), x.Min, x.Max, size, width)
}

// numeral writes a number to the bit, with an exponent where that is shorter: 128, 0.05, 1e6.
func numeral(v float64) string {
	plain := strconv.FormatFloat(v, 'f', -1, 64)
	if short := chart.Exponential(v, -1); len(short) < len(plain) {
		return short
	}
	return plain
}

// nameTicks names categories, as far as there is room.
type nameTicks struct {
	names []string
	width vg.Length // of the axis
	size  vg.Length // of the labels
}

// Ticks returns a mark for each category, or for every second, third … one.
func (t nameTicks) Ticks(_, _ float64) []plot.Tick {
	const narrow = 34 // points, less than which a name is not given
	style := chart.Text(t.size, chart.Gray)
	room := t.width / vg.Length(len(t.names))
	every := max(int(math.Ceil(narrow/float64(room))), 1)
	longest := vg.Length(0)
	for _, name := range t.names {
		longest = max(longest, style.Width(choice(name))+4)
	}
	if longest <= room {
		every = 1
	}
	var out []plot.Tick
	for i, name := range t.names {
		tick := plot.Tick{Value: float64(i)}
		if i%every == 0 {
			tick.Label = chart.Cut(style, choice(name), room*vg.Length(every)-4)
		}
		out = append(out, tick)
	}
	return out
}

// choice is the name of a category as it is drawn.
func choice(name string) string {
	if name == "" {
		return `""`
	}
	return chart.Printable(name)
}
