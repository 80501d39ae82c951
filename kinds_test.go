package tarry_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/policies"
)

// kindsSpace has a parameter of every kind, and a context that goes by rank.
func kindsSpace(t testing.TB) tarry.Space {
	t.Helper()
	s, err := tarry.NewSpace(
		tarry.LogFloat("rate", 1e-5, 1), tarry.Float("dropout", 0, 0.5).Stepped(0.05), tarry.Int("layers", 1, 8), tarry.Int("width", 8, 70).Stepped(8),
		tarry.Categorical("kind", "adam", "sgd"), tarry.Bool("bias"), tarry.Ordered("batch", 128, 16, 32, 64), tarry.Ordered("decay", 0.1, 0.3, 1),
		tarry.Float("momentum", 0.9, 0.9), tarry.Int("seed", 7, 7),
	)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestEveryKindIsReadByName(t *testing.T) {
	study, err := tarry.NewStudy(kindsSpace(t), tarry.Options{Budget: 3, Policy: policy(t, "random")})
	if err != nil {
		t.Fatal(err)
	}
	if err := study.Enqueue([]float64{0.01, 0.3, 3, 24, 1, 1, 64, 0.3, 0.9, 7}); err != nil {
		t.Fatal(err)
	}
	q := ask(t, study)
	if q.Float("dropout") != 0.3 || q.Int("width") != 24 || q.Choice("kind") != "sgd" || !q.Bool("bias") || q.Choice("bias") != "true" || q.Int("batch") != 64 ||
		q.Float("batch") != 64 || q.Float("decay") != 0.3 || q.Float("momentum") != 0.9 || q.Int("seed") != 7 || q.Float("seed") != 7 {
		t.Errorf("query %v", q)
	}
	if got := q.String(); got != "rate=0.01 dropout=0.3 layers=3 width=24 kind=sgd bias=true batch=64 decay=0.3 momentum=0.9 seed=7" {
		t.Error(got)
	}
	for want, read := range map[string]func(){
		`tarry: Query.Float("bias"): it is of the type bool: want Query.Bool`:                                        func() { q.Float("bias") },
		`tarry: Query.Int("bias"): it is of the type bool: want Query.Bool`:                                          func() { q.Int("bias") },
		`tarry: Query.Float("kind"): it is of the type categorical: want Query.Choice`:                               func() { q.Float("kind") },
		`tarry: Query.Bool("kind"): it is of the type categorical: want Query.Choice`:                                func() { q.Bool("kind") },
		`tarry: Query.Int("decay"): it is of the type ordered with values that are not whole: want Query.Float`:      func() { q.Int("decay") },
		`tarry: Query.Choice("decay"): it is of the type ordered: want Query.Float`:                                  func() { q.Choice("decay") },
		`tarry: Query.Bool("batch"): it is of the type ordered: want Query.Int`:                                      func() { q.Bool("batch") },
		`tarry: Query.Int("dropout"): it is of the type float: want Query.Float`:                                     func() { q.Int("dropout") },
		`tarry: Query.Choice("width"): it is of the type int: want Query.Int`:                                        func() { q.Choice("width") },
		`tarry: query has no parameter "batches": want one of rate, dropout, layers, width, kind, bias, batch, deca`: func() { q.Bool("batches") },
	} {
		func() {
			defer func() {
				if r, _ := recover().(string); !strings.HasPrefix(r, want) {
					t.Errorf("panic %q, want %q", r, want)
				}
			}()
			read()
		}()
	}
}

// loss is the smallest where dropout is 0.3, the width 40, the batch 32 and there is a bias.
func loss(q tarry.Query) float64 {
	sum := math.Pow(q.Float("dropout")-0.3, 2) + math.Pow(float64(q.Int("width")-40)/64, 2) + math.Pow(math.Log2(q.Float("batch"))-5, 2)/9 +
		math.Pow(math.Log10(q.Float("rate"))+2, 2)/25
	if !q.Bool("bias") {
		sum += 0.1
	}
	return sum
}

func TestEveryKindIsSearched(t *testing.T) {
	r, err := tarry.Minimize(t.Context(), kindsSpace(t), func(_ context.Context, q tarry.Query) (float64, error) {
		return loss(q), nil
	}, tarry.Options{Budget: 60, Workers: 1, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	if b := r.Best; b.Int("batch") != 32 || !b.Bool("bias") || math.Abs(b.Float("dropout")-0.3) > 0.051 || b.Value > 0.02 {
		t.Errorf("best %v", b)
	}
}

// Every policy copes with a space of one point, and with one where all but one parameter are fixed.
func TestFixedParametersDisturbNoPolicy(t *testing.T) {
	point, err := tarry.NewSpace(tarry.Float("x", 2, 2), tarry.LogInt("n", 3, 3), tarry.Categorical("kind", "a"))
	if err != nil {
		t.Fatal(err)
	}
	line, err := tarry.NewSpace(tarry.Int("n", 3, 3), tarry.Float("x", 0, 4), tarry.Bool("b"), tarry.Float("y", 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range policies.General() {
		for j, s := range []tarry.Space{point, line} {
			if raced && (i+j)%2 == 1 { // each policy in one of them
				continue
			}
			r, err := tarry.Maximize(t.Context(), s, func(_ context.Context, q tarry.Query) (float64, error) {
				return -math.Pow(q.Float("x")-2, 2) * float64(q.Int("n")), nil
			}, tarry.Options{Budget: 14, Workers: 1, Policy: policy(t, name)})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if c := r.Counters; c.Fallbacks > 0 || r.Best.Int("n") != 3 || s.Dim() == 3 && r.Best.Value != 0 || name != "random" && r.Best.Value < -0.3 {
				t.Errorf("%s: best %v, %+v", name, r.Best, c)
			}
		}
	}
}

func TestMaximizeNamesTheContextsThatNobodyOffers(t *testing.T) {
	for want, contexts := range map[string][]string{
		`tarry: the parameter "hour" is a context: the world sets its value, which Maximize and Minimize do not know: want Start and Run.Offer, or Study.Ask`: {
			"hour"},
		`tarry: the parameters "hour", "day" and "shop" are contexts: the world sets their values, which Maximize and Minimize do not know: want Start and Run.Offer, or Study.Ask`: {
			"hour", "day", "shop"},
	} {
		parameters := []tarry.Parameter{tarry.Float("price", 1, 9)}
		for _, name := range contexts {
			parameters = append(parameters, tarry.Int(name, 1, 7).AsContext())
		}
		s, err := tarry.NewSpace(parameters...)
		if err != nil {
			t.Fatal(err)
		}
		f := func(context.Context, tarry.Query) (float64, error) { return 0, nil }
		for _, optimize := range []func(context.Context, tarry.Space, tarry.Objective, tarry.Options) (*tarry.Result, error){tarry.Maximize, tarry.Minimize} {
			if r, err := optimize(t.Context(), s, f, tarry.Options{Budget: 5}); r != nil || err == nil || err.Error() != want || !errors.Is(err, tarry.ErrInvalidOption) {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
}

// What a caller rounded on its way is the exact value in the study, wherever points and contexts come in.
func TestLevelsThatWereRoundedComeInExactly(t *testing.T) {
	const rounded = 0.30000000000000004
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1).Stepped(0.1), tarry.Ordered("z", 0.3, 5), tarry.Float("hour", 0, 1).Stepped(0.1).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	o := tarry.Options{Budget: 4, Policy: policy(t, "random")}
	study, err := tarry.NewStudy(s, o)
	if err != nil {
		t.Fatal(err)
	}
	given := []float64{rounded, rounded, rounded}
	if err := errors.Join(study.Observe(given, 1), study.Enqueue(given), study.Enqueue([]float64{math.NaN(), rounded})); err != nil {
		t.Fatal(err)
	}
	want := []float64{0.3, 0.3, 0.3}
	for range 2 {
		q, err := study.Ask(rounded)
		if err != nil || !slices.Equal(q.X[1:], want[1:]) {
			t.Errorf("%v, %v", q.X, err)
		}
	}
	for number, first := range []float64{0.3, 0.3} {
		if e, _ := study.Evaluation(number + 1); e.X[0] != first || !slices.Equal(e.X[1:], want[1:]) {
			t.Errorf("evaluation %d is at %v", number+1, e.X)
		}
	}
	if err := study.Observe([]float64{0.31, 0.3, 0.3}, 1); err == nil || !strings.Contains(err.Error(), "x = 0.31, want one of 0, 0.1 … 1 (steps of 0.1)") {
		t.Error(err)
	}
	o.Budget = 1 // and what is observed costs none
	run, err := tarry.Start(t.Context(), s, func(_ context.Context, q tarry.Query) (float64, error) { return q.Float("x"), nil }, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(run.Observe(given, 1), run.Enqueue([]float64{rounded, rounded}), run.Offer(rounded)); err != nil {
		t.Fatal(err)
	}
	r, err := run.Wait()
	if err != nil || len(r.Evaluations) != 2 || !slices.Equal(r.Evaluations[0].X, want) || !slices.Equal(r.Evaluations[1].X, want) || given[0] != rounded {
		t.Errorf("%v: %v", err, r.Evaluations)
	}
}

// A study over every kind goes on from its journal as it would have.
func TestAStudyOverEveryKindIsResumed(t *testing.T) {
	play := func(study *tarry.Study, queries int) (x [][]float64) {
		t.Helper()
		for range queries {
			q := ask(t, study)
			if err := study.Tell(q.ID, -loss(q)); err != nil {
				t.Fatal(err)
			}
			x = append(x, q.X)
		}
		return x
	}
	o := tarry.Options{Budget: 20, Seed: 3}
	whole, err := tarry.NewStudy(kindsSpace(t), o)
	if err != nil {
		t.Fatal(err)
	}
	want := play(whole, 20)
	store := &journal.Memory{}
	o.Journal = store
	first, err := tarry.NewStudy(kindsSpace(t), o)
	if err != nil {
		t.Fatal(err)
	}
	got := play(first, 12)
	first.Close()
	again, err := tarry.ResumeStudy(store, tarry.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, play(again, 8)...)
	if !slices.EqualFunc(got, want, func(a, b []float64) bool { return slices.Equal(a, b) }) {
		t.Errorf("queries %v, want %v", got, want)
	}
}

// Every policy copes with actions and contexts that are fixed, in steps or by rank.
func TestContextsOfEveryKindDisturbNoPolicy(t *testing.T) {
	for j, parameters := range [][]tarry.Parameter{
		{tarry.Float("x", 2, 2), tarry.Float("hour", 0, 24).AsContext()},
		{tarry.Float("x", 0, 2), tarry.Float("hour", 3, 3).AsContext()},
		{tarry.Float("x", 0, 2).Stepped(0.25), tarry.Bool("night").AsContext(), tarry.Ordered("load", 1, 5, 9).AsContext()},
		{tarry.Float("x", 0, 2).Stepped(0.0001), tarry.Bool("bias"), tarry.Ordered("load", 1, 5, 9).AsContext()},
	} {
		s, err := tarry.NewSpace(parameters...)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range policies.General() {
			if raced && (i+j)%4 > 0 { // each policy in one of them
				continue
			}
			study, err := tarry.NewStudy(s, tarry.Options{Budget: 10, Policy: policy(t, name)})
			if err != nil {
				t.Fatal(err)
			}
			for k := range 10 {
				var context []float64
				for _, i := range s.Contexts() {
					context = append(context, s.Parameter(i).Value(float64(k%4)/3))
				}
				q, err := study.Ask(context...)
				if err != nil {
					t.Fatal(err)
				}
				if err := study.Tell(q.ID, float64(k%3)-math.Pow(q.Float("x"), 2)); err != nil {
					t.Fatal(err)
				}
			}
			if c := study.Result().Counters; c.Fallbacks > 0 || c.FitFailures > 0 || c.Dropped > 0 {
				t.Errorf("%s over %v: %+v", name, parameters, c)
			}
		}
	}
}

// Kinks and levels look like noise to a fit. In a space of few points that is tested by one query at most, and not by one of a point that pends;
// steps between levels that come often are no noise at all.
func TestKinksAreNoNoise(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Int("a", 0, 29), tarry.Int("b", 0, 29))
	if err != nil {
		t.Fatal(err)
	}
	kink := func(x []float64) float64 { return math.Abs(x[0]-13) + math.Abs(x[1]-13) }
	levels := func(x []float64) float64 { return math.Floor((math.Abs(x[0]-13) + math.Abs(x[1]-9)) / 4) }
	for name, c := range map[string]struct {
		f    func([]float64) float64
		most int
	}{"a kink": {kink, 1}, "levels": {levels, 0}} {
		for seed := range seeds(3) {
			study, err := tarry.NewStudy(s, tarry.Options{Budget: 50, Minimize: true, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			var open []tarry.Query
			seen, again := map[[2]float64]bool{}, 0
			for range 50 {
				q := ask(t, study)
				if at := [2]float64(q.X); seen[at] {
					again++
				} else {
					seen[at] = true
				}
				if open = append(open, q); len(open) == 8 {
					if err := study.Tell(open[0].ID, c.f(open[0].X)); err != nil {
						t.Fatal(err)
					}
					open = open[1:]
				}
			}
			if again > c.most {
				t.Errorf("%s, seed %d: %d of 50 queries are repeats", name, seed, again)
			}
		}
	}
}
