package figures

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/tarry-bo/tarry/space"
)

// parameterAxis is the axis of a parameter, over its whole range.
type parameterAxis struct {
	parameter space.Parameter
	levels    []string // names of the values side by side, where they are words, ordered by rank, or a single one; otherwise nil
	unit      unit
	name      string
}

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
	a.name = a.unit.named(p.Name)
	if p.Role == space.Context {
		a.name += " (context)"
	}
	return a
}

// place is where a value is on the axis. Those of a level with a name lie beside each other, as the number of the evaluation
// says, since they would hide each other.
func (a parameterAxis) place(v float64, number int) float64 {
	if a.levels == nil {
		return v / float64(a.unit)
	}
	_, share := math.Modf(float64(number) * math.Phi) // evenly spread, whichever numbers there are
	return float64(a.parameter.Rank(a.parameter.Unit(v))) + 0.6*(share-0.5)
}

// fit sets the axis, of a width in points.
func (a parameterAxis) fit(axes *plot.Plot, size, width vg.Length) {
	p, x := a.parameter, &axes.X
	marker := func(about int) plot.Ticker { return tidyTicks{about: about} }
	switch {
	case a.levels != nil:
		x.Min, x.Max = -0.5, float64(len(a.levels))-0.5
		x.Tick.Marker = nameTicks{a.levels, width, size}
		return
	case p.Log:
		pad := 0.03 * (math.Log(p.High) - math.Log(p.Low))
		x.Scale = plot.LogScale{}
		x.Min, x.Max = max(p.Low*math.Exp(-pad), math.SmallestNonzeroFloat64), min(p.High*math.Exp(pad), math.MaxFloat64)
		marker = func(about int) plot.Ticker { return powerTicks{about} }
	default:
		x.Min, x.Max = padded(p.Low/float64(a.unit), p.High/float64(a.unit))
		if p.Kind == space.KindInt && a.unit == 1 {
			marker = func(about int) plot.Ticker { return tidyTicks{about: about, least: 1} }
		}
	}
	x.Tick.Marker = thinned(marker, x.Min, x.Max, size, width)
}
