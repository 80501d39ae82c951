package main

import (
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/policies"
)

func newPolicies() *cobra.Command {
	return &cobra.Command{
		Use:   "policies",
		Short: "List the policies",
		Long: `List the policies: which point to query next, and what is made of the queries that have no answer yet. Options follow a
colon, as in --policy ucb-sdf:nu=1. The default is ` + tarry.DefaultPolicy + `.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := table.NewWriter()
			w.SetStyle(plainTable)
			w.AppendHeader(table.Row{"name", "what it does", "options", "source"})
			for _, e := range policies.All() {
				name := e.Name
				if name == tarry.DefaultPolicy {
					name += " (default)"
				}
				w.AppendRow(table.Row{name, e.Summary, e.Options, e.Source})
			}
			_, err := cmd.OutOrStdout().Write([]byte(w.Render() + "\n"))
			return failure(err)
		},
	}
}

// plainTable is columns with two spaces between them.
var plainTable = table.Style{
	Name:    "plain",
	Box:     table.BoxStyle{MiddleHorizontal: "-", PaddingRight: "  "},
	Options: table.Options{SeparateHeader: true},
}

// failure is an error that is nobody's fault.
func failure(err error) error {
	if err == nil {
		return nil
	}
	return exit{exitFailure, err}
}
