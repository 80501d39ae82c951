package main

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/experiment"
)

// writeSections prints the tables of a report with the words around them.
func writeSections(w io.Writer, report experiment.Report) {
	fmt.Fprintf(w, "%s\n%s\n\n", report.Experiment.Title, text.WrapSoft(report.Experiment.About, 110))
	for _, f := range report.Facts() {
		fmt.Fprintf(w, "%s: %s\n", f.Name, f.Text)
	}
	for _, s := range report.Plan.Show(report.Results) {
		fmt.Fprintf(w, "\n")
		for _, p := range s.Text {
			fmt.Fprintf(w, "%s\n", text.WrapSoft(p, 110))
		}
		for _, t := range s.Tables {
			fmt.Fprintf(w, "%s\n%s\n", t.Caption, rendered(t))
		}
	}
}

// rendered is a table in characters.
func rendered(t experiment.Table) string {
	w := console.NewTable()
	w.AppendHeader(rowOf(t.Head))
	for _, r := range t.Rows {
		w.AppendRow(rowOf(r))
	}
	columns := console.RightFrom(2, len(t.Head))
	for i := range columns {
		columns[i].WidthMax, columns[i].WidthMaxEnforcer = 26, text.WrapSoft
	}
	w.SetColumnConfigs(columns)
	return w.Render()
}

func rowOf(cells []string) table.Row {
	row := make(table.Row, len(cells))
	for i, c := range cells {
		row[i] = c
	}
	return row
}

// listExperiments is the command exp without a name.
func listExperiments(w io.Writer) error {
	t := console.NewTable()
	t.AppendHeader(table.Row{"experiment", "what it does", "source", "-rounds", "-data"})
	for _, e := range experiment.All() {
		t.AppendRow(table.Row{e.Name, e.Title, e.Source, e.Length(e.Rounds), e.Data})
	}
	t.SetColumnConfigs([]table.ColumnConfig{
		{Number: 2, WidthMax: 44, WidthMaxEnforcer: text.WrapSoft},
		{Number: 3, WidthMax: 30, WidthMaxEnforcer: text.WrapSoft},
		{Number: 4, WidthMax: 18, WidthMaxEnforcer: text.WrapSoft},
		{Number: 5, WidthMax: 40, WidthMaxEnforcer: text.WrapSoft},
	})
	t.Style().Options.SeparateRows = true
	_, err := fmt.Fprintf(w, "%s\n\nRun one with 'go run ./cmd/demo exp NAME'; 'demo help exp' explains the flags.\n", t.Render())
	return err
}
