package tarry_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/policies"
)

// hillAt is a hill whose place differs a little from site to site.
func hillAt(at float64) tarry.Objective {
	return func(_ context.Context, q tarry.Query) (float64, error) {
		x, y := math.Log10(q.Float("rate"))+2, q.Float("share")
		return -(x-at)*(x-at) - 4*(y-.7)*(y-.7), nil
	}
}

func placesOf(t *testing.T, more ...tarry.Parameter) tarry.Space {
	t.Helper()
	return must.Get(tarry.NewSpace(append([]tarry.Parameter{tarry.LogFloat("rate", 1e-4, 1), tarry.Float("share", 0, 1)}, more...)...))(t)
}

func earlierSites(t *testing.T) []tarry.Past {
	t.Helper()
	var past []tarry.Past
	for i, at := range []float64{-.3, 0, .4} {
		r := must.Get(tarry.Maximize(t.Context(), placesOf(t), hillAt(at), tarry.Options{Budget: 25, Workers: 1, Seed: uint64(i + 1)}))(t)
		past = append(past, tarry.PastOf([]string{"north", "south", "west"}[i], placesOf(t), r))
	}
	return past
}

// A study that knows others begins where they were good, is the same when it is resumed without them, and its policy is the usual one that looks at them.
func TestAStudyBeginsWhereEarlierOnesWereGood(t *testing.T) {
	e, notes, err := tarry.LearnFrom(placesOf(t), false, earlierSites(t)...)
	if err != nil || len(notes) > 0 {
		t.Fatal(notes, err)
	}
	o := tarry.Options{Budget: 12, Workers: 1, Seed: 9, Earlier: e}
	whole := must.Get(tarry.Maximize(t.Context(), placesOf(t), hillAt(.2), o))(t)
	if whole.Policy != policies.EarlierDefault || whole.Evaluations[0].Value < -.5 || whole.Best.Value < -.01 {
		t.Errorf("policy %s, first %v, best %v", whole.Policy, whole.Evaluations[0], whole.Best)
	}
	sameInHalves(t, o, whole)
}

// sameInHalves makes a study again, and ends and resumes it from its journal after half of its evaluations.
func sameInHalves(t *testing.T, o tarry.Options, whole *tarry.Result) {
	t.Helper()
	store := &journal.Memory{}
	half := o
	half.Budget, half.Journal = o.Budget/2, store
	must.Get(tarry.Maximize(t.Context(), placesOf(t), hillAt(.2), half))(t)
	run := must.Get(tarry.Resume(t.Context(), store, hillAt(.2), tarry.Options{Budget: o.Budget, Workers: 1}))(t)
	resumed := must.Get(run.Wait())(t)
	for i, e := range resumed.Evaluations {
		if e.Value != whole.Evaluations[i].Value {
			t.Fatalf("%s, evaluation %d: %v, and %v in one go", whole.Policy, i+1, e, whole.Evaluations[i])
		}
	}
}

// Parameters are matched by name; what does not match is said, and what cannot is an error.
func TestEarlierStudiesAreMatchedByTheNamesOfParameters(t *testing.T) {
	past := earlierSites(t)[:1]
	wide := must.Get(tarry.NewSpace(tarry.Float("share", 0, .9), tarry.LogFloat("rate", 1e-3, 1), tarry.Categorical("kind", "a", "b")))(t)
	e, notes, err := tarry.LearnFrom(wide, true, past...)
	said := strings.Join(notes, "\n")
	if err != nil || len(e.Studies) != 1 || e.Studies[0].Values[0] != -past[0].Values[0] && len(e.Studies[0].Values) == len(past[0].Values) {
		t.Errorf("%v, %v", e, err)
	}
	for _, want := range []string{"north: has no parameter kind", "values are left out, at points outside of this space", "its values have the other sign here"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in %s", want, said)
		}
	}
	other := must.Get(tarry.NewSpace(tarry.Float("z", 0, 1)))(t)
	flat := tarry.Past{Name: "flat", Space: placesOf(t), Points: []tarry.Point{{.01, .5}, {.1, .5}}, Values: []float64{1, 1}}
	for want, bad := range map[string]func() error{
		"north: no parameter in common: it has rate, share": func() error { _, _, err := tarry.LearnFrom(other, false, past...); return err },
		"flat: fewer than two different values":             func() error { _, _, err := tarry.LearnFrom(placesOf(t), false, flat); return err },
		"north: the same values as north":                   func() error { _, _, err := tarry.LearnFrom(placesOf(t), false, past[0], past[0]); return err },
		"0 earlier studies: want 1 to 200":                  func() error { _, _, err := tarry.LearnFrom(placesOf(t), false); return err },
		"nothing: no value": func() error {
			_, _, err := tarry.LearnFrom(placesOf(t), false, tarry.Past{Name: "nothing", Space: placesOf(t)})
			return err
		},
	} {
		if err := bad(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	known := must.Get(tarry.ParsePolicy("auto"))(t)
	if _, err := tarry.Maximize(t.Context(), wide, hillAt(0), tarry.Options{Budget: 5, Earlier: e, Policy: known}); !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), "Options.Earlier") || !strings.Contains(err.Error(), "looks at no earlier studies") {
		t.Errorf("%v", err)
	}
}

// What was learned for another sense or another space is refused, as a prior is, and is not read as if it were of this one.
func TestWhatWasLearnedForAnotherStudyIsRefused(t *testing.T) {
	past := tarry.Past{Name: "north", Space: placesOf(t), Points: []tarry.Point{{.001, .2}, {.01, .5}, {.1, .9}}, Values: []float64{1, 3, 2}}
	e, _, err := tarry.LearnFrom(placesOf(t), true, past)
	if err != nil {
		t.Fatal(err)
	}
	renamed := must.Get(tarry.NewSpace(tarry.LogFloat("speed", 1e-4, 1), tarry.Float("share", 0, 1)))(t)
	for want, c := range map[string]struct {
		s        tarry.Space
		minimize bool
	}{
		"want studies that were learned for the same sense, found values that are to be minimized": {placesOf(t), false},
		"found another parameter 1: {":     {renamed, true},
		"a space of 3 parameters, found 2": {placesOf(t, tarry.Float("more", 0, 1)), true},
	} {
		_, err := tarry.NewStudy(c.s, tarry.Options{Budget: 5, Minimize: c.minimize, Earlier: e})
		if !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), "Options.Earlier") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	e.Space = tarry.Space{} // of a program that did not say
	if _, err := tarry.NewStudy(placesOf(t), tarry.Options{Budget: 5, Earlier: e}); err != nil {
		t.Error(err)
	}
	if _, _, err := tarry.LearnFrom(placesOf(t), true, tarry.PastOf("nothing", placesOf(t), nil)); !errors.Is(err, tarry.ErrNothingEarlier) {
		t.Errorf("of no value: %v", err)
	}
}

// Points of a study that are none of its own space are named, and what is not finite is left out as that.
func TestMistakesInEarlierStudiesAreNamed(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("u", 0, 1), tarry.Float("v", 0, 1)))(t)
	past := func(points ...tarry.Point) tarry.Past {
		values := make([]float64, len(points))
		for i := range values {
			values[i] = float64(i)
		}
		return tarry.Past{Name: "north", Space: s, Points: points, Values: values}
	}
	for want, p := range map[string]tarry.Past{
		"north: point 2: 1 coordinates, want 2":         past(tarry.Point{0, 0}, tarry.Point{.1}),
		"north: point 1: 3 coordinates, want 2":         past(tarry.Point{0, 0, 0}, tarry.Point{.1, .2}),
		"north: point 2: v = NaN, want a finite number": past(tarry.Point{0, 0}, tarry.Point{.1, math.NaN()}),
		"north: no value":                               tarry.PastOf("north", s, nil),
		"north: 1 points and 2 values":                  {Name: "north", Space: s, Points: []tarry.Point{{0, 0}}, Values: []float64{1, 2}},
	} {
		if _, _, err := tarry.LearnFrom(s, false, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("LearnFrom: %v, want %q", err, want)
		}
		if _, _, err := tarry.LearnPrior(t.Context(), s, false, tarry.PriorOptions{}, p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("LearnPrior: %v, want %q", err, want)
		}
	}
	p := past(tarry.Point{0, 0}, tarry.Point{1, 0}, tarry.Point{.4, .1})
	p.Values[1] = math.Inf(1)
	if _, notes, err := tarry.LearnFrom(s, false, p); err != nil || !slices.Contains(notes, "north: 1 of 3 values are left out, which are not finite") {
		t.Errorf("%v, %v", err, notes)
	}
}
