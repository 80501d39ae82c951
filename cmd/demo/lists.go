package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

// nothing refuses arguments to a command that takes none.
func nothing(name string, args []string, k console) error {
	f := newFlags(name)
	if err := f.parse(args); err != nil {
		return errors.Join(err, explain(k.stdout, name))
	}
	if len(args) > 0 {
		return usage{"demo help", fmt.Errorf("demo %s: argument %q: want none", name, args[0])}
	}
	return nil
}

// listPolicies is the command policies.
func listPolicies(_ context.Context, args []string, k console) error {
	if err := nothing("policies", args, k); err != nil {
		return err
	}
	t := newTable()
	t.AppendHeader(table.Row{"policy", "what it does", "source", "options"})
	for _, e := range policies.All() {
		t.AppendRow(table.Row{e.Name, e.Summary, e.Source, e.Options()})
	}
	t.SetColumnConfigs([]table.ColumnConfig{
		{Number: 2, WidthMax: 44, WidthMaxEnforcer: text.WrapSoft},
		{Number: 3, WidthMax: 36, WidthMaxEnforcer: text.WrapSoft},
		{Number: 4, WidthMax: 48, WidthMaxEnforcer: text.WrapSoft},
	})
	t.Style().Options.SeparateRows = true
	_, err := fmt.Fprintln(k.stdout, t.Render())
	return err
}

// listProblems is the command problems.
func listProblems(_ context.Context, args []string, k console) error {
	if err := nothing("problems", args, k); err != nil {
		return err
	}
	t := newTable()
	t.AppendHeader(table.Row{"problem", "dimension", "maximum", "what it is"})
	for _, name := range sim.ProblemNames() {
		p, err := sim.NewProblem(name, 1)
		if err != nil {
			return fmt.Errorf("problem %s: %w", name, err)
		}
		t.AppendRow(table.Row{name, p.Space.Dim(), fmt.Sprintf("%.6g", p.Maximum), p.Describe})
	}
	t.SetColumnConfigs(append(rightFrom(2, 3), table.ColumnConfig{Number: 4, WidthMax: 80, WidthMaxEnforcer: text.WrapSoft}))
	_, err := fmt.Fprintln(k.stdout, t.Render())
	return err
}
