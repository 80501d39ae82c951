package policies_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/policies/policytest"
)

// Every registered policy, and the variants by name, conform.
func TestAllPolicies(t *testing.T) {
	specs := append(policies.Names(), "ucb-sdf:nu=1", "ucb-sdf:sigma=predictive", "ts-sdf:nu=1", "gp-bucb:beta=2", "batch:q=3:of=ucb-sdf/nu~1", "gp-qucb:p=bayes")
	for i, spec := range specs {
		if policies.Raced && (i%5 != 0 || spec == "pes") { // models and searches are the same in all of them
			continue
		}
		t.Run(spec, func(t *testing.T) {
			if policies.Raced {
				policytest.Conforms(t, lighter(spec)) // and without the race detector that it beats random search
				return
			}
			policytest.Run(t, spec)
		})
	}
}

// lighter draws functions with fewer features where the race detector watches.
func lighter(spec string) string {
	name, _, _ := strings.Cut(spec, ":")
	if policies.Raced && slices.Contains([]string{"asy-ts", "gp-bts", "ts-sdf"}, name) {
		return spec + ":features=16"
	}
	if policies.Raced && slices.Contains([]string{"continual-mf-mes", "mft-mes"}, name) {
		return spec + ":particles=2:samples=2"
	}
	return spec
}

// The policies that work with any imputation conform with each.
func TestEveryImputationConforms(t *testing.T) {
	for i, name := range []string{"log-ei", "pi", "gp-qucb"} {
		for j, how := range []string{"ignore", "censor"} {
			if policies.Raced && (i+j)%2 == 1 {
				continue
			}
			t.Run(name+", "+how, func(t *testing.T) { policytest.Conforms(t, name+":pending="+how) })
		}
	}
}

// The schedule under which the bounds are proved is far too wide to search well with, but it must work.
func TestTheTheoreticalScheduleConforms(t *testing.T) {
	for _, spec := range []string{"ucb-sdf:beta=theory", "ts-sdf:beta=theory", "gp-ucb:beta=theory"} {
		if policies.Raced && spec != "ucb-sdf:beta=theory" {
			continue
		}
		t.Run(spec, func(t *testing.T) { policytest.Conforms(t, lighter(spec)) })
	}
}
