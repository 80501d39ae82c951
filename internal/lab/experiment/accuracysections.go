package experiment

import "github.com/tarry-bo/tarry/internal/stat"

// showAccuracies shows the accuracies of all groups: a picture, and a table for each group with the difference to random
// search, seed by seed.
func showAccuracies(r Results, name, title string, rounds int) []Section {
	s := Section{Title: title, Figures: []Figure{r.figure(name, title, accuracy)}}
	for _, g := range r.Groups() {
		t := Table{Caption: g + ": accuracy of the best configuration known, %", Head: []string{"method"}}
		for _, k := range stat.Checkpoints(rounds) {
			t.Head = append(t.Head, "after "+whole(k))
		}
		t.Head = append(t.Head, "at the end, minus random")
		for _, arm := range r.Arms(g) {
			row := []string{arm}
			for _, k := range stat.Checkpoints(rounds) {
				row = append(row, r.At(g, arm, Accuracy, k).String())
			}
			difference := ""
			if arm != "random" {
				difference = r.Difference(g, arm, "random", Accuracy, Last).Signed()
			}
			t.Rows = append(t.Rows, append(row, difference))
		}
		s.Tables = append(s.Tables, t)
	}
	return []Section{s}
}
