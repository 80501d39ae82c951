package tarry_test

import (
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// careless is a policy of somebody's own that does with its view what one should not, and then proposes a random point in a slice that it
// uses again.
type careless struct {
	with func(v policies.View)
	x    space.Unit
}

func (careless) Traits() policies.Traits { return policies.Traits{Name: "careless", Model: true} }

func (p careless) Propose(v policies.View, _ int, stream *rand.Rand) ([]policies.Proposal, error) {
	p.with(v)
	p.x[0], p.x[1] = stream.Float64(), stream.Float64()
	return []policies.Proposal{{X: p.x}}, nil
}

// carelessness are ways to change what a policy only looks at.
var carelessness = map[string]func(v policies.View){
	"sorts the history": func(v policies.View) {
		sort.Slice(v.History, func(i, j int) bool { return v.History[i].Value > v.History[j].Value })
	},
	"sorts what pends":   func(v policies.View) { slices.SortFunc(v.Pending, func(a, b int) int { return b - a }) },
	"deletes what pends": func(v policies.View) { _ = slices.DeleteFunc(v.Pending, func(n int) bool { return n%2 == 0 }) },
	"writes into points": func(v policies.View) {
		for i := range v.Queries {
			v.Queries[i].X[0] /= 2
		}
		for _, a := range v.History {
			a.Query.X[1] = 1
		}
	},
	"writes into the model": func(v policies.View) {
		for i := range v.Posterior.Len() {
			v.Posterior.X(i)[0] = 0.5
		}
		clear(v.Incumbent)
	},
}

func carefully(policies.View) {}

// A policy of somebody's own that changes its view changes a copy: the study is the one of a policy that does not, and can be resumed.
func TestAPolicyThatChangesItsViewHarmsNoStudy(t *testing.T) {
	square := unitSpace(t)
	for name, with := range carelessness {
		t.Run(name, func(t *testing.T) {
			want := askedAndTold(t, square, carefully)
			got := askedAndTold(t, square, with)
			if !slices.EqualFunc(got.Evaluations, want.Evaluations, func(a, b tarry.Evaluation) bool {
				return slices.Equal(a.X, b.X) && a.Value == b.Value && a.Status == b.Status
			}) {
				t.Errorf("got %v\nwant %v", got.Evaluations, want.Evaluations)
			}
			store := &journal.Memory{}
			o := tarry.Options{Budget: 20, Workers: 4, Journal: store, Policy: careless{with, make(space.Unit, 2)}}
			r := must.Get(tarry.Maximize(t.Context(), square, hill, o))(t)
			if r.Count(tarry.Observed) != 20 {
				t.Errorf("%v: want 20 values", r)
			}
			for _, e := range r.Evaluations {
				if v := must.Get(hill(t.Context(), tarry.Query{X: e.X}))(t); v != e.Value {
					t.Errorf("%v has the value of another point, not %v", e, v)
				}
			}
			if _, err := journal.Verify(store); err != nil {
				t.Error(err)
			}
		})
	}
}

// askedAndTold is a study by asking and telling, in two halves, with some queries that pend.
func askedAndTold(t *testing.T, s tarry.Space, with func(policies.View)) *tarry.Result {
	t.Helper()
	store, policy := &journal.Memory{}, careless{with, make(space.Unit, 2)}
	study := must.Get(tarry.NewStudy(s, tarry.Options{Budget: 40, Seed: 1, Policy: policy, Journal: store}))(t)
	for half := range 2 {
		for k := range 20 {
			q := must.Get(study.Ask())(t)
			if k%5 == 4 {
				continue
			}
			if err := q.Tell(must.Get(hill(t.Context(), q))(t)); err != nil {
				t.Fatal(err)
			}
		}
		if half == 0 {
			study.Close()
			study = must.Get(tarry.ResumeStudy(store, tarry.Options{Policy: policy}))(t)
		}
	}
	defer study.Close()
	return study.Result()
}

// Nor does it harm a simulation.
func TestAPolicyThatChangesItsViewHarmsNoSimulation(t *testing.T) {
	problem := must.Get(sim.NewProblem("sixhump", 1))(t)
	simulated := func(with func(policies.View)) sim.Performance {
		return must.Get(sim.Run(t.Context(), sim.Scenario{
			Problem: problem, Policy: careless{with, make(space.Unit, 2)}, Delay: delay.Fixed{Delay: 3}, Rounds: 30, Initial: 5, Seed: 2,
		}))(t)
	}
	want := simulated(carefully)
	for name, with := range carelessness {
		if got := simulated(with); !slices.Equal(got.CumulativeRegret, want.CumulativeRegret) {
			t.Errorf("%s: regret %v, want %v", name, got.CumulativeRegret, want.CumulativeRegret)
		}
	}
}

// A policy around one of the module's gets a copy, and the copy leads to the same proposals, to the bit.
func TestACopyOfAViewLeadsToTheSameProposals(t *testing.T) {
	var points []tarry.Point
	for k := range 60 {
		points = append(points, tarry.Point{float64(k%10) / 9, float64(k/10) / 5})
	}
	tiles := must.Get(tarry.NewList(points, unitSpace(t).Parameters()...))(t)
	for _, s := range []tarry.Space{unitSpace(t), tiles} {
		for _, name := range []string{"auto", "gp-bts", "ucb-sdf", "rgpe", "auto:earlier=2"} {
			own := policy(t, name)
			o := tarry.Options{Budget: 14, Workers: 1, Seed: 3, Policy: own}
			want := must.Get(tarry.Maximize(t.Context(), s, hill, o))(t)
			o.Policy = struct{ policies.Policy }{own}
			got := must.Get(tarry.Maximize(t.Context(), s, hill, o))(t)
			for i, e := range got.Evaluations {
				if !slices.Equal(e.X, want.Evaluations[i].X) {
					t.Errorf("%s: %v, want %v", name, e, want.Evaluations[i])
				}
			}
		}
	}
}
