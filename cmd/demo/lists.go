package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

// policiesCommand lists the policies.
func policiesCommand() console.Command {
	return listing("policies", "list the policies", "Lists the policies with their sources and the options that may follow a name, as in ucb-sdf:nu=1.", listPolicies)
}

// problemsCommand lists the problems.
func problemsCommand() console.Command {
	return listing("problems", "list the problems", "Lists the problems with their dimension and maximum. A dimension may follow some names, as in ackley:5.", listProblems)
}

// listing is a command that takes no arguments.
func listing(name, summary, help string, list func(w io.Writer) error) console.Command {
	explain := func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "go run ./cmd/demo %s\n\n%s\n", name, help)
		return err
	}
	return console.Command{Name: name, Summary: summary, Run: func(_ context.Context, args []string, k console.Streams) error {
		f := console.NewFlags(name, "")
		if err := f.Read(args); err != nil {
			return errors.Join(err, explain(k.Stdout))
		}
		if len(args) > 0 {
			return console.Usage{Help: "demo help", Err: fmt.Errorf("demo %s: argument %q: want none", name, args[0])}
		}
		return list(k.Stdout)
	}, Explain: explain}
}

func listPolicies(w io.Writer) error {
	t := console.NewTable()
	t.AppendHeader(table.Row{"policy", "what it does", "source", "options"})
	for _, e := range policies.All() {
		name := e.Name
		if name == policies.Default {
			name += " (default)"
		}
		t.AppendRow(table.Row{name, e.Summary, e.Source, e.Options()})
	}
	t.SetColumnConfigs([]table.ColumnConfig{
		{Number: 2, WidthMax: 44, WidthMaxEnforcer: text.WrapSoft},
		{Number: 3, WidthMax: 36, WidthMaxEnforcer: text.WrapSoft},
		{Number: 4, WidthMax: 48, WidthMaxEnforcer: text.WrapSoft},
	})
	t.Style().Options.SeparateRows = true
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

func listProblems(w io.Writer) error {
	t := console.NewTable()
	t.AppendHeader(table.Row{"problem", "dimension", "maximum", "what it is"})
	for _, name := range sim.ProblemNames() {
		p, err := sim.NewProblem(name, 1)
		if err != nil {
			return fmt.Errorf("problem %s: %w", name, err)
		}
		t.AppendRow(table.Row{name, p.Space.Dim(), fmt.Sprintf("%.6g", p.Maximum), p.Describe})
	}
	t.SetColumnConfigs(append(console.RightFrom(2, 3), table.ColumnConfig{Number: 4, WidthMax: 80, WidthMaxEnforcer: text.WrapSoft}))
	_, err := fmt.Fprintln(w, t.Render())
	return err
}
