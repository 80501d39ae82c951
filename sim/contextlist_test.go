package sim

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// actionsAtContexts is a problem with 40 listed actions and a context of two levels, or of a continuum.
func actionsAtContexts(t *testing.T, context space.Parameter) Problem {
	t.Helper()
	stream := rng.New(8, rng.Test, 0)
	points := make([]space.Point, 40)
	for i := range points {
		points[i] = []float64{stream.Float64(), float64(i % 3)}
	}
	s := must.Get(space.List(points, space.Float("x", 0, 1), context.AsContext(), space.Categorical("kind", "a", "b", "c")))(t)
	value := func(x space.Point) float64 { return math.Sin(6*x[0]+x[1]) * (1 - x[2]/4) }
	best := func(z space.Point) float64 {
		most := math.Inf(-1)
		for _, p := range points {
			most = max(most, value([]float64{p[0], z[0], p[1]}))
		}
		return most
	}
	return Problem{Name: "actions", Space: s, Value: value, Maximum: 1, BestIn: best}
}

// Recomputation over a list with contexts: when the pool was filled shows in no proposal, neither in a replay nor where a
// study goes on from a snapshot.
func TestProposalsOverAListWithContextsCanBeRecomputed(t *testing.T) {
	for j, context := range []space.Parameter{space.Int("day", 1, 2), space.Float("hour", 0, 24)} {
		for i, policy := range []string{"gp-ucb", "gp-bucb", "ucb-sdf", "log-ei", "asy-ts", "ts-sdf", "gp-bts"} {
			if raced && (i+j)%4 > 0 {
				continue
			}
			s := Scenario{
				Problem: actionsAtContexts(t, context), Policy: parsed(t, policy), Delay: law(t, "poisson:3"), Rounds: 40, Seed: uint64(i), Noise: 0.05,
				Workers: i % 3, FitBeside: i%2 == 0, Faults: delay.Faults{Duplicate: .1, Fail: .15},
				Window: feedback.Window{Rounds: 3, Strict: true}, Timeout: 4 * Tick, // policies that censor lose the rows of what comes later
			}
			if _, _, err := playWorld(s, uint64(i)); err != nil {
				t.Fatalf("%s, %s: %v", policy, context.Name, err)
			}
			recomputeRestored(t, s)
		}
	}
}

// recomputeRestored asks the policy for every recorded proposal again, of a loop that is put away and restored after each
// event, and compares its posterior with that of a loop that never was.
func recomputeRestored(t *testing.T, s Scenario) {
	t.Helper()
	whole := must.Get(loop.New(s.Config()))(t)
	store, l := journal.NewMemory(journal.NewHeader(whole.Config())), whole
	mustRun(t, s, journaled(store, 1))
	asked := 0
	for _, r := range store.All() {
		if want, ok := r.Event.Event.(loop.Proposed); ok {
			asked++
			if got := l.Task().Run(s.Policy); !reflect.DeepEqual(got, r.Event.Event) {
				t.Fatalf("%s: ask %d was answered %+v, restored %+v", describe(s), want.Ask, want, got)
			}
			a, b := whole.View().Posterior, l.View().Posterior
			if a != nil && (!slices.Equal(a.PoolMean(), b.PoolMean()) || !slices.Equal(a.PoolVariance(), b.PoolVariance()) || !slices.Equal(a.Alpha(), b.Alpha())) {
				t.Fatalf("%s: ask %d has another posterior where it was restored", describe(s), want.Ask)
			}
		}
		if _, err := whole.Step(r.Event); err != nil {
			t.Fatal(err)
		}
		state, err := whole.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if l, err = loop.Restore(s.Config(), state); err != nil || l.Digest() != r.Digest {
			t.Fatalf("%s: restored after event %d: %v, or another digest", describe(s), r.Event.Seq, err)
		}
	}
	if asked < 30 {
		t.Errorf("%s: %d proposals", describe(s), asked)
	}
}
