package tarry

import (
	"context"
	"fmt"

	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// Resume goes on with the study of a store, from where its journal ends: on in-process workers, like Start, also with
// another number of them. What was running when the process ended starts again at the same point, as another attempt at
// the same evaluation; what follows is still awaited; an answer that was acknowledged is there. A study that has come to
// its end gives its result at once, unless Options.Budget gives it more.
//
// What the study is stands in the store: of the options Budget, BudgetCost, Target, MaxTime, Workers, Policy, Name, Logger, Handler, OnEvent,
// Meter, Remote and Grace are used, the Policy only if the study's own cannot be made from its name. Budget is the number of evaluations
// in all from now on, at least as many as the study has spent; zero leaves it as it is. The others must be zero. The error wraps
// ErrOtherProgram when another version or architecture of the program wrote the journal, unless Options.AnyProgram is
// set (another patch version of Go is logged as a warning, and every digest is compared on the way); ErrCorruptJournal or
// ErrDiverged when it does not lead to a study; or it says which option does not fit. A store is one study's at a time: ErrInUse says
// that another one of this program has it, whose end is to be waited for (Run.Wait), or which is to be closed (Study.Close).
func Resume(ctx context.Context, store Store, f Objective, o Options) (*Run, error) {
	if f == nil {
		return ResumeOutcomes(ctx, store, nil, o)
	}
	if err := valuesAlone(namedIn(store), "ResumeOutcomes"); err != nil {
		return nil, err
	}
	return ResumeOutcomes(ctx, store, valued(f), o)
}

// namedIn returns the constraints that the study of a store names; nil where there is none to be read.
func namedIn(store Store) []Constraint {
	if absent(store) {
		return nil
	}
	h, err := store.Header()
	if err != nil {
		return nil
	}
	return h.Config.Constraints
}

// ResumeOutcomes is Resume for an objective with outcomes.
func ResumeOutcomes(ctx context.Context, store Store, f OutcomeFunc, o Options) (*Run, error) {
	if err := o.evaluable(ctx, f != nil); err != nil {
		return nil, err
	}
	c, o, err := o.resumed(store)
	if err != nil {
		return nil, err
	}
	return start(ctx, c, o, f)
}

// ResumeStudy goes on with the study of a store, from where its journal ends, by ask and tell. Queries that were given out
// are still awaited, and a query that was chosen but never given out is the next. Options and errors are those of Resume.
func ResumeStudy(store Store, o Options) (*Study, error) {
	if err := o.asked(); err != nil {
		return nil, err
	}
	c, o, err := o.resumed(store)
	if err != nil {
		return nil, err
	}
	c.Workers, c.MaxTime = 0, 0
	return newStudy(c, o)
}

// resumed is the configuration of the study that the store holds, and the options that amount to it.
func (o Options) resumed(store Store) (actors.Config, Options, error) {
	if absent(store) {
		return actors.Config{}, o, &check.FieldError{Field: "store", Value: nil, Want: "a store with a study"}
	}
	if err := o.foreignToResume(); err != nil {
		return actors.Config{}, o, err
	}
	budget, cost := o.Budget, o.BudgetCost
	h, err := store.Header()
	if err != nil {
		return actors.Config{}, o, fmt.Errorf("tarry: resume: %w", err)
	}
	if o.Policy == nil {
		if o.Policy, err = policies.Parse(h.Config.Traits.Name); err != nil {
			return actors.Config{}, o, fmt.Errorf("tarry: resume: %v: give it as Options.Policy", err) // of the study, not of the options
		}
	}
	s := h.Config
	option.Copy(&o, &s)
	o.Journal = store
	c, err := o.config(s.Space)
	if err != nil {
		return c, o, err
	}
	c.Study, c.Resume, c.Budget, c.BudgetCost = s, true, budget, cost
	return c, o, nil
}

// valued is an objective as one with outcomes.
func valued(f Objective) OutcomeFunc {
	return func(ctx context.Context, q Query) (Outcome, error) {
		value, err := f(ctx, q)
		return outcome.Of(value), err
	}
}
