package policytest

import (
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/policies"
)

// The situations cover what they claim to: without data, all pending, lists, contexts, duplicates, huge values.
func TestSituations(t *testing.T) {
	seen := Views(t, policies.Traits{Model: true, Draws: true, Pending: feedback.Censor})
	for name, holds := range map[string]func(policies.View) bool{
		"no data":                func(v policies.View) bool { return v.Posterior.Len() == 0 && !v.Informed() },
		"all pending":            func(v policies.View) bool { return len(v.Pending) == v.Posterior.Len() && !v.Informed() },
		"some pending in a list": func(v policies.View) bool { return v.Posterior.Pool().Len() == 40 && v.Informed() },
		"a context":              func(v policies.View) bool { return len(v.Context) == 1 && v.Posterior.Pool() == nil },
		"a window":               func(v policies.View) bool { return v.Window.Limited() },
		"20 dimensions":          func(v policies.View) bool { return v.Space.Dim() == 20 },
		"huge values":            func(v policies.View) bool { return v.Units.Scale > 1e299 },
	} {
		v, there := seen[name]
		if !there || !holds(v) {
			t.Errorf("%q is not what it says", name)
		}
	}
}

func TestTheShortestPolicyConforms(t *testing.T) { Run(t, "random") }
