package believer

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/policies/policytest"
)

// The suite that tests the policies of tarry tests this one.
func TestBelieverConforms(t *testing.T) { policytest.Run(t, "believer") }

// In every moment of a study the proposals are those of gp-bucb, to the bit.
func TestBelieverIsGPBUCB(t *testing.T) {
	for _, pair := range [][2]string{{"believer", "gp-bucb"}, {"believer:beta=3", "gp-bucb:beta=3"}} {
		ours, theirs := parse(t, pair[0]), parse(t, pair[1])
		for name, view := range policytest.Views(t, ours.Traits()) {
			got, err := ours.Propose(view, 3, rand.New(rand.NewPCG(1, 2)))
			want, wrong := theirs.Propose(view, 3, rand.New(rand.NewPCG(1, 2)))
			if err != nil || wrong != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: %v (%v), want %v (%v)", pair[0], name, got, err, want, wrong)
			}
		}
	}
}

// A study goes the way it goes with gp-bucb.
func TestBelieverRunsAStudy(t *testing.T) {
	space, err := tarry.NewSpace(tarry.Float("x", -1, 2), tarry.LogFloat("rate", 1e-4, 1), tarry.Categorical("kind", "a", "b"))
	if err != nil {
		t.Fatal(err)
	}
	hill := func(_ context.Context, q tarry.Query) (float64, error) {
		return -q.Float("x")*q.Float("x") - q.Float("rate"), nil
	}
	queries := func(spec string) (points []tarry.Query) {
		o := tarry.Options{Budget: 20, Workers: 1, Seed: 7, Policy: parse(t, spec)}
		result, err := tarry.Maximize(t.Context(), space, hill, o)
		if err != nil || result.Counters.Fallbacks > 0 {
			t.Fatalf("%s: %v, %d fallbacks", spec, err, result.Counters.Fallbacks)
		}
		for _, e := range result.Evaluations {
			points = append(points, e.Query)
		}
		return points
	}
	if got, want := queries("believer"), queries("gp-bucb"); !reflect.DeepEqual(got, want) {
		t.Errorf("queries %v, want %v", got, want)
	}
}

func parse(t *testing.T, spec string) policies.Policy {
	t.Helper()
	p, err := tarry.ParsePolicy(spec)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
