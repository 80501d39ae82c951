package console

import (
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

// Contender is a policy as the user spelled it.
type Contender struct {
	Name   string
	Policy policies.Policy
}

// On is the policy with the options that the literature uses on the problem, where the user gave none.
func (p Contender) On(problem sim.Problem) policies.Policy {
	if policy, err := policies.Parse(p.Name, problem.Options...); err == nil {
		return policy
	}
	return p.Policy
}

// ReadPolicies reads a list of policies with their options.
func ReadPolicies(l *check.List, list string) []Contender {
	var out []Contender
	for _, name := range strings.Split(list, ",") {
		p, err := policies.Parse(name)
		if err != nil {
			l.Join(Blame("-policies", err))
			continue
		}
		if slices.ContainsFunc(out, func(c Contender) bool { return c.Name == name }) {
			l.Add("-policies", name, "each policy once")
			continue
		}
		out = append(out, Contender{name, p})
	}
	return out
}
