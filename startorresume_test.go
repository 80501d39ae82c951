package tarry_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// finished is a store with a study that has come to its end.
func finished(t *testing.T, o tarry.Options) *journal.Memory {
	t.Helper()
	store := &journal.Memory{}
	o.Journal = store
	if _, err := tarry.Maximize(t.Context(), unitSpace(t), hill, o); err != nil {
		t.Fatal(err)
	}
	return store
}

// A study that has ended goes on with more budget, to the queries that it would have had, was the budget so from the beginning.
func TestAStudyThatHasEndedGoesOnWithAnotherBudget(t *testing.T) {
	options := tarry.Options{Budget: 18, Initial: 4, Pending: 4, Workers: 1, Seed: 3}
	whole, err := tarry.Maximize(t.Context(), unitSpace(t), hill, options)
	if err != nil {
		t.Fatal(err)
	}
	options.Budget = 9
	store := finished(t, options)
	run, err := tarry.Resume(t.Context(), store, hill, tarry.Options{Workers: 1, Budget: 18})
	if err != nil {
		t.Fatal(err)
	}
	r, err := run.Wait()
	if err != nil || r.Budget != 18 || r.Spent != 18 || r.Reason != tarry.ReasonBudget {
		t.Fatalf("%v: %v", err, r)
	}
	x, _ := queries(whole)
	again, _ := queries(r)
	if fmt.Sprint(again) != fmt.Sprint(x) {
		t.Errorf("it went on with\n%v\nwant\n%v", again, x)
	}
	if _, err := journal.Verify(store); err != nil {
		t.Error(err)
	}
	for budget, want := range map[int]string{17: "Options.Budget = 17: want 18 ≤ Budget ≤ 100000", -1: "Options.Budget = -1", tarry.MaxBudget + 1: "Options.Budget = 100001"} {
		if _, err := tarry.Resume(t.Context(), store, hill, tarry.Options{Budget: budget}); !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", budget, err)
		}
	}
}

// With several workers of the process before still in the journal nobody hands them anything, and nothing is asked twice.
func TestMoreBudgetIsForTheWorkersThatAreThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context, q tarry.Query) (float64, error) {
			time.Sleep(time.Minute + time.Duration(q.ID.Evaluation))
			return hill(ctx, q)
		}
		store := &journal.Memory{}
		if _, err := tarry.Maximize(t.Context(), unitSpace(t), slow, tarry.Options{Budget: 12, Workers: 4, Journal: store}); err != nil {
			t.Fatal(err)
		}
		before := len(store.All())
		run, err := tarry.Resume(t.Context(), store, slow, tarry.Options{Workers: 2, Budget: 20})
		if err != nil {
			t.Fatal(err)
		}
		r, err := run.Wait()
		if err != nil || r.Count(tarry.Observed) != 20 || r.Counters.Repeated > 0 || r.Counters.Unknown > 0 {
			t.Fatalf("%v: %v, %+v", err, r, r.Counters)
		}
		asks := map[int]int{}
		for _, record := range store.All()[before:] {
			if p, ok := record.Event.Event.(loop.Proposed); ok {
				asks[p.Ask]++
			}
		}
		for ask, answers := range asks {
			if answers > 1 {
				t.Errorf("ask %d was answered %d times", ask, answers)
			}
		}
		for _, e := range r.Evaluations {
			if e.ID.Attempt != 1 {
				t.Errorf("%v has %d attempts", e, e.ID.Attempt)
			}
		}
	})
}

// By ask and tell the same: the budget rises, or falls to what was spent.
func TestTheBudgetOfAskAndTellChanges(t *testing.T) {
	store := &journal.Memory{}
	study := newStudy(t, tarry.Options{Budget: 3, Seed: 4, Journal: store})
	for range 3 {
		if err := study.Tell(ask(t, study).ID, 1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := study.Ask(); !errors.Is(err, tarry.ErrEnded) {
		t.Fatal(err)
	}
	again, err := tarry.ResumeStudy(store, tarry.Options{Budget: 6})
	if err != nil || again.Budget() != 6 {
		t.Fatal(err)
	}
	first, second := ask(t, again), ask(t, again)
	again.Close()
	if first.ID.Evaluation != 4 || second.ID.Evaluation != 5 {
		t.Errorf("%v, %v", first, second)
	}
	if _, err := tarry.ResumeStudy(store, tarry.Options{Budget: 4}); err == nil || !strings.Contains(err.Error(), "Options.Budget = 4: want 5 ≤ Budget") {
		t.Errorf("less than spent: %v", err)
	}
	last, err := tarry.ResumeStudy(store, tarry.Options{Budget: 5})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := last.Ask(); !errors.Is(err, tarry.ErrBudgetSpent) {
		t.Errorf("%v", err)
	}
	for _, q := range []tarry.Query{first, second} {
		if err := last.Tell(q.ID, 2); err != nil {
			t.Error(err)
		}
	}
	if r := last.Result(); r.Reason != tarry.ReasonBudget || r.Spent != 5 || r.Best.Value != 2 {
		t.Errorf("%v", r)
	}
}

// One call begins a study and goes on with it, in each of the three forms.
func TestOneCallStartsOrResumes(t *testing.T) {
	options := tarry.Options{Budget: 8, Workers: 1, Seed: 5}
	whole, err := tarry.Maximize(t.Context(), unitSpace(t), hill, options)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := queries(whole)
	for cut := 0; cut <= 16; cut += 4 {
		var store tarry.Store = &journal.Memory{}
		if cut > 0 {
			store = part(t, finished(t, options), cut)
		}
		run, err := tarry.StartOrResume(t.Context(), store, unitSpace(t), hill, options)
		if err != nil {
			t.Fatal(err)
		}
		r, err := run.Wait()
		if got, _ := queries(r); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("after %d records: %v\n%v\nwant\n%v", cut, err, got, want)
		}
	}
	store := &journal.Memory{}
	for k := range 4 {
		study, err := tarry.StartOrResumeStudy(store, unitSpace(t), options)
		if err != nil {
			t.Fatal(err)
		}
		if q := ask(t, study); q.ID.Evaluation != k+1 || study.Tell(q.ID, 1) != nil {
			t.Errorf("query %d is %v", k+1, q)
		}
		study.Close()
	}
	outcomes := func(ctx context.Context, q tarry.Query) (tarry.Outcome, error) {
		return tarry.Outcome{Value: q.X[0], Cost: 2}, nil
	}
	run, err := tarry.StartOrResumeOutcomes(t.Context(), store, unitSpace(t), outcomes, tarry.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := run.Wait(); err != nil || r.Spent != 8 || r.Evaluations[7].Cost != 2 {
		t.Errorf("%v: %v", err, r)
	}
}

// What was given and is not what the study is, is named with both values, all at once; what was not given is the study's.
func TestAnotherStudyIsNotTakenForThisOne(t *testing.T) {
	floor, other := -2.0, -3.0
	store := finished(t, tarry.Options{Budget: 4, Workers: 1, Seed: 7, Initial: 2, Floor: &floor, Retries: 2, Policy: policy(t, "gp-bucb")})
	same := tarry.Options{Budget: 4, Seed: 7, Initial: 2, Floor: &floor, Retries: 2, Policy: policy(t, "gp-bucb"), Model: loop.Model{Kernel: "matern52"}}
	for _, o := range []tarry.Options{same, {}, {Budget: 5}} {
		run, err := tarry.StartOrResume(t.Context(), store, unitSpace(t), hill, o)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := run.Wait(); err != nil || r.Seed != 7 || r.Spent < 4 {
			t.Errorf("%v: %v", err, r)
		}
	}
	o := same
	o.Seed, o.Initial, o.Floor, o.Policy, o.Minimize, o.Model.Kernel, o.Timeout = 8, 3, &other, policy(t, "random"), true, "se", time.Second
	wider, err := tarry.NewSpace(tarry.Float("x", 0, 3), tarry.Float("y", 0, 2))
	if err != nil {
		t.Fatal(err)
	}
	_, err = tarry.StartOrResumeStudy(store, wider, o)
	for _, want := range []string{
		"Options.Seed = 8: want 7, as the study", "Options.Initial = 3: want 2", "Options.Floor = -3: want -2", "Options.Policy = random: want gp-bucb",
		"Options.Minimize = true: want false", "Options.Model.Kernel = se: want matern52", "Options.Timeout = 1s: want 0s", `"high":3}: want {`, `"high":2}: want {`,
	} {
		if !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
	adapts := finished(t, tarry.Options{Budget: 4, Workers: 1, Policy: policy(t, "auto")})
	_, err = tarry.StartOrResume(t.Context(), adapts, unitSpace(t), hill, tarry.Options{Model: loop.Model{Kernel: "se"}})
	if err == nil || !strings.Contains(err.Error(), "Options.Model.Kernel = se: want nothing, as the study in the store has it") {
		t.Errorf("a kernel for a study that chooses its own: %v", err)
	}
	three, err := tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("y", 0, 1), tarry.Float("z", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tarry.StartOrResumeStudy(store, three, tarry.Options{}); err == nil || !strings.Contains(err.Error(), "Space = 3 parameters: want ") {
		t.Errorf("%v", err)
	}
	if _, err := tarry.StartOrResume(t.Context(), nil, unitSpace(t), hill, tarry.Options{Journal: store}); err == nil || !strings.Contains(err.Error(), "Options.Journal") {
		t.Errorf("%v", err)
	}
}

// Another patch version of Go is said, and is no obstacle.
func TestAnotherPatchVersionOfGoIsNoObstacle(t *testing.T) {
	of := finished(t, tarry.Options{Budget: 3, Workers: 1})
	h, err := of.Header()
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Join(strings.SplitN(h.Program.Go, ".", 3)[:2], ".")
	if line == h.Program.Go || strings.Contains(line, "-") {
		t.Skipf("%s is no patch version", h.Program.Go)
	}
	h.Program.Go = line + ".99"
	store := journal.NewMemory(h)
	for _, r := range of.All() {
		if err := store.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	core, logs := observer.New(zap.WarnLevel)
	run, err := tarry.Resume(t.Context(), store, hill, tarry.Options{Budget: 4, Workers: 1, Logger: zap.New(core)})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := run.Wait(); err != nil || r.Spent != 4 {
		t.Errorf("%v: %v", err, r)
	}
	if said := logs.FilterMessage("study of another program").All(); len(said) != 1 || !strings.Contains(fmt.Sprint(said[0].ContextMap()), line+".99") {
		t.Errorf("%v", logs.All())
	}
}
