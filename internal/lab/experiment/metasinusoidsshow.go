package experiment

import (
	"fmt"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/stat"
)

// showSinusoids shows the error over what is varied, and the claims of the source.
func showSinusoids(r Results) []Section {
	drawing := chart.Figure{Title: "Error of the predictions of a new task", Note: r.note(), Columns: 2}
	section := Section{Title: "The error on new tasks"}
	for _, f := range sinusoidFigures {
		p := chart.Panel{Title: f.group, X: f.label, Y: "root mean squared error"}
		t := Table{Caption: f.group, Head: []string{f.label}}
		arms := r.Arms(f.group)
		t.Head = append(t.Head, arms...)
		for _, arm := range arms {
			if y := r.Curve(f.group, arm, sinusoidRMSE); y != nil {
				p.Curves = append(p.Curves, chart.Curve{Name: arm, X: f.places, Y: y})
			}
		}
		for i, place := range f.places {
			row := []string{fmt.Sprint(place)}
			for _, arm := range arms {
				row = append(row, r.At(f.group, arm, sinusoidRMSE, i+1).String())
			}
			t.Rows = append(t.Rows, row)
		}
		drawing.Panels, section.Tables = append(drawing.Panels, p), append(section.Tables, t)
	}
	section.Figures = []Figure{{Name: "meta-sinusoids", Drawing: drawing, Caption: "Root of the mean squared error at values of new tasks, from five values of each. WFEM has (1-β)N tasks of the " +
		"environment and βN from elsewhere, which count for α together."}}
	return []Section{section, {Title: "What the source claims", Tables: []Table{r.sinusoidClaims()}}}
}

// sinusoidClaims has the claims of the source beside what was seen.
func (r Results) sinusoidClaims() Table {
	t := Table{Caption: "Claims, and differences of the error", Head: []string{"claim", "seen"}}
	shift, weight := sinusoidFigures[0], sinusoidFigures[3]
	minus := func(f sinusoidFigure, of int, i int) stat.Estimate {
		return r.Difference(f.group, sinusoidName(0, 1), sinusoidName(of, 1), sinusoidRMSE, i+1)
	}
	t.Rows = append(t.Rows, []string{"without a shift WFEM equals PACOH with N tasks", "WFEM minus it " + minus(shift, 2, 0).Signed()})
	for i, place := range shift.places[1:] {
		t.Rows = append(t.Rows, []string{
			fmt.Sprintf("shift %v: WFEM lies between PACOH with N tasks and with (1-β)N", place),
			fmt.Sprintf("WFEM minus the former %s, minus the latter %s", minus(shift, 2, i+1).Signed(), minus(shift, 1, i+1).Signed()),
		})
	}
	best, least := stat.Unknown, 0.0
	for i, place := range weight.places {
		if e := r.At(weight.group, sinusoidName(0, 1), sinusoidRMSE, i+1); e.Known() && (best == stat.Unknown || e.Mean < least) {
			best, least = fmt.Sprintf("%v", place), e.Mean
		}
	}
	t.Rows = append(t.Rows, []string{"with 0.4 of the tasks from elsewhere the best weight is about 0.2", best})
	return t
}
