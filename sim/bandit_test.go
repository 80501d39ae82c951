package sim

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/bandit"
	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// row is a problem of some points in a row, with values in [0, 1].
func row(t *testing.T, values ...float64) Problem {
	t.Helper()
	s := must.Get(space.New(space.Int("i", 0, len(values)-1)))(t)
	best := 0.0
	for _, v := range values {
		best = max(best, v)
	}
	return Problem{Name: "row", Space: s, Value: func(x space.Point) float64 { return values[int(x[0]+0.5)] }, Maximum: best}
}

// What a play adds to the score of a point, its reward over the probability of the point that was played, is the value there on average,
// also where answers come late, in another order, or as failures that are tried again.
func TestScoresOfABanditAreUnbiasedUnderDelays(t *testing.T) {
	plays := 10_000
	if raced {
		plays = 1000
	}
	values := []float64{0.9, 0.2, 0.5, 0.4, 0.7}
	s := Scenario{
		Problem: row(t, values...), Policy: parsed(t, "exp3:best=1:bandwidth=0.3:eta=0.02"), Delay: law(t, "poisson:20"),
		Rounds: plays, Seed: 4, Noise: 0.1, Faults: delay.Faults{Duplicate: 0.05},
	}
	s.Problem.Value = func(x space.Point) float64 { return 0.3 + 0.4*values[int(x[0]+0.5)] } // the noise hardly leaves the scale
	out := mustRun(t, s)
	terms := make([][]float64, len(values))
	least, most := 1.0, 0.0
	for _, e := range out.Result.Evaluations {
		if e.Probability <= 0 {
			t.Fatalf("evaluation %d was not drawn", e.Number)
		}
		least, most = min(least, e.Probability), max(most, e.Probability)
		if e.Status != loop.Observed {
			continue
		}
		x := int(s.Problem.Space.Value(e.X)[0] + 0.5)
		for i := range terms {
			term := 0.0
			if i == x {
				term = e.Value / e.Probability
			}
			terms[i] = append(terms[i], term)
		}
	}
	for i, v := range values {
		got := stat.Of(terms[i])
		if want := 0.3 + 0.4*v; math.Abs(got.Mean-want) > 3*got.SE {
			t.Errorf("point %d: %v, want %v", i, got, want)
		}
	}
	if !raced && (least > 0.1 || most < 0.4) {
		t.Errorf("probabilities from %v to %v: the bandit learned too little for this to tell anything", least, most)
	}
}

// Over a list of a hundred points whose values are alike where points are, a bandit earns more than random search.
func TestABanditEarnsMoreThanRandomSearch(t *testing.T) {
	var gain []float64
	for seed := range uint64(6) {
		values, at := make([]float64, 100), 10+80*rng.New(seed, rng.Test, 0).Float64()
		for i := range values {
			values[i] = math.Exp(-math.Pow((float64(i)-at)/15, 2))
		}
		sum := func(policy string) float64 {
			s := Scenario{Problem: row(t, values...), Policy: parsed(t, policy), Delay: law(t, "poisson:3"), Rounds: 400, Seed: seed, Noise: 0.05}
			curve := mustRun(t, s).CumulativeRegret
			return curve[len(curve)-1] / 400
		}
		gain = append(gain, sum("random")-sum("exp3:eta=0.03"))
	}
	if e := stat.Of(gain); e.Mean < 4*e.SE || e.Mean < 0.1 {
		t.Errorf("regret of a query is less by %v than that of random search", e)
	}
}

// Plays, their probabilities and what comes of them are the same in a replay and where the study goes on from a snapshot.
func TestPlaysOfABanditCanBeRecomputed(t *testing.T) {
	for i, policy := range []string{"exp3", "exp3:eta=1:bandwidth=0.2", "batch:q=3:of=exp3"} {
		s := Scenario{
			Problem: row(t, 0.1, 0.5, 0.9, 0.3), Policy: parsed(t, policy), Delay: law(t, "poisson:3"), Rounds: 40, Seed: uint64(i),
			Noise: 0.05, Workers: i, FitBeside: i == 1, Faults: delay.Faults{Duplicate: 0.1, Fail: 0.1}, Timeout: 9 * Tick,
		}
		l := must.Get(loop.New(s.Config()))(t)
		store := journal.NewMemory(journal.NewHeader(l.Config()))
		mustRun(t, s, journaled(store, 1))
		if err := recompute(s, store); err != nil {
			t.Errorf("%s: %v", policy, err)
		}
		recomputeRestored(t, s)
	}
}

// taught is what two tasks over a row of points taught.
func taught(t *testing.T, p Problem) *bandit.Knowledge {
	t.Helper()
	tasks := bandit.Tasks{Space: p.Space, Values: [][]float64{{0.2, 0.4, 0.9, 0.3}, {0.1, 0.8, 0.7, 0.2}}}
	for k := range p.Space.Combinations() {
		tasks.Arms = append(tasks.Arms, p.Space.Combination(k))
	}
	k := must.Get(bandit.Learn(tasks, bandit.Settings{Layers: []int{3}, Steps: 5}, rng.New(1, rng.Test, 0)))(t)
	return &k
}

func TestAStudyThatBeginsTaughtIsReplayedFromItsJournal(t *testing.T) {
	s := Scenario{
		Problem: row(t, 0.1, 0.5, 0.9, 0.3), Policy: parsed(t, "meta-mab:best=1"), Delay: law(t, "poisson:3"), Rounds: 40, Seed: 1, Noise: 0.05,
	}
	s.Taught = taught(t, s.Problem)
	l := must.Get(loop.New(s.Config()))(t)
	store := journal.NewMemory(journal.NewHeader(l.Config()))
	out := mustRun(t, s, journaled(store, 1))
	if err := recompute(s, store); err != nil {
		t.Error(err)
	}
	recomputeRestored(t, s)
	untaught := s
	untaught.Taught = nil
	same, plain := true, mustRun(t, untaught)
	for i, e := range out.Result.Evaluations {
		same = same && e.Probability == plain.Result.Evaluations[i].Probability
	}
	if same {
		t.Error("what was taught made no difference")
	}
	c := s.Config()
	c.Traits = parsed(t, "exp3").Traits()
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "it is not taught") {
		t.Errorf("exp3 was taught: %v", err)
	}
	c = s.Config()
	c.Space = row(t, 0, 1).Space
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "another parameter 1") {
		t.Errorf("taught over another space: %v", err)
	}
	c = s.Config()
	bad := *c.Taught
	bad.Weights = nil
	if c.Taught = &bad; c.Validate() == nil {
		t.Error("without weights")
	}
}

func TestABanditHasNoDesignAndPlaysAPointAgain(t *testing.T) {
	s := Scenario{Problem: row(t, 0.1, 0.9, 0.2), Policy: parsed(t, "exp3"), Delay: delay.Fixed{}, Rounds: 20, Initial: 5, Seed: 3}
	out := mustRun(t, s)
	for _, e := range out.Result.Evaluations {
		if e.Number == 1 && math.Abs(e.Probability-1./3) > 1e-15 || e.Probability < 0.1 {
			t.Errorf("evaluation %d was drawn with probability %v", e.Number, e.Probability)
		}
	}
	if n := len(out.Result.Evaluations); n != 25 {
		t.Errorf("%d evaluations of three points, want 25", n)
	}
}

func TestAStudyThatABanditCannotServeIsRefused(t *testing.T) {
	c := Scenario{Problem: row(t, 0, 1), Policy: parsed(t, "exp3"), Delay: delay.Fixed{}, Rounds: 20}.Config()
	for what, s := range map[string]space.Space{
		"one of real numbers": must.Get(space.New(space.Float("x", 0, 1)))(t),
		"1 contexts":          must.Get(space.New(space.Int("x", 0, 1), space.Int("day", 1, 7).AsContext()))(t),
	} {
		c.Space = s
		if err := c.Validate(); err == nil || !strings.Contains(fmt.Sprint(err), what) || !strings.Contains(fmt.Sprint(err), "at most 10000 points") {
			t.Errorf("%v, want an error with %q", err, what)
		}
	}
}
