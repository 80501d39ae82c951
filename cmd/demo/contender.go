package main

import (
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

// contender is a policy as the user spelled it.
type contender struct {
	name   string
	policy policies.Policy
}

// on is the policy with the options that the literature uses on the problem, where the user gave none.
func (p contender) on(problem sim.Problem) policies.Policy {
	if policy, err := policies.Parse(p.name, problem.Options...); err == nil {
		return policy
	}
	return p.policy
}

// readPolicies reads a list of policies with their options.
func readPolicies(l *check.List, list string) []contender {
	var out []contender
	for _, name := range strings.Split(list, ",") {
		p, err := policies.Parse(name)
		if err != nil {
			l.Join(blame("-policies", err))
			continue
		}
		if slices.ContainsFunc(out, func(c contender) bool { return c.name == name }) {
			l.Add("-policies", name, "each policy once")
			continue
		}
		out = append(out, contender{name, p})
	}
	return out
}
