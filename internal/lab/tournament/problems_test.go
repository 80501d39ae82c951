package tournament

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

func problems(t *testing.T) []*Problem {
	t.Helper()
	all, missing, err := Problems("")
	if err != nil || len(missing) != 2 {
		t.Fatalf("%v, %v missing", err, missing)
	}
	return all
}

func problem(t *testing.T, name string) *Problem {
	t.Helper()
	all := problems(t)
	i := slices.IndexFunc(all, func(p *Problem) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no problem %s", name)
	}
	return all[i]
}

func TestBothHalvesHaveProblemsOfEveryFamilyUnderNamesOfTheirOwn(t *testing.T) {
	names, families := map[string]bool{}, map[string]map[string]int{Tuning: {}, Judging: {}, Reserve: {}, Wide: {}}
	for _, p := range problems(t) {
		if names[p.Name] || p.Describe == "" || strings.Contains(p.Name, ",") {
			t.Errorf("%s: there twice, not described or with a comma", p.Name)
		}
		names[p.Name] = true
		families[p.Half][p.Family]++
	}
	for _, f := range []string{Classical, Gaussian, Skewed, Mixed, High, Trained} {
		if families[Tuning][f] == 0 || families[Judging][f] == 0 {
			t.Errorf("family %s: %d for tuning, %d for judging", f, families[Tuning][f], families[Judging][f])
		}
	}
	for _, p := range problems(t) {
		if p.In(Tuning) != (p.Half == Tuning) || p.In(Reserve) != (p.Half == Reserve) || p.In(Wide) != (p.Half == Wide) || p.In(Both) == (p.In(Reserve) || p.In(Wide)) {
			t.Errorf("%s, %s: for tuning %v, in reserve %v, wide %v, in both halves %v", p.Name, p.Half, p.In(Tuning), p.In(Reserve), p.In(Wide), p.In(Both))
		}
	}
}

// What is known about each problem holds: its maximum is reached where it says and nowhere exceeded.
func TestNoPointIsAboveTheMaximumOfAProblem(t *testing.T) {
	for i, p := range problems(t) {
		if raced && i%3 > 0 {
			continue
		}
		if p.Family == Trained {
			continue // the tests of classifiers know
		}
		drawn, err := p.draw(p, 1)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		for _, x := range drawn.Maximizers {
			if v := drawn.Value(x); math.Abs(v-drawn.Maximum) > 1e-9*math.Max(1, math.Abs(v)) {
				t.Errorf("%s: %v at %v, which shall be the maximum %v", p.Name, v, x, drawn.Maximum)
			}
			if err := drawn.Space.Contains(x); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
		for _, u := range drawn.Space.Sample(space.Uniform, 300, rng.New(1, rng.Test, 0)) {
			if v := drawn.Value(drawn.Space.Value(u)); !(v <= drawn.Maximum+1e-9) {
				t.Errorf("%s: %v above the maximum %v", p.Name, v, drawn.Maximum)
			}
		}
	}
}

func TestTheSeedAloneDecidesWhatIsDrawn(t *testing.T) {
	for _, name := range []string{"branin", "levy:4", "gp-rough:1", "exp-hartmann6", "mixed-training", "choices", "hartmann6-in-20", "hills:4", "net:6", "net-mixed", "facets:4", "gp-uneven:6", "cliff:3"} {
		p := problem(t, name)
		value := func(seed uint64) float64 {
			drawn, err := p.draw(p, seed)
			if err != nil {
				t.Fatal(err)
			}
			return drawn.Value(drawn.Space.Value(drawn.Space.Random(rng.New(1, rng.Test, 0))))
		}
		if value(1) != value(1) {
			t.Errorf("%s: one seed, two functions", p.Name)
		}
		if value(1) == value(2) {
			t.Errorf("%s: seeds 1 and 2 draw the same", p.Name)
		}
	}
}

func TestAMovedMaximumIsNeitherAtTheWallNorWhereItWas(t *testing.T) {
	drawn, err := problem(t, "rastrigin:3").draw(problem(t, "rastrigin:3"), 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range drawn.Maximizers[0] {
		if v == 0 || math.Abs(v) > 0.8*5.12 {
			t.Errorf("the maximum is at %v", drawn.Maximizers[0])
		}
	}
}

func TestAWorldIsDrawnOnce(t *testing.T) {
	p, count := problem(t, "choices"), 0
	inner := p.draw
	p.draw = func(p *Problem, seed uint64) (sim.Problem, error) { count++; return inner(p, seed) }
	for range 3 {
		for seed := range uint64(2) {
			if _, err := p.world(seed); err != nil {
				t.Fatal(err)
			}
		}
	}
	if count != 2 {
		t.Errorf("drawn %d times, want once for each seed", count)
	}
}
