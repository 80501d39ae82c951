package tuning

import (
	"context"
	"errors"
	"fmt"
	"io"

	"go.uber.org/zap"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/policies"
)

// method is one way to spend the time.
type method struct {
	name    string // of the policy, as the user spelled it
	policy  policies.Policy
	workers int
	remark  string // what it stands for
}

func (m method) label() string {
	return fmt.Sprintf("%s, %s", m.name, console.Plural(m.workers, "worker"))
}

func (m method) inWords() string {
	return fmt.Sprintf("%s with %s", m.name, console.Plural(m.workers, "worker"))
}

// methodsOf are the policy, the baseline, and the policy without parallel evaluations, as far as they differ.
func methodsOf(r request, policy policies.Policy) ([]method, error) {
	const baseline = "random"
	random, err := policies.Parse(baseline)
	if err != nil {
		return nil, err
	}
	out := []method{{r.policySpec, policy, r.workers, ""}}
	if r.policySpec != baseline {
		out = append(out, method{baseline, random, r.workers, ": the baseline"})
	}
	if r.workers > 1 {
		out = append(out, method{r.policySpec, policy, 1, ": one evaluation at a time"})
	}
	return out, nil
}

// options are those of the study of a method. All methods have the same seed: the same initial points and waits.
func (t tuning) options(m method) tarry.Options {
	return tarry.Options{
		Budget: tarry.MaxBudget, Policy: m.policy, Workers: m.workers, Seed: t.seed, Timeout: t.timeout,
		Floor: t.problem.Floor, Range: t.problem.Range, Model: t.problem.Model,
	}
}

// program is what the methods made of their time, with how long evaluations took.
type program struct {
	performances []performance
	stopwatch    *stopwatch
}

// performance is what one method made of its time.
type performance struct {
	method
	course   course
	complete bool // whether it had all of its time
}

// performAll gives each method its time. When ctx ends, the error is interrupted, and the last performance is as far as
// it came.
func (t tuning) performAll(ctx context.Context, log *zap.Logger, progress io.Writer) (program, error) {
	done := program{stopwatch: &stopwatch{}}
	for i, m := range t.methods {
		if ctx.Err() != nil {
			break
		}
		v := watch(ctx, progress, newScreen(t, i))
		complete, err := t.perform(ctx, m, done.stopwatch.around(t), log.Named(m.label()), v.apply)
		s := v.stop()
		if err != nil {
			return done, fmt.Errorf("%s: %w", m.label(), err)
		}
		done.performances = append(done.performances, performance{m, s.course, complete})
		fmt.Fprintln(progress, s.summary())
	}
	n := 0
	for _, p := range done.performances {
		if p.complete {
			n++
		}
	}
	if n < len(t.methods) {
		return done, console.Interrupted{State: fmt.Sprintf("%d of %s had their time", n, console.Plural(len(t.methods), "method"))}
	}
	return done, nil
}

// perform gives a method its time and reports whether it had all of it.
func (t tuning) perform(ctx context.Context, m method, f tarry.Objective, log *zap.Logger, watch func(tarry.Event)) (complete bool, err error) {
	limited, cancel := context.WithTimeout(ctx, t.allowance)
	defer cancel()
	o := t.options(m)
	o.OnEvent, o.Logger, o.Name = watch, log, m.label()
	_, err = tarry.Maximize(limited, t.problem.Space, f, o)
	switch {
	case err == nil, errors.Is(err, tarry.ErrNoValue), errors.Is(err, context.DeadlineExceeded):
		return true, nil
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return false, nil
	}
	return false, err
}
