package tarry_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
)

// A momentum is for one of the methods only: elsewhere it is inactive.
func ExampleQuery_Active() {
	s, err := tarry.NewSpace(
		tarry.Categorical("method", "newton", "descent"), tarry.LogFloat("rate", 1e-3, 1), tarry.Float("momentum", 0, 1).When("method", "descent"),
	)
	if err != nil {
		panic(err)
	}
	result, err := tarry.Maximize(context.Background(), s, func(_ context.Context, q tarry.Query) (float64, error) {
		value := -math.Pow(math.Log10(q.Float("rate"))+1, 2)
		if q.Active("momentum") {
			value += q.Float("momentum") * (1 - q.Float("momentum"))
		}
		return value, nil
	}, tarry.Options{Budget: 30})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s, rate %.2f, momentum %.1f\n", result.Best.Choice("method"), result.Best.Float("rate"), result.Best.Float("momentum"))
	// Output: descent, rate 0.10, momentum 0.5
}

func TestWhatIsInactiveCannotBeAskedFor(t *testing.T) {
	s, err := tarry.NewSpace(
		tarry.Categorical("kind", "a", "b"), tarry.Float("x", 0, 1).When("kind", "b"), tarry.Int("n", 1, 3).When("kind", "b"),
		tarry.Bool("on").When("kind", "b"), tarry.Categorical("word", "u", "v").When("on", true),
	)
	if err != nil {
		t.Fatal(err)
	}
	study, err := tarry.NewStudy(s, tarry.Options{Budget: 2})
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	if err := study.Enqueue([]float64{0, nan, nan, nan, nan}); err != nil {
		t.Fatal(err)
	}
	q, err := study.Ask()
	if err != nil {
		t.Fatal(err)
	}
	if got := q.String(); got != "kind=a" || !math.IsNaN(q.X[1]) || q.Active("x") || q.Active("word") || !q.Active("kind") {
		t.Errorf("%s, %v", got, q.X)
	}
	for name, ask := range map[string]func(){
		`Query.Float("x"): it is inactive here, which kind decides`: func() { q.Float("x") },
		`Query.Int("n"): it is inactive here`:                       func() { q.Int("n") },
		`Query.Bool("on"): it is inactive here`:                     func() { q.Bool("on") },
		`Query.Choice("word"): it is inactive here, which on`:       func() { q.Choice("word") },
		`no parameter "y"`: func() { q.Active("y") },
	} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, name) {
					t.Errorf("%s, want %s", said, name)
				}
			}()
			ask()
		}()
	}
	if err := study.Tell(q.ID, 1); err != nil {
		t.Fatal(err)
	}
	if err := study.Observe([]float64{1, 0.5, 2, 0, 7}, 3); err != nil { // what is inactive is not looked at
		t.Error(err)
	}
	if best := study.Result().Best; best == nil || best.Query.String() != "kind=b x=0.5 n=2 on=false" {
		t.Errorf("the best is %v", best)
	}
}

// No effective configuration is asked for twice where values have no noise, however many pend.
func TestNoConfigurationIsAskedForTwice(t *testing.T) {
	var parameters []tarry.Parameter
	kinds := []string{"a", "b", "c"}
	parameters = append(parameters, tarry.Categorical("kind", kinds...))
	for _, kind := range kinds {
		for _, n := range []string{"1", "2"} {
			parameters = append(parameters, tarry.Float(kind+n, 0, 1).Stepped(0.125).When("kind", kind))
		}
	}
	s, err := tarry.NewSpace(parameters...)
	if err != nil {
		t.Fatal(err)
	}
	hill := func(q tarry.Query) float64 {
		k := slices.Index(kinds, q.Choice("kind"))
		far := math.Pow(q.Float(kinds[k]+"1")-0.2-0.25*float64(k), 2) + math.Pow(q.Float(kinds[k]+"2")-0.7, 2)
		return (1 - 0.15*float64(k)) * math.Exp(-far/2/0.15/0.15)
	}
	for seed := range seeds(4) {
		study, err := tarry.NewStudy(s, tarry.Options{Budget: 100, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		var open []tarry.Query
		seen := map[string]tarry.EvaluationID{}
		for range 100 {
			q := ask(t, study)
			if first, again := seen[q.String()]; again {
				t.Errorf("seed %d: #%d is #%d again: %s", seed, q.ID, first, q)
			}
			seen[q.String()] = q.ID
			if open = append(open, q); len(open) > 8 {
				if err := study.Tell(open[0].ID, hill(open[0])); err != nil {
					t.Fatal(err)
				}
				open = open[1:]
			}
		}
	}
}
