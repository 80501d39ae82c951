package sim

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// In rounds one query starts every tick, and the answer of query s is first seen by query s + max(⌈delay⌉, 1), whatever
// the law.
func TestRoundsKeepTheirPaceUnderEveryLaw(t *testing.T) {
	for _, spec := range []string{"fixed:0", "fixed:1", "poisson:2", "poisson:10", "geometric:0.5", "exponential:3", "input:0,6", "value:0,6", "lognormal:1,1", "pareto:0.5,0.5", "never:0.3+poisson:1"} {
		s := scenario(t, "branin", "random", spec, 200)
		o := mustRun(t, s)
		for _, e := range o.Result.Evaluations {
			if want := time.Duration(e.Number-1) * Tick; e.Dispatched != want {
				t.Fatalf("%s: query %d starts at %v, want %v", spec, e.Number, e.Dispatched, want)
			}
			truth := s.Problem.Value(s.Problem.Space.Value(e.X))
			delay, arrives := s.Delay.Draw(rng.New(s.Seed, rng.Delay, uint64(e.Number)), delay.Case{X: e.X, Level: s.Level(truth)})
			d := int(max(math.Ceil(min(delay, 1e6)), 1))
			known := arrives && e.Number+d <= len(o.Result.Evaluations)+1
			if known != (e.Seen > 0) || (known && e.Seen-e.Round != d) {
				t.Fatalf("%s: query %d has delay %v and is seen by query %d", spec, e.Number, delay, e.Seen)
			}
		}
	}
}

// What is known after k queries does not depend on how many come later, in both paces.
func TestACurveDoesNotDependOnItsLength(t *testing.T) {
	for _, workers := range []int{0, 1, 4, 16} {
		short := scenario(t, "branin", "random", "exponential:6", 20)
		short.Workers = workers
		long := short
		long.Rounds = 60
		a, b := mustRun(t, short), mustRun(t, long)
		for k, r := range a.SimpleRegret {
			if q := b.SimpleRegret[k]; r != q && !(math.IsNaN(r) && math.IsNaN(q)) {
				t.Errorf("%d workers: simple regret after %d of 20 queries is %v, after %d of 60 %v", workers, k+1, r, k+1, q)
			}
		}
		if !slices.Equal(a.CumulativeRegret, b.CumulativeRegret[:20]) {
			t.Errorf("%d workers: cumulative regrets differ", workers)
		}
	}
}

// Behind a barrier the rounds are batches as well: the j-th query of a batch is seen q − j + 1 queries later.
func TestBatchesInRounds(t *testing.T) {
	const q = 4
	for _, spec := range []string{"fixed:1", "poisson:5"} {
		s := scenario(t, "branin", "random", spec, 5*q)
		s.Initial, s.Barrier = q, q
		for i, e := range mustRun(t, s).Result.Evaluations {
			if d, want := e.Seen-e.Round, q-i%q; d != want {
				t.Errorf("%s: query %d is seen %d queries later, want %d", spec, e.Number, d, want)
			}
		}
	}
}

// An answer that comes after its query was given up is late, and under a strict window neither the model nor the regret
// sees it.
func TestStrictWindowAndTimeout(t *testing.T) {
	s := scenario(t, "gp1d", "ucb-sdf", "fixed:5", 20)
	s.Window, s.Timeout = feedback.Window{Rounds: 20, Strict: true}, 3*Tick
	seen := 0
	o := mustRun(t, s, func(l *loop.Loop, _ loop.Stamped, effects []loop.Effect) error {
		for _, e := range effects {
			if _, ok := e.(loop.Ask); ok && l.View().Informed() {
				seen++
			}
		}
		return nil
	})
	if seen > 0 || !math.IsNaN(o.SimpleRegret[19]) || o.Result.Counters.LateValues == 0 || o.Result.Best == nil {
		t.Errorf("the model was informed at %d asks, regret %v, %+v", seen, o.SimpleRegret[19], o.Result.Counters)
	}
}

// The posterior of a view is a function of the ledger: kept up to date over appends, failures and fits it has the bits
// of one that was never computed before, and the numbers of one from scratch.
func TestModelIsAFunctionOfTheLedger(t *testing.T) {
	for _, policy := range []string{"ucb-sdf", "gp-bucb", "gp-ucb"} {
		for _, problem := range []string{"gp1d", "sixhump"} {
			s := scenario(t, problem, policy, "poisson:4", 40)
			s.Faults, s.Timeout, s.Retries = delay.Faults{Fail: .25, Drop: .05}, 9*Tick, 1
			l := must.Get(loop.New(s.Config()))(t)
			store := journal.NewMemory(journal.NewHeader(l.Config()))
			asks := 0
			mustRun(t, s, journaled(store, 0), func(l *loop.Loop, e loop.Stamped, effects []loop.Effect) error {
				for _, effect := range effects {
					if _, ok := effect.(loop.Ask); !ok {
						continue
					}
					if asks++; asks%5 == 0 {
						return sameModel(l, store)
					}
					l.View()
				}
				return nil
			})
			if asks < 30 {
				t.Errorf("%s on %s: only %d asks", policy, problem, asks)
			}
		}
	}
}

// sameModel compares the view of a running loop with that of a replay that never computed one.
func sameModel(l *loop.Loop, store *journal.Memory) error {
	replayed, _, err := journal.Replay(store)
	if err != nil {
		return err
	}
	got, want := l.View(), replayed.View()
	if !slices.Equal(got.Posterior.Alpha(), want.Posterior.Alpha()) || !slices.Equal(got.Rows, want.Rows) ||
		!slices.Equal(got.Posterior.PoolMean(), want.Posterior.PoolMean()) || !slices.Equal(got.Posterior.PoolVariance(), want.Posterior.PoolVariance()) {
		return fmt.Errorf("round %d: a posterior that was kept differs from one that was made anew", got.Round)
	}
	return nearScratch(got)
}

func nearScratch(v policies.View) error {
	p := v.Posterior
	var x []space.Unit
	var known []float64
	for i := range p.Len() {
		x = append(x, p.X(i))
		known = append(known, p.Known(i))
	}
	scratch, err := p.Prior().ConditionKnown(x, p.Targets(), known, p.Pool())
	if err != nil {
		return err
	}
	for _, u := range v.Space.Sample(0, 20, rng.New(1, rng.Test, 0)) {
		m1, v1 := p.Predict(u)
		m2, v2 := scratch.Predict(u)
		if math.Abs(m1-m2) > 1e-8 || math.Abs(v1-v2) > 1e-8 {
			return fmt.Errorf("round %d: mean %v and variance %v at %v, from scratch %v and %v", v.Round, m1, v1, u, m2, v2)
		}
	}
	return nil
}

// A contextual study replays from the configuration that its scenario states.
func TestAContextualStudyReplays(t *testing.T) {
	s := scenario(t, "branin", "gp-bucb", "poisson:3", 10)
	s.Contextual = true
	store := journal.NewMemory(journal.NewHeader(s.Config()))
	mustRun(t, s, journaled(store, 1))
	if _, _, err := journal.Replay(store); err != nil {
		t.Error(err)
	}
}

func TestInitialQueriesAreSpreadAsTheScenarioSays(t *testing.T) {
	s := scenario(t, "branin", "random", "fixed:1", 2)
	s.Initial, s.Design = 6, space.Halton
	o := must.Get(Run(t.Context(), s))(t)
	for i, want := range s.Problem.Space.Sample(space.Halton, 6, rng.New(s.Seed, rng.Design, 0)) {
		if got := o.Result.Evaluations[i].X; !slices.Equal(got, want) {
			t.Errorf("query %d is at %v, want %v", i+1, got, want)
		}
	}
}

// Where answers come faster than fits are made, queries wait for the fit that is open as soon as another one is due, if they are to
// keep abreast; otherwise they run ahead of it.
func TestQueriesKeepAbreastOfFits(t *testing.T) {
	for _, abreast := range []bool{false, true} {
		s := scenario(t, "branin", "gp-bucb", "fixed:0", 40)
		s.Workers, s.FitBeside, s.FitAbreast = 4, true, abreast
		s.AskTime = func(int) time.Duration { return time.Millisecond }
		s.FitTime = func(int) time.Duration { return 30 * time.Millisecond }
		var open loop.Fit
		ahead, fits := 0, 0
		mustRun(t, s, func(l *loop.Loop, e loop.Stamped, effects []loop.Effect) error {
			if _, ended := e.Event.(loop.Fitted); ended {
				open.ID = 0
			}
			for _, effect := range effects {
				switch effect := effect.(type) {
				case loop.Fit:
					open, fits = effect, fits+1
				case loop.Ask:
					answers := len(l.Evaluations()) - l.Pending()
					if open.ID > 0 && answers > len(open.X) && float64(answers) >= 1.2*float64(len(open.X)) {
						ahead++
					}
				}
			}
			return nil
		})
		if (ahead > 0) == abreast || abreast != (fits > 8) {
			t.Errorf("abreast %v: %d of 40 queries are chosen while a fit is due beside an open one; %d fits", abreast, ahead, fits)
		}
	}
}
