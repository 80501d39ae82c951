package experiment

import (
	"fmt"

	"github.com/tarry-bo/tarry/internal/stat"
)

// showConformal shows the regrets of some groups, with the coverage of the forecasts and the difference to one method.
func showConformal(r Results, groups []string, name, title, reference string, rounds int) Section {
	s := Section{Title: title, Text: []string{
		"Coverage is the share of answers inside an interval that was issued before them: the model's own for 80 %, and what the policy made of it, " +
			"which is its set, or what lies between its outermost levels. Simple regret is that of the best query, by its value without noise; the regret at the " +
			"greatest value, at the end, is that of the query with the greatest observed value (eq. 41 of the paper).",
	}, Figures: []Figure{
		r.figureOf(groups, name, title+": simple regret", simpleRegret),
		r.figureOf(groups, name+"-cumulative", title+": cumulative regret", cumulativeRegret),
	}}
	for _, g := range groups {
		s.Tables = append(s.Tables, conformalTable(r, g, reference, rounds))
	}
	return s
}

func conformalTable(r Results, group, reference string, rounds int) Table {
	t := Table{Caption: group, Head: []string{"method"}}
	for _, k := range stat.Checkpoints(rounds) {
		t.Head = append(t.Head, "simple regret after "+whole(k))
	}
	versus := ""
	for _, arm := range r.Arms(group) {
		if arm == reference {
			versus = reference
		}
	}
	if versus != "" {
		t.Head = append(t.Head, "at the end, minus "+versus)
	}
	t.Head = append(t.Head, "at the greatest value")
	if versus != "" {
		t.Head = append(t.Head, "of that, minus "+versus)
	}
	t.Head = append(t.Head, "cumulative regret", "in the model's 80 %", "in what was issued, %", "wanted, %")
	for _, arm := range r.Arms(group) {
		row := []string{arm}
		for _, k := range stat.Checkpoints(rounds) {
			row = append(row, r.At(group, arm, SimpleRegret, k).String())
		}
		for _, measure := range []string{SimpleRegret, observedRegret} {
			if measure == observedRegret {
				row = append(row, r.At(group, arm, measure, Last).String())
			}
			if versus != "" {
				row = append(row, r.minus(group, arm, versus, measure))
			}
		}
		t.Rows = append(t.Rows, append(row,
			r.At(group, arm, CumulativeRegret, Last).String(), r.At(group, arm, coverCentral, 1).String(), r.At(group, arm, coverIssued, 1).String(), r.wanted(group, arm)))
	}
	return t
}

// minus is what an arm has more than another at the end, nothing for that one itself.
func (r Results) minus(group, arm, other, measure string) string {
	if arm == other {
		return ""
	}
	return r.Difference(group, arm, other, measure, Last).Signed()
}

// wanted is the share that what an arm issues should hold.
func (r Results) wanted(group, arm string) string {
	if e := r.At(group, arm, coverWanted, 1); e.Known() {
		return fmt.Sprintf("%.4g", e.Mean)
	}
	return ""
}
