package sim

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// safetyWorld is a random problem with seeds. Some of its constraints are smooth, some jump, and those of an adversary are violated
// wherever no seed is.
func safetyWorld(t *testing.T, r *rand.Rand) Problem {
	t.Helper()
	dim := 1 + r.IntN(2)
	parameters := make([]space.Parameter, dim)
	for i := range parameters {
		parameters[i] = space.Float(string(rune('a'+i)), -1, 3)
	}
	s := must.Get(space.New(parameters...))(t)
	if r.IntN(3) == 0 {
		var points []space.Point
		for range 25 {
			x := make(space.Point, dim)
			for i := range x {
				x[i] = -1 + 4*r.Float64()
			}
			points = append(points, x)
		}
		s = must.Get(space.List(points, parameters...))(t)
	}
	var seeds []space.Point
	for range 1 + r.IntN(3) {
		seeds = append(seeds, s.Value(s.Random(r)))
	}
	kind, shift, slope := r.IntN(4), 2*r.Float64()-1, 1+4*r.Float64()
	margin := func(x space.Point) float64 {
		nearest, sum := math.Inf(1), 0.0
		for _, seed := range seeds {
			d := 0.0
			for i := range x {
				d += (x[i] - seed[i]) * (x[i] - seed[i])
			}
			nearest = min(nearest, math.Sqrt(d))
		}
		for _, v := range x {
			sum += v
		}
		switch {
		case nearest == 0:
			return 0.4
		case kind == 0: // an adversary
			return -1
		case kind == 1: // jumps
			return math.Copysign(1, math.Sin(40*sum+shift))
		case kind == 2: // nothing is known from afar
			return 0.5 - slope*nearest
		}
		return math.Sin(slope*sum+shift) + 0.3
	}
	least := r.IntN(2) == 0
	bound := 10 * r.NormFloat64()
	c := outcome.Constraint{Name: "q", Bound: bound, Least: least}
	p := Problem{
		Name: "world", Space: s, Seeds: seeds, Maximum: 1, Constraints: []outcome.Constraint{c},
		Value:   func(x space.Point) float64 { return math.Cos(2 * x[0]) },
		Measure: func(x space.Point) []float64 { return []float64{c.Value(margin(x))} },
	}
	if r.IntN(2) == 0 {
		second := outcome.AtMost("other", 0.9)
		p.Constraints = append(p.Constraints, second)
		p.Measure = func(x space.Point) []float64 {
			return []float64{c.Value(margin(x)), math.Abs(math.Sin(9*margin(x))) / 2}
		}
	}
	return p
}

// safetyScenario puts a world under random delays, losses and faults.
func safetyScenario(t *testing.T, spec string, seed uint64) Scenario {
	t.Helper()
	r := rng.New(seed, rng.World, 6)
	s := Scenario{Problem: safetyWorld(t, r), Policy: must.Get(policies.Parse(spec))(t), Rounds: 8 + r.IntN(20), Seed: seed, Retries: r.IntN(2)}
	laws := []delay.Law{delay.Fixed{}, delay.Poisson{Lambda: 4}, delay.Never{P: 0.3, Law: delay.Poisson{Lambda: 3}}, delay.Never{P: 0.3, Law: delay.Fixed{Delay: 2}}}
	s.Delay = laws[r.IntN(len(laws))]
	if r.IntN(2) == 0 {
		s.Workers, s.Timeout = 1+r.IntN(3), 9*time.Second
	} else if r.IntN(2) == 0 {
		s.Timeout = 6 * time.Second
	}
	if r.IntN(2) == 0 {
		s.Faults = delay.Faults{Fail: 0.15, Duplicate: 0.1}
	}
	return s
}

// violations counts the queries of a study that violate in truth, whatever the study knows of them.
func violations(p Problem, r loop.Result) (n int) {
	for _, e := range r.Evaluations {
		if e.Attempt > 0 && !p.feasible(e.Point(p.Space)) {
			n++
		}
	}
	return n
}

// Whatever the constraints are, however late the answers come and how many of them never, fewer than T·α queries violate.
func TestAPromiseIsKeptInEveryWorld(t *testing.T) {
	worlds, close, most := 120, 0, 0
	if testing.Short() || raced {
		worlds = 10
	}
	for seed := range uint64(worlds) {
		r := rng.New(seed, rng.World, 7)
		alpha, eta := 0.05+0.4*r.Float64(), []float64{2, 0.01, 10}[r.IntN(3)]
		s := safetyScenario(t, fmt.Sprintf("d-safe-bocp:alpha=%v:eta=%v", alpha, eta), seed)
		budget := s.initial() + s.Rounds
		p, err := Run(context.Background(), s, func(l *loop.Loop, _ loop.Stamped, _ []loop.Effect) error { return l.Check() })
		if err != nil {
			t.Fatalf("world %d: %v", seed, err)
		}
		v, safe := violations(s.Problem, p.Result), p.Result.Safety
		if !(float64(v) < math.Max(alpha*float64(budget), 1)) || v > safe.Terms.Allowed {
			t.Errorf("world %d: %d violations of %d queries with alpha %v: %v", seed, v, budget, alpha, safe)
		}
		if safe.Counted < v || !safe.Kept || safe.Queries != budget || safe.Left != max(safe.Terms.Allowed-safe.Counted, 0) {
			t.Errorf("world %d: %d violations, reported is %+v", seed, v, safe)
		}
		if v > 0 && v >= safe.Terms.Allowed {
			close++
		}
		most = max(most, v)
	}
	t.Logf("in %d of %d worlds as many as allowed, at most %d", close, worlds, most)
	if close < worlds/20 {
		t.Errorf("in %d of %d worlds as many violations as allowed: nothing was tried", close, worlds)
	}
}

// Without noise safe-opt promises nothing, and goes where its model says; it never goes anywhere before a seed was measured.
func TestSafePoliciesBeginWithTheSeeds(t *testing.T) {
	seeds := uint64(20)
	if raced {
		seeds = 4
	}
	for seed := range seeds {
		for _, spec := range []string{"safe-opt", "safe-opt:beta=norm", "d-safe-bocp", "p-safe-bocp:sd=0.1"} {
			s := safetyScenario(t, spec, seed)
			s.Faults, s.Rounds = delay.Faults{}, 6
			p := must.Get(Run(context.Background(), s))(t)
			for i, x := range s.Problem.Seeds {
				if e := p.Result.Evaluations[i]; fmt.Sprint(e.Point(s.Problem.Space)) != fmt.Sprint(x) {
					t.Errorf("%s, world %d: evaluation %d is at %v, want the seed %v", spec, seed, i+1, e.Point(s.Problem.Space), x)
				}
			}
			if p.Result.Counters.Fallbacks > 0 {
				t.Errorf("%s, world %d: %d proposals failed", spec, seed, p.Result.Counters.Fallbacks)
			}
			if p.Result.Safety.Promises != (spec[0] != 's') {
				t.Errorf("%s: %v", spec, p.Result.Safety)
			}
		}
	}
}

// With noise the promise holds with probability 1 − δ: of many studies no more may break it than chance explains.
func TestANoisyPromiseIsKeptAsOftenAsItSays(t *testing.T) {
	worlds, broken, flagged := 100, 0, 0
	if testing.Short() || raced {
		worlds = 8
	}
	for seed := range uint64(worlds) {
		s := safetyScenario(t, "p-safe-bocp:alpha=0.3:delta=0.2:eta=0.01:sd=0.3", seed)
		measure := s.Problem.Measure
		s.Problem.Gauge = func(x space.Point, stream *rand.Rand) []float64 {
			values := measure(x)
			for i := range values {
				values[i] += 0.3 * stream.NormFloat64()
			}
			return values
		}
		p := must.Get(Run(context.Background(), s))(t)
		if v := violations(s.Problem, p.Result); !(float64(v) < max(0.3*float64(s.initial()+s.Rounds), 1)) {
			broken++
		}
		if p.Result.Safety.Account.Violations > 0 {
			flagged++
		}
		if safe := p.Result.Safety; safe.Confidence != 0.8 || len(safe.Omega) != len(s.Problem.Constraints) || !(safe.Omega[0] > 0.5) {
			t.Fatalf("world %d: %+v", seed, safe)
		}
	}
	t.Logf("broken in %d of %d worlds; in %d an answer counted as a violation", broken, worlds, flagged)
	if float64(broken) > 0.2*float64(worlds)+2*math.Sqrt(0.16*float64(worlds)) {
		t.Errorf("broken in %d of %d worlds", broken, worlds)
	}
	if flagged < worlds/10 {
		t.Error("hardly an answer counted: nothing was tried")
	}
}

// With 30 % of the answers never coming the method goes on to learn: what the budget allows is used, and the rest goes to seeds.
func TestThePromiseStaysUsefulWhereAnswersNeverCome(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("compares means over runs")
	}
	line := must.Get(space.New(space.Float("x", -2, 2)))(t)
	p := Problem{
		Name: "line", Space: line, Seeds: []space.Point{{-1}}, Maximum: 1, Constraints: []outcome.Constraint{outcome.AtLeast("q", 0)},
		Value:   func(x space.Point) float64 { return math.Exp(-(x[0] - 0.8) * (x[0] - 0.8)) },
		Measure: func(x space.Point) []float64 { return []float64{1.2 - x[0]*x[0]/2} },
	}
	for _, spec := range []string{"d-safe-bocp:alpha=0.2:eta=0.01", "d-safe-bocp:alpha=0.2"} {
		found, distinct := 0.0, 0
		const runs = 10
		for seed := range uint64(runs) {
			s := Scenario{Problem: p, Policy: must.Get(policies.Parse(spec))(t), Delay: delay.Never{P: 0.3, Law: delay.Poisson{Lambda: 3}}, Rounds: 49, Seed: seed, Timeout: 10 * time.Second}
			run := must.Get(Run(context.Background(), s))(t)
			if v := violations(p, run.Result); v >= 10 {
				t.Errorf("%d violations", v)
			}
			if run.Result.Best != nil {
				found += run.Result.Best.Value / runs
			}
			seen := map[float64]bool{}
			for _, e := range run.Result.Evaluations {
				seen[e.X[0]] = true
			}
			distinct += len(seen)
		}
		t.Logf("%s: best %.3f on average, the seed has %.3f; %d points on average", spec, found, p.Value(p.Seeds[0]), distinct/runs)
		if found < 0.6 {
			t.Errorf("%s: best %.3f on average", spec, found)
		}
	}
}
