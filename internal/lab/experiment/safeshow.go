package experiment

import (
	"github.com/tarry-bo/tarry/internal/chart"
)

var (
	violationRate = measure{safeRate, "violations among the queries so far, %", chart.Linear, true}
	optimality    = measure{safeRatio, "objective at the answer, % of the optimum", chart.Linear, true}
)

// showSafe shows rates and ratios of all groups, with what the source claims.
func showSafe(r Results, name, title string, claims ...string) []Section {
	rates, ratios := r.figure(name, title+": violations", violationRate), r.figure(name+"-optimality", title+": optimality", optimality)
	rates.Caption, ratios.Caption = "Violations among the queries so far, in percent.", "Objective at the answer, in percent of that at the best safe candidate; an answer that is not safe counts as 0."
	section := Section{Title: title, Text: claims, Figures: []Figure{rates, ratios}}
	for _, g := range r.Groups() {
		section.Tables = append(section.Tables, r.safeTable(g))
	}
	return []Section{section}
}

// safeTable has the rates and the ratios of a group at some places.
func (r Results) safeTable(group string) Table {
	t := Table{Caption: group, Head: []string{"method", "violations after half, %", "violations at the end, %", "runs with too many, %", "optimality after half, %", "optimality at the end, %"}}
	for _, arm := range r.Arms(group) {
		half := (len(r.Curve(group, arm, safeRate)) + 1) / 2
		t.Rows = append(t.Rows, []string{
			arm, r.At(group, arm, safeRate, half).String(), r.At(group, arm, safeRate, Last).String(), r.At(group, arm, safeBroken, Last).String(),
			r.At(group, arm, safeRatio, half).String(), r.At(group, arm, safeRatio, Last).String(),
		})
	}
	return t
}
