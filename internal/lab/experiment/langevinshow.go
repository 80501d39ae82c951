package experiment

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/stat"
)

// showLangevin shows errors over ratios and over epsilons, temperatures, what decided about both, and the claims of the source.
func showLangevin(r Results) []Section {
	ratios := langevinAxis{overRatios, "signal-to-noise ratio, dB", langevinRatios, fmt.Sprintf("epsilon = %v", langevinEpsilon)}
	epsilons := langevinAxis{overEpsilons, "epsilon", langevinEpsilons, fmt.Sprintf("%v dB", langevinRatio)}
	accuracy := chart.Figure{Title: "Squared error of the posterior mean", Note: r.note(), Columns: len(langevinPossible)}
	heat := chart.Figure{Title: "Temperature of the samples", Note: r.note(), Columns: len(langevinPossible)}
	for _, a := range []langevinAxis{ratios, epsilons} {
		for _, v := range langevinPossible {
			accuracy.Panels = append(accuracy.Panels, r.langevinPanel(v.name, a, langevinError, "squared error"))
			heat.Panels = append(heat.Panels, r.langevinPanel(v.name, a, langevinTemperature, "temperature"))
		}
	}
	section := Section{Title: "The mean of the posterior", Figures: []Figure{
		{Name: "langevin", Drawing: accuracy, Caption: "Squared distance of the mean of the samples to that of the posterior. Above: over the signal-to-noise ratio with " +
			ratios.held + "; below: over epsilon at " + epsilons.held + "."},
		{Name: "langevin-temperature", Drawing: heat, Caption: "Mean squared distance of a sample to the mean of the posterior, in its own units; 1 is right. The squared error of a " +
			"single sample is about 0.0042 times as much."},
	}}
	for _, a := range []langevinAxis{ratios, epsilons} {
		for _, v := range langevinVersions {
			section.Tables = append(section.Tables, r.langevinCompared(r.langevinTable(v.name, a, langevinError, "squared error"), v.name, a))
		}
	}
	temperatures := Section{Title: "The temperature"}
	for _, v := range langevinPossible {
		temperatures.Tables = append(temperatures.Tables, r.langevinTable(v.name, ratios, langevinTemperature, "temperature"))
	}
	temperatures.Tables = append(temperatures.Tables, r.langevinLineTable(), r.langevinAmplitudes(ratios), r.langevinAmplitudes(epsilons))
	return []Section{section, temperatures, {Title: "What the source claims", Tables: []Table{r.langevinClaims(ratios, epsilons)}}}
}

// langevinAxis is what is varied.
type langevinAxis struct {
	suffix, label string
	places        []float64
	held          string // what is not varied
}

// langevinPanel draws a measure of all codings of a version.
func (r Results) langevinPanel(group string, a langevinAxis, curve, label string) chart.Panel {
	p := chart.Panel{Title: group, X: a.label, Y: label, Scale: chart.Log}
	for _, arm := range r.Arms(group) {
		if y := r.Curve(group, arm, curve+a.suffix); y != nil {
			p.Curves = append(p.Curves, chart.Curve{Name: arm, Baseline: arm == langevinAnalogName, X: a.places, Y: y})
		}
	}
	return p
}

// langevinTable has a row for each place and a column for each coding.
func (r Results) langevinTable(group string, a langevinAxis, curve, label string) Table {
	t := Table{Caption: fmt.Sprintf("%s, %s: %s", group, a.held, label), Head: []string{a.label}}
	for _, c := range langevinCodes {
		t.Head = append(t.Head, c.name)
	}
	for i, place := range a.places {
		row := []string{fmt.Sprint(place)}
		for _, c := range langevinCodes {
			row = append(row, r.At(group, c.name, curve+a.suffix, i+1).String())
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// langevinCompared adds a column to a table of errors: the slope of the source beside analog.
func (r Results) langevinCompared(t Table, group string, a langevinAxis) Table {
	t.Head = append(t.Head, "a = 0.05 minus analog")
	for i := range a.places {
		t.Rows[i] = append(t.Rows[i], r.langevinLead(group, a, i).Signed())
	}
	return t
}

// langevinLead is how much greater the error is with one bit than with analog.
func (r Results) langevinLead(group string, a langevinAxis, i int) stat.Estimate {
	return r.Difference(group, langevinMain, langevinAnalogName, langevinError+a.suffix, i+1)
}

// langevinLineTable has the variances in one dimension.
func (r Results) langevinLineTable() Table {
	t := Table{Caption: langevinLine + ": variance of the samples of N(0, 1/4), one device, one bit, a = 0.05, step 0.01", Head: []string{"noise", "variance", "target"}}
	for _, v := range langevinVersions[:2] {
		t.Rows = append(t.Rows, []string{v.name, r.At(langevinLine, v.name, langevinVariance, 1).String(), "0.25"})
	}
	return t
}

// langevinAmplitudes has the amplitudes and the steps of the slope of the source and of analog.
func (r Results) langevinAmplitudes(a langevinAxis) Table {
	t := Table{Caption: a.held + ": amplitude, and step", Head: []string{a.label}}
	for _, arm := range []string{langevinMain, langevinAnalogName} {
		for _, v := range langevinPossible {
			t.Head = append(t.Head, arm+", "+v.name)
		}
	}
	for i, place := range a.places {
		row := []string{fmt.Sprint(place)}
		for _, arm := range []string{langevinMain, langevinAnalogName} {
			for _, v := range langevinPossible {
				amplitude, step := r.At(v.name, arm, langevinAmplitude+a.suffix, i+1), r.At(v.name, arm, langevinStep+a.suffix, i+1)
				text := stat.Unknown
				if amplitude.Known() {
					text = fmt.Sprintf("%.3g, %.3g", amplitude.Mean, step.Mean)
				}
				row = append(row, text)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// langevinClaims has the claims of the source beside what was seen.
func (r Results) langevinClaims(ratios, epsilons langevinAxis) Table {
	t := Table{Caption: "Claims about the squared error; ahead is by more than two standard errors", Head: []string{"claim", "source"}}
	rows := [][]string{
		{"digital (a = 0.05) is ahead of analog at, dB", "above 17.5"},
		{"digital (a = 0.05) is ahead of analog at epsilon", "up to 7.5"},
		{"the best slope at epsilon below 2", "0.01"},
	}
	for _, v := range langevinVersions {
		t.Head = append(t.Head, v.name)
		rows[0] = append(rows[0], r.langevinAhead(v.name, ratios))
		rows[1] = append(rows[1], r.langevinAhead(v.name, epsilons))
		rows[2] = append(rows[2], r.langevinBest(v.name, epsilons))
	}
	t.Rows = rows
	return t
}

// langevinAhead names the places where one bit has less error than analog.
func (r Results) langevinAhead(group string, a langevinAxis) string {
	var ahead []string
	for i, place := range a.places {
		lead := r.langevinLead(group, a, i)
		if !lead.Known() {
			return stat.Unknown
		}
		if lead.Mean < -2*lead.SE {
			ahead = append(ahead, fmt.Sprint(place))
		}
	}
	if ahead == nil {
		return "none"
	}
	return strings.Join(ahead, ", ")
}

// langevinBest names the slopes with the least error for each epsilon below 2, in their order.
func (r Results) langevinBest(group string, a langevinAxis) string {
	const below = 2
	var best []string
	for i, place := range a.places {
		if place >= below {
			break
		}
		slope, least := 0.0, math.Inf(1)
		for _, c := range langevinCodes {
			mean := r.At(group, c.name, langevinError+a.suffix, i+1).Mean
			if math.IsNaN(mean) {
				return stat.Unknown
			}
			if c.Slope > 0 && mean < least {
				slope, least = c.Slope, mean
			}
		}
		if text := fmt.Sprint(slope); len(best) == 0 || best[len(best)-1] != text {
			best = append(best, text)
		}
	}
	return strings.Join(best, ", then ")
}
