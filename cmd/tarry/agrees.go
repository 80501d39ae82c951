package main

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/internal/spacefile"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// agrees compares what the user said with what the study is; limit is what all may cost together by now, where the user wants it to be without a limit, and 0 elsewhere.
func (d *dialogue) agrees(cmd *cobra.Command, h journal.Header, limit float64) error {
	errs := []error{option.Check("Options", &d.options, runOptions(&d.options))}
	if d.study.Budget != 0 || d.study.BudgetCost == 0 { // else the cost alone bounds it, as when it was begun
		errs = append(errs, budgeted(cmd, d.study.Budget))
	}
	switch {
	case d.study.BudgetCost != 0:
		errs = append(errs, costed(cmd, d.study.BudgetCost))
	case limit != 0: // else it may cost what it does, as before
		errs = append(errs, &check.FieldError{
			Field: "--budget-cost", Value: 0, Want: fmt.Sprintf("0 < budget-cost < inf: the study has a limit of %v, which may be another one, and is not taken away", limit),
		})
	}
	has := h.Config.Options()
	for i, o := range d.study.Options() {
		if !cmd.Flags().Changed(o.Name) || o.Free || o.Text() == has[i].Text() {
			continue
		}
		meant, err := d.meant(h.Config, i)
		if err == nil && meant != has[i].Text() {
			err = fmt.Errorf("--%s = %v: study %s has %s", o.Name, o.Text(), d.file, stated(has[i]))
		}
		errs = append(errs, err)
	}
	if d.taught != "" {
		given, err := openTaught(d.taught)
		if err == nil && !reflect.DeepEqual(given, h.Config.Taught) {
			err = fmt.Errorf("--taught %s: study %s has something else", d.taught, d.file)
		}
		errs = append(errs, err)
	}
	if d.space != "" || d.points != "" {
		given, err := describe(io.Discard, d.space, d.points)
		if err != nil {
			return err
		}
		has := spacefile.Description{Space: h.Config.Space, Constraints: h.Config.Constraints, Seeds: h.Config.Seeds}
		if what := given.Differs(has); what != "" {
			flags := "--space " + d.space
			if d.points != "" {
				flags += " --points " + d.points
			}
			errs = append(errs, fmt.Errorf("%s: study %s has %s", flags, d.file, what))
		}
	}
	return errors.Join(errs...)
}

// stated is what an option of a study is, in words where zero stands for something else.
func stated(o option.Option) string {
	if _, words, _ := strings.Cut(o.Zero, " means "); o.IsZero() && words != "" {
		return "the default (" + words + ")"
	}
	return o.Text()
}

// limit is what the study may cost where the user says that it may cost whatever it does; 0 where it may, or where that is not said. A limit may
// have come later than the study. Cost that of a replay where it might.
func (d *dialogue) limit(cmd *cobra.Command, store journal.Store, h journal.Header) (float64, error) {
	if !cmd.Flags().Changed("budget-cost") || d.study.BudgetCost != 0 {
		return 0, nil
	}
	if h.Config.BudgetCost != 0 {
		return h.Config.BudgetCost, nil
	}
	known, _, err := journal.Replay(store)
	if err != nil {
		return 0, err
	}
	return known.Config().BudgetCost, nil
}

// meant is what the option with a number comes to for a study that is otherwise as one that is there: a policy may be spelled in several ways, and zero may
// stand for what the rest of the study makes of it.
func (d *dialogue) meant(has loop.Config, number int) (string, error) {
	given := d.study.Options()[number]
	if given.Field == &d.study.Traits.Name {
		policy, err := tarry.ParsePolicy(given.Text())
		if err != nil {
			return "", err
		}
		return policy.Traits().Name, nil
	}
	if !given.IsZero() || given.Zero == "" {
		return given.Text(), nil
	}
	if has.Options()[number].Read(given.Text()) {
		if l, err := loop.New(has); err == nil {
			has = l.Config()
		}
	}
	return has.Options()[number].Text(), nil
}
