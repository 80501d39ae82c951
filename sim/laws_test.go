package sim

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

func scenario(t testing.TB, problem, policy, delay string, rounds int) Scenario {
	t.Helper()
	p := must.Get(NewProblem(problem, 3))(t)
	return Scenario{Problem: p, Policy: parsed(t, policy), Delay: law(t, delay), Rounds: rounds, Seed: 3, Noise: p.Noise}
}

func parsed(t testing.TB, spec string) policies.Policy {
	t.Helper()
	if raced && slices.Contains([]string{"asy-ts", "gp-bts", "ts-sdf"}, spec) {
		spec += ":features=64" // functions with fewer features
	}
	return must.Get(policies.Parse(spec))(t)
}

func law(t testing.TB, spec string) delay.Law {
	t.Helper()
	return must.Get(delay.ParseLaw(spec))(t)
}

func mustRun(t testing.TB, s Scenario, observers ...Observer) Performance {
	t.Helper()
	return must.Get(Run(context.Background(), s, observers...))(t)
}

func points(o Performance) []space.Unit {
	var x []space.Unit
	for _, e := range o.Result.Evaluations {
		x = append(x, e.X)
	}
	return x
}

// Replay: the journal of a run gives the same digest at every record, also when it ends in the middle.
func TestReplayGivesTheSameDigests(t *testing.T) {
	for _, policy := range []string{"ucb-sdf", "gp-bucb", "asy-ts", "random"} {
		s := scenario(t, "branin", policy, "poisson:4", 20)
		l := must.Get(loop.New(s.Config()))(t)
		store := journal.NewMemory(journal.NewHeader(l.Config()))
		mustRun(t, s, journaled(store, 1))
		records := store.All()
		for _, cut := range []int{0, 1, len(records) / 3, len(records) / 2, len(records)} {
			h, _ := store.Header()
			part := journal.NewMemory(h)
			for _, r := range records[:cut] {
				if err := part.Append(r); err != nil {
					t.Fatal(err)
				}
			}
			if _, _, err := journal.Replay(part); err != nil {
				t.Fatalf("%s, %d of %d records: %v", policy, cut, len(records), err)
			}
		}
	}
}

// Recomputation: any recorded proposal equals Propose(view of that moment, stream of that round).
func TestProposalsCanBeRecomputed(t *testing.T) {
	for _, policy := range []string{"ucb-sdf", "ts-sdf", "gp-bucb", "gp-bts"} {
		s := scenario(t, "sixhump", policy, "poisson:4", 15)
		l := must.Get(loop.New(s.Config()))(t)
		store := journal.NewMemory(journal.NewHeader(l.Config()))
		mustRun(t, s, journaled(store, 1))
		if err := recompute(s, store); err != nil {
			t.Errorf("%s: %v", policy, err)
		}
	}
}

// Order: permuting feedback that arrives between two asks gives the same posterior, bit for bit.
func TestOrderOfFeedbackBetweenTwoAsks(t *testing.T) {
	for _, policy := range []string{"ucb-sdf", "gp-bucb", "gp-ucb"} {
		s := scenario(t, "branin", policy, "fixed:1", 10)
		play := func(order []int) policies.View {
			l := must.Get(loop.New(s.Config()))(t)
			seq := uint64(0)
			step := func(e loop.Event) (last loop.Effect) {
				seq++
				reaction := must.Get(l.Step(loop.Stamped{Seq: seq, Event: e}))(t)
				if len(reaction.Effects) > 0 {
					last = reaction.Effects[len(reaction.Effects)-1]
				}
				return last
			}
			ask := step(loop.WorkerJoined{Worker: 1, Slots: 6}).(loop.Ask) // five initial queries, and one to be asked for
			for _, k := range order {
				step(loop.FeedbackArrived{Evaluation: k, Attempt: 1, Outcome: outcome.Of(float64(k * k % 7))})
			}
			step(loop.ProposeFailed{Ask: ask.ID})
			return l.View()
		}
		a, b := play([]int{1, 2, 3, 4, 5}), play([]int{4, 1, 5, 3, 2})
		if !slices.Equal(a.Posterior.Alpha(), b.Posterior.Alpha()) || a.Posterior.Len() != b.Posterior.Len() {
			t.Errorf("%s: weights %v and %v", policy, a.Posterior.Alpha(), b.Posterior.Alpha())
		}
		for i := range a.History {
			if a.History[i].Query.Number != b.History[i].Query.Number {
				t.Errorf("%s: histories differ at %d", policy, i)
			}
		}
	}
}

// No delay is sequential Bayesian optimization: one worker without delay does what the plain loop does.
func TestNoDelayIsTheSequentialLoop(t *testing.T) {
	s := scenario(t, "gp1d", "gp-ucb", "fixed:0", 25)
	s.Workers = 1
	got := points(mustRun(t, s))

	// The plain loop.
	c := s.Config()
	kernel := surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{.02}, Outputscale: 1}
	prior := surrogate.Prior{Kernel: kernel, Noise: 1e-4}
	x := c.Space.Sample(space.Uniform, c.Initial, rng.New(s.Seed, rng.Design, 0))
	var y []float64
	for len(x) < c.Budget {
		for k := len(y); k < len(x); k++ {
			noise := s.Noise * rng.New(s.Seed, rng.Noise, uint64(k+1)).NormFloat64()
			y = append(y, s.Problem.Value(c.Space.Value(x[k]))+noise)
		}
		p := must.Get(prior.Condition(x, y, nil))(t)
		// Points that are equal up to round-off are equally good; the plain loop follows the engine among them.
		next := got[len(x)]
		bound := func(u []float64) float64 {
			mean, variance := p.Predict(u)
			return mean + math.Sqrt(variance)
		}
		for _, u := range c.Space.UnitPoints() {
			if bound(u) > bound(next)+1e-9 {
				t.Fatalf("query %d is %v with bound %v, the plain loop has %v with %v", len(x)+1, next, bound(next), u, bound(u))
			}
		}
		x = append(x, next)
	}
}

// Batch is fixed delay: any policy behind a barrier of q on q workers is the textbook batch, in which the j-th query of
// a batch has the delay q − j + 1.
func TestBatchIsFixedDelay(t *testing.T) {
	const q = 4
	for _, policy := range []string{"gp-bucb", "ucb-sdf", "gp-bts", "asy-ts"} {
		s := scenario(t, "gp1d", policy, "fixed:1", 5*q)
		s.Initial, s.Workers, s.Barrier = q, q, q
		o := mustRun(t, s)
		for i, e := range o.Result.Evaluations {
			if d, want := e.Seen-e.Round, q-i%q; d != want {
				t.Fatalf("%s: query %d has delay %d, want %d", policy, e.Number, d, want)
			}
		}
		want := textbookBatch(t, s, q)
		for i, x := range points(o) {
			if !slices.Equal(x, want[i]) {
				t.Fatalf("%s: query %d is %v, the textbook has %v", policy, i+1, x, want[i])
			}
		}
	}
}

// textbookBatch chooses q points one after another, evaluates them together, and starts again.
func textbookBatch(t *testing.T, s Scenario, q int) []space.Unit {
	t.Helper()
	c := s.Config()
	x := c.Space.Sample(space.Uniform, q, rng.New(s.Seed, rng.Design, 0))
	kernel := surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{.02}, Outputscale: 1}
	prior := surrogate.Prior{Kernel: kernel, Noise: 1e-4}
	pool := surrogate.NewPool(kernel, c.Space.UnitPoints(), c.Traits.Draws)
	how := c.Traits.Pending
	var b buffer.Buffer
	for k := range x {
		b.Open(k+1, k+1, 0)
	}
	for len(x) < c.Budget {
		for k := len(x) - q; k < len(x); k++ {
			noise := s.Noise * rng.New(s.Seed, rng.Noise, uint64(k+1)).NormFloat64()
			b.Reveal(k+1, s.Problem.Value(c.Space.Value(x[k]))+noise, len(x)+1, 0)
		}
		for range q {
			set := b.View(how, buffer.Identity(0))
			var rows []space.Unit
			for _, n := range set.Numbers {
				rows = append(rows, x[n-1])
			}
			p := must.Get(prior.Condition(nil, nil, pool))(t)
			for i := range rows {
				p = p.Append(rows[i], set.Targets[i])
			}
			if how == feedback.Hallucinate {
				p = p.Hallucinate(set.Targets, set.Unanswered)
			}
			n := len(x) + 1
			v := policies.View{Round: n, Space: c.Space, Belief: model.Belief{Posterior: p, Rows: set.Numbers, Units: buffer.Identity(0), Incumbent: x[0]}}
			for k := range x {
				v.Queries = append(v.Queries, policies.Query{Number: k + 1, Round: k + 1, X: x[k]})
			}
			for k := (len(x) / q) * q; k < len(x); k++ {
				v.Pending = append(v.Pending, k+1)
			}
			proposals := must.Get(s.Policy.Propose(v, 1, rng.New(s.Seed, rng.Policy, uint64(n))))(t)
			x = append(x, proposals[0].X)
			b.Open(n, n, 0)
		}
	}
	return x
}

// learners are policies of each kind: a bound, an improvement, a draw; ucb-sdf measures from the worst value.
var learners = []string{"gp-bucb", "log-ei", "gp-bts", "ucb-sdf"}

// transformed is the scenario in other units: values a·y + b, and parameters in another box.
func transformed(t *testing.T, s Scenario, a, b float64, parameters ...space.Parameter) Scenario {
	t.Helper()
	f, from := s.Problem.Value, s.Problem.Space
	to := from
	if len(parameters) > 0 {
		var err error
		if to, err = space.New(parameters...); err != nil {
			t.Fatal(err)
		}
	}
	s.Problem.Space = to
	s.Problem.Value = func(x space.Point) float64 {
		u, err := to.Unit(x)
		if err != nil {
			t.Error(err)
		}
		return a*f(from.Value(u)) + b
	}
	return s
}

// Units: rescaling the box or an affine change of the values leaves the chosen points the same, to the bit where powers
// of two leave all digits alone.
func TestUnitsDoNotMatter(t *testing.T) {
	for i, policy := range learners {
		if raced && i%2 == 1 {
			continue
		}
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			plain := scenario(t, "sixhump", policy, "poisson:3", 35)
			plain = transformed(t, plain, 1, 0)
			want := points(mustRun(t, plain))
			same := func(what string, s Scenario, tolerance float64) {
				for i, got := range points(mustRun(t, s)) {
					for j := range got {
						if math.Abs(got[j]-want[i][j]) > tolerance {
							t.Fatalf("%s: query %d is %v, want %v", what, i+1, got, want[i])
						}
					}
				}
			}
			same("1024 y", transformed(t, plain, 1024, 0), 0)
			same("y/64", transformed(t, plain, 1./64, 0), 0)
			same("1000 y - 7", transformed(t, plain, 1000, -7), 1e-6)
			same("another box", transformed(t, plain, 1, 0, space.Float("x1", -3000, 3000), space.Float("x2", 98, 102)), 1e-6)
		})
	}
}

// Sign: minimizing f is maximizing -f, to the bit, with fits and all.
func TestMinimizingIsMaximizingTheNegative(t *testing.T) {
	for i, policy := range learners {
		if raced && i%2 == 0 {
			continue
		}
		t.Run(policy, func(t *testing.T) {
			t.Parallel()
			s := scenario(t, "branin", policy, "poisson:3", 35)
			up, down := s.played(t, false), transformed(t, s, -1, 0).played(t, true)
			if up.Counters().Fits < 5 || down.Counters() != up.Counters() {
				t.Errorf("%+v and %+v", up.Counters(), down.Counters())
			}
			for i, e := range up.Evaluations() {
				if m := down.Evaluations()[i]; !slices.Equal(e.X, m.X) || e.Value != -m.Value {
					t.Fatalf("query %d: %v gives %v, minimized %v gives %v", i+1, e.X, e.Value, m.X, m.Value)
				}
			}
		})
	}
}

// played is the loop at the end of the scenario, without noise.
func (s Scenario) played(t *testing.T, minimize bool) *loop.Loop {
	t.Helper()
	s.Noise = 0
	c := s.Config()
	c.Minimize = minimize
	l := must.Get(loop.New(c))(t)
	w := &world{scenario: s, loop: l, truths: map[int]float64{}}
	if err := w.run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return l
}
