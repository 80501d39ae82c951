package experiment

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

// told is all that a report says of an experiment before there are runs: its head, its groups and arms, tables and pictures.
func told(t *testing.T, name string, in Input) string {
	t.Helper()
	e := must.Get(Get(name))(t)
	plan := must.Get(e.Prepare(in))(t)
	if in.Rounds == 0 {
		in.Rounds = e.Rounds
	}
	r := Report{Experiment: e, Plan: plan, Results: newResults(plan, Options{Seed: 1, Seeds: 1}), Header: Header{Rounds: in.Rounds}}
	var b strings.Builder
	fmt.Fprintln(&b, e.Title, r.Facts())
	for _, a := range plan.Arms {
		fmt.Fprintln(&b, a.Group, "|", a.Name)
	}
	for _, s := range plan.Show(r.Results) {
		fmt.Fprintln(&b, s.Title)
		for _, table := range s.Tables {
			fmt.Fprintln(&b, table.Caption, table.Head)
		}
		for _, f := range s.Figures {
			fmt.Fprintln(&b, f.Caption)
		}
	}
	return b.String()
}

// With other rounds than its own an experiment says what it does with them, and with its own what it is known for.
func TestReportsSayWhatRoundsAre(t *testing.T) {
	for _, c := range []struct {
		name        string
		rounds      int
		want, never []string
	}{
		{"mf-hartmann", 0, []string{"20 twentieths of the budget", "noise, 500, one at a time", "no noise, 1000, 4 workers"}, []string{"queries of a run", "20/20"}},
		{"mf-hartmann", 8, []string{"8 twentieths of the budget", "noise, 200, one at a time", "no noise, 400, 4 workers", "here 8/20 of those"}, []string{"500", "1000", "queries of a run"}},
		{"mf-gas", 8, []string{"8 twentieths of the budget", "here 8/20 of those"}, []string{"queries of a run"}},
		{"mf-radio", 8, []string{"8 twentieths of the budget", "here 8/20 of those"}, []string{"queries of a run"}},
		{"mf-training", 8, []string{"8 twentieths of the budget", "here 8/20 of those"}, []string{"queries of a run"}},
		{"workers", 0, []string{"50 ticks of virtual time"}, []string{"queries of a run"}},
		{"olpc", 0, []string{"600 plays, initial ones included", "best after 20, %"}, nil},
		{"olpc", 8, []string{"8 plays, initial ones included", "best after 8, %"}, []string{"best after 20"}},
		{"olpc-meta", 0, []string{"after 50 tasks", "gp-bucb, prior of 50 networks", "Power control after 50 tasks"}, nil},
		{"olpc-meta", 3, []string{"after 3 tasks", "gp-bucb, prior of 3 networks", "Power control after 3 tasks"}, []string{"50 tasks |", "50 networks", "after 50 tasks"}},
		{"olpc-context", 3, []string{"gp-bucb, prior of 3 networks"}, []string{"50 networks"}},
		{"sdf-nonstationary", 0, []string{"20 of 20, with 600 queries in all"}, []string{"again"}},
		{"sdf-nonstationary", 8, []string{"1 of 20, with 13 queries in all"}, []string{"again"}},
		{"sdf-nonstationary", 26, []string{"2 of 20, with 31 queries in all"}, nil},
		{"sdf-nonstationary", 596, []string{"20 of 20, with 601 queries in all, initial ones included; then again from the first"}, nil},
	} {
		text := told(t, c.name, Input{Rounds: c.rounds})
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s with %d rounds does not say %q:\n%s", c.name, c.rounds, want, text)
			}
		}
		for _, never := range c.never {
			if strings.Contains(text, never) {
				t.Errorf("%s with %d rounds says %q:\n%s", c.name, c.rounds, never, text)
			}
		}
	}
	for _, e := range All() {
		if about := e.About; strings.Contains(about, "Twenty data sets") || strings.Contains(about, "Fifty classification tasks one after") {
			t.Errorf("%s says that all are met, whatever the rounds: %s", e.Name, about)
		}
	}
}
