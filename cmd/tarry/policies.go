package main

import (
	"fmt"
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
		Use:   "policies [POLICY]",
		Short: "List the policies, or the options of one",
		Long: `List the policies: which point to query next, and what is made of the queries that have no answer yet. Options follow a
colon, as in --policy ucb-sdf:nu=1. The default is ` + tarry.DefaultPolicy + `. With a POLICY, list its options.
` + exitCodes,
		Example: `  tarry policies
  tarry policies ucb-sdf`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			text := policyTable(widthOf(out))
			if len(args) > 0 {
				var err error
				if text, err = optionTable(args[0], widthOf(out)); err != nil {
					return usage(err)
				}
			}
			_, err := io.WriteString(out, text)
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
	rows := []table.Row{{"name", "what it does", "options", "source"}}
	for _, e := range policies.All() {
		name := e.Name
		if name == tarry.DefaultPolicy {
			name += " (default)"
		}
		rows = append(rows, table.Row{name, e.Summary, e.Options(), e.Source})
	}
	return wrapped(rows, width, 36, 30, 34)
}

// optionTable lists the options of a policy within a width.
func optionTable(name string, width int) (string, error) {
	for _, e := range policies.All() {
		if e.Name != name {
			continue
		}
		if len(e.Settings()) == 0 {
			return e.Name + " has no options\n", nil
		}
		rows := []table.Row{{"option", "default first", "what it is", "allowed"}}
		for _, s := range e.Settings() {
			rows = append(rows, table.Row{s.Key, s.Form, s.Help, strings.Trim(s.Want()+"; "+s.Only(), "; ")})
		}
		return wrapped(rows, width, 22, 40, 38), nil
	}
	_, err := tarry.ParsePolicy(name)
	if err == nil {
		err = fmt.Errorf("policy %q: want the name alone", name)
	}
	return "", err
}

// wrapped is a table within a width. The first column stays whole, the others are wrapped, each with its share of the rest in
// percent.
func wrapped(rows []table.Row, width int, shares ...int) string {
	w := table.NewWriter()
	w.SetStyle(plainTable)
	w.AppendHeader(rows[0])
	first := 0
	for _, r := range rows[1:] {
		first = max(first, len(r[0].(string)))
		w.AppendRow(r)
	}
	rest := max(width, leastWidth) - first - len(rows[0])*columnSpace
	var columns []table.ColumnConfig
	for i, share := range shares {
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
