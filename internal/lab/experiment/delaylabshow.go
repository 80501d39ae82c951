package experiment

import (
	"fmt"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/stat"
)

// labView is one way to look at the laboratory.
type labView struct {
	title, curve string
	k            int
}

// showLab shows heat maps over all problems and for each, and tables with standard errors.
func showLab(r Results, rounds int) []Section {
	views := []labView{
		{fmt.Sprintf("after %d queries", rounds), logByQueries, Last},
		{fmt.Sprintf("after %d ticks of virtual time", rounds), logByTime, Last},
	}
	all := Section{Title: "Regret relative to the best policy", Text: []string{
		"A cell says by how many powers of ten the regret of a policy is above that of the best policy under the same kind of delay: 0 is the best, " +
			"1 is ten times its regret. The first picture is the mean over the problems.",
	}}
	all.Figures = append(all.Figures, labMap(r, "delay-lab", "All problems", labProblems, views))
	for _, p := range labProblems {
		all.Figures = append(all.Figures, labMap(r, "delay-lab-"+p, p, []string{p}, views))
	}
	for _, v := range views {
		all.Tables = append(all.Tables, labTable(r, v))
	}
	return []Section{all}
}

// labMap is the heat map of some problems.
func labMap(r Results, name, title string, problems []string, views []labView) Figure {
	h := chart.HeatMap{Title: title + ": regret above that of the best policy", Note: r.over("mean of log10 of the regret"), Scale: "powers of ten above the best"}
	for _, v := range views {
		panel := chart.HeatPanel{Title: v.title, X: "kind of delay", Y: "policy", Rows: labPolicies()}
		for _, law := range labLaws {
			panel.Columns = append(panel.Columns, law.name)
		}
		for _, policy := range panel.Rows {
			var row []float64
			for _, law := range labLaws {
				row = append(row, relative(r, problems, law.name, policy, v))
			}
			panel.Cells = append(panel.Cells, row)
		}
		h.Panels = append(h.Panels, panel)
	}
	return Figure{Name: name, Drawing: h, Caption: title + ": log10 of the simple regret, minus that of the best policy under the same kind of delay, averaged over the problems."}
}

// relative is the mean over problems of the log regret of a policy above that of the best one.
func relative(r Results, problems []string, law, policy string, v labView) float64 {
	sum := 0.0
	for _, p := range problems {
		group := labGroup(p, law)
		best := r.At(group, policy, v.curve, v.k).Mean
		own := best
		for _, rival := range r.Arms(group) {
			best = min(best, r.At(group, rival, v.curve, v.k).Mean)
		}
		sum += own - best
	}
	return sum / float64(len(problems))
}

// labTable has the mean log regret over the problems, a column for each kind of delay.
func labTable(r Results, v labView) Table {
	t := Table{Caption: "log10 of the simple regret " + v.title + ", mean over the problems, and over the kinds of delay in the last column", Head: []string{"policy"}}
	for _, law := range labLaws {
		t.Head = append(t.Head, law.name)
	}
	t.Head = append(t.Head, "all kinds")
	for _, policy := range labPolicies() {
		row := []string{policy}
		var laws []string
		for _, law := range labLaws {
			row = append(row, overGroups(r, labProblems, []string{law.name}, policy, v).String())
			laws = append(laws, law.name)
		}
		t.Rows = append(t.Rows, append(row, overGroups(r, labProblems, laws, policy, v).String()))
	}
	return t
}

// overGroups is the mean over problems and laws, with its standard error over the seeds.
func overGroups(r Results, problems, laws []string, policy string, v labView) stat.Estimate {
	sums := make([]float64, r.seeds)
	there := make([]bool, r.seeds)
	for i := range sums {
		there[i] = true
		for _, p := range problems {
			for _, law := range laws {
				value, ok := at(r.curves(labGroup(p, law), policy, v.curve)[i], v.k)
				sums[i], there[i] = sums[i]+value, there[i] && ok
			}
		}
	}
	var means []float64
	for i, s := range sums {
		if there[i] {
			means = append(means, s/float64(len(problems)*len(laws)))
		}
	}
	return stat.Of(means)
}
