package sim

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/sim/functions"
	"github.com/tarry-bo/tarry/space"
)

// With a fixed delay d in rounds, the answer of query s is known when query t is chosen iff d ≤ t − s.
func TestRegretIsOfWhatIsKnownWhenTheNextQueryIsChosen(t *testing.T) {
	for _, d := range []int{0, 1, 3, 7} {
		s := scenario(t, "branin", "random", "fixed:"+string(rune('0'+d)), 12)
		s.Initial = 4
		o := mustRun(t, s)
		if len(o.SimpleRegret) != 12 || len(o.CumulativeRegret) != 12 || len(o.Best) != 12 {
			t.Fatalf("delay %d: %d and %d regrets, want 12", d, len(o.SimpleRegret), len(o.CumulativeRegret))
		}
		regret := make([]float64, 16)
		for i, e := range o.Result.Evaluations {
			regret[i] = s.Problem.Maximum - s.Problem.Value(s.Problem.Space.Value(e.X))
		}
		sum := 0.0
		for k := 1; k <= 12; k++ {
			next := 4 + k + 1 // the query that would be chosen
			want := math.NaN()
			for i, r := range regret {
				if max(d, 1) <= next-(i+1) && !(r >= want) {
					want = r
				}
			}
			sum += regret[4+k-1]
			got := o.SimpleRegret[k-1]
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("delay %d: simple regret after %d queries is %v, want %v", d, k, got, want)
			}
			if math.Abs(o.CumulativeRegret[k-1]-sum) > 1e-9 {
				t.Errorf("delay %d: cumulative regret after %d queries is %v, want %v", d, k, o.CumulativeRegret[k-1], sum)
			}
		}
	}
}

// Values are noisy, so that the greatest is often not that of the best query.
func TestObservedRegretIsOfTheGreatestValueThatIsKnown(t *testing.T) {
	s := scenario(t, "branin", "random", "fixed:3", 40)
	s.Initial, s.Noise = 4, 40
	o := mustRun(t, s)
	differs := false
	for k := 1; k <= 40; k++ {
		greatest, want := math.Inf(-1), math.NaN()
		for i, e := range o.Result.Evaluations {
			if 3 <= 4+k-i && e.Value > greatest {
				greatest, want = e.Value, s.Problem.Maximum-s.Problem.Value(s.Problem.Space.Value(e.X))
			}
		}
		if got := o.ObservedRegret[k-1]; math.Abs(got-want) > 1e-12 {
			t.Errorf("after %d queries: %v, want %v", k, got, want)
		}
		differs = differs || o.ObservedRegret[k-1] > o.SimpleRegret[k-1]
	}
	if !differs {
		t.Error("the greatest value was always that of the best query")
	}
}

// A strict window hides late answers from the regret of policies that censor, and from no other.
func TestStrictWindowAndRegret(t *testing.T) {
	for _, c := range []struct {
		policy string
		sees   bool
	}{{"ucb-sdf", false}, {"gp-ucb", true}, {"random", true}} {
		s := scenario(t, "gp1d", c.policy, "fixed:5", 15)
		s.Window = feedback.Window{Rounds: 3, Strict: true}
		o := mustRun(t, s)
		if sees := !math.IsNaN(o.SimpleRegret[14]); sees != c.sees {
			t.Errorf("%s: regret %v", c.policy, o.SimpleRegret[14])
		}
		if o.Result.Best == nil || o.Result.Counters.LateValues == 0 {
			t.Errorf("%s: a late value is missing in the result", c.policy)
		}
	}
}

func TestGP1DFollowsTheConventions(t *testing.T) {
	a := must.Get(NewProblem("gp1d", 1))(t)
	b, _ := NewProblem("gp1d", 2)
	low, high, moved := math.Inf(1), math.Inf(-1), false
	for i := range 1000 {
		x := []float64{float64(i) / 999}
		v := a.Value(x)
		low, high = min(low, v), max(high, v)
		moved = moved || v != b.Value(x)
	}
	if low != 0 || high != 1 || a.Space.Size() != 1000 || a.Value(a.Maximizers[0]) != 1 || !moved {
		t.Errorf("values in [%v, %v] on %d points, maximum %v", low, high, a.Space.Size(), a.Value(a.Maximizers[0]))
	}
	if a.Initial != 5 || a.Noise != 0.01 || *a.Floor != 0 || !slices.Equal(a.Model.Hyper, []float64{.02, 1}) || a.Model.Noise != 1e-4 {
		t.Errorf("conventions: %+v", a.Model)
	}
}

func TestProblemsByName(t *testing.T) {
	for _, name := range ProblemNames() {
		p, err := NewProblem(name, 1)
		if err != nil || p.Describe == "" || p.Space.Dim() == 0 {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, m := range p.Maximizers {
			if v := p.Value(m); math.Abs(v-p.Maximum) > 1e-9*max(1, math.Abs(p.Maximum)) {
				t.Errorf("%s: value %v at a maximizer, maximum %v", name, v, p.Maximum)
			}
		}
	}
	if p, err := NewProblem("ackley:5", 1); err != nil || p.Space.Dim() != 5 || p.Name != "ackley:5" {
		t.Errorf("ackley:5: %v", err)
	}
	for spec, want := range map[string]string{
		"nowhere": "one of ackley", "ackley:x": "ackley.Dim", "gp1d:2": "one dimension count", "branin:3": "branin.Dim = 3",
	} {
		if _, err := NewProblem(spec, 1); !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q in it", spec, err, want)
		}
	}
}

func TestSpread(t *testing.T) {
	p, _ := NewProblem("gp1d", 1)
	if s := p.Spread(); s.Low != 0 || s.Stddev < 0.1 || s.Stddev > 0.5 {
		t.Errorf("gp1d: %+v", s)
	}
	p, _ = NewProblem("branin", 1)
	if s := p.Spread(); s.Low < -310 || s.Low > -280 || math.Abs(s.Stddev-51) > 2 {
		t.Errorf("branin: %+v", s)
	}
}

func TestImpossibleScenarios(t *testing.T) {
	for want, change := range map[string]func(*Scenario){
		"Scenario.Policy":     func(s *Scenario) { s.Policy = nil },
		"Scenario.Delay":      func(s *Scenario) { s.Delay = nil },
		"Scenario.Problem":    func(s *Scenario) { s.Problem.Value = nil },
		"Scenario.Rounds = 0": func(s *Scenario) { s.Rounds = 0 },
		"Scenario.Workers":    func(s *Scenario) { s.Workers = -1 },
		"Scenario.Noise":      func(s *Scenario) { s.Noise = math.NaN() },
		"faults.drop":         func(s *Scenario) { s.Faults.Drop = 2 },
		"Scenario.Timeout":    func(s *Scenario) { s.Workers, s.Delay = 2, delay.Never{P: .5, Law: delay.Fixed{}} },
		"Scenario.Contextual": func(s *Scenario) {
			s.Problem, s.Contextual = scenario(t, "forrester", "random", "fixed:1", 5).Problem, true
		},
		"Config.Window": func(s *Scenario) { s.Window.Strict = true },
	} {
		s := scenario(t, "branin", "random", "fixed:1", 5)
		change(&s)
		if _, err := Run(context.Background(), s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
}

func TestARunEndsWhenItsContextDoes(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := scenario(t, "branin", "random", "fixed:2", 50)
	n := 0
	o, err := Run(ctx, s, func(*loop.Loop, loop.Stamped, []loop.Effect) error {
		if n++; n == 60 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || len(o.Result.Evaluations) == 0 || len(o.Result.Evaluations) == 55 {
		t.Errorf("error %v, %d evaluations", err, len(o.Result.Evaluations))
	}
	stop := errors.New("stop")
	if _, err := Run(context.Background(), s, func(*loop.Loop, loop.Stamped, []loop.Effect) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an observer's error became %v", err)
	}
}

// In the pace of workers a slot is busy for the delay: W workers with delay D start W queries every D ticks.
func TestWorkersAreBusyForTheDelay(t *testing.T) {
	s := scenario(t, "branin", "random", "fixed:10", 19)
	s.Initial, s.Workers = 5, 4
	o := mustRun(t, s)
	for i, e := range o.Result.Evaluations {
		if got, want := e.Dispatched/Tick, int64(i/4)*10; int64(got) != want {
			t.Errorf("query %d starts at tick %d, want %d", e.Number, got, want)
		}
	}
}

func TestFaultsAreCounted(t *testing.T) {
	s := scenario(t, "branin", "random", "fixed:2", 80)
	s.Workers, s.Timeout, s.Retries = 3, 20*Tick, 1
	s.Faults = delay.Faults{Drop: .1, Duplicate: .1, Fail: .2, Stall: .1}
	c := mustRun(t, s).Result.Counters
	if c.Failures == 0 || c.Repeated == 0 || c.Timeouts == 0 {
		t.Errorf("counters %+v", c)
	}
}

// At a context the best value is found by search: on Branin at x1 = π it is the maximum itself.
func TestContextualRegret(t *testing.T) {
	s := scenario(t, "branin", "random", "fixed:1", 10)
	p := must.Get(s.Problem.contextual())(t)
	if best := p.bestAt([]float64{math.Pi, 0}); math.Abs(best-p.Maximum) > 1e-6 {
		t.Errorf("best at π is %v, want %v", best, p.Maximum)
	}
	for _, x1 := range []float64{-5, 0, 4.2, 10} {
		dense := math.Inf(-1)
		for i := range 15001 {
			dense = max(dense, p.Value([]float64{x1, float64(i) / 1000}))
		}
		if best := p.bestAt([]float64{x1, 3}); math.Abs(best-dense) > 1e-4 {
			t.Errorf("best at %v is %v, a dense grid has %v", x1, best, dense)
		}
	}
	s.Contextual = true
	o := mustRun(t, s)
	first := o.Result.Evaluations[0].X[0]
	if o.Result.Evaluations[1].X[0] == first {
		t.Error("two queries have one context")
	}
	p.BestIn = func(context space.Point) float64 { return context[0] }
	if p.bestAt([]float64{4, 1}) != 4 {
		t.Error("BestIn is not asked")
	}
}

// The best value at a context is that of a feasible action; where there is none, nothing was missed.
func TestContextualRegretUnderConstraints(t *testing.T) {
	for _, name := range []string{"gardner1", "gramacy"} {
		s := scenario(t, name, "random", "fixed:1", 40)
		p := must.Get(s.Problem.contextual())(t)
		first, second := p.Space.Parameter(0), p.Space.Parameter(1)
		for _, u := range []float64{0.1, 0.37, 0.5, 0.8} {
			dense := math.Inf(-1)
			for i := range 20001 {
				if x := (space.Point{first.Value(u), second.Value(float64(i) / 20000)}); p.feasible(x) {
					dense = max(dense, p.Value(x))
				}
			}
			best := p.bestAt(space.Point{first.Value(u), second.Value(0.5)})
			if best != dense && math.Abs(best-dense) > 1e-3 {
				t.Errorf("%s at %v: the best is %v, a dense grid has %v", name, u, best, dense)
			}
		}
	}
	s := scenario(t, "gardner1", "random", "fixed:1", 40)
	s.Contextual = true
	s.Problem.Measure = func(space.Point) []float64 { return []float64{s.Problem.Constraints[0].Bound + 1} }
	if got := mustRun(t, s).CumulativeRegret; got[len(got)-1] != 0 {
		t.Errorf("no action is feasible, and the cumulative regret is %v", got[len(got)-1])
	}
}

// All policies meet the same world: initial points, contexts, noise and delays depend on the seed alone.
func TestPoliciesMeetTheSameWorld(t *testing.T) {
	a := mustRun(t, scenario(t, "gp1d", "random", "poisson:5", 20))
	b := mustRun(t, scenario(t, "gp1d", "gp-bucb", "poisson:5", 20))
	for i := range 5 {
		x, y := a.Result.Evaluations[i], b.Result.Evaluations[i]
		if !slices.Equal(x.X, y.X) || x.Value != y.Value || x.Seen != y.Seen {
			t.Errorf("initial query %d differs: %+v and %+v", i+1, x, y)
		}
	}
}

func TestTheBestOfTenOfTwoValuesIsNearlyAlwaysTheBetter(t *testing.T) {
	// The worse of two values is drawn ten times with probability 1/1024. Their variance is (1 + 1)/1.
	s := spreadOf([]float64{3, 1})
	if want := 3 - 2./1024; math.Abs(s.BestOfTen-want) > 1e-12 || s.Low != 1 || math.Abs(s.Stddev-math.Sqrt2) > 1e-12 {
		t.Errorf("%+v, want the best of ten %v", s, want)
	}
}

// Most maxima are below 0: regret against a value of 0 would be none.
func TestAQueryThatViolatesAConstraintHasTheRegretOfTheWorstValue(t *testing.T) {
	for _, name := range functions.ConstrainedNames() {
		s := scenario(t, name, "random", "fixed:1", 40)
		low := s.Problem.Spread().Low
		for _, c := range []struct{ given, want float64 }{{0, low}, {low - 7, low - 7}} {
			s.Low = c.given
			o := mustRun(t, s)
			before, violated := 0.0, 0
			for k, sum := range o.CumulativeRegret {
				x := s.Problem.Space.Value(o.Result.Evaluations[s.initial()+k].X)
				want := s.Problem.Maximum - s.Problem.Value(x)
				if !s.Problem.feasible(x) {
					want, violated = s.Problem.Maximum-c.want, violated+1
				}
				if got := sum - before; want < 0 || math.Abs(got-want) > 1e-9*max(1, sum) {
					t.Errorf("%s, Low %v: query %d has regret %v, want %v", name, c.given, k+1, got, want)
				}
				before = sum
			}
			if violated == 0 {
				t.Errorf("%s: no query violates a constraint", name)
			}
		}
	}
}

// A problem that has no value anywhere has no worst one either, and one that is trained is not trained hundreds of times to find it.
func TestTheWorstValueIsTheFloorOrMeasured(t *testing.T) {
	floor, none := -3.0, func(space.Point) float64 { return math.NaN() }
	branin := scenario(t, "branin", "random", "fixed:1", 1).Problem
	for _, c := range []struct {
		change func(*Scenario)
		want   float64
	}{
		{func(*Scenario) {}, branin.Spread().Low},
		{func(s *Scenario) { s.Low = -400 }, -400},
		{func(s *Scenario) { s.Low, s.Problem.Floor = -400, &floor }, floor},
		{func(s *Scenario) { s.Problem.Value = none }, math.NaN()},
		{func(s *Scenario) { s.Problem.Value, s.Problem.Trains = none, true }, 0},
	} {
		s := Scenario{Problem: branin}
		c.change(&s)
		if got := s.worst(); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("Low %v, Floor %v: the worst value is %v, want %v", s.Low, s.Problem.Floor, got, c.want)
		}
	}
}

func TestTheSpreadOfAListIsOverItsContextsAndFidelitiesToo(t *testing.T) {
	for _, last := range []space.Parameter{space.Ordered("part", 1, 2, 4).AsFidelity(1, 2, 4), space.Float("part", 1, 4).AsContext()} {
		s := must.Get(space.List([]space.Point{{0}, {1}}, space.Float("a", 0, 1), last))(t)
		p := Problem{Space: s, Value: func(x space.Point) float64 { return x[0] * x[1] }}
		if got := p.Spread(); got.Low != 0 || !(got.BestOfTen > 2) || got.BestOfTen > 4 {
			t.Errorf("%v: %+v", last, got)
		}
	}
}
