package tarry

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/loop"
)

// StartOrResume starts a study that the store will hold, or goes on with the one that it holds: one program for both, whatever
// ended it before. Where a study is there, what was given must be what it is: the space, and of the options those that Resume
// does not take. What Known and First bring, it had at its beginning. The error names each field that differs, with both values,
// and wraps ErrInvalidOption; others are those of Start and of Resume.
//
// An option that is zero was not given, and is taken from the study, also where zero is a value of its own: a program without
// Minimize goes on minimizing, one without a Seed with the seed of the study, one without a Timeout with its timeout. The zero
// Space and a Budget of zero are taken from it too. A store is one study's at a time (ErrInUse), as for Resume.
func StartOrResume(ctx context.Context, store Store, s Space, f Objective, o Options) (*Run, error) {
	if f == nil {
		return StartOrResumeOutcomes(ctx, store, s, nil, o)
	}
	if err := valuesAlone(append(namedIn(store), o.Constraints...), "StartOrResumeOutcomes"); err != nil {
		return nil, err
	}
	return StartOrResumeOutcomes(ctx, store, s, valued(f), o)
}

// StartOrResumeOutcomes is StartOrResume for an objective with outcomes.
func StartOrResumeOutcomes(ctx context.Context, store Store, s Space, f OutcomeFunc, o Options) (*Run, error) {
	o, there, err := o.forStore(store, s)
	switch {
	case err != nil:
		return nil, err
	case there:
		return ResumeOutcomes(ctx, store, f, o)
	}
	return StartOutcomes(ctx, s, f, o)
}

// StartOrResumeStudy is StartOrResume for a study that is asked and told.
func StartOrResumeStudy(store Store, s Space, o Options) (*Study, error) {
	o.Exclusive = false // it has no workers
	o, there, err := o.forStore(store, s)
	switch {
	case err != nil:
		return nil, err
	case there:
		return ResumeStudy(store, o)
	}
	return NewStudy(s, o)
}

// forStore returns the options with which the study of a store is resumed, where there is one, and otherwise started.
func (o Options) forStore(store Store, s Space) (with Options, there bool, err error) {
	var l check.List
	l.Require(!absent(store), "store", nil, "a store that holds or will hold the study")
	l.Require(o.Journal == nil, "Options.Journal", "a journal", "nothing: the study is kept in the store")
	if err := l.Err(); err != nil {
		return o, false, err
	}
	h, err := store.Header()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		o.Journal = store
		return o, false, nil
	case err != nil:
		return o, false, fmt.Errorf("tarry: resume: %w", err)
	}
	if err := o.agrees(s, h.Config); err != nil {
		return o, true, err
	}
	budget, cost := o.Budget, o.BudgetCost
	option.Copy(&o, &loop.Config{}) // as it stands in the store
	o.Budget, o.BudgetCost, o.Known, o.First = budget, cost, nil, nil
	return o, true, nil
}
