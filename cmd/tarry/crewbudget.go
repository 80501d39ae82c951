package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/serve"
	"github.com/tarry-bo/tarry/journal/jetstream"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// ofBudgets are the flags with which the budget of a study may be set that remote workers evaluate. Nothing else may be done to it but by
// its server.
var ofBudgets = []string{"study", "budget", "budget-cost", "any-program", "quiet"}

// rebudget gives a study another budget that remote workers evaluate, where that is what the flags say, and lets its server go on with it.
// Crewed says that it is such a study.
func rebudget(cmd *cobra.Command, store *sqlite.Store, study string, o tarry.Options) (crewed bool, err error) {
	crewed, err = serve.Crewed(store)
	switch {
	case err != nil:
		return crewed, failure(err)
	case crewed && !rebudgets(cmd):
		return crewed, usage(manned(study))
	case crewed:
		return crewed, setBudget(cmd, store, study, o)
	}
	return false, nil
}

// rebudgets reports whether a budget is given.
func rebudgets(cmd *cobra.Command) bool {
	return cmd.Flags().Changed("budget") || cmd.Flags().Changed("budget-cost")
}

func setBudget(cmd *cobra.Command, store *sqlite.Store, study string, o tarry.Options) error {
	var wrong error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(ofBudgets, f.Name) {
			wrong = usage(fmt.Errorf("--%s: the budget alone may be another one: %w", f.Name, manned(study)))
		}
	})
	if wrong != nil {
		return wrong
	}
	if err := unshared(store, study); err != nil {
		return err
	}
	resumed, err := tarry.ResumeStudy(store, tarry.Options{Budget: o.Budget, BudgetCost: o.BudgetCost, AnyProgram: o.AnyProgram})
	if err != nil {
		return advice(err)
	}
	result := resumed.Result()
	resumed.Close()
	if err := serve.Recall(store); err != nil {
		return failure(err)
	}
	budget := fmt.Sprintf("%d evaluations", result.Budget)
	if result.BudgetCost > 0 {
		budget += fmt.Sprintf(" and %v in cost", result.BudgetCost)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "tarry: study %s may have %s in all, of which %d are spent; it goes on by\n  %s\n", study, budget, result.Spent, serving(study))
	return nil
}

// unshared returns why nothing may be done to the file of a study that is in NATS too. One whose server has its journals in files alone is
// not any more.
func unshared(store *sqlite.Store, study string) error {
	replicated, err := jetstream.Replicated(store)
	if err != nil || !replicated {
		return failure(err)
	}
	if _, config := served(study); config != nil && config.Standby.Replicas == 0 {
		return nil
	}
	return usage(fmt.Errorf("study %s: its journal is in NATS too, which decides: another budget in its file alone would be set aside", study))
}

// rebudget is that of a study, where nothing is asked or told.
func (d *dialogue) rebudget(cmd *cobra.Command, store *sqlite.Store) (crewed bool, err error) {
	crewed, err = serve.Crewed(store)
	if err != nil || !crewed {
		return crewed, failure(err)
	}
	if err := errors.Join(budgeted(cmd, d.study.Budget), costed(cmd, d.study.BudgetCost)); err != nil {
		return true, usage(err)
	}
	if rebudgets(cmd) && !silent(cmd.InOrStdin()) {
		return true, usage(manned(d.file))
	}
	o := d.options
	if o.BudgetCost = d.study.BudgetCost; cmd.Flags().Changed("budget") {
		o.Budget = d.study.Budget
	}
	return rebudget(cmd, store, d.file, o)
}

// silent reports whether nothing is said on standard input, up to its end.
func silent(in io.Reader) bool {
	_, err := bufio.NewReader(in).ReadByte()
	return err == io.EOF
}
