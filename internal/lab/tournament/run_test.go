package tournament

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/experiment"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

func contenders(t *testing.T, text string) []console.Contender {
	t.Helper()
	var l check.List
	out := console.ReadPolicies(&l, text)
	if err := l.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRegretIsLookedAtAfterEachTwentiethOfTheBudget(t *testing.T) {
	w := world{problem: sim.Problem{Maximum: 10}, spread: sim.Spread{Low: 4}, unit: 2}
	// 20 queries, 5 of them initial: the first number belongs to 6.
	regret := []float64{math.NaN(), 4, 4, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1, 1, 0.5}
	got := w.curve(regret, 5, 20)
	want := map[int]float64{1: math.NaN(), 4: math.NaN(), 5: math.NaN(), 6: 3, 7: 2, 9: 1.5, 10: 1.5, 19: 0.5, 20: 0.25} // the largest regret is (10 − 4)/2
	for query, v := range want {
		if g := got[query-1]; g != v && !(math.IsNaN(g) && math.IsNaN(v)) {
			t.Errorf("after %d queries %v, want %v", query, g, v)
		}
	}
	if got := w.curve(regret[:10], 10, 20); got[9] != 3 || !math.IsNaN(got[8]) {
		t.Errorf("where half of the budget is initial there is %v, want the regret after one more query", got[9])
	}
	if got := w.curve(regret[:4], 5, 20); got[19] != 1.5 {
		t.Errorf("a study that ended early has the regret %v, want its last", got[19])
	}
}

func TestAQueryNearAnEarlierOneIsARepeat(t *testing.T) {
	var all []loop.Evaluation
	for _, x := range [][]float64{{0, 0}, {0.5, 0.5}, {0.5005, 0.4995}, {0.5, 0.502}, {0, 0}, {1, 1}} {
		all = append(all, loop.Evaluation{Query: policies.Query{X: x}})
	}
	if got := repeats(all, 2); got != 0.5 {
		t.Errorf("share %v, want 2 of 4", got)
	}
}

// few is a small tournament over all kinds of noise and of delays.
func few(t *testing.T) ([]Cell, []console.Contender) {
	t.Helper()
	return []Cell{
		{problem(t, "branin"), Condition{"no", "equal", 1}, 12},
		{problem(t, "choices"), Condition{"large", "heavy", 3}, 12},
		{problem(t, "gp-rough:1"), Condition{"uneven", "never", 4}, 12},
		{problem(t, "mixed-training"), Condition{"heavy", "poisson", 0}, 12},
	}, contenders(t, "gp-bucb,random")
}

func TestRunsFollowFromTheirSeeds(t *testing.T) {
	terms := Terms{Reference: "gp-bucb", Floor: 1e-4}
	var first Summary
	for _, parallel := range []int{1, 4} {
		cells, who := few(t)
		plan := Plan(cells, who, terms)
		r, err := plan.Perform(t.Context(), experiment.Options{Seed: 1, Seeds: 2, Parallel: parallel})
		if err != nil {
			t.Fatal(err)
		}
		s := withoutSeconds(Summarize(cells, who, terms, r))
		if parallel == 1 {
			first = s
			continue
		}
		if got, want := tables(s), tables(first); got != want {
			t.Errorf("%d at once:\n%s\nwant\n%s", parallel, got, want)
		}
	}
	if len(first.Parts) != 3 || first.Parts[0].Cells != 2 || first.Parts[2].Cells != 4 {
		t.Errorf("parts %+v", first.Parts)
	}
	for _, c := range first.Cells {
		if c.Seeds != 2 || c.Best == "" {
			t.Errorf("cell %s: %d seeds, best %q", c.Name, c.Seeds, c.Best)
		}
	}
}

func TestPoliciesMeetTheSameInitialPointsNoiseAndDelays(t *testing.T) {
	cells, who := few(t)
	for _, c := range cells {
		var first []loop.Evaluation
		for _, p := range who {
			w, err := c.Problem.world(3)
			if err != nil {
				t.Fatal(err)
			}
			s, err := c.scenario(w, p.On(w.problem), 3)
			if err != nil {
				t.Fatal(err)
			}
			outcome, err := sim.Run(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			initial := outcome.Result.Evaluations[:s.Initial]
			if first == nil {
				first = initial
			}
			for i, e := range initial {
				if !slices.Equal(e.X, first[i].X) || e.Value != first[i].Value || e.Ended-e.Dispatched != first[i].Ended-first[i].Dispatched {
					t.Errorf("%s, query %d: %v and %v", c.Name(), i+1, e, first[i])
				}
			}
			if len(initial) == 0 || s.Initial+s.Rounds != c.Budget {
				t.Errorf("%s: %d initial queries, %d after them", c.Name(), s.Initial, s.Rounds)
			}
		}
	}
}

func TestTermsThatCannotBeAreRefused(t *testing.T) {
	err := Terms{Reference: "log-ei", Floor: 0}.Validate(contenders(t, "gp-bucb,random"))
	const want = "-reference = log-ei: want one of the policies: gp-bucb, random\n-floor = 0: want 0 < floor < 1"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want\n%s", err, want)
	}
}

func TestAProblemIsDrawnBeforeTheClockOfARunStarts(t *testing.T) {
	count := 0
	p := *problem(t, "branin")
	draw := p.draw
	p.worlds, p.draw = newWorlds(), func(p *Problem, seed uint64) (sim.Problem, error) { count++; return draw(p, seed) }
	for _, a := range arms([]Cell{{&p, Condition{"no", "equal", 1}, 12}}, contenders(t, "random,gp-bucb")) {
		if err := a.Prepare(3); err != nil || count != 1 {
			t.Errorf("%s: drawn %d times when its run begins (%v)", a.Name, count, err)
		}
		if _, err := a.Run(t.Context(), 3, func() {}); err != nil || count != 1 {
			t.Errorf("%s: drawn %d times after its run (%v)", a.Name, count, err)
		}
	}
}

// How a policy begins is part of what is compared, and the report says so.
func TestPoliciesBeginAsStudiesOfTheirsDo(t *testing.T) {
	c := Cell{problem(t, "hartmann6"), Condition{"no", "equal", 1}, 80}
	w, err := c.Problem.world(1)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{5, 13, 13} {
		who := contenders(t, "auto,gp-bucb,random")[i]
		s, err := c.scenario(w, who.Policy, 1)
		if err != nil || s.Initial != want {
			t.Errorf("%s begins with %d points (%v), want %d", who.Name, s.Initial, err, want)
		}
	}
	if about := Experiment().About; strings.Contains(about, "same function, initial points") || !strings.Contains(about, "5 points where fits choose the model") {
		t.Errorf("the report says: %s", about)
	}
}
