package tarry_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
)

// oven is a study of one parameter that must not be heated beyond 0.7, with a seed.
func oven(t *testing.T, spec string) tarry.Options {
	t.Helper()
	return tarry.Options{
		Budget: 24, Workers: 1, Seed: 5, Policy: policy(t, spec), Constraints: []tarry.Constraint{tarry.AtMost("heat", 0.7)}, Seeds: []tarry.Point{{0.125}},
	}
}

func bake(_ context.Context, q tarry.Query) (tarry.Outcome, error) {
	return tarry.Outcome{Value: math.Sin(3 * q.X[0]), Constraints: []float64{q.X[0] * q.X[0] * 1.4}}, nil
}

func TestARunKeepsItsPromiseAndSaysSo(t *testing.T) {
	for _, spec := range []string{"safe-opt", "d-safe-bocp:alpha=0.2", "p-safe-bocp:alpha=0.2:sd=0.01"} {
		o, last := oven(t, spec), tarry.Event{}
		o.OnEvent = func(e tarry.Event) { last = e }
		run, err := tarry.StartOutcomes(t.Context(), unitLine(t), bake, o)
		if err != nil {
			t.Fatal(err)
		}
		r, err := run.Wait()
		if err != nil {
			t.Fatal(err)
		}
		violated := 0
		for _, e := range r.Evaluations {
			if e.Constraints[0] > 0.7 {
				violated++
			}
		}
		s := r.Safety
		if s == nil || s.Account.Started != 24 || s.Account.Violations < violated || s.Promises && (violated >= 5 || !s.Kept || s.Left != 4-s.Counted) {
			t.Errorf("%s: %d violations, %v", spec, violated, s)
		}
		if !reflect.DeepEqual(last.Safety, s) || !strings.Contains(r.String(), "\nsafety: "+s.String()) {
			t.Errorf("%s: %v\n%v", spec, last.Safety, r)
		}
		if r.Best.Value < 0.95 {
			t.Errorf("%s: best %v of at most %.3f", spec, r.Best, math.Sin(3*math.Pi/6))
		}
	}
}

// Whatever record its process ended after, a study goes on under the same promise, and with the same queries.
func TestAPromiseGoesOnAfterAnyRecord(t *testing.T) {
	store, o := &journal.Memory{}, oven(t, "d-safe-bocp:alpha=0.2")
	o.Journal = store
	run, err := tarry.StartOutcomes(t.Context(), unitLine(t), bake, o)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := run.Wait()
	if err != nil {
		t.Fatal(err)
	}
	x, _ := queries(whole)
	for cut := 0; cut <= len(store.All()); cut += 3 {
		if raced && cut%4 > 0 {
			continue
		}
		run, err := tarry.ResumeOutcomes(t.Context(), part(t, store, cut), bake, tarry.Options{Workers: 1})
		if err != nil {
			t.Fatalf("after record %d: %v", cut, err)
		}
		again, err := run.Wait()
		if err != nil {
			t.Fatalf("after record %d: %v", cut, err)
		}
		if got, _ := queries(again); !slices.EqualFunc(got, x, slices.Equal[[]float64]) || !reflect.DeepEqual(again.Safety, whole.Safety) {
			t.Errorf("after record %d: %v, want %v", cut, again.Safety, whole.Safety)
		}
	}
	_, err = tarry.ResumeOutcomes(t.Context(), store, bake, tarry.Options{Workers: 1, Budget: 30})
	if want := "Options.Budget = 30: want 0 or 24: the promise of policy d-safe-bocp:alpha=0.2 is about exactly 24 queries"; !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestAnUnsafeSeedIsAnError(t *testing.T) {
	o := oven(t, "d-safe-bocp:alpha=0.2")
	o.Seeds[0] = tarry.Point{0.95}
	run, err := tarry.StartOutcomes(t.Context(), unitLine(t), bake, o)
	if err != nil {
		t.Fatal(err)
	}
	result, err := run.Wait()
	if want := "a seed is not safe: 1 of 1, x=0.95"; !errors.Is(err, tarry.ErrUnsafeSeed) || !strings.Contains(err.Error(), want) || len(result.Evaluations) == 0 {
		t.Errorf("%v, want %s, and what was answered", err, want)
	}
}

func TestAnUnsafeStudyIsNotStarted(t *testing.T) {
	for want, change := range map[string]func(*tarry.Options){
		"Options.Seeds = []: want at least one point that is known to be safe": func(o *tarry.Options) { o.Seeds = nil },
		"Options.Seeds[0] = [2]: want a point of the space":                    func(o *tarry.Options) { o.Seeds[0] = tarry.Point{2} },
		"Options.Budget = 0: want 1 ≤ Budget":                                  func(o *tarry.Options) { o.Budget = 0 },
		"Options.Constraints = none: want at least one with a name":            func(o *tarry.Options) { o.Constraints = nil },
		"want none with policy auto, which does not keep to them":              func(o *tarry.Options) { o.Policy = nil },
		"Options.Policy = p-safe-bocp: want what is known of the noise":        func(o *tarry.Options) { o.Policy = policy(t, "p-safe-bocp") },
	} {
		o := oven(t, "d-safe-bocp")
		change(&o)
		if err := o.Validate(unitLine(t)); !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func unitLine(t *testing.T) tarry.Space {
	t.Helper()
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
