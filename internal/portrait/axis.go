package portrait

import (
	"math"
	"strconv"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/space"
)

// parameters are those of a space, with the marks of their axes.
func parameters(where space.Space) []Parameter {
	var out []Parameter
	for _, p := range where.Parameters() {
		n := p.Levels()
		out = append(out, Parameter{
			Name: p.Name, Kind: p.Kind.String(), Role: p.Role.String(), Range: rangeOf(p), Ticks: ticks(p), Apart: n > 0 && n <= mostChosen, Log: p.Log,
		})
	}
	return out
}

// rangeOf is what a parameter may be, in words.
func rangeOf(p space.Parameter) string {
	if words := p.Words(); words != nil {
		text := ""
		for i, w := range words {
			if i > 0 {
				text += ", "
			}
			if i == mostChosen {
				return text + "… (" + strconv.Itoa(len(words)) + ")"
			}
			text += w
		}
		return text
	}
	if p.Kind == space.KindOrdered {
		return Short(p.Range(), maxReason)
	}
	text := p.Format(p.Low) + " … " + p.Format(p.High)
	switch {
	case p.Log:
		return text + ", by its logarithm"
	case p.Step != 0:
		return text + ", in steps of " + strconv.FormatFloat(p.Step, 'g', -1, 64)
	}
	return text
}

// ticks are the marks of the axis of a parameter: each of a few values, decades of a logarithm, and otherwise round numbers.
func ticks(p space.Parameter) (out []Tick) {
	if n := p.Levels(); n > 0 && (n <= maxTicks || p.Words() != nil || p.Kind == space.KindOrdered) {
		every := (n + mostChosen - 1) / mostChosen
		for i := 0; i < n; i += every {
			v := p.Value(p.Level(i))
			out = append(out, Tick{p.Unit(v), p.Format(v)})
		}
		return out
	}
	low, high := p.Low, p.High
	marks := chart.TidyTicks(maxTicks).Ticks(low, high)
	if p.Log {
		marks = chart.ExponentTicks(maxTicks).Ticks(math.Log10(low), math.Log10(high))
		for i := range marks {
			marks[i].Value = math.Pow(10, marks[i].Value)
		}
	}
	for _, m := range marks {
		if m.Label != "" && m.Value >= low*(1-1e-12) && m.Value <= high*(1+1e-12) || m.Label != "" && !p.Log && m.Value >= low && m.Value <= high {
			out = append(out, Tick{p.Unit(min(max(m.Value, low), high)), m.Label})
		}
	}
	return out
}
