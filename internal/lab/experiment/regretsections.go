package experiment

import "github.com/tarry-bo/tarry/internal/chart"

// oneGroup shows both regrets of the arms of a group side by side.
func (r Results) oneGroup(group, name, title string, rounds int) Section {
	left, right := r.panel(group, simpleRegret), r.panel(group, cumulativeRegret)
	left.Title, right.Title = "", ""
	return Section{
		Title: title,
		Figures: []Figure{{name, title + ": simple regret of what is known, and cumulative regret of all queries.",
			chart.Figure{Title: title, Note: r.note(), Panels: []chart.Panel{left, right}}}},
		Tables: []Table{r.table(group, title, regretColumns(rounds))},
	}
}

// everyGroup shows both regrets of all groups: a picture and a section of tables.
func (r Results) everyGroup(name, title string, rounds int) []Section {
	pictures := Section{Title: title, Figures: []Figure{
		r.figure(name, title+": simple regret", simpleRegret),
		r.figure(name+"-cumulative", title+": cumulative regret", cumulativeRegret),
	}}
	for _, g := range r.Groups() {
		pictures.Tables = append(pictures.Tables, r.table(g, g, regretColumns(rounds)))
	}
	return []Section{pictures}
}

// regretColumns are the simple regret at a few places and the cumulative regret at the end.
func regretColumns(rounds int) []column {
	return append(checkpoints(simpleRegret, rounds), column{"cumulative regret", cumulativeRegret, Last})
}
