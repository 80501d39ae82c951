package main

import (
	"io"
	"os"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/cwriter"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/policies"
)

func newPolicies() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policies",
		Short: "List the policies",
		Long: `List the policies: which point to query next, and what is made of the queries that have no answer yet. Options follow a
colon, as in --policy ucb-sdf:nu=1. The default is ` + tarry.DefaultPolicy + `.
` + exitCodes,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), policyTable(widthOf(cmd.OutOrStdout())))
			return failure(err)
		},
	}
	completed(cmd)
	return cmd
}

// Widths of a table where there is no terminal, and of the narrowest one whose columns can still be read.
const (
	usualWidth  = 120
	leastWidth  = 80
	columnSpace = 2
)

// widthOf is how many columns fit where something is written.
func widthOf(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := cwriter.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return usualWidth
}

// policyTable lists the policies within a width. The names stay whole, the other columns are wrapped.
func policyTable(width int) string {
	w := table.NewWriter()
	w.SetStyle(plainTable)
	w.AppendHeader(table.Row{"name", "what it does", "options", "source"})
	names := 0
	for _, e := range policies.All() {
		name := e.Name
		if name == tarry.DefaultPolicy {
			name += " (default)"
		}
		names = max(names, len(name))
		w.AppendRow(table.Row{name, e.Summary, e.Options, e.Source})
	}
	rest := max(width, leastWidth) - names - 4*columnSpace
	var columns []table.ColumnConfig
	for i, share := range []int{36, 30, 34} { // of a hundred
		columns = append(columns, table.ColumnConfig{Number: i + 2, WidthMax: rest * share / 100, WidthMaxEnforcer: text.WrapSoft})
	}
	w.SetColumnConfigs(columns)
	var b strings.Builder
	for line := range strings.Lines(w.Render()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String()
}

// plainTable is columns with two spaces between them.
var plainTable = table.Style{
	Name:    "plain",
	Box:     table.BoxStyle{MiddleHorizontal: "-", PaddingRight: strings.Repeat(" ", columnSpace)},
	Options: table.Options{SeparateHeader: true},
}
