package policies_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/tarry-bo/tarry/bandit"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/policies/policytest"
	"github.com/tarry-bo/tarry/safety"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// vandal writes into all of its view that can be written to.
type vandal struct{ proposal policies.Proposal }

var vandalized = policies.Traits{
	Name: "vandal", Model: true, Draws: true, Adapts: true, Pending: feedback.Hallucinate, Also: []model.Want{{Pending: feedback.Censor}},
}

func (vandal) Traits() policies.Traits { return vandalized }

func (p vandal) Propose(v policies.View, _ int, _ *rand.Rand) ([]policies.Proposal, error) {
	wreck(v)
	return []policies.Proposal{p.proposal}, nil
}

func (p vandal) Explain(v policies.View, _ *rand.Rand) (policies.Explanation, error) {
	wreck(v)
	return policies.Explanation{}, errors.New("nobody knows")
}

func wreck(v policies.View) {
	beliefs := append([]model.Belief{v.Belief}, v.Also...)
	for _, c := range v.Constraints {
		beliefs = append(beliefs, c.Belief)
	}
	for _, e := range v.Earlier {
		beliefs = append(beliefs, model.Belief{Posterior: e.Posterior})
	}
	for _, b := range beliefs {
		clear(b.Posterior.PoolMean())
		clear(b.Posterior.PoolVariance())
		for i := range b.Posterior.Len() {
			clear(b.Posterior.X(i))
		}
		if pool := b.Posterior.Pool(); pool != nil {
			for i := range pool.Len() {
				clear(pool.Point(i))
			}
		}
	}
	for _, s := range []space.Space{v.Space, v.Taught.Space} {
		for i := range s.Points() {
			clear(s.Points()[i])
			clear(s.UnitPoints()[i])
		}
		clear(s.Actions())
		clear(s.Held())
		clear(s.Contexts())
	}
	erase(reflect.ValueOf(&v).Elem())
}

// erase sets what is behind the slices and pointers of exported fields to zero.
func erase(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				erase(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			erase(v.Index(i))
			v.Index(i).SetZero()
		}
	case reflect.Pointer:
		if v.Type() != reflect.TypeFor[*surrogate.Posterior]() && !v.IsNil() {
			erase(v.Elem())
			v.Elem().SetZero()
		}
	}
}

// views are moments of studies with all that a view can have.
func views(t *testing.T) map[string]policies.View {
	all := policytest.Views(t, vandalized)
	for name, v := range all {
		v.Blamed, v.Outliers = []int{1}, []int{2}
		v.Earlier = []policies.Earlier{{Name: "earlier", Posterior: v.Posterior}}
		v.Taught = &bandit.Knowledge{Space: v.Space, Layers: []int{3}, Weights: []float64{1, 2}}
		v.Caution = policies.Caution{Seeds: []space.Unit{{0.25}}, Promise: &safety.Promise{Queries: 9}}
		v.Constraints = []policies.Constraint{{Belief: v.Belief}}
		for i := range v.History {
			v.History[i].Forecast = &policies.Forecast{Mean: 1, Levels: []float64{0.5}}
		}
		all[name] = v
	}
	return all
}

// A policy of somebody's own cannot change what the study knows, nor what it proposed: it has copies, also as the inner one of a batch.
func TestAForeignPolicyChangesNothingButItsCopy(t *testing.T) {
	for name, v := range views(t) {
		if len(v.Queries) < 2 {
			continue
		}
		v.Incumbent = v.Queries[0].X // otherwise the view chooses
		want := views(t)[name]
		want.Incumbent = want.Queries[0].X
		p := vandal{policies.Proposal{X: space.Unit{0.5}, Forecast: &policies.Forecast{Mean: 1, Levels: []float64{0.5}}}}
		for _, policy := range []policies.Policy{p, &p, policies.Batch{Size: 2, Policy: p}} {
			got, err := policies.Propose(policy, v, 1, rng.New(1, rng.Policy, 1))
			if err != nil || len(got) != 1 {
				t.Fatal(err, got)
			}
			if _, err := policies.Explain(policy, v, rng.New(1, rng.Policy, 1)); err == nil {
				t.Errorf("%T was not asked what it maximizes", policy)
			}
			if !reflect.DeepEqual(v, want) {
				t.Fatalf("%s: the view was changed", name)
			}
			if &got[0].X[0] == &p.proposal.X[0] || got[0].Forecast == p.proposal.Forecast || &got[0].Forecast.Levels[0] == &p.proposal.Forecast.Levels[0] {
				t.Errorf("%T can still change what it proposed", policy)
			}
		}
	}
}

// The policies of the package read the study's own memory: nothing is copied for them.
func TestNothingIsCopiedForOwnPolicies(t *testing.T) {
	v := policytest.Views(t, policies.Uniform{}.Traits())["20 dimensions"]
	v.Queries = append(v.Queries, make([]policies.Query, 10_000)...)
	for _, p := range []policies.Policy{policies.Uniform{}, &policies.Uniform{}, policies.Batch{Policy: policies.Uniform{}}} {
		got := testing.AllocsPerRun(10, func() { _, _ = policies.Propose(p, v, 1, rng.New(1, rng.Policy, 1)) })
		if got > 100 {
			t.Errorf("%T: %v allocations", p, got)
		}
	}
}
